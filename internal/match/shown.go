package match

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// Relation is how records stand to a claim. The zero value says nothing.
type Relation uint8

const (
	// Silent records have nothing to do with the claim, as far as words tell.
	Silent Relation = iota
	// Backs: they show it.
	Backs
	// Contradicts: they show something else.
	Contradicts
)

// Finding is a relation and what decided it.
type Finding struct {
	Relation Relation
	// By is the slot or the act that decided: amount, date, time, id, name, count, state,
	// act, outcome.
	By string
	// Said is what the claim says, Recorded what the records say instead; both may be empty.
	Said, Recorded string
}

func contradicts(by, said, recorded string) Finding {
	return Finding{Contradicts, by, said, recorded}
}

// contradiction is the first one that some comparisons find.
func contradiction(comparisons ...func() Finding) Finding {
	for _, compare := range comparisons {
		if f := compare(); f.Relation == Contradicts {
			return f
		}
	}
	return Finding{}
}

// Shown relates a claim to the records that are said to show it.
func (t *Turn) Shown(c *Claim, cited []int) Finding {
	records := t.counting(c, t.records(cited))
	t.spend(len(cited))
	if c.whole.dry {
		records = withoutDry(records)
	}
	if kind := t.kindOf(c); kind != c.Kind {
		meant := *c
		meant.Kind, meant.deedLike = kind, c.deedLike || c.Kind == Did
		c = &meant
	}
	switch c.Kind {
	case Did:
		return t.shownDeed(c, records)
	case Looked, Found:
		return t.shownState(c, records)
	case Failed:
		return t.shownFailure(c, records)
	case Denied:
		return t.shownDenial(c)
	case Unread:
		return t.shownUnread(c, records)
	}
	return Finding{Relation: Backs}
}

// withoutDry are records as a text may tell them that says that they only tried.
func withoutDry(records []*record) []*record {
	tried := make([]*record, len(records))
	for i, r := range records {
		one := *r
		one.dry, tried[i] = false, &one
	}
	return tried
}

// counting are the records that can show a claim. Where the message asks for a change now,
// those of earlier turns show none.
func (t *Turn) counting(c *Claim, records []*record) []*record {
	back := c.clause != nil && c.clause.Roles&reading.RoleEarlier != 0
	if c.Kind == Looked && !back { // "I've checked your list" tells of a look in this turn
		return keep(records, func(r *record) bool { return !r.earlier })
	}
	if !t.words.Acting || back || c.Kind == Denied {
		return records
	}
	return keep(records, func(r *record) bool { return !r.earlier || !r.changes() })
}

// kindOf is the kind of a claim among these tools. A passive that no offered tool could have
// brought about tells how things are, and so does what "already" is so.
func (t *Turn) kindOf(c *Claim) Kind {
	if c.Kind == Looked && t.isOwnWork(c) {
		return Did // "I've replied", among tools one of which replies
	}
	if c.Kind != Did {
		return c.Kind
	}
	asks := !t.words.Acting && !t.HasChanged() // the user asks how things are, and nothing was changed
	if c.clause.Actor == reading.Us {
		if asks && c.clause.Shape == reading.ActivePast && len(c.figures()) > 0 && t.allInReads(c) {
			return Found // "we sent the 1,150 on 1 May", which the records of the house tell
		}
		return Did
	}
	if asks {
		return Found
	}
	switch c.clause.Shape {
	case reading.PassivePresent, reading.PassivePast:
		if c.isAlready() || !t.isOffered(c) {
			return Found
		}
	case reading.Verbless, reading.Fragment: // "Bought from the grid: 3,795 kWh"
		if len(c.figures()) > 0 && !t.isOffered(c) && t.allInReads(c) {
			return Found
		}
	}
	return Did
}

// isOwnWork reports whether the verb of a claim is that of a tool which changes something, and
// of none that looks something up.
func (t *Turn) isOwnWork(c *Claim) bool {
	does := func(change bool) bool {
		return t.tools.any(func(one *tool) bool { return one.words[c.verb] && one.effect.MayChange() == change })
	}
	return does(true) && !does(false)
}

// allInReads reports whether the results of look-ups hold all figures of a claim, or come to them.
func (t *Turn) allInReads(c *Claim) bool {
	reads := keep(t.records(t.all()), func(r *record) bool { return !r.changes() && r.Succeeded() })
	return allOf(c.figures(), func(v *reading.Value) bool {
		return anyHolds(reads, v) || v.Kind == reading.Number && reckons(t, v, reads)
	})
}

// allInResults reports whether the results of calls that did not succeed hold all figures of
// a claim: they may tell why.
func allInResults(c *Claim, records []*record) bool {
	figures := c.figures()
	return len(figures) > 0 && allOf(figures, func(v *reading.Value) bool {
		return slices.ContainsFunc(records, func(r *record) bool { return hasValue(r.results, v) })
	})
}

