package guard_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// TestATurnThatDidNotBeginHasAReply: whoever shows the account of a failed turn need not
// know why it failed.
func TestATurnThatDidNotBeginHasAReply(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, nil)
	model := guardtest.Script(guardtest.Say("Hello!"))
	for name, run := range map[string]func() (*guard.Reply, error){
		"no executor": func() (*guard.Reply, error) { return g.Run(t.Context(), model, nil, ask("hello")) },
		"no model":    func() (*guard.Reply, error) { return g.Run(t.Context(), nil, w, ask("hello")) },
		"no message":  func() (*guard.Reply, error) { return g.Run(t.Context(), model, w, ask(" ")) },
		"a stream": func() (*guard.Reply, error) {
			for event, err := range g.Stream(t.Context(), model, nil, ask("hello")) {
				return event.Reply, err
			}
			return nil, nil
		},
	} {
		reply, err := run()
		require.Error(t, err, name)
		require.Contains(t, reply.Account, "Nothing was changed in this turn", name)
		require.Empty(t, reply.Text, name)
		require.Empty(t, reply.Summaries(), name)
		reply.Dispute(t.Context(), "there was nothing to refuse")
	}
	_, err := g.Wrap(model).Generate(t.Context(), guard.Request{Tools: taskTools()})
	require.ErrorIs(t, err, guard.ErrNoMessage)
}

// TestARefereeIsAModelThatIsAsked: its calls are counted, and are no attempts of the
// acting one.
func TestARefereeIsAModelThatIsAsked(t *testing.T) {
	w := newWorld()
	referee := guardtest.Script(guardtest.Say(kept))
	g := unsureWorld(t, w, func(o *guard.Options) { o.Referee = referee })
	model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say("Read book is gone."))
	reply, err := g.Run(t.Context(), model, w, ask("delete Read book"))
	require.NoError(t, err)
	require.Equal(t, 1, referee.Calls())
	require.Equal(t, model.Calls()+1, reply.Execution.ModelCalls)
	require.Equal(t, uint64(model.Calls()+1), g.Counters().ModelCalls)
}

// TestTheReportToolIsNotOfferedWhereTheChoiceIsForced: a model that must call one tool
// could call no other, and one that must call some tool could get around it.
func TestTheReportToolIsNotOfferedWhereTheChoiceIsForced(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Proof = guard.Always })
	report := guardtest.Tool("report", `{"message":"I have not deleted Read book.","items":[{"what":"delete Read book","status":"not_done","reason":"it is locked"}]}`)
	model := guardtest.Script(guardtest.Say(lie), guardtest.Say(lie), guardtest.Call(report), guardtest.Call(report))
	_, _ = g.Run(t.Context(), model, w, ask("delete Read book"))
	forced := 0
	for _, request := range model.Requests() {
		last := request.Tools[len(request.Tools)-1].Name
		if request.Choice.Mode == guard.ChooseAuto {
			require.Equal(t, "report", last)
			continue
		}
		forced++
		require.NotEqual(t, "report", last)
	}
	require.Positive(t, forced)
}

// TestLoggedClaimsHoldNoSecrets: a claim is logged only where the host wants it, and
// never with what nobody may read.
func TestLoggedClaimsHoldNoSecrets(t *testing.T) {
	var log bytes.Buffer
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) {
		o.LogClaims, o.Logger = true, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	const secret = "sk-live-4fj38dk29dk3j4h5g6f7d8s9"
	say := guardtest.Say("I've deleted Read book with the password=" + secret + ".")
	_, err := g.Run(t.Context(), guardtest.Script(say, say, say, say), w, ask("delete Read book"))
	require.Error(t, err)
	require.Contains(t, log.String(), "I've deleted Read book with the password=[redacted]")
	require.NotContains(t, log.String(), secret)
}
