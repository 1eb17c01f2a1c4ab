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
