package tooltrack

import (
	"bytes"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// What a body says about the call, and what about the thing:
//
// Some members speak of the call wherever they stand at the top level: success,
// ok, error, errors, isError, an exit code, an HTTP status code. Others have a
// word that calls and things share: status, state, result and outcome. To read an
// order that was rejected is no rejected reading, and to reject a request is done
// when the request is rejected. So such a word is weighed by what is known of the
// call, in this order:
//
//  1. A sentence about a failure ("Error: not found") is the call's. Things have
//     states, not sentences.
//  2. A state that the call was to bring about is its success: by the tool's own
//     verb (reject_request: rejected) or by an argument (status: failed).
//  3. Beside a member that wraps the answer, such as data, it is the envelope's.
//  4. Of a look-up it is the thing's, if the body carries a thing, or if the tool's
//     name asks for a state. A bare status is the call's.
//  5. Of anything else it is the call's, unless the body plainly carries an entity:
//     then it may be either, and a success is in doubt.
//
// Words that calls have and things rarely (error, unauthorized, not found) need
// more of a thing beside them than those that things have as often (failed,
// rejected, pending).

// verdict is what a body says in the end.
type verdict struct {
	status Status
	reason string
	text   *ResultRule // a text that reads like an error
	doubt  string      // why a success is in doubt
	partly bool        // it is one of a part
}

func (e *envelope) verdict() verdict {
	whose := e.whose()
	isChange := e.asked.mayDo() && !e.asked.isLookup()
	batchFailed := isChange && e.undone != "" && e.counted && !e.some
	switch {
	case e.failed != nil && !e.isLookedUpFailure(whose):
		return verdict{status: e.failed.Then, reason: e.reason()}
	case e.isDenied(), e.faulty && e.asked.effect == Verifies, whose == theCalls && e.maybe.Then == Failed,
		e.inside != "" && !e.succeeded, batchFailed:
		return verdict{status: Failed, reason: e.reason()}
	case e.waiting != nil, whose == theCalls:
		return verdict{status: Pending, reason: e.reason()}
	case isChange && (e.partly != "" || e.undone != "" && e.some):
		told := e.partly
		if told == "" {
			told = "a count of what was not done (" + e.undone + ")"
		}
		return verdict{status: Succeeded, text: e.text, doubt: "only a part of it was done: it has " + told, partly: true}
	}
	return verdict{status: Succeeded, text: e.text, doubt: e.doubts(whose, isChange)}
}

// doubts is what leaves a success in doubt; empty if nothing does.
func (e *envelope) doubts(whose owner, isChange bool) string {
	switch {
	case whose == either:
		return "its " + e.maybe.Name + " may be that of the call or of an entity"
	case e.inside != "" && isChange:
		return "it has " + e.inside
	case isChange && e.undone != "" && e.undone != "errors":
		return "it counts what was not done (" + e.undone + ")"
	case isChange && e.none != "" && !e.some:
		return "it has " + e.none + ": 0"
	case isChange && e.notDone() != "":
		return "it has " + e.notDone()
	case e.doubt != "" && !(e.weak && (e.succeeded || e.answers)):
		return "it has " + e.doubt
	}
	return ""
}

// isLookedUpFailure reports a failure that was looked up: it tells why the thing failed, or
// what is wrong with what was checked.
func (e *envelope) isLookedUpFailure(whose owner) bool {
	return e.failed != nil && e.failed.has("explains") && e.asked.isLookup() &&
		(e.finds || whose == theThings && e.maybe.Then == Failed)
}

// isDenied reports whether a member denies what the tool does by its name, as
// "cancelled":false does.
func (e *envelope) isDenied() bool {
	return e.asked.mayDo() && slices.ContainsFunc(e.denies, e.asked.does)
}

// notDone is a member that may say that a change was not made: it denies an act of the
// kind that the tool does, as "sent":false does of notify_guest, or it says that
// something was turned down, which was not what the tool is for. Empty if there is none.
func (e *envelope) notDone() string {
	if e.refused != "" && e.asked.call.Tool != "" && !e.asked.does(e.refused) {
		return e.refused + ": true"
	}
	isAlike := func(word string) bool { return slices.Contains(e.asked.Alike, word) }
	if at := slices.IndexFunc(e.denies, isAlike); at >= 0 && !slices.ContainsFunc(e.affirms, isAlike) {
		return e.denies[at] + ": false"
	}
	return ""
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
	case row.Then == Failed && e.wrapped:
		return theCalls
	case e.asked.isLookup() && (e.isThing(row) || e.asked.AsksState && !(row.has("call") && len(e.message) > 0)):
		return theThings // a failure with a reason beside it is a call's
	case row.Then == Failed:
		if e.titled || e.known && e.carries >= plainlyEntity {
			return either
		}
		return theCalls
	}
	return e.whosePending(row)
}

// whosePending is whose for a state that is no failure: what is made may have to
// wait and be made all the same.
func (e *envelope) whosePending(row *ResultRule) owner {
	enough := plainlyEntity
	if row.has("firm") {
		enough *= 2
	}
	switch {
	case e.titled || e.carries >= enough:
		return theThings
	case e.carries == 0 || row.has("firm") && e.carries <= plainlyEntity:
		return theCalls
	}
	return either
}

// isThing reports whether a body that was looked up carries a thing for its state.
// A word that calls have needs the id of the thing, or a member that is called a
// state: "status":"error" beside a city is no weather.
func (e *envelope) isThing(row *ResultRule) bool {
	if row.has("call") {
		return e.titled || e.carries > 0 && (e.named || e.isState)
	}
	return e.titled || e.carries > 0 || e.named
}

// isBroughtAbout reports whether the call was to bring about the state that its result tells.
func (e *envelope) isBroughtAbout() bool {
	if e.state == "" || !e.asked.mayDo() {
		return false
	}
	for _, value := range jsonspan.Members(e.asked.call.Args) {
		if jsonspan.KindOf(value) == jsonspan.String && isSameWords(e.state, jsonspan.Scalar(value)) {
			return true
		}
	}
	state := spaced(e.state)
	switch e.asked.Verb {
	case "mark", "set", "flag":
		return slices.Contains(e.asked.Words, state)
	case "start", "restart", "resume", "run", "boot":
		return state == "running" && !e.named
	}
	own := slices.Contains(strings.Fields(state), e.asked.Verb) && !strings.HasPrefix(state, "pending") // hold: on hold
	return own || e.asked.does(state)
}

// hasOtherSubject reports whether a call is about something that its tool is not named
// after: a note that is added to a payment has the payment's id beside it.
func (a *asked) hasOtherSubject(key string, id []byte) bool {
	noun := strings.TrimRight(strings.TrimSuffix(key, "id"), "_")
	same := func(word string) bool { return strings.HasPrefix(noun, word) || strings.HasPrefix(word, noun) }
	if noun == "" || slices.ContainsFunc(a.Words, same) {
		return false
	}
	return hasValue(a.call.Args, jsonspan.Scalar(id), 1)
}

func (e *envelope) reason() string {
	for _, value := range [][]byte{e.fault, e.message} {
		if reason := readable(value); reason != "" {
			return reason
		}
	}
	return ""
}

// readable is the text of a reason: a string, the "message" of an object or of
// the first in a list, the first "text" of a list of content parts, or the raw
// JSON.
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
			if name := string(jsonspan.Key(key)); name == "message" || name == "text" {
				if text, _ := jsonspan.Text(member); text != "" {
					return text
				}
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
