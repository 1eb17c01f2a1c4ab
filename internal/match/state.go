package match

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// shownState relates a claim of how things are: whatever call told it shows it.
func (t *Turn) shownState(c *Claim, cited []*record) Finding {
	if c.Kind == Looked { // only a look shows that something was looked at
		cited = keep(cited, func(r *record) bool { return !r.changes() || r.acts().Overlaps(c.acts) })
	}
	if len(cited) == 0 {
		return Finding{}
	}
	telling := keep(cited, (*record).Succeeded)
	if len(telling) == 0 || c.clause.Negated {
		telling = cited // a call that failed may tell why
	}
	if tellsWhy(t, c, cited) {
		return Finding{Relation: Backs, By: "outcome"}
	}
	failed := telling[0].isFailed()
	if failed {
		if f := t.whyFailed(c, telling); f.Relation != Silent {
			return f
		}
	}
	if f := t.otherState(c, telling, cited); f.Relation != Silent {
		return f
	}
	compared := t.compareValues(c, telling, cited)
	switch {
	case compared.Relation == Backs && !t.saysSo(c, telling):
		return Finding{}
	case compared.Relation != Silent:
	case c.clause.Negated && len(keep(cited, (*record).Succeeded)) < len(cited), t.sharesAct(c, telling):
		compared.Relation = Backs // what failed has changed nothing
	case failed && !c.isIn(telling) && !c.acts.Has(lexicon.Reject):
		return contradicts("outcome", c.Text(), telling[0].fate())
	case c.isBare() || c.isMereLook(telling):
		compared.Relation = Backs
	}
	return compared
}

// tellsWhy reports whether a claim tells of something else than us what calls that did not succeed
// say themselves: "the child lock is on for that window".
func tellsWhy(t *Turn, c *Claim, cited []*record) bool {
	failed := keep(cited, (*record).isFailed)
	if len(failed) == 0 || c.clause.Actor == reading.Us {
		return false
	}
	if c.tellsRefusal() {
		return true
	}
	if c.whole.open == nil {
		open := LeavesOpen(c.text.Source)
		c.whole.open = &open
	}
	if !*c.whole.open {
		return false
	}
	reason := func(v *reading.Value) bool {
		return !t.isAsked(v) && slices.ContainsFunc(failed, func(r *record) bool {
			return r.results[v.Key] && !r.given[v.Key] && !r.words[v.Key]
		})
	}
	return slices.ContainsFunc(c.content(), reason) || slices.ContainsFunc(c.figures(), reason)
}

// isMereLook reports whether a claim says no more than that something was looked up.
func (c *Claim) isMereLook(by []*record) bool {
	return c.Kind == Looked && len(c.content()) <= 1 && !hasChange(by)
}

// saysSo reports whether calls that share something with a claim say what it says.
func (t *Turn) saysSo(c *Claim, telling []*record) bool {
	return !t.onlyLookedAt(c, telling) && !t.isUntoldDeed(c, telling) && !t.sharesSubjectAlone(c, telling)
}

// whyFailed relates a claim of how things are to calls that failed: they show no more than what
// they say themselves, and what is still needed.
func (t *Turn) whyFailed(c *Claim, failed []*record) Finding {
	told := c.isIn(failed)
	switch {
	case hasPhrase("obliging", c.Text()):
		return Finding{Relation: Backs} // "a partner has to approve it"
	case !c.clause.Negated && !told && !allInResults(c, failed) && !c.acts.Has(lexicon.Reject):
		return contradicts("outcome", c.Text(), failed[0].fate())
	case !told && t.tellsOutage(c) && !hasListed("outage", lowered(failed[0], false)):
		return contradicts("state", c.Text(), failed[0].Result.Error)
	}
	return Finding{}
}

// otherState finds a state of the records that excludes the one of a claim, or a call that is
// not over.
func (t *Turn) otherState(c *Claim, telling, cited []*record) Finding {
	changes := keep(telling, (*record).changes)
	f := contradiction(
		func() Finding { return unsetMember(c, telling) },
		func() Finding { return opposedState(c, telling) },
		func() Finding { return t.compareExtent(c, changes) })
	if f.Relation == Contradicts {
		return f
	}
	if tellsPromise(t, c, cited) {
		return Finding{}
	}
	if f := c.comparePending(telling, cited); f.Relation != Silent || len(changes) == 0 {
		return f
	}
	return contradiction(
		func() Finding { return t.compareTrial(c, changes) },
		func() Finding { return t.compareAsked(c, changes) },
		func() Finding { return c.compareOpen(changes, false) },
		func() Finding { return t.otherActs(c, keep(changes, func(*record) bool { return c.deedLike })) },
		func() Finding { return t.compareParticiples(c, telling) })
}

// compareTrial finds that a state was asked for, and changes only tried what would happen.
func (t *Turn) compareTrial(c *Claim, changes []*record) Finding {
	real := keep(changes, func(r *record) bool { return !r.dry })
	if t.words.Acting && len(real) == 0 && !c.isHedged() && t.isAboutRequest(c) {
		return contradicts("state", c.Text(), "only tried")
	}
	return Finding{}
}

