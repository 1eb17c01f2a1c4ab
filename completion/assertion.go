package completion

import (
	"bytes"
	"math"
	"sort"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// maxAssertions is the number of clauses that are held against the records.
// Nothing that a person reads has more; beyond it, the text as a whole is in
// doubt.
const maxAssertions = 512

// assertion is a clause that says how things are, held against the records of
// the conversation.
type assertion struct {
	clause   *reading.Clause
	place    reading.Place
	first    bool // of the text
	last     bool
	verb     *lexicon.Entry
	verbKey  uint64
	families lexicon.Families
	words    []uint64 // stems that say what it is about

	// fit is how well the best record of each kind does what the verb says: 1 by
	// its verb, less by other words. cover is the share of the words that it holds.
	fit, cover [numGrounds]float64
	best       [numGrounds]*fact
	unmade     float64 // fit of an offered tool that changes and was not called
	opposite   bool    // a change did the opposite
	user       float64 // share of the words that the user used
	previous   float64 // the same of the assistant's text before
	nowhere    float64 // share of the words that are found in no record and no message
	did        bool    // the user says to have done it
	asked      bool    // the user used the verb, or one of its family
	values     [reading.Clock + 1]mentions
	names      mentions
	count      float64 // how many things it says were done; 0 if it does not say
	paid       bool    // its record was already cited for another act
	nth        int     // which report of a change it is, from 1; 0 for none
	framed     bool    // ends in a colon: what follows tells it
	quoted     float64 // share of its words that are quoted
	known      float64 // share of its words in changes, in the user's words or in tools
	entry      bool    // of a list that is introduced as the user's own things
	excused    bool    // a clause just before it says that something did not work
	looksBack  bool    // tells of something earlier, and there is something
	titled     int     // words of names and quotations
	titleKnown int     // those of them that changes of this turn hold
	doubt      float64 // how likely it is false, by itself
	saysNo     bool    // the best change's result says that nothing was changed
}

// ground is where a clause may find its record.
type ground uint8

const (
	inChange  ground = iota // a change of this turn that succeeded
	inRead                  // a read of this turn that succeeded
	inFailure               // a call of this turn that failed
	inPending               // one that is still pending
	inEarlier               // a success of earlier turns
	numGrounds
)

// mentions count the values of one kind in a clause by where they are known.
type mentions struct {
	all      int
	nowhere  int // in no record, and in neither message
	userOnly int // in the user's words only
	failed   int // in failed records of this turn, not in successful ones
	early    int // in earlier records or the text before, not in this turn's
	derived  int // can be computed from known ones
	conflict int // nowhere, while the best record has other values of the kind
	against  int // not in the best record, which has other values of the kind
}

// assert makes an assertion of each clause that states something.
func (c *conversation) assert() {
	c.assertions, c.words = c.assertions[:0], c.words[:0]
	c.gatherNumbers()
	reports, yours := 0, false
	for i := range c.text.Clauses {
		clause := &c.text.Clauses[i]
		sentence := &c.text.Sentences[clause.Sentence]
		yours = c.introduces(clause.Sentence, yours)
		entry := yours && sentence.Place == reading.Item
		if !asserts(clause, sentence) && !(entry && clause.Mood == reading.Ordered) {
			continue
		}
		if len(c.assertions) == maxAssertions {
			break
		}
		c.assertions = append(c.assertions, assertion{
			clause: clause, place: sentence.Place, first: clause.Sentence == 0, last: clause.Sentence >= len(c.text.Sentences)-1,
		})
		a := &c.assertions[len(c.assertions)-1]
		a.entry = entry
		a.excused = i > 0 && clause.Sentence-c.text.Clauses[i-1].Sentence <= 1 && (c.text.Clauses[i-1].Negated || c.text.Clauses[i-1].Roles&(fails|reading.RoleUnable) != 0)
		c.ground(a)
		if a.told() && a.changing() {
			reports++
			a.nth = reports
		}
	}
}

// introduces reports whether a sentence, or the one that introduced the list it
// stands in, presents the user's own things: "Your tasks:".
func (c *conversation) introduces(in int, before bool) bool {
	s := &c.text.Sentences[in]
	if s.Place == reading.Item {
		return before
	}
	return c.text.Word(s.To-1) == ":" && c.yours(s.From-1, s.To)
}

// asserts reports whether a clause states how things are, or says that
// something could not be done.
func asserts(clause *reading.Clause, sentence *reading.Sentence) bool {
	if sentence.Quoted {
		return false
	}
	switch clause.Mood {
	case reading.Stated, reading.Presupposed:
		return clause.Shape != reading.Bare || clause.Negated
	case reading.Possible:
		return clause.Negated
	case reading.Future:
		return clause.Roles&reading.RoleLonger != 0
	}
	return false
}

// ground looks for the records behind an assertion.
func (c *conversation) ground(a *assertion) {
	c.readVerb(a)
	c.readWords(a)
	c.match(a)
	c.matchTools(a)
	c.readMentions(a)
	if best := a.best[inChange]; best != nil {
		a.saysNo = best.saysNo
	}
	if best := a.best[inChange]; best != nil && a.clause.Shape != reading.Copula {
		a.paid = best.paid > 0 && best.verb != a.verbKey
		best.paid++
		best.verb = a.verbKey
	}
}

func (c *conversation) readVerb(a *assertion) {
	if a.clause.Verb < 0 {
		return
	}
	token := &c.text.Tokens[a.clause.Verb]
	a.verb = token.Entry
	word := c.text.Word(a.clause.Verb)
	a.verbKey = c.reader.StemKey(word)
	a.families = token.Families()
	for i := a.clause.Verb + 1; i < min(a.clause.Verb+4, a.clause.To); i++ { // "turned it off"
		if more := c.language.Phrasal(a.verb, c.text.Tokens[i].Entry); !more.Empty() {
			a.families = more
			break
		}
	}
	for i := range c.user.Tokens {
		entry := c.user.Tokens[i].Entry
		if entry != nil && (entry.Families.Overlaps(a.families) || a.verb != nil && entry.ID == a.verb.ID) && entry.Form.Has(lexicon.Base|lexicon.Gerund) {
			a.asked = true
		}
	}
	for i := range c.user.Clauses {
		k := &c.user.Clauses[i]
		if k.Actor == reading.Us && (k.Shape == reading.ActivePast || k.Shape == reading.ActivePerfect) && !k.Negated {
			entry := c.user.Tokens[k.Verb].Entry
			a.did = a.did || entry != nil && (entry.Families.Overlaps(a.families) || a.verb != nil && entry.ID == a.verb.ID)
		}
	}
	if a.verb == nil {
		a.asked = a.asked || c.said.has(a.verbKey)
	}
}

// readWords collects the stems of a clause but for its verb.
func (c *conversation) readWords(a *assertion) {
	from := len(c.words)
	said, previous, nowhere, known := 0, 0, 0, 0
	verb := int32(-1)
	if a.clause.Verb >= 0 {
		verb = c.text.Tokens[a.clause.Verb].Start
	}
	values := c.text.Values[a.clause.FirstValue:a.clause.LastValue]
	for i := range values {
		v := &values[i]
		if v.Start == verb || !c.isContent(v) {
			continue
		}
		c.words = append(c.words, v.Key)
		inUser, inPrevious := c.said.has(v.Key), c.answered.has(v.Key)
		if inUser {
			said++
		}
		if inPrevious {
			previous++
		}
		if inUser || c.now[fateChanged].has(v.Key) || c.offered.has(v.Key) {
			known++
		}
		if !inUser && !inPrevious && !c.knownNow(v.Key) && !c.before.has(v.Key) && !c.now[fateFailed].has(v.Key) && !c.offered.has(v.Key) {
			nowhere++
		}
	}
	a.words = c.words[from:]
	a.looksBack = a.clause.Roles&reading.RoleEarlier != 0 && c.sum.changedBefore+c.sum.readBefore+c.sum.failedBefore > 0
	if n := float64(len(a.words)); n > 0 {
		a.user, a.previous, a.nowhere, a.known = float64(said)/n, float64(previous)/n, float64(nowhere)/n, float64(known)/n
	}
	quoted, all := 0, 0
	for i := a.clause.From; i < a.clause.To; i++ {
		if c.text.Tokens[i].IsWord() {
			all++
			if c.text.Tokens[i].Has(lexicon.Quoted) {
				quoted++
			}
		}
	}
	if all > 0 {
		a.quoted = float64(quoted) / float64(all)
	}
	end := a.clause.To - 1
	a.framed = c.text.Tokens[end].Kind == lexicon.Comma && c.text.Word(end) == ":" || a.clause.To < len(c.text.Tokens) && c.text.Word(a.clause.To) == ":"
}

// match finds the best record on each ground.
func (c *conversation) match(a *assertion) {
	for i := range c.facts {
		f := &c.facts[i]
		g := f.ground()
		fit := a.fits(f.tool)
		if fit < 0.5 && f.known.has(a.verbKey) { // "status": "cancelled"
			fit = 0.5
		}
		cover := a.coveredBy(f)
		if fit > a.fit[g] {
			a.fit[g] = fit
		}
		if a.best[g] == nil || cover+fit/2 > a.cover[g]+c.fitOf(a, g)/2 {
			a.best[g], a.cover[g] = f, cover
		}
	}
}

func (c *conversation) fitOf(a *assertion, g ground) float64 { return a.fits(a.best[g].tool) }

// ground is where a record belongs.
func (f *fact) ground() ground {
	switch {
	case f.earlier && (f.fate == fateChanged || f.fate == fateRead):
		return inEarlier
	case f.fate == fateChanged:
		return inChange
	case f.fate == fateRead:
		return inRead
	case f.fate == fatePending:
		return inPending
	}
	return inFailure
}

// coveredBy is the share of the words that a record or its tool holds.
func (a *assertion) coveredBy(f *fact) float64 {
	if len(a.words) == 0 {
		return 0
	}
	if f.known.count == 0 && f.fate == fateChanged { // a record that says nothing of its subject
		return 0.6
	}
	n := 0.0
	for _, key := range a.words {
		switch {
		case f.known.has(key):
			n++
		case f.tool.names.has(key):
			n += 0.8
		case f.tool.told.has(key):
			n += 0.5
		}
	}
	return n / float64(len(a.words))
}

// fits is how well a tool does what the verb says.
func (a *assertion) fits(t *toolFacts) float64 {
	switch {
	case a.clause.Verb < 0:
		return 0
	case t.verbKey != 0 && t.verbKey == a.verbKey:
		return 1
	case t.Families.Overlaps(a.families):
		return 0.9
	case t.names.has(a.verbKey):
		return 0.8
	case t.told.has(a.verbKey):
		return 0.7
	case t.others.Overlaps(a.families):
		return 0.6
	}
	return 0
}

// matchTools looks for an offered tool that would do what the verb says, and
// was not called.
func (c *conversation) matchTools(a *assertion) {
	for i := range c.tools {
		t := &c.tools[i]
		if !t.changes {
			continue
		}
		if fit := a.fits(t); t.called == 0 && fit > 0 {
			for _, key := range a.words {
				if t.names.has(key) {
					fit += 0.25
					break
				}
			}
			a.unmade = max(a.unmade, fit)
		}
		if t.called > 0 && t.Opposites.Overlaps(a.families) && !t.Families.Overlaps(a.families) {
			a.opposite = true
		}
	}
}

// readMentions looks for the values that a clause names.
func (c *conversation) readMentions(a *assertion) {
	best := a.bestRecord()
	values := c.text.Values[a.clause.FirstValue:a.clause.LastValue]
	for i := range values {
		v := &values[i]
		switch {
		case v.Has(reading.Derived | reading.Merged), v.Kind == reading.ID && v.End-v.Start >= long:
		case v.Kind == reading.Number:
			c.readNumber(a, v, best)
		case v.Kind != reading.Word:
			c.place(&a.values[v.Kind], v, best)
		case c.isName(a, v):
			c.place(&a.names, v, best)
			a.titled++
			if c.now[fateChanged].has(v.Key) {
				a.titleKnown++
			}
		}
	}
	if a.clause.Roles&reading.RoleAll != 0 && a.count == 0 {
		a.count = 2
	}
}

// long is the length of ids that no person reads: they are redacted elsewhere.
const long = 30

// bestRecord is the record that a clause is most likely about.
func (a *assertion) bestRecord() *fact {
	for _, g := range [...]ground{inChange, inRead, inEarlier} {
		if a.best[g] != nil && a.cover[g]+a.fit[g] > 0 {
			return a.best[g]
		}
	}
	return nil
}

// isName: a capital letter inside a sentence, or a word that no list holds.
func (c *conversation) isName(a *assertion, v *reading.Value) bool {
	if !v.Has(reading.Capital) || v.End-v.Start < 2 {
		return false
	}
	if int(v.Start) > c.text.Sentences[a.clause.Sentence].Start+2 {
		return v.Entry == nil || v.Entry.Class == 0
	}
	return v.Entry == nil
}

// readNumber: a number that heads a plural says how many.
func (c *conversation) readNumber(a *assertion, v *reading.Value, best *fact) {
	if v.Has(reading.Worded) && v.Number == 1 {
		return
	}
	if v.Number >= 2 && v.Number <= 200 && !v.Has(reading.Money|reading.Percent) {
		if next := c.wordAfter(v); next != nil && (next.Form.Has(lexicon.Plural) || next.Lemma == "of") && !next.Class.Has(lexicon.Time) {
			a.count = v.Number
		}
	}
	if v.Has(reading.Worded) && a.count == 0 {
		return
	}
	c.place(&a.values[reading.Number], v, best)
}

// wordAfter is what the lexicon knows of the word after a value.
func (c *conversation) wordAfter(v *reading.Value) *lexicon.Entry {
	i := sort.Search(len(c.text.Values), func(i int) bool { return c.text.Values[i].Start > v.Start })
	if i == len(c.text.Values) {
		return nil
	}
	return c.text.Values[i].Entry
}

// place counts where a value is known.
func (c *conversation) place(m *mentions, v *reading.Value, best *fact) {
	m.all++
	if best != nil && best.known.count == 0 && best.fate == fateChanged && !best.earlier { // nothing tells what the call was about
		return
	}
	inBest := best != nil && c.holds(&best.known, v)
	rival := best != nil && best.kinds[v.Kind] > 0 && !inBest
	if rival {
		m.against++
	}
	switch {
	case c.holds(&c.now[fateChanged], v) || c.holds(&c.now[fateRead], v):
	case v.Kind == reading.ID && c.spelled(v):
		if rival {
			m.against--
		}
	case c.holds(&c.now[fateFailed], v) || c.holds(&c.now[fatePending], v):
		m.failed++
	case c.holds(&c.before, v) || c.holds(&c.answered, v):
		m.early++
	case c.holds(&c.said, v):
		m.userOnly++
	case v.Kind == reading.Number && c.computable(v.Number):
		m.derived++
	default:
		m.nowhere++
		if rival {
			m.conflict++
		}
	}
}

// spelled reports whether a successful record of this turn holds an id as a part
// of a longer word: example.com/x in example.com/x@v2.
func (c *conversation) spelled(v *reading.Value) bool {
	id := c.text.Source[v.Start:v.End]
	for i := range c.facts {
		f := &c.facts[i]
		if !f.earlier && f.record.Succeeded() && (bytes.Contains(f.record.Args, []byte(id)) || bytes.Contains(f.record.Result.Data, []byte(id))) {
			return true
		}
	}
	return false
}

// holds reports whether a set has a value, in one of the ways it may be
// written.
func (c *conversation) holds(set *keySet, v *reading.Value) bool {
	if set.has(v.Key) {
		return true
	}
	switch v.Kind {
	case reading.Number:
		return set.has(reading.KeyOf(reading.Number, v.Number*100)) && v.Has(reading.Money) || v.Has(reading.Percent) && set.has(reading.KeyOf(reading.Number, v.Number/100))
	case reading.Clock:
		return v.Number < 720 && set.has(reading.KeyOf(reading.Clock, v.Number+720)) || v.Number >= 720 && set.has(reading.KeyOf(reading.Clock, v.Number-720))
	}
	return false
}

// gatherNumbers collects the figures that are known before the text, for sums
// that it makes of them.
func (c *conversation) gatherNumbers() {
	c.numbers = c.numbers[:0]
	add := func(values []reading.Value) {
		for i := range values {
			if v := &values[i]; v.Kind == reading.Number && !v.Has(reading.Derived) && len(c.numbers) < maxNumbers {
				c.numbers = append(c.numbers, v.Number)
			}
		}
	}
	add(c.user.Values)
	add(c.figures)
	add(c.previous.Values)
}

// maxNumbers is the number of figures that sums are made of.
const maxNumbers = 24

// computable reports whether two known figures make a third, and remembers it.
func (c *conversation) computable(n float64) bool {
	near := func(x float64) bool { return math.Abs(x-n) < 0.006 || math.Abs(math.Round(x)-n) < 1e-9 && n >= 10 }
	for i, a := range c.numbers {
		for k, b := range c.numbers {
			if i == k {
				continue
			}
			if near(a+b) || near(a-b) || near(a*b) || b != 0 && near(a/b) || near(a*b/100) || near(a*(1+b/100)) || near(a*(1-b/100)) {
				if len(c.numbers) < maxNumbers {
					c.numbers = append(c.numbers, n)
				}
				return true
			}
		}
	}
	return false
}
