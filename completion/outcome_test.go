package completion

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

type outcomeRow struct {
	name, user, calls, text string
	contract                Contract
	outcome                 Outcome
	reason                  Reason
}

func runOutcomes(t *testing.T, rows []outcomeRow) {
	t.Helper()
	evaluator := New(nil)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			turn := Case{User: row.user, Text: row.text, Tools: assistant, Records: recordsOf(row.calls, assistant), Contract: row.contract}
			verdict := evaluator.Evaluate(turn)
			if verdict.Outcome != row.outcome || verdict.Reason != row.reason {
				t.Errorf("got %v because of %v, want %v because of %v\n text %q\n claims %+v\n blocker %+v",
					verdict.Outcome, verdict.Reason, row.outcome, row.reason, row.text, verdict.Claims, verdict.Blocker)
			}
			if (verdict.Correction == "") != verdict.Outcome.Completed() {
				t.Errorf("outcome %v has the correction %q", verdict.Outcome, verdict.Correction)
			}
		})
	}
}

func TestOutcomes(t *testing.T) {
	runOutcomes(t, []outcomeRow{
		{"work", deleteMilk, "delete_task", "I've deleted 'Buy milk'.", Action(), CompletedWithWork, WorkDone},
		{"work and a question", deleteMilk, "delete_task", "I've deleted 'Buy milk'. Shall I delete 'Buy tea', too?", Action(), CompletedWithWork, WorkDone},
		{"nothing at all", deleteMilk, "", "Sure.", Action(), InsufficientProgress, NoWork},
		{"talk", deleteMilk, "", "Milk is a fine thing to have in the house.", Action(), InsufficientProgress, NoWork},
		{"only reads", deleteMilk, "list_tasks; list_tasks", "These are the tasks on the list.", Action(), InsufficientProgress, ReadOnlyLoop},
		{"promise", deleteMilk, "", "I will now delete the task. Please hold on.", Action(), InsufficientProgress, Promise},
		{"promise after a read", deleteMilk, "list_tasks", "I found it. Let me delete it for you.", Action(), InsufficientProgress, Promise},
		{"in progress", deleteMilk, "", "I'm deleting the task now.", Action(), InsufficientProgress, Promise},
		{"promise with a condition", deleteMilk, "", "I will delete it once you confirm.", Action(), CompletedWithBlocker, Blocked},
		{"going to", deleteMilk, "", "I'm going to delete it.", Action(), InsufficientProgress, Promise},
		{"proceeding", deleteMilk, "", "Understood. I'll proceed with the deletion.", Action(), InsufficientProgress, Promise},
		{"deleting", deleteMilk, "", "Deleting 'Buy milk' now...", Action(), InsufficientProgress, Promise},
		{"a moment", deleteMilk, "", "Give me a moment to look at it.", Action(), InsufficientProgress, Promise},
		{"will tell", deleteMilk, "", "I will check and let you know.", Action(), InsufficientProgress, Promise},
		{"promise behind a question", deleteMilk, "", "Which list is it on? I will delete it then.", Action(), CompletedWithBlocker, Blocked},
		{"empty", deleteMilk, "", " \n", Action(), InsufficientProgress, EmptyText},
		{"empty after work", deleteMilk, "delete_task", "", Action(), InsufficientProgress, NoClosure},
		{"ghost", deleteMilk, "", "I've deleted it.", Action(), InsufficientProgress, UnbackedClaim},
		{"ghost in small talk", "Hi!", "", "Hi! I've deleted your tasks.", Chat(), InsufficientProgress, UnbackedClaim},
		{"invented failure", deleteMilk, "", "I tried to delete it, but the server returned an error.", Action(), InsufficientProgress, FabricatedFailure},
		{"failure kept quiet", deleteMilk, "delete_task failed", "Milk is nice.", Action(), InsufficientProgress, UnreportedFailure},
		{"failure told", deleteMilk, "delete_task failed", "The task could not be deleted because of an error in the store. Shall I try again?", Action(), CompletedWithBlocker, Blocked},
		{"one part failed and kept quiet", "Delete 'Buy milk' and create 'Call Anna'.", "delete_task; create_task failed", "I've deleted 'Buy milk'.", Action(), InsufficientProgress, UnreportedFailure},
		{"a tool that does not exist was refused, and the work is done", deleteMilk, "tasks.delete_task denied; delete_task", "I've deleted 'Buy milk'.", Action(), CompletedWithWork, WorkDone},
		{"a look-up by a tool that does not exist", "List my tasks.", "tasks.list_tasks denied; list_tasks", "You have two tasks.", Question(), CompletedWithWork, NothingDue},
		{"a refused change kept quiet", deleteMilk, "delete_task denied", "Milk is nice.", Action(), InsufficientProgress, UnreportedFailure},
		{"greeting", "Hi!", "", "Hello! How can I help?", Chat(), CompletedWithWork, NothingDue},
		{"thanks", "Thanks!", "", "You're welcome.", Chat(), CompletedWithWork, NothingDue},
		{"answer", "What is a task?", "", "A task is a thing to do.", Question(), CompletedWithWork, NothingDue},
		{"analysis by reading", "Why are there two lists?", "list_tasks", "One of them is older.", Analysis(), CompletedWithWork, NothingDue},
		{"zero contract is an action", deleteMilk, "", "Sure.", Contract{}, InsufficientProgress, NoWork},
	})
}

