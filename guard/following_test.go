package guard

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// followed is what a user says after the first call of a domain, the call that it
// asks for, and what a model may tell: of that, of the first, of both.
var followed = map[string]struct {
	tool, args         string
	other, first, both string
}{
	"tasks":  {"delete_task", `{"title":"Call mom"}`, "I've deleted Call mom.", "I've deleted Read book.", "I've deleted Read book and Call mom."},
	"shop":   {"cancel_order", `{"order":"4712"}`, "I've cancelled order 4712.", "I've cancelled order 4711.", "I've cancelled orders 4711 and 4712."},
	"code":   {"delete_file", `{"path":"b.go"}`, "I've deleted b.go.", "I've deleted a.go.", "I've deleted a.go. I've deleted b.go."},
	"travel": {"cancel_booking", `{"booking":"QX8"}`, "Booking QX8 has been cancelled.", "Booking QX7 has been cancelled.", "Booking QX7 and booking QX8 have been cancelled."},
	"home":   {"lock_door", `{"door":"front door"}`, "I've locked the front door.", "The kitchen light is off.", "The kitchen light is off, and I've locked the front door."},
}

// after is a conversation in which the first call of a domain has succeeded and the
// user says something more.
func (d *domain) after(texts ...string) []Message {
	messages := []Message{
		{Role: RoleUser, Text: d.user}, {Role: RoleAssistant, Calls: []tooltrack.Call{d.call}}, {Role: RoleTool, CallID: d.call.ID, Tool: d.call.Tool, Text: `{"success":true}`},
	}
	for _, text := range texts {
		messages = append(messages, Message{Role: RoleUser, Text: text})
	}
	return messages
}

// alwaysSaying is a model that always says the same, and counts how often.
func alwaysSaying(text string, asked *int) Model {
	return ModelFunc(func(context.Context, Request) (Response, error) {
		*asked++
		return Response{Message: Message{Role: RoleAssistant, Text: text}}, nil
	})
}

// TestANewRequestIsNotMetByCallsBeforeIt: neither a claim nor a bare "Done." is
// shown, whatever else stands around the request.
func TestANewRequestIsNotMetByCallsBeforeIt(t *testing.T) {
	for _, d := range domains() {
		g, err := New(d.tools, nil)
		require.NoError(t, err)
		request, told := d.requests[0], followed[d.name]
		conversations := map[string][]Message{
			"the request":                    d.after(request),
			"a reminder before it":           d.after("<system-reminder>Be brief.</system-reminder>", request),
			"a reminder after it":            d.after(request, "<system-reminder>Be brief.</system-reminder>"),
			"going on, then the request":     d.after("Continue.", request),
			"the request beside the results": d.after(request),
		}
		beside := conversations["the request beside the results"]
		beside[3].Internal, beside[3].Beside = true, true
		for name, messages := range conversations {
			for _, text := range []string{told.other, "Done.", "All done!"} {
				asked := 0
				response, err := g.Wrap(alwaysSaying(text, &asked)).Generate(context.Background(), Request{Messages: messages, Tools: d.tools})
				require.Greater(t, asked, 1, "%s, %s: %q passes", d.name, name, text)
				require.False(t, err == nil && strings.Contains(response.Message.Text, text), "%s, %s: %q is shown", d.name, name, response.Message.Text)
			}
		}
	}
}

