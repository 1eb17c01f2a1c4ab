package intent

import (
	"context"
	"fmt"
	"sync"

	"github.com/bonafide-go/bonafide/intent/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Classifier reads messages with the words of a set of tools. It is immutable
// and safe for concurrent use.
type Classifier struct {
	language   *lexicon.Language
	profiles   []*profile
	vocabulary *vocabulary
	hosted
	model     *model
	acts      lexicon.Families // what the tools do, by their names
	entity    bool             // several tools act on one kind of thing, whose titles may be any words
	scratches sync.Pool
}

// MaxTools is the largest number of tools that one classifier takes.
const MaxTools = 4096

// FromTools builds a classifier from the tools themselves: their names and
// descriptions, the names of their arguments, and the host's words for them.
func FromTools(tools []tooltrack.Tool, options *Options) (*Classifier, error) {
	if options == nil {
		options = &Options{}
	}
	if len(tools) > MaxTools {
		return nil, fmt.Errorf("there are %d tools; at most %d are read", len(tools), MaxTools)
	}
	if err := tooltrack.ValidateTools(tools); err != nil {
		return nil, err
	}
	c := &Classifier{language: options.Language}
	if c.language == nil {
		c.language = lexicon.English()
	}
	for _, tool := range tools {
		c.profiles = append(c.profiles, profileOf(c.language, tool))
	}
	for _, p := range c.profiles {
		c.acts = c.acts.Union(p.acts)
	}
	c.entity = markEntities(c.profiles)
	c.vocabulary = newVocabulary(c.language, c.profiles)
	c.scratches.New = func() any { return c.newScratch() }
	if err := c.readHost(tools, options); err != nil {
		return nil, err
	}
	c.model = c.learn(options.Examples)
	return c, nil
}

// entityActs are what one does to the things of a collection.
var entityActs = lexicon.FamiliesOf(lexicon.Create, lexicon.Update, lexicon.Delete, lexicon.Complete, lexicon.Cancel, lexicon.Return, lexicon.Exchange, lexicon.Move)

// markEntities finds the tools that together keep a collection: three or more
// with a noun of their names in common, and two different acts on it.
func markEntities(profiles []*profile) (any bool) {
	acts, tools := map[string]lexicon.Families{}, map[string]int{}
	for _, p := range profiles {
		for noun := range p.named {
			tools[noun]++
			acts[noun] = acts[noun].Union(p.acts)
		}
	}
	for _, p := range profiles {
		for noun := range p.named {
			change := acts[noun].Without(acts[noun].Without(entityActs))
			p.entity = p.entity || tools[noun] >= 3 && change.Len() >= 2
		}
		any = any || p.entity
	}
	return any
}

// scratch is the memory of one Classify, used again and again.
type scratch struct {
	reader   reader
	clauses  []clause
	tallies  []tally // of the clause
	totals   []tally // of the whole message
	whole    bool    // there are totals
	scores   []float32
	matched  []int32   // words of the clause that some tool knows
	peaks    []float32 // the best score of each tool; nil without a model
	found    []uint64  // traits of the message
	numbers  []int32
	trace    func(tool int) []float32
	listed   bool             // the requests are counted up
	said     lexicon.Families // all verbs of the message
	seen     []uint32
	round    uint32
	expected []found
	other    []lexicon.Token // of the assistant's text
	doubt    float32         // how near the closest decision was
	carry    bool            // the clause before named a thing of ours
	shouts   bool            // capital letters mean nothing
	foreign  bool            // the language is not ours
}

// found is an expectation in the making.
type found struct {
	tool            int32
	score           float32
	from            int // tokens
	to              int
	own             bool // its own verb was said
	weak            bool // only leads to the next request
	named, conflict bool // a word of its name was said; its verb was not
}

func (c *Classifier) newScratch() *scratch {
	n := len(c.profiles)
	s := &scratch{
		reader:  reader{language: c.language, cues: cuesOf(c.language), tokens: make([]lexicon.Token, 0, 64)},
		tallies: make([]tally, n), totals: make([]tally, n), scores: make([]float32, n), seen: make([]uint32, len(c.vocabulary.words)),
	}
	if c.model != nil {
		s.peaks = make([]float32, n)
	}
	return s
}

// Classify reads a message. Its error is that of the context.
func (c *Classifier) Classify(ctx context.Context, request Request) (Intent, error) {
	if err := ctx.Err(); err != nil {
		return Intent{}, err
	}
	s := c.scratches.Get().(*scratch)
	defer c.scratches.Put(s)
	c.read(s, request.User)
	if s.foreign {
		return Intent{Unsupported: true}, nil
	}
	if len(s.expected) == 0 && request.Previous != "" {
		c.answer(s, request.Previous)
	}
	return c.intent(s), nil
}

// maxMessage bounds what is read of a message: what is asked for stands at its
// beginning or at its end.
const maxMessage = 16 << 10

// read fills the scratch with what the message asks for.
func (c *Classifier) read(s *scratch, text string) {
	if len(text) > maxMessage {
		text = text[:maxMessage]
	}
	s.reader.text = text
	s.reader.tokens = c.language.Tokenize(s.reader.tokens[:0], text)
	c.localize(s.reader.tokens)
	s.glance()
	s.expected = s.expected[:0]
	s.doubt, s.carry = doubtful, false
	for i := range s.peaks {
		s.peaks[i] = -ruleClip
	}
	if s.foreign {
		s.clauses = s.clauses[:0]
		return
	}
	s.clauses = s.reader.clauses(s.clauses[:0])
	s.said = lexicon.Families{}
	for i := range s.clauses {
		s.said = s.said.Union(s.clauses[i].families)
	}
	s.listed = len(s.clauses) > 2 && s.itemized()
	c.overview(s)
	for i := range s.clauses {
		c.judge(s, &s.clauses[i])
	}
	if len(s.expected) > 1 {
		c.settle(s)
	}
	if s.peaks != nil {
		s.peak()
	}
	if c.model != nil {
		c.model.apply(s)
	}
	if len(c.forced) > 0 {
		c.force(s)
	}
}

// peak settles what the rules say of each tool: at least a little for those
// they expect, at most a little against for the others.
func (s *scratch) peak() {
	const little = 0.3
	for tool, score := range s.peaks {
		if at := s.position(int32(tool)); at >= 0 {
			s.peaks[tool] = max(s.expected[at].score, little)
		} else {
			s.peaks[tool] = min(score, -little)
		}
	}
}

// overview counts the words of the whole message, for clauses that lean on
// what others said.
func (c *Classifier) overview(s *scratch) {
	s.whole = len(s.clauses) > 1 && !c.entity
	if !s.whole {
		return
	}
	s.round++
	clear(s.tallies)
	all := clause{to: len(s.reader.tokens), verb: -1}
	s.survey(c, &all)
	copy(s.totals, s.tallies)
}

// judge finds the tools that a clause asks for, if any.
func (c *Classifier) judge(s *scratch, cl *clause) {
	if cl.mood == barred && !c.entity {
		return
	}
	s.round++
	clear(s.tallies)
	s.matched = s.matched[:0]
	o := s.survey(c, cl)
	f := c.newFrame(s, cl, &o)
	s.carry = f.kind
	if cl.able && o.generic(cl) {
		cl.mood = asking // for the ability
		return
	}
	if cl.mood == barred || s.reader.retrospect(cl) {
		return
	}
	c.compare(s, &f)
	best, score, second := -1, float32(0), float32(0)
	for tool, p := range c.profiles {
		s.scores[tool] = -1
		if c.silent[tool] || p.entity && (cl.mood == pondering || cl.mood == learning) || !s.evidence(&f, tool, p) {
			continue
		}
		s.scores[tool] = c.score(s, &f, tool, s.note(tool))
		if s.peaks != nil {
			s.peaks[tool] = max(s.peaks[tool], s.scores[tool])
		}
		if best < 0 || s.scores[tool] > score {
			best, score, second = tool, s.scores[tool], score
		} else {
			second = max(second, s.scores[tool])
		}
	}
	if best < 0 {
		return
	}
	s.doubt = min(s.doubt, max(score, -score))
	if score > 0 || s.listed && score > itemScore && s.tallies[best].namedHits > 0 {
		s.doubt = min(s.doubt, score-second)
		s.expect(c.found(s, cl, &f, best))
		c.others(s, cl, &f, best)
	}
}

// evidence reports whether anything in the message speaks of the tool: one of
// its words or fields, its verb, or a question that needs no words of its own.
func (s *scratch) evidence(f *frame, tool int, p *profile) bool {
	t := &s.tallies[tool]
	if t.hits > 0 || t.akin > 0 || p.general || p.runs || p.agenda && p.info && f.asks {
		return true
	}
	return f.families.Overlaps(p.acts) || f.families.Overlaps(p.told) || f.families.Overlaps(p.kin) || f.said.Overlaps(p.acts) || s.whole && s.totals[tool].hits > 0
}

// note is where the features of a tool are noted while weights are fitted; nil
// at all other times.
func (s *scratch) note(tool int) []float32 {
	if s.trace == nil {
		return nil
	}
	return s.trace(tool)
}

// found describes the expectation of a tool by a clause.
func (c *Classifier) found(s *scratch, cl *clause, f *frame, tool int) found {
	p := c.profiles[tool]
	match := f.relate(p) != unrelated
	return found{
		tool: int32(tool), score: s.scores[tool], from: cl.from, to: cl.to,
		own:   f.relate(p) == acting && cl.mood == command && !f.families.Overlaps(vague),
		weak:  p.info && (cl.verb < 0 && cl.mood != asking || cl.mood != asking && f.families.Overlaps(leading)),
		named: s.tallies[tool].namedHits > 0, conflict: !match && !f.families.Empty() && !(p.info && f.informs),
	}
}

// others finds further tools that one clause asks for: "the area of the square
// and the volume of the cube" names two, each by a word of its own.
func (c *Classifier) others(s *scratch, cl *clause, f *frame, best int) {
	if !s.reader.enumerates(cl) {
		return
	}
	for tool, p := range c.profiles {
		if tool != best && !p.entity && s.scores[tool] > alongside && c.exclusive(s, tool, best) {
			s.expect(c.found(s, cl, f, tool))
		}
	}
}

// itemScore is what an item of a counted list must have: who counts up means
// each of them.
const itemScore = -1

// alongside is the score that a second tool of a clause must have.
const alongside = 3.5

// enumerates reports whether the clause names several things.
func (r *reader) enumerates(c *clause) bool {
	for i := c.body; i < c.to; i++ {
		if r.tokens[i].Kind == lexicon.Comma || r.class(i).Has(lexicon.Conjunction) {
			return true
		}
	}
	return false
}

// exclusive reports whether the clause holds a word of the tool's name that the
// other tool's name has not.
func (c *Classifier) exclusive(s *scratch, tool, other int) bool {
	for _, number := range s.matched {
		w := &c.vocabulary.words[number-1]
		has, shared := false, false
		for _, p := range c.vocabulary.postings[w.from:w.to] {
			has = has || p.named && int(p.tool) == tool
			shared = shared || int(p.tool) == other
		}
		if has && !shared {
			return true
		}
	}
	return false
}

// settle drops expectations that only lean on a stronger one: people tell
// around what they ask for.
func (c *Classifier) settle(s *scratch) {
	top := 0
	for i := range s.expected {
		if s.expected[i].score > s.expected[top].score {
			top = i
		}
	}
	kept := s.expected[:0]
	for i, f := range s.expected {
		if f.weak && c.profiles[f.tool].entity && i+1 < len(s.expected) && !c.profiles[s.expected[i+1].tool].info && s.expected[i+1].from == f.to {
			continue // "find it and delete it"
		}
		if i == top || c.profiles[f.tool].entity || !f.conflict && (f.named && f.score > 0.5 || f.own || f.score > 3) || s.listed && (f.named || f.score > 0.5) {
			kept = append(kept, f)
		}
	}
	s.expected = kept
}

// leading families only lead to what is asked for next: "open my list and add".
var leading = lexicon.FamiliesOf(lexicon.Search, lexicon.Open, lexicon.Verify)

// vague families ask for so many things that they alone mean none.
var vague = lexicon.FamiliesOf(lexicon.Read, lexicon.Search, lexicon.Book, lexicon.Order, lexicon.Play, lexicon.Verify)

// itemized reports whether the message counts its requests up: first, second,
// then, finally.
func (s *scratch) itemized() bool {
	n := 0
	for i := range s.reader.tokens {
		if s.reader.class(i).Has(lexicon.Sequence) && s.reader.tokens[i].Has(lexicon.SentenceStart) {
			n++
		}
	}
	return n >= 2
}

// total is what the whole message says of a tool.
func (s *scratch) total(tool int) *tally {
	if s.whole {
		return &s.totals[tool]
	}
	return &s.tallies[tool]
}

// expect adds a tool once, with its best score.
func (s *scratch) expect(f found) {
	for i := range s.expected {
		if s.expected[i].tool == f.tool {
			s.expected[i].score = max(s.expected[i].score, f.score)
			return
		}
	}
	s.expected = append(s.expected, f)
}
