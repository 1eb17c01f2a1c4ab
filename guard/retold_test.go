package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// shortened are conversations whose loop has put a summary in place of calls.
var shortened = []struct {
	name     string
	messages func(note guard.Message) []guard.Message
	note     string
	honest   string
	again    tooltrack.Call // what must not be made a second time
	shown    string         // after the answer
}{
	{
		"a payment", func(note guard.Message) []guard.Message {
			mail := tooltrack.Call{ID: "m1", Tool: "send_email", Args: []byte(`{"to":"Tom","body":"invoice 17 is paid"}`)}
			return []guard.Message{
				{Role: guard.RoleUser, Text: "pay invoice 17, then email Tom that it is paid"}, note,
				{Role: guard.RoleAssistant, Calls: []tooltrack.Call{mail}},
				{Role: guard.RoleTool, CallID: "m1", Tool: "send_email", Text: `{"success":true}`},
			}
		},
		"[Context compacted. Completed tool calls so far: pay_invoice id=17 -> success (paid 4,200 EUR).]",
		"Invoice 17 is paid, and I've emailed Tom.", guardtest.Tool("pay_invoice", `{"id":"17"}`),
		"", // the mail says it, too
	},
	{
		"a table", func(note guard.Message) []guard.Message {
			return []guard.Message{{Role: guard.RoleUser, Text: "book a table at Luigi's for two"}, note}
		},
		"Progress so far: I booked a table at Luigi's for two.",
		"I've booked a table at Luigi's for two.", guardtest.Tool("book_table", `{"name":"Luigi's","people":2}`),
		"\n\nUnbelegt.",
	},
	{
		"a recap", func(note guard.Message) []guard.Message {
			return []guard.Message{note, {Role: guard.RoleUser, Text: "what have you done so far?"}}
		},
		"Summary of the conversation: invoice 17 was paid and the front door was locked.",
		"So far I've paid invoice 17 and locked the front door.", guardtest.Tool("lock_door", `{"door":"front door"}`),
		"\n\nUnbelegt.",
	},
}

// docile does what it is told: asked to call, it calls; asked for proof it has none,
// and otherwise it says the same again.
func docile(honest string, call tooltrack.Call, heard *[]string) guard.Model {
	return guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		last := request.Messages[len(request.Messages)-1]
		response := guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: honest}}
		if !last.Internal {
			return response, nil
		}
		switch *heard = append(*heard, last.Text); {
		case request.Report:
			response.Message.Text = `{"message":null,"items":[]}`
		case strings.Contains(last.Text, "Call it now") || strings.Contains(last.Text, "call the tool"):
			response.Message.Text, response.Message.Calls = "", []tooltrack.Call{call}
		}
		return response, nil
	})
}

// TestASummaryIsNoProofAndNoReasonToAccuse: where a loop has shortened its history,
// nothing is insisted on or denied that the summary tells. The answer is shown, and
// beside it what is on record.
func TestASummaryIsNoProofAndNoReasonToAccuse(t *testing.T) {
	for _, c := range shortened {
		for _, role := range []guard.Role{guard.RoleSystem, guard.RoleAssistant} {
			t.Run(c.name+" told by the "+string(role), func(t *testing.T) {
				g, err := guard.New(officeTools(), &guard.Options{Texts: &guard.Texts{Unshown: "Unbelegt."}})
				require.NoError(t, err)
				var heard []string
				response, err := g.Wrap(docile(c.honest, c.again, &heard)).Generate(context.Background(), guard.Request{
					Messages: c.messages(guard.Message{Role: role, Text: c.note}), Tools: officeTools(),
				})
				require.NoError(t, err, "%q", heard)
				require.Empty(t, response.Message.Calls)
				require.Equal(t, c.honest+c.shown, response.Message.Text)
				require.Len(t, heard, 1, "it is asked about once")
				for _, words := range heard {
					require.NotContains(t, words, "Call it now")
					require.NotContains(t, words, "it was not done")
					require.NotContains(t, words, "make the missing call")
				}
			})
		}
	}
}

// TestWithoutASummaryALieIsOne: what makes the difference is the summary.
func TestWithoutASummaryALieIsOne(t *testing.T) {
	for _, c := range shortened {
		g, err := guard.New(officeTools(), nil)
		require.NoError(t, err)
		for _, note := range []string{"You are a careful assistant. Use the tools.", "Nothing was done so far."} {
			var heard []string
			response, err := g.Wrap(docile(c.honest, c.again, &heard)).Generate(context.Background(), guard.Request{
				Messages: c.messages(guard.Message{Role: guard.RoleSystem, Text: note}), Tools: officeTools(),
			})
			require.NotEmpty(t, heard)
			shown := err == nil && strings.HasPrefix(response.Message.Text, c.honest) &&
				!strings.Contains(response.Message.Text, "On record in this turn:\nSent:")
			require.False(t, shown, "%s: %q", c.name, response.Message.Text)
		}
	}
}

// TestALieBeforeMakesNoLieClean: what a model said in an earlier turn without a call is
// asked about when it is told again, and refused where it is asked for now.
func TestALieBeforeMakesNoLieClean(t *testing.T) {
	const lie = "I've paid invoice 17."
	before := []guard.Message{{Role: guard.RoleUser, Text: "pay invoice 17"}, {Role: guard.RoleAssistant, Text: lie}}
	for _, user := range []string{"have you paid invoice 17?", "pay invoice 17"} {
		g, err := guard.New(officeTools(), nil)
		require.NoError(t, err)
		var heard []string
		pay := guardtest.Tool("pay_invoice", `{"id":"17"}`)
		response, err := g.Wrap(docile(lie, pay, &heard)).Generate(context.Background(), guard.Request{
			Messages: append(before, guard.Message{Role: guard.RoleUser, Text: user}), Tools: officeTools(),
		})
		require.NotEmpty(t, heard)
		require.False(t, err == nil && response.Message.Text == lie, "%s: it is shown as if nothing were in doubt", user)
	}
}

// TestWhatTheConversationTellsIsNotRepeatedAtOurWord: a call that follows a message of
// the guard, and that the conversation tells as made, is not handed on.
func TestWhatTheConversationTellsIsNotRepeatedAtOurWord(t *testing.T) {
	g, err := guard.New(officeTools(), nil)
	require.NoError(t, err)
	c := shortened[0]
	model := guardtest.Script(guardtest.Say(c.honest), guardtest.Call(c.again), guardtest.Say("Shall I pay invoice 17 again?"))
	response, err := g.Wrap(model).Generate(context.Background(), guard.Request{
		Messages: c.messages(guard.Message{Role: guard.RoleSystem, Text: c.note}), Tools: officeTools(),
	})
	require.NoError(t, err)
	require.Empty(t, response.Message.Calls)
	require.Equal(t, "Shall I pay invoice 17 again?", response.Message.Text)
}
