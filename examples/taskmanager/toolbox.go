package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// toolbox runs the tools on the database, for the user of the context. It trusts nobody: references are resolved
// among that user's tasks and fields are checked, whether a guard stands before it or not.
type toolbox struct {
	tasks     *taskStore
	directory *resolver.Directory
	dates     *policy.Set
	clock     func() time.Time
	logger    *slog.Logger
}

func newToolbox(tasks *taskStore, clock func() time.Time, logger *slog.Logger) (*toolbox, error) {
	// The database takes any real date; which years make sense is the guard's business.
	anyDate := []policy.Argument{policy.Arg("due_date", policy.Date(policy.DateWindow{YearsBack: 200, YearsAhead: 200}))}
	dates, err := policy.New(tools(),
		&policy.Options{Rules: policy.Rules{Tools: map[string][]policy.Argument{
			"add_task": anyDate, "update_task": anyDate,
		}}})
	if err != nil {
		return nil, err
	}
	own := resolver.SourceFunc(func(ctx context.Context, owner string) ([]resolver.Entry, error) {
		list, err := tasks.list(ctx, owner, "")
		return entries(list), err
	})
	directory := resolver.NewDirectory(own, &resolver.Options{Noun: "task"})
	return &toolbox{tasks: tasks, directory: directory, dates: dates, clock: clock, logger: logger}, nil
}

func entries(tasks []Task) []resolver.Entry {
	list := make([]resolver.Entry, len(tasks))
	for i, t := range tasks {
		list[i] = resolver.Entry{
			ID: t.ID, Title: t.Title,
			Details: []resolver.Detail{{Name: "Status", Value: t.Status}, {Name: "Priority", Value: t.Priority}},
		}
		if t.DueDate != "" {
			list[i].Details = append(list[i].Details, resolver.Detail{Name: "Due", Value: t.DueDate})
		}
	}
	return list
}

// arguments are those of all tools. A nil field was not given.
type arguments struct {
	TaskID       string  `json:"task_id"`
	StatusFilter string  `json:"status_filter"`
	Title        *string `json:"title"`
	Description  *string `json:"description"`
	Priority     *string `json:"priority"`
	DueDate      *string `json:"due_date"`
	Status       *string `json:"status"`

	Titles []string `json:"titles"`
}

// refusal is a reason that the user may read. Every other error is ours.
type refusal string

func (r refusal) Error() string { return string(r) }

