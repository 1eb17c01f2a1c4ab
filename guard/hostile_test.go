package guard_test

import (
	"context"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
)

func TestConcurrentTurnsOnOneGuard(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Directories = nil })
	done := make(chan error)
	const turns = 1000
	for range turns {
		go func() {
			_, err := g.Run(context.Background(), twoStep(), deleted, guard.Input{User: "delete Read book", Owner: "ann"})
			done <- err
		}()
	}
	for range turns {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if counted := g.Counters(); counted.Turns != turns || counted.Accepted != turns || counted.ToolsCalled != turns {
		t.Errorf("counted %+v", counted)
	}
}
