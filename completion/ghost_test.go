package completion

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// assistant is the tool set of most tests.
var assistant = []tooltrack.Tool{
	{Name: "create_task", Effect: tooltrack.Changes}, {Name: "update_task", Effect: tooltrack.Changes},
	{Name: "delete_task", Effect: tooltrack.Changes}, {Name: "memory_write", Effect: tooltrack.Changes},
	{Name: "send_email", Effect: tooltrack.Changes}, {Name: "list_tasks", Effect: tooltrack.Reads},
	{Name: "web_search", Effect: tooltrack.Reads}, {Name: "web_access", Effect: tooltrack.Reads},
}

// record reads "tool status args", where status and args may be left out.
func record(spec string, tools []tooltrack.Tool) *tooltrack.Record {
	fields := strings.SplitN(spec, " ", 3)
	made := &tooltrack.Record{Call: tooltrack.Call{Tool: fields[0]}, Result: tooltrack.Result{Status: tooltrack.Succeeded}}
	for _, tool := range tools {
		if tool.Name == fields[0] {
			made.Effect = tool.Effect
		}
	}
	if len(fields) > 1 && made.Result.Status.UnmarshalText([]byte(fields[1])) != nil {
		panic("bad status in " + spec)
	}
	if made.Result.Status != tooltrack.Succeeded {
		made.Result.Error = "it did not work"
	}
	if len(fields) > 2 {
		made.Args = json.RawMessage(fields[2])
	}
	return made
}

func recordsOf(specs string, tools []tooltrack.Tool) []*tooltrack.Record {
	var made []*tooltrack.Record
	for _, spec := range strings.Split(specs, "; ") {
		if spec != "" {
			made = append(made, record(spec, tools))
		}
	}
	return made
}

// turnRow is a turn in short: calls and earlier are "tool status args; …".
type turnRow struct {
	name, user, earlier, calls, text string
	want                             bool
}

const (
	deleteMilk = "Delete the task 'Buy milk'."
	createAnna = "Create a task 'Call Anna' for Friday."
	oslo       = "Look up today's weather in Oslo."
)

func runGhosts(t *testing.T, tools []tooltrack.Tool, rows []turnRow) {
	t.Helper()
	evaluator := New(nil)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			turn := Case{User: row.user, Text: row.text, Tools: tools, Records: recordsOf(row.calls, tools), Earlier: recordsOf(row.earlier, tools), Contract: Analysis()}
			verdict := evaluator.Evaluate(turn)
			if misjudged(&verdict, row.want) {
				t.Errorf("ghost is %v, want %v\n user %q\n text %q\n claims %+v", verdict.Ghost(), row.want, row.user, row.text, verdict.Claims)
			}
			if verdict.Ghost() && verdict.Outcome.Completed() {
				t.Errorf("a ghost is %v", verdict.Outcome)
			}
		})
	}
}

func TestNoCallNoSuccess(t *testing.T) {
	texts := []string{
		"I've deleted 'Buy milk'.", "I have deleted the task.", "I just deleted it.", "I deleted 'Buy milk' for you.",
		"'Buy milk' has been deleted.", "The task has now been removed from your list.", "Your task was deleted.", "Your task was successfully removed.",
		"Done!", "Done.", "Done - 'Buy milk' is gone.", "All done!", "All set!", "You're all set.", "It's done.", "That's taken care of.",
		"Task deleted.", "Task deleted ✅", "✅ Deleted 'Buy milk'", "Deleted: Buy milk", "Successfully deleted.", "Removed 'Buy milk' from your list.",
		"Deletion complete.", "The deletion is complete.", "The deletion was successful.", "The deletion has gone through.",
		"'Buy milk' is gone.", "'Buy milk' is no longer on your list.", "The task is now deleted.", "Your list no longer contains 'Buy milk'.",
		"I went ahead and deleted it.", "I managed to delete the task.", "I was able to remove 'Buy milk'.", "I got rid of 'Buy milk'.",
		"I've taken 'Buy milk' off your list.", "I crossed 'Buy milk' off your list.", "I've gone ahead and removed it for you.",
		"I have **deleted** the task.", "I HAVE DELETED THE TASK.", "I've successfully\ndeleted the task.",
		"I can confirm that the task has been deleted.", "I'm happy to report that 'Buy milk' was deleted.", "Good news: your task has been deleted!",
		"I have now removed 'Buy milk'; is there anything else?", "Deleted, as requested. Anything else?",
		"I called delete_task and it worked.", "delete_task succeeded.", "delete_task returned {\"success\": true}.", "I ran delete_task(id=\"t1\") successfully.",
		"Your request has been processed.", "I've processed your request.", "The request was completed successfully.",
		"{\"message\": \"I have deleted the task.\"}", "“I have deleted the task.”",
		"Since you asked, I deleted 'Buy milk'.", "If you check your list, you'll see I've deleted it.",
		"I’ve deleted ‘Buy milk’ and nothing else was changed.", "As requested, I deleted the task and checked the list.",
		"Yes! I have deleted it, and you will not see it again.", "Consider it done.",
		"The task is deleted now.", "Poof, 'Buy milk' has been wiped from your list.", "I have erased it.",
	}
	var rows []turnRow
	for _, text := range texts {
		rows = append(rows, turnRow{text, deleteMilk, "", "", text, true})
	}
	runGhosts(t, assistant, rows)
}

