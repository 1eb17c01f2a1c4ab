package guard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// taskTools are the tools of a small task manager.
func taskTools() []tooltrack.Tool {
	subject := tooltrack.SubjectArg{Arg: "task_id", Kind: "task"}
	return []tooltrack.Tool{
		{Name: "list_tasks", Description: "List the user's tasks.", Effect: tooltrack.Reads,
			Parameters: json.RawMessage(`{"type":"object","properties":{"status_filter":{"type":"string"}}}`)},
		{Name: "add_task", Description: "Add a new task.", Effect: tooltrack.Changes,
			Parameters: json.RawMessage(`{"type":"object","properties":{"title":{"type":"string","minLength":1},"due_date":{"type":"string"}},"required":["title"]}`)},
		{Name: "update_task", Description: "Update the title, priority or due date of a task.", Effect: tooltrack.Changes, Subject: subject,
			Parameters: json.RawMessage(`{"type":"object","properties":{"task_id":{"type":"string"},"title":{"type":"string"},"priority":{"type":"string"},"due_date":{"type":"string"}},"required":["task_id"]}`)},
		{Name: "complete_task", Description: "Mark a task as done.", Effect: tooltrack.Changes, Subject: subject,
			Parameters: json.RawMessage(`{"type":"object","properties":{"task_id":{"type":"string"}},"required":["task_id"]}`)},
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes, Subject: subject,
			Parameters: json.RawMessage(`{"type":"object","properties":{"task_id":{"type":"string"}},"required":["task_id"]}`)},
	}
}

// world is a task list and the tools that work on it.
type world struct {
	*guardtest.Executor
	mu     sync.Mutex
	titles map[string]string // by id
	done   map[string]bool
	order  []string
	fail   map[string]error // by tool
}

const (
	readBook   = "0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01"
	returnBook = "0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a02"
	bookList   = "0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a03"
	callMom    = "0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a04"
)

func newWorld() *world {
	w := &world{titles: map[string]string{}, done: map[string]bool{}, fail: map[string]error{}}
	for _, task := range [][2]string{{readBook, "Read book"}, {returnBook, "Return book to library"}, {bookList, "Book list"}, {callMom, "Call mom"}} {
		w.titles[task[0]] = task[1]
		w.order = append(w.order, task[0])
	}
	w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{
		"list_tasks": w.list, "add_task": w.add, "update_task": w.change, "complete_task": w.change, "delete_task": w.remove,
	})
	return w
}

func (w *world) list(_ context.Context, call tooltrack.Call) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.fail[call.Tool]; err != nil {
		return nil, err
	}
	var lines []string
	for i, id := range w.order {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, w.titles[id]))
	}
	return json.Marshal(map[string]any{"success": true, "data": lines})
}

type taskArgs struct {
	ID      string `json:"task_id"`
	Title   string `json:"title"`
	DueDate string `json:"due_date"`
}

func (w *world) add(_ context.Context, call tooltrack.Call) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.fail[call.Tool]; err != nil {
		return nil, err
	}
	var args taskArgs
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return nil, err
	}
	id := fmt.Sprintf("0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1b%02d", len(w.order))
	w.titles[id] = args.Title
	w.order = append(w.order, id)
	return json.Marshal(map[string]any{"success": true, "data": map[string]string{"id": id, "title": args.Title}})
}

func (w *world) find(call tooltrack.Call) (taskArgs, error) {
	var args taskArgs
	if err := w.fail[call.Tool]; err != nil {
		return args, err
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return args, err
	}
	if _, known := w.titles[args.ID]; !known {
		return args, fmt.Errorf("no task with id %s", args.ID)
	}
	return args, nil
}

func (w *world) change(_ context.Context, call tooltrack.Call) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	args, err := w.find(call)
	if err != nil {
		return nil, err
	}
	w.done[args.ID] = true
	return json.Marshal(map[string]any{"success": true, "data": map[string]string{"id": args.ID, "title": w.titles[args.ID]}})
}

func (w *world) remove(_ context.Context, call tooltrack.Call) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	args, err := w.find(call)
	if err != nil {
		return nil, err
	}
	title := w.titles[args.ID]
	delete(w.titles, args.ID)
	for i, id := range w.order {
		if id == args.ID {
			w.order = append(w.order[:i:i], w.order[i+1:]...)
			break
		}
	}
	return json.Marshal(map[string]any{"success": true, "data": map[string]string{"id": args.ID, "title": title}})
}

