package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestUndeclaredDeedsRunOnce: what sends or pays by its name runs once in a turn though
// nothing is declared, and what polls or tests runs again.
func TestUndeclaredDeedsRunOnce(t *testing.T) {
	for name, want := range map[string]int{
		"send_letter": 1, "pay_rent": 1, "order_cancel": 1, "poll_render": 3, "run_suite": 3,
	} {
		call := guardtest.Call(guardtest.Tool(name, `{"to":"Ann"}`))
		model := guardtest.Script(call, call, call, guardtest.Say("That is all."))
		tools := guardtest.Tools(map[string]guard.ExecutorFunc{name: guardtest.Returns(`{"id":7}`)})
		g, err := guard.New([]tooltrack.Tool{{Name: name, Description: "Works on what is given."}}, nil)
		require.NoError(t, err)
		_, err = g.Run(t.Context(), model, tools, guard.Input{User: "hello", Owner: "ann"})
		require.Equal(t, want, tools.Count(name), "%s: %v", name, err)
	}
}
