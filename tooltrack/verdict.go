package tooltrack

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// What a body says about the call, and what about the thing:
//
// Some members speak of the call wherever they stand at the top level: success, ok, error,
// errors, isError, an exit code, an HTTP status code. Others have a word that calls and things
// share: status, state, result and outcome. To read an order that was rejected is no rejected
// reading. So such a word is weighed by what is known of the call, in this order:
//
//  1. A sentence about a failure ("Error: not found") is the call's: things have states.
//  2. A state that the call was to bring about is its success: by the tool's own verb
//     (reject_request: rejected) or by an argument (status: failed).
//  3. Beside a member that wraps the answer, such as data, it is the envelope's.
//  4. Of a look-up it is the thing's, if the body carries a thing, or if the tool's name asks
//     for a state. A bare status is the call's.
//  5. Of anything else it is the call's, unless the body plainly carries an entity: then it may
//     be either, and a success is in doubt.
//
// Words that calls have and things rarely (error, unauthorized, not found) need more of a thing
// beside them than those that things have as often (failed, rejected, pending).

// settle is a result that nothing was known against, with what its body says.
func (e *envelope) settle(result Result) Result {
	whose := e.whose()
	if status := e.status(whose); status != Succeeded {
		if e.tells(fromGateway) {
			status = e.asked.ifLost(status)
		}
		return result.fail(status, cmp.Or(readable(e.fault), readable(e.message)))
	}
	switch {
	case e.text == nil:
		if e.asked.effect != Reads { // to look up a build that failed is no failed look-up
			result.Doubtful, result.Partly = e.doubts()
		}
	case e.text.notes["own"] || e.tells(isText) && result.Grade == Reported:
		reason, status := strings.TrimSpace(result.Text()), e.text.then
		if len(reason) <= maxTold && isLostByItsWords(reason) {
			status = e.asked.ifLost(status)
		}
		return result.fail(status, reason)
	case e.text.then == Pending:
		result.Doubtful = "the text reads as if it were not done yet (" + e.text.name + ")"
	default:
		result.Doubtful = "the text reads like an error (" + e.text.name + ")"
	}
	return result
}

// ifLost is the status of a call whose answer was lost on its way: a change may have been made.
func (a *asked) ifLost(status Status) Status {
	if status == Failed && a != unknownCall && a.effect.MayChange() {
		return Unknown
	}
	return status
}

func (e *envelope) tells(f fact) bool { return e.told[f] != "" }

// status is what the members say of the call; a success may be in doubt.
func (e *envelope) status(whose owner) Status {
	switch {
	case e.failed != nil && !e.isLookedUpFailure(whose):
		return e.failed.then
	case e.asked.effect.MayChange() && e.tells(deniesDeed), e.tells(faulty) && e.asked.effect == Verifies,
		whose == theCalls && e.maybe.then == Failed, e.inside != "" && !e.tells(saysSuccess),
		e.asked.isChange() && e.tells(undone) && e.tells(counted) && !e.tells(some):
		return Failed
	case e.waiting != nil, whose == theCalls:
		return Pending
	}
	return Succeeded
}

// doubtful are the ways in which a success may be none, the first that applies counts: with %s
// for what tells so, which is empty where it does not apply. Some are only for changes.
var doubtful = [...]struct {
	isOfChange bool
	says       string
	what       func(e *envelope) string
}{
	{true, partlyDone + "%s", func(e *envelope) string { return e.partly }},
	{true, partlyDone + "a count of what was not done (%s)", func(e *envelope) string {
		return e.unless(undone, !e.tells(some))
	}},
	{false, "its %s may be that of the call or of an entity", func(e *envelope) string {
		if e.whose() != either {
			return ""
		}
		return e.maybe.name
	}},
	{true, "it has %s", func(e *envelope) string { return e.inside }},
	{true, "it counts what was not done (%s)", func(e *envelope) string {
		return e.unless(undone, e.told[undone] == "errors")
	}},
	{true, "it has %s: 0", func(e *envelope) string { return e.unless(none, e.tells(some)) }},
	{true, "it has %s: true", func(e *envelope) string { // which was not what the tool is for
		return e.unless(refused, e.asked.call.Tool == "" || e.asked.does(e.told[refused]))
	}},
	{true, "it has %s: false", func(e *envelope) string { return e.unless(deniesAlike, e.tells(affirmsAlike)) }},
	{false, "it has %s", func(e *envelope) string { return e.doubt }},
	{false, "it has %s", func(e *envelope) string {
		if e.tells(saysSuccess) || e.tells(answers) {
			return ""
		}
		return e.weak
	}},
}

const partlyDone = "only a part of it was done: it has "

// unless is the member that tells something, but for an exception.
func (e *envelope) unless(f fact, not bool) string {
	if not {
		return ""
	}
	return e.told[f]
}

