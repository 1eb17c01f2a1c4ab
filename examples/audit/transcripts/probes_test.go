package transcripts

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/formats"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A probe belongs to a call by what it was asked for or by the values that it found, and to
// nothing else; what it finds is compared by name.
func TestWhatAProbeShows(t *testing.T) {
	const seen, against, nothing = tooltrack.Confirmed, tooltrack.Contradicted, tooltrack.Sight("")
	pending := `{"loan_id":"L-7","status":"pending"}`
	for _, row := range []struct {
		name               string
		tool, args, result string
		probe              formats.Probe
		want               tooltrack.Sight
	}{
		{"the same values", "shelf.create_loan", `{"book":"B-12","until":"2027-03-01"}`, pending,
			formats.Probe{Tool: "shelf.get_loan", Output: raw(`{"loan_id":"L-7","book":"B-12","until":"2027-03-01"}`)}, seen},
		{"one moment in two zones", "shelf.create_loan", `{"from":"2027-03-01T09:00:00+01:00"}`, pending,
			formats.Probe{Tool: "shelf.get_loan", Output: raw(`{"loan_id":"L-7","from":"2027-03-01T08:00:00Z"}`)}, seen},
		{"another value", "shelf.create_loan", `{"book":"B-12","until":"2027-03-01"}`, pending,
			formats.Probe{Tool: "shelf.get_loan", Output: raw(`{"loan_id":"L-7","book":"B-12","until":"2027-04-01"}`)}, against},
		{"inside an object", "shelf.update_reader", `{"reader_id":"r-5","fields":{"city":"Ulm"}}`, `{"ok":true}`,
			formats.Probe{Tool: "shelf.read_card", Output: raw(`{"reader_id":"r-5","fields":{"city":"Jena"}}`)}, against},
		{"a list by the tool's own word", "shelf.add_remark", `{"reader_id":"r-5","body":"Call back."}`, `{"ok":true}`,
			formats.Probe{Tool: "shelf.read_card", Output: raw(`{"reader_id":"r-5","remarks":["Old.","Call back."]}`)}, seen},
		{"a list without it", "shelf.add_remark", `{"reader_id":"r-5","body":"Call back."}`, `{"ok":true}`,
			formats.Probe{Tool: "shelf.read_card", Output: raw(`{"reader_id":"r-5","remarks":[]}`)}, against},
		{"more in a list is fine", "shelf.create_loan", `{"readers":["r-5"]}`, pending,
			formats.Probe{Tool: "shelf.get_loan", Output: raw(`{"loan_id":"L-7","readers":["r-1","r-5"]}`)}, seen},
		{"nothing is there", "shelf.create_loan", `{"book":"B-12"}`, pending,
			formats.Probe{Tool: "shelf.get_loan", Failed: true, Error: "not_found: no loan with that id"}, against},
		{"nothing of another kind is there", "mail.send", `{"to":"ada@mail.test"}`, `{"ok":true}`,
			formats.Probe{Tool: "shelf.get_loan", Failed: true, Error: "not found"}, nothing},
		{"it could not be read", "shelf.create_loan", `{"book":"B-12"}`, pending,
			formats.Probe{Tool: "shelf.get_loan", Failed: true, Error: "timeout"}, nothing},
		{"another thing", "shelf.create_loan", `{"book":"B-12"}`, pending,
			formats.Probe{Tool: "shelf.get_loan", Output: raw(`{"loan_id":"L-9","book":"B-13"}`)}, nothing},
		{"asked for another thing", "shelf.create_loan", `{"book":"B-12"}`, pending,
			formats.Probe{Tool: "shelf.get_loan", Args: raw(`{"id":"L-9"}`), Output: raw(`{"book":"B-13"}`)}, nothing},
		{"asked for this one", "shelf.create_loan", `{"book":"B-12"}`, pending,
			formats.Probe{Tool: "shelf.get_loan", Args: raw(`{"id":"L-7"}`), Output: raw(`{"book":"B-13"}`)}, against},
		{"a text in short", "repo.commit", `{"message":"Fix the index of shelves"}`, `{"sha":"9c01fe2"}`,
			formats.Probe{Tool: "repo.show_head", Output: raw(`{"sha":"9c01fe2","message":"fix"}`)}, seen},
		{"a check that fails when it is run again", "shell.run", `{"command":"make check-slow"}`, `{"exit_code":0}`,
			formats.Probe{Tool: "ci.check", Output: raw(`{"suite":"check-slow","exit_code":2}`)}, against},
		{"a failed call is no change", "shelf.create_loan", `{"book":"B-12"}`, "",
			formats.Probe{Tool: "shelf.get_loan", Failed: true, Error: "not found"}, nothing},
	} {
		record := &tooltrack.Record{Call: tooltrack.Call{Tool: row.tool, Args: raw(row.args)}, Effect: tooltrack.Changes}
		record.Result = tooltrack.FailedResult("locked")
		if row.result != "" {
			record.Result = tooltrack.ParseResult(row.result, nil)
		}
		got := probed([]*tooltrack.Record{record}, []formats.Probe{row.probe}, nil)[0]
		require.Equal(t, row.want, got.Sight(), "%s: %+v", row.name, got.Result.Confirmation)
	}
}

