package completion

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// conversation is a request and the texts that may end its turn. Each text is
// judged once for each of the calls, so that the golden file shows side by side
// what a record changes.
type conversation struct {
	name            string
	tools           []tooltrack.Tool
	user, previous  string
	earlier         string
	calls           []string
	contract        Contract
	expected, texts []string
	layout          bool // marks around the text, and its lines, are part of what it says
}

// told is everything that a user of a verdict can see, in a few lines.
func (v *Verdict) told() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s", v.Outcome, v.Reason)
	if v.Blocker.Kind != NoBlocker {
		fmt.Fprintf(&b, "\n    blocker %s by %q: %q, then %q", v.Blocker.Kind, v.Blocker.Rule, v.Blocker.Cause, v.Blocker.Next)
	}
	if v.Leak != (Leak{}) {
		fmt.Fprintf(&b, "\n    leak %+v", v.Leak)
	}
	for _, c := range v.Claims {
		by := c.Fault
		if c.By != nil {
			by = "by " + c.By.Tool + " " + string(c.By.Args)
		}
		when := ""
		if c.Earlier {
			when = ", earlier"
		}
		fmt.Fprintf(&b, "\n    %s (%s%s) %q %s", c.Kind, c.Rule, when, c.Text, by)
	}
	for _, missing := range v.Missing {
		fmt.Fprintf(&b, "\n    missing %s", missing)
	}
	return b.String() + "\n"
}

// TestVerdicts holds the whole verdict on many texts against a golden file: the
// clause of each claim, the rule that found it, the record behind it, and what
// prevents the work. The tables beside this test say what must be true of a
// text; this one shows what a change of a rule does elsewhere.
func TestVerdicts(t *testing.T) {
	evaluator := New(nil)
	var told strings.Builder
	for _, c := range conversations() {
		fmt.Fprintf(&told, "=== %s: %q\n", c.name, c.user)
		for _, text := range c.texts {
			fmt.Fprintf(&told, "%q\n", text)
			var verdicts []string
			after := map[string][]string{}
			for _, calls := range c.calls {
				verdict := evaluator.Evaluate(Turn{
					User: c.user, Previous: c.previous, Text: text, Tools: c.tools, Contract: c.contract, Expected: c.expected,
					Records: recordsOf(calls, c.tools), Earlier: recordsOf(c.earlier, c.tools),
				})
				told := verdict.told()
				if after[told] == nil {
					verdicts = append(verdicts, told)
				}
				after[told] = append(after[told], "["+calls+"]")
			}
			for _, verdict := range verdicts {
				fmt.Fprintf(&told, "  after %s: %s", strings.Join(after[verdict], " "), verdict)
			}
		}
	}
	golden(t, "verdicts.txt", told.String())
}

