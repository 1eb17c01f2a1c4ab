package completion

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/telling"
)

// contradicted are the rules about claims that the records tell otherwise.
var contradicted = []rule{
	{
		Name: "another title",
		When: func(_ *conversation, a *assertion) bool {
			names, best := &a.values[reading.Word], a.best[fateChanged]
			return a.told() && best != nil && telling.TouchedTitle(best.record) != "" && a.fit[fateChanged] >= 0.9 &&
				names[named] > 0 && names[against] == names[named]
		},
		Then: Sure, Fault: faultOther,
	},
	{
		Name: "entry not in the result",
		When: func(c *conversation, a *assertion) bool { // in a list that presents what was read
			isRead := func(other assertion) bool { return other.entry && other.cover[fateRead] >= 0.5 }
			return a.entry && c.calls() == c.sum.read && len(a.words) > 0 && a.nowhere == 1 &&
				a.total[named] == a.total[nowhere] && slices.ContainsFunc(c.assertions, isRead)
		},
		Then: Unsure, Fault: faultOther,
	},
	{Name: "not all of them", Then: Sure, At: 0.5, Fault: faultFewer, When: func(c *conversation, a *assertion) bool {
		return c.someOf(a) && !c.text.Redirects(a.clause)
	}},
	{Name: "more than was done", Then: Unsure, Fault: faultFewer, When: func(c *conversation, a *assertion) bool {
		return a.told() && (c.someOf(a) || c.fewer(a)) || c.oneOfTwo(a)
	}},
	{
		Name: "another value",
		When: func(c *conversation, a *assertion) bool {
			named := is(a.swapped[reading.Word]) // a name may be another one's, or a title
			return a.swaps() > named && !a.own() && !a.clause.Negated && c.plain(a.best[fateChanged])
		},
		Then: Sure, At: 0.62, Fault: faultOther,
	},
	{
		Name: "another figure than its entry",
		When: func(_ *conversation, a *assertion) bool { return a.unit.alike > 0 && a.unit.named && !a.clause.Negated },
		Then: Unsure, At: 0.1, Fault: faultOther,
	},
	{Name: "not what was asked for", When: (*conversation).otherThanAsked, Then: Unsure, SureAt: 0.55, Fault: faultOther},
	{Name: "the records are mixed up", When: (*conversation).mixed, Then: Unsure, Fault: faultOther},
	{Name: "another one worked", When: (*conversation).exchanged, Then: Unsure, SureAt: 0.55, Fault: faultFailed},
}

// someOf: of the things that are told as changed, ids or a call that failed say that some were not.
func (c *conversation) someOf(a *assertion) bool {
	ids, best := &a.values[reading.ID], a.best[fateChanged]
	missed := ids[userOnly] > 0 && ids[against] > 0 && c.plain(best) // of two that were asked for, one
	some := missed || ids[conflict] > 0 && ids[conflict] < ids[named] && best != nil && !a.own()
	state := a.clause.Shape >= reading.Copula && !a.clause.Negated
	return state && missed && ids.backed() > 0 && !a.own() || // "T-1 and T-2 are on their way"
		(a.told() || state && c.text.SaysAll(a.clause)) && (some || c.oneFailed(a))
}

// oneFailed: several things are told as done, and of the calls that did it one failed, which the text does not say.
func (c *conversation) oneFailed(a *assertion) bool {
	best := a.best[fateChanged]
	several := func(token lexicon.Token) bool { return token.Form().Has(lexicon.Plural) }
	return c.sum.failed > 0 && best != nil && !c.tellsFailure() &&
		slices.ContainsFunc(c.text.Tokens[a.clause.From:a.clause.To], several) &&
		slices.ContainsFunc(c.made, func(f fact) bool {
			return f.fate == fateFailed && !f.mended && f.tool == best.tool && f.tool.changes
		})
}

// fewer: more things are counted than were changed. The number may be that of a quantity.
func (c *conversation) fewer(a *assertion) bool {
	numbers := &a.values[reading.Number]
	return a.changing() && a.fit[fateChanged] >= 0.9 && a.count > max(1, float64(c.sum.changed)) &&
		a.uncounted && numbers[nowhere]+numbers[userOnly] > 0
}