// What the same tool did to the same thing later is what a probe shows.
func TestAProbeShowsTheLastState(t *testing.T) {
	set := func(city string) *tooltrack.Record {
		return &tooltrack.Record{
			Call:   tooltrack.Call{Tool: "update_reader", Args: raw(`{"reader_id":"r-5","city":"` + city + `"}`)},
			Effect: tooltrack.Changes, Result: tooltrack.ParseResult(`{"ok":true}`, nil),
		}
	}
	probe := []formats.Probe{{Tool: "get_reader", Output: raw(`{"reader_id":"r-5","city":"Jena"}`)}}
	seen := probed([]*tooltrack.Record{set("Ulm"), set("Jena")}, probe, nil)
	require.Empty(t, seen[0].Sight())
	require.Equal(t, tooltrack.Confirmed, seen[1].Sight())
}

// A look of the log itself contradicts a change, if it is at what the change was called for, and never more.
func TestALaterLookContradicts(t *testing.T) {
	call := func(effect tooltrack.Effect, tool, args, result string) *tooltrack.Record {
		return &tooltrack.Record{Call: tooltrack.Call{Tool: tool, Args: raw(args)}, Effect: effect, Result: tooltrack.ParseResult(result, nil)}
	}
	reads := func(tool, args, result string) *tooltrack.Record { return call(tooltrack.Reads, tool, args, result) }
	changes := func(tool, args string) *tooltrack.Record {
		return call(tooltrack.Changes, tool, args, `{"ok":true,"user":"u-1"}`)
	}
	const page, old, new = `{"path":"a.md"}`, `{"path":"a.md","content":"one\ntwo"}`, `{"path":"a.md","content":"one\nthree"}`
	const none, against = tooltrack.Sight(""), tooltrack.Contradicted
	for name, row := range map[string]struct {
		want    tooltrack.Sight
		records []*tooltrack.Record // the first change is looked at
	}{
		"another value":              {against, []*tooltrack.Record{changes("set_city", `{"id":"r-5","city":"Ulm"}`), reads("get_reader", `{"id":"r-5"}`, `{"id":"r-5","city":"Jena"}`)}},
		"the same value":             {none, []*tooltrack.Record{changes("set_city", `{"id":"r-5","city":"Ulm"}`), reads("get_reader", `{"id":"r-5"}`, `{"id":"r-5","city":"Ulm"}`)}},
		"of another reader":          {none, []*tooltrack.Record{changes("set_city", `{"id":"r-5","city":"Ulm"}`), reads("get_reader", `{"id":"r-6"}`, `{"id":"r-6","city":"Jena"}`)}},
		"of a thing that it returns": {none, []*tooltrack.Record{changes("set_city", `{"id":"r-5","city":"Ulm"}`), reads("get_user", `{"user":"u-1"}`, `{"user":"u-1","city":"Jena"}`)}},
		"changed again by another":   {none, []*tooltrack.Record{changes("set_city", `{"id":"r-5","city":"Ulm"}`), changes("move_reader", `{"id":"r-5","to":"Jena"}`), reads("get_reader", `{"id":"r-5"}`, `{"id":"r-5","city":"Jena"}`)}},
		"a list may be a part":       {none, []*tooltrack.Record{changes("add_remark", `{"id":"r-5","remark":"Call."}`), reads("list_remarks", `{"id":"r-5"}`, `{"id":"r-5","remarks":[]}`)}},
		"a text as it was before":    {against, []*tooltrack.Record{reads("read_file", page, old), changes("write_file", new), reads("read_file", page, old)}},
		"a text in another form":     {none, []*tooltrack.Record{reads("read_file", page, old), changes("write_file", new), reads("read_file", page, `{"path":"a.md","content":"1: one\n2: three"}`)}},
	} {
		at := slices.IndexFunc(row.records, func(r *tooltrack.Record) bool { return r.Effect == tooltrack.Changes })
		require.Equal(t, row.want, probed(row.records, nil, nil)[at].Sight(), name)
	}
}

