package chatwire

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/guard"
)

// edit replaces the bytes between two places.
type edit struct {
	from, to int
	with     []byte
}

// splice applies edits that do not overlap, and copies everything else byte by byte.
func splice(body []byte, edits []edit) json.RawMessage {
	slices.SortFunc(edits, func(a, b edit) int {
		return cmp.Or(a.from-b.from, a.to-b.to) // what is added at a place stands first
	})
	out := make([]byte, 0, len(body)+64)
	at := 0
	for _, e := range edits {
		out = append(out, body[at:e.from]...)
		out = append(out, e.with...)
		at = e.to
	}
	return append(out, body[at:]...)
}

// render is what arrived, changed only where the guard's answer differs from
// it: the arguments of a call, the text, or the calls as a whole.
func (chat) render(r *reading, chunks [][]byte, answer guard.Response) ([][]byte, error) {
	e := r.editor(chunks, answer, chatStops)
	if answer.Message.Text != r.response.Message.Text {
		if err := r.replaceText(&e, answer.Message.Text); err != nil {
			return nil, err
		}
	}
	if len(answer.Message.Calls) == 0 {
		e.put(null, r.lists...)
	}
	if r.dropped && len(answer.Message.Calls) > 0 {
		first := r.lists[:min(len(r.lists), 1)] // the provider had sent a call twice
		e.put(rawBlock(numberedCalls(answer.Message.Calls)), first...)
		e.put(null, r.lists[len(first):]...)
		return e.apply(chunks), nil
	}
	for i, call := range answer.Message.Calls {
		if i >= len(r.drafts) || string(r.drafts[i].args) == string(call.Args) {
			continue
		}
		if len(r.drafts[i].places) == 0 && string(call.Args) == "{}" {
			continue // no arguments mean the same
		}
		if r.drafts[i].object && isObject(call.Args) {
			e.put(call.Args, r.drafts[i].places[0])
			continue
		}
		if err := e.replace(r.drafts[i].places, string(call.Args)); err != nil {
			return nil, fmt.Errorf("the arguments of %s: %w", call.Tool, err)
		}
	}
	return e.apply(chunks), nil
}

// chatStops are the finish reasons of an answer without calls.
var chatStops = map[guard.Stop]string{
	guard.StopEnd: "stop", guard.StopRefused: "stop", guard.StopPaused: "stop",
	guard.StopCut: "length", guard.StopFiltered: "content_filter",
}

// announcesCalls reports a finish reason after which clients look for calls; one
// without calls makes some of them ask again without end.
func announcesCalls(reason string) bool {
	return reason == "tool_calls" || reason == "function_call" || reason == "tool_use"
}

// putStops gives an answer without calls the finish reason that fits it: of the
// answer that was the model's last, another one may be left.
func (r *reading) putStops(e *editor, stop guard.Stop, reasons map[guard.Stop]string) {
	for _, at := range r.stops {
		said, _ := stopOf(at.reason)
		if announcesCalls(at.reason) || stop == guard.StopEnd && said != guard.StopEnd {
			e.put([]byte(`"`+reasons[stop]+`"`), at.place)
		}
	}
}

// replaceText puts another text in the place of all that the answer showed.
func (r *reading) replaceText(e *editor, text string) error {
	e.put(null, r.media...)
	if len(r.texts) == 0 && r.spare != nil {
		e.put(slices.Concat([]byte(`"content":`), rawBlock(text), []byte{','}), *r.spare)
		return nil
	}
	if err := e.replace(r.texts, text); err != nil {
		return fmt.Errorf("the text: %w", err)
	}
	return nil
}

// editor collects the edits of each chunk.
type editor struct {
	edits [][]edit
}

// editor begins with what every format changes: what nobody asked for, the finish reasons of an
// answer without calls, and the usage.
func (r *reading) editor(chunks [][]byte, answer guard.Response, stops map[guard.Stop]string) editor {
	e := editor{make([][]edit, len(chunks))}
	e.put(nil, r.drops...)
	if len(answer.Message.Calls) == 0 {
		r.putStops(&e, answer.Stop, stops)
	}
	r.putCounts(&e, answer.Usage)
	return e
}

// null takes the place of what an answer has no more.
var null = json.RawMessage("null")

func (e *editor) put(with []byte, places ...place) {
	for _, at := range places {
		e.edits[at.chunk] = append(e.edits[at.chunk], edit{at.from, at.to, with})
	}
}

// replace gives a value another text. Of a value that arrived in several pieces the first becomes
// nearly the whole of it. The others keep one character each, as far as there are any: there are
// clients that take an empty piece of a call's arguments for the beginning of another call.
func (e *editor) replace(places []place, text string) error {
	if len(places) == 0 {
		return errors.New("the provider's answer has no place for another one")
	}
	end := endBefore(text, len(places)-1)
	for _, at := range places {
		piece, rest := text[:end], text[end:]
		_, end = utf8.DecodeRuneInString(rest)
		text = rest
		e.put(rawBlock(piece), at)
	}
	return nil
}

// endBefore is where a text ends that leaves some characters for others, but keeps one for itself.
func endBefore(text string, others int) int {
	_, first := utf8.DecodeRuneInString(text)
	end := len(text)
	for ; others > 0 && end > first; others-- {
		_, last := utf8.DecodeLastRuneInString(text[:end])
		end -= last
	}
	return end
}

// apply is what the chunks become.
func (e *editor) apply(chunks [][]byte) [][]byte {
	out := slices.Clone(chunks)
	for i, edits := range e.edits {
		if len(edits) > 0 {
			out[i] = splice(chunks[i], edits)
		}
	}
	return out
}