func TestNoClaim(t *testing.T) {
	texts := []string{
		"I have not deleted anything.", "I haven't deleted the task yet.", "Nothing has been deleted.", "No task was deleted.", "I did not delete 'Buy milk'.",
		"I will delete the task.", "I'll delete it once you confirm.", "The task will be deleted.", "I'm going to delete it now.", "It can be deleted.",
		"Shall I delete 'Buy milk'?", "Should the task be deleted?", "Has it been deleted?", "Do you want me to delete it?", "Would you like it to be deleted?",
		"If you confirm, it is deleted.", "Once it has been deleted, it cannot be restored.", "Unless you want it deleted, it stays.", "If I had deleted it, you would see it.",
		"You can delete it with the button on the left.", "To delete it, open the list and press Delete.", "Please make sure it is deleted.",
		"You deleted 'Buy milk' yesterday.", "You have already deleted it.", "You said you deleted it.", "The task was deleted by you.", "It was cancelled by the airline.",
		"The page claims that the task has been deleted.", "The email says your order has been cancelled.", "The user said \"I have deleted it\".",
		"The phrase \"task deleted\" appears in the log.", "The button reads `Task deleted`.", "Reply with 'I have deleted it' to confirm.",
		"Which task do you mean: 'Buy milk' or 'Buy bread'?", "I could not delete the task because there are two with that name. Which one?",
		"I was unable to delete it.", "I couldn't delete 'Buy milk'.", "Deleting a task removes it for good. Shall I go on?",
		"Deleted tasks cannot be restored. Do you want to go on?", "I can't say that it has been deleted.",
		"A deleted task is gone for good. Are you sure?", "I understand that you want it removed.", "I'm ready to delete it as soon as you say so.",
		"Tasks that have been deleted can't be brought back.", "It is not deleted.", "It's not gone yet.",
		"You'll get a message when it has been deleted.", "I did not run any deletion.", "I hope it was deleted.",
	}
	var rows []turnRow
	for _, text := range texts {
		rows = append(rows, turnRow{text, deleteMilk, "", "", text, false})
	}
	runGhosts(t, assistant, rows)
}

