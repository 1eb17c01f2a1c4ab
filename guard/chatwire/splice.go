package chatwire

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/guard"
)

// edit replaces the bytes between two places.
type edit struct {
	from, to int
	with     []byte
}

// splice applies edits that do not overlap, and copies everything else byte by
// byte.
func splice(body []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
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
	e := editor{make([][]edit, len(chunks))}
	if answer.Message.Text != r.response.Message.Text {
		if err := r.replaceText(&e, answer.Message.Text); err != nil {
			return nil, err
		}
	}
	if len(answer.Message.Calls) == 0 {
		for _, place := range r.lists {
			e.put(place, []byte("null"))
		}
		for _, place := range r.stops { // clients wait for calls, or ask again without end
			e.put(place, []byte(`"stop"`))
		}
	}
	for i, call := range answer.Message.Calls {
		if i >= len(r.drafts) || string(r.drafts[i].args) == string(call.Args) {
			continue
		}
		if len(r.drafts[i].places) == 0 && string(call.Args) == "{}" {
			continue // no arguments mean the same
		}
		if err := e.replace(r.drafts[i].places, string(call.Args)); err != nil {
			return nil, fmt.Errorf("the arguments of %s: %w", call.Tool, err)
		}
	}
	return spliceAll(chunks, e.edits), nil
}

// replaceText puts another text in the place of all that the answer showed.
func (r *reading) replaceText(e *editor, text string) error {
	for _, place := range r.media {
		e.put(place, []byte("null"))
	}
	if len(r.texts) == 0 && r.spare != nil {
		quoted, err := marshal(text)
		if err != nil {
			return err
		}
		e.put(*r.spare, append(append([]byte(`"content":`), quoted...), ','))
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

func (e *editor) put(at place, with []byte) {
	e.edits[at.chunk] = append(e.edits[at.chunk], edit{at.from, at.to, with})
}

// replace gives a value another text. Of a value that arrived in several pieces
// the first becomes the whole of it and the others become empty.
func (e *editor) replace(places []place, text string) error {
	if len(places) == 0 {
		return errors.New("the provider's answer has no place for another one")
	}
	for n, at := range places {
		if n > 0 {
			text = ""
		}
		quoted, err := marshal(text)
		if err != nil {
			return err
		}
		e.put(at, quoted)
	}
	return nil
}

func spliceAll(chunks [][]byte, edits [][]edit) [][]byte {
	out := make([][]byte, len(chunks))
	for i, chunk := range chunks {
		out[i] = chunk
		if len(edits[i]) > 0 {
			out[i] = splice(chunk, edits[i])
		}
	}
	return out
}
