package match

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// IsPlain reports whether a claim says no more than that the one change of a turn did what
// the user asked for: its act is the tool's own, its other words are the user's, and the
// call names its target by an id, which no word can contradict. Most tools take ids, so that
// without this nearly every plain report would be asked about.
func (t *Turn) IsPlain(claim string) bool {
	change := t.onlyChange()
	if change == nil {
		return false
	}
	if change.isPending() {
		return t.IsBegun(claim)
	}
	if !change.isOver() {
		return false
	}
	names := func(v reading.Value) bool { return v.IsContent() && !v.Has(reading.Derived) }
	if slices.ContainsFunc(change.leaves, func(l leaf) bool { return l.given && slices.ContainsFunc(l.values, names) }) {
		return false // the call says itself what it was about
	}
	told := Read(claim)
	for i := range told {
		c := &told[i]
		if c.Kind != Did && c.Kind != Found || c.vague || !c.acts.Overlaps(change.made()) {
			return false
		}
		if c.clause.Roles&reading.RoleAll != 0 {
			return false
		}
		h := &held{Claim: c, turn: t, calls: []*record{change}, did: true}
		if f := h.compare(); f.Relation != Backs {
			return false
		}
		if !t.isKnown(c, change) {
			return false
		}
	}
	return len(told) > 0
}

// isKnown reports whether all that a claim names stands in a call or in the user's message.
func (t *Turn) isKnown(c *Claim, change *record) bool {
	ids, others := 0, 0
	for i := range c.values {
		v := &c.values[i]
		if v.Has(reading.Derived|reading.Merged) || v.Kind == reading.Word && !v.IsContent() {
			continue
		}
		held := change.has(v)
		switch {
		case v.Kind == reading.ID && held:
			ids++
		case v.Kind == reading.ID:
			others++
		}
		if !held && !t.isAsked(v) && !(v.Entry != nil && v.Entry.Families.Overlaps(c.acts)) {
			return false
		}
	}
	return ids == 0 || others == 0 // "HB7455 and HB7456 are cancelled", and one of them was
}

// onlyChange is the one change that was tried in this turn; nil if there are none or several.
func (t *Turn) onlyChange() *record {
	var change *record
	for number := t.earlier + 1; number <= len(t.source); number++ {
		r := t.record(number)
		if !r.changes() {
			continue
		}
		if change != nil {
			return nil
		}
		change = r
	}
	return change
}

// IsBegun reports whether a text says no more than that the one change of the turn, which is
// not over, was begun or goes on.
func (t *Turn) IsBegun(text string) bool {
	change, claims := t.onlyChange(), t.claimsOf(text)
	if change == nil || !change.isPending() {
		return false
	}
	for i := range claims {
		c := &claims[i]
		if c.Kind == Other || c.Kind == Denied {
			continue
		}
		if c.Kind == Unread || !c.tellsPending() {
			return false
		}
		for _, v := range c.news() {
			if !change.holds(v) && !t.isAsked(v) {
				return false
			}
		}
	}
	return len(claims) > 0
}

// IsRecalled reports whether a claim says no more than what one change of an earlier turn
// shows: its act is the tool's own, and all that it names stands in that call.
func (t *Turn) IsRecalled(claim string) bool {
	told := t.claimsOf(claim)
	did := func(r *record) bool { return r.earlier && t.didAll(told, r) }
	all := func(c Claim) bool { return c.Kind == Unread || c.clause.Roles&reading.RoleAll != 0 }
	return len(told) > 0 && !slices.ContainsFunc(told, all) && slices.ContainsFunc(t.records(t.all()), did)
}

// Contradicted reports whether a call that is taken to show a claim says otherwise: who
// cited it would be refused.
func (t *Turn) Contradicted(claim string, by *tooltrack.Record) bool {
	number := slices.Index(t.source, by) + 1
	_, f := t.Shows(claim, []int{number})
	if number == 0 || f.Relation != Contradicts || f.By == "act" {
		return false
	}
	settled, _ := t.Settles(claim) // of several it may be the sum
	return !settled
}

// MayBeWords reports whether a claim may be a piece of the words that a message asks for.
// What something is and how it works, nobody explains by what they themselves have done.
func MayBeWords(claim, user string) bool {
	switch reading.WantedOf(user) {
	case reading.Report, reading.Reckoned:
		return false
	case reading.Explained:
		ours := func(c Claim) bool { return c.clause != nil && c.clause.Actor == reading.Us }
		return !slices.ContainsFunc(Read(claim), ours)
	}
	return true
}

// IsTooEarly reports whether a sentence tells as over what is not.
func (t *Turn) IsTooEarly(sentence string) bool {
	_, f := t.Settles(sentence)
	return f.Relation == Contradicts && (f.By == "state" || f.By == "outcome")
}

// Disowns reports whether all that a sentence claims is that something was not done, and a change
// of this turn did it, or it says so of everything.
func (t *Turn) Disowns(sentence string) bool {
	did := func(c Claim) bool {
		return (c.Kind == Denied || c.Kind == Failed) && slices.ContainsFunc(t.records(t.all()), func(r *record) bool {
			return !r.earlier && r.changes() && r.isOver() && t.actOf(&c, r).Relation == Backs &&
				(len(c.news()) == 0 || t.sharesAll(&c, r))
		})
	}
	return Denies(sentence) &&
		(slices.ContainsFunc(t.claimsOf(sentence), did) || reading.English().ReadClauses(nil, sentence).NothingDone())
}
