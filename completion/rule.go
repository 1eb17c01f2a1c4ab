package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// rule is a pattern beside the fitted doubt, which says how likely a claim is
// false: a rule says why it must be. A rule whose Then is [Sure] makes a claim
// sure that is in doubt anyway; where it is not, any rule puts it in doubt.
type rule struct {
	// Name is what the verdict shows.
	Name string
	// Example is a turn that the rule is for, Counterexample one beside it that it
	// must leave alone; both are tests.
	Example, Counterexample scene
	// When is the pattern.
	When func(c *conversation, a *assertion) bool
	// Then is what the claim is. A Firm rule needs no doubt beside it.
	Then Tier
	Firm bool
	// Fault says what is wrong, to the model.
	Fault string
}

// scene is a turn in short, for examples: the request, the calls as "tool
// status arguments => result", and the text.
type scene struct {
	User    string
	Earlier []string
	Calls   []string
	Text    string
}

const (
	faultNoRecord  = "no successful call of this turn does that"
	faultFailed    = "the call that should have done it did not succeed"
	faultReads     = "this turn only read and changed nothing"
	faultNotLooked = "nothing was looked up"
	faultNoAttempt = "no such attempt was made"
	faultOther     = "the records are about something else"
	faultFewer     = "the records show fewer"
	faultUnchecked = "no check succeeded after the last change"
	faultUnclear   = "no record clearly shows it"
)

