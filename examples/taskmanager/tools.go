package main

import (
	_ "embed"
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// clearCompleted deletes many tasks at once, so a person has to approve it.
const clearCompleted = "sweep_completed_tasks"

//go:embed tools.json
var toolsText []byte

var described = stage.Tools(toolsText)

// tools describes the six tools, once: what the model is offered, which words
// ask for them, which argument names the task, and what a success proves.
func tools() []tooltrack.Tool { return slices.Clone(described) }

//go:embed examples.jsonl
var examples string // ways of asking that are this program's own; titles name no tool, so each stands with several

// dueDates is the window of due dates: the current year.
var dueDates = policy.DateWindow{}

// rules are what the schemas cannot say. What a title must be is said by the tools themselves, in words for the user.
func rules() policy.Rules {
	fields := []policy.Argument{policy.Arg("due_date", policy.Date(dueDates))}
	return policy.Rules{Tools: map[string][]policy.Argument{"add_task": fields, "update_task": fields}}
}

// wording is how the account speaks of the tools.
func wording() map[string]completion.Wording {
	return map[string]completion.Wording{
		"list_tasks":    {Failed: "Your tasks could not be listed: {reason}", Empty: "Your task list is empty"},
		"add_task":      {Done: "Added: {title}", Failed: "Could not add the task: {reason}"},
		"update_task":   {Done: "Updated: {title}", Failed: "Could not update the task: {reason}"},
		"complete_task": {Done: "Completed: {title}", Failed: "Could not complete the task: {reason}"},
		"delete_task":   {Done: "Deleted: {title}", Failed: "Could not delete the task: {reason}"},
		clearCompleted: {
			Done: "Deleted the completed tasks", Failed: "Could not delete the completed tasks: {reason}",
			Pending: "Deleting the completed tasks waits for approval",
		},
	}
}
