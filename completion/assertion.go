package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// maxAssertions is the number of clauses that are held against the records. Nothing that a person reads has more;
// beyond it, the text as a whole is in doubt.
const maxAssertions = 512

// wordPlaces are where the words of a clause are found.
type wordPlaces struct {
	unit    unit    // the entries that it names
	user    float64 // share of the words that the user used
	nowhere float64 // share of the words that are found in no record and no message
	known   float64 // share of its words in changes, in the user's words or in tools
	unmet   int     // words that the user used, and that no successful call of this turn or its tool has
}

// assertion is a clause that says how things are, held against the records of the conversation.
type assertion struct {
	clause   *reading.Clause
	first    bool // in the first sentence that states something
	last     bool
	verb     *lexicon.Entry
	verbKey  uint64
	verbRow  int // of the verb, as the terms of tools have it
	families lexicon.Families
	words    [][2]int // stems that say what it is about: their rows in known and in terms

	// fit is how well the best record of each kind does what the verb says: 1 by
	// its verb, less by other words. cover is the share of the words that it holds.
	fit, cover [numFates]float64
	best       [numFates]*fact
	wordPlaces
	unmade     float64 // fit of an offered tool that changes and was not called
	opposite   bool    // a change did the opposite
	asked      bool    // the user used the verb, or one of its family
	values     [reading.Clock + 1]mentions
	total      mentions                // of all kinds
	count      float64                 // how many things it says were done; 0 if it does not say
	uncounted  bool                    // no change of this turn holds that number
	entry      bool                    // of a list that is introduced as the user's own things
	nth        int                     // which report of a change it is, from 1; 0 for none
	over       int                     // the same, beyond the changes that were made
	unseen     bool                    // "I double-checked", and nothing was read
	waits      bool                    // a clause just after it says that something is not over, or did not work
	looksBack  bool                    // tells of something earlier, and there is something
	doubt      float64                 // how likely it is false, by itself
	near       nearness                // of its words
	wording    float32                 // what its phrases say, in log odds that it is false
	explained  uint64                  // figures that follow from one of the record, by their place among its values
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
			yours = c.text.Word(sentence.To-1) == ":" && c.text.Yours(sentence.From-1, sentence.To)
		}
		entry := yours && sentence.Place == reading.Item
		waits := clause.Shape == reading.Verbless && i == sentence.First && c.text.Awaits(sentence) // "Awaiting your OK."
		if waits || !c.text.Asserts(clause, sentence) && !(entry && clause.Mood == reading.Ordered) {
			continue
		}
		if len(c.assertions) == maxAssertions {
			break
		}
		c.assertions = append(c.assertions, assertion{
			clause: clause,
			entry:  entry,
			last:   clause.Sentence >= len(c.text.Sentences)-1,
			waits:  i+1 < len(c.text.Clauses) && c.text.Clauses[i+1].Unfinished(),
		})
		c.assertions[len(c.assertions)-1].first = clause.Sentence == c.assertions[0].clause.Sentence
	}
}

// groundAll holds the assertions against the records, counts reports of changes, and finds the
// lines that name no entry where most lines do.
func (c *conversation) groundAll() {
	reports, lines, named := 0, 0, 0
	for i := range c.assertions {
		a := &c.assertions[i]
		c.ground(a)
		if a.told() && a.changing() {
			reports++
			a.nth, a.over = reports, reports-c.sum.changed
		}
		lines += int(is(a.unit.line))
		named += int(is(a.unit.line && a.unit.anchor >= 0.5))
	}
	for i := range c.assertions {
		u := &c.assertions[i].unit
		u.lone = u.line && u.anchor == 0 && 2*named > lines
	}
}

