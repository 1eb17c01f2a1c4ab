package chatwire

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// extras are what an answer holds besides its text. An answer that is an image, a
// recording or a thought is not an empty one.
type extras struct {
	kinds      []string // each once, in the order in which they came
	transcript string   // the words of a recording
	places     []place  // members that show something to people
}

// extraLists are the lists of members that stand beside the text of a message, by what they hold.
var extraLists = []struct {
	list, kind string
	shown      bool
}{
	{"shown audio", "audio", true}, {"shown image", "image", true}, {"shown video", "video", true},
	{"shown pointer", "", true}, {"hidden reasoning", "reasoning", false},
}

// readExtras looks for what else a message holds.
func readExtras(message span, chunk int) extras {
	var b extras
	message.eachMember(func(key string, value span) {
		for _, known := range extraLists {
			if !slices.Contains(words(known.list), key) || blank(value) || emptyList(value) {
				continue
			}
			b.see(known.kind)
			if known.shown {
				b.places = append(b.places, place{chunk, value.from, value.to})
			}
			if known.kind == "audio" {
				b.transcript += value.member("transcript")
			}
		}
	})
	return b
}

func emptyList(value span) bool {
	return value.kind() == '[' && value.body[jsonspan.SkipSpace(value.body, value.from+1)] == ']'
}

// see takes note of a kind of content.
func (b *extras) see(kind string) {
	switch {
	case slices.Contains([]string{"", "text", "output_text", "refusal"}, kind):
		return
	case strings.Contains(kind, "thinking"):
		kind = "reasoning"
	}
	for _, known := range []string{"image", "audio", "reasoning"} {
		if strings.Contains(kind, known) {
			kind = known
		}
	}
	if !slices.Contains(b.kinds, kind) && len(b.kinds) < 8 {
		b.kinds = append(b.kinds, kind)
	}
}

func (b *extras) join(other extras) {
	for _, kind := range other.kinds {
		b.see(kind)
	}
	b.places = append(b.places, other.places...)
	b.transcript += other.transcript
}

// describeEmpty says what an answer without a text of its own holds: the words of a recording, or the kind
// of what people see or hear. Some servers take an answer for a thought, and clients show that.
func (r *reading) describeEmpty(b extras) {
	message := &r.response.Message
	if message.Text != "" || len(message.Calls) > 0 || r.response.Refusal != "" {
		return
	}
	if message.Text = b.transcript; message.Text == "" && len(b.kinds) > 0 {
		message.Shows = clipped(b.kinds[0])
	}
}