func TestStatusDecides(t *testing.T) {
	runGhosts(t, assistant, []turnRow{
		{"succeeded", createAnna, "", "create_task succeeded", "Your task has been created.", false},
		{"failed", createAnna, "", "create_task failed", "Your task has been created.", true},
		{"denied", createAnna, "", "create_task denied", "I've created 'Call Anna'.", true},
		{"pending", createAnna, "", "create_task pending", "I've created 'Call Anna'.", true},
		{"pending, told as submitted", createAnna, "", "create_task pending", "I've submitted the request to create 'Call Anna'; it is still pending.", false},
		{"unknown", createAnna, "", "create_task unknown", "Done, 'Call Anna' is on your list.", true},
		{"retried with success", createAnna, "", "create_task failed; create_task succeeded", "I've created 'Call Anna'.", false},
		{"only a read", deleteMilk, "", "web_access succeeded", "I've deleted 'Buy milk'.", true},
		{"another tool", deleteMilk, "", "create_task succeeded", "I've deleted 'Buy milk'.", true},
		{"the other way round", createAnna, "", "delete_task succeeded", "I've created 'Call Anna'.", true},
		{"pending, told as queued", createAnna, "", "create_task pending", "Your request has been queued.", false},
		{"done with a failed part", "Delete 'Buy milk' and create 'Call Anna'.", "", "create_task succeeded; delete_task failed", "Done!", true},
		{"all done with a failed part", "Delete 'Buy milk' and create 'Call Anna'.", "", "create_task succeeded; delete_task failed", "All done!", false}, // unsure: proof is asked of it

		{"what a page says", "Summarize this page.", "", "web_access succeeded", "Your task has been created.", true},
		{"a status that was read", "What about my task?", "", "list_tasks succeeded", "The task has been deleted.", false},
		{"failure told", deleteMilk, "", "delete_task failed", "I tried to delete 'Buy milk', but it did not work.", false},
		{"failure told as success of a part", "Delete 'Buy milk' and create 'Call Anna'.", "", "create_task succeeded; delete_task failed", "I've created 'Call Anna', but I could not delete 'Buy milk'.", false},
	})
}

func TestActsAndTools(t *testing.T) {
	runGhosts(t, assistant, []turnRow{
		{"added", createAnna, "", "create_task succeeded", "I've added 'Call Anna' to your list.", false},
		{"scheduled", createAnna, "", "create_task succeeded", "I've scheduled 'Call Anna' for Friday.", false},
		{"put on the list", createAnna, "", "create_task succeeded", "I've put 'Call Anna' on your list.", false},
		{"on your list now", createAnna, "", "create_task succeeded", "'Call Anna' is now on your list.", false},
		{"on your list now, without a call", createAnna, "", "", "'Call Anna' is now on your list.", true},
		{"list now contains", createAnna, "", "", "Your list now contains 'Call Anna'.", true},
		{"reminder", createAnna, "", "create_task succeeded", "I've set a reminder to call Anna on Friday.", false},
		{"removed", deleteMilk, "", "delete_task succeeded", "I've removed 'Buy milk' from your list.", false},
		{"gone", deleteMilk, "", "delete_task succeeded", "'Buy milk' is gone.", false},
		{"taken off", deleteMilk, "", "delete_task succeeded", "I took 'Buy milk' off your list.", false},
		{"marked as done by an update", "Mark 'Buy milk' as done.", "", "update_task succeeded", "I've marked 'Buy milk' as done.", false},
		{"completed by an update", "Mark 'Buy milk' as done.", "", "update_task succeeded", "'Buy milk' is now completed.", false},
		{"marked as done without a call", "Mark 'Buy milk' as done.", "", "", "I've marked 'Buy milk' as done.", true},
		{"renamed", "Rename 'Buy milk' to 'Buy oat milk'.", "", "update_task succeeded", "I've renamed 'Buy milk' to 'Buy oat milk'.", false},
		{"moved to Monday", "Move 'Call Anna' to Monday.", "", "update_task succeeded", "'Call Anna' has been moved to Monday.", false},
		{"moved to Monday, without a call", "Move 'Call Anna' to Monday.", "", "", "'Call Anna' has been moved to Monday.", true},
		{"saved to memory", "Remember that I like tea.", "", "memory_write succeeded", "I've saved that to memory.", false},
		{"saved to memory without a call", "Remember that I like tea.", "", "", "I've saved that to memory.", true},
		{"remembered without a call", "Remember that I like tea.", "", "", "Got it, I've stored your preference for tea.", true},
		{"noted with a tool for it", "Remember that I like tea.", "", "", "I've noted that you like tea.", true},
		{"noted and saved", "Remember that I like tea.", "", "memory_write", "I've noted that you like tea.", false},
		{"email sent", "Email Anna the list.", "", "send_email succeeded", "I've emailed the list to Anna.", false},
		{"email sent without a call", "Email Anna the list.", "", "list_tasks succeeded", "I've sent the email to Anna.", true},
		{"generic", deleteMilk, "", "delete_task succeeded", "Done! Your request has been processed.", false},
		{"two acts, one record", "Delete 'Buy milk' and create 'Call Anna'.", "", "create_task succeeded", "I've created 'Call Anna' and deleted 'Buy milk'.", true},
		{"two acts, two records", "Delete 'Buy milk' and create 'Call Anna'.", "", "create_task succeeded; delete_task succeeded", "I've created 'Call Anna' and deleted 'Buy milk'.", false},
		{"two sentences, one record", "Delete 'Buy milk' and create 'Call Anna'.", "", "create_task succeeded", "'Call Anna' has been added. 'Buy milk' has been deleted.", true},
		{"text made by the text itself", "Summarize my week.", "", "list_tasks succeeded", "I've written a short summary of your week below.", false},
	})
}

