package guard

import (
	"context"
	"fmt"
)

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

// countRound counts an answer with calls, and says which limit it exceeds; empty if
// it may be taken. A loop that is another's ends by itself, unless the host has set
// a limit; in observe mode that one is only counted, as it is for every loop that
// the guard does not drive.
func (t *Turn) countRound(ctx context.Context) (limit string) {
	if t.driver >= foreignLoop && t.guard.options.Budgets.Rounds == 0 {
		return ""
	}
	most := t.guard.budgets.Rounds
	if t.rounds++; t.rounds <= most {
		return ""
	}
	limit = fmt.Sprintf("the turn has used its %d rounds of tool calls", most)
	measure, observe := fmt.Sprintf("end of the turn after %d rounds", most), t.guard.options.Observe
	t.info(ctx, "limit", "rule", "rounds", "reason", limit, "observe", observe, "measures", []string{measure})
	if observe && t.driver != guardLoop {
		t.guard.counters.wouldHave(measure)
		return ""
	}
	return limit
}

// mayContinue reports whether an answer is a pause that is still within the rounds.
func (t *Turn) mayContinue(response Response) bool {
	return response.Stop == StopPaused && t.rounds < t.guard.budgets.Rounds
}

// pausedOnly reports an answer that an observing loop goes on after: a pause without
// calls, which it would have to run.
func (t *Turn) pausedOnly(response Response) bool {
	return t.mayContinue(response) && len(response.Message.Calls) == 0
}
