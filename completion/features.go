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

var readingFamilies = lexicon.FamiliesOf(lexicon.Read, lexicon.Search, lexicon.Verify, lexicon.Analyze, lexicon.Compare, lexicon.Review, lexicon.Count, lexicon.Calculate, lexicon.Track, lexicon.Predict, lexicon.Explain, lexicon.Recommend, lexicon.Answer, lexicon.Summarize)

func (a *assertion) changing() bool {
	return !a.families.Without(readingFamilies).Empty()
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
	{"values", func(_ *conversation, a *assertion) float64 {
		return float64(a.sumOf(func(m *mentions) int { return m.all }))
	}},
	{"values nowhere", func(_ *conversation, a *assertion) float64 {
		return float64(a.sumOf(func(m *mentions) int { return m.nowhere }))
	}},
	{"values failed", func(_ *conversation, a *assertion) float64 {
		return float64(a.sumOf(func(m *mentions) int { return m.failed }))
	}},
	{"values early", func(_ *conversation, a *assertion) float64 {
		return float64(a.sumOf(func(m *mentions) int { return m.early }))
	}},
	{"values of the user", func(_ *conversation, a *assertion) float64 {
		return float64(a.sumOf(func(m *mentions) int { return m.userOnly }))
	}},
	{"values conflict", func(_ *conversation, a *assertion) float64 {
		return float64(a.sumOf(func(m *mentions) int { return m.conflict }))
	}},
	{"values against", func(_ *conversation, a *assertion) float64 {
		return float64(a.sumOf(func(m *mentions) int { return m.against }))
	}},
	{"values backed", func(_ *conversation, a *assertion) float64 {
		return float64(a.sumOf(func(m *mentions) int { return m.all - m.nowhere - m.failed - m.early - m.userOnly }))
	}},
	{"ids nowhere", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.ID].nowhere) }},
	{"ids of the user", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.ID].userOnly) }},
	{"ids against", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.ID].against) }},
	{"numbers nowhere", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.Number].nowhere) }},
	{"numbers of the user", func(_ *conversation, a *assertion) float64 { return float64(a.values[reading.Number].userOnly) }},
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
	{"excused by a failure", func(c *conversation, a *assertion) float64 { return is(a.excused && c.sum.failed+c.sum.pending > 0) }},
	{"refrains", roleIs(reading.RoleRefrain)},
	{"system", roleIs(reading.RoleSystem)},
	{"transient", roleIs(reading.RoleTransient)},
	{"part", roleIs(reading.RolePart)},
	{"sorry", roleIs(reading.RoleSorry)},
	{"words asked for", func(c *conversation, _ *assertion) float64 { return is(rolesOf(&c.user)&reading.RoleWords != 0) }},
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
		return is(c.sum.failed+c.sum.pending+c.sum.mended == 0 && (a.clause.Negated || a.clause.Roles&(reading.RoleError|reading.RoleTrouble|reading.RoleFail|reading.RoleUnable) != 0))
	}},
	{"system fails", func(c *conversation, a *assertion) float64 {
		return is(c.sum.failed+c.sum.mended == 0 && a.clause.Roles&(reading.RoleSystem|reading.RoleTransient) != 0 && (a.clause.Negated || a.clause.Roles&(reading.RoleError|reading.RoleTrouble|reading.RoleFail|reading.RoleUnable) != 0))
	}},
	{"user asks", func(c *conversation, _ *assertion) float64 { return is(c.userAsks()) }},
	{"user orders", func(c *conversation, _ *assertion) float64 { return is(c.userOrders()) }},
}

func (a *assertion) sumOf(of func(*mentions) int) int {
	n := of(&a.names)
	for k := range a.values {
		n += of(&a.values[k])
	}
	return min(n, 5)
}

func (c *conversation) calls() int {
	return c.sum.changed + c.sum.read + c.sum.failed + c.sum.pending + c.sum.mended
}

func (c *conversation) userAsks() bool {
	for i := range c.user.Sentences {
		if c.user.Sentences[i].Asking {
			return true
		}
	}
	return len(c.user.Roles) > 0 && c.user.Roles[0]&reading.RoleQuestion != 0
}

func (c *conversation) userOrders() bool {
	for i := range c.user.Clauses {
		if c.user.Clauses[i].Mood == reading.Ordered {
			return true
		}
	}
	return false
}

// turnFeature is one number about the turn as a whole.
type turnFeature struct {
	name string
	of   func(c *conversation, doubts []float64) float64
}

