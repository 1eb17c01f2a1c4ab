package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// contradicted are the rules about claims that the records tell otherwise.
var contradicted = []rule{
	{
		Name: "another thing",
		When: func(c *conversation, a *assertion) bool {
			m := &a.values[reading.ID]
			exchanged := m[userOnly] > 0 || m[conflict] > 0 && m[against] == m[named]
			return a.told() && !a.own() && c.plain(a.best[fateChanged]) && m[against] > 0 && exchanged
		},
		Then: Sure, Fault: faultOther,
	},
	{
		Name: "one thing too many",
		When: func(c *conversation, a *assertion) bool {
			m := &a.values[reading.ID]
			return a.told() && !a.own() && a.best[fateChanged] != nil && m[conflict] > 0 && m[conflict] < m[named]
		},
		Then: Unsure, Fault: faultFewer,
	},
	{
		Name: "another title",
		When: func(c *conversation, a *assertion) bool {
			best := a.best[fateChanged]
			if !a.told() || best == nil || len(best.record.Touched) == 0 || a.fit[fateChanged] < 0.9 {
				return false
			}
			title := best.record.Touched[0].Title // an id stands there where nobody knows the title
			titled := strings.Contains(title, " ") || title != "" && !strings.ContainsAny(title, "0123456789")
			return titled && a.names[named] > 0 && a.names[against] == a.names[named]
		},
		Then: Sure, Fault: faultOther,
	},
	{
		Name: "more than was done",
		When: func(c *conversation, a *assertion) bool {
			if !a.told() || !a.changing() || a.fit[fateChanged] < 0.9 || a.count <= max(1, float64(c.sum.changed)) {
				return false
			}
			numbers := &a.values[reading.Number]
			return numbers[nowhere]+numbers[userOnly] > 0 || c.unserved()
		},
		Then: Unsure, Fault: faultFewer,
	},
	{
		Name: "another value",
		When: func(c *conversation, a *assertion) bool {
			named := is(a.swapped[reading.Word]) // a name may be another one's, or a title
			return a.swaps() > named && !a.own() && !a.clause.Negated
		},
		Then: Sure, At: 0.68, Fault: faultOther,
	},
	{Name: "the records are mixed up", When: (*conversation).mixed, Then: Unsure, Fault: faultOther},
	{
		Name: "only the user names it",
		When: func(c *conversation, a *assertion) bool {
			for k := range a.values {
				if a.values[k][userOnly] > 0 && a.values[k][against] > 0 {
					return c.plain(a.best[fateChanged]) && a.told() && !a.own()
				}
			}
			return false
		},
		Then: Sure, At: 0.68, Fault: faultOther,
	},
}

// plain reports whether a change says in few words what it did, in a turn of few
// calls: what a script or a long document has brought about has values that its
// arguments do not show.
func (c *conversation) plain(f *fact) bool {
	const calls, bytes = 6, 400
	return f != nil && c.calls() <= calls && len(f.record.Args) <= bytes
}

// unserved reports whether the user names an id that no successful call of this
// turn has: "close T-1 and T-2", and T-1 alone was.
func (c *conversation) unserved() bool {
	return slices.ContainsFunc(c.user.Values, func(v reading.Value) bool {
		return v.Kind == reading.ID && !v.Has(reading.Derived|reading.Merged) && !c.knownNow(v.Key)
	})
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
	if id < 0 || !c.now[fateChanged].has(values[id].Key) {
		return false
	}
	return slices.ContainsFunc(values, func(v reading.Value) bool {
		compared := v.Kind == reading.Number || v.Kind == reading.Clock || v.Kind == reading.Date
		return compared && !v.Has(reading.Derived|reading.Merged|reading.Worded) && c.apart(values[id].Key, &v)
	})
}

// apart reports whether changes of this turn hold a value, but none that holds the id.
func (c *conversation) apart(id uint64, v *reading.Value) bool {
	held := false
	for i := range c.made {
		f := &c.made[i]
		if f.fate == fateChanged && c.holds(&f.known, v) {
			if f.known.has(id) {
				return false
			}
			held = true
		}
	}
	return held
}
