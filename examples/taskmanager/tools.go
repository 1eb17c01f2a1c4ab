package main

import (
	_ "embed"
	"encoding/json"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// clearCompleted deletes many tasks at once, so a person has to approve it.
const clearCompleted = "sweep_completed_tasks"

// tools describes the six tools, once: what the model is offered, which words
// ask for them, which argument names the task, and what a success proves.
func tools() []tooltrack.Tool {
	task := tooltrack.SubjectArg{Arg: "task_id", Kind: "task"}
	return []tooltrack.Tool{
		{
			Name: "list_tasks", Description: "List the user's tasks.", Effect: tooltrack.Reads,
			Parameters: json.RawMessage(`{"type":"object","properties":{
				"status_filter":{"type":"string","enum":["all","pending","completed"],"description":"Which tasks; default all"}},
				"additionalProperties":false}`),
		},
		{
			Name: "add_task", Description: "Add a new task to the user's list.", Effect: tooltrack.Changes,
			Subject:    tooltrack.SubjectArg{Kind: "task"},
			Parameters: parameters("title", `"title":{"type":"string","description":"What is to be done"}`),
		},
		{
			Name: "update_task", Description: "Update the title, description, priority or due date of a task, or open a " +
				"finished one again.",
			Effect: tooltrack.Changes, Idempotent: true, Subject: task,
			Parameters: parameters("task_id", taskID+`,"title":{"type":"string","description":"The new title"},
				"status":{"type":"string","enum":["pending"],"description":"Opens a finished task again"}`),
		},
		{
			Name: "complete_task", Description: "Mark a task as done.", Effect: tooltrack.Changes, Idempotent: true,
			Subject: task,
			Parameters: json.RawMessage(`{"type":"object","properties":{` + taskID +
				`},"required":["task_id"],"additionalProperties":false}`),
		},
		{
			Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes, Subject: task,
			Parameters: json.RawMessage(`{"type":"object","properties":{` + taskID +
				`},"required":["task_id"],"additionalProperties":false}`),
		},
		{
			Name: clearCompleted, Effect: tooltrack.Changes,
			Description: "Deletes the completed tasks, all at once. A person has to approve it.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"titles":{"type":"array","minItems":1,"maxItems":200,
				"items":{"type":"string","minLength":1},"description":"The titles of all completed tasks"}},
				"required":["titles"],"additionalProperties":false}`),
		},
	}
}

const taskID = `"task_id":{"type":"string","description":"The title of the task, as the user says it"}`

// parameters is the schema of a tool that takes the fields of a task.
func parameters(required, first string) json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{` + first + `,
		"description":{"type":"string"},
		"priority":{"type":"string","enum":["low","medium","high"]},
		"due_date":{"type":"string","description":"YYYY-MM-DD"}},
		"required":["` + required + `"],"additionalProperties":false}`)
}

//go:embed examples.jsonl
var examples string // ways of asking that are this program's own; titles name no tool, so each stands with several

// dueDates is the window of due dates: the current year.
var dueDates = policy.DateWindow{}

// rules are what the schemas cannot say. What a title must be is said by the
// tools themselves, in words for the user.
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
