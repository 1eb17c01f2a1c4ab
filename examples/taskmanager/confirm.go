package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// confirmed are the tools, with how to see in the rows what each has changed: what was
// accepted and not saved is not told as done, and what a crash has cut off is found out.
func (s *taskStore) confirmed(tools []tooltrack.Tool) []tooltrack.Tool {
	expect := map[string]string{
		"add_task":      "stored = true, data.priority = $args.priority",
		"update_task":   "data.title = $args.title, data.priority = $args.priority, data.status = $args.status",
		"complete_task": "data.status = completed",
		"delete_task":   "stored = false",
		clearCompleted:  "stored = false",
	}
	for i := range tools {
		if what := expect[tools[i].Name]; what != "" {
			tools[i].Confirm = &tooltrack.Confirm{By: s.row, Expect: what, When: tooltrack.AlwaysConfirm}
		}
	}
	return tools
}

// row is what a call has changed, as it is stored, in the form of a tool's answer.
func (s *taskStore) row(ctx context.Context, change *tooltrack.Record) (json.RawMessage, error) {
	tasks, err := s.list(ctx, change.Owner, "")
	if err != nil {
		return nil, err
	}
	var args arguments
	_ = json.Unmarshal(change.Args, &args) // what cannot be read names no task
	at := slices.IndexFunc(tasks, func(task Task) bool {
		if change.Tool == "add_task" { // known by its title and its time
			made, err := time.Parse(time.RFC3339Nano, task.CreatedAt)
			return err == nil && args.Title != nil && task.Title == strings.TrimSpace(*args.Title) && !made.Before(change.Began)
		}
		touched := func(subject tooltrack.Subject) bool { return subject.ID == task.ID }
		return slices.ContainsFunc(change.Touched, touched) || slices.Contains(args.Titles, task.Title)
	})
	state := map[string]any{"success": true, "stored": at >= 0}
	if at >= 0 {
		state["data"] = changedTask{ID: tasks[at].ID, listedTask: listed(tasks[at])}
	} else if len(change.Touched) > 0 {
		state["data"] = changedTask{ID: change.Touched[0].ID, listedTask: listedTask{Title: change.Touched[0].Title}}
	}
	return json.Marshal(state)
}

const notSaved = "not-saved" // the fault of a database that accepts a write and loses it

type losesWrites struct{}

// write changes a row, unless writes are lost: then it says that it did.
func (s *taskStore) write(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	if ctx.Value(losesWrites{}) == true {
		return 1, nil
	}
	return s.db.exec(ctx, statement, args...)
}
