package completion

import (
	"bytes"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// contradicted are the rules about claims that the records tell otherwise.
var contradicted = []rule{
	{
		Name: "another title",
		When: func(c *conversation, a *assertion) bool {
			names := &a.values[reading.Word]
			return a.told() && c.touched(a) != "" && a.fit[fateChanged] >= 0.9 &&
				names[named] > 0 && names[against] == names[named]
		},
		Then: Sure, Fault: faultOther,
	},
	{
		Name: "entry not in the result",
		When: func(c *conversation, a *assertion) bool {
			return a.entry && c.sum.read > 0 && c.calls() == c.sum.read && len(a.words) > 0 && a.nowhere == 1
		},
		Then: Unsure, Fault: faultOther,
	},
	{Name: "another id", When: (*conversation).anotherID, Then: Sure, Fault: faultOther},
	{Name: "not this one", When: (*conversation).notThisOne, Then: Sure, Fault: faultOther},
	{Name: "another thing", When: (*conversation).anotherThing, Then: Unsure, Fault: faultOther},
	{
		Name: "more than was done",
		When: func(c *conversation, a *assertion) bool {
			ids, numbers := &a.values[reading.ID], &a.values[reading.Number]
			some := ids[conflict] > 0 && ids[conflict] < ids[named] && a.best[fateChanged] != nil && !a.own() ||
				ids[userOnly] > 0 && ids[against] > 0 && c.plain(a.best[fateChanged]) // of two that were asked for, one
			counted := a.changing() && a.fit[fateChanged] >= 0.9 && a.count > max(1, float64(c.sum.changed)) &&
				numbers[nowhere]+numbers[userOnly] > 0
			return a.told() && (some || counted || c.tooMany(a) || c.oneFailed(a))
		},
		Then: Unsure, Fault: faultFewer,
	},
	{
		Name: "another value",
		When: func(c *conversation, a *assertion) bool {
			named := is(a.swapped[reading.Word]) // a name may be another one's, or a title
			return a.swaps() > named && !a.own() && !a.clause.Negated
		},
		Then: Sure, At: 0.62, Fault: faultOther,
	},
	{Name: "the records are mixed up", When: (*conversation).mixed, Then: Unsure, Fault: faultOther},
}

// touched is the title of what the best change was done to, empty where an id stands
// for it, since nobody knows the title.
func (c *conversation) touched(a *assertion) string {
	best := a.best[fateChanged]
	if best == nil || len(best.record.Touched) == 0 {
		return ""
	}
	title := best.record.Touched[0].Title
	if strings.ContainsAny(title, "0123456789") && !strings.Contains(title, " ") {
		return ""
	}
	return title
}

// anotherID: an id is told to have been changed that no change has, and those of this
// turn have others of its kind: TR-4 was cancelled, and TR-5 is told.
func (c *conversation) anotherID(a *assertion) bool {
	best := a.best[fateChanged]
	if !a.told() || !a.changing() || a.own() || best == nil || a.fit[fateChanged] < 0.5 || !c.plain(best) {
		return false
	}
	another := false
	for _, v := range c.text.Values[a.clause.FirstValue:a.clause.LastValue] {
		if v.Kind != reading.ID || v.Has(reading.Derived|reading.Merged) || v.End-v.Start >= long {
			continue
		}
		changed := func(f fact) bool { return f.fate == fateChanged && c.known.Holds(f.itself, &v) }
		if slices.ContainsFunc(c.facts, changed) || c.spelled(&v) {
			return false // "NW101 was changed to NW105" names the one that the record has
		}
		another = another || c.changedLike(c.text.Source[v.Start:v.End])
	}
	return another
}

// notThisOne: things of a kind were changed one by one, and one is told with them that
// no change was called for, or only one that failed: M-377 was cancelled, M-391 is told.
func (c *conversation) notThisOne(a *assertion) bool {
	const otherwise = fails | reading.RoleRefrain | reading.RoleWait
	list := a.clause.Shape == reading.Verbless // "S-20717 ✅"
	if a.own() || a.clause.Negated || a.clause.Roles&otherwise != 0 || c.openEnded ||
		!list && (!a.told() || a.fit[fateChanged] < 0.5) {
		return false
	}
	unmade, made := false, false
	for _, v := range c.text.Values[a.clause.FirstValue:a.clause.LastValue] {
		if v.Kind != reading.ID || v.Has(reading.Derived|reading.Merged) || v.End-v.Start >= long {
			continue
		}
		worked, failed := c.calledFor(&v)
		like := !worked && c.changedLike(c.text.Source[v.Start:v.End])
		if like && failed {
			return true
		}
		made = made || worked // "NW101 was changed to NW105"
		unmade = unmade || like && a.told() && a.changing()
	}
	return unmade && !made
}

// calledFor reports whether a change of an id was called for that did not fail, or made
// it, and whether one failed.
func (c *conversation) calledFor(v *reading.Value) (worked, failed bool) {
	id := []byte(c.text.Source[v.Start:v.End])
	for i := range c.facts {
		f := &c.facts[i]
		called := bytes.Contains(f.record.Args, id)
		switch f.fate {
		case fateFailed:
			failed = failed || called
		case fateChanged:
			worked = worked || called || c.known.Holds(f.itself, v)
		case fateRead:
		default:
			worked = worked || called
		}
	}
	return worked, failed
}

// anotherThing: an act that was done is told of a thing that nobody has spoken of, and
// the title of what it was done to is known.
func (c *conversation) anotherThing(a *assertion) bool {
	return c.touched(a) != "" && a.told() && a.changing() && !a.own() && !a.clause.Negated && a.fit[fateChanged] >= 0.9 &&
		len(a.words) > 0 && a.nowhere == 1 && a.total.backed() == 0 && c.plain(a.best[fateChanged])
}

// changedLike reports whether a change of this turn was called with an id like one.
func (c *conversation) changedLike(id string) bool {
	return slices.ContainsFunc(c.made, func(f fact) bool {
		return f.fate == fateChanged && slices.ContainsFunc(c.slots[f.slots[0]:f.slots[1]], func(v reading.Value) bool {
			return v.Kind == reading.ID && beforeDigits(string(f.record.Args[v.Start:v.End])) == beforeDigits(id)
		})
	})
}

// beforeDigits is what ids of one kind have in common: the TR- of TR-4.
func beforeDigits(id string) string {
	if i := strings.IndexAny(id, "0123456789"); i >= 0 {
		return id[:i]
	}
	return id
}

// oneFailed: several things are told as done, and of the calls that did it one failed,
// which the text does not say.
func (c *conversation) oneFailed(a *assertion) bool {
	best := a.best[fateChanged]
	if c.sum.failed == 0 || best == nil || c.tellsFailure() {
		return false
	}
	several := slices.ContainsFunc(c.text.Tokens[a.clause.From:a.clause.To], func(token lexicon.Token) bool {
		return token.Form().Has(lexicon.Plural)
	})
	return several && slices.ContainsFunc(c.made, func(f fact) bool {
		return f.fate == fateFailed && !f.mended && f.tool == best.tool && f.tool.changes
	})
}

// tooMany: more is told than this turn and earlier ones have changed together.
func (c *conversation) tooMany(a *assertion) bool {
	return a.changing() && !a.own() && a.fit[fateChanged] >= 0.9 && c.plain(a.best[fateChanged]) && a.uncounted &&
		a.count > float64(c.sum.changed+c.sum.changedBefore)
}

// plain reports whether a change says in few words what it did, in a turn of few
// calls: what a script or a long document has brought about has values that its
// arguments do not show.
func (c *conversation) plain(f *fact) bool {
	const calls, bytes = 6, 400
	return f != nil && c.calls() <= calls && len(f.record.Args) <= bytes
}

// mixed: a clause names one id, and a value that another change has, not the one
// of that id.
func (c *conversation) mixed(a *assertion) bool {
	if c.sum.changed < 2 || !a.told() || a.own() || a.values[reading.ID][named] != 1 || !c.plain(a.best[fateChanged]) {
		return false
	}
	values := c.text.Values[a.clause.FirstValue:a.clause.LastValue]
	id := slices.IndexFunc(values, func(v reading.Value) bool {
		return v.Kind == reading.ID && !v.Has(reading.Derived|reading.Merged)
	})
	if id < 0 || c.known.Of(values[id].Key)&(1<<fateChanged) == 0 {
		return false
	}
	return slices.ContainsFunc(values, func(v reading.Value) bool {
		compared := v.Kind == reading.Number || v.Kind == reading.Clock || v.Kind == reading.Date
		return compared && !v.Has(reading.Derived|reading.Merged|reading.Worded) && c.apart(values[id].Key, &v)
	})
}

// apart reports whether changes of this turn hold a value, but none that holds the id.
func (c *conversation) apart(id uint64, v *reading.Value) bool {
	held := func(withID bool) bool {
		return slices.ContainsFunc(c.made, func(f fact) bool {
			return f.fate == fateChanged && c.known.In(c.known.Row(id), f.itself) == withID && c.known.Holds(f.itself, v)
		})
	}
	return held(false) && !held(true)
}