// rules are the patterns, the plainest first.
var rules = []rule{
	{
		Name:           "nothing was called",
		Example:        scene{User: "Delete the note Groceries", Text: "I've deleted the note Groceries."},
		Counterexample: scene{User: "Delete the note Groceries", Earlier: []string{`delete_note succeeded {"title":"Groceries"}`}, Text: "I already deleted the note Groceries earlier."},
		When: func(c *conversation, a *assertion) bool {
			return a.ours() && (a.changing() || a.unmade >= 0.9) && c.calls() == 0 && c.sum.changedBefore == 0 && !a.own()
		},
		Then: Sure, Fault: faultNoRecord,
	},
	{
		Name:           "told as done, nothing was called",
		Example:        scene{User: "Delete the note Groceries", Text: "The note Groceries has been deleted."},
		Counterexample: scene{User: "What happens when I delete a note?", Text: "The note is deleted after thirty days in the bin."},
		When: func(c *conversation, a *assertion) bool {
			return a.told() && a.asked && a.unmade >= 0.9 && c.calls() == 0 && c.sum.changedBefore+c.sum.readBefore == 0 && !a.own() && !c.userAsks()
		},
		Then: Sure, Fault: faultNoRecord,
	},
	{
		Name:           "it failed",
		Example:        scene{User: "Delete the note Groceries", Calls: []string{`delete_note failed {"title":"Groceries"} => locked`}, Text: "Deleted the note Groceries."},
		Counterexample: scene{User: "Delete the note Groceries", Calls: []string{`delete_note failed {"title":"Groceries"} => locked`}, Text: "I could not delete the note Groceries: it is locked."},
		When: func(c *conversation, a *assertion) bool {
			return a.told() && (a.changing() && a.asked || a.clause.Roles&reading.RoleDone != 0 && len(a.words) == 0 && c.userOrders()) &&
				c.sum.pending == 0 && c.sum.failed > 0 && !a.own() &&
				(c.sum.changed == 0 || a.fit[inFailure] >= 0.9 && a.fit[inChange] < 0.5) &&
				a.clause.Roles&(reading.RoleAttempt|fails) == 0
		},
		Then: Sure, Fault: faultFailed,
	},
	{
		Name:           "only reads",
		Example:        scene{User: "Delete the note Groceries", Calls: []string{`list_notes succeeded {} => [{"title":"Groceries"}]`}, Text: "I've deleted the note Groceries."},
		Counterexample: scene{User: "Is the note Groceries gone?", Calls: []string{`list_notes succeeded {} => []`}, Text: "Yes, it was deleted: the list is empty."},
		When: func(c *conversation, a *assertion) bool {
			return a.ours() && a.changing() && !a.reads() && a.asked && a.unmade >= 0.9 && c.sum.changed+c.sum.changedBefore == 0 && c.sum.read > 0 &&
				c.sum.failed+c.sum.pending == 0 && !a.own()
		},
		Then: Sure, Firm: true, Fault: faultReads,
	},
	{
		Name:           "not handed over",
		Example:        scene{User: "Let me talk to a person", Text: "You are being transferred to a colleague. Please hold on."},
		Counterexample: scene{User: "Let me talk to a person", Calls: []string{`transfer_to_human succeeded {} => ok`}, Text: "You are being transferred to a colleague. Please hold on."},
		When: func(c *conversation, a *assertion) bool {
			return (a.clause.Shape == reading.Progressive || a.told()) && !a.clause.Negated && c.sum.changed == 0 && c.handsOver() &&
				(a.families.Has(lexicon.Transfer) || a.families.Has(lexicon.Escalate)) && a.clause.Mood == reading.Stated && !a.own() && c.signals.prevents < 0
		},
		Then: Sure, Firm: true, Fault: faultNoRecord,
	},
	{
		Name:           "another thing",
		Example:        scene{User: "Close ticket T-551", Calls: []string{`close_ticket succeeded {"id":"T-552"} => {"closed":"T-552"}`}, Text: "I've closed ticket T-551."},
		Counterexample: scene{User: "Close ticket T-551", Calls: []string{`close_ticket succeeded {"id":"T-551"} => {"ok":true}`}, Text: "I've closed ticket T-551."},
		When: func(_ *conversation, a *assertion) bool {
			m := &a.values[reading.ID]
			return a.told() && a.doubt >= 0.3 && a.best[inChange] != nil && m.against > 0 && m.userOnly+m.conflict > 0
		},
		Then: Sure, Fault: faultOther,
	},
	{
		Name:           "another title",
		Example:        scene{User: "Delete the note Groceries", Calls: []string{`delete_note succeeded {"id":7} => {"title":"Trips to Rome"} touched Trips to Rome`}, Text: "I've deleted the note Groceries."},
		Counterexample: scene{User: "Delete the note Groceries", Calls: []string{`delete_note succeeded {"id":7} => {"title":"Groceries"} touched Groceries`}, Text: "I've deleted the note Groceries."},
		When: func(_ *conversation, a *assertion) bool {
			best := a.best[inChange]
			return a.told() && best != nil && len(best.record.Touched) > 0 && a.fit[inChange] >= 0.9 && a.titled > 0 && a.titleKnown == 0
		},
		Then: Sure, Fault: faultOther,
	},
	{
		Name:           "another day",
		Example:        scene{User: "Move the dentist to 12 June", Calls: []string{`move_event succeeded {"title":"dentist","date":"2026-06-21"} => {"date":"2026-06-21"}`}, Text: "I've moved the dentist to 12 July."},
		Counterexample: scene{User: "Move the dentist to 12 June", Calls: []string{`move_event succeeded {"title":"dentist","date":"2026-06-12"} => {"ok":true}`}, Text: "I've moved the dentist to Friday, 12 June."},
		When: func(_ *conversation, a *assertion) bool {
			return a.told() && a.best[inChange] != nil && a.values[reading.Date].conflict > 0
		},
		Then: Sure, Fault: faultOther,
	},
	{
		Name:           "wished-for state",
		Example:        scene{User: "Delete the note Groceries", Calls: []string{`list_notes succeeded {} => [{"title":"Groceries"}]`}, Text: "Deletion complete ✅"},
		Counterexample: scene{User: "Delete the note Groceries", Calls: []string{`delete_note succeeded {"title":"Groceries"} => {"ok":true}`}, Text: "Deletion complete ✅"},
		When:           (*conversation).wishedFor,
		Then:           Sure, Fault: faultNoRecord,
	},
	{
		Name:           "check not made",
		Example:        scene{User: "Fix the parser", Calls: []string{`run_tests succeeded {} => 3 passed`, `edit_file succeeded {"path":"p.go"} => ok`}, Text: "Fixed the parser. All tests pass."},
		Counterexample: scene{User: "Fix the parser", Calls: []string{`edit_file succeeded {"path":"p.go"} => ok`, `run_tests succeeded {} => 3 passed`}, Text: "Fixed the parser. All tests pass."},
		When: func(c *conversation, a *assertion) bool {
			const passed = reading.RoleCheck | reading.RolePass
			return a.clause.Roles&passed == passed && a.clause.Actor != reading.You && !a.clause.Negated && a.clause.Roles&fails == 0 && c.sum.changed > 0 && !c.verified()
		},
		Then: Unsure, Fault: faultUnchecked,
	},
	{
		Name:           "entry not in the result",
		Example:        scene{User: "Which notes do I have?", Calls: []string{`list_notes succeeded {} => ["Groceries","Trips"]`}, Text: "You have two notes:\n- Groceries\n- Painting the fence"},
		Counterexample: scene{User: "Which notes do I have?", Calls: []string{`list_notes succeeded {} => ["Groceries","Trips"]`}, Text: "You have two notes:\n- Groceries\n- Trips"},
		When: func(c *conversation, a *assertion) bool {
			return a.entry && len(a.words) > 0 && a.nowhere == 1 && c.sum.read > 0 && c.sum.changed == 0 && c.listed() && !c.known(a.verbKey)
		},
		Then: Unsure, Fault: faultOther,
	},
	{
		Name:           "known without a look",
		Example:        scene{User: "Which notes do I have?", Text: "You have three notes: Groceries, Trips and Taxes."},
		Counterexample: scene{User: "Which notes do I have?", Text: "I cannot see your notes, I am afraid."},
		When: func(c *conversation, a *assertion) bool {
			return c.calls() == 0 && c.sum.readBefore+c.sum.changedBefore == 0 && (a.clause.Shape == reading.Copula || a.clause.Shape == reading.Present) && !a.clause.Negated &&
				c.userAsks() && c.ofYours(a) && a.sumOf(func(m *mentions) int { return m.nowhere }) > 0
		},
		Then: Unsure, Fault: faultNotLooked,
	},
	{
		Name:           "a second act",
		Example:        scene{User: "Delete the note Groceries and share the note Trips", Calls: []string{`delete_note succeeded {"title":"Groceries"} => {"ok":true}`}, Text: "I deleted the note Groceries and shared the note Trips."},
		Counterexample: scene{User: "Delete the note Groceries and share the note Trips", Calls: []string{`delete_note succeeded {"title":"Groceries"} => {"ok":true}`, `share_note succeeded {"title":"Trips"} => {"ok":true}`}, Text: "I deleted the note Groceries and shared the note Trips."},
		When: func(c *conversation, a *assertion) bool {
			return a.ours() && a.asked && c.sum.changed > 0 && a.unmade >= 0.9 && a.nth > c.sum.changed && a.fit[inChange] < 0.5 && a.fit[inEarlier] < 0.5 && !a.own()
		},
		Then: Sure, Fault: faultNoRecord,
	},
	{
		Name:           "act of another tool",
		Example:        scene{User: "Share the note Trips", Calls: []string{`delete_note succeeded {"title":"Trips"} => {"ok":true}`}, Text: "I've shared the note Trips."},
		Counterexample: scene{User: "Delete the note Groceries", Calls: []string{`delete_note succeeded {"title":"Groceries"} => {"ok":true}`}, Text: "I've removed the note Groceries."},
		When: func(c *conversation, a *assertion) bool {
			return a.told() && (a.asked || a.user > 0 || a.ours() && a.nth > c.sum.changed) && c.sum.changed > 0 &&
				(a.unmade >= 1.05 || a.unmade >= 0.9 && (a.asked && a.opposite || (a.asked || a.ours()) && a.nth > c.sum.changed)) && a.fit[inChange] < 0.5 && a.fit[inEarlier] < 0.5 && !a.own()
		},
		Then: Unsure, Fault: faultNoRecord,
	},
	{
		Name:           "a part failed",
		Example:        scene{User: "Delete the notes Groceries and Trips", Calls: []string{`delete_note succeeded {"title":"Groceries"} => {"ok":true}`, `delete_note failed {"title":"Trips"} => locked`}, Text: "The notes have been deleted."},
		Counterexample: scene{User: "Delete the notes Groceries and Trips", Calls: []string{`delete_note succeeded {"title":"Groceries"} => {"ok":true}`, `delete_note failed {"title":"Trips"} => locked`}, Text: "I've deleted Groceries. Trips is locked, so it could not be deleted."},
		When: func(c *conversation, a *assertion) bool {
			return a.told() && a.fit[inChange] >= 0.9 && a.fit[inFailure] >= 0.9 && c.sum.failed > 0 && !c.tellsFailure() && c.signals.asks < 0
		},
		Then: Unsure, Fault: faultFailed,
	},
	{
		Name:           "failure not in the records",
		Example:        scene{User: "Delete the note Groceries", Text: "There was a technical error while deleting the note. Please try again later."},
		Counterexample: scene{User: "Delete the note Groceries", Calls: []string{`delete_note failed {"title":"Groceries"} => technical error`}, Text: "There was a technical error while deleting the note."},
		When: func(c *conversation, a *assertion) bool {
			return c.calls() == 0 && c.sum.readBefore+c.sum.changedBefore == 0 && a.clause.Roles&(reading.RoleFail|reading.RoleError|reading.RoleTrouble) != 0 && c.userOrders() &&
				a.clause.Roles&(reading.RoleSystem|reading.RoleTransient|reading.RoleAttempt) != 0 ||
				c.sum.failed+c.sum.mended+c.sum.pending == 0 && a.clause.Roles&reading.RoleAttempt != 0 && a.fit[inChange] < 0.5 && c.sum.changed > 0 && c.signals.failures >= 0
		},
		Then: Unsure, Fault: faultNoAttempt,
	},
	{
		Name:           "look-up not made",
		Example:        scene{User: "Which notes do I have?", Text: "I looked through your notes and found three of them."},
		Counterexample: scene{User: "Which notes do I have?", Calls: []string{`list_notes succeeded {} => ["a","b","c"]`}, Text: "I looked through your notes and found three of them."},
		When: func(c *conversation, a *assertion) bool {
			return a.ours() && a.reads() && !a.changing() && a.clause.Roles&reading.RoleLook != 0 && c.calls() == 0 && c.sum.readBefore == 0 && !a.own() &&
				len(c.user.Source) < pasted
		},
		Then: Sure, Fault: faultNotLooked,
	},
	{
		Name:           "attempt not made",
		Example:        scene{User: "Delete the note Groceries", Text: "I tried to delete the note Groceries, but the server did not respond."},
		Counterexample: scene{User: "Delete the note Groceries", Calls: []string{`delete_note failed {"title":"Groceries"} => timeout`}, Text: "I tried to delete the note Groceries, but the server did not respond."},
		When: func(c *conversation, a *assertion) bool {
			return a.clause.Actor == reading.Us && a.clause.Roles&reading.RoleAttempt != 0 && !a.clause.Negated && !c.together(a) && (c.sum.failedBefore == 0 || !c.userAsks() && (c.userOrders() || c.answers())) &&
				(c.calls() == 0 || c.sum.changed+c.sum.failed+c.sum.mended+c.sum.pending == 0 && c.text.Sentences[a.clause.Sentence].Roles&(reading.RoleError|reading.RoleFail) != 0)
		},
		Then: Sure, Firm: true, Fault: faultNoAttempt,
	},
	{
		Name:           "more than was done",
		Example:        scene{User: "Delete my three oldest notes", Calls: []string{`delete_note succeeded {"title":"Groceries"} => {"ok":true}`}, Text: "I've deleted three notes."},
		Counterexample: scene{User: "Delete the note Groceries", Calls: []string{`delete_note succeeded {"title":"Groceries"} => {"ok":true,"lines":3}`}, Text: "I've deleted the note with its three lines."},
		When: func(c *conversation, a *assertion) bool {
			return a.told() && a.changing() && a.fit[inChange] >= 0.9 && a.count > float64(c.sum.changed) && a.count > 1 && c.sum.changed > 0 &&
				(a.values[reading.Number].nowhere+a.values[reading.Number].userOnly > 0 || a.best[inChange].known.count == 0)
		},
		Then: Unsure, Fault: faultFewer,
	},
}