func countClauses(c *conversation, fits func(*reading.Clause) bool) float64 {
	n := 0
	for i := range c.text.Clauses {
		if fits(&c.text.Clauses[i]) {
			n++
		}
	}
	return float64(min(n, 6))
}

func countAssertions(c *conversation, fits func(*assertion) bool) float64 {
	n := 0
	for i := range c.assertions {
		if fits(&c.assertions[i]) {
			n++
		}
	}
	return float64(min(n, 6))
}

func maxAssertion(c *conversation, of func(*assertion) float64) float64 {
	best := 0.0
	for i := range c.assertions {
		best = max(best, of(&c.assertions[i]))
	}
	return best
}

func (a *assertion) ours() bool {
	return a.clause.Actor == reading.Us && (a.clause.Shape == reading.ActivePerfect || a.clause.Shape == reading.ActivePast) && !a.clause.Negated
}

func (a *assertion) told() bool {
	return !a.clause.Negated && a.clause.Actor != reading.You && (a.clause.Actor != reading.Other || a.clause.Shape == reading.Fragment) &&
		(a.ours() || a.clause.Shape == reading.PassivePerfect || a.clause.Shape == reading.PassivePast || a.clause.Shape == reading.PassivePresent || a.clause.Shape == reading.Fragment)
}

