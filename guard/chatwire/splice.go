package chatwire

import (
	"errors"
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
// it: the arguments of a call, the text, or the calls as a whole. Of a value
// that arrived in several pieces the first becomes the whole of the new one and
// the others become empty.
func (r *reading) render(chunks [][]byte, answer guard.Response) ([][]byte, error) {
	edits := make([][]edit, len(chunks))
	replace := func(places []place, text string) error {
		for n, place := range places {
			if n > 0 {
				text = ""
			}
			quoted, err := marshal(text)
			if err != nil {
				return err
			}
			edits[place.chunk] = append(edits[place.chunk], edit{place.from, place.to, quoted})
		}
		return nil
	}
	if answer.Message.Text != r.response.Message.Text {
		if len(r.texts) == 0 {
			return nil, errors.New("there is no place for a text in the provider's answer")
		}
		if err := replace(r.texts, answer.Message.Text); err != nil {
			return nil, err
		}
	}
	if len(answer.Message.Calls) == 0 {
		for _, place := range r.lists {
			edits[place.chunk] = append(edits[place.chunk], edit{place.from, place.to, []byte("null")})
		}
		return spliceAll(chunks, edits), nil
	}
	for i, call := range answer.Message.Calls {
		if i >= len(r.drafts) || string(r.drafts[i].args) == string(call.Args) {
			continue
		}
		if len(r.drafts[i].places) == 0 {
			return nil, errors.New("the call was sent without arguments, so there is no place for new ones")
		}
		if err := replace(r.drafts[i].places, string(call.Args)); err != nil {
			return nil, err
		}
	}
	return spliceAll(chunks, edits), nil
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
