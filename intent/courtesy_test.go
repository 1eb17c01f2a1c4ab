package intent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Openings and closings as people write them; each stands before or after a request.
var (
	courtesyOpenings = []string{
		"Hi there, ", "Hello! ", "Hey Priya, ", "Good morning. ", "Hope you're well. ", "I hope you had a great weekend! ",
		"Sorry to bother you, ", "Excuse me, ", "Dear team,\n", "Hi, how are you? ", "Good evening, Dr Okafor. I hope this finds you well. ",
		"Apologies for the trouble. ",
	}
	courtesyClosings = []string{
		" Have a nice day!", " Thanks, Maria", " Cheers!", " Best regards, Tom", " Thank you so much for your help!", " Thanks in advance.",
		"\n\nKind regards,\nAnna Lund", " Much appreciated!", " Sorry for the trouble.", " Take care, Ravi", " Have a lovely weekend!",
		" I appreciate it. Bye!",
	}
)

// TestCourtesyAloneIsIdle: a message that is nothing but courtesy asks for nothing.
func TestCourtesyAloneIsIdle(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	for _, opening := range courtesyOpenings {
		for _, closing := range append([]string{""}, courtesyClosings...) {
			in := c.read(Utterance{User: opening + closing}).intent()
			require.Empty(t, in.Expect, opening+closing)
			require.Less(t, in.Due, DefaultDue, opening+closing)
		}
	}
}

// TestCourtesiesHoldNothingBack: a greeting is nothing that a request could take back.
func TestCourtesiesHoldNothingBack(t *testing.T) {
	for message, want := range map[string]Hold{
		"Hi there, drop that": NotHeld, "Hello Ines, undo this. Thanks!": NotHeld, "Have a nice day!": NotHeld,
		"Hi there, add jam. Drop that": Withdrawn, "Good morning, don't send it. Thanks, Ines": Forbidden,
	} {
		require.Equal(t, want, HoldOf(message), message)
	}
}

// TestProposals: what is proposed is due, and its tool is named; nobody is sure of a
// change, as the words may ask for a reason.
func TestProposals(t *testing.T) {
	c := classifierFor(t, []tooltrack.Tool{
		{Name: "loan_renew", Description: "Renews the loan of a book."}, {Name: "loan_list", Description: "Lists the books that a reader has on loan."},
		{Name: "fine_waive", Description: "Waives a fine."}, {Name: "reader_notify", Description: "Sends a reader a message."},
	}, nil)
	for message, want := range map[string]string{
		"why don't you renew the loan of Emma?":         "loan_renew",
		"Why dont you just waive the fine of reader 41": "fine_waive",
		"why not renew the loan of Dune until May":      "loan_renew",
		"Hello! Why don't we renew her loan? Thanks":    "loan_renew",
		"why don't you list the books I have on loan":   "loan_list",
		"Why don’t you simply send reader 7 a message":  "reader_notify",
	} {
		in := c.read(Utterance{User: message}).intent()
		require.Len(t, in.Expect, 1, message)
		require.Equal(t, want, in.Expect[0].Tool, message)
		require.GreaterOrEqual(t, in.Due, DefaultDue, message)
		require.True(t, want == "loan_list" || in.Expect[0].Confidence < DefaultSureChange, "%s: %+v", message, in) // a list does no harm
	}
	for _, message := range []string{
		"why didn't you renew the loan of Emma?", "why don't they waive the fine?", "why don't you waive fines?", "why do you waive the fine?",
	} {
		for _, e := range c.read(Utterance{User: message}).intent().Expect {
			require.True(t, e.Confidence < DefaultSureRead || e.Hold != NotHeld, "%s: %+v", message, e)
		}
	}
}
