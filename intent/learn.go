package intent

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// memory are the host's examples. What they teach is nearness: a message that asks in the
// form of an example, by the same verb and for the same things, asks for what the example
// asks for. They lend no words to their tools: a word of one request says little about the
// next one. Neither do they make anybody sure, by the default thresholds.
type memory struct {
	lessons []lesson
	answers [][]*profile             // what lessons ask for: tools, or none
	telling hashtable.Table[float32] // how much a mark says, by how few answers have it
	having  hashtable.Table[[]int32] // the lessons that have a mark
}

// lesson is an example.
type lesson struct {
	answer int32
	form   form
	size   float32       // of its marks
	words  []uint64      // in order
	point  vector.Vector // where its words point
}

// form is how a message asks.
type form struct {
	plea reading.Plea
	acts uint64 // a sign of its verbs and question words
}

// Chosen on the very messages that TestTeachingDoesNoHarm measures, so its figures flatter
// them a little.
const (
	nearEnough  = 0.6 // how near an example must be, as a cosine of marks,
	nearUnknown = 0.5 // or where the rules know nothing better,
	nearLead    = 0.1 // and how much nearer than those that ask for something else
	nearCare    = 0.2 // what a deletion must have beyond other tools
	nearAnyway  = 0.8 // from here on it counts even where nothing seems due,
	leastDue    = 0.3 // which is below this
	severalNear = 3   // near examples, from which on their things are seen to vary
	idleDue     = 0.5 // the most that is due of what is near to an idle example
	strangeMark = 0.5 // what a mark says that no example has
	// A guess of the rules, below guessScore as a log-odds, gives way to another tool of
	// at least chosenSure whose examples point the way of the message, by so much more
	// than others.
	guessScore, chosenSure, pointEnough, pointLead = 0.4, 0.05, 0.45, 0.1

	maxMarks    = 160 // words and pairs read of one message
	ruleClip    = 4   // the most that the rules say
	maxExamples = 20_000
	markWord    = 0x9E3779B97F4A7C15
	markPair    = 0xC2B2AE3D27D4EB4F
	markOpening = 0x165667B19E3779F9
)

// destructive families are never expected on the strength of examples alone, nor
// on that of words beside a verb that says something else.
var destructive = lexicon.FamiliesOf(lexicon.Delete, lexicon.Cancel)

// learn keeps the examples; nil if there are none. Examples that name tools which are not
// ours are about others and left out.
func (c *Classifier) learn(examples []Example) *memory {
	examples = examples[:min(len(examples), maxExamples)]
	if len(examples) == 0 {
		return nil
	}
	m := &memory{telling: hashtable.New[float32](len(examples)), having: hashtable.New[[]int32](len(examples))}
	numbers := map[string]int32{}
	for _, example := range examples {
		tools, ours := c.toolsOf(example)
		if !ours || len(example.User) > maxMessage {
			continue
		}
		s := c.read(Utterance{User: example.User})
		marks := s.marks()
		if len(marks) == 0 {
			continue
		}
		key := strings.Join(slices.Sorted(slices.Values(example.Expected)), "\x00")
		answer, known := numbers[key]
		if !known {
			answer = int32(len(m.answers))
			numbers[key] = answer
			m.answers = append(m.answers, tools)
		}
		for _, mark := range marks {
			at := m.having.Add(mark)
			*at = append(*at, int32(len(m.lessons)))
		}
		m.lessons = append(m.lessons, lesson{answer: answer, form: s.form(), words: s.wordKeys(), point: s.direction()})
	}
	m.weigh()
	return m
}

// toolsOf are the tools that an example asks for; false if one is not ours.
func (c *Classifier) toolsOf(example Example) (tools []*profile, ours bool) {
	for _, name := range example.Expected {
		tool, known := c.byName[name]
		if !known {
			return nil, false
		}
		if p := c.profiles[tool]; !slices.Contains(tools, p) {
			tools = append(tools, p)
		}
	}
	return tools, true
}

// weigh says how telling each mark is: 1 for one of a single answer, near 0 for one of all.
func (m *memory) weigh() {
	scale := math.Log(float64(len(m.answers) + 1))
	m.having.All(func(mark uint64, lessons []int32) bool {
		answers := map[int32]bool{}
		for _, i := range lessons {
			answers[m.lessons[i].answer] = true
		}
		telling := float32(1 - math.Log(float64(len(answers)))/scale)
		m.telling.Put(mark, telling)
		for _, i := range lessons {
			m.lessons[i].size += telling * telling
		}
		return true
	})
}

// marks are the hashes of a message's words, and of pairs of telling words that follow one
// another in either order, each once. Quotations and numbers stand for themselves whatever
// they hold.
func (r *reader) marks() (marks []uint64) {
	add := func(mark uint64) {
		if !slices.Contains(marks, mark) {
			marks = append(marks, mark)
		}
	}
	last := uint64(markOpening)
	for i := range r.Tokens {
		token := &r.Tokens[i]
		if !token.IsWord() || len(marks) >= maxMarks {
			continue
		}
		key := r.keyOf(token)
		add(key*markPair | 1)
		if !isFunctionWord(token.Entry) {
			add((last+key)*markOpening | 1)
			last = key
		}
	}
	return marks
}

