package guard_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/golden"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestNamesThatLeadNowhereAreRefused: all at once, each with the nearest name.
func TestNamesThatLeadNowhereAreRefused(t *testing.T) {
	tools := taskTools()
	tools[2].Subject.Arg = "taskid"
	options := &guard.Options{
		Modes: []guard.Mode{{Mode: policy.Mode{Name: "m", Calls: 1, PerTool: map[string]int{"delet_task": 1}}, Tools: []string{"add_tasks"}}},
		Policy: &policy.Options{
			Rules:     policy.Rules{Tools: map[string][]policy.Argument{"complete_tsk": nil, "add_task": {policy.Arg("titel", policy.NotBlank())}}},
			Rates:     map[string]policy.Rate{"list_task": {Calls: 1, Per: time.Second}},
			Checklist: &policy.Checklist{Steps: []policy.Step{{Name: "look", Tool: "lists_tasks"}}, Resolving: []string{"delete_tasks"}},
		},
		Completion:  &completion.Options{Wording: map[string]completion.Wording{"ad_task": {}}, Claims: []completion.ClaimPhrase{{Text: "synced", Tool: "sync"}}},
		Intent:      &intent.Options{Silence: []string{"lst_tasks"}, Force: map[string][]string{"remove_task": {"x"}}, Examples: []intent.Example{{User: "x", Expected: []string{"delete_task "}}}},
		Directories: map[string]guard.Directory{"tasks": resolver.NewDirectory(nil, nil)},
	}
	_, err := guard.New(tools, options)
	require.Error(t, err)
	golden.Check(t, "configuration.txt", err.Error()+"\n")
	require.Equal(t, 14, strings.Count(err.Error(), "\n")+1)
}

func TestWhatIsNotGivenIsNamed(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, nil)
	_, err := g.Run(context.Background(), nil, w, ask("hello"))
	require.ErrorIs(t, err, guard.ErrNoModel)
	_, err = g.Run(context.Background(), guardtest.Script(), nil, ask("hello"))
	require.ErrorIs(t, err, guard.ErrNoExecutor)
	_, err = g.Run(context.Background(), guardtest.Script(), w, ask(" \n"))
	require.ErrorIs(t, err, guard.ErrNoMessage)
	_, err = g.Begin(context.Background(), guard.Input{})
	require.ErrorIs(t, err, guard.ErrNoMessage)
	for _, streamed := range g.Stream(context.Background(), nil, w, ask("hello")) {
		require.ErrorIs(t, streamed, guard.ErrNoModel)
	}
	var none context.Context
	_, err = g.Run(none, guardtest.Script(), w, ask("hello"))
	require.ErrorIs(t, err, guard.ErrNoContext)
	_, err = g.Wrap(guardtest.Script()).Generate(none, guard.Request{Tools: taskTools(), Messages: []guard.Message{{Role: guard.RoleUser, Text: "hello"}}})
	require.ErrorIs(t, err, guard.ErrNoContext)
	for _, streamed := range g.Stream(none, guardtest.Script(), w, ask("hello")) {
		require.ErrorIs(t, streamed, guard.ErrNoContext)
	}
	turn, err := g.Begin(context.Background(), ask("hello"))
	require.NoError(t, err)
	_, err = turn.Fail(nil)
	require.ErrorIs(t, err, guard.ErrProvider)
	require.EqualError(t, err, "the model could not be asked: Turn.Fail was given no error; pass the one that the model returned")
}

// TestATurnWithoutAContext: each step of a turn says so, and none is taken.
func TestATurnWithoutAContext(t *testing.T) {
	var none context.Context
	w := newWorld()
	g := guardFor(t, w, nil)
	begin := func() *guard.Turn {
		turn, err := g.Begin(context.Background(), ask("delete the task Read book"))
		require.NoError(t, err)
		return turn
	}
	turn := begin()
	require.NotEmpty(t, turn.Request(none).Messages)
	calls := turn.Take(context.Background(), guardtest.Call(deletes("Read book")).Response)
	require.Len(t, calls, 1)
	_, err := turn.Do(none, calls[0], func(context.Context, tooltrack.Call) ([]byte, error) {
		t.Error("nothing may run")
		return nil, nil
	})
	require.ErrorIs(t, err, guard.ErrNoContext)
	_, err = turn.Model(guardtest.Script()).Generate(none, guard.Request{})
	require.ErrorIs(t, err, guard.ErrNoContext)

	turn = begin()
	require.Empty(t, turn.Take(none, guardtest.Say("Done.").Response))
	_, err = turn.Reply()
	require.ErrorIs(t, err, guard.ErrNoContext)
	_, err = begin().End(none, "Done.")
	require.ErrorIs(t, err, guard.ErrNoContext)
}