// claimsNothing reports whether a text claims nothing: nothing was called, no clause tells of an act, of a state
// that has come about or of a failure, and it asks the user, or talks of something else.
func (c *conversation) claimsNothing() bool {
	asks := c.signals.asks >= 0
	if c.calls() > 0 || len(c.assertions) == 0 && !asks {
		return false
	}
	if strings.EqualFold(strings.TrimSpace(c.turn.Text), strings.TrimSpace(c.turn.User)) { // "Bonsoir !" "Bonsoir !"
		return !slices.ContainsFunc(c.assertions, func(a assertion) bool { return a.ours() })
	}
	known := func(v reading.Value) bool {
		return v.Kind != reading.Word || c.known.Of(v.Key)&(1<<ofUser) != 0 || c.namesTool(v.Key, false)
	}
	if !asks {
		c.text.ReadValues()
	}
	return !slices.ContainsFunc(c.assertions, func(a assertion) bool {
		k := a.clause
		listed := k.Shape == reading.Fragment && reading.OnlyLooks(c.text.Tokens[k.Verb].Families()) // the title "Read book"
		return a.told() && !listed || k.Roles&(turned|fails) != 0 ||
			!asks && (k.Verb >= 0 || slices.ContainsFunc(c.text.ValuesIn(k), known))
	})
}

// ours: "I moved it", "we have moved it".
func (a *assertion) ours() bool {
	return a.clause.Shape.In(reading.Deeds) && a.clause.Actor == reading.Us && !a.clause.Negated
}

// told reports whether a clause tells of an act as done, by us or by nobody in
// particular: "it was moved", "Moved to Friday".
func (a *assertion) told() bool {
	k := a.clause
	return a.ours() || !k.Negated && k.Actor != reading.You &&
		(k.Shape == reading.Fragment || k.Shape.In(reading.Passives) && k.Actor != reading.Other)
}

// ground looks for the records behind an assertion.
func (c *conversation) ground(a *assertion) {
	c.readVerb(a)
	c.readWords(a)
	c.match(a)
	c.matchTools(a)
	a.near = c.near(c.text.Tokens[a.clause.From:a.clause.To])
	c.readMentions(a)
	a.unit = c.unitOf(a.clause)
}

func (c *conversation) readVerb(a *assertion) {
	if a.clause.Verb < 0 {
		return
	}
	isWord := func(token lexicon.Token) bool { return token.IsWord() }
	a.objectless = !slices.ContainsFunc(c.text.Tokens[a.clause.Verb+1:a.clause.To], isWord)
	token := &c.text.Tokens[a.clause.Verb]
	a.verb, a.verbRow = token.Entry, c.terms.Row(a.verbKey)
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
	a.unseen = a.ours() && c.text.Roles[a.clause.Verb]&(reading.RoleLook|reading.RoleVerify) != 0 && c.sum.read == 0
}

// nominal is the act that a clause with a light verb names: "I've requested an
// exchange", "your return has been processed".
func (c *conversation) nominal(k *reading.Clause) lexicon.Families {
	from, to := k.Verb+1, k.To
	if !k.Shape.In(reading.Deeds) {
		from, to = k.From, k.Verb
	}
	for i := from; i < to; i++ {
		if token := &c.text.Tokens[i]; token.Form().Has(lexicon.Noun|lexicon.Plural) && !token.Families().Empty() {
			return token.Families()
		}
	}
	return lexicon.Families{}
}

// asksFor reports whether the user asks for what the verb tells.
func (c *conversation) asksFor(a *assertion) bool {
	if a.verb == nil {
		return c.known.Of(a.verbKey)&(1<<ofUser) != 0
	}
	return slices.ContainsFunc(c.acts, func(entry *lexicon.Entry) bool {
		return entry.ID == a.verb.ID || entry.Families.Overlaps(a.families)
	})
}

