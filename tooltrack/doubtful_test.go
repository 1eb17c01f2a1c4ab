package tooltrack_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestDoubtGoesByTheEffect: the status of what was looked up is no news about
// the look-up; of a change it may be. A text that reads like an error leaves
// either in doubt.
func TestDoubtGoesByTheEffect(t *testing.T) {
	const build, text = `{"id":7,"name":"nightly","status":"failed"}`, "Error: no such build"
	for _, c := range []struct {
		name   string
		effect tooltrack.Effect
		body   string
		proves bool
	}{
		{"a failed build, looked up", tooltrack.Reads, build, true},
		{"a failed build, verified", tooltrack.Verifies, build, false},
		{"a build that was started", tooltrack.Changes, build, false},
		{"a build, effect not declared", tooltrack.UnknownEffect, build, false},
		{"an error as text, looked up", tooltrack.Reads, text, false},
		{"an error as text, changed", tooltrack.Changes, text, false},
		{"a plain answer", tooltrack.Changes, `{"id":7}`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(c.body), nil }
			record := &tooltrack.Record{Result: tooltrack.Execute(context.Background(), &tooltrack.Tool{Effect: c.effect}, tooltrack.Call{}, run, nil)}
			require.True(t, record.Succeeded())
			require.Equal(t, c.proves, record.Proves(), record.Result.Doubtful)
			require.Equal(t, c.proves, record.Result.Doubtful == "")
		})
	}
	denied := &tooltrack.Record{Ruling: tooltrack.Ruling{Denied: true}, Result: tooltrack.Result{Status: tooltrack.Succeeded}}
	require.False(t, denied.Proves(), "what was denied proves nothing, whatever somebody says of it")
}

// TestAPollInDoubtTellsNothing: a launch keeps its fate until a poll says
// plainly what became of it.
func TestAPollInDoubtTellsNothing(t *testing.T) {
	launch := record(tooltrack.Changes, tooltrack.Pending, `{}`)
	launch.Result.Data = []byte(`{"job_id":"j1","status":"pending"}`)
	poll := record(tooltrack.Reads, tooltrack.Succeeded, `{"job_id":"j1"}`)
	poll.Result.Data = []byte(`{"job_id":"j1","status":"done"}`)
	records := []*tooltrack.Record{launch, poll}
	require.Equal(t, tooltrack.Succeeded, tooltrack.JobsOf(records).Status(launch))
	poll.Result.Doubtful = "the text reads like an error"
	require.Equal(t, tooltrack.Pending, tooltrack.JobsOf(records).Status(launch))
	require.Equal(t, tooltrack.Unknown, tooltrack.JobsOf(records).Status(poll))
}

// TestAMemberMayDenyTheCall: a result that says in a member of its own that the thing was
// not done, or was turned down, proves nothing; one whose tool is there for that does.
func TestAMemberMayDenyTheCall(t *testing.T) {
	for _, c := range []struct {
		tool, body string
		effect     tooltrack.Effect
		proves     bool
	}{
		{"notify_guest", `{"guest":"G-4","sent":false}`, tooltrack.Changes, false},
		{"email_customer", `{"to":"ann@x.example","sent":false}`, tooltrack.UnknownEffect, false},
		{"notify_guest", `{"sent":true,"delivered":false}`, tooltrack.Changes, true},
		{"charge_card", `{"invoice":"I-9","paid":false}`, tooltrack.Changes, false},
		{"charge_card", `{"invoice":"I-9","declined":true}`, tooltrack.Changes, false},
		{"book_berth", `{"berth":7,"rejected":true,"note":"too long"}`, tooltrack.Changes, false},
		{"notify_guest", `{"guest":"G-4","sent":true}`, tooltrack.Changes, true},
		{"notify_guest", `{"guest":"G-4","opened":false}`, tooltrack.Changes, true},
		{"reject_request", `{"request":4,"rejected":true}`, tooltrack.Changes, true},
		{"decline_invitation", `{"declined":true}`, tooltrack.Changes, true},
		{"create_order", `{"order":"O-1","paid":false,"shipped":false}`, tooltrack.Changes, true},
		{"get_invoice", `{"invoice":"I-9","paid":false,"declined":true}`, tooltrack.Reads, true},
		{"get_invoice", `{"invoice":"I-9","sent":false}`, tooltrack.UnknownEffect, true},
	} {
		call := tooltrack.Call{Tool: c.tool}
		result := tooltrack.ParseCall(named(c.tool, c.effect), call, c.body, nil)
		record := &tooltrack.Record{Call: call, Result: result}
		require.Equal(t, c.proves, record.Proves(), "%s %s: %s %s", c.tool, c.body, result.Status, result.Doubtful)
	}
}