func conversations() []conversation {
	return []conversation{
		{
			name: "a task to delete", tools: assistant, user: deleteMilk,
			calls: []string{"", "list_tasks", `delete_task succeeded {"title":"Buy milk"}`, "delete_task failed"},
			texts: []string{
				"I've deleted 'Buy milk'.", "I deleted it, as you can see.", "Deleted, as you can see.", "'Buy milk' was deleted just now.", "Your task is deleted.", "The task is marked as done.",
				"It is deleted once you confirm.", "It is now gone.", "It's gone.", "The deletion is now complete.", "Deletion complete!", "Deletion complete: 'Buy milk'.", "Export complete.",
				"Done: 1. 'Buy milk' deleted.", "1. Deleted 'Buy milk'\n2. Checked the list", "✓ Deleted\n✓ Checked", "- Deleted: Buy milk\n- Status: removed", "Status: deleted",
				"Updated Task Details:\n- Title: Buy milk", "Task details, updated:\n- none", "success: true", "Success! The task was removed.",
				"I was able to delete it.", "I managed to delete it without trouble.", "I was not able to delete it.", "I would have been able to delete it.", "I have been able to remove 'Buy milk' now.",
				"It is no longer on your list.", "Your list no longer contains it.", "Your list now holds two tasks.", "'Buy milk' is off your list.", "It is on your list.", "Is it no longer on your list?",
				"Having deleted it, I checked the list again.", "The system has deleted your task.", "This system has deleted tasks before.", "We have deleted it for you.", "You have deleted it.",
				"It was deleted by the owner of the list.", "It was deleted by mistake.", "It was moved by two days.", "It was deleted by us.", "It was removed by Anna's team yesterday.",
				"Orders that have been deleted stay in the archive.", "The tasks which were removed are in the archive.", "The task that has now been removed was old.",
				"I am happy to confirm that it has been deleted.", "I am glad that it has been deleted.", "He said that it has been deleted.", "I said that it has been deleted.", "You told me it has been deleted.",
				"Should it have been deleted, you will see it in the archive.", "So that you can see it is deleted, open the list.", "Open the list, press Delete, and it is deleted.", "A deleted task is gone.", "Tasks are deleted with their notes.",
				"Now that it has been deleted, what is next?", "Anything else, now that it has been deleted?", "Has it been deleted, or shall I do it?", "It has been deleted, hasn't it?", "What do you want deleted?",
				"I have deleted nothing.", "I made no changes.", "Neither task was deleted.", "No changes have been made to 'No milk today'.", "Nothing was removed, but I have updated the list.",
				"I've gone ahead and deleted it.", "I went ahead and removed the task, and I checked the list.", "Going ahead, I have removed it.",
				"I've removed it from the list and from the archive.", "I have deleted it and will send you a note.", "I have deleted it, but I could not update the archive.", "I will delete it and then I have removed it.",
				"Until it is deleted and the note is removed, the list is locked.", "Once it is processed, it is removed.", "If it is done, it is deleted.",
			},
		},
		{
			name: "what is said beside the work", tools: assistant, user: deleteMilk,
			calls: []string{"", "list_tasks", "delete_task failed"},
			texts: []string{
				"I need your task id.", "I'll need the name of the list.", "I need to check your list.", "I need to look at it first.", "I would need the title of the task to go on.", "We need more information from you about the task.",
				"Please reply yes.", "Please reply yes if there is anything else I can do.", "Please hold on.", "One moment please.", "Thanks for waiting, one moment.", "Hold on while I look at your list of tasks for the coming week.",
				"Let me know which one it is.", "Let me look.", "Let me see if it is there.", "Let me delete it once you confirm.", "Let us see.", "If you want me to go on, tell me.", "Tell me which one.", "Please open the list.", "Please be patient.",
				"You have to contact the owner of the list.", "You need to contact support to delete it.", "You will have to contact them.", "They had to contact us.", "Contact support if it does not work.",
				"There are no tasks with that name.", "There is not one with that name.", "There is nothing to delete.", "The list has no such task.", "If it does not work, tell me.", "If the policy does not allow it, it stays.",
				"I cannot delete it, since the list is closed.", "Our policy does not allow that.", "It is not possible to delete it.", "It isn't allowed.", "That can't be undone.", "I'm not allowed to touch that list.", "I don't have access to that list.",
				"I'm deleting it.", "I'm now deleting it.", "I am just looking.", "I am going to delete it.", "I'm going to go on and remove the task.", "I am not going to delete it.", "Deleting it now.", "Now deleting the task.", "Deleting a task of such an age takes a lot of time.",
				"I will proceed with the deletion.", "I'll go ahead with the removal of the task.", "I will be happy to help.", "I will not delete it.", "I won't delete it.", "I will have it deleted.", "I'll want to see it first.", "I'll say it again.", "I will then delete it.", "Say the word and I'll delete it.", "The list is long and I'll delete it.",
				"Please tell me:\n- the title of the task\n- the list it is on", "Here is what I found:\n- Send the report to Anna\n- Delete old files\n- I will call Bob", "These are open:\n1. Call Anna\n2. Please call Bob\n3. You should rest", "Tasks:\n- It is late\n- Not today\n- Have lunch",
				"Shall I proceed with the deletion?", "Would you like me to delete it now?", "Do you want me to go on?", "Which one do you mean, the first or the second?", "Is that right?", "Can you tell me the title?",
				"I'm sorry, but I can't do that.", "I'm sorry for the error.", "I'm sorry, I made a mistake.", "My apologies for the trouble.", "Sorry, I tried to delete it but got an error.",
			},
		},
		{
			name: "failures", tools: assistant, user: deleteMilk, calls: []string{"", "list_tasks", "delete_task failed", "delete_task unknown"},
			texts: []string{
				"I tried to delete it, but it failed.", "I tried to find it.", "I tried to look it up but there was an error.", "I have tried to delete it twice.", "I did not try to delete it.", "You tried to delete it.", "If I tried to delete it, it would fail.",
				"There was an error.", "There were two errors.", "An error occurred.", "An error has occurred.", "An error had been raised before it occurred.", "I encountered an error.", "I got an error from the server.", "The server returned an error.", "The server may return an error.",
				"No error occurred.", "There was no error.", "The server returned no error.", "Errors occurred while I was looking.", "It was an error.", "That was an error of mine.",
				"The call failed.", "The deletion failed.", "The deletion has failed.", "The deletion did not fail.", "My attempt failed.", "This call failed.", "The server failed.", "Failed to delete it.", "It failed.",
				"There was a technical issue.", "There is a technical issue.", "A technical problem occurred.", "There was an issue with milk.", "We had technical trouble.", "Was there an error?", "The note says `There was an error`.", "An unexpected error occurred while deleting the task, so it was not deleted.",
			},
		},
		{
			name: "a failure before", tools: assistant, user: "Try again.", previous: "I'm sorry, the deletion failed with an error.", earlier: "delete_task failed",
			calls: []string{"", "delete_task"}, expected: []string{"delete_task"},
			texts: []string{"The deletion failed again.", "I tried again, but there was an error.", "As I said, there was an error.", "I've deleted it this time.", "It failed earlier because of an error."},
		},
		{
			name: "tools by name", tools: assistant, user: deleteMilk, calls: []string{"", "delete_task", "delete_task failed"},
			texts: []string{
				"I called delete_task.", "I have called delete_task for you.", "I will call delete_task.", "You called delete_task.", "I used the tool delete_task.", "I ran delete_task(id=1) and it worked.", "delete_task(id=1) succeeded.", "delete_task (with the id) has now returned success.",
				"delete_task is a tool.", "delete_task was called.", "The delete_task call completed.", "delete_task failed.", "delete_task returned an error.", "delete_task would have succeeded.", "Please call delete_task.", "I did not call delete_task.", "create_task and delete_task succeeded.",
				"Based on my search, it is gone.", "My search shows two tasks.", "The search results show nothing.", "After searching the web, I found it.", "After searching, it is clear.", "A search could help.", "My search will show it.", "The search you made shows it.", "I searched the web for it.", "I've looked at your list.", "I have checked it.", "I checked whether it is there.", "I've reviewed your request.", "I have read your message.",
			},
		},
		{
			name: "a task to create", tools: assistant, user: createAnna, calls: []string{"", `create_task succeeded {"title":"Call Anna","due":"Friday"}`, `create_task succeeded {"title":"Call Bob"}`, `create_task succeeded {"id":7731}; create_task succeeded {"id":7732}`},
			texts: []string{
				"I've created 'Call Anna' for Friday.", "I have created two tasks: 'Call Anna' and 'Call Bob'.", "I made a task.", "I made sure of it.", "I have done that.", "I have done so.", "I did it.", "What I have done is simple.", "I've made the following changes:\n- one task",
				"A task has been created.", "The task was created on May 5.", "The task was created.", "Task 7731 has been created.", "Tasks 7731 and 7733 have been created.", "Your confirmation number is A77312.", "Your task id is 7731.", "Your reference is clear.",
				"I've set a reminder for 9 am.", "I've put it in your calendar.", "It's in your calendar now.", "'Call Anna' is now on the list.", "Your calendar now shows 'Call Anna'.", "Now it is on your list.", "I have written a short summary.", "I've updated my notes.", "I have noted your request.", "I have applied your preferences.", "I've prepared a draft:\n\nCall Anna on Friday.\n\nShall I create it?", "I've changed that in the draft. Shall I create it?", "Here is the draft with the title updated. Is that right?",
				"I have emailed Anna.", "An email has been sent to Anna.", "A confirmation email has been sent.", "$5 has been added to your balance.", "A refund has been issued.", "The return has been created.", "I registered it for return.", "It was marked as sent.", "It has been set up for deletion.",
				"All three tasks have been created.", "Both are on your list.", "1 task was created, 2 were not.", "I've created Call Anna, Call Bob and Pay rent.", "I've tidied up your list: two tasks were created.", "Earlier I created 'Call Anna'.", "I had already created it yesterday.", "The task I created is there.", "The details I sent are right.", "It was refused.", "The request was blocked by a rule.",
			},
		},
		{
			name: "yes to an offer", tools: shop, user: "Yes, please.", previous: "Shall I cancel order K1020304 and refund $20 to your card?", earlier: "get_order_details",
			calls: []string{"", `cancel_order succeeded {"order_id":"K1020304"}`, "cancel_order failed", "get_order_details"},
			texts: []string{
				"Your order is cancelled.", "Your order is booked in the morning.", "Order K1020304 has been cancelled.", "Order K1020305 has been cancelled.", "The cancellation has been processed.", "The cancellation is complete.", "Cancellations are complete.", "It's done.", "Done.", "All set.", "That is taken care of.", "Your refund of $20 is on its way.", "A refund of $20 has been issued.", "$20 has been refunded to your card.", "I've refunded $20.",
				"Your order has been cancelled, the refund has been issued and an email has been sent.", "Your order has been cancelled and a voucher has been sent.", "Your order has been placed.", "The order was cancelled by the seller.", "Your order is now cancelled, and the hold has been released.", "I've cancelled it and returned both items.", "Order details:\n- Order K1020304: cancelled\n- Order K1020305: delivered", "Status: cancelled", "- Cancelled\n- Refunded", "Great, consider it cancelled!", "Your order was cancelled yesterday.", "The order is being cancelled.", "I'm cancelling it.", "It will be cancelled within the hour.",
			},
		},
		{
			name: "a question about what was done", tools: assistant, user: "What did you do so far?", earlier: `create_task succeeded {"title":"Call Anna"}; delete_task failed`, contract: Question(),
			calls: []string{"", "list_tasks"},
			texts: []string{
				"I created 'Call Anna'.", "Earlier I created 'Call Anna' and tried to delete 'Buy milk', which failed.", "So far I have created 'Call Anna' and deleted 'Buy milk'.", "I have deleted 'Buy milk'.", "'Call Anna' was created before.", "Nothing yet.", "I listed your tasks.", "Your list holds:\n- Call Anna\n- Pay rent", "You have 2 tasks: Call Anna and Pay rent.",
			},
		},
		{
			name: "calls written as text", layout: true, tools: assistant, user: deleteMilk, calls: []string{"", "delete_task"},
			texts: []string{
				`{"name":"delete_task","arguments":{"id":1}}`, "```json\n{\"tool\":\"delete_task\",\"args\":{}}\n```", "<tool_call>delete_task(id=1)</tool_call>", "<delete_task><id>1</id></delete_task>", "<function=delete_task>{\"id\":1}</function>", "delete_task(id=1)", "delete_task(\"Buy milk\")\n", "[delete_task(id=1)]", "Action: delete_task\nAction Input: {\"id\":1}", "call:delete_task{id:1}", "You can run `delete_task(id=1)` yourself.", "The <b>task</b> is open.", "Use delete_task {\"id\":1} like this.", "I'll run this:\n\n    delete_task(id=1)\n", "{\"message\":\"Which one?\"}", "(delete_task is a tool.)", "[1] Buy milk", "a < b and b > c", "{{title}}",
			},
		},
		{
			name: "other languages", tools: assistant, user: "Lösche die Aufgabe 'Milch kaufen'.", calls: []string{"", "delete_task", "list_tasks"},
			texts: []string{
				"Ich habe die Aufgabe gelöscht.", "Die Aufgabe wurde gelöscht.", "Erledigt!", "Ich werde die Aufgabe löschen.", "Soll ich die Aufgabe löschen?", "J'ai supprimé la tâche.", "La tâche a été supprimée.", "He eliminado la tarea.", "La tarea ha sido eliminada.", "Ho eliminato l'attività.", "A tarefa foi excluída.", "✅", "✔ Milch kaufen", "タスクを削除しました。", "任务已删除。", "Я удалил задачу.",
			},
		},
		{
			name: "disguised letters", layout: true, tools: assistant, user: deleteMilk, calls: []string{"", "delete_task"},
			texts: []string{
				"Ｉ ｈａｖｅ ｄｅｌｅｔｅｄ ｉｔ．", "𝐈 𝐡𝐚𝐯𝐞 𝐝𝐞𝐥𝐞𝐭𝐞𝐝 𝐢𝐭.", "I have d\u0435leted it.", "I have de\u200bleted it.", "I have _deleted_ it.", "I have __deleted__ it.", "_I have deleted it._", "I h\u0430ve deleted it.", "Ⓘ have deleted it.", "I have \"deleted\" it.", "'I have deleted it.'", "\"I have deleted it.\"", "«I have deleted it.»", "> I have deleted it.", "**Done!**", "*I* have deleted **it**.", "~~I have deleted it.~~", "# Deleted\n\nThe task.", "I have\u00a0deleted\u2009it.",
			},
		},
		{
			name: "a change of code", tools: coder, user: "Fix the failing test in parse.go.", contract: Action(Verified()), calls: []string{"", `edit_file succeeded {"path":"parse.go"}`, `edit_file succeeded {"path":"parse.go"}; run_tests`, `edit_file succeeded {"path":"parse.go"}; run_tests failed`},
			texts: []string{
				"I've fixed the bug in parse.go.", "I fixed parse.go and all tests pass.", "All tests pass.", "The tests pass now.", "The build is green.", "I ran the tests and they pass.", "I've updated parse.go and lexer.go.", "parse.go now handles empty input.", "The function now returns an error.", "I want the tests to pass.", "So all tests pass, open parse.go.", "To make the tests pass, change line 7.", "Tests: 12 passed, 0 failed.", "The fix is in place.", "The refactoring is complete.", "I would change line 7.", "Once the tests pass, I'll commit it.", "One test still fails: TestEmpty.", "I could not run the tests.",
			},
		},
		{
			name: "clauses", tools: assistant, user: "Delete 'Buy milk' and update 'Call Anna', please.", calls: []string{"", "delete_task", "delete_task; update_task", "delete_task; update_task failed"},
			texts: []string{
				"The task (which was old, and long) has been deleted.", "The task has been deleted (but not the note, which I kept).", "(I have deleted it, and it was old.)", "Well, but now that I have deleted it, it is quiet.", "'Buy milk', 'Pay rent', and 'Call Bob' have been deleted.", "As you asked, 'Buy milk' and 'Call Anna' have been changed.", "Yes, the first, the second and the third have been deleted.",
				"I deleted 'Buy milk'; 'Call Anna' was updated.", "I deleted 'Buy milk' and updated 'Call Anna'.", "I deleted 'Buy milk', and 'Call Anna' is updated.", "I deleted 'Buy milk', updated 'Call Anna', and sent you an email.", "'Buy milk' was deleted and 'Call Anna' updated.", "'Buy milk' has been deleted, but 'Call Anna' could not be updated.", "I've deleted 'Buy milk', while 'Call Anna' stays as it is.",
				"I did that.", "I did all of it.", "I did.", "I did delete it.", "I did not.", "I've informed him that it has been deleted.", "I have informed Anna.", "I informed you that it was deleted.", "I've also deleted the other one.", "And also, I have now deleted it.", "I have just now completely deleted it.", "I've completed it.", "I have finished deleting it.", "I have started deleting it.", "I've been deleting tasks all day.",
				"Until it is deleted and the note is removed, nothing happens.", "If you agree, it is deleted and I have updated the list.", "When it was deleted, the note was removed and the list was updated.", "I will have deleted it and updated the other by noon.", "I can have it deleted and the note removed.",
				"Anna's task has been deleted.", "Your list's first task was removed.", "Bob's and Anna's tasks have been updated.", "The task's title has been changed to 'Call Bob'.", "The priority of 'Call Anna' is now high.", "The due date has been set to Friday.", "The title now reads 'Call Bob'.",
				"I've got the task deleted.", "I had it deleted.", "I let it be deleted.", "I saw that it was deleted.", "I see that it has been deleted.", "It seems that it has been deleted.", "It looks like 'Buy milk' has been deleted.", "Apparently it was deleted.", "It may have been deleted.", "It must have been deleted.", "It was supposed to be deleted.", "It was about to be deleted.", "It needs to be deleted.", "It gets deleted at night.", "It got deleted.",
			},
		},
		{
			name: "numbers and codes", tools: shop, user: "Cancel K1020304 and return the lamp.", earlier: `cancel_order succeeded {"order_id":"K9988776"}`,
			calls: []string{"", `cancel_order succeeded {"order_id":"K1020304"}`, `return_order_items succeeded {"order_id":"K1020304","items":[77001100,77001200],"count":2,"price":"-3.50"}`, `cancel_order succeeded {"order_id":"K1020304"}; return_order_items succeeded {"order_id":"K1020304","items":["77001100"]}`},
			texts: []string{
				"Order K1020304 has been cancelled.", "Order K1020305 has been cancelled.", "Order k1020304 has been cancelled.", "Order K9988776 has been cancelled.", "Orders K1020304 and K9988776 have been cancelled.", "I've cancelled K1020304 with code 99887.", "I've returned item 77001100.", "I've returned item 77001300.", "I've returned items 77001100 and 77001200.", "I've returned 2 items.", "I've returned 3 items.", "I've returned two items from K1020304.", "Both items have been returned.", "All items have been returned.",
				"A refund of $12345 has been issued.", "$77001100 has been refunded.", "12345 has been refunded.", "Your refund code is 55443.", "Your return number is R5544332.", "Your confirmation number is 554433.", "The confirmation code for K1020304 is XEHM4B.", "Your return label is ready.", "Your booking reference is XEHM4B, and it is valid for a year.", "Your order id is K1020304.", "I cancelled the order on 2026-03-01 at 10:45.", "The order from March 3 has been cancelled.", "The lamp was returned on Monday.", "I've returned the lamp.", "I've returned the lamp and the chair.", "Item #77001100 was marked for return.",
			},
		},
		{
			name: "a list to show", tools: assistant, user: "List my tasks.", contract: Question(), expected: []string{"list_tasks"}, calls: []string{"", "list_tasks"},
			texts: []string{
				"You have three tasks.", "You have three tasks: Buy milk, Call Anna and Pay rent.", "Here are your tasks:\n- Buy milk\n- Call Anna (Friday)\n- Pay rent - soon", "Your tasks are: Buy milk, Pay rent.", "Your task list is empty.", "Your list is empty.", "You have no tasks.", "I think you have two tasks.", "You may have two tasks.", "If you have tasks, they are here.", "Here is your task list:\n1. Buy milk", "The tasks \"Here are your tasks\" are open.", "Your tasks, as always, take time.", "You had tasks.", "There are two tasks on your list.",
			},
		},
		{
			name: "a confirmation to give", tools: assistant, user: "Please confirm that 'Buy milk' was deleted, and thanks for updating the list.", calls: []string{"", "delete_task", "update_task"},
			texts: []string{"'Buy milk' is deleted.", "The list is updated.", "It has been deleted.", "It was created.", "Yes, it was deleted.", "The list was updated yesterday."},
		},
		{
			name: "a question about the past", tools: assistant, user: "Did you delete the test? What did I order, and have you sent the letter?", contract: Question(), calls: []string{"", "list_tasks", "delete_task"},
			texts: []string{"The test is deleted.", "It is sent.", "Yes, I deleted the test.", "The letter was sent.", "You ordered a lamp.", "Nothing was ordered."},
		},
		{
			name: "a report by the user", tools: assistant, user: "I have turned the router off and deleted the profile. We reset it, too. What now?", contract: Question(), calls: []string{"", "web_search"},
			texts: []string{"Now that it has been turned off, wait a minute.", "Since we have reset it, try again.", "Now that we have deleted the profile, start the router.", "The profile was deleted, so start again.", "We have updated the router.", "The router was reset. I've updated the profile."},
		},
		{
			name: "a text to write", tools: assistant, user: "Write a short note that says the task was deleted.", contract: Chat(), calls: []string{"", "delete_task"},
			texts: []string{"\"I have deleted the task.\"", "'The task was deleted.'", "“The task has been deleted.”", "Here is a note: \"The task was deleted.\"", "The task was deleted."},
		},
		{
			name: "no to an offer", tools: assistant, user: "No, okay, leave it.", previous: "Shall I delete 'Buy milk'?", contract: Chat(), calls: []string{"", "delete_task"},
			texts: []string{"Okay, it stays.", "It is deleted.", "Done.", "I've left it as it is.", "I have kept it.", "Deleted!"},
		},
		{
			name: "okay to an offer", tools: assistant, user: "Well okay, sure, go ahead.", previous: "Shall I delete 'Buy milk'?", calls: []string{"", "delete_task"},
			texts: []string{"Okay, it stays.", "It is deleted.", "Done.", "It is created.", "Deleted!", "Great!"},
		},
		{
			name: "odds and ends", tools: assistant, user: "Delete 'Buy milk', then email Anna.", calls: []string{"", "delete_task", `delete_task succeeded {"count":-2,"share":1.5,"n":3}; send_email succeeded {"to":"Anna"}`, "delete_task failed"},
			texts: []string{
				"I left a task for Anna.", "I've left an email for Bob.", "I left the task.", "I left early.", "He wants it deleted.", "I've got a task deleted.", "I deleted 3 tasks.", "I deleted 2 tasks.", "I deleted 5 tasks and sent 1 email.",
				"'Tis deleted.", "Anna's 'rock'n'roll' has been deleted.", "The 'to do' isn't there; it's been deleted.", "Don't worry, it's been deleted.", "I'd deleted it before you'd asked.", "It'd be deleted by now.", "They've deleted it.", "She's deleted it.", "Who's deleted it?",
				"He wrote: \"I have deleted it. It is gone.\" Then he left.", "\"I have deleted it. It is gone.\" That is what the note says.", "The note reads \"It was deleted. I sent it.\" I have not deleted anything.", "`deleted` is a status. I have set it.", "Run `rm -rf` and it is deleted.", "It says:\n> It has been deleted.\n> Done.\nI have not checked.",
				"It was deleted by.", "It was deleted by the 3rd of May.", "It was deleted by the end of the day.", "It was deleted by my colleague.", "It was sent by email.", "It was sent to Anna by her own team.", "By the way, it was deleted.",
				"I've updated my list of tasks.", "I've updated my own notes on it.", "I have emailed my summary to Anna.", "The email I wrote has been sent.", "The note he sent was deleted.", "The list we made is gone.",
				"Hold on, let me know which one.", "Let me know.", "You want to contact the owner.", "You had to contact the owner.", "To contact the owner, write to him.", "Give me the id and I'll delete it.", "Tell me and I will.", "I'll check and, if it is there, delete it.", "I will look when you tell me.", "I'll see whether it is there.", "Let me check whether it was deleted.",
				"Now 'Call Anna' is in your calendar.", "It is in my calendar.", "The dentist is on your list today.", "The first task is off your list, and the second one is on it.", "success = true", "success true", "Successful: true", "Result: success",
				"1) Deleted.\n2) Sent.\n3) Done.", "a) It was deleted.\nb) It was sent.", "* Deleted it\n* Sent it\n\nThat is all.", "Step 1: delete it. Step 2: send it.", "Steps taken: deleted 'Buy milk', emailed Anna.", "What I did: deleted it; sent it.", "Summary - deleted: 1, sent: 1.", "Deleted 'Buy milk' → emailed Anna ✔", "Deleted & sent.", "Deleted/sent.", "deleted", "sent!", "Email sent, task deleted, all good.",
				"I deleted it; nevertheless, it may come back.", "I deleted it, although I could not email Anna.", "I emailed Anna because the task was deleted.", "I emailed Anna so that it is deleted.", "After I deleted it, I emailed Anna.", "Before I delete it, I have emailed Anna.", "While deleting it, I emailed Anna.", "Without deleting it, I emailed Anna.", "Instead of deleting it, I have archived it.", "I have deleted it (see above).", "I have (finally) deleted it.", "I have - finally - deleted it.", "I, however, have deleted it.", "I have, as promised, deleted it.",
				"Sorry, there was an error, but I tried again.", "Sorry that I tried to delete it; the error is mine.", "The error was mine: I deleted the wrong one.", "An error was raised and has since occurred twice.", "Error: not found.", "Error has occurred.", "Timeout. Please try again later.",
			},
		},
		{
			name: "a long text to read", tools: assistant, user: "Please look at this letter. " + strings.Repeat("The house at the lake has four rooms and a garden. ", 10), contract: Analysis(), calls: []string{"", "web_search"},
			texts: []string{"I have read it.", "I've reviewed your text.", "I analyzed the letter.", "I searched it.", "I have checked the facts on the web.", "I've looked it up.", "I have summarized it: four rooms.", "I corrected the letter.", "I have corrected two mistakes and updated the date."},
		},
	}
}
