package chatwire

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// MaxCalls is the most calls a message may hold. A message with more is broken
// or hostile, and none of its calls run.
const MaxCalls = guard.MaxCalls

// draft is a call while it is read or put together. What is wrong with it is a fault of the call,
// not of the body: its neighbours may be fine, and the model can only do better if it is told.
type draft struct {
	id, name string
	args     []byte
	fault    string  // why it cannot run; empty is fine
	index    int     // which call it is in a stream of chat completions, or which block of the others
	places   []place // where its arguments stand, to replace them
	object   bool    // they stand there as an object, and not as a text that holds one
}

func (d *draft) refuse(reason string) { d.fault = cmp.Or(d.fault, reason) }

// addArguments appends a piece of the arguments. Some servers send the object
// itself instead of a string that holds it; it means the same.
func (d *draft) addArguments(piece span, chunk int) {
	if piece.absent() {
		return
	}
	d.places = append(d.places, place{chunk, piece.from, piece.to})
	switch piece.kind() {
	case '"':
		d.args = append(d.args, piece.said()...)
	case '{':
		if len(d.args) > 0 {
			d.refuse("the arguments are sent both in pieces and as an object")
		}
		d.args, d.object = append(d.args, piece.bytes()...), true
	default:
		d.refuse("the arguments are neither a string nor an object")
	}
}

func callFrom(d *draft) tooltrack.Call { return tooltrack.Call{ID: d.id, Tool: d.name, Args: d.args} }

// draftOf is a call by its id and the name of its tool.
func draftOf(id, name span) draft {
	d := draft{id: id.said(), name: name.said()}
	if d.id == "" && !blank(id) {
		d.refuse("the id of the call is not a string")
	}
	if d.name == "" {
		d.refuse("the call names no tool")
	}
	return d
}

func readInputCall(id, name, input span) draft {
	d := draftOf(id, name)
	switch {
	case input.kind() == '{':
		d.args = append([]byte(nil), input.bytes()...)
	case !input.absent():
		d.refuse("the input is not an object")
	}
	return d
}

// finish puts the calls of a message into their final form: local ids where
// none were sent, one call per id, a bounded number.
func finish(drafts []draft) (kept []draft, calls []tooltrack.Call, faults []guard.CallFault, changed bool) {
	for i := range drafts {
		d := &drafts[i]
		if d.args = joinHalves(d.args); !utf8.Valid(d.args) {
			d.refuse("the arguments hold half a character (a lone surrogate)")
		}
		if len(drafts) > MaxCalls {
			d.fault = fmt.Sprintf("the message holds %d calls; at most %d are allowed in one message", len(drafts), MaxCalls)
		}
	}
	kept, changed = onePerID(drafts)
	for i, d := range kept {
		calls = append(calls, tooltrack.Call{ID: d.id, Tool: d.name, Args: d.args})
		if d.fault != "" {
			faults = append(faults, guard.CallFault{Call: i, Reason: d.fault})
		}
	}
	return kept, calls, faults, changed
}

// onePerID drops a call that was sent twice and refuses different calls under one id: their results
// could not be told apart. The second value reports whether the calls differ from what was sent.
func onePerID(drafts []draft) ([]draft, bool) {
	first := make(map[string]int, len(drafts))
	kept := make([]draft, 0, len(drafts))
	changed := false
	for _, d := range drafts {
		if d.id == "" {
			d.id, changed = localID(len(kept), first), true
		} else if at, known := first[d.id]; known {
			if kept[at].name == d.name && string(kept[at].args) == string(d.args) && kept[at].fault == d.fault {
				changed = true
				continue
			}
			reason := "two different calls carry the id " + strconv.Quote(clipped(d.id))
			kept[at].refuse(reason)
			d.refuse(reason)
		}
		if _, known := first[d.id]; !known {
			first[d.id] = len(kept)
		}
		kept = append(kept, d)
	}
	return kept, changed
}

const localPrefix = "call_local_"

// isLocalID reports an id that the provider did not send.
func isLocalID(id string) bool { return strings.HasPrefix(id, localPrefix) }

// localID names a call by its place; results can only be told apart by ids.
func localID(place int, taken map[string]int) string {
	for n := place + 1; ; n++ {
		id := localPrefix + strconv.Itoa(n)
		if _, used := taken[id]; !used {
			return id
		}
	}
}
