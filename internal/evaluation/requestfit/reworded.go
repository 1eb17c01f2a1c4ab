package requestfit

import (
	"encoding/json"
	"hash/fnv"
	"slices"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// taskWordings are tools of task managers in other names and words. What people
// ask of a task manager is recorded for one wording of its tools only; fitted to
// that alone, the trees would know these tools by their descriptions.
var taskWordings = [][5]tooltrack.Tool{
	{
		{Name: "create_task", Description: "Create a task, reminder or calendar event.", Effect: tooltrack.Changes},
		{Name: "list_tasks", Description: "Show the user's tasks, reminders, lists and events.", Effect: tooltrack.Reads},
		{Name: "update_task", Description: "Change a task, reminder or event: its title, due date, time, place or people."},
		{Name: "complete_task", Description: "Mark a task as done.", Effect: tooltrack.Changes},
		{Name: "delete_task", Description: "Delete a task or an event.", Effect: tooltrack.Changes},
	},
	{
		{Name: "todo.add", Description: "Puts a new entry on the user's list or calendar."},
		{Name: "todo.list", Description: "Shows the entries of the user's list or calendar."},
		{Name: "todo.edit", Description: "Edits an entry: its title, date, time, place or participants."},
		{Name: "todo.finish", Description: "Ticks an entry off as finished."},
		{Name: "todo.remove", Description: "Removes an entry."},
	},
	{
		{Name: "AddItem", Description: "Adds a task, shopping item, reminder or appointment."},
		{Name: "GetItems", Description: "Returns tasks, shopping items, reminders and appointments."},
		{Name: "ModifyItem", Description: "Modifies a task, shopping item, reminder or appointment."},
		{Name: "CheckOffItem", Description: "Checks off a task or shopping item."},
		{Name: "DeleteItem", Description: "Deletes a task, shopping item, reminder or appointment."},
	},
	{
		{Name: "planner__new_entry", Description: "Schedules an event, sets a reminder or notes something to do."},
		{Name: "planner__show", Description: "Reads the user's agenda, to-do list and reminders."},
		{Name: "planner__change_entry", Description: "Reschedules or renames an entry, or changes who takes part."},
		{Name: "planner__mark_done", Description: "Marks an entry of the to-do list as done."},
		{Name: "planner__cancel_entry", Description: "Cancels an event or takes an entry off the list."},
	},
}

// taskSchemas are what the tools take, for every other message: hosts mostly say
// it, and recordings do not.
var taskSchemas = [5]string{
	`{"title":{"type":"string","description":"What is to be done"},"due_date":{"type":"string","format":"date"},` +
		`"priority":{"type":"string","enum":["low","medium","high"]}}`,
	`{"status":{"type":"string","enum":["all","open","done"]}}`,
	`{"task_id":{"type":"string"},"title":{"type":"string"},"due_date":{"type":"string","format":"date"},` +
		`"priority":{"type":"string","enum":["low","medium","high"]}}`,
	`{"task_id":{"type":"string","description":"The title of the task"}}`,
	`{"task_id":{"type":"string","description":"The title of the task"}}`,
}

// recordedTaskTools are those that the requests are recorded for, in the order of
// the wordings.
var recordedTaskTools = []string{"add_task", "list_tasks", "update_task", "complete_task", "delete_task"}

// reworded are a message's tools and what it expects of them in other words, with
// one tool that it does not need left out now and then.
func reworded(id, user string, expected []string, variant int) ([]tooltrack.Tool, []string) {
	h := fnv.New32a()
	h.Write([]byte(id + user))
	wording := taskWordings[(int(h.Sum32()>>3)+variant)%len(taskWordings)]
	without := int(h.Sum32()>>9) % 10
	var tools []tooltrack.Tool
	var wanted []string
	for i, tool := range wording {
		needed := slices.Contains(expected, recordedTaskTools[i])
		if needed {
			wanted = append(wanted, tool.Name)
		}
		if h.Sum32()>>20&1 == 1 {
			tool.Parameters = json.RawMessage(`{"type":"object","properties":` + taskSchemas[i] + `}`)
			tool.Subject.Kind = []string{"task", ""}[h.Sum32()>>21&1]
		}
		if needed || i != without {
			tools = append(tools, tool)
		}
	}
	return tools, wanted
}