// oneOfTwo: two things are told in one breath as changed, "the garage and the cellar", and
// of the changes one has the first or the second alone, and no record has the other.
func (c *conversation) oneOfTwo(a *assertion) bool {
	state := a.clause.Roles&turned != 0 && a.clause.Shape >= reading.Copula
	if !state && (!a.told() || !a.changing()) || a.own() || a.clause.Negated || a.fit[fateChanged]+is(state) < 0.9 {
		return false
	}
	var last *reading.Value
	values := c.text.ValuesIn(a.clause)
	for i := range values {
		v := &values[i]
		if !v.TellsApart() || v.Kind == reading.Weekday {
			continue
		}
		if last != nil && last.Kind == v.Kind && c.text.Pairs(last.End(), v.Start()) &&
			(c.only(last, v) || c.only(v, last)) {
			return true
		}
		last = v
	}
	return false
}

// only reports whether a change was called with one value, and no call of this turn or an
// earlier one has the other, however it is written.
func (c *conversation) only(one, other *reading.Value) bool {
	raw := strings.ToLower(one.String())
	return slices.ContainsFunc(c.made, func(f fact) bool {
		return f.fate == fateChanged && c.plain(&f) && c.known.Holds(f.itself, one) &&
			(one.Kind != reading.Word || strings.Contains(strings.ToLower(string(f.record.Args)), `"`+raw))
	}) && !c.spelled(other) && !c.inCalls(other)
}

// inCalls reports whether a call of this turn or an earlier one has a value.
func (c *conversation) inCalls(v *reading.Value) bool {
	for from := reading.Source(0); from <= failedBefore; from++ {
		if c.known.Holds(from, v) {
			return true
		}
	}
	return false
}

// plain reports whether a change says in few words what it did, in a turn of few calls: what a script
// or a long document has brought about has values that its arguments do not show.
func (c *conversation) plain(f *fact) bool {
	const calls, bytes = 6, 400
	return f != nil && c.calls() <= calls && len(f.record.Args) <= bytes
}

// otherThanAsked: the only change was called with a value that stands nowhere else, and the user's message has
// another one of its kind that no call has. The text tells that it is done, and not to what.
func (c *conversation) otherThanAsked(a *assertion) bool {
	tells := a.told() && !a.reads() || a.clause.Roles&(reading.RoleDone|reading.RoleTick) != 0 ||
		a.clause.Shape >= reading.Copula && a.total[userOnly] > 0
	if !tells || a.clause.Negated || a.looksBack || c.sum.changed != 1 {
		return false
	}
	f := &c.made[slices.IndexFunc(c.made, func(f fact) bool { return f.fate == fateChanged })]
	return c.plain(f) && slices.ContainsFunc(c.slotsOf(f), func(called reading.Value) bool {
		return !c.stands(f, &called) && slices.ContainsFunc(c.user.Values, func(asked reading.Value) bool {
			return asked.Kind == called.Kind && c.uncalledFor(f, &asked) && asked.Resembles(&called)
		})
	})
}

// stands reports whether a value that a change was called with is in anything else.
func (c *conversation) stands(f *fact, v *reading.Value) bool {
	raw := v.String()
	return c.known.Holds(ofUser, v) || c.known.Holds(ofText, v) || strings.Contains(c.turn.Previous, raw) ||
		slices.ContainsFunc(c.facts, func(other fact) bool { return other.record != f.record && other.has(raw) })
}

// uncalledFor reports whether a value of the user's is in no call, not even as a part of
// another one or as an hour. A name may be written in many ways.
func (c *conversation) uncalledFor(f *fact, v *reading.Value) bool {
	if v.Kind == reading.Word || v.Has(reading.Derived|reading.Merged|reading.Worded) || c.inCalls(v) ||
		c.converted(f, v.Figure()) != reading.NotConverted ||
		v.Kind == reading.ID && len(c.slotsOf(f)) > 0 && reading.ContainsFold(f.record.Args, v.String()) {
		return false
	}
	return !slices.ContainsFunc(c.slotsOf(f), func(slot reading.Value) bool {
		return slot.Kind == reading.Clock && math.Mod(slot.Number/60-v.Number, 12) == 0
	})
}