// TestWhatCannotWorkIsRefusedByName: the field, what is wrong, and what to use.
func TestWhatCannotWorkIsRefusedByName(t *testing.T) {
	for want, change := range map[string]func(*[]tooltrack.Tool, *guard.Options){
		`Options.Directories: the directory of "task" is nil; give one, or leave the kind out`: func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Directories = map[string]guard.Directory{"task": nil}
		},
		`Answer.Arg of add_task: "text" is not an argument of add_task; use one of title, due_date`: func(tools *[]tooltrack.Tool, _ *guard.Options) {
			(*tools)[1].Answer.Arg = "text"
		},
		`Subject.Arg of list_tasks: "title" is not an argument of list_tasks; use one of status_filter`: func(tools *[]tooltrack.Tool, _ *guard.Options) {
			(*tools)[0].Subject.Arg = "title"
		},
		`Options.Modes, Tools of m: "nope" is not a tool; use one of list_tasks, add_task, update_task, complete_task, delete_task`: func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Modes = []guard.Mode{{Mode: policy.Mode{Name: "m"}, Tools: []string{"nope"}}}
		},
		`Options.Modes[0]: Name is empty; give the name that Input.Mode asks for`: func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Modes = make([]guard.Mode, 1)
		},
		`Options.Modes[1]: the name "m" is used twice; names must be unique`: func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Modes = []guard.Mode{{Mode: policy.Mode{Name: "m"}}, {Mode: policy.Mode{Name: "m"}}}
		},
		`tools[0]: tool list_tasks: effect 77 is not one of unknown, reads, changes, verifies; set Effect to Reads, Changes or Verifies, or leave it out`: func(tools *[]tooltrack.Tool, _ *guard.Options) {
			(*tools)[0].Effect = 77
		},
	} {
		tools, options := taskTools(), &guard.Options{}
		change(&tools, options)
		_, err := guard.New(tools, options)
		require.EqualError(t, err, want)
	}
}

// TestABrokenSchemaRefusesItsToolAlone: the others go on, and the log says it.
func TestABrokenSchemaRefusesItsToolAlone(t *testing.T) {
	w := newWorld()
	tools := append(taskTools(), tooltrack.Tool{Name: "rename_task", Effect: tooltrack.Changes, Parameters: []byte(`{"type":"object","properties":{"to":{"pattern":"^(?!x)"}}}`)})
	options := worldOptions(t, w)
	g, err := guard.New(tools, options)
	require.NoError(t, err)
	model := guardtest.Script(guardtest.Call(guardtest.Tool("rename_task", `{"to":"y"}`)), guardtest.Call(deletes("Read book")), guardtest.Say("I've deleted Read book. I could not rename it, because the tool is broken."))
	reply, err := g.Run(context.Background(), model, w, ask("delete Read book"))
	require.NoError(t, err)
	require.Equal(t, "schema", reply.Records[0].Ruling.Rule)
	require.True(t, reply.Records[1].Succeeded())
}

// TestSchemasThatCannotBeApplied are told when the guard is made: by name, with
// what is wrong and what to do, counted and logged.
func TestSchemasThatCannotBeApplied(t *testing.T) {
	for _, schema := range []string{
		`{"type":"nonsense"}`, `[]`, `{"$ref":"http://example.com/x.json"}`, `{"properties":{"to":{"type":"string","pattern":"^(?!x)"}}}`,
	} {
		var logged strings.Builder
		tools := append(taskTools(), tooltrack.Tool{Name: "rename_task", Effect: tooltrack.Changes, Parameters: []byte(schema)})
		g, err := guard.New(tools, &guard.Options{Logger: slog.New(slog.NewTextHandler(&logged, nil))})
		require.NoError(t, err, "the other tools are whole")
		require.Len(t, g.Unreadable(), 1, schema)
		require.ErrorContains(t, g.Unreadable()["rename_task"], "tool rename_task: parameters: ")
		require.ErrorContains(t, g.Unreadable()["rename_task"], "or leave Parameters out")
		require.Equal(t, map[string]uint64{"Tool.Parameters of rename_task": 1}, g.Counters().HostFaults)
		require.Contains(t, logged.String(), "tool=rename_task")
	}
	g, err := guard.New(taskTools(), nil)
	require.NoError(t, err)
	require.Empty(t, g.Unreadable())
	require.Empty(t, g.Counters().HostFaults)
}

