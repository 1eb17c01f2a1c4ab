package completion

import (
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// feature is one number that says something about an assertion, or about a turn.
type feature struct {
	name string
	of   func(c *conversation, a *assertion) float64
}

// vector appends the features of an assertion, or those of the turn where it is nil.
func (c *conversation) vector(to []float32, features []feature, a *assertion) []float32 {
	for i := range features {
		to = append(to, float32(features[i].of(c, a)))
	}
	return to
}

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func shapeIs(s reading.Shape) func(*conversation, *assertion) float64 {
	return func(_ *conversation, a *assertion) float64 { return is(a.clause.Shape == s) }
}

func roleIs(r reading.Role) func(*conversation, *assertion) float64 {
	return func(_ *conversation, a *assertion) float64 { return is(a.clause.Roles&r != 0) }
}

func coverIn(g fate) func(*conversation, *assertion) float64 {
	return func(_ *conversation, a *assertion) float64 { return a.cover[g] }
}

// onlyRead reports whether acts are known, and change nothing.
func onlyRead(acts lexicon.Families) bool {
	return !acts.Empty() && acts.Without(reading.LookFamilies).Empty()
}

// changing reports whether the verb is one of a change, by its family or as the verb
// of a tool that changes.
func (a *assertion) changing() bool {
	if a.families.Empty() {
		return a.fit[fateChanged] >= 1 || a.unmade >= 1
	}
	return !a.families.Without(reading.LookFamilies).Empty()
}

func (a *assertion) reads() bool { return a.families.Overlaps(reading.LookFamilies) }

// sharedFeatures are in both tables: what the user asks for, and whether it is told that
// something is open.
var sharedFeatures = []feature{
	{"user asks", func(c *conversation, _ *assertion) float64 { return is(c.about.asks) }},
	{"user orders", func(c *conversation, _ *assertion) float64 { return is(c.about.orders) }},
	{"user denies", func(c *conversation, _ *assertion) float64 { return is(c.about.roles&reading.RoleNegative != 0) }},
	{"open ended", func(c *conversation, _ *assertion) float64 { return is(c.openEnded) }},
	{"wish missed", func(c *conversation, _ *assertion) float64 { return float64(c.wished.missed) }},
	{"wish changed", func(c *conversation, _ *assertion) float64 { return float64(c.wished.called[fateChanged]) }},
	{"wish missed over made", func(c *conversation, _ *assertion) float64 {
		return float64(c.wished.missed - c.wished.made())
	}},
}

var clauseFeatures = slices.Concat(sharedFeatures, []feature{
	{"verbless", shapeIs(reading.Verbless)},
	{"active perfect", shapeIs(reading.ActivePerfect)},
	{"active past", shapeIs(reading.ActivePast)},
	{"passive past", shapeIs(reading.PassivePast)},
	{"present", shapeIs(reading.Present)},
	{"by us", func(_ *conversation, a *assertion) float64 { return is(a.clause.Actor == reading.Us) }},
	{"by others", func(_ *conversation, a *assertion) float64 { return is(a.clause.Actor == reading.Other) }},
	{"negated", func(_ *conversation, a *assertion) float64 { return is(a.clause.Negated) }},
	{"first", func(_ *conversation, a *assertion) float64 { return is(a.first) }},
	{"last", func(_ *conversation, a *assertion) float64 { return is(a.last) }},
	{"now", roleIs(reading.RoleNow)},
	{"all", roleIs(reading.RoleAll)},
	{"done", roleIs(reading.RoleDone)},
	{"tick", roleIs(reading.RoleTick)},
	{"verb listed", func(_ *conversation, a *assertion) float64 { return is(a.verb != nil) }},
	{"verb reads", func(_ *conversation, a *assertion) float64 { return is(a.reads()) }},
	{"read fits", func(_ *conversation, a *assertion) float64 { return a.fit[fateRead] }},
	{"earlier fits", func(_ *conversation, a *assertion) float64 { return a.fit[fateEarlier] }},
	{"change covers", coverIn(fateChanged)},
	{"read covers", coverIn(fateRead)},
	{"failure covers", coverIn(fateFailed)},
	{"pending covers", coverIn(fatePending)},
	{"failure over change", func(_ *conversation, a *assertion) float64 {
		return a.cover[fateFailed] + a.fit[fateFailed] - a.cover[fateChanged] - a.fit[fateChanged]
	}},
	{"best cover", func(_ *conversation, a *assertion) float64 { return max(a.cover[fateChanged], a.cover[fateRead]) }},
	{"best cover with earlier", func(_ *conversation, a *assertion) float64 {
		return max(a.cover[fateChanged], a.cover[fateRead], a.cover[fateEarlier])
	}},
	{"values", valuesIn(named)},
	{"values nowhere", valuesIn(nowhere)},
	{"values failed", valuesIn(inFailed)},
	{"values early", valuesIn(inEarly)},
	{"values of the user", valuesIn(userOnly)},
	{"values against", valuesIn(against)},
	{"values backed", func(_ *conversation, a *assertion) float64 { return float64(min(a.total.backed(), 5)) }},
	{"ids nowhere", ofKind(reading.ID, nowhere)},
	{"ids of the user", ofKind(reading.ID, userOnly)},
	{"numbers of the user", ofKind(reading.Number, userOnly)},
	{"numbers against", ofKind(reading.Number, against)},
	{"clocks nowhere", ofKind(reading.Clock, nowhere)},
	{"names", ofKind(reading.Word, named)},
	{"count", func(_ *conversation, a *assertion) float64 { return math.Min(a.count, 5) }},
	{"no change", func(c *conversation, _ *assertion) float64 { return is(c.sum.changed == 0) }},
	{"no success", func(c *conversation, _ *assertion) float64 { return is(c.sum.changed+c.sum.read == 0) }},
	{"failures", func(c *conversation, _ *assertion) float64 { return float64(min(3, c.sum.failed)) }},
	{"changed before", func(c *conversation, _ *assertion) float64 { return is(c.sum.changedBefore > 0) }},
	{"refrains", roleIs(reading.RoleRefrain)},
	{"part", roleIs(reading.RolePart)},
	{"words asked for", func(c *conversation, _ *assertion) float64 { return is(c.about.roles&reading.RoleWords != 0) }},
	{"nth over changes", func(c *conversation, a *assertion) float64 {
		return float64(min(max(a.nth-c.sum.changed, -2), 3)) * is(a.nth > 0)
	}},
	{"words known", func(_ *conversation, a *assertion) float64 { return a.known }},
	{"fit and known", func(_ *conversation, a *assertion) float64 { return a.fit[fateChanged] * a.known }},
	{"user refrains", func(c *conversation, _ *assertion) float64 { return is(c.about.roles&reading.RoleRefrain != 0) }},
	{"acts over changes", func(c *conversation, _ *assertion) float64 {
		return float64(max(-2, min(3, c.about.acts-c.sum.changed)))
	}},
	{"text fails", func(c *conversation, _ *assertion) float64 {
		return is(c.signals.failures >= 0 || c.signals.prevents >= 0)
	}},
	{"text asks", func(c *conversation, _ *assertion) float64 { return is(c.signals.asks >= 0) }},
	{"waits after", func(_ *conversation, a *assertion) float64 { return is(a.waits) }},
	{"swapped", func(_ *conversation, a *assertion) float64 { return a.swaps() }},
	{"look without a read", func(c *conversation, a *assertion) float64 { return is(c.looksWithoutRead(a)) }},
	{"asked change made", func(c *conversation, _ *assertion) float64 { return float64(min(c.meant-c.uncalled, 2)) }},
	{"asked change not made", func(c *conversation, _ *assertion) float64 { return float64(min(c.uncalled, 2)) }},
	{"near change", func(_ *conversation, a *assertion) float64 { return float64(a.near.called[fateChanged]) }},
	{"near read", func(_ *conversation, a *assertion) float64 { return float64(a.near.called[fateRead]) }},
	{"near open", func(_ *conversation, a *assertion) float64 { return float64(a.near.open()) }},
	{"near earlier", func(_ *conversation, a *assertion) float64 { return float64(a.near.called[fateEarlier]) }},
	{"near missed", func(_ *conversation, a *assertion) float64 { return float64(a.near.missed) }},
	{"missed over made", func(_ *conversation, a *assertion) float64 { return float64(a.near.missed - a.near.made()) }},
	{"missed over change", func(_ *conversation, a *assertion) float64 {
		return float64(a.near.missed - a.near.called[fateChanged])
	}},
	{"open over made", func(_ *conversation, a *assertion) float64 { return float64(a.near.open() - a.near.made()) }},
	{"words unmet", func(_ *conversation, a *assertion) float64 { return float64(min(a.unmet, 5)) }},
})

func valuesIn(where int) func(*conversation, *assertion) float64 {
	return func(_ *conversation, a *assertion) float64 { return float64(min(a.total[where], 5)) }
}

func ofKind(kind reading.Kind, where int) func(*conversation, *assertion) float64 {
	return func(_ *conversation, a *assertion) float64 { return float64(a.values[kind][where]) }
}

// swaps counts the kinds of values that a clause has and the records have
// otherwise.
func (a *assertion) swaps() float64 {
	n := 0.0
	for _, swapped := range a.swapped {
		n += is(swapped)
	}
	return n
}

// looksWithoutRead: "I double-checked", and nothing was read.
func (c *conversation) looksWithoutRead(a *assertion) bool {
	return a.ours() && c.text.Roles[a.clause.Verb]&(reading.RoleLook|reading.RoleVerify) != 0 && c.sum.read == 0
}

// calls is how many calls this turn made, whatever came of them.
func (c *conversation) calls() int {
	return c.sum.changed + c.sum.read + c.sum.failed + c.sum.pending + c.sum.mended
}
