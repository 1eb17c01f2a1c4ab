package completion

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// A greeting or thanks states nothing: nobody is asked to prove it.
func TestACourtesyIsNoClaim(t *testing.T) {
	evaluator := New(nil)
	tools := []tooltrack.Tool{{Name: "delete_task", Effect: tooltrack.Changes}, {Name: "list_tasks", Effect: tooltrack.Reads}}
	for _, row := range [][2]string{
		{"Good night", "Good night!"}, {"thanks", "You're welcome!"}, {"Thank you, bye", "Bye, take care!"},
		{"wish me luck for the exam", "Good luck with the exam!"}, {"back from Rome", "Welcome back!"},
	} {
		verdict := evaluator.Evaluate(Case{User: row[0], Text: row[1], Tools: tools,
			Earlier: recordsOf(`delete_task succeeded {"id":"t1"} => {"success":true}`, tools)})
		require.Empty(t, verdict.Claims, row[1])
	}
}

// What a look-up did may be told in any word: that is for a proof to say.
func TestAnotherWordForALookUpIsNotAccused(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "find_member_by_mail", Effect: tooltrack.Reads}, {Name: "cancel_open_loan", Effect: tooltrack.Changes},
		{Name: "get_loan_details", Effect: tooltrack.Reads},
	}
	verdict := New(nil).Evaluate(Case{
		User: "Sure, my mail is ada@mail.example.", Tools: tools,
		Records: recordsOf(`find_member_by_mail succeeded {"mail":"ada@mail.example"} => ada_kim_7213`, tools),
		Text:    "Thank you for giving your mail. I have successfully authenticated your identity. How can I assist you with your loan today?",
	})
	require.False(t, verdict.Ghost(), "%+v", verdict.Claims)
	require.NotEmpty(t, verdict.Unsure())
}
