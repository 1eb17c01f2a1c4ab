package tooltrack

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
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
	case e.asked.reads() && (e.isThing(row) || !e.explained(row) && e.asked.asksState()):
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

// asked is the call whose result is read. The methods of a nil one know nothing.
type asked struct {
	effect Effect
	call   Call
	tool   *toolname.Reading // read when it is needed
}

func (a *asked) reading() *toolname.Reading {
	if a.tool == nil {
		reading := toolname.Read(lexicon.English(), toolname.Tool{Name: a.call.Tool})
		a.tool = &reading
	}
	return a.tool
}

// reads reports a tool that looks something up, by what is declared or, where
// nothing is, by its name.
func (a *asked) reads() bool {
	return a != nil &&
		(a.effect == Reads || a.effect == UnknownEffect && a.call.Tool != "" && a.reading().Effect == toolname.Reads)
}

// verifies reports a tool that checks something.
func (a *asked) verifies() bool { return a != nil && a.effect == Verifies }

var stateNouns = wordSet("status state progress outcome result health")

// asksState reports a tool that is asked for a state: get_job_status.
func (a *asked) asksState() bool {
	return a != nil &&
		slices.ContainsFunc(a.reading().Nouns, func(noun toolname.Word) bool { return stateNouns[noun.Text] })
}

// names reports whether a call is about something that its tool is not named
// after: a note that is added to a payment has the payment's id beside it.
func (a *asked) names(key string, id []byte) bool {
	noun := strings.TrimRight(strings.TrimSuffix(key, "id"), "_")
	same := func(word toolname.Word) bool {
		return word.Text != "" && (strings.HasPrefix(noun, word.Text) || strings.HasPrefix(word.Text, noun))
	}
	if noun == "" || same(a.reading().Verb) || slices.ContainsFunc(a.reading().Nouns, same) {
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
	if a == nil || e.state == "" || a.effect == Reads || a.effect == Verifies {
		return false
	}
	for _, value := range jsonspan.Members(a.call.Args) {
		if jsonspan.KindOf(value) == jsonspan.String && sameWords(e.state, jsonspan.Scalar(value)) {
			return true
		}
	}
	if a.call.Tool == "" {
		return false
	}
	state := spaced(e.state)
	switch verb := a.reading().Verb.Text; verb {
	case "mark", "set", "flag":
		return slices.ContainsFunc(a.reading().Nouns, func(noun toolname.Word) bool { return noun.Text == state })
	case "start", "restart", "resume", "run", "boot":
		return state == "running" && !e.named
	}
	return a.does(state) || slices.Contains(strings.Fields(state), a.reading().Verb.Text) // hold: on hold
}

// does reports whether a word says that what the tool does by its name is done:
// "cancelled" of cancel_order.
func (a *asked) does(word string) bool {
	verb := a.reading().Verb
	if verb.Text != "" && doneBy(word, verb.Text, verb.Entry) {
		return true
	}
	nouns := a.reading().Nouns // where the verb of a name is none of the listed ones, it is the first of these
	return len(nouns) > 0 && doneBy(word, nouns[0].Text, nouns[0].Entry)
}

// doneBy reports whether a word is the participle of a verb.
func doneBy(word, verb string, listed *lexicon.Entry) bool {
	if known := lexicon.English().Lookup(word); known != nil && listed != nil {
		return known.ID == listed.ID && word != verb && known.Form.Has(lexicon.Participle|lexicon.Past)
	}
	// Of a word that is not listed the ending decides: enqueue, queued.
	stem, done := strings.TrimRight(verb, "ey"), strings.TrimRight(strings.TrimSuffix(word, "d"), "ei")
	return len(done) > 2 && len(stem) > 2 && strings.HasSuffix(word, "d") &&
		(strings.HasPrefix(done, stem) && len(done) <= len(stem)+1 || strings.HasSuffix(stem, done))
}

// ownVerb looks for a member that denies what the tool does by its name, as
// "cancelled":false does, or that counts none of it.
func (e *envelope) ownVerb() (none string, undone bool) {
	if e.asked == nil || e.asked.effect == Reads || e.asked.effect == Verifies {
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
	if e.asked == nil || e.asked.effect == Verifies || e.asked.call.Tool == "" || e.asked.reads() {
		return ""
	}
	if e.refused != "" && !e.asked.does(e.refused) {
		return e.refused + ": true"
	}
	if at := slices.IndexFunc(e.denies, e.asked.doesLike); at >= 0 && !slices.ContainsFunc(e.affirms, e.asked.doesLike) {
		return e.denies[at] + ": false"
	}
	return ""
}

// doesLike reports whether a word says that something of the kind is done that the tool
// does by its name.
func (a *asked) doesLike(word string) bool {
	known := lexicon.English().Lookup(word)
	return known != nil && known.Form.Has(lexicon.Participle) && known.Families.Overlaps(a.reading().Families)
}