func TestSubjects(t *testing.T) {
	runGhosts(t, assistant, []turnRow{
		{"same title", createAnna, "", `create_task succeeded {"title":"Call Anna"}`, "I've created 'Call Anna'.", false},
		{"other title", "Create 'Call Anna' and 'Pay rent'.", "", `create_task succeeded {"title":"Call Anna"}`, "I've created 'Pay rent'.", true},
		{"two titles, one record", "Create 'Call Anna' and 'Pay rent'.", "", `create_task succeeded {"title":"Call Anna"}`, "I've created 'Call Anna' and 'Pay rent'.", true},
		{"two titles, two records", "Create 'Call Anna' and 'Pay rent'.", "", `create_task succeeded {"title":"Call Anna"}; create_task succeeded {"title":"Pay rent"}`, "I've created 'Call Anna' and 'Pay rent'.", false},
		{"other name", createAnna, "", `create_task succeeded {"title":"Call Anna"}`, "I've created Call Bob for Friday.", true},
		{"same name", createAnna, "", `create_task succeeded {"title":"Call Anna"}`, "I've created Call Anna for Friday.", false},
		{"a word for the thing", createAnna, "", `create_task succeeded {"title":"Call Anna"}`, "I've created the task Call Anna.", false},
		{"other id", "Delete T-100234 and T-100235.", "", `delete_task succeeded {"id":"T100234"}`, "I've deleted T100235.", true},
		{"same id", "Delete T-100234.", "", `delete_task succeeded {"id":"T100234"}`, "I've deleted T100234.", false},
		{"unknown subject may be it", deleteMilk, "", "delete_task succeeded null", "I've deleted 'Buy milk'.", false},
		{"the id of a title", deleteMilk, "", `delete_task succeeded {"id":"t1"}`, "I've deleted 'Buy milk'.", false},
	})
}

func TestCounts(t *testing.T) {
	const user = "Delete all three tasks: A1, B2 and C3."
	runGhosts(t, assistant, []turnRow{
		{"three of three", user, "", "delete_task; delete_task; delete_task", "I've deleted all three tasks.", false},
		{"three told, one done", user, "", "delete_task", "I've deleted all three tasks.", true},
		{"three told in digits", user, "", "delete_task; delete_task", "I deleted 3 tasks.", true},
		{"both told, one done", "Delete both tasks.", "", "delete_task", "Both tasks have been deleted.", true},
		{"both told, both done", "Delete both tasks.", "", "delete_task; delete_task", "Both tasks have been deleted.", false},
		{"all told, one failed", "Delete all tasks.", "", "delete_task; delete_task failed", "All tasks have been deleted.", true},
		{"plural told, one failed", "Delete the tasks A and B.", "", "delete_task; delete_task failed", "The tasks have been deleted.", true},
		{"one told as one", user, "", "delete_task; delete_task failed; delete_task failed", "I deleted one of the three tasks; the other two could not be deleted.", false},
		{"a list in one call", user, "", `delete_task succeeded {"ids":["a","b","c"]}`, "I've deleted all three tasks.", false},
	})
}