var turnFeatures = []turnFeature{
	{"top doubt", func(_ *conversation, d []float64) float64 { return topOf(d, 0) }},
	{"second doubt", func(_ *conversation, d []float64) float64 { return topOf(d, 1) }},
	{"third doubt", func(_ *conversation, d []float64) float64 { return topOf(d, 2) }},
	{"mean doubt", func(_ *conversation, d []float64) float64 { return meanOf(d) }},
	{"any doubt", func(_ *conversation, d []float64) float64 {
		p := 1.0
		for _, x := range d {
			p *= 1 - x
		}
		return 1 - p
	}},
	{"assertions", func(c *conversation, _ []float64) float64 { return float64(min(20, len(c.assertions))) }},
	{"changed", func(c *conversation, _ []float64) float64 { return float64(min(4, c.sum.changed)) }},
	{"read", func(c *conversation, _ []float64) float64 { return float64(min(4, c.sum.read)) }},
	{"failed", func(c *conversation, _ []float64) float64 { return float64(min(3, c.sum.failed)) }},
	{"pending", func(c *conversation, _ []float64) float64 { return float64(min(3, c.sum.pending)) }},
	{"mended", func(c *conversation, _ []float64) float64 { return float64(min(3, c.sum.mended)) }},
	{"calls", func(c *conversation, _ []float64) float64 { return float64(min(8, c.calls())) }},
	{"changed before", func(c *conversation, _ []float64) float64 { return float64(min(3, c.sum.changedBefore)) }},
	{"read before", func(c *conversation, _ []float64) float64 { return float64(min(3, c.sum.readBefore)) }},
	{"length", func(c *conversation, _ []float64) float64 { return math.Log(1 + float64(len(c.text.Source))) }},
	{"sentences", func(c *conversation, _ []float64) float64 { return float64(min(12, len(c.text.Sentences))) }},
	{"own reports", func(c *conversation, _ []float64) float64 { return countAssertions(c, (*assertion).ours) }},
	{"reports", func(c *conversation, _ []float64) float64 { return countAssertions(c, (*assertion).told) }},
	{"reports of changes", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.told() && a.changing() })
	}},
	{"reports over changes", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.told() && a.changing() }) - float64(c.sum.changed)
	}},
	{"unfit reports", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.told() && a.changing() && a.fit[inChange] < 0.5 })
	}},
	{"states", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.clause.Shape >= reading.Copula && !a.clause.Negated })
	}},
	{"denials", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.clause.Negated })
	}},
	{"errors told", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool {
			return a.clause.Roles&(reading.RoleError|reading.RoleTrouble|reading.RoleFail|reading.RoleUnable|reading.RoleSorry) != 0
		})
	}},
	{"waiting told", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.clause.Roles&reading.RoleWait != 0 })
	}},
	{"untold failure", func(c *conversation, _ []float64) float64 {
		told := countAssertions(c, func(a *assertion) bool {
			return a.clause.Negated || a.clause.Roles&(reading.RoleError|reading.RoleTrouble|reading.RoleFail|reading.RoleUnable|reading.RoleSorry|reading.RoleWait) != 0
		})
		return is(c.sum.failed+c.sum.pending > 0 && told == 0)
	}},
	{"questions", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool { return k.Mood == reading.Asked })
	}},
	{"ends asking", func(c *conversation, _ []float64) float64 {
		n := len(c.text.Sentences)
		return is(n > 0 && c.text.Sentences[n-1].Asking)
	}},
	{"promises", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool { return k.Mood == reading.Future && k.Actor == reading.Us && !k.Negated })
	}},
	{"futures", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool { return k.Mood == reading.Future })
	}},
	{"possibles", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool { return k.Mood == reading.Possible })
	}},
	{"conditions", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool { return k.Mood == reading.Conditional })
	}},
	{"orders", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool { return k.Mood == reading.Ordered })
	}},
	{"unknown words", func(c *conversation, _ []float64) float64 {
		unknown, all := 0, 1
		for i := range c.text.Sentences {
			unknown += c.text.Sentences[i].Unknown
			all += c.text.Sentences[i].Words
		}
		return float64(unknown) / float64(all)
	}},
	{"user asks", func(c *conversation, _ []float64) float64 { return is(c.userAsks()) }},
	{"user orders", func(c *conversation, _ []float64) float64 { return is(c.userOrders()) }},
	{"user denies", func(c *conversation, _ []float64) float64 { return is(rolesOf(&c.user)&reading.RoleNegative != 0) }},
	{"user's length", func(c *conversation, _ []float64) float64 { return math.Log(1 + float64(len(c.user.Source))) }},
	{"tools asked for", func(c *conversation, _ []float64) float64 { n, _ := c.askedTools(); return float64(min(n, 4)) }},
	{"tools asked for, uncalled", func(c *conversation, _ []float64) float64 { _, n := c.askedTools(); return float64(min(n, 4)) }},
	{"text values nowhere", func(c *conversation, _ []float64) float64 { return c.valuesNowhere(false) }},
	{"text ids nowhere", func(c *conversation, _ []float64) float64 { return c.valuesNowhere(true) }},
	{"user values unused", func(c *conversation, _ []float64) float64 { return c.userUnused() }},
	{"most words nowhere", func(c *conversation, _ []float64) float64 {
		return maxAssertion(c, func(a *assertion) float64 { return a.nowhere * float64(min(4, len(a.words))) })
	}},
	{"most values nowhere", func(c *conversation, _ []float64) float64 {
		return maxAssertion(c, func(a *assertion) float64 { return float64(a.sumOf(func(m *mentions) int { return m.nowhere })) })
	}},
	{"uncovered reports", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool {
			return a.told() && max(a.cover[inChange], a.cover[inRead], a.cover[inEarlier]) < 0.34
		})
	}},
	{"verification told", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.told() && a.clause.Roles&reading.RoleVerify != 0 })
	}},
	{"presupposed", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.clause.Mood == reading.Presupposed })
	}},
	{"words asked for", func(c *conversation, _ []float64) float64 { return is(rolesOf(&c.user)&reading.RoleWords != 0) }},
	{"result says no", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.saysNo })
	}},
	{"refrains", func(c *conversation, _ []float64) float64 { return is(rolesOf(&c.text)&reading.RoleRefrain != 0) }},
	{"system fails", func(c *conversation, _ []float64) float64 {
		return is(c.sum.failed+c.sum.mended == 0) * countAssertions(c, func(a *assertion) bool {
			return a.clause.Roles&(reading.RoleSystem|reading.RoleTransient) != 0 && (a.clause.Negated || a.clause.Roles&(reading.RoleError|reading.RoleTrouble|reading.RoleFail|reading.RoleUnable) != 0)
		})
	}},
	{"asks", func(c *conversation, _ []float64) float64 { return is(c.signals.asks >= 0) }},
	{"asks whether", func(c *conversation, _ []float64) float64 { return is(c.signals.confirms >= 0) }},
	{"offers", func(c *conversation, _ []float64) float64 { return is(c.signals.offers >= 0) }},
	{"prevented", func(c *conversation, _ []float64) float64 { return is(c.signals.prevents >= 0) }},
	{"prevented first", func(c *conversation, _ []float64) float64 { return is(c.signals.prevents == 0) }},
	{"speaks of failure", func(c *conversation, _ []float64) float64 { return is(c.signals.failures >= 0) }},
	{"ends in a promise", func(c *conversation, _ []float64) float64 { return is(c.pendingPromise()) }},
	{"announces", func(c *conversation, _ []float64) float64 { return is(c.signals.promises >= 0) }},
	{"tools that change", func(c *conversation, _ []float64) float64 {
		n := 0
		for i := range c.tools {
			if c.tools[i].changes {
				n++
			}
		}
		return is(n > 0)
	}},
	{"after an offer", func(c *conversation, _ []float64) float64 {
		n := len(c.previous.Sentences)
		return is(n > 0 && c.previous.Sentences[n-1].Asking)
	}},
}

