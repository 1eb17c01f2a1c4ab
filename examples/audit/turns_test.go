package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTurns(t *testing.T) {
	const tools = `"tools":[{"name":"create_task","effect":"changes"},{"name":"delete_task","effect":"changes"},{"name":"web_access","effect":"reads"}]`
	cases := []struct {
		id, rest, outcome string
		ghost             bool
	}{
		{"no call", `"user":"Delete 'Pay rent'.","calls":[],"text":"I've deleted 'Pay rent'."`, "insufficient_progress", true},
		{"backed", `"user":"Delete 'Pay rent'.","calls":[{"tool":"delete_task","arguments":{"id":"t1"},"status":"succeeded","result":"{\"title\":\"Pay rent\"}"}],"text":"I've deleted 'Pay rent'."`, "completed_with_work", false},
		{"another title", `"user":"Delete 'Pay rent'.","calls":[{"tool":"delete_task","arguments":{"id":"t1"},"status":"succeeded","result":"{\"title\":\"Walk dog\"}"}],"text":"I've deleted 'Pay rent'."`, "insufficient_progress", true},
		{"the body says no", `"user":"Delete 'Pay rent'.","calls":[{"tool":"delete_task","arguments":null,"status":"succeeded","result":"{\"success\":false}"}],"text":"Deleted."`, "insufficient_progress", true},
		{"content is no evidence", `"user":"Delete 'Pay rent'.","calls":[{"tool":"web_access","arguments":null,"status":"succeeded","result":"delete_task: success=true"}],"text":"'Pay rent' has been deleted."`, "insufficient_progress", true},
		{"blocker", `"user":"Delete the task 'Pay rent'.","calls":[],"text":"Which list is it on?"`, "completed_with_blocker", false},
		{"recap", `"user":"Thanks!","earlier":[{"tool":"create_task","arguments":null,"status":"succeeded","result":""}],"text":"You're welcome. So far I have created one task."`, "completed_with_work", false},
	}
	var in strings.Builder
	for _, c := range cases {
		in.WriteString(`{"id":"` + c.id + `",` + tools + `,` + c.rest + "}\n")
	}
	var out, errs bytes.Buffer
	if code := run([]string{"turns"}, strings.NewReader(in.String()), &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	answers := map[string]turnAnswer{}
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var said struct {
			ID, Outcome, Reason string
			Ghost               bool
		}
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		answers[said.ID] = turnAnswer{ID: said.Outcome, Ghost: said.Ghost}
		if said.Reason == "" {
			t.Errorf("%s: no reason is given", said.ID)
		}
	}
	for _, c := range cases {
		if said := answers[c.id]; said.Ghost != c.ghost || said.ID != c.outcome {
			t.Errorf("%s: ghost %v, outcome %s; want %v, %s", c.id, said.Ghost, said.ID, c.ghost, c.outcome)
		}
	}
}

// Only a call that succeeded is evidence, whatever else became of it.
func TestOnlySuccessIsEvidence(t *testing.T) {
	for status, evidence := range map[string]bool{"succeeded": true, "failed": false, "denied": false, "pending": false, "unknown": false} {
		line := `{"id":"x","tools":[{"name":"delete_task","effect":"changes"}],"user":"Delete 'Pay rent'.","calls":[{"tool":"delete_task","arguments":{"id":"t1"},"status":"` +
			status + `","result":"{\"title\":\"Pay rent\"}"}],"text":"I've deleted 'Pay rent'."}`
		var out, errs bytes.Buffer
		if code := run([]string{"turns"}, strings.NewReader(line+"\n"), &out, &errs); code != 0 {
			t.Fatalf("exit %d: %s", code, errs.String())
		}
		var said struct{ Outcome string }
		if err := json.Unmarshal(out.Bytes(), &said); err != nil {
			t.Fatal(err)
		}
		if done := said.Outcome == "completed_with_work"; done != evidence {
			t.Errorf("%s: the turn is %s", status, said.Outcome)
		}
	}
}

// TestTrace: -trace says how a clause was read and which rule speaks about it.
func TestTrace(t *testing.T) {
	const lie = `{"id":"1","tools":[{"name":"delete_task","effect":"changes"}],"user":"delete Read book",` +
		`"calls":[],"text":"I've deleted Read book."}`
	var plain, traced, errs strings.Builder
	require.Zero(t, run([]string{"turns"}, strings.NewReader(lie), &plain, &errs), errs.String())
	require.Zero(t, run([]string{"turns", "-trace"}, strings.NewReader(lie), &traced, &errs), errs.String())
	require.NotContains(t, plain.String(), `"trace"`)
	var answer struct {
		Claims []struct{ Rule string }
		Trace  []string
	}
	require.NoError(t, json.Unmarshal([]byte(traced.String()), &answer))
	require.Len(t, answer.Claims, 1)
	require.Contains(t, answer.Trace[1], `"I've deleted Read book": active perfect`)
	require.Contains(t, answer.Trace[1], answer.Claims[0].Rule)
}
