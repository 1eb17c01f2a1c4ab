package guard_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

type panicHandler struct{ slog.Handler }

func (panicHandler) Enabled(context.Context, slog.Level) bool  { panic("logger") }
func (panicHandler) Handle(context.Context, slog.Record) error { panic("logger") }

type panicDirectory struct{}

func (panicDirectory) Resolve(context.Context, string, string) (resolver.Match, error) {
	panic("directory")
}
func (panicDirectory) Redact(context.Context, string, string) (string, error) { panic("directory") }

// brokenStore fails at one of its methods.
type brokenStore struct {
	tooltrack.Store
	begin, finish bool
}

func (s *brokenStore) Begin(ctx context.Context, record *tooltrack.Record, rerun bool) (tooltrack.Begun, error) {
	if s.begin {
		return tooltrack.Begun{}, errDatabase
	}
	return s.Store.Begin(ctx, record, rerun)
}

func (s *brokenStore) Finish(ctx context.Context, record *tooltrack.Record) (*tooltrack.Record, error) {
	if s.finish {
		return nil, errDatabase
	}
	return s.Store.Finish(ctx, record)
}

// TestHostCodeThatMisbehaves: whatever the host's own code does, the turn ends
// with an answer or an error, nothing runs unrecorded, and no lie is shown.
func TestHostCodeThatMisbehaves(t *testing.T) {
	broken := func(store *brokenStore) func(*guard.Options) {
		store.Store = tooltrack.NewMemory(nil)
		return func(o *guard.Options) { o.Ledger = tooltrack.NewLedger(store, nil) }
	}
	cases := []struct {
		name   string
		change func(*guard.Options)
		script []guardtest.Step
		runs   int
		fails  bool
	}{
		{"the classifier panics", func(o *guard.Options) {
			o.Classifier = intent.Func(func(context.Context, intent.Request) (intent.Intent, error) { panic("classifier") })
		}, nil, 1, false},
		{"the classifier fails", func(o *guard.Options) {
			o.Classifier = intent.Func(func(context.Context, intent.Request) (intent.Intent, error) { return intent.Intent{}, errDatabase })
		}, nil, 1, false},
		{"the logger panics", func(o *guard.Options) { o.Logger = slog.New(panicHandler{}) }, nil, 1, false},
		{"the clock panics", func(o *guard.Options) { o.Clock = func() time.Time { panic("clock") } }, nil, 0, true},
		{"the directory panics", func(o *guard.Options) { o.Directories = map[string]guard.Directory{"task": panicDirectory{}} }, nil, 0, true},
		{"a rule panics", func(o *guard.Options) {
			rule := policy.Func("mine", func(context.Context, policy.Input) (policy.Verdict, error) { panic("rule") })
			o.Policy = &policy.Options{Rules: policy.Rules{Named: []policy.Argument{policy.Arg("task_id", rule)}}}
		}, nil, 0, true},
		{"the key panics", func(o *guard.Options) { o.Key = func(guard.Input, tooltrack.Call) string { panic("key") } }, nil, 0, true},
		{"the store refuses to begin", broken(&brokenStore{begin: true}), nil, 0, true},
		{"the store refuses to finish", broken(&brokenStore{finish: true}), nil, 1, true},
		{"the model panics", nil, []guardtest.Step{{Do: func(context.Context, guard.Request) { panic("model") }}}, 0, true},
		{"the model answers nothing", nil, []guardtest.Step{{}, {}, {}, {}}, 0, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, c.change)
			script := c.script
			if script == nil {
				script = []guardtest.Step{guardtest.Call(deletes(readBook)), guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie)}
			}
			reply, err := g.Run(context.Background(), guardtest.Script(script...), w, ask("delete Read book"))
			if (err != nil) != c.fails || w.Count("delete_task") != c.runs {
				t.Errorf("ran %d times: %v", w.Count("delete_task"), err)
			}
			if err != nil && reply.Text != "" || err == nil && reply.Verdict.Ghost() {
				t.Errorf("shows %q", reply.Text)
			}
		})
	}
}

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
