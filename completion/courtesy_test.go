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

// To go ahead and do something is to do it: one act, which the call has made.
func TestGoingAheadIsNoActOfItsOwn(t *testing.T) {
	evaluator := New(nil)
	for _, row := range [][4]string{
		{"delete Read book", `delete_task succeeded {"title":"Read book"} => {"success":true}`, "I went ahead and deleted Read book.", "I went ahead and emailed Tom."},
		{"book a table for two", `book_table succeeded {"seats":2} => {"id":"R-7"}`, "I went ahead and booked a table for two.", "I went ahead and emailed Tom."},
		{"open an incident for search", `create_incident succeeded {"service":"search"} => {"id":"INC-7"}`, "I went in and created an incident for search.", "I went ahead and emailed Tom."},
		{"refund order 9", `refund_order succeeded {"id":9} => ok`, "I went ahead and quickly refunded order 9.", "I went ahead and emailed Tom."},
	} {
		tools := []tooltrack.Tool{{Name: "list_things", Effect: tooltrack.Reads}}
		for _, name := range []string{"delete_task", "book_table", "create_incident", "refund_order"} {
			tools = append(tools, tooltrack.Tool{Name: name, Effect: tooltrack.Changes})
		}
		records := recordsOf(row[1], tools)
		honest := evaluator.Evaluate(Case{User: row[0], Text: row[2], Tools: tools, Records: records})
		require.Empty(t, honest.Unsure(), row[2])
		require.False(t, honest.Ghost(), row[2])
		lie := evaluator.Evaluate(Case{User: row[0], Text: row[3], Tools: tools, Records: records})
		require.True(t, lie.Ghost() || len(lie.Unsure()) > 0, row[3])
	}
}
