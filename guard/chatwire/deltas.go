package chatwire

import (
	"iter"

	"github.com/bonafide-go/bonafide/guard"
)

// Deltas makes a stream, as [guard.Streamer] wants it, of a function that reads
// an answer and tells each piece of its text as it arrives. The function has to
// stop when it is told that nobody listens any more; the ReadStream methods of
// the assemblers do.
func Deltas(read func(say func(text string) bool) (guard.Response, error)) iter.Seq2[guard.Delta, error] {
	return func(yield func(guard.Delta, error) bool) {
		left := false
		response, err := read(func(text string) bool {
			left = !yield(guard.Delta{Text: text}, nil)
			return !left
		})
		switch {
		case left:
		case err != nil:
			yield(guard.Delta{}, err)
		default:
			yield(guard.Delta{Response: &response}, nil)
		}
	}
}
