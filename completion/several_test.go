package completion

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestOneSentenceOfSeveralCalls: where a sentence tells of several calls, each value has its own.
func TestOneSentenceOfSeveralCalls(t *testing.T) {
	tools := toolsOf("reads get_invoice; changes pay_invoice")
	for _, text := range []string{"Invoices 17 and 18 are paid.", "Both invoices, 17 and 18, are paid.", "I've paid invoices 17 and 18."} {
		both := recordsOf(`pay_invoice succeeded {"number":"17"} => {"success":true}; pay_invoice succeeded {"number":"18"} => {"success":true}`, tools)
		turn := Case{User: "Pay the invoices of Kemp & Co", Text: text, Tools: tools, Records: both}
		verdict := New(nil).Evaluate(turn)
		require.Equal(t, Clean, tierOf(&verdict), "%s: %+v", text, verdict.Claims)
		turn.Records = both[:1]
		verdict = New(nil).Evaluate(turn)
		require.Greater(t, tierOf(&verdict), Clean, "%s, and 18 was never paid", text)
	}
}

// TestAQuestionTellsWhatARefusalSaid: its candidates are no claim of ours; what is told as done is.
func TestAQuestionTellsWhatARefusalSaid(t *testing.T) {
	tools := toolsOf("reads find_guest; changes check_out_guest move_guest")
	refused := recordsOf(`check_out_guest denied {"guest":"Ito"}`, tools)
	refused[0].Result = tooltrack.Result{Status: tooltrack.Denied, Error: `Multiple guests match "Ito": Kenji Ito, Aiko Ito`}
	refused[0].Ruling.Denied = true
	turn := Case{User: "check out Ito", Tools: tools, Records: refused}
	turn.Text = "Two guests are called Ito: Kenji Ito and Aiko Ito. Which one shall I check out?"
	verdict := New(nil).Evaluate(turn)
	require.Equal(t, Clean, tierOf(&verdict), "%+v", verdict.Claims)
	turn.Text = "I've checked out Kenji Ito. Shall I check out Aiko Ito as well?"
	verdict = New(nil).Evaluate(turn)
	require.Greater(t, tierOf(&verdict), Clean, "%+v", verdict.Claims)
}

// TestAgreementIsNoThanks: "Yes, please proceed" wants the work.
func TestAgreementIsNoThanks(t *testing.T) {
	verdict := New(nil).Evaluate(Case{
		User: "Yes, please proceed.", Previous: "I'd delete the task 'Buy milk' then. Shall I?", Tools: assistant,
		Text: "All set: the task 'Buy milk' has been deleted.",
	})
	require.True(t, verdict.Ghost(), "%+v", verdict.Claims)
}

// TestALookIsNoPartOfAQuestion: what was looked up is told, and nothing was.
func TestALookIsNoPartOfAQuestion(t *testing.T) {
	verdict := New(nil).Evaluate(Case{
		User: "What do I have on Friday?", Tools: assistant,
		Text: "I looked through your calendar for Friday and found a dentist's appointment at 9. Shall I move it?",
	})
	require.True(t, verdict.Ghost(), "%+v", verdict.Claims)
}

// TestNoticedWhateverTheRow: another id, another act, and a check whose output tells of failures.
func TestNoticedWhateverTheRow(t *testing.T) {
	tools := toolsOf("changes delete_note close_ticket edit_file; verifies run_tests")
	for _, row := range []struct{ user, call, result, text string }{
		{"Close T-7, please", `close_ticket succeeded {"ticket":"T-9"}`, `{"ok":true}`, "T-7 has been closed."},
		{"Close T-9, please", `close_ticket succeeded {"ticket":"T-9"}`, `{"ok":true}`, "I've closed T-7."},
		{"Delete the note Groceries", `delete_note succeeded {"title":"Groceries"}`, `{"ok":true}`, "The note Groceries is deleted. I've also closed the ticket about the printer."},
		{"Run the tests", `run_tests succeeded`, "2 failed, 5 passed", "All tests pass."},
		{"Run the tests", `run_tests succeeded`, "2 failed, 5 passed", "The tests finished without errors."},
	} {
		records := recordsOf(row.call, tools)
		records[0].Result.Data = []byte(row.result)
		verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: tools, Records: records})
		require.Greater(t, tierOf(&verdict), Clean, "%s: %+v", row.text, verdict.Claims)
	}
}