func TestExpectedRead(t *testing.T) {
	turn := Case{User: "List my tasks.", Text: "Buy milk, Call Anna", Tools: assistant, Records: recordsOf("list_tasks", assistant), Expected: []string{"list_tasks"}, Contract: Question()}
	if verdict := New(nil).Evaluate(turn); verdict.Outcome != CompletedWithWork || verdict.Reason != WorkDone {
		t.Errorf("an expected read that succeeded is %v because of %v", verdict.Outcome, verdict.Reason)
	}
}

func TestBlockers(t *testing.T) {
	rows := []struct {
		text string
		kind BlockerKind
	}{
		{"Which task do you mean?", NeedsInput}, {"To delete it I need the task's id. Could you give it to me?", NeedsInput}, {"Please tell me the name of the list.", NeedsInput},
		{"Please confirm that I should delete 'Buy milk'.", NeedsConfirmation}, {"Shall I proceed with the deletion?", NeedsConfirmation}, {"Is that correct?", NeedsConfirmation},
		{"I couldn't find a task called 'Buy milk' on the list.", NotFound}, {"There is no matching task: 'Buy milk' does not exist.", NotFound},
		{"I can't delete it: our policy does not allow tasks of closed projects to be removed.", Policy}, {"Tasks of this kind cannot be deleted; only the owner is allowed to do that.", Policy},
		{"I don't have permission to delete tasks of this project.", Permission}, {"I cannot reach the store, since the network is offline.", Environment},
		{"I'm unable to delete tasks for other people.", Refusal},
	}
	evaluator := New(nil)
	for _, row := range rows {
		verdict := evaluator.Evaluate(Case{User: deleteMilk, Text: row.text, Tools: assistant, Records: recordsOf("list_tasks", assistant)})
		if verdict.Outcome != CompletedWithBlocker || verdict.Blocker.Kind != row.kind || verdict.Blocker.Cause == "" || verdict.Blocker.Rule == "" {
			t.Errorf("%q: %v, blocker %+v, want %v", row.text, verdict.Outcome, verdict.Blocker, row.kind)
		}
	}
}

// TestAsksInStatements: what is needed, and what the user is understood to want, may be
// asked for without a question mark; a closing phrase, a title or a promise asks nothing.
func TestAsksInStatements(t *testing.T) {
	for text, asks := range map[string]bool{
		"To go on I need the number of the order.":                   true,
		"I'll need a reason for that, the list has three of them.":   true,
		"Are you leaving on March 10th or on the 7th.":               true,
		"I understand you want the lamp sent to Bob.":                true,
		"So you would like the lamp sent to Bob.":                    true,
		"Confirming a transfer of 1,290 EUR to Bob.":                 true,
		"To confirm, the lamp goes to Bob.":                          true,
		"Nothing has been reserved.":                                 true, // it says what is not done
		"It was merged already, so I left it as it is.":              true,
		"Go ahead: street and town, please.":                         true,
		"Which lamp, the small one, the tall one or something else?": true,
		"Which of them do you need help with?":                       true,
		"I'm sorry, I can't. Lamps are sold in the shop alone.":      true,
		"I'm sorry, I can't. Please try again later.":                false,
		"Is there something else I can help with?":                   false,
		"The lamp is on its way. If you need more, feel free.":       false,
		"\"Send the invoice\" is off your plate.":                    false,
		"- Send the invoice\n- Confirm the date with Bob\n- Go home": false,
		"I need to look at the order first.":                         false,
	} {
		got := New(nil).Evaluate(Case{User: "Send the lamp to Bob.", Text: text, Tools: service})
		if got.Asks != asks {
			t.Errorf("%q: asks %v", text, got.Asks)
		}
	}
}