func rolesOf(t *reading.Text) reading.Role {
	var all reading.Role
	for i := range t.Sentences {
		all |= t.Sentences[i].Roles
	}
	return all
}

// askedTools are the tools that change and that the user's words may mean, and
// those of them that were not called.
func (c *conversation) askedTools() (all, uncalled int) {
	for i := range c.tools {
		if t := &c.tools[i]; t.changes && c.userMeans(t) {
			all++
			if t.called == 0 {
				uncalled++
			}
		}
	}
	return all, uncalled
}

// userMeans reports whether the user's words may ask for a tool.
func (c *conversation) userMeans(t *toolFacts) bool {
	for k := range c.user.Tokens {
		entry := c.user.Tokens[k].Entry
		if entry == nil || !entry.Form.Has(lexicon.Base|lexicon.Gerund) {
			continue
		}
		if t.Verb.Entry != nil && entry.ID == t.Verb.Entry.ID || entry.Families.Overlaps(t.Families) {
			return true
		}
	}
	return false
}

// valuesNowhere counts the values of the text that are in no record and no
// message.
func (c *conversation) valuesNowhere(ids bool) float64 {
	n := 0
	for i := range c.text.Values {
		v := &c.text.Values[i]
		if v.Kind == reading.Word || v.Has(reading.Derived|reading.Merged|reading.Worded) || ids != (v.Kind == reading.ID) {
			continue
		}
		if !c.holds(&c.now[fateChanged], v) && !c.holds(&c.now[fateRead], v) && !c.holds(&c.now[fateFailed], v) && !c.holds(&c.before, v) && !c.holds(&c.said, v) && !c.holds(&c.answered, v) {
			n++
		}
	}
	return float64(min(n, 6))
}

// userUnused counts values of the user's message that the text repeats, and no
// successful record holds.
func (c *conversation) userUnused() float64 {
	n := 0
	for i := range c.user.Values {
		v := &c.user.Values[i]
		if v.Has(reading.Derived|reading.Merged) || v.Kind == reading.Word && !(v.Has(reading.Capital) && v.Entry == nil) {
			continue
		}
		if !c.knownNow(v.Key) && !c.before.has(v.Key) {
			for k := range c.text.Values {
				if c.text.Values[k].Key == v.Key {
					n++
					break
				}
			}
		}
	}
	return float64(min(n, 4))
}

func topOf(d []float64, skip int) float64 {
	var top [3]float64
	for _, x := range d {
		for k := range top {
			if x > top[k] {
				top[k], x = x, top[k]
			}
		}
	}
	return top[skip]
}

func meanOf(d []float64) float64 {
	if len(d) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range d {
		sum += x
	}
	return sum / float64(len(d))
}

// clauseVector computes the features of an assertion.
func (c *conversation) clauseVector(a *assertion) {
	c.vector = c.vector[:0]
	for i := range clauseFeatures {
		c.vector = append(c.vector, float32(clauseFeatures[i].of(c, a)))
	}
}

// turnVector computes the features of the turn, from the doubts about its
// assertions.
func (c *conversation) turnVector() {
	c.doubts = c.doubts[:0]
	for i := range c.assertions {
		c.doubts = append(c.doubts, c.assertions[i].doubt)
	}
	c.vector = c.vector[:0]
	for i := range turnFeatures {
		c.vector = append(c.vector, float32(turnFeatures[i].of(c, c.doubts)))
	}
}

// functionWord are the classes of words that say nothing by themselves.
const functionWord = lexicon.Negation | lexicon.Modal | lexicon.Auxiliary | lexicon.FirstPerson | lexicon.SecondPerson | lexicon.ThirdPerson |
	lexicon.Possessive | lexicon.Determiner | lexicon.Preposition | lexicon.Conjunction | lexicon.Question | lexicon.Condition | lexicon.Politeness |
	lexicon.Affirmation | lexicon.Greeting | lexicon.Interjection | lexicon.Pronoun | lexicon.Sequence | lexicon.Hedge