// isIn reports whether the results of calls that did not succeed say what a claim does:
// "deposit still blocked".
func (c *Claim) isIn(records []*record) bool {
	for i := max(c.clause.Verb, c.clause.From); i < c.clause.To; i++ {
		token := &c.text.Tokens[i]
		state := i == c.clause.Verb || token.Form().Has(lexicon.Participle)
		if !state || token.Class().Has(lexicon.Auxiliary) {
			continue
		}
		key := reading.English().StemKey(c.text.Word(i))
		if slices.ContainsFunc(records, func(r *record) bool { return r.results[key] }) {
			return true
		}
	}
	return false
}

// isAlready reports whether a claim says that something was so before.
func (c *Claim) isAlready() bool {
	return c.hasWord("before", c.clause.From) || c.clause.Roles&reading.RoleEarlier != 0
}

// isOffered reports whether an offered tool that changes something may do what a claim says,
// or any such tool may, by what is known of its words.
func (t *Turn) isOffered(c *Claim) bool {
	if c.acts.Overlaps(plainActs) {
		return true
	}
	return t.tools.any(func(one *tool) bool {
		return one.effect.MayChange() && (one.words[c.verb] || one.does().Overlaps(c.acts) || one.Families.Empty())
	})
}

// shownFailure relates a claim that something did not work. A call that succeeded shows
// the contrary, unless what it returned tells of it.
func (t *Turn) shownFailure(c *Claim, cited []*record) Finding {
	if len(cited) == 0 {
		return Finding{}
	}
	over := len(keep(cited, (*record).isOver)) == len(cited)
	if c.deedLike && c.clause.Actor == reading.Other && over && !c.isIn(cited) {
		return Finding{} // "the service refused it", and no result says so
	}
	for _, r := range cited {
		if !r.isOver() || !r.changes() {
			return t.shownIn(c, cited)
		}
	}
	if f := t.compareActs(c, cited[0]); f.Relation == Backs && !cited[0].results[c.verb] {
		return contradicts("outcome", c.Text(), "succeeded")
	}
	return t.shownIn(c, cited)
}

// shownIn relates a claim to records that need share no more with it than the turn.
func (t *Turn) shownIn(c *Claim, cited []*record) Finding {
	f := t.compareValues(c, cited, cited)
	if f.Relation == Silent {
		f.Relation = Backs
	}
	return f
}

// shownDenial relates a claim that something was not done: a change of this turn that did
// it shows the contrary.
func (t *Turn) shownDenial(c *Claim) Finding {
	for number := t.earlier + 1; number <= len(t.source); number++ {
		r := t.record(number)
		if !r.changes() || !r.isOver() || c.isBare() || isBefore(c) {
			continue
		}
		same := t.compareActs(c, r).Relation == Backs || c.at >= 0 && isListed("touching", strings.ToLower(c.text.Word(c.at)))
		if same && t.sharesAll(c, r) {
			return contradicts("outcome", c.Text(), "#"+strconv.Itoa(number)+" succeeded")
		}
	}
	return Finding{Relation: Backs}
}

// isBefore reports whether a denial tells how things were before what the sentence tells next:
// "it wasn't merged yet, so I merged it".
func isBefore(c *Claim) bool {
	const most = 16 // clauses; more are a list
	return len(c.text.Clauses) <= most && slices.ContainsFunc(c.text.Clauses, func(next reading.Clause) bool {
		return next.From >= c.clause.To && next.Actor == reading.Us && !next.Negated && next.Verb >= 0 && c.at >= 0 &&
			reading.English().StemKey(c.text.Word(next.Verb)) == c.verb
	})
}

// sharesAll reports whether a record has all that a claim names.
func (t *Turn) sharesAll(c *Claim, r *record) bool {
	named := false
	for _, v := range c.news() {
		if c.text.TellsWhen(v.Start()) {
			continue // "Earlier"
		}
		if !r.holds(v) {
			return false
		}
		named = true
	}
	for _, v := range c.content() {
		when := c.text.TellsWhen(v.Start())
		if when || v.Entry != nil && v.Entry.Class.Has(lexicon.Time|lexicon.Quantity|lexicon.Sequence) {
			continue
		}
		if !r.has(v) {
			return false
		}
		named = true
	}
	return named
}

// shownUnread relates a sentence that cannot be read: values are the same in all languages.
func (t *Turn) shownUnread(c *Claim, cited []*record) Finding {
	over := keep(cited, (*record).isOver)
	if len(over) == 0 && len(cited) > 0 && c.hasWord("denying", 0) {
		return t.compareValues(c, cited, cited)
	}
	if t.words.Acting {
		over = keep(over, (*record).changes)
	}
	if len(over) == 0 {
		return Finding{}
	}
	f := t.compareValues(c, over, cited)
	if f.Relation == Silent && len(c.figures()) == 0 {
		f.Relation = Backs
	}
	return f
}

// figures are the values of a claim that are no words.
func (c *Claim) figures() (figures []*reading.Value) {
	for _, v := range c.news() {
		if v.Kind != reading.Word {
			figures = append(figures, v)
		}
	}
	return figures
}

func keep(records []*record, fits func(*record) bool) (kept []*record) {
	for _, r := range records {
		if fits(r) {
			kept = append(kept, r)
		}
	}
	return kept
}
