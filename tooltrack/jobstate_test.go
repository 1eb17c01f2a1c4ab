package tooltrack_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// settled is what became of a launch, as the guard is told it, and whether it proves work.
func settled(records ...*tooltrack.Record) (tooltrack.Status, bool) {
	_, now := tooltrack.Settled(nil, records)
	return now[0].Result.Status, now[0].Proves()
}

// TestStatesOfJobs: what a poll says is an end only where it says so.
func TestStatesOfJobs(t *testing.T) {
	const done, failed, open = tooltrack.Succeeded, tooltrack.Failed, tooltrack.Pending
	for _, c := range []struct {
		launch, poll string
		fate         tooltrack.Status
		proves       bool
	}{
		{"render_video", `{"state":"done"}`, done, true},
		{"render_video", `{"state":"rendered"}`, done, true},
		{"render_video", `{"status":"JOB_STATE_SUCCEEDED"}`, done, true},
		{"render_video", `{"done":true}`, done, true},
		{"render_video", `{"data":{"state":"finished"},"status":"success"}`, done, true},
		{"render_video", `{"download_url":"https://cdn.example/v.mp4"}`, done, true},
		{"cancel_subscription", `{"status":"cancelled"}`, done, true},
		{"start_server", `{"status":"running"}`, open, false}, // the job runs
		{"render_video", `{"status":"cancelled"}`, failed, false},
		{"render_video", `{"status":"completed","conclusion":"failure"}`, failed, false},
		{"render_video", `{"status":"finished","exit_code":2}`, failed, false},
		{"render_video", `{"done":true,"error":{"message":"quota"}}`, failed, false},
		{"render_video", `{"state":"timed_out"}`, failed, false},
		{"render_video", `{"done":false}`, open, false},
		{"render_video", `{"state":"transcoding"}`, open, false},
		{"render_video", `{"state":"scheduled"}`, open, false},
		{"render_video", `{"state":"awaiting_approval"}`, open, false},
		{"render_video", `{"status":"success","data":{"state":"running"}}`, open, false},
		{"render_video", `{"status":"success","data":{"progress":40}}`, open, false},
		{"render_video", `{"progress":40}`, open, false},
		{"render_video", `{"error":"rate limit"}`, open, false}, // of the question
		{"render_video", `{"status":"done","customer":{"status":"suspended"}}`, done, true},
		// An end, perhaps: nobody is sure.
		{"render_video", `{"status":"completed_with_errors"}`, done, false},
		{"render_video", `{"state":"archived"}`, done, false},
	} {
		launch := ran(c.launch, tooltrack.Changes, `{"name":"x"}`, `{"job_id":"j1","status":"queued"}`)
		poll := ran("get_job", tooltrack.Reads, `{"job_id":"j1"}`, c.poll)
		status, proves := settled(launch, poll)
		require.Equal(t, c.fate, status, "%s %s", c.launch, c.poll)
		require.Equal(t, c.proves, proves, "%s %s", c.launch, c.poll)
	}
}

