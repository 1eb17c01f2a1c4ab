package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestASuccessInDoubtBacksNoClaim: an executor may return without an error what
// reads like one. Neither is the claim a lie then, nor does it pass unasked.
func TestASuccessInDoubtBacksNoClaim(t *testing.T) {
	const claim, owned = "I've deleted Read book.", "Read book could not be deleted: the list is locked."
	cases := map[string]struct {
		body  string
		asked bool
	}{
		"a sentence of a framework": {"An error occurred while running the tool. Please try again.", true},
		"a leading word":            {"Error: the list is locked", true},
		"a traceback":               {"Traceback (most recent call last):\n  File \"a.py\", line 1", true},
		"a status of call or task":  {`{"id":"7","title":"Read book","status":"failed"}`, true},
		"a plain success":           {`{"id":"7","title":"Read book"}`, false},
		"an error always sent":      {`{"id":"7","title":"Read book","error":""}`, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			confessed := guardtest.Say(`{"message":"` + owned + `","items":[{"what":"delete Read book","status":"failed","records":[1],"reason":"locked"}]}`)
			model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say(claim), confessed)
			reply, err := guardFor(t, newWorld(), nil).Run(context.Background(), model, guardtest.Returns(c.body), ask("delete Read book"))
			require.NoError(t, err)
			require.Len(t, reply.Summaries(), 1)
			require.Equal(t, !c.asked, reply.Summaries()[0].Success)
			if !c.asked {
				require.Equal(t, claim, reply.Text)
				require.Equal(t, 2, model.Calls())
				return
			}
			require.Equal(t, owned, reply.Text)
			question := model.Requests()[2].Messages
			require.Contains(t, question[len(question)-1].Text, "→ ok, in doubt")
		})
	}
}

// TestASuccessInDoubtIsToldAsSuch: no proof comes, and the account does not call
// done what nobody knows.
func TestASuccessInDoubtIsToldAsSuch(t *testing.T) {
	const claim = "I've deleted Read book."
	insists := guardtest.Say(`{"message":null,"items":[{"what":"Read book deleted","status":"done","records":[1]}]}`)
	model := guardtest.Script(guardtest.Call(deletes("Read book"), deletes("Call mom")), guardtest.Say(claim), insists, insists)
	executor := guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
		if string(call.Args) == `{"task_id":"`+callMom+`"}` {
			return []byte(`{"success":true}`), nil
		}
		return []byte("Error: the list is locked"), nil
	})
	reply, err := guardFor(t, newWorld(), nil).Run(context.Background(), model, executor, ask("delete Read book and Call mom"))
	require.NoError(t, err)
	require.NotContains(t, reply.Text, claim)
	require.Contains(t, reply.Text, "It is not known whether it worked to delete Read book: Error: the list is locked")
	require.Contains(t, reply.Text, "Deleted: Call mom")
	require.Equal(t, []string{claim}, reply.Unproven)
	require.True(t, reply.Records[0].Succeeded(), "the record itself is left as it was")
}

// TestALookUpMayFindAnError: what was read may hold any words.
func TestALookUpMayFindAnError(t *testing.T) {
	found := `{"tasks":[{"title":"Error: fix it"}],"name":"all","status":"failed"}`
	model := guardtest.Script(guardtest.Call(lists()), guardtest.Say("I looked at your list: it has one task."))
	reply, err := guardFor(t, newWorld(), nil).Run(context.Background(), model, guardtest.Returns(found), ask("list my tasks"))
	require.NoError(t, err)
	require.Equal(t, "I looked at your list: it has one task.", reply.Text)
	require.Equal(t, 2, model.Calls())
}

// TestDoubtFromMessages: what only messages tell is in doubt where it may have
// changed something, and not where it was looked up.
func TestDoubtFromMessages(t *testing.T) {
	g := guardFor(t, newWorld(), nil)
	for _, c := range []struct {
		call     tooltrack.Call
		doubtful bool
	}{{deletes(readBook), true}, {lists(), false}} {
		records := g.RecordsOf([]guard.Message{
			{Role: guard.RoleAssistant, Calls: []tooltrack.Call{c.call}},
			{Role: guard.RoleTool, CallID: c.call.ID, Text: `{"id":"7","title":"Read book","status":"failed"}`},
		}, nil)
		require.Len(t, records, 1)
		require.Equal(t, c.doubtful, records[0].Result.Doubtful != "", c.call.Tool)
	}
}
