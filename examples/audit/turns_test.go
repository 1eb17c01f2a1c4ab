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

// TestWhy: a turn is told with the steps that led to its judgement, and others are left out.
func TestWhy(t *testing.T) {
	const lies = `{"id":"1","tools":[{"name":"delete_task","effect":"changes"}],"user":"delete Read book",` +
		`"calls":[],"text":"I've deleted Read book."}` + "\n" + `{"id":"2","user":"hi","text":"Hello!"}`
	var out, errs strings.Builder
	require.Zero(t, run([]string{"why", "1"}, strings.NewReader(lies), &out, &errs), errs.String())
	for _, want := range []string{
		"1: delete Read book\n", `said "I've deleted Read book."`, "The guard is sure of a fault.",
		`unsure -> sure by no call in this turn: "I've deleted Read book"`, "reads as active perfect",
	} {
		require.Contains(t, out.String(), want)
	}
	require.NotContains(t, out.String(), "Hello")
	require.Equal(t, 1, run([]string{"why", "3"}, strings.NewReader(lies), &out, &errs))
	require.Contains(t, errs.String(), "no turn has such an id")
	require.Equal(t, 1, run([]string{"why"}, strings.NewReader("{"), &out, &errs))
}