// Execute runs one call. Its answer is {"success":true,"data":…} or {"success":false,"error":"…"}.
func (b *toolbox) Execute(ctx context.Context, call tooltrack.Call) ([]byte, error) {
	input, known := guard.FromContext(ctx)
	if !known || input.Owner == "" {
		return nil, errors.New("it is not said on whose behalf the tool runs")
	}
	data, err := b.run(ctx, input.Owner, call)
	if err == nil {
		return json.Marshal(map[string]any{"success": true, "data": data})
	}
	reason := b.reason(err)
	if reason == "" {
		b.logger.ErrorContext(ctx, "a tool failed", "tool", call.Tool, "error", err)
		reason = "the task list is not available at the moment"
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return json.Marshal(map[string]any{"success": false, "error": reason})
}

// reason is an error in words for the user; empty for faults of our own.
func (b *toolbox) reason(err error) string {
	var refused refusal
	switch {
	case errors.As(err, &refused):
		return refused.Error()
	case errors.Is(err, resolver.ErrAmbiguous), errors.Is(err, resolver.ErrNotFound),
		errors.Is(err, resolver.ErrReferenceTooLong), errors.Is(err, errNoTask):
		return err.Error()
	}
	return ""
}

func (b *toolbox) run(ctx context.Context, user string, call tooltrack.Call) (any, error) {
	args, err := b.decode(ctx, user, call)
	if err != nil {
		return nil, err
	}
	switch call.Tool {
	case "list_tasks":
		return b.list(ctx, user, args)
	case "add_task":
		return b.add(ctx, user, args)
	case clearCompleted:
		return b.clear(ctx, user, args.Titles)
	}
	match, err := b.directory.Resolve(ctx, user, args.TaskID)
	if err != nil {
		return nil, err
	}
	switch call.Tool {
	case "update_task":
		return b.update(ctx, user, match.ID, args)
	case "complete_task":
		return b.edit(ctx, user, match.ID, func(task *Task) error { task.Status = "completed"; return nil })
	case "delete_task":
		return b.remove(ctx, user, match.ID)
	}
	return nil, refusal(fmt.Sprintf("there is no tool %q", call.Tool))
}

// decode reads arguments strictly, and dates in the words of people.
func (b *toolbox) decode(ctx context.Context, user string, call tooltrack.Call) (arguments, error) {
	decision, err := b.dates.Review(ctx, policy.Proposal{Owner: user, Call: call, Now: b.clock()})
	if err != nil {
		return arguments{}, err
	}
	if !decision.Allowed() {
		return arguments{}, refusal(decision.Reason)
	}
	var args arguments
	if err := json.Unmarshal(decision.Args, &args); err != nil {
		return arguments{}, refusal("the arguments are not what the tool takes")
	}
	return args, nil
}

func (b *toolbox) list(ctx context.Context, user string, args arguments) (any, error) {
	status := args.StatusFilter
	if status == "all" {
		status = ""
	}
	tasks, err := b.tasks.list(ctx, user, status)
	if err != nil {
		return nil, err
	}
	list := make([]listedTask, len(tasks))
	for i, t := range tasks {
		list[i] = listed(t)
	}
	return list, nil
}

// listedTask is a task as a model needs it: by its title.
type listedTask struct {
	Title    string `json:"title"`
	Status   string `json:"status"`
	Priority string `json:"priority"`
	DueDate  string `json:"due_date,omitempty"`
}

// details are what stands after its title in a list for people.
func (t listedTask) details() string {
	details := t.Status + ", " + t.Priority + " priority"
	if t.DueDate != "" {
		details += ", due " + t.DueDate
	}
	return details
}

// changedTask is what a change answers. The guard takes the id out before a model sees it; the ledger keeps it.
type changedTask struct {
	ID string `json:"id"`
	listedTask
}

func listed(t Task) listedTask {
	return listedTask{Title: t.Title, Status: t.Status, Priority: t.Priority, DueDate: t.DueDate}
}

func (b *toolbox) add(ctx context.Context, user string, args arguments) (any, error) {
	var task Task
	if args.Title == nil {
		args.Title = new(string)
	}
	if err := args.apply(&task); err != nil {
		return nil, err
	}
	task, err := b.tasks.add(ctx, user, task)
	return changedTask{ID: task.ID, listedTask: listed(task)}, err
}

func (b *toolbox) update(ctx context.Context, user, id string, args arguments) (any, error) {
	if args.Title == nil && args.Description == nil && args.Priority == nil && args.DueDate == nil && args.Status == nil {
		return nil, refusal("nothing to change was given: name a title, description, priority, due date or status")
	}
	return b.edit(ctx, user, id, args.apply)
}

// edit changes one task of the user.
func (b *toolbox) edit(ctx context.Context, user, id string, change func(*Task) error) (any, error) {
	task, err := b.find(ctx, user, id)
	if err != nil {
		return nil, err
	}
	if err := change(&task); err != nil {
		return nil, err
	}
	task, err = b.tasks.change(ctx, task)
	return changedTask{ID: task.ID, listedTask: listed(task)}, err
}

// remove deletes one task of the user and answers with what it was.
func (b *toolbox) remove(ctx context.Context, user, id string) (any, error) {
	task, err := b.find(ctx, user, id)
	if err != nil {
		return nil, err
	}
	return changedTask{ID: id, listedTask: listed(task)}, b.tasks.remove(ctx, user, id)
}

func (b *toolbox) find(ctx context.Context, user, id string) (Task, error) {
	list, err := b.tasks.list(ctx, user, "")
	if err != nil {
		return Task{}, err
	}
	if at := slices.IndexFunc(list, func(t Task) bool { return t.ID == id }); at >= 0 {
		return list[at], nil
	}
	return Task{}, errNoTask
}

// clear deletes completed tasks, all or none.
func (b *toolbox) clear(ctx context.Context, user string, titles []string) (any, error) {
	tasks, err := b.tasks.list(ctx, user, "completed")
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, title := range titles {
		at := slices.IndexFunc(tasks, func(t Task) bool { return t.Title == title })
		if at < 0 {
			return nil, refusal(fmt.Sprintf("%q is not a completed task", oneLine(title, 80)))
		}
		ids = append(ids, tasks[at].ID)
		tasks = slices.Delete(tasks, at, at+1)
	}
	return map[string]any{"deleted": titles}, b.tasks.removeAll(ctx, user, ids)
}

// maxTitle and maxDescription are in bytes.
const (
	maxTitle       = 16 << 10
	maxDescription = 64 << 10
)

// apply puts the given fields into a task.
func (a arguments) apply(task *Task) error {
	if a.Title != nil {
		title := strings.TrimSpace(*a.Title)
		switch {
		case title == "":
			return refusal("Title cannot be empty")
		case len(title) > maxTitle || !utf8.ValidString(title):
			return refusal(fmt.Sprintf("Title cannot be longer than %d bytes", maxTitle))
		}
		task.Title = title
	}
	if a.Description != nil {
		if len(*a.Description) > maxDescription {
			return refusal(fmt.Sprintf("Description cannot be longer than %d bytes", maxDescription))
		}
		task.Description = *a.Description
	}
	if a.Priority != nil {
		task.Priority = *a.Priority
	}
	if a.Status != nil {
		task.Status = *a.Status
	}
	if a.DueDate != nil {
		task.DueDate = *a.DueDate
		if len(task.DueDate) > len("2006-01-02") { // RFC 3339 with a time
			task.DueDate = task.DueDate[:len("2006-01-02")]
		}
	}
	return nil
}
