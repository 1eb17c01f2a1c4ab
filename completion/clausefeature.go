package completion

import (
	"math"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// clauseFeature is one number that says something about an assertion.
type clauseFeature struct {
	name string
	of   func(c *conversation, a *assertion) float64
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

func fitIn(g ground) func(*conversation, *assertion) float64 {
	return func(_ *conversation, a *assertion) float64 { return a.fit[g] }
}

func coverIn(g ground) func(*conversation, *assertion) float64 {
	return func(_ *conversation, a *assertion) float64 { return a.cover[g] }
}

// readingFamilies are the acts that change nothing.
var readingFamilies = lexicon.FamiliesOf(
	lexicon.Read, lexicon.Search, lexicon.Verify, lexicon.Analyze, lexicon.Compare, lexicon.Review, lexicon.Count,
	lexicon.Calculate, lexicon.Track, lexicon.Predict, lexicon.Explain, lexicon.Recommend, lexicon.Answer,
	lexicon.Summarize,
)

func (a *assertion) changing() bool {
	return !a.families.Without(readingFamilies).Empty()
}

// blamesSystem: "the service is down", "it timed out".
func (a *assertion) blamesSystem() bool {
	return a.clause.Roles&(reading.RoleSystem|reading.RoleTransient) != 0 && tellsFailure(a.clause)
}

func (a *assertion) reads() bool { return a.families.Overlaps(readingFamilies) }

var clauseFeatures = []clauseFeature{
	{"verbless", shapeIs(reading.Verbless)},
	{"active perfect", shapeIs(reading.ActivePerfect)},
	{"active past", shapeIs(reading.ActivePast)},
	{"passive perfect", shapeIs(reading.PassivePerfect)},
	{"passive past", shapeIs(reading.PassivePast)},
	{"passive present", shapeIs(reading.PassivePresent)},
	{"fragment", shapeIs(reading.Fragment)},
	{"state", shapeIs(reading.Copula)},
	{"past state", shapeIs(reading.CopulaPast)},
	{"present", shapeIs(reading.Present)},
	{"progressive", shapeIs(reading.Progressive)},
	{"bare", shapeIs(reading.Bare)},
	{"by us", func(_ *conversation, a *assertion) float64 { return is(a.clause.Actor == reading.Us) }},
	{"by you", func(_ *conversation, a *assertion) float64 { return is(a.clause.Actor == reading.You) }},
	{"by others", func(_ *conversation, a *assertion) float64 { return is(a.clause.Actor == reading.Other) }},
	{"presupposed", func(_ *conversation, a *assertion) float64 { return is(a.clause.Mood == reading.Presupposed) }},
	{"negated", func(_ *conversation, a *assertion) float64 { return is(a.clause.Negated) }},
	{"in a list", func(_ *conversation, a *assertion) float64 { return is(a.place == reading.Item) }},
	{"in a table", func(_ *conversation, a *assertion) float64 { return is(a.place == reading.Row) }},
	{"heading", func(_ *conversation, a *assertion) float64 { return is(a.place == reading.Heading) }},
	{"first", func(_ *conversation, a *assertion) float64 { return is(a.first) }},
	{"last", func(_ *conversation, a *assertion) float64 { return is(a.last) }},
	{"earlier", roleIs(reading.RoleEarlier)},
	{"now", roleIs(reading.RoleNow)},
	{"again", roleIs(reading.RoleAgain)},
	{"all", roleIs(reading.RoleAll)},
	{"hedge", roleIs(reading.RoleHedge)},
	{"error", roleIs(reading.RoleError | reading.RoleTrouble | reading.RoleFail)},
	{"unable", roleIs(reading.RoleUnable)},
	{"wait", roleIs(reading.RoleWait)},
	{"verify", roleIs(reading.RoleVerify)},
	{"look", roleIs(reading.RoleLook)},
	{"pass", roleIs(reading.RolePass)},
	{"attempt", roleIs(reading.RoleAttempt)},
	{"done", roleIs(reading.RoleDone)},
	{"tick", roleIs(reading.RoleTick)},
	{"money", roleIs(reading.RoleMoney)},
	{"longer", roleIs(reading.RoleLonger)},
	{"about you", roleIs(reading.RoleYou)},
	{"verb listed", func(_ *conversation, a *assertion) float64 { return is(a.verb != nil) }},
	{"verb changes", func(_ *conversation, a *assertion) float64 { return is(a.changing()) }},
	{"verb reads", func(_ *conversation, a *assertion) float64 { return is(a.reads()) }},
	{"verb talks", func(c *conversation, a *assertion) float64 {
		return is(a.clause.Verb >= 0 && c.text.Roles[a.clause.Verb]&reading.RoleTalk != 0)
	}},
	{"verb asked", func(_ *conversation, a *assertion) float64 { return is(a.asked) }},
	{"user did it", func(_ *conversation, a *assertion) float64 { return is(a.did) }},
	{"words", func(_ *conversation, a *assertion) float64 { return math.Min(8, float64(len(a.words))) }},
	{"change fits", fitIn(inChange)},
	{"read fits", fitIn(inRead)},
	{"failure fits", fitIn(inFailure)},
	{"pending fits", fitIn(inPending)},
	{"earlier fits", fitIn(inEarlier)},
	{"change covers", coverIn(inChange)},
	{"read covers", coverIn(inRead)},
	{"failure covers", coverIn(inFailure)},
	{"pending covers", coverIn(inPending)},
	{"earlier covers", coverIn(inEarlier)},
	{"failure over change", func(_ *conversation, a *assertion) float64 {
		return a.cover[inFailure] + a.fit[inFailure] - a.cover[inChange] - a.fit[inChange]
	}},
	{"best cover", func(_ *conversation, a *assertion) float64 { return max(a.cover[inChange], a.cover[inRead]) }},
	{"best cover with earlier", func(_ *conversation, a *assertion) float64 {
		return max(a.cover[inChange], a.cover[inRead], a.cover[inEarlier])
	}},
	{"uncalled tool fits", func(_ *conversation, a *assertion) float64 { return a.unmade }},
	{"uncalled over called", func(_ *conversation, a *assertion) float64 {
		return a.unmade - max(a.fit[inChange], 0)
	}},
	{"opposite", func(_ *conversation, a *assertion) float64 { return is(a.opposite) }},
	{"user's words", func(_ *conversation, a *assertion) float64 { return a.user }},
	{"previous words", func(_ *conversation, a *assertion) float64 { return a.previous }},
	{"words nowhere", func(_ *conversation, a *assertion) float64 { return a.nowhere }},
	{"words nowhere, n", func(_ *conversation, a *assertion) float64 { return a.nowhere * float64(len(a.words)) }},
	{"values", valuesIn(func(m *mentions) int { return m.all })},
	{"values nowhere", valuesIn(func(m *mentions) int { return m.nowhere })},
	{"values failed", valuesIn(func(m *mentions) int { return m.failed })},
	{"values early", valuesIn(func(m *mentions) int { return m.early })},
	{"values of the user", valuesIn(func(m *mentions) int { return m.userOnly })},
	{"values conflict", valuesIn(func(m *mentions) int { return m.conflict })},
	{"values against", valuesIn(func(m *mentions) int { return m.against })},
	{"values backed", valuesIn(func(m *mentions) int { return m.all - m.nowhere - m.failed - m.early - m.userOnly })},
	{"ids nowhere", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.ID].nowhere) }},
	{"ids of the user", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.ID].userOnly) }},
	{"ids against", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.ID].against) }},
	{"numbers nowhere", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.Number].nowhere) }},
	{"numbers of the user", func(_ *conversation, a *assertion) float64 {
		return float64(a.values[reading.Number].userOnly)
	}},
	{"numbers against", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.Number].against) }},
	{"days nowhere", func(_ *conversation, a *assertion) float64 {
		return float64(a.values[reading.Date].nowhere + a.values[reading.Weekday].nowhere)
	}},
	{"days of the user", func(_ *conversation, a *assertion) float64 {
		return float64(a.values[reading.Date].userOnly + a.values[reading.Weekday].userOnly)
	}},
	{"days against", func(_ *conversation, a *assertion) float64 {
		return float64(a.values[reading.Date].against + a.values[reading.Weekday].against)
	}},
	{"clocks nowhere", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.Clock].nowhere) }},
	{"clocks against", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.Clock].against) }},
	{"names", func(_ *conversation, a *assertion) float64 { return float64(a.names.all) }},
	{"names nowhere", func(_ *conversation, a *assertion) float64 { return float64(a.names.nowhere) }},
	{"names of the user", func(_ *conversation, a *assertion) float64 { return float64(a.names.userOnly) }},
	{"names failed", func(_ *conversation, a *assertion) float64 { return float64(a.names.failed) }},
	{"names early", func(_ *conversation, a *assertion) float64 { return float64(a.names.early) }},
	{"count", func(_ *conversation, a *assertion) float64 { return math.Min(a.count, 5) }},
	{"count over changes", func(c *conversation, a *assertion) float64 {
		return is(a.count > float64(c.sum.changed) && a.count > 0 && c.sum.changed > 0)
	}},
	{"paid", func(_ *conversation, a *assertion) float64 { return is(a.paid) }},
	{"no change", func(c *conversation, _ *assertion) float64 { return is(c.sum.changed == 0) }},
	{"no success", func(c *conversation, _ *assertion) float64 { return is(c.sum.changed+c.sum.read == 0) }},
	{"no call", func(c *conversation, _ *assertion) float64 { return is(c.calls() == 0) }},
	{"failures", func(c *conversation, _ *assertion) float64 { return float64(min(3, c.sum.failed)) }},
	{"pending", func(c *conversation, _ *assertion) float64 { return float64(min(3, c.sum.pending)) }},
	{"changed before", func(c *conversation, _ *assertion) float64 { return is(c.sum.changedBefore > 0) }},
	{"read before", func(c *conversation, _ *assertion) float64 { return is(c.sum.readBefore > 0) }},
	{"excused", func(_ *conversation, a *assertion) float64 { return is(a.excused) }},
	{"excused by a failure", func(c *conversation, a *assertion) float64 {
		return is(a.excused && c.sum.failed+c.sum.pending > 0)
	}},
	{"refrains", roleIs(reading.RoleRefrain)},
	{"system", roleIs(reading.RoleSystem)},
	{"transient", roleIs(reading.RoleTransient)},
	{"part", roleIs(reading.RolePart)},
	{"sorry", roleIs(reading.RoleSorry)},
	{"words asked for", func(c *conversation, _ *assertion) float64 { return is(c.about.roles&reading.RoleWords != 0) }},
	{"about words", roleIs(reading.RoleWords)},
	{"nth report", func(_ *conversation, a *assertion) float64 { return float64(min(a.nth, 5)) }},
	{"nth over changes", func(c *conversation, a *assertion) float64 {
		return float64(min(max(a.nth-c.sum.changed, -2), 3)) * is(a.nth > 0)
	}},
	{"framed", func(_ *conversation, a *assertion) float64 { return is(a.framed) }},
	{"quoted", func(_ *conversation, a *assertion) float64 { return a.quoted }},
	{"words known", func(_ *conversation, a *assertion) float64 { return a.known }},
	{"computed", func(_ *conversation, a *assertion) float64 { return float64(min(3, a.values[reading.Number].derived)) }},
	{"result says no", func(_ *conversation, a *assertion) float64 { return is(a.saysNo) }},
	{"fit and known", func(_ *conversation, a *assertion) float64 { return a.fit[inChange] * a.known }},
	{"error without failure", func(c *conversation, a *assertion) float64 {
		return is(c.sum.failed+c.sum.pending+c.sum.mended == 0 && tellsFailure(a.clause))
	}},
	{"system fails", func(c *conversation, a *assertion) float64 {
		return is(c.sum.failed+c.sum.mended == 0 && a.blamesSystem())
	}},
	{"user asks", func(c *conversation, _ *assertion) float64 { return is(c.about.asks) }},
	{"user orders", func(c *conversation, _ *assertion) float64 { return is(c.about.orders) }},
	{"user denies", func(c *conversation, _ *assertion) float64 { return is(c.about.roles&reading.RoleNegative != 0) }},
	{"user refrains", func(c *conversation, _ *assertion) float64 { return is(c.about.roles&reading.RoleRefrain != 0) }},
	{"user looks back", func(c *conversation, _ *assertion) float64 { return is(c.about.looksBack) }},
	{"user answers", func(c *conversation, _ *assertion) float64 { return is(c.about.answers) }},
	{"acts over changes", func(c *conversation, _ *assertion) float64 {
		return float64(max(-2, min(3, c.about.acts-c.sum.changed)))
	}},
	{"open ended", func(c *conversation, _ *assertion) float64 { return is(c.openEnded) }},
	{"unknown ends", func(c *conversation, _ *assertion) float64 { return is(c.sum.unknown > 0) }},
	{"text waits", func(c *conversation, _ *assertion) float64 { return is(c.all&reading.RoleWait != 0) }},
	{"text fails", func(c *conversation, _ *assertion) float64 {
		return is(c.signals.failures >= 0 || c.signals.prevents >= 0)
	}},
	{"text asks", func(c *conversation, _ *assertion) float64 { return is(c.signals.asks >= 0) }},
	{"text asks whether", func(c *conversation, _ *assertion) float64 { return is(c.signals.confirms >= 0) }},
	{"waits after", func(_ *conversation, a *assertion) float64 { return is(a.waits) }},
	{"swapped number", swapIn(reading.Number)},
	{"swapped id", swapIn(reading.ID)},
	{"swapped day", func(_ *conversation, a *assertion) float64 {
		return is(a.swapped[reading.Date] || a.swapped[reading.Weekday])
	}},
	{"swapped clock", swapIn(reading.Clock)},
	{"swapped name", swapIn(reading.Word)},
	{"swapped", func(_ *conversation, a *assertion) float64 { return a.swaps() }},
	{"look without a read", func(c *conversation, a *assertion) float64 { return is(c.looksWithoutRead(a)) }},
	{"asked change made", func(c *conversation, _ *assertion) float64 {
		return float64(min(c.wanted.all-c.wanted.uncalled, 2))
	}},
	{"asked change not made", func(c *conversation, _ *assertion) float64 { return float64(min(c.wanted.uncalled, 2)) }},
	{"result refuses", func(_ *conversation, a *assertion) float64 { return is(a.remarked()&refused != 0) }},
	{"result accepts", func(c *conversation, a *assertion) float64 {
		return is(a.remarked()&accepted != 0 && c.all&reading.RoleWait == 0)
	}},
	{"words unmet", func(_ *conversation, a *assertion) float64 { return float64(min(a.unmet, 5)) }},
	{"share unmet", func(_ *conversation, a *assertion) float64 {
		return float64(a.unmet) / float64(max(1, len(a.words)))
	}},
	{"arithmetic", func(_ *conversation, a *assertion) float64 {
		return is(a.values[reading.Number].derived > 0 && a.total.nowhere == 0)
	}},
	{"yours to look up", func(c *conversation, a *assertion) float64 { return is(c.ofYours(a)) }},
}

func valuesIn(of func(*mentions) int) func(*conversation, *assertion) float64 {
	return func(_ *conversation, a *assertion) float64 { return float64(min(of(&a.total), 5)) }
}

func swapIn(k reading.Kind) func(*conversation, *assertion) float64 {
	return func(_ *conversation, a *assertion) float64 { return is(a.swapped[k]) }
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

// remarked is what the result of the best change says of it.
func (a *assertion) remarked() remark {
	if a.best[inChange] == nil {
		return 0
	}
	return a.best[inChange].remarks
}

// calls is how many calls this turn made, whatever came of them.
func (c *conversation) calls() int {
	return c.sum.changed + c.sum.read + c.sum.failed + c.sum.pending + c.sum.mended
}

// succeededBefore reports whether a call of an earlier turn succeeded.
func (c *conversation) succeededBefore() bool { return c.sum.readBefore+c.sum.changedBefore > 0 }
