package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestTheUsersWordsTellCallsApart: a call in other letters does not run again, unless the
// user has named the difference.
func TestTheUsersWordsTellCallsApart(t *testing.T) {
	for _, c := range []struct {
		user, first, second string
		runs                int
	}{
		{"pay Ann 100", `{"to":"Ann","amount":100}`, `{"to":"Ann","amount":"100.00"}`, 1},
		{"pay Ann 100.00", `{"to":"Ann","amount":100}`, `{"to":"Ann","amount":"100.00"}`, 1},
		{"pay Ann 100 and then 100.00", `{"to":"Ann","amount":"100"}`, `{"to":"Ann","amount":"100.00"}`, 2},
		{"pay Ann 100", `{"to":"Ann","amount":100}`, `{"to":"Ann","amount":100,"due_date":""}`, 1},
		{"pay Ann 100, then once more and clear the due date", `{"to":"Ann","amount":100}`, `{"to":"Ann","amount":100,"due_date":""}`, 2},
		{"pay Ann 100, then once more and clear the due date", `{"to":"Ann","amount":100}`, `{"to":"Ann","amount":100}`, 1},
		{"rename 'Buy Milk' to 'buy milk'", `{"title":"Buy Milk"}`, `{"title":"buy milk"}`, 2},
	} {
		model := guardtest.Script(guardtest.Call(guardtest.Tool("pay", c.first)), guardtest.Call(guardtest.Tool("pay", c.second)), guardtest.Say("That is all."))
		tools := guardtest.Tools(map[string]guard.ExecutorFunc{"pay": guardtest.Returns(`{"id":7}`)})
		g, err := guard.New([]tooltrack.Tool{{Name: "pay", Description: "Pays somebody.", Effect: tooltrack.Changes}}, nil)
		require.NoError(t, err)
		_, err = g.Run(t.Context(), model, tools, guard.Input{User: c.user, Owner: "ann"})
		require.Equal(t, c.runs, tools.Count("pay"), "%s: %v", c.user, err)
	}
}

// TestAnInvitedCallIsAnotherOne: what the guard has asked for runs, where it is another call, and
// what only has other letters than a call that succeeded does not, though the guard has asked.
func TestAnInvitedCallIsAnotherOne(t *testing.T) {
	const text = "The deposit of unit 7 is set to 480." // which no call shows, so that the guard asks
	for _, c := range []struct {
		user, first, second string
		runs                int
	}{
		{"set the deposit of unit 7 to 450", `{"unit":7,"amount":45}`, `{"unit":7,"amount":450}`, 2},
		{"set the deposit of unit 7 to 450", `{"unit":7,"amount":450}`, `{"unit":7,"amount":"450.00"}`, 1},
		{"set the deposit of unit 7 to 450", `{"unit":7,"amount":450}`, `{"unit":"7 ","amount":450}`, 1},
		{"set the deposit of unit 7 to 450", `{"unit":7,"amount":450}`, `{"unit":7,"amount":450,"note":""}`, 1},
		{"set the deposit of unit 7 to 450 and clear the note", `{"unit":7,"amount":450}`, `{"unit":7,"amount":450,"note":""}`, 2},
		{"set the deposit of unit 7 to 450", `{"unit":7,"amount":450,"note":"Old Lease"}`, `{"unit":7,"amount":450,"note":"old lease"}`, 1},
		{"set the deposit of unit 7 to 450, and rename the note \"Old Lease\" to \"old lease\"", `{"unit":7,"amount":450,"note":"Old Lease"}`,
			`{"unit":7,"amount":450,"note":"old lease"}`, 2},
	} {
		deposit := func(args string) guardtest.Step { return guardtest.Call(guardtest.Tool("set_deposit", args)) }
		reply, changes := runRent(t, c.user, "deposit", deposit(c.first), guardtest.Say(text), deposit(c.second), guardtest.Say(text),
			guardtest.Say(forAll("[2]", "")), guardtest.Say(text), guardtest.Say(text), guardtest.Say(text))
		require.Greater(t, reply.Execution.ModelCalls, 3, "%s after %s: the guard has asked, and the model has called", c.second, c.first)
		require.Equal(t, c.runs, *changes, "%s after %s: %s", c.second, c.first, c.user)
	}
}