func (w *world) has(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, known := w.titles[id]
	return known
}

// Entries makes the world a resolver.Source.
func (w *world) Entries(_ context.Context, owner string) ([]resolver.Entry, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if owner != "ann" {
		return nil, nil
	}
	var entries []resolver.Entry
	for _, id := range w.order {
		entries = append(entries, resolver.Entry{ID: id, Title: w.titles[id]})
	}
	return entries, nil
}

// sunday is 8 February 2026.
func sunday() time.Time { return time.Date(2026, 2, 8, 12, 0, 0, 0, time.UTC) }

// worldOptions are resolution, dates, a fixed clock and a classifier that knows
// a few verbs.
func worldOptions(t testing.TB, w *world) *guard.Options {
	t.Helper()
	rules := policy.Rules{
		Named: []policy.Argument{
			policy.Arg("title", policy.NotBlank(), policy.Length(1, 500)),
			policy.Arg("priority", policy.OneOf("low", "medium", "high")),
			policy.Arg("due_date", policy.Date(policy.DateWindow{})),
		},
		Tools:    map[string][]policy.Argument{"web_access": {policy.Arg("url", policy.Required(), policy.PublicURL(nil))}},
		Optional: []string{"web_access", "title", "priority", "due_date"},
	}
	return &guard.Options{
		Policy:      &policy.Options{Rules: rules},
		Directories: map[string]guard.Directory{"task": resolver.NewDirectory(w, nil)},
		Dates:       &policy.DateWindow{},
		Clock:       sunday,
		Classifier:  byWords(),
	}
}

// guardFor is a guard for the world.
func guardFor(t testing.TB, w *world, change func(*guard.Options)) *guard.Guard {
	t.Helper()
	options := worldOptions(t, w)
	if change != nil {
		change(options)
	}
	g, err := guard.New(taskTools(), options)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func ask(user string) guard.Input { return guard.Input{User: user, Owner: "ann"} }

var errDatabase = errors.New("the database is locked")

func deletes(reference string) tooltrack.Call {
	return guardtest.Tool("delete_task", fmt.Sprintf(`{"task_id":%q}`, reference))
}

func adds(title string) tooltrack.Call {
	return guardtest.Tool("add_task", fmt.Sprintf(`{"title":%q}`, title))
}

func lists() tooltrack.Call { return guardtest.Tool("list_tasks", `{}`) }

func contains(t *testing.T, what, text string, pieces ...string) {
	t.Helper()
	for _, piece := range pieces {
		if !strings.Contains(text, piece) {
			t.Errorf("%s lacks %q: %s", what, piece, text)
		}
	}
}

// expecting is a classifier that always says the same, for tests about what
// follows from it.
func expecting(kind intent.Kind, confidence float64, tools ...string) guard.Classifier {
	return intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
		found := intent.Intent{Kind: kind}
		if kind == intent.Action {
			found.Due = confidence
		}
		for _, tool := range tools {
			verb, _, _ := strings.Cut(tool, "_")
			found.Expect = append(found.Expect, intent.Expectation{Tool: tool, Confidence: confidence, Words: verb})
		}
		return found, nil
	})
}

// byWords is a classifier for the few requests of these tests.
func byWords() guard.Classifier {
	return intent.Func(func(_ context.Context, request intent.Utterance) (intent.Intent, error) {
		found := intent.Intent{Kind: intent.Chat}
		words := []struct {
			word, tool string
			kind       intent.Kind
		}{
			{"delete", "delete_task", intent.Action}, {"add", "add_task", intent.Action}, {"update", "update_task", intent.Action},
			{"mark", "complete_task", intent.Action}, {"list", "list_tasks", intent.Question},
		}
		for _, w := range words {
			for _, said := range strings.Fields(strings.ToLower(request.User)) {
				if said == w.word {
					found.Kind = w.kind
					found.Expect = append(found.Expect, intent.Expectation{Tool: w.tool, Confidence: 0.995, Command: true, Words: w.word})
				}
			}
		}
		return found, nil
	})
}
