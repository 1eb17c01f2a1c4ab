package completion

import "testing"

// TestAnnouncedAndNotDone: a turn that did some work and ends by announcing
// more has not done it.
func TestAnnouncedAndNotDone(t *testing.T) {
	const rename = `edit_file succeeded {"path":"a.go","old":"parse","new":"parseLine"}`
	rows := []struct {
		name, user, calls, text string
		promise                 bool
	}{
		{"next step", "Rename parse.", rename, "I've renamed it. Now I'll update the callers.", true},
		{"next step in progress", "Rename parse.", rename, "I've renamed it in a.go. Next, I'm going to fix the tests.", true},
		{"let me", "Rename parse.", rename, "I've renamed `parse`. Let me run the tests now.", true},
		{"then", "Rename parse.", rename, "Renamed. I will then delete the old file.", true},
		{"now updating", "Rename parse.", rename, "I've renamed it. Now updating the callers...", true},
		{"announced and done", "Rename parse.", rename + `; edit_file succeeded {"path":"b.go"}`, "I'll rename it and update the callers.\n\nI've renamed `parse` in a.go and updated b.go.", false},
		{"told as a plan, with its record", "Rename parse.", rename, "I'll rename parse to parseLine.", false},
		{"an offer", "Rename parse.", rename, "I've renamed it. I can also update the callers.", false},
		{"an offer with a question", "Rename parse.", rename, "I've renamed it. Shall I update the callers, too?", false},
		{"let me know", "Rename parse.", rename, "I've renamed it. Let me know if I should update the callers.", false},
		{"advice", "Rename parse.", rename, "I've renamed it. Next, you could update the callers.", false},
		{"a condition", "Rename parse.", rename, "I've renamed it. If you like, I'll update the callers.", false},
		{"on request", "Rename parse.", rename, "I've renamed it. I'll update the callers as soon as you confirm.", false},
		{"no tool needed", "Rename parse.", rename, "I've renamed it. I'll be here if you need me.", false},
		{"kept in mind", "Rename parse.", rename, "I've renamed it. I'll keep the shorter names in mind.", false},
		{"another time", "Rename parse.", rename, "I've renamed it. I'll use the new name from now on.", false},
		{"somebody else", "Rename parse.", rename, "I've renamed it. The build server will run the tests tonight.", false},
		{"you will see", "Rename parse.", rename, "I've renamed it. You'll see the new name after a restart.", false},
	}
	evaluator := New(nil)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			verdict := evaluator.Evaluate(Turn{User: row.user, Text: row.text, Tools: coder, Records: recordsOf(row.calls, coder)})
			if promise := verdict.Outcome == InsufficientProgress && verdict.Reason == Promise; promise != row.promise {
				t.Errorf("%q is %v because of %v: %+v", row.text, verdict.Outcome, verdict.Reason, verdict.Claims)
			}
			if !row.promise && verdict.Outcome != CompletedWithWork {
				t.Errorf("%q is %v because of %v: %+v", row.text, verdict.Outcome, verdict.Reason, verdict.Claims)
			}
		})
	}
}

// TestListsAreNoBlockers: the entries of a list ask for nothing.
func TestListsAreNoBlockers(t *testing.T) {
	evaluator := New(nil)
	for _, text := range []string{
		"Here are your tasks:\n1. Send the report to Anna\n2. Check the error log\n3. Provide the numbers for May",
		"Your tasks:\n\n- Confirm the date with Bo\n- Call the bank about the declined card\n- Try the new bakery",
		"1. Reply to Kim\n2. Pay rent",
		"- Fix the failed backup\n- Choose a present for Ida",
		"You have two tasks:\n* Ask Bo why the invoice was rejected\n* Select a hotel",
	} {
		for name, turn := range map[string]Turn{
			"expected": {Expected: []string{"list_tasks"}, Contract: Question()},
			"question": {Contract: Question()},
		} {
			turn.User, turn.Text, turn.Tools, turn.Records = "What is on my list?", text, assistant, recordsOf("list_tasks", assistant)
			if verdict := evaluator.Evaluate(turn); verdict.Outcome != CompletedWithWork || verdict.Blocker.Kind != NoBlocker {
				t.Errorf("%s: %q is %v because of %v: %+v", name, text, verdict.Outcome, verdict.Reason, verdict.Blocker)
			}
		}
	}
	for _, text := range []string{
		"To go on I need a few things:\n- Please provide the name of the list\n- Which day is it due?", "I can't do that for two reasons:\n1. The list is not available\n2. You are not allowed to change it",
		"Please tell me:\n- the title\n- the date",
	} {
		verdict := evaluator.Evaluate(Turn{User: createAnna, Text: text, Tools: assistant, Records: recordsOf("list_tasks", assistant)})
		if verdict.Outcome != CompletedWithBlocker {
			t.Errorf("%q is %v because of %v", text, verdict.Outcome, verdict.Reason)
		}
	}
}
