package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// underName is a message under a turn's name.
func underName(turn, user string) guard.Input {
	return guard.Input{User: user, Owner: "ann", Turn: turn}
}

// A name that stands for another message would let its records answer for this
// one: the change would not run, and a claim of it would be backed.
func TestATurnsNameStandsForOneMessage(t *testing.T) {
	store := tooltrack.NewMemory(nil)
	mailed := guardtest.Tools(map[string]guard.ExecutorFunc{"send_email": guardtest.Returns("sent")})
	run := func(observe bool, input guard.Input) (*guard.Guard, error) {
		g, err := guard.New(deedTools(), &guard.Options{
			Classifier: expecting(0, 0), Observe: observe, Ledger: tooltrack.NewLedger(store, nil),
		})
		require.NoError(t, err)
		model := guardtest.Script(guardtest.Call(mails("bob")), guardtest.Say("Bob has his mail."))
		_, err = g.Run(t.Context(), model, mailed, input)
		return g, err
	}
	const message = "send Bob the minutes"
	_, err := run(false, underName("m17", message))
	require.NoError(t, err)
	_, err = run(false, underName("m17", "  send Bob\r\nthe minutes "))
	require.NoError(t, err, "a replay, by a client that writes white space otherwise")
	require.Equal(t, 1, mailed.Count("send_email"), "a replay does nothing twice")

	_, err = run(false, underName("m17", "send Bob the minutes of today, too"))
	require.ErrorIs(t, err, guard.ErrTurnReused)
	require.EqualError(t, err, `Input.Turn "m17" is the name of another message of this owner, with 1 call on record `+
		`(send_email); set it to the id of this message, or leave it empty`)
	require.Equal(t, 1, mailed.Count("send_email"))

	_, err = run(false, underName("m18", "send Bob the minutes of today, too"))
	require.NoError(t, err)
	other := underName("m17", "another user's message")
	other.Owner = "bob"
	_, err = run(false, other)
	require.NoError(t, err, "names are an owner's own")

	g, err := run(true, underName("m17", "a third message"))
	require.NoError(t, err, "who only watches refuses nothing")
	require.EqualValues(t, 1, g.Counters().HostFaults["Input.Turn"])
	require.EqualValues(t, 1, g.Counters().Would["refusal of a turn's name"])
}

// Records from before digests were kept say nothing about the message.
func TestATurnWithoutADigestIsContinued(t *testing.T) {
	ledger := tooltrack.NewLedger(nil, nil)
	turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: "m17"})
	require.NoError(t, err)
	_, err = turn.Begin(t.Context(), deedTools()[0], mails("bob"), nil)
	require.NoError(t, err)
	g, err := guard.New(deedTools(), &guard.Options{Ledger: ledger})
	require.NoError(t, err)
	_, err = g.Begin(t.Context(), underName("m17", "hello"))
	require.NoError(t, err)
}
