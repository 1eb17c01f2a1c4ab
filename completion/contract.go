package completion

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/telling"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Due is what a contract asks for in the first place. The zero value is [DueChange], the strictest.
type Due uint8

const (
	// DueChange asks for a successful change, or a blocker.
	DueChange Due = iota
	// DueAnswer asks for the expected read, or an honest answer without one.
	DueAnswer
	// DueNothing asks for an honest text only.
	DueNothing
)

// Contract says when a turn is done. The zero value is [Action] without further requirements.
type Contract struct {
	// Due is what must be there in the first place.
	Due Due
	// Require is what must be there beside it.
	Require []Requirement
}

// Action is the contract of a request to change something: a change, or a blocker. Reading alone is not enough.
func Action(require ...Requirement) Contract { return Contract{DueChange, require} }

// Question is the contract of a request for information that a tool has: the expected read, or an honest answer.
func Question(require ...Requirement) Contract { return Contract{DueAnswer, require} }

// Analysis is the contract of a request to explain, review or plan: reading is
// fine, and so is an answer without it.
func Analysis(require ...Requirement) Contract { return Contract{DueNothing, require} }

// Chat is the contract of small talk: nothing is due.
func Chat(require ...Requirement) Contract { return Contract{DueNothing, require} }

// Tools are the names of the tools that its requirements ask for: those given to [Planned], [Called] and [Covers].
// A requirement that names a tool which does not exist can never be met.
func (c Contract) Tools() []string {
	var names []string
	for _, requirement := range c.Require {
		if named, ok := requirement.(toolRequirement); ok {
			names = append(names, named.tool)
		}
	}
	return names
}

// Requirement is one more condition of a [Contract].
type Requirement interface {
	// Unmet names what is missing in words for the model, or is empty when
	// nothing is. The blocker is the one found in the text, if any.
	Unmet(turn Case, blocker Blocker) string
}

// RequirementFunc is a function that is a Requirement.
type RequirementFunc func(turn Case, blocker Blocker) string

// Unmet calls the function.
func (f RequirementFunc) Unmet(turn Case, blocker Blocker) string { return f(turn, blocker) }

// toolRequirement is a requirement that asks for calls of one tool.
type toolRequirement struct {
	tool string
	RequirementFunc
}

// Planned requires a successful call of the tool that records plans, in this
// turn or an earlier one. A plan in the text is no proof of one.
func Planned(tool string) Requirement {
	return toolRequirement{tool, func(turn Case, _ Blocker) string {
		if succeeded(turn.Records, tool) || succeeded(turn.Earlier, tool) {
			return ""
		}
		return fmt.Sprintf("a plan recorded with %s", tool)
	}}
}

// Sources requires successful reads of at least n distinct URLs, in this turn or earlier ones.
func Sources(n int) Requirement {
	return RequirementFunc(func(turn Case, _ Blocker) string {
		found := len(tooltrack.EvidenceOf(slices.Concat(turn.Earlier, turn.Records)).Sources)
		if found >= n {
			return ""
		}
		return fmt.Sprintf("%d distinct sources (%d found)", n, found)
	})
}

// Parts requires a successful call of every expected tool. A part that the
// text reports as blocked is not missing, as long as another part was done.
func Parts() Requirement {
	return RequirementFunc(func(turn Case, blocker Blocker) string {
		var missing []string
		for _, tool := range turn.Expected {
			if !succeeded(turn.Records, tool) {
				missing = append(missing, "a call of "+tool)
			}
		}
		if blocker.Kind != NoBlocker && len(missing) < len(turn.Expected) {
			return ""
		}
		return strings.Join(missing, ", ")
	})
}

// succeeded reports whether a call of a tool is proof of its work.
func succeeded(records []*tooltrack.Record, tool string) bool {
	return slices.ContainsFunc(records, func(record *tooltrack.Record) bool {
		return record != nil && record.Tool == tool && record.Proves()
	})
}

// With are the arguments that one call must have been given, by name. A name may be a
// path ("guests.name"); an argument that is a list gives each of its elements. Numbers
// are compared by value, texts without regard to letter case; all else of the call is free.
type With map[string]any

// String names the arguments in words for the model: "amount 40 and to Ann".
func (w With) String() string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(w)) {
		words = append(words, fmt.Sprintf("%s %v", name, w[name]))
	}
	return strings.Join(words, " and ")
}

// given reports whether one call was given all of the arguments.
func (w With) given(record *tooltrack.Record) bool {
	for name, wanted := range w {
		if value, err := json.Marshal(wanted); err != nil || !telling.Given(record.Args, name, value) {
			return false
		}
	}
	return true
}

// Called requires a successful call of a tool in this turn; with arguments, one for each With. "Did it pay person 1
// and 2?" is Called("pay", With{"person": 1}, With{"person": 2}); two names in one With must be arguments of the
// same call. One call may be both, where it was given a list.
func Called(tool string, each ...With) Requirement {
	return toolRequirement{tool, func(turn Case, _ Blocker) string {
		if len(each) == 0 && !succeeded(turn.Records, tool) {
			return "a call of " + tool
		}
		var missing []string
		for _, with := range each {
			if !slices.ContainsFunc(turn.Records, func(record *tooltrack.Record) bool {
				return record != nil && record.Tool == tool && record.Proves() && with.given(record)
			}) {
				missing = append(missing, "a call of "+tool+" with "+with.String())
			}
		}
		return strings.Join(missing, ", ")
	}}
}

// Covers requires that each member of a set was read as a whole by a tool, in this turn or an earlier one:
// "reviewed all 12 files" needs twelve reads. A read is a part only where its arguments ask for one (a range, a
// limit that it fills, a later page) or its result says so ("truncated", "has_more", "lines 1-200 of 900"); parts
// that follow each other from the first to the last are the whole.
func Covers(tool string, set ...string) Requirement {
	return toolRequirement{tool, func(turn Case, _ Blocker) string {
		var missing []string
		for _, member := range set {
			reads := slices.DeleteFunc(slices.Concat(turn.Earlier, turn.Records), func(record *tooltrack.Record) bool {
				return record == nil || record.Tool != tool || !record.Proves() || !telling.Holds(record.Args, member)
			})
			if !telling.ReadWhole(reads) {
				missing = append(missing, "a whole read of "+member)
			}
		}
		return strings.Join(missing, ", ")
	}}
}