// TestWhoseStateItIs: a state tells of a job only if it is asked for by what the launch
// returned, or by the name of what it does.
func TestWhoseStateItIs(t *testing.T) {
	const reads, changes = tooltrack.Reads, tooltrack.Changes
	for _, c := range []struct {
		name         string
		launch, poll *tooltrack.Record
		done         bool
	}{
		{"the number of a pipeline", ran("trigger_pipeline", changes, `{"branch":"main"}`, `{"pipeline":4711,"status":"running"}`),
			ran("pipeline_status", reads, `{"pipeline":4711}`, `{"status":"success"}`), true},
		{"another pipeline", ran("trigger_pipeline", changes, `{"branch":"main"}`, `{"pipeline":4711,"status":"running"}`),
			ran("pipeline_status", reads, `{"pipeline":4712}`, `{"status":"success"}`), false},
		{"the same number of something else", ran("trigger_pipeline", changes, `{"branch":"main"}`, `{"pipeline":4711,"status":"running"}`),
			ran("get_ticket", reads, `{"ticket":4711}`, `{"status":"done"}`), false},
		{"a row of a list", ran("print_file", changes, `{"file":"a"}`, `{"job":"p3","state":"queued"}`),
			ran("list_jobs", reads, `{}`, `[{"job":"p2","state":"failed"},{"job":"p3","state":"completed"}]`), true},
		{"another row", ran("print_file", changes, `{"file":"a"}`, `{"job":"p3","state":"queued"}`),
			ran("list_jobs", reads, `{}`, `[{"job":"p2","state":"completed"},{"job":"p3","state":"printing"}]`), false},
		{"the thing, in a state of its own", ran("refund_order", changes, `{"order_id":"A7"}`, `{"order_id":"A7","status":"processing"}`),
			ran("get_order", reads, `{"order_id":"A7"}`, `{"status":"completed"}`), false},
		{"the thing, in the state that was asked for", ran("refund_order", changes, `{"order_id":"A7"}`, `{"order_id":"A7","status":"processing"}`),
			ran("get_order", reads, `{"order_id":"A7"}`, `{"status":"refunded"}`), true},
		{"the act by its name", ran("refund_order", changes, `{"order_id":"A7"}`, `{"order_id":"A7","status":"processing"}`),
			ran("refund_status", reads, `{"order_id":"A7"}`, `{"status":"completed"}`), true},
		{"whoever it belongs to", ran("refund_order", changes, `{"order_id":"A7"}`, `{"refund":"rf1","customer":"cus9","status":"processing"}`),
			ran("get_customer", reads, `{"customer":"cus9"}`, `{"status":"ok"}`), false},
		{"inside of what wraps it", ran("make_backup", changes, `{"db":"main"}`, `{"operation":{"id":"op1","status":"running"}}`),
			ran("get_operation", reads, `{"name":"op1"}`, `{"operation":{"id":"op1","done":true}}`), true},
		{"a deed of its own", ran("render_video", changes, `{"name":"x"}`, `{"job":"j7","state":"queued"}`),
			ran("complete_job", changes, `{"job":"j7"}`, `{"job":"j7","state":"completed"}`), false},
	} {
		status, proves := settled(c.launch, c.poll)
		require.Equal(t, c.done, proves, "%s: %s", c.name, status)
	}
}

// TestWhatWasMadeIsMade: an order that is placed is placed, whatever becomes of it.
func TestWhatWasMadeIsMade(t *testing.T) {
	const reads, changes = tooltrack.Reads, tooltrack.Changes
	order := ran("create_order", changes, `{"item":"kettle"}`, `{"id":"o1","title":"Kettle","status":"processing"}`)
	for state, proves := range map[string]bool{"processing": true, "shipped": true, "completed": true, "failed": false} {
		status, sure := settled(order, ran("get_order", reads, `{"id":"o1"}`, `{"id":"o1","title":"Kettle","status":"`+state+`"}`))
		require.Equal(t, tooltrack.Succeeded, status, state)
		require.Equal(t, proves, sure, state)
	}
	plays := ran("play_music", changes, `{"playlist":"Dinner"}`, `{"playlist":"Dinner","state":"playing"}`)
	status, sure := settled(plays)
	require.Equal(t, tooltrack.Succeeded, status, "it was to bring this about")
	require.True(t, sure)
	read := ran("list_orders", tooltrack.UnknownEffect, `{}`, `{"id":"o1","status":"pending"}`)
	require.Nil(t, tooltrack.JobsOf([]*tooltrack.Record{read}), "a look launches nothing")
}

// TestSettledRecords: the records themselves stay as they are, and to settle them twice
// changes nothing more.
func TestSettledRecords(t *testing.T) {
	for _, state := range []string{"done", "running", "failed", "archived"} {
		launch := ran("render_video", tooltrack.Changes, `{"name":"x"}`, `{"job":"j7","state":"queued"}`)
		poll := ran("poll_render", tooltrack.UnknownEffect, `{"job":"j7"}`, `{"job":"j7","state":"`+state+`"}`)
		was := launch.Result
		before, now := tooltrack.Settled([]*tooltrack.Record{launch}, []*tooltrack.Record{nil, poll})
		require.Equal(t, was, launch.Result)
		require.Nil(t, now[0])
		require.Equal(t, tooltrack.Reads, now[1].Effect, "it only asked")
		require.True(t, now[1].Proves())
		again, twice := tooltrack.Settled(before, now)
		require.Equal(t, before[0].Result.Status, again[0].Result.Status, state)
		require.Equal(t, before[0].Proves(), again[0].Proves(), state)
		require.Equal(t, now[1], twice[1])
		jobs := tooltrack.JobsOf([]*tooltrack.Record{launch, poll})
		require.Same(t, launch, jobs.About(poll))
		require.Same(t, poll, jobs.Told(launch))
	}
	plain := []*tooltrack.Record{ran("add_task", tooltrack.Changes, `{}`, `{"id":1,"title":"x"}`)}
	_, now := tooltrack.Settled(nil, plain)
	require.Same(t, plain[0], now[0])
	var none *tooltrack.Jobs
	require.Nil(t, none.About(plain[0]))
	require.Nil(t, none.Told(plain[0]))
}
