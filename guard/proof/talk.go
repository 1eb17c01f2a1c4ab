package proof

import "github.com/bonafide-go/bonafide/internal/reading"

// talk is what was said before the message and the text before it. It is read only when
// somebody looks for a value that nothing nearer says: a recap names what it was asked
// for many messages ago.
type talk struct {
	messages []string // the latest first
	read     bool
	said     keys
	figures  []float64
}

// maxTalk is how many bytes of earlier messages are read.
const maxTalk = 64 << 10

// says reports whether a message says a value.
func (t *talk) says(reader *reading.Reader, key uint64) bool {
	t.open(reader)
	return t.said[key]
}

// latest are the figures of the messages, the latest first, as many as arithmetic is tried
// with.
func (t *talk) latest(reader *reading.Reader) []float64 {
	t.open(reader)
	return t.figures[:min(len(t.figures), maxBefore)]
}

func (t *talk) open(reader *reading.Reader) {
	if t.read {
		return
	}
	t.read, t.said = true, keys{}
	left := maxTalk
	var values []reading.Value
	for _, text := range t.messages {
		if left -= len(text); left < 0 {
			break
		}
		values = append(reader.Values(values[:0], text), signedDates(text)...)
		t.said.add(values)
		t.figures = appendFigures(t.figures, text, values)
	}
}
