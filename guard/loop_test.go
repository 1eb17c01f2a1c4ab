package guard_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var loopTools = []tooltrack.Tool{
	{Name: "read_file", Effect: tooltrack.Reads}, {Name: "list_files", Effect: tooltrack.Reads},
	{Name: "job_status", Effect: tooltrack.Reads}, {Name: "edit_file", Effect: tooltrack.Changes},
	{Name: "press_key"},
}

func readsFile(path string) tooltrack.Call {
	return guardtest.Tool("read_file", fmt.Sprintf(`{"path":%q}`, path))
}
func editsFile(text string) tooltrack.Call {
	return guardtest.Tool("edit_file", fmt.Sprintf(`{"text":%q}`, text))
}

// loopExecutor is a machine in which nothing moves but what is edited.
func loopExecutor() *guardtest.Executor {
	return guardtest.Tools(map[string]guard.ExecutorFunc{
		"read_file": guardtest.Returns(`{"text":"package main"}`), "list_files": guardtest.Returns(`{"files":["a.go"]}`),
		"edit_file": guardtest.Returns(`{"ok":true}`), "job_status": guardtest.Returns(`{"status":"running"}`),
		"press_key": guardtest.Returns(`{"ok":true}`),
	})
}

// looping gives the same answers again and again.
func looping(answers ...guardtest.Step) guard.Model {
	n := -1
	return guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
		n++
		step := answers[n%len(answers)]
		calls := make([]tooltrack.Call, len(step.Response.Message.Calls))
		for i, call := range step.Response.Message.Calls {
			calls[i] = tooltrack.Call{ID: fmt.Sprintf("c%d-%d", n, i), Tool: call.Tool, Args: call.Args}
		}
		step.Response.Message.Calls = calls
		return step.Response, nil
	})
}

func loopGuard(t *testing.T, change func(*guard.Options)) *guard.Guard {
	t.Helper()
	options := &guard.Options{}
	if change != nil {
		change(options)
	}
	g, err := guard.New(loopTools, options)
	require.NoError(t, err)
	return g
}

func TestCirclesEnd(t *testing.T) {
	status := guardtest.Tool("job_status", `{}`)
	list := guardtest.Tool("list_files", `{}`)
	for name, c := range map[string]struct {
		answers []guardtest.Step
		tools   []string // of the circle; none if it is none
		times   int
		ran     int
	}{
		"one read":             {[]guardtest.Step{guardtest.Call(readsFile("a"))}, []string{"read_file"}, 3, 3},
		"two in turn":          {[]guardtest.Step{guardtest.Call(readsFile("a")), guardtest.Call(list)}, []string{"read_file", "list_files"}, 3, 6},
		"two at once":          {[]guardtest.Step{guardtest.Call(readsFile("a"), list)}, []string{"read_file", "list_files"}, 3, 6},
		"keys of a machine":    {[]guardtest.Step{guardtest.Call(guardtest.Tool("press_key", `{"key":"down"}`))}, []string{"press_key"}, 8, 8},
		"polling":              {[]guardtest.Step{guardtest.Call(status)}, nil, 0, 32},
		"polling, and looking": {[]guardtest.Step{guardtest.Call(status), guardtest.Call(list)}, nil, 0, 32},
	} {
		t.Run(name, func(t *testing.T) {
			g, executor := loopGuard(t, nil), loopExecutor()
			reply, err := g.Run(t.Context(), looping(c.answers...), executor, ask("look at the files"))
			var circle *guard.TurnError
			if c.tools == nil {
				require.NotErrorIs(t, err, guard.ErrLoop)
				require.ErrorIs(t, err, guard.ErrInsufficientProgress)
				require.Len(t, executor.Calls(), c.ran)
				return
			}
			require.ErrorAs(t, err, &circle)
			require.ErrorIs(t, err, guard.ErrLoop)
			require.ErrorIs(t, err, guard.ErrInsufficientProgress)
			require.Equal(t, c.tools, circle.Tools)
			require.Equal(t, c.times, circle.Attempts)
			require.Len(t, executor.Calls(), c.ran)
			require.Contains(t, reply.Account, "What you asked for was not completed: the same was tried again and again.")
			require.Equal(t, reply.Account, guard.AccountOf(err))
			require.EqualValues(t, 1, g.Counters().Refused["loop"])
			require.EqualValues(t, len(c.answers[0].Response.Message.Calls), g.Counters().Denied["loop"])
		})
	}
}

