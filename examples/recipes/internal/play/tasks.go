package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Tasks are what the tools work on: plain functions, as any program has them.
type Tasks struct {
	mu     sync.Mutex
	titles []string
	ran    []string
}

// NewTasks is a list of four tasks, of which one is locked and another protected by the guard's policy.
func NewTasks() *Tasks {
	return &Tasks{titles: []string{"Read book", "Buy milk", "Pay rent", "Tax return"}}
}

// Delete deletes a task.
func (t *Tasks) Delete(title string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ran = append(t.ran, "delete_task "+title)
	at := slices.Index(t.titles, title)
	switch {
	case title == "Pay rent":
		return "", errors.New("the task is locked by Bob")
	case at < 0:
		return "", fmt.Errorf("there is no task %q", title)
	}
	t.titles = slices.Delete(t.titles, at, at+1)
	return fmt.Sprintf(`{"success":true,"title":%q}`, title), nil
}

// List lists them.
func (t *Tasks) List() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ran = append(t.ran, "list_tasks")
	return strings.Join(t.titles, ", "), nil
}

// Ran is what the tools were run for, in the order of titles: calls of one message may run at the same time.
func (t *Tasks) Ran() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(slices.Values(t.ran))
}

// Execute runs a call as a model sent it, for loops that have no functions to register.
func (t *Tasks) Execute(_ context.Context, call tooltrack.Call) ([]byte, error) {
	var args struct {
		Title string `json:"title"`
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return nil, err
	}
	var text string
	var err error
	switch call.Tool {
	case "delete_task":
		text, err = t.Delete(args.Title)
	case "list_tasks":
		text, err = t.List()
	default:
		err = fmt.Errorf("there is no tool %q", call.Tool)
	}
	return []byte(text), err
}

// Tools describe the functions once: for the model, and for the guard.
func Tools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{
			Name: "delete_task", Description: "Delete a task of the user.", Effect: tooltrack.Changes,
			Subject:    tooltrack.SubjectArg{Arg: "title", Kind: "task"},
			Parameters: json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`),
		},
		{
			Name: "list_tasks", Description: "List the tasks of the user.", Effect: tooltrack.Reads,
			Parameters: json.RawMessage(`{"type":"object","properties":{}}`),
		},
	}
}

// ToolNamed is one of some tools.
func ToolNamed(tools []tooltrack.Tool, name string) (tooltrack.Tool, bool) {
	for _, tool := range tools {
		if tool.Name == name {
			return tool, true
		}
	}
	return tooltrack.Tool{}, false
}

// Run is one run of a loop that has no more than the messages: it knows which calls it has told the model of.
type Run map[int64]bool

// Tell is what the model reads of a call under the ledger: that a repeat in this run is one, and the result of a
// call that only an earlier run made, before a crash.
func (r Run) Tell(done tooltrack.Begun) string {
	result := done.Record.Result
	told := r[done.Record.Seq]
	r[done.Record.Seq] = true
	switch {
	case !done.Run && (told || !result.Success()):
		return tooltrack.NotRunAgain + " " + done.Reason + ". Its result was: " + result.Text()
	case !result.Success():
		return "Error: " + result.Error
	}
	return result.Text()
}

// NewGuard is a guard for tools like these, with one rule of its own: a task that is not to be deleted.
func NewGuard(tools []tooltrack.Tool, ledger *tooltrack.Ledger, scene simmodel.Scene) (*guard.Guard, error) {
	protected := policy.Func("protected", func(_ context.Context, input policy.CheckInput) (policy.CheckResult, error) {
		if input.Value.Text() == "Tax return" {
			return policy.Refuse("the task is protected; ask the user to lift the protection first"), nil
		}
		return policy.Pass(), nil
	})
	rules := policy.Rules{Tools: map[string][]policy.Argument{}}
	for _, tool := range tools {
		if arg := tool.Subject.Arg; arg != "" {
			rules.Tools[tool.Name] = []policy.Argument{policy.Arg(arg, protected)}
		}
	}
	options := &guard.Options{Ledger: ledger, Policy: &policy.Options{Rules: rules}}
	if scene.Note("doubted") != "" {
		doubt(options, scene.Note("doubted"))
	}
	return guard.New(tools, options)
}

// doubt makes a guard unsure of one text, and sure of nothing: what leaves a doubt is another question.
func doubt(options *guard.Options, text string) {
	options.Classifier = intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
		return intent.Intent{Kind: intent.Action, Due: 0.9}, nil
	})
	options.Evaluator = guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
		verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.WorkDone}
		if turn.Text == text {
			verdict.Claims = []completion.Claim{{
				Text: text, Kind: completion.ClaimChange, Doubt: 0.6, Tier: completion.Unsure, Fault: "no call clearly shows it",
			}}
		}
		return verdict
	})
}
