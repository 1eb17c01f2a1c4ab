package stage

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// Wants are the kinds of things that a scene may want of a result, by the word that they begin with.
// Each says what is wrong; nil is nothing.
type Wants[R any] map[string]func(result R, rest string) error

// Hold is the first thing that a result lacks.
func (w Wants[R]) Hold(result R, wants []string) error {
	for _, want := range wants {
		word, rest, _ := strings.Cut(want, " ")
		if err := w[word](result, rest); err != nil {
			return err
		}
	}
	return nil
}

// Ended is an error unless a turn ended well and in this way.
func Ended(reply *guard.Reply, err error, want string) error {
	if err != nil || reply.Verdict.Outcome.String() != want {
		return fmt.Errorf("the outcome is %v (error %v), want %v", reply.Verdict.Outcome, err, want)
	}
	return nil
}

// Corrected is an error unless the model was corrected so many times.
func Corrected(reply *guard.Reply, want string) error {
	return Count("corrections", reply.Execution.Corrected, want)
}

// Count is an error unless there are so many of something.
func Count(what string, n int, want string) error {
	if strconv.Itoa(n) != want {
		return fmt.Errorf("there are %d %s, want %s", n, what, want)
	}
	return nil
}
