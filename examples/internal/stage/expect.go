package stage

import (
	"fmt"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
)

// Ended is an error unless a turn ended well and in this way.
func Ended(reply *guard.Reply, err error, want completion.Outcome) error {
	if err != nil || reply.Verdict.Outcome != want {
		return fmt.Errorf("the outcome is %v (error %v), want %v", reply.Verdict.Outcome, err, want)
	}
	return nil
}

// Corrected is an error unless the model was corrected so many times.
func Corrected(reply *guard.Reply, want int) error {
	if n := reply.Execution.Corrected; n != want {
		return fmt.Errorf("the model was corrected %d times, want %d", n, want)
	}
	return nil
}

// Check says what is wrong with a result; nil is nothing.
type Check[R any] func(result R) error

// All is the first that is wrong.
func All[R any](result R, checks []Check[R]) error {
	for _, check := range checks {
		if err := check(result); err != nil {
			return err
		}
	}
	return nil
}