// compareAsked finds the act that the user asks for, where a claim tells by a state that it
// was done, none of some changes did it, and another offered tool does: what was put into a queue
// is not "on".
func (t *Turn) compareAsked(c *Claim, changes []*record) (other Finding) {
	own := func(v *reading.Value) bool { return !t.isAsked(v) && anyHas(changes, v) }
	if !t.words.Acting || c.Kind != Found || c.verb != 0 || !t.isAboutRequest(c) || slices.ContainsFunc(c.content(), own) {
		return Finding{}
	}
	for _, request := range Read(t.words.User) {
		if request.acts.Without(plainActs).Empty() {
			continue
		}
		if other = t.otherActs(&request, changes); other.Relation == Silent {
			break
		}
	}
	return other
}

// otherActs finds that none of some changes did what a claim says: who has seats on hold has
// not bought them.
func (t *Turn) otherActs(c *Claim, changes []*record) (other Finding) {
	for _, r := range changes {
		f := t.compareActs(c, r)
		if f.Relation != Contradicts {
			return Finding{}
		}
		other = f
	}
	return other
}

// compareOpen relates a claim to changes of which something is still to come, as their own
// results say: what is under review is not approved. Its own act, a call has done.
func (c *Claim) compareOpen(changes []*record, own bool) Finding {
	line := c.clause.Shape == reading.Verbless || c.clause.Shape == reading.Fragment
	if own || line || c.isHedged() || isSupposed(c) || c.tellsPending() || c.isIn(changes) {
		return Finding{}
	}
	for _, r := range changes {
		if !r.open || r.words[c.verb] && c.verb != 0 || r.ended && c.Kind != Did {
			return Finding{}
		}
	}
	return contradicts("state", c.Text(), changes[0].state())
}

// sharesAct reports whether a change did what a claim tells as a state, and was about no other
// thing by name.
func (t *Turn) sharesAct(c *Claim, telling []*record) bool {
	return slices.ContainsFunc(telling, func(r *record) bool {
		return r.changes() && r.isOver() && t.compareActs(c, r).Relation == Backs && !t.isOfAnother(c, []*record{r})
	})
}

// isUntoldDeed reports whether a claim tells that something was done, and no call did it or
// returned that it was: a look at an order does not show that it was shipped.
func (t *Turn) isUntoldDeed(c *Claim, telling []*record) bool {
	if c.Kind != Found || !c.deedLike || c.verb == 0 || c.clause.Negated {
		return false
	}
	if hasChange(telling) || t.tellsState(c, telling) || actsOf(telling).Overlaps(c.acts.Without(plainActs)) {
		return false
	}
	figures := c.figures()
	return len(figures) == 0 || !t.allInReads(c)
}

// sharesSubjectAlone reports whether look-ups hold what a claim is about, and nothing of what
// it says of it: "Read book is off your plate".
func (t *Turn) sharesSubjectAlone(c *Claim, telling []*record) bool {
	if c.Kind != Found || hasChange(telling) || c.clause.Verb < 0 || t.predicateIn(c, telling) {
		return false
	}
	for _, v := range c.news() {
		if v.Start() < int(c.text.Tokens[c.clause.Verb].Start) && v.Kind == reading.Word {
			continue
		}
		if anyHolds(telling, v) && !t.isAsked(v) {
			return false
		}
	}
	return true
}

// onlyLookedAt reports whether a claim tells how something stands that was to be changed, and
// was only looked at, with a result that does not say so.
func (t *Turn) onlyLookedAt(c *Claim, telling []*record) bool {
	if !t.words.Acting || c.Kind != Found || hasChange(telling) {
		return false
	}
	found := slices.ContainsFunc(c.figures(), func(v *reading.Value) bool { return !t.isAsked(v) })
	return !found && t.isAboutRequest(c) && !t.predicateIn(c, telling)
}

// tellsPromise reports whether a claim tells no more than a time or an amount that calls which
// are not over have returned, and nothing of what was asked for: "they answer by noon".
func tellsPromise(t *Turn, c *Claim, cited []*record) bool {
	pending, figures := keep(cited, (*record).isPending), c.figures()
	if len(pending) == 0 || len(figures) == 0 || c.deedLike || t.isAboutRequest(c) {
		return false
	}
	return allOf(figures, func(v *reading.Value) bool {
		return v.Kind != reading.ID && slices.ContainsFunc(pending, func(r *record) bool { return hasValue(r.results, v) })
	})
}

// isSupposed reports whether a claim tells what would be: "should they agree, it costs less".
func isSupposed(c *Claim) bool { return strings.HasPrefix(c.text.Source, "Should ") }

// comparePending relates a claim of how things are to calls that are not over: they show that
// something goes on, and nothing more.
func (c *Claim) comparePending(telling, cited []*record) Finding {
	pending := keep(cited, (*record).isPending)
	switch {
	case len(pending) > 0 && c.tellsRun() && isListed("unbegun", strings.ToLower(pending[0].state())):
		return contradicts("state", c.Text(), pending[0].state())
	case len(pending) > 0 && c.tellsPending():
		return Finding{Relation: Backs, By: "state"}
	case c.deedLike && len(keep(cited, (*record).isUndone)) > 0 && !c.isHedged():
		return contradicts("outcome", c.Text(), keep(cited, (*record).isUndone)[0].fate())
	case c.deedLike && !c.isHedged() && !c.tellsPending() && len(keep(telling, (*record).tellsWait)) > 0:
		return contradicts("state", c.Text(), keep(telling, (*record).tellsWait)[0].state())
	case len(pending) == 0 || c.isHedged() || isSupposed(c):
	case len(keep(telling, (*record).isPending)) == len(telling):
		return contradicts("state", c.Text(), pending[0].state())
	}
	return Finding{}
}
