package tooltrack_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWhereTextsEndToBeMessages: a text is a line or a message up to a length, and content
// beyond it.
func TestWhereTextsEndToBeMessages(t *testing.T) {
	pad := func(text string, length int) string { return text + strings.Repeat("x", length-len(text)) }
	for _, c := range []struct {
		text string
		want tooltrack.Status
	}{
		{pad("Could not write ", 200), tooltrack.Failed}, {pad("Could not write ", 201), tooltrack.Succeeded}, {"Could not write\nmuch", tooltrack.Succeeded},
		{pad("Permission denied: ", 400), tooltrack.Failed}, {pad("Permission denied: ", 401), tooltrack.Succeeded},
		{"a\nb\nc\nd\nExit code: 2", tooltrack.Failed}, {"Exit code: 2\nb\nc\nd\ne", tooltrack.Failed}, {"a\nExit code: 2\nc\nd\ne", tooltrack.Failed},
		{"a\nExit code: 2\nc\nd\ne\nf", tooltrack.Succeeded}, {"Exit code: 00", tooltrack.Succeeded}, {"[ERROR]", tooltrack.Failed}, {"[error", tooltrack.Succeeded},
		{"Error budget", tooltrack.Succeeded}, {"Error budgets.", tooltrack.Succeeded}, {"Error budget-wise", tooltrack.Failed}, {"404", tooltrack.Succeeded}, {"HTTP 404", tooltrack.Failed},
		{"550 5.1.1 x", tooltrack.Failed}, {"550 4.1.1 x", tooltrack.Failed}, {"550 6.1.1 x", tooltrack.Succeeded}, {"550 5.1", tooltrack.Succeeded},
		{"\x1b[31m✗ no", tooltrack.Failed}, {"\x1b[0000000000m✗ no", tooltrack.Failed}, {"\x1b[00000000000m✗ no", tooltrack.Succeeded},
	} {
		require.Equal(t, c.want, tooltrack.ParseResult(c.text, nil).Status, c.text)
	}
}

// TestWhatADoubtSays: the words are read by people, and by models.
func TestWhatADoubtSays(t *testing.T) {
	changes := named("delete_task", tooltrack.Changes)
	for body, want := range map[string]string{
		"Pending: later": "the text reads as if it were not done yet (waiting)", "Error: no": "the text reads like an error (leading word)",
		`{"errors":3}`: "it has an error count", `{"dry_run":true}`: "it has a dry run", "false": "it has the value false", "[]": "it has an empty list",
		`{"deleted":0}`: "it has deleted: 0", `{"failed":2}`: "it counts what was not done (failed)", `{"success":true,"data":{"error":"x"}}`: "it has an error in its data",
		`{"deleted":2,"failed":1}`: "only a part of it was done: it has a count of what was not done (failed)", `{"status":"partial"}`: "only a part of it was done: it has a partial status",
	} {
		run := tooltrack.ParseCall(changes, tooltrack.Call{Tool: "delete_task"}, body, nil)
		if strings.HasPrefix(body, "Pending") || strings.HasPrefix(body, "Error") { // where only the message is known, it is no success
			run = tooltrack.ResultOf([]byte(body), nil)
		}
		require.Equal(t, want, run.Doubtful, body)
	}
	for body, want := range map[string]string{
		`{"result":{"error":{"message":"boom"}}}`: "boom", `{"message":"out","data":{"error":"in"}}`: "in", `{"error":null,"data":{"success":false,"message":"no"}}`: "no",
		`{"results":[{"error":"first"},{"error":"second"}]}`: "first",
	} {
		require.Equal(t, want, tooltrack.ParseCall(changes, tooltrack.Call{Tool: "delete_task"}, body, nil).Error, body)
	}
}

// TestQuestionsAboutJobs: a call asks about a job if its tool asks, by its words, and is
// given what the launch returned.
func TestQuestionsAboutJobs(t *testing.T) {
	launch := ran("render_video", tooltrack.Changes, `{"name":"x"}`, `{"job_id":"j-7","status":"queued"}`)
	jobs := tooltrack.JobsOf([]*tooltrack.Record{launch})
	for _, c := range []struct {
		tool   string
		effect tooltrack.Effect
		args   string
		asks   bool
	}{
		{"get_job", tooltrack.UnknownEffect, `{"job_id":"j-7"}`, true}, {"poll_render", tooltrack.UnknownEffect, `{"job_id":"j-7"}`, true},
		{"get_job", tooltrack.UnknownEffect, `{"job_id":"j-8"}`, false}, {"get_job", tooltrack.Changes, `{"job_id":"j-7"}`, false},
		{"cancel_job", tooltrack.UnknownEffect, `{"job_id":"j-7"}`, false},
	} {
		tool := named(c.tool, c.effect)
		require.Equal(t, c.asks, jobs.Asks(*tool, tooltrack.Call{Tool: c.tool, Args: []byte(c.args)}), "%s %s", c.tool, c.args)
	}
	var none *tooltrack.Jobs
	require.False(t, none.Asks(*named("get_job", tooltrack.UnknownEffect), tooltrack.Call{}))
}