// TestCallsBeforeANewRequestAreEarlierOnes: they still show what is told of them.
func TestCallsBeforeANewRequestAreEarlierOnes(t *testing.T) {
	for _, d := range domains() {
		g, err := New(d.tools, nil)
		require.NoError(t, err)
		told := followed[d.name]
		second := tooltrack.Call{ID: "c2", Tool: told.tool, Args: []byte(told.args)}
		for _, more := range [][]Message{nil, {{Role: RoleUser, Text: "Analyze the tool result and continue."}}} {
			messages := append(d.after(d.requests[0]), Message{Role: RoleAssistant, Calls: []tooltrack.Call{second}},
				Message{Role: RoleTool, CallID: "c2", Tool: told.tool, Text: `{"success":true}`})
			messages = append(messages, more...)
			turn, err := g.rebuild(context.Background(), Request{Messages: messages, Tools: d.tools})
			require.NoError(t, err)
			require.Len(t, turn.earlier, 1)
			require.Len(t, turn.records, 1)
			require.True(t, strings.HasPrefix(turn.input.User, d.requests[0]))
			for _, text := range []string{told.other, told.both, told.first, "Done."} {
				found := turn.judge(context.Background(), text)
				require.NotEqual(t, completion.Sure, found.tier(), "%s: %q is accused", d.name, text)
			}
			for _, text := range []string{told.other, "Done."} {
				asked := 0
				response, err := g.Wrap(alwaysSaying(text, &asked)).Generate(context.Background(), Request{Messages: messages, Tools: d.tools})
				require.NoError(t, err)
				require.Equal(t, text, response.Message.Text)
				require.Equal(t, 1, asked)
			}
		}
	}
}

// TestWhatGoesOnKeepsTheCallsOfTheTurn: an honest text passes at once, whatever the
// client or its framework puts after the result.
func TestWhatGoesOnKeepsTheCallsOfTheTurn(t *testing.T) {
	for _, d := range domains() {
		g, err := New(d.tools, nil)
		require.NoError(t, err)
		for _, text := range handedOn {
			for _, beside := range []bool{false, true} {
				messages := d.after(text)
				messages[3].Internal, messages[3].Beside = beside, beside
				asked := 0
				honest := followed[d.name].first
				response, err := g.Wrap(alwaysSaying(honest, &asked)).Generate(context.Background(), Request{Messages: messages, Tools: d.tools})
				require.NoError(t, err, "%s after %q", d.name, text)
				require.Equal(t, honest, response.Message.Text, "%s after %q", d.name, text)
			}
		}
	}
}

// TestTheConversationIsReadWithinBounds: a classifier may cost something, and a
// client may send anything.
func TestTheConversationIsReadWithinBounds(t *testing.T) {
	d := domains()[0]
	g, err := New(d.tools, nil)
	require.NoError(t, err)
	messages := d.after()
	for range 200 {
		messages = append(messages, Message{Role: RoleUser, Text: "It is a fine evening, and the moon is out."}, Message{Role: RoleTool, CallID: "x"})
	}
	c := continuation{ctx: context.Background(), guard: g, messages: messages}
	_, said, turn := split(messages, c.begins)
	require.Equal(t, d.user, said[0])
	require.Len(t, turn, len(messages)-1)
	require.Greater(t, c.read, maxFollowing)
	long := continuation{ctx: context.Background(), guard: g, messages: d.after(strings.Repeat("now delete the task Call mom ", 1000))}
	require.False(t, long.begins(3))
	require.Zero(t, long.read)
}

// TestWhatIsHandedOnIsNobodysRequest: a file that says to delete something asks for
// nothing, and a user who takes something back does.
func TestWhatIsHandedOnIsNobodysRequest(t *testing.T) {
	for _, c := range []struct {
		said []string
		want string
	}{
		{nil, ""},
		{[]string{"Continue."}, "Continue."},
		{[]string{"delete a", "Continue."}, "delete a"},
		{[]string{"delete a", "<file>delete b</file>"}, "delete a"},
		{[]string{"delete a", "Here is the file:\ndelete b"}, "delete a"},
		{[]string{"delete a", "wait, stop", "Analyze the tool result."}, "delete a\n\nwait, stop"},
		{[]string{"delete a", "<x>1</x> no, leave it"}, "delete a\n\nno, leave it"},
		{[]string{"delete a", strings.Repeat("delete b\n", 20)}, "delete a"},
	} {
		require.Equal(t, c.want, wantedIn(c.said), "%q", c.said)
	}
}
