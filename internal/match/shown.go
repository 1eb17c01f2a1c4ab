package match

import (
	"strconv"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
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

var relationNames = [...]string{"silent", "backs", "contradicts"}

// String is the name that traces use.
func (r Relation) String() string { return relationNames[r] }

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

// Shown relates a claim to the records that are said to show it.
func (t *Turn) Shown(c *Claim, cited []int) Finding {
	records := t.counting(c, t.records(cited))
	if kind := t.kindOf(c); kind != c.Kind {
		meant := *c
		meant.Kind = kind
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

// counting are the records that can show a claim. Where the message asks for a change now,
// those of earlier turns show none.
func (t *Turn) counting(c *Claim, records []*record) []*record {
	back := c.clause != nil && c.clause.Roles&reading.RoleEarlier != 0
	if !t.words.Acting || back || c.Kind == Denied {
		return records
	}
	return keep(records, func(r *record) bool { return !r.earlier || !r.changes() })
}

// kindOf is the kind of a claim among these tools. A passive that no offered tool could have
// brought about tells how things are, and so does what "already" is so.
func (t *Turn) kindOf(c *Claim) Kind {
	if c.Kind != Did || c.clause.Actor == reading.Us {
		return c.Kind
	}
	if !t.words.Acting && !t.hasChanged() {
		return Found // the user asks how things are, and nothing was changed
	}
	switch c.clause.Shape {
	case reading.PassivePresent, reading.PassivePast:
		if c.isAlready() || !t.isOffered(c) {
			return Found
		}
	}
	return Did
}

// isAlready reports whether a claim says that something was so before.
func (c *Claim) isAlready() bool {
	for i := c.clause.From; i < c.clause.To; i++ {
		if c.text.Says(i, "already") {
			return true
		}
	}
	return c.clause.Roles&reading.RoleEarlier != 0
}

// isOffered reports whether an offered tool that changes something may do what a claim says,
// or any such tool may, by what is known of its words.
func (t *Turn) isOffered(c *Claim) bool {
	if c.acts.Overlaps(plainActs) {
		return true
	}
	for _, one := range t.tools.byName {
		if one.effect.MayChange() && (one.words[c.verb] || one.does().Overlaps(c.acts) || one.Families.Empty()) {
			return true
		}
	}
	return false
}

// Presumed relates a claim to all records, where nobody has said which show it.
func (t *Turn) Presumed(c *Claim) Finding { return t.Shown(c, t.all()) }

// shownDeed relates a claim of a change: only a change that succeeded shows it.
func (t *Turn) shownDeed(c *Claim, cited []*record) Finding {
	changes := keep(cited, (*record).changes)
	if len(changes) == 0 {
		if len(cited) == 0 {
			return Finding{}
		}
		if c.clause.Actor != reading.Us && t.tellsState(c, cited) {
			return t.shownState(c, cited)
		}
		return contradicts("act", c.Text(), "only looked something up")
	}
	if over := keep(changes, (*record).isOver); len(over) > 0 {
		return t.shownBy(c, over, cited)
	}
	if pending := keep(changes, (*record).isPending); len(pending) > 0 {
		if !c.tellsPending() {
			return contradicts("state", c.Text(), pending[0].state())
		}
		return t.shownBy(c, pending, cited)
	}
	return contradicts("outcome", c.Text(), changes[0].fate())
}

// shownBy relates a claim of a change to changes that may be it.
func (t *Turn) shownBy(c *Claim, changes, cited []*record) Finding {
	var fitting []*record
	var other Finding
	shares := c.isBare()
	for _, r := range changes {
		switch f := t.compareActs(c, r); f.Relation {
		case Contradicts:
			other = f
		case Backs:
			shares = true
			fitting = append(fitting, r)
		default:
			fitting = append(fitting, r)
		}
	}
	if len(fitting) == 0 {
		return other
	}
	if f := t.compareExtent(c, fitting); f.Relation == Contradicts {
		return f
	}
	if c.isBare() && t.words.Acting { // "It's set": what the user asked for
		if f := t.compareRequest(fitting); f.Relation == Contradicts {
			return f
		}
	}
	compared := t.compareValues(c, fitting, cited)
	if compared.Relation == Silent && shares {
		compared.Relation = Backs
	}
	return compared
}

// shownState relates a claim of how things are: whatever call told it shows it.
func (t *Turn) shownState(c *Claim, cited []*record) Finding {
	if c.Kind == Looked { // only a look shows that something was looked at
		cited = keep(cited, func(r *record) bool { return !r.changes() || r.acts().Overlaps(c.acts) })
	}
	if len(cited) == 0 {
		return Finding{}
	}
	telling := keep(cited, (*record).Succeeded)
	if len(telling) == 0 {
		telling = cited // a call that failed may tell why
	}
	if f := opposedState(c, telling); f.Relation == Contradicts {
		return f
	}
	if pending := keep(telling, (*record).isPending); len(pending) == len(telling) && !c.isHedged() && !c.tellsPending() {
		return contradicts("state", c.Text(), pending[0].state())
	}
	if changes := keep(telling, (*record).changes); len(changes) > 0 {
		if f := t.compareExtent(c, changes); f.Relation == Contradicts {
			return f
		}
	}
	compared := t.compareValues(c, telling, cited)
	if compared.Relation == Backs && t.words.Acting && c.Kind == Found && t.isAboutRequest(c) &&
		len(keep(telling, (*record).changes)) == 0 && !t.predicateIn(c, telling) && len(c.figures()) == 0 {
		return Finding{} // what was asked to be changed was only looked at
	}
	if compared.Relation != Silent {
		return compared
	}
	if !telling[0].Succeeded() && !telling[0].isPending() {
		return contradicts("outcome", c.Text(), telling[0].fate())
	}
	if c.isBare() || c.Kind == Looked && len(c.content()) <= 1 && len(keep(telling, (*record).changes)) < len(telling) {
		compared.Relation = Backs // "I looked it up again"
	}
	return compared
}

// shownFailure relates a claim that something did not work. A call that succeeded shows
// the contrary, unless what it returned tells of it.
func (t *Turn) shownFailure(c *Claim, cited []*record) Finding {
	if len(cited) == 0 {
		return Finding{}
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
		if !r.changes() || !r.isOver() || c.isBare() {
			continue
		}
		if t.compareActs(c, r).Relation == Backs && t.sharesAll(c, r) {
			return contradicts("outcome", c.Text(), "#"+strconv.Itoa(number)+" succeeded")
		}
	}
	return Finding{Relation: Backs}
}

// sharesAll reports whether a record has all that a claim names.
func (t *Turn) sharesAll(c *Claim, r *record) bool {
	named := false
	for _, v := range c.news() {
		if !r.holds(v, c.text.Source) {
			return false
		}
		named = true
	}
	for _, v := range c.content() {
		if v.Entry != nil && v.Entry.Class.Has(lexicon.Time|lexicon.Quantity|lexicon.Sequence) {
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

// handedIn are acts that are over for us once something is handed in, whoever has to go on
// with it.
var handedIn = lexicon.FamiliesOf(
	lexicon.Order, lexicon.Send, lexicon.Start, lexicon.Apply, lexicon.Escalate, lexicon.Schedule, lexicon.Register,
	lexicon.Run, lexicon.Record,
)

// tellsPending reports whether a claim leaves open whether something is over: it was handed
// in, or it waits.
func (c *Claim) tellsPending() bool {
	if c.says(reading.RoleWait | reading.RoleHold | reading.RoleLonger) {
		return true
	}
	return c.acts.Overlaps(handedIn) && c.clause.Roles&reading.RoleDone == 0
}

// state is how the result of a pending call says that it stands.
func (r *record) state() string {
	for i := range r.leaves {
		l := &r.leaves[i]
		if !l.given && isStateName(l.name) && l.text != "" && waits(l.text) {
			return l.text
		}
	}
	return "pending"
}

// fate is how a call that did not succeed ended.
func (r *record) fate() string {
	switch {
	case r.Ruling.Denied:
		return "was not allowed"
	case r.Result.Status == tooltrack.Failed:
		return "failed"
	case r.Result.Status == tooltrack.Pending:
		return "is not over"
	case r.Succeeded():
		return "is in doubt"
	}
	return "is of unknown outcome"
}

func keep(records []*record, fits func(*record) bool) (kept []*record) {
	for _, r := range records {
		if fits(r) {
			kept = append(kept, r)
		}
	}
	return kept
}

// Settles reports whether the records themselves settle a sentence, whoever cites them.
func (t *Turn) Settles(sentence string) (bool, Finding) { return t.Shows(sentence, t.all()) }

// Shows reports whether records show a sentence: none of its claims is contradicted, and
// what they are silent about needs no call, or is told beside what they show.
func (t *Turn) Shows(sentence string, cited []int) (bool, Finding) {
	claims := Read(sentence)
	var silent *Claim
	backed := false
	for i := range claims {
		claim := &claims[i]
		if claim.Kind == Other {
			continue
		}
		switch f := t.Shown(claim, cited); f.Relation {
		case Contradicts:
			return false, f
		case Backs:
			backed = backed || claim.Kind != Denied
		default:
			if silent == nil && t.NeedsCall(claim) {
				silent = claim
			}
		}
	}
	if silent != nil && !(backed && sharesWord(silent, t.records(cited))) {
		return false, Finding{Said: silent.Text()}
	}
	return true, Finding{Relation: Backs}
}

// NeedsNoCall reports whether a sentence says nothing that only a call can have brought
// about, and nothing that the records contradict.
func (t *Turn) NeedsNoCall(sentence string) (bool, Finding) {
	claims := Read(sentence)
	for i := range claims {
		claim := &claims[i]
		if claim.Kind == Other {
			continue
		}
		f := t.Presumed(claim)
		if f.Relation == Contradicts && (len(t.source) > 0 && claim.Kind != Found || claim.Kind == Denied) {
			return false, f
		}
		if f.Relation != Backs && t.NeedsCall(claim) {
			return false, Finding{Said: claim.Text()}
		}
	}
	return true, Finding{}
}
