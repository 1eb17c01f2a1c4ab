package chatwire

import (
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

// reading is an answer together with the places of its parts, so that it can be
// handed on with other arguments or without its calls.
type reading struct {
	response guard.Response
	drafts   []draft // one for each call of the response
	lists    []place // where calls are listed
	texts    []place // where the text stands
	media    []place // where else an answer stands: images, sound, the probabilities of its words
	stops    []stopPlace
	counts   []count
	others   map[string]int // what the other answers to the request used
	drops    []place        // what nobody asked for and nobody judges
	spare    *place         // where a text can be added if it stands nowhere
	dropped  bool           // a call was sent twice and is read once
	seen     seenCalls      // what the provider ran by itself
	blocks   []block        // what the answer is made of, in the newer formats
	id       string         // by which a later request may go on
	final    []byte         // the whole answer, where a stream ends with it
}

// draft is a call while it is read or put together.
type draft struct {
	id, name string
	args     []byte
	fault    string  // why it cannot run; empty is fine
	block    int     // which block it is, in the Messages format
	places   []place // where its arguments stand, to replace them
	object   bool    // they stand there as an object, and not as a text that holds one
}

// stopPlace is where a finish reason stands.
type stopPlace struct {
	place
	reason string
}

// place is where a piece of arguments stands: in which chunk of a stream, and
// there between which bytes.
type place struct {
	chunk    int
	from, to int
}

func (d *draft) refuse(reason string) {
	if d.fault == "" {
		d.fault = reason
	}
}

// readCall reads one element of tool_calls. What is wrong with it is a fault of
// the call, not of the body: its neighbours may be fine, and the model can only
// do better if it is told.
func readCall(call span, chunk int) draft {
	var d draft
	found, err := call.members("the call", "id", "type", "function")
	if err != nil {
		d.refuse(err.Error())
		return d
	}
	if d.id, err = found[0].text("the id of the call"); err != nil {
		d.refuse(err.Error())
	}
	kind, err := found[1].text("the type of the call")
	if err != nil || kind != "" && kind != "function" {
		d.refuse("the call is not of the type \"function\"")
	}
	d.readFunction(found[2], chunk)
	return d
}

func (d *draft) readFunction(function span, chunk int) {
	found, err := function.members("the function of the call", "name", "arguments")
	if err != nil {
		d.refuse(err.Error())
		return
	}
	if d.name, err = found[0].text("the name of the tool"); err != nil || d.name == "" {
		d.refuse("the call names no tool")
	}
	d.addArguments(found[1], chunk)
}

// addArguments appends a piece of the arguments. Some servers send the object
// itself instead of a string that holds it; it means the same.
func (d *draft) addArguments(piece span, chunk int) {
	if piece.absent() {
		return
	}
	d.places = append(d.places, place{chunk, piece.from, piece.to})
	switch piece.kind() {
	case '"':
		text, _ := unquote(piece.bytes())
		d.args = append(d.args, text...)
	case '{':
		if len(d.args) > 0 {
			d.refuse("the arguments are sent both in pieces and as an object")
		}
		d.args, d.object = append(d.args, piece.bytes()...), true
	default:
		d.refuse("the arguments are neither a string nor an object")
	}
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

// onePerID drops a call that was sent twice and refuses different calls under
// one id: their results could not be told apart. The second value reports
// whether the calls differ from what was sent.
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
