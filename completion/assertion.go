package completion

import (
	"slices"

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
	first    bool // in the first sentence that states something
	last     bool
	verb     *lexicon.Entry
	verbKey  uint64
	families lexicon.Families
	words    []uint64 // stems that say what it is about

	// fit is how well the best record of each kind does what the verb says: 1 by
	// its verb, less by other words. cover is the share of the words that it holds.
	fit, cover [numFates]float64
	best       [numFates]*fact
	unmade     float64 // fit of an offered tool that changes and was not called
	opposite   bool    // a change did the opposite
	user       float64 // share of the words that the user used
	nowhere    float64 // share of the words that are found in no record and no message
	unmet      int     // words that the user used, and that no successful call of this turn or its tool has
	asked      bool    // the user used the verb, or one of its family
	values     [reading.Clock + 1]mentions
	total      mentions                // of all kinds
	count      float64                 // how many things it says were done; 0 if it does not say
	entry      bool                    // of a list that is introduced as the user's own things
	nth        int                     // which report of a change it is, from 1; 0 for none
	known      float64                 // share of its words in changes, in the user's words or in tools
	waits      bool                    // a clause just after it says that something is not over, or did not work
	looksBack  bool                    // tells of something earlier, and there is something
	doubt      float64                 // how likely it is false, by itself
	near       nearness                // of its words
	objectless bool                    // ends with its verb: "the details I sent"
	swapped    [reading.Clock + 1]bool // values of no record, where the best change has another one that is not told
}

// assert makes an assertion of each clause that states something.
func (c *conversation) assert() {
	c.assertions, c.words = c.assertions[:0], c.words[:0]
	yours := false
	for i := range c.text.Clauses {
		clause := &c.text.Clauses[i]
		sentence := &c.text.Sentences[clause.Sentence]
		if sentence.Place != reading.Item { // "Your tasks:" presents the user's own things
			yours = c.text.Word(sentence.To-1) == ":" && c.yours(sentence.From-1, sentence.To)
		}
		entry := yours && sentence.Place == reading.Item
		if !asserts(&c.text, clause, sentence) && !(entry && clause.Mood == reading.Ordered) {
			continue
		}
		if len(c.assertions) == maxAssertions {
			break
		}
		c.assertions = append(c.assertions, assertion{
			clause: clause,
			entry:  entry,
			last:   clause.Sentence >= len(c.text.Sentences)-1,
			waits:  i+1 < len(c.text.Clauses) && unfinished(&c.text.Clauses[i+1]),
		})
		c.assertions[len(c.assertions)-1].first = clause.Sentence == c.assertions[0].clause.Sentence
	}
	if c.quiet = c.claimsNothing(); c.quiet {
		c.assertions = c.assertions[:0]
	} else {
		c.wished = c.near(c.user.Tokens)
	}
	reports := 0
	for i := range c.assertions {
		a := &c.assertions[i]
		c.ground(a)
		if a.told() && a.changing() {
			reports++
			a.nth = reports
		}
	}
}

// claimsNothing reports whether a text claims nothing: nothing was called, no clause
// tells of an act, of a state that has come about or of a failure, and it asks the
// user or talks of something else.
func (c *conversation) claimsNothing() bool {
	known := func(v reading.Value) bool {
		return v.Kind != reading.Word || c.said.has(v.Key) ||
			slices.ContainsFunc(c.tools, func(t toolFacts) bool { return t.names.has(v.Key) })
	}
	asks := c.signals.asks >= 0
	if c.calls() > 0 || len(c.assertions) == 0 && !asks {
		return false
	}
	return !slices.ContainsFunc(c.assertions, func(a assertion) bool {
		k := a.clause
		values := c.text.Values[k.FirstValue:k.LastValue]
		talks := k.Verb < 0 && !slices.ContainsFunc(values, known)                          // "What a lovely day"
		listed := k.Shape == reading.Fragment && onlyRead(c.text.Tokens[k.Verb].Families()) // the title "Read book"
		return a.told() && !listed || k.Roles&(turned|fails) != 0 || !asks && !talks
	})
}

// unfinished reports whether a clause says that something is not done, cannot be
// done or did not work, or not yet.
func unfinished(k *reading.Clause) bool {
	return k.Negated || k.Roles&(fails|reading.RoleUnable|reading.RoleWait) != 0 || k.Mood == reading.Conditional
}

// asserts reports whether a clause states how things are, or says that
// something could not be done.
func asserts(t *reading.Text, clause *reading.Clause, sentence *reading.Sentence) bool {
	if sentence.Quoted {
		return false
	}
	switch clause.Mood {
	case reading.Stated, reading.Presupposed:
		return (clause.Shape != reading.Bare || clause.Negated) && !depends(t, clause, sentence)
	case reading.Possible:
		return clause.Negated
	case reading.Future:
		return clause.Roles&reading.RoleLonger != 0
	}
	return false
}