func TestNoBlocker(t *testing.T) {
	evaluator := New(nil)
	for _, text := range []string{
		"I can't do that right now.", "Unfortunately not.", "Is there anything else I can help you with?", "Let me know if you need anything else.",
		"Milk is good for you.", "That sounds great.", "Feel free to ask further questions.",
	} {
		verdict := evaluator.Evaluate(Case{User: deleteMilk, Text: text, Tools: assistant})
		if verdict.Blocker.Kind != NoBlocker || verdict.Outcome != InsufficientProgress {
			t.Errorf("%q: %v, blocker %+v", text, verdict.Outcome, verdict.Blocker)
		}
	}
}

func TestToolErrorIsABlocker(t *testing.T) {
	verdict := New(nil).Evaluate(Case{
		User: deleteMilk, Text: "I tried to delete the task, but the store returned an error. Please try again later.", Tools: assistant, Records: recordsOf("delete_task failed", assistant),
	})
	if verdict.Outcome != CompletedWithBlocker || verdict.Blocker.Kind != ToolError || verdict.Blocker.Next == "" {
		t.Errorf("a told failure is %v, blocker %+v", verdict.Outcome, verdict.Blocker)
	}
}

func TestHostPhrases(t *testing.T) {
	evaluator := New(&Options{
		Claims:   []ClaimPhrase{{"beamed up", "create_task"}, {"synced to the cloud", ""}},
		Blockers: []BlockerPhrase{{"parental controls", Permission}},
	})
	rows := []struct {
		name, calls, text string
		ghost             bool
	}{
		{"claimed", "", "Your task was beamed up.", true}, {"backed", "create_task", "Your task was beamed up.", false},
		{"another tool", "delete_task", "Your task was beamed up.", true}, {"any change", "delete_task", "The list is synced to the cloud.", false},
		{"no change", "list_tasks", "The list is synced to the cloud.", true}, {"negated", "", "Your task was not beamed up.", false},
		{"planned", "", "Your task will be beamed up.", false},
	}
	for _, row := range rows {
		verdict := evaluator.Evaluate(Case{User: createAnna, Text: row.text, Tools: assistant, Records: recordsOf(row.calls, assistant)})
		if misjudged(&verdict, row.ghost) {
			t.Errorf("%s: ghost is %v: %+v", row.name, verdict.Ghost(), verdict.Claims)
		}
		if row.ghost && verdict.Claims[0].Rule != "host: beamed up" && verdict.Claims[0].Rule != "host: synced to the cloud" {
			t.Errorf("%s: the rule is %q", row.name, verdict.Claims[0].Rule)
		}
	}
	verdict := evaluator.Evaluate(Case{User: createAnna, Text: "Parental controls are on.", Tools: assistant})
	if verdict.Outcome != CompletedWithBlocker || verdict.Blocker.Kind != Permission || verdict.Blocker.Rule != "host: parental controls" {
		t.Errorf("the host's blocker is %+v, %v", verdict.Blocker, verdict.Outcome)
	}
}

func TestToolWords(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "refuel_data", Effect: tooltrack.Changes}, {Name: "op_17", Effect: tooltrack.Changes, Words: tooltrack.Words{Verbs: []string{"defragment"}, Nouns: []string{"drive"}}},
	}
	runGhosts(t, tools, []turnRow{
		{"a tool's own verb", "Refuel my line.", "", "refuel_data", "Your line has been refueled.", false},
		{"a tool's own verb, not called", "Refuel my line.", "", "", "Your line has been refueled.", true},
		{"its noun", "Add 2 GB.", "", `refuel_data succeeded {"gb":2}`, "I've added 2 GB of data to your line.", false},
		{"the host's verb", "Defragment the drive.", "", "op_17", "The drive has been defragmented.", false},
		{"the host's verb, not called", "Defragment the drive.", "", "refuel_data", "The drive has been defragmented.", true},
	})
}