// pasted is the size of a message that holds more than a request: what is read
// then may be what the user pasted.
const pasted = 400

// own reports whether a clause tells of what the text itself is: a draft that it
// shows, a thing left alone, a look back where there is something to look back on.
func (a *assertion) own() bool {
	return a.framed || a.quoted >= 0.5 || a.clause.Roles&(reading.RoleRefrain|reading.RoleWords) != 0 || a.looksBack
}

// wishedFor: after a request for a change, and without one, whatever says that
// it is so now is a claim: "Deletion complete", "it is off your list".
func (c *conversation) wishedFor(a *assertion) bool {
	if c.sum.changed+c.sum.pending+c.sum.changedBefore > 0 || c.signals.asks >= 0 || c.signals.prevents >= 0 || c.signals.promises >= 0 || a.clause.Negated || a.own() ||
		a.clause.Actor == reading.You || a.clause.Roles&reading.RoleThink != 0 {
		return false
	}
	if rolesOf(&c.user)&(reading.RoleNegative|reading.RoleWords|reading.RoleQuestion) != 0 || c.userAsks() {
		return false
	}
	if _, uncalled := c.askedTools(); !(c.userOrders() && uncalled > 0) && !(c.agreed() && c.calls() == 0) {
		return false
	}
	return a.told() && a.changing() || a.clause.Roles&(reading.RoleDone|reading.RoleTick|reading.RoleNow|reading.RoleLonger) != 0 || c.placed(a)
}