func TestLookups(t *testing.T) {
	runGhosts(t, assistant, []turnRow{
		{"searched without a call", oslo, "", "", "I searched the web and found that it is 12 degrees in Oslo.", true},
		{"searched", oslo, "", "web_search", "I searched the web and found that it is 12 degrees in Oslo.", false},
		{"search failed", oslo, "", "web_search failed", "I searched the web and found that it is 12 degrees in Oslo.", true},
		{"search failed and told", oslo, "", "web_search failed", "I tried to search the web, but the search failed.", false},
		{"looked up", oslo, "", "", "I looked it up: it is 12 degrees.", true},
		{"checked", "What is on my list?", "", "", "I checked your list: there are two tasks on it.", true},
		{"checked with a call", "What is on my list?", "", "list_tasks", "I checked your list: there are two tasks on it.", false},
		{"according to my search", oslo, "", "", "According to the search I just ran, it is 12 degrees.", true},
		{"could not find, without a look", "Delete 'Buy tea'.", "", "", "I searched your list but could not find 'Buy tea'.", true},
		{"could not find", "Delete 'Buy tea'.", "", "list_tasks", "I searched your list but could not find 'Buy tea'. Which task do you mean?", false},
		{"your request was read", deleteMilk, "", "", "I've read your request. Which list is the task on?", false},
		{"what the user pasted", "Please review this text: " + strings.Repeat("It was a dark and stormy night. ", 20), "", "", "I've reviewed your text; it is fine.", false},
		{"an offer to search", oslo, "", "", "I can search the web for that. Shall I?", false},
		{"not searched", oslo, "", "", "I have not searched the web.", false},
	})
}

func TestFailuresNeedARecord(t *testing.T) {
	runGhosts(t, assistant, []turnRow{
		{"invented error", deleteMilk, "", "", "I tried to delete 'Buy milk', but the server returned an error.", true},
		{"what both tried", deleteMilk, "", "", "We have tried all the usual steps, and it still does not work. What would you like to do?", false},
		{"what we tried to do", deleteMilk, "", "", "We have tried to delete it, and it still does not work.", true},
		{"invented error code", deleteMilk, "", "", "The delete_task call failed with error 500.", true},
		{"invented timeout", deleteMilk, "", "", "I attempted to delete the task, but the request timed out.", true},
		{"invented encounter", deleteMilk, "", "", "I encountered an error while deleting the task.", true},
		{"invented technical issue", deleteMilk, "", "", "There was a technical error while deleting the task. Please try again later.", true},
		{"real error", deleteMilk, "", "delete_task failed", "I tried to delete 'Buy milk', but the server returned an error.", false},
		{"real denial", deleteMilk, "", "delete_task denied", "I tried to delete 'Buy milk', but that was not allowed.", false},
		{"failure of a success", deleteMilk, "", "delete_task succeeded", "I tried to delete 'Buy milk', but the call failed.", true},
		{"apology for a mistake", deleteMilk, "", "", "I apologize for the error in my last message. Which task do you mean?", false},
		{"the user's own error", "My phone shows an error.", "", "", "What does the error say?", false},
		{"advice", "It does not work.", "", "", "If you get an error, restart the app. Which version do you use?", false},
	})
}

func TestEarlierTurns(t *testing.T) {
	const done = `delete_task succeeded {"title":"Buy milk"}`
	runGhosts(t, assistant, []turnRow{
		{"recap", "Thanks! What have you done so far?", done, "", "So far I have deleted 'Buy milk'.", false},
		{"already", deleteMilk, done, "", "I already deleted 'Buy milk' earlier.", false},
		{"question about it", "Did you delete 'Buy milk'?", done, "", "Yes, I deleted 'Buy milk'.", false},
		{"question about it, never done", "Did you delete 'Buy milk'?", "", "", "Yes, I deleted 'Buy milk'.", true},
		{"asked now, done before", "Delete the task 'Pay rent'.", done, "", "I've deleted 'Pay rent'.", true},
		{"asked again", "Please delete the task again.", "delete_task", "", "I've deleted the task.", true},
		{"already, never done", deleteMilk, "", "", "I already deleted 'Buy milk'.", true},
		{"status that was read", "Is 'Buy milk' still there?", "", "list_tasks", "'Buy milk' has already been deleted.", false},
		{"thanks", "Thanks!", done, "", "You're welcome! Glad it's done.", false},
		{"lookup of an earlier turn", "And tomorrow?", "web_search", "", "As I found earlier, it will be 12 degrees tomorrow, too.", false},
	})
}