// depends reports whether a clause is a part of another one and states nothing
// by itself: "I can help | you change it", "to get | started", "the orders |
// linked to your account", "the address | you gave".
func depends(t *reading.Text, clause *reading.Clause, sentence *reading.Sentence) bool {
	if clause.Verb < 0 {
		return false
	}
	if clause.Actor == reading.You && t.Roles[clause.Verb]&(reading.RoleReport|reading.RoleWant) != 0 {
		return true
	}
	if clause.From == sentence.From {
		return false
	}
	before := t.Roles[clause.From-1]
	if sentence.Asking && before&(reading.RoleModal|reading.RoleWill) != 0 { // "Should | I set it?"
		return true
	}
	switch clause.Shape {
	case reading.Present:
		return before&(reading.RoleClosing|reading.RoleLet) != 0
	case reading.Fragment, reading.ActivePast:
		const apart = 5 // words between "get" and what is got done
		for i := clause.Verb - 1; i >= max(sentence.From, clause.Verb-apart); i-- {
			if t.Roles[i]&reading.RoleGet != 0 && t.Tokens[i].Form().Has(lexicon.Base) {
				return true
			}
		}
		begins := clause.Shape == reading.Fragment && clause.Verb == clause.From
		return begins && t.Tokens[clause.From-1].Form().Has(lexicon.Noun|lexicon.Plural)
	}
	return false
}

// ours: "I moved it", "we have moved it".
func (a *assertion) ours() bool {
	active := a.clause.Shape == reading.ActivePerfect || a.clause.Shape == reading.ActivePast
	return active && a.clause.Actor == reading.Us && !a.clause.Negated
}

// told reports whether a clause tells of an act as done, by us or by nobody in
// particular: "it was moved", "Moved to Friday".
func (a *assertion) told() bool {
	if a.clause.Negated || a.clause.Actor == reading.You {
		return false
	}
	switch a.clause.Shape {
	case reading.Fragment:
		return true
	case reading.PassivePerfect, reading.PassivePast, reading.PassivePresent:
		return a.clause.Actor != reading.Other
	}
	return a.ours()
}

// ground looks for the records behind an assertion.
func (c *conversation) ground(a *assertion) {
	c.readVerb(a)
	c.readWords(a)
	c.match(a)
	c.matchTools(a)
	a.near = c.near(c.text.Tokens[a.clause.From:a.clause.To])
	c.readMentions(a)
}

func (c *conversation) readVerb(a *assertion) {
	if a.clause.Verb < 0 {
		return
	}
	a.objectless = true
	for i := a.clause.Verb + 1; i < a.clause.To; i++ {
		a.objectless = a.objectless && !c.text.Tokens[i].IsWord()
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
	if a.verb != nil && c.language.NameWord(a.verb.Lemma).Light {
		a.families = a.families.Union(c.nominal(a.clause))
	}
	a.asked = c.asksFor(a)
}

// nominal is the act that a clause with a light verb names: "I've requested an
// exchange", "your return has been processed".
func (c *conversation) nominal(k *reading.Clause) lexicon.Families {
	from, to := k.Verb+1, k.To
	if k.Shape != reading.ActivePerfect && k.Shape != reading.ActivePast {
		from, to = k.From, k.Verb
	}
	for i := from; i < to; i++ {
		entry := c.text.Tokens[i].Entry
		if entry != nil && entry.Form.Has(lexicon.Noun|lexicon.Plural) && !entry.Families.Empty() {
			return entry.Families
		}
	}
	return lexicon.Families{}
}

// asksFor reports whether the user asks for what the verb tells.
func (c *conversation) asksFor(a *assertion) bool {
	if a.verb == nil {
		return c.said.has(a.verbKey)
	}
	return slices.ContainsFunc(c.user.Tokens, func(token lexicon.Token) bool {
		entry := token.Entry
		return entry != nil && entry.Form.Has(lexicon.Base|lexicon.Gerund) &&
			(entry.ID == a.verb.ID || entry.Families.Overlaps(a.families))
	})
}

// readWords collects the stems of a clause but for its verb.
func (c *conversation) readWords(a *assertion) {
	from := len(c.words)
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
		said := c.said.has(v.Key)
		a.user += is(said)
		a.known += is(said || c.now[fateChanged].has(v.Key) || c.offered.has(v.Key))
		now := c.now[fateChanged].has(v.Key) || c.now[fateRead].has(v.Key)
		told := said || c.answered.has(v.Key) || c.offered.has(v.Key)
		a.nowhere += is(!told && !now && !c.before.has(v.Key) && !c.now[fateFailed].has(v.Key))
		a.unmet += int(is(said && !now && !c.acts.has(v.Key)))
	}
	a.words = c.words[from:]
	a.looksBack = a.clause.Roles&reading.RoleEarlier != 0 &&
		(c.sum.changedBefore+c.sum.readBefore+c.sum.failedBefore > 0 || c.sum.read > 0 && !a.ours())
	for _, share := range [...]*float64{&a.user, &a.nowhere, &a.known} {
		*share /= max(1, float64(len(a.words)))
	}
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
		a.fit[g] = max(a.fit[g], fit)
		if a.best[g] == nil || cover+fit/2 > a.cover[g]+a.fits(a.best[g].tool)/2 {
			a.best[g], a.cover[g] = f, cover
		}
	}
}

// coveredBy is the share of the words that a record or its tool holds.
func (a *assertion) coveredBy(f *fact) float64 {
	if len(a.words) == 0 {
		return 0
	}
	if f.known.Len() == 0 && f.fate == fateChanged { // a record that says nothing of its subject
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
			if slices.ContainsFunc(a.words, t.names.has) {
				fit += 0.25
			}
			a.unmade = max(a.unmade, fit)
		}
		a.opposite = a.opposite || t.called > 0 && t.Opposites.Overlaps(a.families)
	}
}
