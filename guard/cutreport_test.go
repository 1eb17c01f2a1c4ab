package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// TestACutReportProvesNothing: what is missing at its end may be what it owns up to, so
// it is not read, however whole it looks. The same report shows the draft once it comes
// whole.
func TestACutReportProvesNothing(t *testing.T) {
	for _, stop := range []guard.Stop{guard.StopCut, guard.StopFiltered, guard.StopRefused, guard.StopPaused} {
		for name, c := range map[string]struct {
			second guardtest.Step
			shown  bool
		}{
			"cut again":     {guardtest.Stopped(stop, kept), false},
			"whole at last": {guardtest.Say(kept), true},
		} {
			t.Run(stop.String()+", "+name, func(t *testing.T) {
				w := newWorld()
				model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say("Read book is gone. Have a nice day."),
					guardtest.Stopped(stop, kept), c.second)
				reply, err := unsureWorld(t, w, nil).Run(context.Background(), model, w, ask("get rid of Read book"))
				require.NoError(t, err)
				require.Equal(t, 4, model.Calls(), "it is asked for once more")
				require.Contains(t, reply.Text, "Have a nice day.")
				if c.shown {
					require.Contains(t, reply.Text, "Read book is gone.")
					require.True(t, reply.Proof.Kept)
					return
				}
				require.Nil(t, reply.Proof, "what a record settles is presumed, and not proven")
				require.True(t, reply.ProofMissing)
			})
		}
	}
}

// TestACutReportToolEndsNothing: its message is not shown as that of a turn that ended.
func TestACutReportToolEndsNothing(t *testing.T) {
	report := guardtest.Tool("report", `{"message":"I've deleted Read book.","items":[{"what":"delete Read book","status":"done","calls":[{"tool":"delete_task"}]}]}`)
	for _, stop := range []guard.Stop{guard.StopCut, guard.StopFiltered} {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) { o.Proof = guard.Always })
		model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Stopped(stop, "", report))
		reply, err := g.Run(context.Background(), model, w, ask("delete Read book"))
		require.Error(t, err, stop)
		require.Nil(t, reply.Proof, stop)
		require.NotEqual(t, "I've deleted Read book.", reply.Text, stop)
	}
}