// TestOptionsThatWouldDoNothingAreRefused: a rule that can never apply protects
// nobody, and says nothing.
func TestOptionsThatWouldDoNothingAreRefused(t *testing.T) {
	schema := func(parameters string) func(*[]tooltrack.Tool, *guard.Options) {
		return func(tools *[]tooltrack.Tool, _ *guard.Options) { (*tools)[4].Parameters = []byte(parameters) }
	}
	called := completion.Action(completion.Called("delet_task"), completion.Planned("plan"), completion.Covers("add_tsk", "a"))
	none := `Subject.Arg of delete_task: "task_id" is not an argument of delete_task, whose schema allows none`
	requirements := `%[1]s: "delet_task" is not a tool; did you mean "delete_task"?
%[1]s: "plan" is not a tool; use one of list_tasks, add_task, update_task, complete_task, delete_task
%[1]s: "add_tsk" is not a tool; did you mean "add_task"?`
	for name, row := range map[string]struct {
		change func(*[]tooltrack.Tool, *guard.Options)
		want   string
	}{
		"the policy's own modes": {func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Policy = &policy.Options{Modes: []policy.Mode{{Name: "m", Calls: 1, PerTool: map[string]int{"delet_task": 1}}}}
		}, `Options.Policy.Modes, PerTool of m: "delet_task" is not a tool; did you mean "delete_task"?`},
		"empty properties":       {schema(`{"type":"object","properties":{}}`), none},
		"nothing may be sent":    {schema(`{"type":"object","additionalProperties":false}`), none},
		"anything may be sent":   {schema(`{"type":"object"}`), ""},
		"no schema":              {schema(``), ""},
		"properties of parts":    {schema(`{"type":"object","properties":{},"allOf":[{"properties":{"task_id":{}}}]}`), ""},
		"properties by patterns": {schema(`{"type":"object","additionalProperties":false,"patternProperties":{"_id$":{}}}`), ""},
		"a contract": {func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Contracts = map[intent.Kind]completion.Contract{intent.Action: called}
		}, fmt.Sprintf(requirements, "Options.Contracts of action")},
		"a mode's contract": {func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Modes = []guard.Mode{{Mode: policy.Mode{Name: "m"}, Contract: &called}}
		}, fmt.Sprintf(requirements, "Options.Modes, Contract of m")},
		"a contract that asks for nothing known": {func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Contracts = map[intent.Kind]completion.Contract{intent.Chat: {Due: 9, Require: []completion.Requirement{nil}}}
		}, "Options.Contracts of chat: Due is 9; use DueChange, DueAnswer or DueNothing\n" +
			"Options.Contracts of chat: Require[0] is nil; give a requirement, or leave it out"},
		"words for a classifier that is replaced": {func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Classifier, o.Intent = byWords(), &intent.Options{Silence: []string{"delet_task"}}
		}, "Options.Intent tunes the default classifier, which Options.Classifier replaces; leave one of them out\n" +
			`Options.Intent.Silence: "delet_task" is not a tool; did you mean "delete_task"?`},
		"an optional rule that there is not": {func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Policy = &policy.Options{Rules: policy.Rules{Tools: map[string][]policy.Argument{"web_search": nil}, Optional: []string{"web_search", "web_serch"}}}
		}, `Options.Policy.Rules.Optional: "web_serch" is not a name in Rules.Tools or Rules.Named; did you mean "web_search"?`},
		"a rule for an argument that no tool has": {func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Policy = &policy.Options{Rules: policy.Rules{Named: []policy.Argument{policy.Arg("task_idd", policy.Required()), policy.Arg("title", policy.NotBlank())}}}
		}, `Options.Policy.Rules.Named: "task_idd" is not an argument of a tool; did you mean "task_id"?`},
		"an optional rule for an argument": {func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Policy = &policy.Options{Rules: policy.Rules{Named: []policy.Argument{policy.Arg("colour", policy.Required())}, Optional: []string{"colour"}}}
		}, ""},
		"a rule for an argument of a tool that declares none": {func(tools *[]tooltrack.Tool, o *guard.Options) {
			(*tools)[0].Parameters = nil
			o.Policy = &policy.Options{Rules: policy.Rules{Named: []policy.Argument{policy.Arg("colour", policy.Required())}}}
		}, ""},
		"a proof mode that there is not": {func(_ *[]tooltrack.Tool, o *guard.Options) {
			o.Proof = 77
		}, "Options.Proof is 77; use WhenUnsure, Always or Never"},
	} {
		t.Run(name, func(t *testing.T) {
			tools, options := taskTools(), &guard.Options{}
			row.change(&tools, options)
			_, err := guard.New(tools, options)
			if row.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, row.want)
		})
	}
}

