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
	// act, outcome. A silent finding with one lacks something of what the claim says.
	By string
	// Said is what the claim says, Recorded what the records say instead; both may be empty.
	Said, Recorded string
}

// What records say instead of a claim: that calls did not work, or have nothing in the place of a value.
const (
	HasFailed  = "failed"
	NotAllowed = "was not allowed"
	Nothing    = "nothing of it"
)

func contradicts(by, said, recorded string) Finding {
	return Finding{Contradicts, by, said, recorded}
}

// lacks is a finding that decides nothing but that records do not show a claim.
func lacks(by, said string) Finding { return Finding{By: by, Said: said} }

// held is a claim, held against the calls that are cited for it.
type held struct {
	*Claim
	turn *Turn
	// cited are the calls that can show such a claim at all, and calls those of them that may
	// be the one: changes that did the act, look-ups that succeeded.
	cited, calls []*record
	values       []told
	did          bool // one of the calls did the act
}

// relate relates a claim to the calls that are said to show it.
func (t *Turn) relate(c *Claim, numbers []int) Finding {
	t.spend(len(numbers))
	h := &held{Claim: t.meant(c), turn: t}
	h.cited = h.counting(t.records(numbers))
	switch {
	case h.Kind == Other:
		return Finding{Relation: Backs}
	case h.Kind == Denied:
		return h.denied()
	case len(h.cited) == 0:
		return Finding{}
	case h.Kind == Unread:
		return h.unread()
	case h.Kind == Failed:
		return h.failed()
	case h.Kind == Did:
		return h.deed()
	}
	return h.state()
}