// doubts is what leaves a success in doubt, and whether a part of it was done; empty if nothing
// does.
func (e *envelope) doubts() (doubt string, partly bool) {
	for i := range doubtful {
		way := &doubtful[i]
		if what := way.what(e); what != "" && (e.asked.isChange() || !way.isOfChange) {
			return fmt.Sprintf(way.says, what), strings.HasPrefix(way.says, partlyDone)
		}
	}
	return "", false
}

// isLookedUpFailure reports a failure that was looked up: it tells why the thing failed, or
// what is wrong with what was checked.
func (e *envelope) isLookedUpFailure(whose owner) bool {
	return e.failed != nil && e.failed.notes["explains"] && e.asked.isLookup() &&
		(e.tells(finds) || whose == theThings && e.maybe.then == Failed)
}

// owner is whose state a body tells.
type owner uint8

const (
	noState owner = iota // it tells none
	theThings
	theCalls
	either
)

// whose decides whose status a body has.
func (e *envelope) whose() owner {
	row := e.maybe
	switch {
	case row == nil:
		return noState
	case e.isBroughtAbout():
		return theThings
	case row.then == Failed && e.tells(wrapped):
		return theCalls
	case e.asked.isLookup() && (e.isThing(row) || e.asked.AsksState && !(row.notes["call"] && len(e.message) > 0)):
		return theThings // a failure with a reason beside it is a call's
	case row.then == Failed && (e.tells(titled) || e.tells(otherSubject) && e.carries >= plainlyEntity):
		return either
	case row.then == Failed:
		return theCalls
	}
	enough, few := plainlyEntity, 0 // what is made may have to wait and be made all the same
	if row.notes["firm"] {
		enough, few = 2*plainlyEntity, plainlyEntity
	}
	switch {
	case e.tells(titled) || e.carries >= enough:
		return theThings
	case e.carries <= few:
		return theCalls
	}
	return either
}

// plainlyEntity is how much of an entity a body must carry for its pending status to be the
// entity's beyond doubt: an order has an address and items.
const plainlyEntity = 2

// isThing reports whether a body that was looked up carries a thing for its state. A word that
// calls have needs the id of the thing, or a member that is called a state: "status":"error"
// beside a city is no weather.
func (e *envelope) isThing(row *rule) bool {
	if row.notes["call"] {
		return e.tells(titled) || e.carries > 0 && (e.tells(identified) || e.state.name == "state")
	}
	return e.tells(titled) || e.carries > 0 || e.tells(identified)
}

// isBroughtAbout reports whether the call was to bring about the state that its result tells.
func (e *envelope) isBroughtAbout() bool {
	told := jsonspan.Scalar(e.state.value)
	if told == "" || !e.asked.effect.MayChange() {
		return false
	}
	state := spaced(told)
	for _, value := range jsonspan.Members(e.asked.call.Args) {
		if jsonspan.KindOf(value) == jsonspan.String && state == spaced(jsonspan.Scalar(value)) {
			return true
		}
	}
	switch e.asked.Verb {
	case "mark", "set", "flag":
		return slices.Contains(e.asked.Words, state)
	case "start", "restart", "resume", "run", "boot":
		return state == "running" && !e.tells(identified)
	}
	own := slices.Contains(strings.Fields(state), e.asked.Verb) && !strings.HasPrefix(state, "pending") // hold: on hold
	return own || e.asked.does(state)
}

// hasOtherSubject reports whether a member has the id of something that the call names and its
// tool is not named after: a note that is added to a payment has the payment's id beside it.
func (a *asked) hasOtherSubject(id member) bool {
	key, found := strings.CutSuffix(id.name, "id")
	noun := strings.TrimRight(key, "_")
	same := func(word string) bool { return strings.HasPrefix(noun, word) || strings.HasPrefix(word, noun) }
	isOther := found && noun != "" && !slices.ContainsFunc(a.Words, same)
	return isOther && hasValue(a.call.Args, jsonspan.Scalar(id.value), 1)
}

// readable is the text of a reason: a string, the "message" or "text" of an object or of the first
// in a list, or the raw JSON.
func readable(value []byte) string {
	value = bytes.TrimSpace(value)
	switch jsonspan.KindOf(value) {
	case jsonspan.Missing, jsonspan.Bool, jsonspan.Null:
		return ""
	case jsonspan.String:
		text, _ := jsonspan.Text(value)
		return strings.TrimSpace(text)
	case jsonspan.Object:
		for key, member := range jsonspan.Members(value) {
			text, _ := jsonspan.Text(member)
			if name := string(jsonspan.Key(key)); text != "" && (name == "message" || name == "text") {
				return text
			}
		}
	case jsonspan.Array:
		for element := range jsonspan.Elements(value) {
			return readable(element)
		}
		return ""
	}
	return string(value)
}
