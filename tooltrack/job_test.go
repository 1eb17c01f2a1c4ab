package tooltrack_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func ran(tool string, effect tooltrack.Effect, args, body string) *tooltrack.Record {
	return &tooltrack.Record{
		Call: tooltrack.Call{Tool: tool, Args: json.RawMessage(args)}, Effect: effect, Implied: named(tool, effect).Implied,
		Result: tooltrack.ResultOf([]byte(body), nil),
	}
}

func TestLaunchAndPollsAreOnePieceOfEvidence(t *testing.T) {
	const unknown, changes, reads = tooltrack.UnknownEffect, tooltrack.Changes, tooltrack.Reads
	launch := func() *tooltrack.Record {
		return ran("export_report", changes, `{"month":5}`, `{"job_id":"j1","status":"queued"}`)
	}
	poll := func(state string) *tooltrack.Record {
		return ran("job_status", unknown, `{"job_id":"j1"}`, `{"job_id":"j1","status":"`+state+`"}`)
	}
	stop := ran("cancel_job", unknown, `{"job_id":"j1"}`, `{"cancelled":true}`)
	unreachable := poll("x")
	unreachable.Result = tooltrack.FailedResult("no route to host")
	for _, c := range []struct {
		name                              string
		records                           []*tooltrack.Record
		changes, reads, failures, pending int
	}{
		{"launched", []*tooltrack.Record{launch()}, 0, 0, 0, 1},
		{"still running", []*tooltrack.Record{launch(), poll("running"), poll("running")}, 0, 0, 0, 1},
		{"done", []*tooltrack.Record{launch(), poll("running"), poll("completed")}, 1, 0, 0, 0},
		{"failed", []*tooltrack.Record{launch(), poll("failed")}, 0, 0, 1, 0},
		{"a question that failed", []*tooltrack.Record{launch(), unreachable}, 0, 0, 0, 1},
		{"a question that was refused", []*tooltrack.Record{launch(), ran("job_status", unknown, `{"job_id":"j1"}`, `{"error":"rate limit"}`)}, 0, 0, 0, 1},
		{"failed, in another word", []*tooltrack.Record{launch(), ran("job_status", unknown, `{"job_id":"j1"}`, `{"state":"error"}`)}, 0, 0, 1, 0},
		{"stopped: a deed of its own", []*tooltrack.Record{launch(), stop}, 1, 0, 0, 1},
		{"asked by a declared read", []*tooltrack.Record{launch(), ran("get_job", reads, `{"id":"j1"}`, `{"state":"done"}`)}, 1, 0, 0, 0},
		{"accepted at once", []*tooltrack.Record{ran("deploy", changes, `{}`, `{"run_id":7}`), ran("get_run", unknown, `{"run_id":7}`, `{"state":"done"}`)}, 1, 0, 0, 0},
		{"a task is no job", []*tooltrack.Record{ran("add_task", changes, `{}`, `{"task_id":7}`), ran("get_task", reads, `{"task_id":7}`, `{"title":"x"}`)}, 1, 1, 0, 0},
		{"another job", []*tooltrack.Record{launch(), ran("job_status", reads, `{"job_id":"j2"}`, `{"status":"completed"}`)}, 0, 1, 0, 1},
		{"a nil record, and a denied one", []*tooltrack.Record{nil, launch(), {Ruling: tooltrack.Ruling{Denied: true}}}, 0, 0, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			sum := tooltrack.EvidenceOf(c.records)
			require.Equal(t, fmt.Sprint(c.changes, c.reads, c.failures, c.pending), fmt.Sprint(sum.Changes, sum.Reads, sum.Failures, sum.Pending))
		})
	}
	records := []*tooltrack.Record{launch(), poll("completed")}
	jobs := tooltrack.JobsOf(records)
	require.Same(t, records[0], jobs.Launch(records[1]))
	require.Nil(t, jobs.Launch(records[0]))
	require.Equal(t, tooltrack.Succeeded, jobs.Status(records[0]))
	require.Nil(t, tooltrack.JobsOf(nil))
}
