package tooltrack

import (
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
	case e.asked.broughtAbout(e):
		return theThings
	case row.Then == Failed && e.wrapped:
		return theCalls
	case e.asked.reads() && (e.isThing(row) || !e.explained(row) && e.asked.AsksState):
		return theThings
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
	if row.firm {
		enough *= 2
	}
	switch {
	case e.titled || e.carries >= enough:
		return theThings
	case e.carries == 0 || row.firm && e.carries <= plainlyEntity:
		return theCalls
	}
	return either
}

// isThing reports whether a body that was looked up carries a thing for its state.
// A word that calls have needs the id of the thing, or a member that is called a
// state: "status":"error" beside a city is no weather.
func (e *envelope) isThing(row *ResultRule) bool {
	if row.call {
		return e.titled || e.carries > 0 && (e.named || e.isState)
	}
	return e.titled || e.carries > 0 || e.named
}

// explained reports a failure with a reason beside it, as calls have them.
func (e *envelope) explained(row *ResultRule) bool { return row.call && len(e.message) > 0 }

// names reports whether a call is about something that its tool is not named
// after: a note that is added to a payment has the payment's id beside it.
func (a *asked) names(key string, id []byte) bool {
	noun := strings.TrimRight(strings.TrimSuffix(key, "id"), "_")
	same := func(word string) bool { return strings.HasPrefix(noun, word) || strings.HasPrefix(word, noun) }
	if noun == "" || slices.ContainsFunc(a.Words, same) {
		return false
	}
	for _, value := range jsonspan.Members(a.call.Args) {
		if text := jsonspan.Scalar(value); text != "" && text == jsonspan.Scalar(id) {
			return true
		}
	}
	return false
}

// broughtAbout reports whether a call was to bring about the state that its
// result tells.
func (a *asked) broughtAbout(e *envelope) bool {
	if e.state == "" || !a.mayDo() {
		return false
	}
	for _, value := range jsonspan.Members(a.call.Args) {
		if jsonspan.KindOf(value) == jsonspan.String && sameWords(e.state, jsonspan.Scalar(value)) {
			return true
		}
	}
	state := spaced(e.state)
	switch a.Verb {
	case "mark", "set", "flag":
		return slices.Contains(a.Words, state)
	case "start", "restart", "resume", "run", "boot":
		return state == "running" && !e.named
	}
	return a.does(state) || slices.Contains(strings.Fields(state), a.Verb) // hold: on hold
}

// ownVerb looks for a member that denies what the tool does by its name, as
// "cancelled":false does, or that counts none of it.
func (e *envelope) ownVerb() (none string, undone bool) {
	if !e.asked.mayDo() {
		return "", false
	}
	if slices.ContainsFunc(e.denies, e.asked.does) {
		return "", true
	}
	if at := slices.IndexFunc(e.none, e.asked.does); at >= 0 {
		return e.none[at], false
	}
	return "", false
}

// notDone is a member that may say that a change was not made: it denies an act of the
// kind that the tool does, as "sent":false does of notify_guest, or it says that
// something was turned down, which was not what the tool is for. Empty if there is none.
func (e *envelope) notDone() string {
	if !e.asked.mayDo() || e.asked.call.Tool == "" || e.asked.reads() {
		return ""
	}
	if e.refused != "" && !e.asked.does(e.refused) {
		return e.refused + ": true"
	}
	doesLike := func(word string) bool { return slices.Contains(e.asked.Alike, word) }
	if at := slices.IndexFunc(e.denies, doesLike); at >= 0 && !slices.ContainsFunc(e.affirms, doesLike) {
		return e.denies[at] + ": false"
	}
	return ""
}