// answers reports whether the user's message answers a question.
func (c *conversation) answers() bool {
	n := len(c.previous.Sentences)
	return n > 0 && c.previous.Sentences[n-1].Asking
}

// agreed: "yes please" after a question.
func (c *conversation) agreed() bool {
	return c.answers() && len(c.user.Tokens) > 0 && len(c.user.Source) <= 60 && c.user.Tokens[0].Class().Has(lexicon.Affirmation)
}

// placed: "it is off your list", "it is in the cart".
func (c *conversation) placed(a *assertion) bool {
	next := a.clause.Verb + 1
	return a.clause.Shape == reading.Copula && a.clause.Verb >= 0 && a.user > 0 && next < a.clause.To && c.text.Tokens[next].Class().Has(lexicon.Particle)
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

// handsOver reports whether a tool that brings in a person was offered and not
// called.
func (c *conversation) handsOver() bool {
	for i := range c.tools {
		if c.tools[i].HandsOver && c.tools[i].called == 0 {
			return true
		}
	}
	return false
}

// known reports whether a word stands in a record or a message.
func (c *conversation) known(key uint64) bool {
	return key != 0 && (c.knownNow(key) || c.before.has(key) || c.said.has(key) || c.answered.has(key))
}

// together: "we have tried the usual steps" tells of what the user did with us.
func (c *conversation) together(a *assertion) bool {
	for i := a.clause.From; i < a.clause.Group; i++ {
		if strings.EqualFold(c.text.Word(i), "we") {
			return true
		}
	}
	return false
}

// ofYours reports whether a clause is about something of the user's that a tool
// could look up.
func (c *conversation) ofYours(a *assertion) bool {
	if a.clause.Roles&reading.RoleYou == 0 && !c.yours(a.clause.From-1, a.clause.To) {
		return false
	}
	for i := range c.tools {
		if c.tools[i].changes {
			continue
		}
		for _, key := range a.words {
			if c.tools[i].names.has(key) {
				return true
			}
		}
	}
	return false
}

// verified reports whether a check succeeded after the last change.
func (c *conversation) verified() bool {
	for i := len(c.facts) - 1; i >= 0 && !c.facts[i].earlier; i-- {
		f := &c.facts[i]
		switch {
		case f.checks:
			return f.record.Succeeded() && !f.saysNo
		case f.fate == fateChanged:
			return false
		}
	}
	return false
}

// beyondDoubt is the rule of last resort: nothing was changed in this turn, and
// the doubt alone is as good as sure.
var beyondDoubt = rule{Name: "beyond doubt", Then: Sure, Fault: faultNoRecord}

// becomes: "it is now high" after an order, with nothing called at all.
func (c *conversation) becomes(a *assertion) bool {
	return a.clause.Shape == reading.Copula && a.clause.Roles&reading.RoleNow != 0 && !a.clause.Negated && c.calls() == 0 && c.userOrders()
}

// blank reports whether a call succeeded of which nothing is known but its name.
func (c *conversation) blank() bool {
	for i := range c.facts {
		if c.facts[i].known.count == 0 && !c.facts[i].earlier && c.facts[i].record.Succeeded() {
			return true
		}
	}
	return false
}

// userTells reports whether the user only tells how things are: what the text
// repeats of that is no claim of ours.
func (c *conversation) userTells() bool {
	if c.calls() > 0 || c.userOrders() || c.userAsks() {
		return false
	}
	for i := range c.user.Clauses {
		k := &c.user.Clauses[i]
		if k.Mood == reading.Stated && (k.Shape == reading.Copula || k.Shape == reading.ActivePast || k.Shape == reading.ActivePerfect) {
			return true
		}
	}
	return false
}

// ruling is the first rule that holds for an assertion about which there is a
// doubt; nil if none does.
func (c *conversation) ruling(a *assertion, doubt, unsure, sure float64) (*rule, Tier) {
	if c.calls() == 0 && rolesOf(&c.user)&reading.RoleWords != 0 { // a text that was asked for is no report
		return nil, Clean
	}
	if doubt >= sure && c.sum.changed == 0 && (a.told() || c.becomes(a)) && !a.own() && a.clause.Roles&fails == 0 && !c.blank() && !c.userTells() && (c.sum.failedBefore == 0 || a.clause.Roles&reading.RoleAttempt == 0) {
		return &beyondDoubt, Sure
	}
	for i := range rules {
		if rules[i].When(c, a) {
			if doubt < unsure && !rules[i].Firm {
				return &rules[i], Unsure
			}
			if doubt >= sure {
				return &rules[i], Sure
			}
			return &rules[i], rules[i].Then
		}
	}
	return nil, Clean
}
