//go:build !race

package guard_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// gate holds a number of goroutines until all of them have arrived and somebody
// opens it.
type gate struct {
	arrived sync.WaitGroup
	open    chan struct{}
}

func newGate(n int) *gate {
	g := &gate{open: make(chan struct{})}
	g.arrived.Add(n)
	return g
}

func (g *gate) pass() {
	g.arrived.Done()
	<-g.open
}

// held is the memory in use once all have arrived; then they go on.
func (g *gate) held() uint64 {
	g.arrived.Wait()
	size := inUse()
	close(g.open)
	return size
}

// inUse is the live heap and the stacks. What lies in pools outlives one collection.
func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc + stats.StackInuse
}

// haveRun starts goroutines and ends them: the runtime keeps what it needs for as many as
// ever ran at once, and that is not the turns'.
func haveRun(n int) {
	var group sync.WaitGroup
	end := make(chan struct{})
	for range n {
		group.Go(func() { <-end })
	}
	close(end)
	group.Wait()
}

// TestTenThousandTurnsAtOnce: 10,000 turns that are all being asked, and then all
// running their tool, stay within what doc.go promises for each, and leave no
// goroutine and nothing but their records behind.
func TestTenThousandTurnsAtOnce(t *testing.T) {
	const (
		turns   = 10_000
		perTurn = 32 << 10 // as doc.go says
		ledger  = 9 << 8   // for the record of the one call, which stays
	)
	asking, running := newGate(turns), newGate(turns)
	model := guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		if last := request.Messages[len(request.Messages)-1]; last.Role == guard.RoleTool {
			return guardtest.Say("I've deleted Read book.").Response, nil
		}
		asking.pass()
		return guardtest.Call(deletes("Read book")).Response, nil
	})
	executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
		running.pass()
		return []byte(`{"success":true}`), nil
	})
	owned := resolver.SourceFunc(func(context.Context, string) ([]resolver.Entry, error) {
		return []resolver.Entry{{ID: readBook, Title: "Read book"}, {ID: callMom, Title: "Call mom"}}, nil
	})
	g := guardFor(t, newWorld(), func(o *guard.Options) {
		o.Directories = map[string]guard.Directory{"task": resolver.NewDirectory(owned, nil)}
		o.Ledger = nil
	})
	ctx, cancel := context.WithCancel(t.Context()) // so that each tool has a goroutine of its own
	defer cancel()
	haveRun(2 * turns)
	before, goroutines := inUse(), runtime.NumGoroutine()
	var group sync.WaitGroup
	failures := make(chan error, turns)
	for i := range turns {
		group.Go(func() {
			input := guard.Input{User: "delete Read book", Owner: fmt.Sprint("owner ", i%100), Conversation: fmt.Sprint("c", i), Turn: fmt.Sprint("t", i)}
			reply, err := g.Run(ctx, model, executor, input)
			if err != nil || reply.Execution.Executed != 1 {
				failures <- fmt.Errorf("turn %d: %w", i, err)
			}
		})
	}
	whileAsking, whileRunning := asking.held()-before, running.held()-before
	group.Wait()
	after := int64(inUse()) - int64(before)
	t.Logf("%d KiB a turn while asking, %d while running, %d after", whileAsking/turns>>10, whileRunning/turns>>10, after/turns>>10)
	for len(failures) > 0 {
		t.Error(<-failures)
	}
	if whileAsking/turns > perTurn || whileRunning/turns > perTurn {
		t.Errorf("a turn takes %d bytes while it asks, %d while it runs; at most %d are promised", whileAsking/turns, whileRunning/turns, perTurn)
	}
	if after > turns*ledger {
		t.Errorf("%d bytes a turn stayed behind", after/turns)
	}
	for range 100_000 { // the last ones may still be on their way out
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		runtime.Gosched()
	}
	if left := runtime.NumGoroutine(); left > goroutines {
		t.Errorf("%d goroutines were there before, %d are now", goroutines, left)
	}
	if counted := g.Counters(); counted.Accepted != turns {
		t.Errorf("counted %+v", counted)
	}
}