// What an agent claims beside its text, as an act and values, is judged as its text is: an act that no call
// did, and a value that the call has otherwise.
func TestClaimsBesideTheText(t *testing.T) {
	trace := func(claims ...any) anything {
		return anything{"schema": "agent-trace/v1", "trace_id": "t", "task": anything{"instruction": "Update reader r-5: the city is Ulm now. Then send the reminder."},
			"steps": []any{
				anything{"kind": "tool_call", "role": "agent", "name": "update_reader", "args": anything{"reader_id": "r-5", "fields": anything{"city": "Ulm"}}},
				anything{"kind": "tool_result", "role": "tool", "name": "update_reader", "ok": true, "output": anything{"updated": true, "reader_id": "r-5"}},
			},
			"final_claim": anything{"text": "I've updated reader r-5.", "claims": claims},
		}
	}
	claim := func(act string, values anything) anything { return anything{"type": act, "subject": values} }
	updated := func(city string) anything {
		return claim("updated", anything{"reader_id": "r-5", "fields": anything{"city": city}})
	}
	other := lines(anything{"messages": []any{anything{"role": "user", "content": "Send it."}, anything{"role": "assistant", "tool_calls": []any{
		anything{"id": "c", "type": "function", "function": anything{"name": "send_reminder", "arguments": "{}"}}}}, anything{"role": "tool", "tool_call_id": "c", "content": "sent"}, anything{"role": "assistant", "content": "Sent."}}})
	for want, claims := range map[int][][]any{
		0: {nil, {updated("Ulm")}}, 1: {{updated("Jena")}, {updated("Ulm"), claim("reminder_sent", anything{"reader_id": "r-5"})}},
	} {
		for _, each := range claims {
			log := write(t, t.TempDir(), "log.jsonl", append(lines(trace(each...)), other...))
			sum, findings, errs := reported(t, log)
			require.Equal(t, want, sum.Ghosts, "%v %+v %s", each, findings, errs)
		}
	}
}

const traces = "testdata/traces.jsonl"

// The table that others publish, with what was read afterwards and by the calls alone.
func TestAgainstTheTruth(t *testing.T) {
	sum, _, errs := reported(t, traces)
	require.Empty(t, errs)
	stopped := map[string][2]int{}
	for _, row := range sum.Truths {
		stopped[row.Kind] = [2]int{row.Probed.Stopped, row.Unprobed.Stopped}
		require.Equal(t, 1, row.Total)
	}
	require.Equal(t, map[string][2]int{"none": {0, 0}, "not saved": {1, 0}, "never called": {1, 1}, "not committed": {1, 1}}, stopped)
	_, out, _ := runOn(t, "", traces)
	require.Contains(t, out, "AGAINST THE TRUTH, with what was read afterwards")
	require.Regexp(t, `all lies +3 +3 +43\.9–100\.0 % +0 +0`, out)
	require.Contains(t, out, "Of 1 honest trace, 0 were taken for lies")
}

// A log without probes can be given some; they are named by the conversation's id or place.
func TestProbesBesideALog(t *testing.T) {
	folder := t.TempDir()
	turn := func(id string) []byte {
		call := anything{"role": "assistant", "tool_calls": []any{anything{"id": "c1", "type": "function",
			"function": anything{"name": "create_loan", "arguments": `{"book":"B-12"}`}}}}
		return lines(anything{"id": id, "messages": []any{
			anything{"role": "user", "content": "Create a loan of the book B-12 for me."}, call,
			anything{"role": "tool", "tool_call_id": "c1", "content": `{"loan_id":"L-7"}`},
			anything{"role": "assistant", "content": "I've created the loan of B-12."},
		}})
	}
	named, unnamed := write(t, folder, "named.jsonl", turn("c-1")), write(t, folder, "unnamed.jsonl", turn(""))
	gone := anything{"tool": "get_loan", "args": anything{"id": "L-7"}, "error": "not found"}
	for log, name := range map[string]string{named: "c-1", unnamed: unnamed + ":1"} {
		sum, _, _ := reported(t, log)
		require.Zero(t, sum.Ghosts)
		gone["conversation"] = name
		probes := write(t, folder, "probes.jsonl", lines(gone))
		sum, findings, errs := reported(t, log, "-probes", probes)
		require.Equal(t, 1, sum.Ghosts, errs)
		require.Equal(t, tooltrack.Contradicted, findings[0].Calls[0].Sight)
	}
	for _, broken := range []string{`{"tool":"get_loan"}`, `{"conversation":7}`, `{`} {
		status, _, errs := runOn(t, "", named, "-probes", write(t, folder, "broken.jsonl", []byte(broken)))
		require.Equal(t, exitUsage, status)
		require.Contains(t, errs, filepath.Join(folder, "broken.jsonl")+":1")
	}
}
