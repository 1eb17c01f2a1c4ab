package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// A loop uses its model for more than turns: titles, summaries, suggestions. A
// request without tools goes through, and is asked for no call.
func TestAWrappedRequestWithoutTools(t *testing.T) {
	const user = "lock the front door"
	lock := guardtest.Tool("lock_door", `{"door":"front door"}`)
	title := guard.Request{Messages: []guard.Message{
		{Role: guard.RoleUser, Text: user}, {Role: guard.RoleAssistant, Text: "The front door is jammed."},
		{Role: guard.RoleUser, Text: "Give this chat a title of three words."},
	}}
	summary := afterCall(user, lock, `{"success":true}`)
	summary.Messages = append(summary.Messages, guard.Message{Role: guard.RoleAssistant, Text: "The front door is locked."},
		guard.Message{Role: guard.RoleUser, Text: "Summarise the conversation so far."})
	for _, c := range []struct {
		name    string
		request guard.Request
		text    string
		shown   bool
	}{
		{"a title", title, "Locked door trouble", true},
		{"a first message", said(user), "I can't do that without tools.", true},
		{"a summary", summary, "The user asked to lock the front door, and it was locked.", true},
		{"the last answer of a turn", afterCall(user, lock, `{"success":true}`), "The front door is locked.", true},
		{"that tells the failure", afterCall(user, lock, "Error: jammed"), "I couldn't lock the front door: it is jammed.", true},
		{"that tells a failure as done", afterCall(user, lock, "Error: jammed"), "The front door is locked.", false},
	} {
		for _, observe := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				g, err := guard.New(houseTools(), &guard.Options{Observe: observe})
				require.NoError(t, err)
				model := guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
					require.Empty(t, request.Tools, "tools that the loop did not offer")
					return guardtest.Say(c.text).Response, nil
				})
				c.request.Tools = nil
				response, err := g.Wrap(model).Generate(context.Background(), c.request)
				if c.shown || observe {
					require.NoError(t, err)
					require.Equal(t, c.text, response.Message.Text)
					return
				}
				require.ErrorIs(t, err, guard.ErrInsufficientProgress)
			})
		}
	}
}