// TestNewTellsAllAtOnce: whoever corrects one fault does not meet the next one.
func TestNewTellsAllAtOnce(t *testing.T) {
	tools := append(taskTools(), taskTools()[0], tooltrack.Tool{Name: "no good"}, tooltrack.Tool{Name: "odd", Effect: 77})
	mode := guard.Mode{Mode: policy.Mode{Name: "m", Calls: 1}, Tools: []string{"add_tasks"}}
	_, err := guard.New(tools, &guard.Options{
		Modes: []guard.Mode{mode, mode, {}},
		Policy: &policy.Options{
			Modes:       []policy.Mode{{Name: "few", Calls: -7}, {Name: "m"}, {Name: "far", Deeper: "nowhere"}},
			Rates:       map[string]policy.Rate{"list_task": {Calls: 1, Per: time.Second}, "add_task": {}, "delete_task": {Calls: -1}},
			Checklist:   &policy.Checklist{Steps: []policy.Step{{}, {Name: "look", Tool: "list_tasks", Path: "x"}}, MaxAttempts: -1},
			DefaultMode: "none",
			Rules:       policy.Rules{Tools: map[string][]policy.Argument{"add_task": {policy.Arg("", policy.NotBlank())}, "update_task": {policy.Arg("", policy.NotBlank())}}},
		},
		Intent:      &intent.Options{Silence: []string{"lst_tasks"}, Language: strings.NewReader("no\x00list")},
		Directories: map[string]guard.Directory{"tasks": nil},
	})
	require.Error(t, err)
	golden.Check(t, "allatonce.txt", err.Error()+"\n")
}

// silent is a model, an executor and more by pointer, for a nil one in an interface.
type silent struct{ body []byte }

func (s *silent) Generate(context.Context, guard.Request) (guard.Response, error) {
	return guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: string(s.body)}}, nil
}

func (s *silent) Execute(context.Context, tooltrack.Call) ([]byte, error) { return s.body, nil }

// TestNilIsToldAsNil: in an interface as well as bare, by whichever way in. No call
// is begun for it.
func TestNilIsToldAsNil(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, nil)
	ctx := context.Background()
	request := guard.Request{Tools: taskTools(), Messages: []guard.Message{{Role: guard.RoleUser, Text: "delete Read book"}}}
	for name, model := range map[string]guard.Model{"nil": nil, "func": guard.ModelFunc(nil), "pointer": (*silent)(nil)} {
		t.Run("model "+name, func(t *testing.T) {
			_, err := g.Run(ctx, model, w, ask("delete Read book"))
			require.Equal(t, guard.ErrNoModel, err)
			for _, err := range g.Stream(ctx, model, w, ask("delete Read book")) {
				require.Equal(t, guard.ErrNoModel, err)
			}
			_, err = g.Wrap(model).Generate(ctx, request)
			require.Equal(t, guard.ErrNoModel, err)
			turn, err := g.Begin(ctx, ask("delete Read book"))
			require.NoError(t, err)
			_, err = turn.Model(model).Generate(ctx, request)
			require.Equal(t, guard.ErrNoModel, err)
			require.True(t, turn.Open(), "nobody was asked")
		})
	}
	for name, executor := range map[string]guard.Executor{"nil": nil, "func": guard.ExecutorFunc(nil), "pointer": (*silent)(nil)} {
		t.Run("executor "+name, func(t *testing.T) {
			_, err := g.Run(ctx, guardtest.Script(), executor, ask("delete Read book"))
			require.Equal(t, guard.ErrNoExecutor, err)
			turn, err := g.Begin(ctx, ask("delete Read book"))
			require.NoError(t, err)
			calls := turn.Take(ctx, guardtest.Call(deletes("Read book")).Response)
			require.Len(t, calls, 1)
			_, err = turn.Executor(executor).Execute(ctx, calls[0])
			require.Equal(t, guard.ErrNoExecutor, err)
			_, err = turn.Do(ctx, calls[0], nil)
			require.Equal(t, guard.ErrNoExecutor, err)
			record, err := turn.Do(ctx, calls[0], guardtest.Returns(`{"success":true}`))
			require.NoError(t, err, "the call may still run")
			require.True(t, record.Succeeded())
		})
	}
	_, err := guard.ModelFunc(nil).Generate(ctx, request)
	require.Equal(t, guard.ErrNoModel, err)
	_, err = guard.ExecutorFunc(nil).Execute(ctx, tooltrack.Call{})
	require.Equal(t, guard.ErrNoExecutor, err)
	_, err = guard.New(taskTools(), &guard.Options{
		Referee: (*silent)(nil), Classifier: intent.Func(nil), Reviewer: guard.ReviewerFunc(nil), Evaluator: guard.EvaluatorFunc(nil),
		Directories: map[string]guard.Directory{"task": (*resolver.Directory)(nil)},
	})
	require.EqualError(t, err, `Options.Directories: the directory of "task" is nil; give one, or leave the kind out
Options.Classifier holds a nil pointer or function; give one that works, or leave the field out
Options.Reviewer holds a nil pointer or function; give one that works, or leave the field out
Options.Evaluator holds a nil pointer or function; give one that works, or leave the field out
Options.Referee holds a nil pointer or function; give one that works, or leave the field out`)
}