func (r *reader) keyOf(token *lexicon.Token) uint64 {
	switch {
	case token.Kind == lexicon.Number:
		return markWord
	case r.Quotes && token.Has(lexicon.Quoted):
		return markPair
	case token.Entry != nil:
		return uint64(token.Entry.ID+1) * markWord
	}
	return token.Hash
}

// form tells how the message asks. A thing that is only named may stand for a command.
func (s *message) form() (f form) {
	if s.Foreign || s.Courteous {
		return f
	}
	for i, v := range s.clauses {
		switch plea := v.plea; {
		case plea == reading.Commanded, plea == reading.Suggested, plea == reading.Wished,
			i == 0 && plea == reading.Named:
			f.plea = reading.Commanded
		case i == 0:
			f.plea = plea
		}
	}
	for i := range s.Tokens {
		if s.Class(i).Has(lexicon.Question) {
			f.acts |= 1 << (s.At(i).ID % 64)
		}
	}
	for i := range s.Requests {
		if verb := s.Requests[i].Verb; verb >= 0 && s.Tokens[verb].Entry != nil {
			f.acts |= 1 << (s.Tokens[verb].Entry.ID % 64)
		}
	}
	return f
}

// direction is where the message points, of length 1.
func (s *message) direction() (v vector.Vector) {
	if s.Foreign || s.Courteous {
		return v
	}
	v = s.point
	if size := float32(math.Sqrt(float64(v.Times(&v)))); size > 0 {
		for i := range v {
			v[i] /= size
		}
	}
	return v
}

// likeness is how a message stands to the examples.
type likeness struct {
	lesson     int     // the nearest, -1 if there is none
	near, lead float32 // and by how much it is nearer than those that ask for something else
	several    int     // how many that ask for the same are near enough
}

// nearest compares the message with the examples that ask in the same form.
func (m *memory) nearest(s *message) likeness {
	common := make([]float32, len(m.lessons)) // what the message and each lesson have in common
	size := float32(0)
	for _, mark := range s.marks() {
		telling, lessons := m.telling.Find(mark), m.having.Find(mark)
		if lessons == nil {
			telling = strangeMark
		}
		size += telling * telling
		for _, i := range lessons {
			common[i] += telling * telling
		}
	}
	found, answer, second, asked := likeness{lesson: -1}, int32(-1), float32(0), s.form()
	for i := range m.lessons {
		l := &m.lessons[i]
		if common[i] == 0 || l.form != asked {
			continue
		}
		near := common[i] / float32(math.Sqrt(float64(l.size*size)))
		switch {
		case near > found.near:
			if l.answer != answer {
				second, found.several = found.near, 0
			}
			answer, found.lesson, found.near = l.answer, i, near
		case l.answer != answer:
			second = max(second, near)
		}
		if l.answer == answer && near >= nearEnough {
			found.several++
		}
	}
	found.lead = found.near - second
	return found
}

// hasStrangers reports whether the message speaks of things that an example does not: bricks
// where that asked for tiles. Names, numbers and times may be any.
func (m *memory) hasStrangers(s *message, lesson int) bool {
	for i := range s.Tokens {
		token := &s.Tokens[i]
		name := token.Entry == nil && s.Text[token.Start] < 'a'
		if token.Kind != lexicon.Word || name || isFunctionWord(token.Entry) || token.Class().Has(lexicon.Time) {
			continue
		}
		if !slices.Contains(m.having.Find(s.keyOf(token)*markPair|1), int32(lesson)) {
			return true
		}
	}
	return false
}

// framing is an example that has the words of the message around one gap, which holds a
// title in either: "set Buy bread priority to high", "set wash car priority to high". It is
// -1 if there is none, or if there are some that ask for different things.
func (m *memory) framing(s *message) int {
	words := s.wordKeys()
	found, asked := -1, s.form()
	for i := range m.lessons {
		l := &m.lessons[i]
		if l.form != asked || !hasSameFrame(l.words, words) {
			continue
		}
		if found >= 0 && m.lessons[found].answer != l.answer {
			return -1
		}
		found = i
	}
	return found
}

// hasSameFrame reports whether two texts begin and end alike, in as many words as make a frame,
// and have something else between.
func hasSameFrame(a, b []uint64) bool {
	const frame, filling = 4, 6
	shorter, before, after := min(len(a), len(b)), 0, 0
	for before < shorter && a[before] == b[before] {
		before++
	}
	for after < shorter-before && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	shared := before + after
	return before > 0 && after > 1 && shared >= frame && shared < shorter && max(len(a), len(b))-shared <= filling
}

// wordKeys are the words of the message in order.
func (r *reader) wordKeys() (keys []uint64) {
	for i := range r.Tokens {
		if token := &r.Tokens[i]; token.IsWord() && len(keys) < maxMarks {
			keys = append(keys, r.keyOf(token))
		}
	}
	return keys
}

