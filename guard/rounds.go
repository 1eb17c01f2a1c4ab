package guard

import (
	"context"
	"fmt"
)

// countRound counts an answer with calls, and says which limit it exceeds; empty if
// it may be taken. A loop that is another's ends by itself, unless the host has set
// a limit; in observe mode that one is only counted, as it is for every loop that
// the guard does not drive.
func (t *Turn) countRound(ctx context.Context) (limit string) {
	if t.foreign && t.guard.options.Budgets.Rounds == 0 {
		return ""
	}
	most := t.guard.budgets.Rounds
	if t.rounds++; t.rounds <= most {
		return ""
	}
	limit = fmt.Sprintf("the turn has used its %d rounds of tool calls", most)
	measure, observe := fmt.Sprintf("end of the turn after %d rounds", most), t.guard.options.Observe
	t.info(ctx, "limit", "rule", "rounds", "reason", limit, "observe", observe, "measures", []string{measure})
	if observe && !t.ownLoop {
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
