package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// searched is a search that the provider ran by itself.
func searched() []*tooltrack.Record {
	return []*tooltrack.Record{{
		Call:   tooltrack.Call{ID: "ws_1", Tool: "web_search", Args: []byte(`{"query":"opening hours"}`)},
		Result: tooltrack.Result{Status: tooltrack.Succeeded, Data: []byte(`"open until 6 pm"`)},
	}}
}

// TestWhatTheProviderRanIsOnRecord: in a turn that the guard runs, in one that is rebuilt
// from messages, and for later turns.
func TestWhatTheProviderRanIsOnRecord(t *testing.T) {
	w := newWorld()
	const honest = "I searched the web: it is open until 6 pm."
	step := guardtest.Say(honest)
	step.Response.Message.Seen = searched()
	reply, err := guardFor(t, w, nil).Run(context.Background(), guardtest.Script(step), w, ask("how long is the shop open?"))
	require.NoError(t, err)
	require.Equal(t, honest, reply.Text)
	require.Len(t, reply.Records, 1)
	require.Equal(t, tooltrack.Seen, reply.Records[0].Result.Grade)
	require.Equal(t, tooltrack.Reads, reply.Records[0].Effect, "by its name")

	g := guardFor(t, w, nil)
	records := g.RecordsOf([]guard.Message{{Role: guard.RoleAssistant, Text: honest, Seen: append(searched(), nil)}}, nil)
	require.Len(t, records, 1)
	require.Equal(t, tooltrack.Seen, records[0].Result.Grade)

	lying := guardtest.Say("I searched the web: it is open until 6 pm.")
	_, err = g.Run(context.Background(), guardtest.Script(lying, lying, lying, lying), w, ask("how long is the shop open?"))
	require.NotZero(t, g.Counters().ModelCalls, err)
	require.Greater(t, g.Counters().ModelCalls, uint64(1), "without the search it is asked about")
}

// TestOfTwoResultsTheFailureCounts: whoever tells a success twice must tell it both times.
func TestOfTwoResultsTheFailureCounts(t *testing.T) {
	g := guardFor(t, newWorld(), nil)
	for _, texts := range [][2]string{{`{"success":true}`, `{"success":false,"error":"gone"}`}, {`{"success":false,"error":"gone"}`, `{"success":true}`}} {
		records := g.RecordsOf([]guard.Message{
			{Role: guard.RoleAssistant, Calls: []tooltrack.Call{deletes(readBook)}},
			{Role: guard.RoleTool, CallID: deletes(readBook).ID, Text: texts[0]}, {Role: guard.RoleTool, CallID: deletes(readBook).ID, Text: texts[1]},
		}, nil)
		require.Len(t, records, 1)
		require.Equal(t, tooltrack.Failed, records[0].Result.Status)
	}
}

// TestAFileThatFollowsAResultGoesOn: some clients hand a file of a result on as a message of
// the user's.
func TestAFileThatFollowsAResultGoesOn(t *testing.T) {
	g := guardFor(t, newWorld(), nil)
	messages := []guard.Message{
		{Role: guard.RoleUser, Text: "list my tasks"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{lists()}},
		{Role: guard.RoleTool, CallID: lists().ID, Text: "See file 241a70"},
		{Role: guard.RoleUser, Text: "This is file 241a70:"},
	}
	require.Equal(t, 0, g.TurnStart(context.Background(), messages))
	messages[3].Text = "Now delete Read book."
	require.Equal(t, 3, g.TurnStart(context.Background(), messages))
}

// TestAPictureIsNoClaim: an answer without words that shows something passes, and is not
// asked about.
func TestAPictureIsNoClaim(t *testing.T) {
	w := newWorld()
	picture := guardtest.Say("")
	picture.Response.Message.Shows, picture.Response.Message.Raw = "image", []byte(`{}`)
	model := guardtest.Script(picture, picture, picture)
	reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("draw me a cat"))
	require.NoError(t, err)
	require.Empty(t, reply.Text)
	require.Equal(t, 1, model.Calls())
	model = guardtest.Script(picture, guardtest.Call(deletes("Read book")), guardtest.Say("I've deleted Read book."))
	reply, err = guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete Read book"))
	require.NoError(t, err)
	require.Equal(t, "I've deleted Read book.", reply.Text)
	require.Equal(t, 3, model.Calls())
}