// hasSameBeginning reports whether the message begins as examples of an answer do: by no small word
// that they do not have. "A sploosh" and "they sploosh" are not "please sploosh".
func (m *memory) hasSameBeginning(s *message, answer int32) bool {
	for i := range s.Tokens {
		token := &s.Tokens[i]
		if !isFunctionWord(token.Entry) {
			return true
		}
		if !slices.ContainsFunc(m.having.Find(s.keyOf(token)*markPair|1), func(l int32) bool {
			return m.lessons[l].answer == answer
		}) {
			return false
		}
	}
	return true
}

// recollect lets the examples have their say on what the rules found. They name a tool, or
// say that none is meant; strangeScore is the most that they speak for one.
func (m *memory) recollect(s *message) {
	if s.Courteous {
		return
	}
	if len(s.expected) == 1 && s.expected[0].score < guessScore && s.hold == NotHeld {
		m.choose(s)
	}
	found := m.nearest(s)
	agree := func(other int) bool {
		return found.lesson < 0 || m.lessons[found.lesson].answer == m.lessons[other].answer
	}
	if framed := m.framing(s); framed >= 0 && s.due >= DefaultDue && agree(framed) {
		found = likeness{lesson: framed, near: 1, lead: 1, several: severalNear}
	}
	if found.lesson < 0 || found.lead < nearLead {
		return
	}
	answer := m.lessons[found.lesson].answer
	meant := m.answers[answer]
	enough := found.near >= nearEnough && (found.several >= severalNear || !m.hasStrangers(s, found.lesson))
	switch unknown := m.isKnown(s, meant) && found.near >= nearUnknown; {
	case len(meant) == 0 && enough:
		s.dismiss()
	case len(meant) == 0, m.isCareless(s, found, answer):
	case unknown, enough && (found.several >= severalNear || s.isPlausible(found)):
		s.replace(meant, found.near, len(s.Tokens))
	}
}

// isPlausible reports whether something seems due, or the message is nearly the example.
func (j *judgement) isPlausible(found likeness) bool {
	return len(j.expected) > 0 || j.due >= leastDue || found.near >= nearAnyway
}

// isKnown reports whether but examples can speak for tools, since neither their names nor
// their descriptions say what they do, or nobody knows the language: one example has to do
// then.
func (m *memory) isKnown(s *message, tools []*profile) bool {
	return len(s.expected) == 0 && (s.Foreign || s.form().plea == reading.Commanded) &&
		!slices.ContainsFunc(tools, func(p *profile) bool {
			return p.verb >= 0 || p.lead >= 0 || !p.acts.Empty()
		})
}

// isCareless reports whether something speaks against the tools of near examples. A deletion
// wants more than others, and the beginning of an example.
func (m *memory) isCareless(s *message, found likeness, answer int32) bool {
	return slices.ContainsFunc(m.answers[answer], func(tool *profile) bool {
		deletes := s.position(tool) < 0 && tool.acts.Overlaps(destructive)
		return s.silent[tool.number] || s.isHeldBack(tool) ||
			deletes && (found.near < nearEnough+nearCare || !m.hasSameBeginning(s, answer))
	})
}

// dismiss takes back what no command asks for: the message is near to an idle one.
func (j *judgement) dismiss() {
	j.expected = slices.DeleteFunc(j.expected, func(f found) bool { return !f.own })
	if len(j.expected) == 0 {
		j.due = min(j.due, idleDue)
	}
}

// replace expects the tools of near examples instead of others, unless the rules know
// better.
func (j *judgement) replace(meant []*profile, near float32, to int) {
	if slices.ContainsFunc(j.expected, func(f found) bool {
		return !slices.Contains(meant, f.tool) && (f.own || f.score > strangeScore)
	}) {
		return
	}
	j.expected = slices.DeleteFunc(j.expected, func(f found) bool { return !slices.Contains(meant, f.tool) })
	for _, tool := range meant {
		at := j.position(tool)
		if at < 0 {
			at = len(j.expected)
			j.expected = append(j.expected, found{tool: tool, score: strangeScore * near, to: to})
		}
		if near >= 1 { // it is an example, or has the frame of one
			j.expected[at].score = max(j.expected[at].score, strangeScore)
		}
	}
}

// choose lets the examples choose between a tool that the rules guess and another one of the
// same effect that they hold possible.
func (m *memory) choose(s *message) {
	guess, point := &s.expected[0], s.direction()
	best, second, answer := float32(0), float32(0), int32(-1)
	for i := range m.lessons {
		l := &m.lessons[i]
		switch near := point.Times(&l.point); {
		case near > best:
			if l.answer != answer {
				second = best
			}
			answer, best = l.answer, near
		case l.answer != answer:
			second = max(second, near)
		}
	}
	if best < pointEnough || best-second < pointLead || len(m.answers[answer]) != 1 {
		return
	}
	tool := m.answers[answer][0]
	if tool == guess.tool || s.silent[tool.number] || tool.info != guess.tool.info {
		return
	}
	for _, k := range s.judged() {
		if k.tool == tool && k.sure >= chosenSure {
			guess.tool, guess.own = tool, false
			return
		}
	}
}
