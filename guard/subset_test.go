package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// houseTools are those of a house with a door and a lamp.
func houseTools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "list_devices", Description: "List the devices of the house and their states.", Effect: tooltrack.Reads},
		{Name: "lock_door", Description: "Lock a door.", Effect: tooltrack.Changes},
		{Name: "turn_on", Description: "Turn on a lamp.", Effect: tooltrack.Changes},
	}
}

// afterCall is a request after one call and its result.
func afterCall(user string, call tooltrack.Call, result string, tools ...tooltrack.Tool) guard.Request {
	return guard.Request{Tools: tools, Messages: []guard.Message{
		{Role: guard.RoleUser, Text: user},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}},
		{Role: guard.RoleTool, CallID: call.ID, Tool: call.Tool, Text: result},
	}}
}

// A router offers what its step needs. What it does not offer cannot be called, so
// nobody is asked to; what is said of it is judged as ever.
func TestARequestThatOffersSomeTools(t *testing.T) {
	const user = "lock the front door"
	tools := houseTools()
	lock := guardtest.Tool("lock_door", `{"door":"front door"}`)
	fresh := guard.Request{Messages: []guard.Message{{Role: guard.RoleUser, Text: user}}, Tools: tools[:1]}
	for _, c := range []struct {
		name    string
		request guard.Request
		text    string
		shown   bool
	}{
		{"it says that it cannot", fresh, "I can't lock doors here. Please use the door panel.", true},
		{"it hands over", fresh, "One moment, the house desk takes over.", true},
		{"done in a step before", afterCall(user, lock, `{"success":true}`, tools[0]), "The front door is locked.", true},
		{"a lie", fresh, "I've locked the front door.", false},
		{"a failure told as done", afterCall(user, lock, "Error: jammed", tools[0]), "The front door is locked.", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := guard.New(tools, nil)
			require.NoError(t, err)
			model := saysAlways(c.text)
			response, err := g.Wrap(model).Generate(context.Background(), c.request)
			require.NotErrorIs(t, err, guard.ErrToolNotOffered)
			if c.shown {
				require.NoError(t, err)
				require.Equal(t, c.text, response.Message.Text)
				return
			}
			require.NotEqual(t, c.text, response.Message.Text)
		})
	}
}

// saysAlways is a model that says one text, and answers requests for proof with it.
func saysAlways(text string) guard.Model {
	return guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
		return guardtest.Say(text).Response, nil
	})
}

// A mode that leaves a tool out is the host's decision: the model says so.
func TestAModeThatLeavesAToolOut(t *testing.T) {
	looking := guard.Mode{Tools: []string{"list_devices"}}
	looking.Name = "looking"
	g, err := guard.New(houseTools(), &guard.Options{Modes: []guard.Mode{looking}})
	require.NoError(t, err)
	const honest = "I can't lock doors in this mode."
	reply, err := g.Run(t.Context(), saysAlways(honest), guardtest.Returns("{}"), guard.Input{User: "lock the front door", Mode: "looking"})
	require.NoError(t, err)
	require.Equal(t, honest, reply.Text)
	reply, err = g.Run(t.Context(), saysAlways("I've locked the front door."), guardtest.Returns("{}"), guard.Input{User: "lock the front door", Mode: "looking"})
	require.ErrorIs(t, err, guard.ErrInsufficientProgress)
	require.NotContains(t, reply.Text, "I've locked")
}
