package guard_test

import (
	"context"
	"errors"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestNilModelAndExecutor(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, nil)
	var provider *guard.ProviderError
	if _, err := g.Run(context.Background(), nil, w, ask("hello")); !errors.As(err, &provider) {
		t.Errorf("a nil model: %v", err)
	}
	reply, _ := g.Run(context.Background(), guardtest.Script(guardtest.Call(lists()), guardtest.Say("I couldn't list the tasks: the tool is broken. Please try later.")), nil, ask("list my tasks"))
	if reply.Records[0].Result.Status != tooltrack.Failed {
		t.Errorf("a nil executor: %+v", reply.Records[0].Result)
	}
}

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