// A model that takes the hint goes on, and what is read again after a change is no circle.
func TestCirclesThatAreNone(t *testing.T) {
	read, done := guardtest.Call(readsFile("a")), guardtest.Say("The file holds package main.")
	for name, script := range map[string][]guardtest.Step{
		"corrected once":        {read, read, read, read, done},
		"re-reads after edits":  {read, read, guardtest.Call(editsFile("1")), read, read, guardtest.Call(editsFile("2")), read, read, guardtest.Call(editsFile("3")), read, guardtest.Say("I have edited the file three times.")},
		"another look between":  {read, read, guardtest.Call(readsFile("b")), read, read, done},
		"together with another": {read, read, read, guardtest.Call(readsFile("a"), readsFile("b")), done},
	} {
		t.Run(name, func(t *testing.T) {
			steps := make([]guardtest.Step, len(script))
			copy(steps, script)
			for i := range steps {
				calls := steps[i].Response.Message.Calls
				fresh := make([]tooltrack.Call, len(calls))
				for j, call := range calls {
					fresh[j] = tooltrack.Call{ID: fmt.Sprintf("c%d-%d", i, j), Tool: call.Tool, Args: call.Args}
				}
				steps[i].Response.Message.Calls = fresh
			}
			model := guardtest.Script(steps...)
			g := loopGuard(t, nil)
			_, err := g.Run(t.Context(), model, loopExecutor(), ask("edit the file"))
			require.NotErrorIs(t, err, guard.ErrLoop)
			if name == "corrected once" {
				require.NoError(t, err)
				asked := model.Requests()[4].Messages
				require.Contains(t, asked[len(asked)-1].Text, "this call was made 3 times, and the result was the same each time")
			} else {
				require.Zero(t, g.Counters().Denied["loop"])
			}
		})
	}
}

func TestCirclesAreObservedOnly(t *testing.T) {
	g := loopGuard(t, func(o *guard.Options) { o.Observe = true })
	executor := loopExecutor()
	_, err := g.Run(t.Context(), looping(guardtest.Call(readsFile("a"))), executor, ask("look"))
	require.NotErrorIs(t, err, guard.ErrLoop)
	require.EqualValues(t, 1, g.Counters().Would["end of a circle of read_file"])
	require.Len(t, executor.Calls(), 32)
}

// drive is the own loop of a host.
func drive(t *testing.T, turn *guard.Turn, model guard.Model, executor guard.Executor) {
	t.Helper()
	for turn.Open() {
		response, err := model.Generate(t.Context(), turn.Request(t.Context()))
		require.NoError(t, err)
		for _, call := range turn.Take(t.Context(), response) {
			_, err := turn.Do(t.Context(), call, executor.Execute)
			require.NoError(t, err)
		}
	}
}

// The own loop of a host, and one that sees a model only, end in the same way.
func TestCirclesEndInEveryWayIn(t *testing.T) {
	t.Run("Begin and Take", func(t *testing.T) {
		turn, err := loopGuard(t, nil).Begin(t.Context(), ask("look"))
		require.NoError(t, err)
		model, executor := looping(guardtest.Call(readsFile("a"))), loopExecutor()
		drive(t, turn, model, executor)
		_, err = turn.Reply()
		require.ErrorIs(t, err, guard.ErrLoop)
	})
	t.Run("Stream", func(t *testing.T) {
		var last error
		for _, err := range loopGuard(t, nil).Stream(t.Context(), looping(guardtest.Call(readsFile("a"))), loopExecutor(), ask("look")) {
			last = err
		}
		require.ErrorIs(t, last, guard.ErrLoop)
	})
	t.Run("Wrap", func(t *testing.T) {
		model, executor := loopGuard(t, nil).Wrap(looping(guardtest.Call(readsFile("a")))), loopExecutor()
		messages := []guard.Message{{Role: guard.RoleUser, Text: "look"}}
		var err error
		for range 10 {
			var response guard.Response
			if response, err = model.Generate(t.Context(), guard.Request{Messages: messages, Tools: loopTools}); err != nil {
				break
			}
			messages = append(messages, response.Message)
			for _, call := range response.Message.Calls {
				data, err := executor.Execute(t.Context(), call)
				require.NoError(t, err)
				messages = append(messages, guard.Message{Role: guard.RoleTool, CallID: call.ID, Tool: call.Tool, Text: string(data)})
			}
		}
		require.ErrorIs(t, err, guard.ErrLoop)
		require.Len(t, executor.Calls(), 3)
	})
}
