package guard

import "fmt"

// MaxCalls is the most calls that a message may hold, whichever way it comes. A
// message with more is broken or hostile: none of its calls runs, the first of them
// is on record and tells the model why.
const MaxCalls = 64

// What a model may answer. More is broken or hostile, and would only be held,
// read and stored at the host's expense.
const (
	// maxText is the longest text of an answer, in bytes.
	maxText = 1 << 20
	// maxArguments bounds the arguments of all calls of an answer, in bytes.
	maxArguments = 8 << 20
	// maxTold is how many calls are answered; a message with even more is a fault of
	// the provider.
	maxTold = 1024
)

// oversized is an answer that is too large to be judged, or nil. Who only
// watches hands it on.
func (t *Turn) oversized(response Response) error {
	message := &response.Message
	if t.guard.options.Observe {
		return nil
	}
	if len(message.Text) > maxText {
		return fmt.Errorf("the answer has %d bytes of text; at most %d are read", len(message.Text), maxText)
	}
	if len(message.Calls) > maxTold {
		return fmt.Errorf("the answer holds %d calls; at most %d are read", len(message.Calls), maxTold)
	}
	size := 0
	for i := range message.Calls {
		size += len(message.Calls[i].Args) + len(message.Calls[i].Tool) + len(message.Calls[i].ID)
	}
	if size > maxArguments {
		return fmt.Errorf("the calls of the answer have %d bytes; at most %d are read", size, maxArguments)
	}
	return nil
}