// counting are the records that can show a claim. Where the message asks for a change now,
// those of earlier turns show none.
func (h *held) counting(records []*record) []*record {
	if h.whole.dry {
		records = withoutDry(records)
	}
	back := h.clause != nil && h.clause.Roles&reading.RoleEarlier != 0
	if h.Kind == Looked && !back { // "I've checked your list" tells of a look in this turn
		return keep(records, func(r *record) bool { return !r.earlier && (!r.changes() || r.acts().Overlaps(h.acts)) })
	}
	if !h.turn.words.Acting || back || h.Kind == Denied {
		return records
	}
	return keep(records, func(r *record) bool { return !r.earlier || !r.changes() })
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

// meant is a claim as it is meant among these tools. A passive that no offered tool could have
// brought about tells how things are, and so does what "already" is so.
func (t *Turn) meant(c *Claim) *Claim {
	if c.Kind != Did || t.meansDeed(c) {
		return c
	}
	meant := *c
	meant.Kind, meant.deedLike = Found, true
	return &meant
}

// meansDeed reports whether a claim that tells of something done tells of a deed of ours.
func (t *Turn) meansDeed(c *Claim) bool {
	asks := !t.words.Acting && !t.HasChanged() // the user asks how things are, and nothing was changed
	if c.clause.Actor == reading.Us {
		past := c.clause.Shape == reading.ActivePast && len(c.figures()) > 0
		return !asks || !past || !t.allInReads(c) // "we sent the 1,150 on 1 May", which the house's records tell
	}
	if asks {
		return false
	}
	switch c.clause.Shape {
	case reading.PassivePresent, reading.PassivePast:
		return !c.hasWord("before", c.clause.From) && c.clause.Roles&reading.RoleEarlier == 0 && t.isOffered(c)
	case reading.Verbless, reading.Fragment: // "Bought from the grid: 3,795 kWh"
		return len(c.figures()) == 0 || t.isOffered(c) || !t.allInReads(c)
	}
	return true
}

// isOffered reports whether an offered tool that changes something may do what a claim says,
// or any such tool may, by what is known of its words.
func (t *Turn) isOffered(c *Claim) bool {
	return c.acts.Overlaps(plainActs) || t.tools.any(func(one *tool) bool {
		return one.effect.MayChange() && (one.words[c.verb] || one.does().Overlaps(c.acts) || one.Families.Empty())
	})
}

// allInReads reports whether the results of look-ups hold all figures of a claim, or come to them.
func (t *Turn) allInReads(c *Claim) bool {
	reads := keep(t.records(t.all()), func(r *record) bool { return !r.changes() && r.Succeeded() })
	return allOf(c.figures(), func(v *reading.Value) bool {
		return anyHolds(reads, v) || v.Kind == reading.Number && reckons(t, v, reads)
	})
}

// deed relates a claim of a change: only a change that succeeded shows it.
func (h *held) deed() Finding {
	for _, r := range h.cited {
		if r.Succeeded() && strings.Contains(h.text.Source, r.Tool) {
			return Finding{Relation: Backs, By: "act"} // "I called get_order"
		}
	}
	changes := keep(h.cited, (*record).changes)
	if len(changes) == 0 {
		return h.looked()
	}
	if h.calls = keep(changes, (*record).isOver); len(h.calls) == 0 {
		if f := h.unfinished(changes); f.Relation != Silent {
			return f
		}
	}
	if f := h.compareActs(); f != (Finding{}) {
		return f
	}
	return h.compare()
}

// looked relates a claim of a change to calls that only looked something up. They show what
// others did, and what was run: "I ran the tests", by run_tests, which changes nothing.
func (h *held) looked() Finding {
	ran := keep(h.cited, func(r *record) bool {
		named := r.tool != nil && !r.tool.polls && r.tool.Verb.Text != ""
		return named && reading.English().StemKey(r.tool.Verb.Text) == h.verb
	})
	if len(ran) > 0 {
		h.cited = ran
		return h.state()
	}
	if h.clause.Actor != reading.Us && h.tellsState(h.cited) && idsHeld(h) {
		return h.state()
	}
	return contradicts("act", h.Text(), "only looked something up")
}

// idsHeld reports whether the cited records hold all ids of a claim.
func idsHeld(h *held) bool {
	return allOf(h.news(), func(v *reading.Value) bool {
		isID := strings.ContainsAny(v.String(), "0123456789") && v.Kind != reading.Date
		return !isID || anyHolds(h.cited, v)
	})
}

// unfinished relates a claim to calls none of which did its work: it may tell that they wait, or
// that and why they did not work.
func (h *held) unfinished(calls []*record) Finding {
	h.calls = calls
	if pending := keep(calls, (*record).isPending); len(pending) > 0 {
		h.calls = pending
		return h.waiting(pending)
	}
	if h.clause.Roles&reading.RoleAttempt != 0 || h.tellsReason(calls) || h.Kind != Did && h.isIn(calls) {
		return Finding{Relation: Backs, By: "outcome"} // "I tried", "DHL's counter turned it away"
	}
	return contradicts("outcome", h.Text(), calls[0].fate())
}

// waiting relates a claim to calls that are not over: they show that something goes on, and nothing
// more.
func (h *held) waiting(calls []*record) Finding {
	state := calls[0].state()
	handled := h.says(reading.RoleWait|reading.RoleHold) || strings.Contains(h.Text(), " being ")
	runs := h.clause.Shape == reading.Progressive && h.clause.Actor == reading.Other && !handled
	switch {
	case runs && isListed("unbegun", strings.ToLower(state)):
		return contradicts("state", h.Text(), state)
	case h.promises():
		return Finding{}
	case h.tellsPending() || h.isHedged() || h.isBare() && h.Kind != Did:
		return Finding{}
	case h.Kind == Did || h.deedLike:
		return contradicts("state", h.Text(), state)
	}
	return lacks("state", h.Text())
}

// promises reports whether a claim tells no more than what calls that are not over have returned:
// "they answer by noon".
func (h *held) promises() bool {
	figures := h.figures()
	return h.Kind != Did && !h.deedLike && len(figures) > 0 && allOf(figures, func(v *reading.Value) bool {
		return slices.ContainsFunc(h.calls, func(r *record) bool { return hasValue(r.results, v) })
	})
}

// tellsReason reports whether a claim tells of something else than us what calls that did not succeed
// say themselves: "the child lock is on for that window".
func (h *held) tellsReason(failed []*record) bool {
	if h.clause.Actor == reading.Us {
		return false
	}
	if h.tellsRefusal() || h.Kind != Did && hasPhrase("obliging", h.Text()) {
		return true
	}
	if h.whole.open == nil {
		open := LeavesOpen(h.text.Source)
		h.whole.open = &open
	}
	return *h.whole.open && slices.ContainsFunc(append(h.content(), h.figures()...), func(v *reading.Value) bool {
		return !h.turn.isAsked(v) && slices.ContainsFunc(failed, func(r *record) bool {
			return r.results[v.Key] && !r.given[v.Key] && !r.words[v.Key]
		})
	})
}

// state relates a claim of how things are: whatever call told it shows it.
func (h *held) state() Finding {
	h.calls = keep(h.cited, func(r *record) bool { return r.Succeeded() && !(r.dry && r.changes()) })
	if h.tellsReason(keep(h.cited, (*record).isFailed)) {
		return Finding{Relation: Backs, By: "outcome"}
	}
	if f := h.standing(); f != (Finding{}) {
		return f
	}
	if h.deedLike && len(keep(h.calls, (*record).changes)) == len(h.calls) {
		if f := h.compareActs(); f.Relation == Contradicts {
			return f // who has seats on hold has not bought them
		}
	}
	h.did = h.did || slices.ContainsFunc(h.calls, func(r *record) bool {
		return r.changes() && r.isOver() && h.turn.actOf(h.Claim, r).Relation == Backs
	})
	f := h.compare()
	switch {
	case f.Relation == Contradicts || !h.isUntold():
	case h.deedLike && h.turn.words.Acting:
		return contradicts("act", h.word(), "only looked something up")
	case f.Relation == Backs:
		return Finding{}
	}
	return f
}

// standing relates a claim of how things are to how the calls stand: none may have worked, or some may
// not be over.
func (h *held) standing() Finding {
	undone, pending := keep(h.cited, (*record).isUndone), keep(h.cited, (*record).isPending)
	waits := keep(h.calls, func(r *record) bool { return r.waits && (h.deedLike || r.changes()) })
	switch {
	case len(pending) > 0 && h.tellsPending():
		h.did, h.calls = true, keep(h.cited, func(r *record) bool { return r.Succeeded() || r.isPending() })
		return h.waiting(pending)
	case len(h.calls) == 0:
		return h.unfinished(h.cited)
	case h.deedLike && len(undone) > 0 && !h.isHedged():
		return contradicts("outcome", h.Text(), undone[0].fate())
	case len(waits) == len(h.calls), h.deedLike && slices.ContainsFunc(waits, (*record).tellsWait):
		return h.waiting(waits)
	case h.turn.tellsOutage(h.Claim) && !h.isIn(h.calls):
		return contradicts("outcome", h.Text(), "succeeded")
	}
	return Finding{}
}

// failed relates a claim that something did not work. A call that succeeded shows the contrary,
// unless what it returned tells of it.
func (h *held) failed() Finding {
	h.calls = h.cited
	over := len(keep(h.cited, (*record).isOver)) == len(h.cited)
	if h.deedLike && h.clause.Actor == reading.Other && over && !h.isIn(h.cited) {
		return Finding{} // "the service refused it", and no result says so
	}
	first := h.cited[0]
	if len(keep(h.cited, func(r *record) bool { return r.isOver() && r.changes() })) == len(h.cited) &&
		h.turn.actOf(h.Claim, first).Relation == Backs && !first.results[h.verb] {
		return contradicts("outcome", h.Text(), "succeeded")
	}
	f := h.compare()
	if f.Relation == Silent && f.By == "" {
		f.Relation = Backs
	}
	return f
}

// denied relates a claim that something was not done: a change of this turn that did it shows
// the contrary.
func (h *held) denied() Finding {
	t := h.turn
	for number := t.earlier + 1; number <= len(t.source); number++ {
		r := t.record(number)
		if !r.changes() || !r.isOver() || h.isBare() || isBefore(h.Claim) {
			continue
		}
		touching := h.at >= 0 && isListed("touching", strings.ToLower(h.text.Word(h.at)))
		if (touching || t.actOf(h.Claim, r).Relation == Backs) && t.sharesAll(h.Claim, r) {
			return contradicts("outcome", h.Text(), "#"+strconv.Itoa(number)+" succeeded")
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

// unread relates a sentence that cannot be read: values are the same in all languages.
func (h *held) unread() Finding {
	h.calls = keep(h.cited, (*record).isOver)
	if len(h.calls) == 0 && h.hasWord("denying", 0) {
		h.calls = h.cited
		return h.compare()
	}
	if h.turn.words.Acting && !strings.ContainsAny(h.turn.words.User, "?？؟") {
		if h.calls = keep(h.calls, (*record).changes); !hasChange(h.cited) {
			return contradicts("act", h.Text(), "only looked something up")
		}
	}
	if len(h.calls) == 0 {
		return Finding{}
	}
	f := h.compare()
	if f == (Finding{}) && len(h.figures()) == 0 {
		f.Relation = Backs
	}
	return f
}

// comparisons find what calls say otherwise than a claim, or what they lack. The first that finds
// something decides.
var comparisons = [...]struct {
	name string
	find func(*held) Finding
}{
	{"all of it, or more than there was", compareExtent},
	{"a member that says no", compareUnset},
	{"an opposite state", compareOpposite},
	{"a draft", compareDraft},
	{"another act beside it", compareParticiples},
	{"a value", compareValues},
	{"a day of the month", compareDay},
	{"another thing of the kind", compareKind},
	{"another thing", compareThing},
	{"a part that is missing", comparePart},
}

// compare relates a claim to the calls that may be it: they contradict it, lack something of it,
// or back it by a value, a word or the act that they share.
func (h *held) compare() Finding {
	h.values = h.turn.toldOf(h.Claim, h.calls)
	for i := 0; i < len(comparisons) && !h.isHedged(); i++ {
		if f := comparisons[i].find(h); f != (Finding{}) {
			return f
		}
	}
	mere := h.Kind == Looked && len(h.content()) <= 1 && !hasChange(h.calls)
	if matches(h.values) > 0 || h.did || mere || h.Kind != Unread && h.isBare() || sharesWord(h.Claim, h.calls) {
		return Finding{Relation: Backs}
	}
	return Finding{}
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

// sharesWord reports whether a record has a word of a claim that means something.
func sharesWord(c *Claim, records []*record) bool {
	for _, r := range records {
		if c.verb != 0 && (r.results[c.verb] || r.words[c.verb] && (r.changes() || !c.deedLike)) {
			return true
		}
	}
	return slices.ContainsFunc(c.content(), func(v *reading.Value) bool { return anyHas(records, v) })
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

// hasChange reports whether one of some records may have changed something.
func hasChange(records []*record) bool { return slices.ContainsFunc(records, (*record).changes) }