// readWords collects the stems of a clause but for its verb.
func (c *conversation) readWords(a *assertion) {
	from := len(c.words)
	clear(c.holding)
	verb := int32(-1)
	if a.clause.Verb >= 0 {
		verb = c.text.Tokens[a.clause.Verb].Start
	}
	const known = 1<<ofUser | 1<<fateChanged
	const anywhere = 1<<fateChanged | 1<<fateRead | 1<<fateFailed | 1<<fateEarlier | 1<<ofUser | 1<<ofAnswer
	for _, v := range c.text.ValuesIn(a.clause) {
		ahead := a.ours() && int32(v.Start()) < verb // "I went ahead and booked it"
		if int32(v.Start()) == verb || ahead || !v.IsContent() {
			continue
		}
		row, terms := c.known.Row(v.Key), c.terms.Row(v.Key)
		c.words = append(c.words, [2]int{row, terms})
		c.known.AddTo(c.holding, row)
		in, offered := c.known.Shared(row), c.terms.In(terms, ofOffered)
		a.user += is(in&(1<<ofUser) != 0)
		a.known += is(in&known != 0 || offered)
		a.nowhere += is(in&anywhere == 0 && !offered)
		a.unmet += int(is(c.isUnmet(v.Key)))
	}
	a.words = c.words[from:]
	a.looksBack = a.clause.Roles&reading.RoleEarlier != 0 &&
		(c.sum.changedBefore+c.sum.readBefore+c.sum.failedBefore > 0 || c.sum.read > 0 && !a.ours())
	for _, share := range [...]*float64{&a.user, &a.nowhere, &a.known} {
		*share /= max(1, float64(len(a.words)))
	}
}

// acted reports whether a tool that was called with success has a word in its name or description.
func (c *conversation) acted(word int) bool {
	return slices.ContainsFunc(c.used, func(t *toolFacts) bool {
		return t.called > 0 && (c.terms.In(word, t.words) || c.terms.In(word, t.words+1))
	})
}

// match finds the best record on each ground.
func (c *conversation) match(a *assertion) {
	verb := c.known.Row(a.verbKey)
	var top [numFates]float64 // how good the best one is
	for _, t := range c.used {
		t.fit, t.cover = c.fits(a, t), c.coveredBy(a, t, nil)
	}
	for i := range c.facts {
		f := &c.facts[i]
		g, fit, cover := f.ground(), f.tool.fit, f.tool.cover
		if fit < 0.5 && c.known.In(verb, f.itself) { // "status": "cancelled"
			fit = 0.5
		}
		switch {
		case c.holding.Has(f.itself):
			cover = c.coveredBy(a, f.tool, f)
		case !f.says && f.fate == fateChanged && len(a.words) > 0: // a record that says nothing of its subject
			cover = 0.6
		}
		a.fit[g] = max(a.fit[g], fit)
		if a.best[g] == nil || cover+fit/2 > top[g] {
			a.best[g], a.cover[g], top[g] = f, cover, cover+f.tool.fit/2
		}
	}
}

// coveredBy is the share of the words that a tool holds, or a record of it, if one is given.
func (c *conversation) coveredBy(a *assertion, t *toolFacts, f *fact) float64 {
	n := 0.0
	for _, row := range a.words {
		switch {
		case f != nil && c.known.In(row[0], f.itself):
			n++
		case c.terms.In(row[1], t.words):
			n += 0.8
		case c.terms.In(row[1], t.words+1):
			n += 0.5
		}
	}
	return n / max(1, float64(len(a.words)))
}

// fits is how well a tool does what the verb says.
func (c *conversation) fits(a *assertion, t *toolFacts) float64 {
	switch {
	case a.clause.Verb < 0:
		return 0
	case t.verbKey != 0 && t.verbKey == a.verbKey:
		return 1
	case t.Families.Overlaps(a.families):
		return 0.9
	case c.terms.In(a.verbRow, t.words):
		return 0.8
	case c.terms.In(a.verbRow, t.words+1):
		return 0.7
	}
	return 0
}

// matchTools looks for an offered tool that would do what the verb says, and was not called.
func (c *conversation) matchTools(a *assertion) {
	for i := range c.tools {
		t := &c.tools[i]
		about := func(row [2]int) bool { return c.terms.In(row[1], t.words) }
		if fit := c.fits(a, t); t.changes && t.called == 0 && fit > 0 {
			a.unmade = max(a.unmade, fit+0.25*is(slices.ContainsFunc(a.words, about)))
		}
		a.opposite = a.opposite || t.changes && t.called > 0 && t.Opposites.Overlaps(a.families)
	}
}
