package main

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// reconcile finds out what became of a call whose process died before it could
// write it down: the rows tell. Without it such a call would stay unknown, and
// never run again. Calls that are idempotent need no answer; they just run again.
func (s *taskStore) reconcile(ctx context.Context, record *tooltrack.Record) (tooltrack.Result, bool, error) {
	tasks, err := s.list(ctx, record.Owner, "")
	if err != nil {
		return tooltrack.Result{}, false, err
	}
	var result *changedTask // nil where the call did nothing
	switch record.Tool {
	case "delete_task":
		if len(record.Touched) != 1 {
			return tooltrack.Result{}, false, nil
		}
		deleted := record.Touched[0]
		if !slices.ContainsFunc(tasks, func(task Task) bool { return task.ID == deleted.ID }) {
			result = &changedTask{ID: deleted.ID, listedTask: listedTask{Title: deleted.Title}}
		}
	case clearCompleted: // all of them, or none
		var args arguments
		_ = json.Unmarshal(record.Args, &args) // what cannot be read is not known
		left := slices.ContainsFunc(tasks, func(task Task) bool { return slices.Contains(args.Titles, task.Title) })
		switch {
		case len(args.Titles) == 0:
			return tooltrack.Result{}, false, nil
		case !left:
			body, err := json.Marshal(map[string]any{"success": true, "data": map[string]any{"deleted": args.Titles}})
			return tooltrack.ResultOf(body, err), true, nil
		}
	case "add_task":
		if i := slices.IndexFunc(tasks, addedBy(record)); i >= 0 {
			result = &changedTask{ID: tasks[i].ID, listedTask: listed(tasks[i])}
		}
	default:
		return tooltrack.Result{}, false, nil
	}
	if result == nil {
		return tooltrack.FailedResult("the server stopped before it could be done"), true, nil
	}
	body, err := json.Marshal(map[string]any{"success": true, "data": result})
	return tooltrack.ResultOf(body, err), true, nil
}

// addedBy recognises the row of an addition by its title and its time.
func addedBy(record *tooltrack.Record) func(Task) bool {
	var args arguments
	if json.Unmarshal(record.Args, &args) != nil || args.Title == nil {
		return func(Task) bool { return false }
	}
	return func(task Task) bool {
		created, err := time.Parse(time.RFC3339Nano, task.CreatedAt)
		return err == nil && task.Title == *args.Title && !created.Before(record.Began)
	}
}
