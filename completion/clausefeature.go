package completion

import (
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// feature is one number that says something about a turn, and so about all of its assertions, or about one of them.
type feature struct {
	name string
	turn func(c *conversation) float64
	of   func(a *assertion) float64
}

// vector makes room for the features of a table, and fills in those of the turn.
func (c *conversation) vector(to []float32, features []feature) []float32 {
	to = slices.Grow(to[:0], len(features))[:len(features)]
	for i := range features {
		if features[i].turn != nil {
			to[i] = float32(features[i].turn(c))
		}
	}
	return to
}

// vectorOf fills in the features of an assertion, where those of the turn are.
func (a *assertion) vectorOf(features []feature, to []float32) {
	for i := range to {
		if of := features[i].of; of != nil {
			to[i] = float32(of(a))
		}
	}
}

// is is 1 where something is so. It compiles to no jump: which way it would go is hard to predict.
func is(b bool) float64 {
	n := 0
	if b {
		n = 1
	}
	return float64(n)
}

func shapeIs(s reading.Shape) func(*assertion) float64 {
	return func(a *assertion) float64 { return is(a.clause.Shape == s) }
}

func roleIs(r reading.Role) func(*assertion) float64 {
	return func(a *assertion) float64 { return is(a.clause.Roles&r != 0) }
}

func coverIn(g fate) func(*assertion) float64 {
	return func(a *assertion) float64 { return a.cover[g] }
}

// changing reports whether the verb is one of a change, by its family or as the verb of a tool that changes.
func (a *assertion) changing() bool {
	if a.families.Empty() {
		return a.fit[fateChanged] >= 1 || a.unmade >= 1
	}
	return !a.families.Without(reading.LookFamilies).Empty()
}

func (a *assertion) reads() bool { return a.families.Overlaps(reading.LookFamilies) }

// looks reports whether the verb is one of a look alone.
func (a *assertion) looks() bool { return a.reads() && !a.changing() }

// sharedFeatures are in both tables: what the user asks for, and whether it is told that something is open.
var sharedFeatures = []feature{
	{name: "user asks", turn: func(c *conversation) float64 { return is(c.about.asks) }},
	{name: "user orders", turn: func(c *conversation) float64 { return is(c.about.orders) }},
	{name: "user denies", turn: func(c *conversation) float64 { return is(c.about.roles&reading.RoleNegative != 0) }},
	{name: "open ended", turn: func(c *conversation) float64 { return is(c.openEnded) }},
	{name: "wish missed", turn: func(c *conversation) float64 { return float64(c.wished.missed) }},
	{name: "wish changed", turn: func(c *conversation) float64 { return float64(c.wished.called[fateChanged]) }},
	{name: "wish missed over made", turn: func(c *conversation) float64 {
		return float64(c.wished.missed - c.wished.made())
	}},
}

// wordingFeature is what the phrases of a clause say.
const wordingFeature = "wording"

var clauseFeatures = slices.Concat(sharedFeatures, []feature{
	{name: wordingFeature, of: func(a *assertion) float64 { return float64(a.wording) }},
	{name: "verbless", of: shapeIs(reading.Verbless)},
	{name: "active perfect", of: shapeIs(reading.ActivePerfect)},
	{name: "active past", of: shapeIs(reading.ActivePast)},
	{name: "passive past", of: shapeIs(reading.PassivePast)},
	{name: "present", of: shapeIs(reading.Present)},
	{name: "by us", of: func(a *assertion) float64 { return is(a.clause.Actor == reading.Us) }},
	{name: "by others", of: func(a *assertion) float64 { return is(a.clause.Actor == reading.Other) }},
	{name: "negated", of: func(a *assertion) float64 { return is(a.clause.Negated) }},
	{name: "first", of: func(a *assertion) float64 { return is(a.first) }},
	{name: "last", of: func(a *assertion) float64 { return is(a.last) }},
	{name: "now", of: roleIs(reading.RoleNow)},
	{name: "all", of: roleIs(reading.RoleAll)},
	{name: "done", of: roleIs(reading.RoleDone)},
	{name: "tick", of: roleIs(reading.RoleTick)},
	{name: "verb listed", of: func(a *assertion) float64 { return is(a.verb != nil) }},
	{name: "verb reads", of: func(a *assertion) float64 { return is(a.reads()) }},
	{name: "read fits", of: func(a *assertion) float64 { return a.fit[fateRead] }},
	{name: "earlier fits", of: func(a *assertion) float64 { return a.fit[fateEarlier] }},
	{name: "change covers", of: coverIn(fateChanged)},
	{name: "read covers", of: coverIn(fateRead)},
	{name: "failure covers", of: coverIn(fateFailed)},
	{name: "pending covers", of: coverIn(fatePending)},
	{name: "failure over change", of: func(a *assertion) float64 {
		return a.cover[fateFailed] + a.fit[fateFailed] - a.cover[fateChanged] - a.fit[fateChanged]
	}},
	{name: "best cover", of: func(a *assertion) float64 { return max(a.cover[fateChanged], a.cover[fateRead]) }},
	{name: "best cover with earlier", of: func(a *assertion) float64 {
		return max(a.cover[fateChanged], a.cover[fateRead], a.cover[fateEarlier])
	}},
	{name: "values", of: valuesIn(named)},
	{name: "values nowhere", of: valuesIn(nowhere)},
	{name: "values failed", of: valuesIn(inFailed)},
	{name: "values early", of: valuesIn(inEarly)},
	{name: "values of the user", of: valuesIn(userOnly)},
	{name: "values against", of: valuesIn(against)},
	{name: "values backed", of: func(a *assertion) float64 { return float64(min(a.total.backed(), 5)) }},
	{name: "ids nowhere", of: ofKind(reading.ID, nowhere)},
	{name: "ids of the user", of: ofKind(reading.ID, userOnly)},
	{name: "numbers of the user", of: ofKind(reading.Number, userOnly)},
	{name: "numbers against", of: ofKind(reading.Number, against)},
	{name: "clocks nowhere", of: ofKind(reading.Clock, nowhere)},
	{name: "names", of: ofKind(reading.Word, named)},
	{name: "count", of: func(a *assertion) float64 { return math.Min(a.count, 5) }},
	{name: "no change", turn: func(c *conversation) float64 { return is(c.sum.changed == 0) }},
	{name: "no success", turn: func(c *conversation) float64 { return is(c.sum.changed+c.sum.read == 0) }},
	{name: "failures", turn: func(c *conversation) float64 { return float64(min(3, c.sum.failed)) }},
	{name: "changed before", turn: func(c *conversation) float64 { return is(c.sum.changedBefore > 0) }},
	{name: "refrains", of: roleIs(reading.RoleRefrain)},
	{name: "part", of: roleIs(reading.RolePart)},
	{name: "words asked for", turn: func(c *conversation) float64 { return is(c.about.roles&reading.RoleWords != 0) }},
	{name: "nth over changes", of: func(a *assertion) float64 { return float64(min(max(a.over, -2), 3)) }},
	{name: "words known", of: func(a *assertion) float64 { return a.known }},
	{name: "fit and known", of: func(a *assertion) float64 { return a.fit[fateChanged] * a.known }},
	{name: "user refrains", turn: func(c *conversation) float64 { return is(c.about.roles&reading.RoleRefrain != 0) }},
	{name: "acts over changes", turn: func(c *conversation) float64 {
		return float64(max(-2, min(3, c.about.acts-c.sum.changed)))
	}},
	{name: "text fails", turn: func(c *conversation) float64 {
		return is(c.signals.failures >= 0 || c.signals.prevents >= 0)
	}},
	{name: "text asks", turn: func(c *conversation) float64 { return is(c.signals.asks >= 0) }},
	{name: "waits after", of: func(a *assertion) float64 { return is(a.waits) }},
	{name: "swapped", of: (*assertion).swaps},
	{name: "look without a read", of: func(a *assertion) float64 { return is(a.unseen) }},
	{name: "asked change made", turn: func(c *conversation) float64 {
		return float64(min(c.about.meant-c.about.uncalled, 2))
	}},
	{name: "asked change not made", turn: func(c *conversation) float64 { return float64(min(c.about.uncalled, 2)) }},
	{name: "near change", of: func(a *assertion) float64 { return float64(a.near.called[fateChanged]) }},
	{name: "near read", of: func(a *assertion) float64 { return float64(a.near.called[fateRead]) }},
	{name: "near open", of: func(a *assertion) float64 { return float64(a.near.open()) }},
	{name: "near earlier", of: func(a *assertion) float64 { return float64(a.near.called[fateEarlier]) }},
	{name: "near missed", of: func(a *assertion) float64 { return float64(a.near.missed) }},
	{name: "missed over made", of: func(a *assertion) float64 { return float64(a.near.missed - a.near.made()) }},
	{name: "missed over change", of: func(a *assertion) float64 {
		return float64(a.near.missed - a.near.called[fateChanged])
	}},
	{name: "open over made", of: func(a *assertion) float64 { return float64(a.near.open() - a.near.made()) }},
	{name: "entry anchor", of: func(a *assertion) float64 { return min(a.unit.anchor, 4) }},
	{name: "entry agrees", of: func(a *assertion) float64 { return float64(min(a.unit.agreed, 5)) }},
	{name: "entry strays", of: func(a *assertion) float64 { return float64(min(a.unit.strayed, 4)) }},
	{name: "entry rivals", of: func(a *assertion) float64 { return float64(min(a.unit.rivaled, 3)) }},
	{name: "entry alike", of: func(a *assertion) float64 { return float64(min(a.unit.alike, 3)) }},
	{name: "entry swapped", of: func(a *assertion) float64 { return float64(min(a.unit.swapped, 3)) }},
	{name: "entry words", of: func(a *assertion) float64 { return float64(min(a.unit.words, 3)) }},
	{name: "entry worked", of: func(a *assertion) float64 { return float64(min(a.unit.worked, 2)) }},
	{name: "entry failed", of: func(a *assertion) float64 { return float64(min(a.unit.failed, 2)) }},
	{name: "entry lone", of: func(a *assertion) float64 { return is(a.unit.lone) }},
	{name: "words unmet", of: func(a *assertion) float64 { return float64(min(a.unmet, 5)) }},
})

func valuesIn(where int) func(*assertion) float64 {
	return func(a *assertion) float64 { return float64(min(a.total[where], 5)) }
}

func ofKind(kind reading.Kind, where int) func(*assertion) float64 {
	return func(a *assertion) float64 { return float64(a.values[kind][where]) }
}

// swaps counts the kinds of values that a clause has and the records have otherwise.
func (a *assertion) swaps() float64 {
	n := 0.0
	for _, swapped := range a.swapped {
		n += is(swapped)
	}
	return n
}

// calls is how many calls this turn made, whatever came of them.
func (c *conversation) calls() int {
	return c.sum.changed + c.sum.read + c.sum.failed + c.sum.pending + c.sum.mended
}
