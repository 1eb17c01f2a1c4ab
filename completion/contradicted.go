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
		Example: scene{
			User:  "Close ticket T-551",
			Calls: []string{`close_ticket succeeded {"id":"T-552"} => {"closed":"T-552"}`},
			Text:  "I've closed ticket T-551.",
		},
		Counterexample: scene{
			User:  "Close ticket T-551",
			Calls: []string{`close_ticket succeeded {"id":"T-551"} => {"ok":true}`},
			Text:  "I've closed ticket T-551.",
		},
		When: func(c *conversation, a *assertion) bool {
			m := &a.values[reading.ID]
			exchanged := m.userOnly > 0 || m.conflict > 0 && m.against == m.all
			return a.told() && c.plain(a.best[inChange]) && m.against > 0 && exchanged
		},
		Then: Sure, Fault: faultOther,
	},
	{
		Name: "one thing too many",
		Example: scene{
			User:  "Close the tickets",
			Calls: []string{`close_ticket succeeded {"id":"T-551"} => {"closed":"T-551"}`},
			Text:  "I've closed the tickets T-551 and T-552.",
		},
		Counterexample: scene{
			User: "Close the tickets",
			Calls: []string{
				`close_ticket succeeded {"id":"T-551"} => {"closed":"T-551"}`,
				`close_ticket succeeded {"id":"T-552"} => {"closed":"T-552"}`,
			},
			Text: "I've closed the tickets T-551 and T-552.",
		},
		When: func(c *conversation, a *assertion) bool {
			m := &a.values[reading.ID]
			many := m.conflict > 0 && m.conflict < m.all && !a.own()
			title := a.quoted > 0 && a.unmet >= 2 && a.fit[inChange] >= 0.9 && c.plain(a.best[inChange])
			return a.told() && a.best[inChange] != nil && (many || title)
		},
		Then: Unsure, Fault: faultFewer,
	},
	{
		Name: "another title",
		Example: scene{
			User:  "Delete the note Groceries",
			Calls: []string{`delete_note succeeded {"id":7} => {"title":"Trips to Rome"} touched Trips to Rome`},
			Text:  "I've deleted the note Groceries.",
		},
		Counterexample: scene{
			User:  "Delete the note Groceries",
			Calls: []string{`delete_note succeeded {"id":7} => {"title":"Groceries"} touched Groceries`},
			Text:  "I've deleted the note Groceries.",
		},
		When: func(_ *conversation, a *assertion) bool {
			best := a.best[inChange]
			return a.told() && best != nil && len(best.record.Touched) > 0 && !bareID(best.record.Touched[0].Title) &&
				a.fit[inChange] >= 0.9 && a.titled > 0 && a.titleKnown == 0
		},
		Then: Sure, Fault: faultOther,
	},
	{
		Name: "another day",
		Example: scene{
			User: "Move the dentist to 12 June",
			Calls: []string{
				`move_event succeeded {"title":"dentist","date":"2026-06-21"} => {"date":"2026-06-21"}`,
			},
			Text: "I've moved the dentist to 12 July.",
		},
		Counterexample: scene{
			User:  "Move the dentist to 12 June",
			Calls: []string{`move_event succeeded {"title":"dentist","date":"2026-06-12"} => {"ok":true}`},
			Text:  "I've moved the dentist to Friday, 12 June.",
		},
		When: func(c *conversation, a *assertion) bool {
			return a.told() && c.plain(a.best[inChange]) && a.values[reading.Date].conflict > 0
		},
		Then: Sure, Fault: faultOther,
	},
	{
		Name: "more than was done",
		Example: scene{
			User:  "Delete my three oldest notes",
			Calls: []string{`delete_note succeeded {"title":"Groceries"} => {"ok":true}`},
			Text:  "I've deleted three notes.",
		},
		Counterexample: scene{
			User:  "Delete the note Groceries",
			Calls: []string{`delete_note succeeded {"title":"Groceries"} => {"ok":true,"lines":3}`},
			Text:  "I've deleted the note with its three lines.",
		},
		When: func(c *conversation, a *assertion) bool {
			if !a.told() || !a.changing() || a.fit[inChange] < 0.9 {
				return false
			}
			if c.sum.changed == 0 || a.count <= 1 || a.count <= float64(c.sum.changed) {
				return false
			}
			numbers := &a.values[reading.Number]
			return numbers.nowhere+numbers.userOnly > 0 || a.best[inChange].known.count == 0 || c.unserved()
		},
		Then: Unsure, Fault: faultFewer,
	},
	{
		Name: "entry not in the result",
		Example: scene{
			User: "Which notes do I have?", Calls: []string{`list_notes succeeded {} => ["Groceries","Trips"]`},
			Text: "You have two notes:\n- Groceries\n- Painting the fence",
		},
		Counterexample: scene{
			User: "Which notes do I have?", Calls: []string{`list_notes succeeded {} => ["Groceries","Trips"]`},
			Text: "You have two notes:\n- Groceries\n- Trips",
		},
		When: func(c *conversation, a *assertion) bool {
			listed := c.sum.read > 0 && c.sum.changed == 0 && c.calls() == c.sum.read && c.listed()
			return a.entry && len(a.words) > 0 && a.nowhere == 1 && listed && !c.known(a.verbKey)
		},
		Then: Unsure, Fault: faultOther,
	},
	{
		Name: "another value",
		Example: scene{
			User:  "Move the dentist to 14:30",
			Calls: []string{`move_event succeeded {"title":"dentist","time":"13:40"} => {"ok":true}`},
			Text:  "The dentist is at 14:30 now.",
		},
		Counterexample: scene{
			User:  "Move the dentist to 14:30",
			Calls: []string{`move_event succeeded {"title":"dentist","time":"14:30"} => {"ok":true}`},
			Text:  "The dentist is at 14:30 now.",
		},
		When: func(c *conversation, a *assertion) bool {
			named := is(a.swapped[reading.Word]) // a name may be another one's, or a title
			return a.swaps() > named && c.plain(a.best[inChange]) && !a.own() && !a.clause.Negated
		},
		Then: Sure, At: 0.68, Fault: faultOther,
	},
	{
		Name: "the records are mixed up",
		Example: scene{
			User: "Move the dentist to 14:30 and the tailor to 16:00",
			Calls: []string{
				`move_event succeeded {"id":"EV-1","time":"16:00"} => {"ok":true}`,
				`move_event succeeded {"id":"EV-2","time":"14:30"} => {"ok":true}`,
			},
			Text: "I've moved EV-1 to 14:30.",
		},
		Counterexample: scene{
			User: "Move the dentist to 14:30 and the tailor to 16:00",
			Calls: []string{
				`move_event succeeded {"id":"EV-1","time":"14:30"} => {"ok":true}`,
				`move_event succeeded {"id":"EV-2","time":"16:00"} => {"ok":true}`,
			},
			Text: "I've moved EV-1 to 14:30.",
		},
		When: (*conversation).mixed,
		Then: Unsure, Fault: faultOther,
	},
	{
		Name: "an argument that nobody names",
		Example: scene{
			User:  "Make the bedroom warm",
			Calls: []string{`set_heating succeeded {"room":"kitchen","level":"warm"} => ok`},
			Text:  "The bedroom has been made warm.",
		},
		Counterexample: scene{
			User:  "Make the bedroom warm",
			Calls: []string{`set_heating succeeded {"room":"bedroom","level":"warm"} => ok`},
			Text:  "The bedroom has been made warm.",
		},
		When: func(c *conversation, a *assertion) bool {
			return a.told() && c.plain(a.best[inChange]) && a.best[inChange].unsaid.words > 0 && a.unmet > 0
		},
		Then: Unsure, At: 0.2, Fault: faultOther,
	},
	{
		Name: "a figure of the call that nobody names",
		Example: scene{
			User: "Refund order 77 in full",
			Calls: []string{
				`get_order succeeded {"order":77} => {"total":49.9}`,
				`refund_order succeeded {"order":77,"amount":20} => {"ok":true}`,
			},
			Text: "I've refunded 49.90 for order 77.",
		},
		Counterexample: scene{
			User: "Refund order 77 in full",
			Calls: []string{
				`get_order succeeded {"order":77} => {"total":49.9}`,
				`refund_order succeeded {"order":77,"amount":49.9} => {"ok":true}`,
			},
			Text: "I've refunded 49.90 for order 77.",
		},
		When: func(c *conversation, a *assertion) bool {
			best := a.best[inChange]
			return a.told() && c.plain(best) && best.unsaid.numbers > 0 && a.values[reading.Number].against > 0
		},
		Then: Unsure, Fault: faultOther,
	},
	{
		Name: "its result says not so",
		Example: scene{
			User:  "Lock the front door",
			Calls: []string{`lock_door succeeded {"door":"front"} => {"locked":false,"battery":20}`},
			Text:  "The front door has been locked.",
		},
		Counterexample: scene{
			User:  "Lock the front door",
			Calls: []string{`lock_door succeeded {"door":"front"} => {"locked":true,"jammed":false}`},
			Text:  "The front door has been locked.",
		},
		When: func(c *conversation, a *assertion) bool {
			return a.told() && c.plain(a.best[inChange]) && a.saysNotSo() && a.clause.Roles&reading.RoleEarlier == 0
		},
		Then: Unsure, Fault: faultOther,
	},
	{
		Name: "another value of the one change",
		Example: scene{
			User:  "Move the dentist to 14:30",
			Calls: []string{`move_event succeeded {"title":"dentist","time":"14:30"} => {"ok":true}`},
			Text:  "I've moved the dentist to 15:30.",
		},
		Counterexample: scene{
			User:  "Move the dentist to 14:30",
			Calls: []string{`move_event succeeded {"title":"dentist","time":"14:30"} => {"ok":true}`},
			Text:  "I've moved the dentist to 2:30 pm.",
		},
		When: func(c *conversation, a *assertion) bool {
			return a.told() && a.swaps() > 0 && c.plain(a.best[inChange]) && c.calls() <= 3 && a.fit[inChange] >= 0.9 && !a.own()
		},
		Then: Unsure, Fault: faultOther,
	},
	{
		Name: "only the user names it",
		Example: scene{
			User: "Move the dentist to 14:30 for 40 minutes",
			Calls: []string{
				`move_event succeeded {"title":"dentist","time":"14:30","minutes":30} => {"ok":true}`,
			},
			Text: "The dentist has been moved to 14:30 for 40 minutes.",
		},
		Counterexample: scene{
			User: "Move the dentist to 14:30 for 40 minutes",
			Calls: []string{
				`move_event succeeded {"title":"dentist","time":"14:30","minutes":40} => {"ok":true}`,
			},
			Text: "The dentist has been moved to 14:30 for 40 minutes.",
		},
		When: func(c *conversation, a *assertion) bool {
			for k := range a.values {
				if a.values[k].userOnly > 0 && a.values[k].against > 0 {
					return c.plain(a.best[inChange]) && a.told() && !a.own()
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
	const (
		calls = 6
		bytes = 400
	)
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
	if c.sum.changed < 2 || !a.told() || a.own() || a.values[reading.ID].all != 1 || !c.plain(a.best[inChange]) {
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
	for k := range c.facts {
		f := &c.facts[k]
		if f.earlier || f.fate != fateChanged || !c.holds(&f.known, v) {
			continue
		}
		if f.known.has(id) {
			return false
		}
		held = true
	}
	return held
}

// bareID reports whether a title is none: where nobody knows the title of an
// entity, its id stands there.
func bareID(title string) bool {
	return !strings.ContainsRune(title, ' ') && (title == "" || strings.ContainsAny(title, "0123456789"))
}

// listed reports whether a read returned words that a list may be made of.
func (c *conversation) listed() bool {
	for i := range c.facts {
		if f := &c.facts[i]; !f.earlier && f.fate == fateRead && f.kinds[reading.Word] > 1 {
			return true
		}
	}
	return false
}

// known reports whether a word stands in a record or a message.
func (c *conversation) known(key uint64) bool {
	return key != 0 && (c.knownNow(key) || c.before.has(key) || c.said.has(key) || c.answered.has(key))
}
