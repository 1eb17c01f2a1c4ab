package main

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestObserveReadsTheGuardsOwnLog: the log is written by a real guard, so that
// the two cannot drift apart.
func TestObserveReadsTheGuardsOwnLog(t *testing.T) {
	var log bytes.Buffer
	g, err := guard.New([]tooltrack.Tool{{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes}}, &guard.Options{
		Observe: true, Logger: slog.New(slog.NewJSONHandler(&log, nil)),
	})
	require.NoError(t, err)
	for _, text := range []string{"I've deleted the task Read book.", "Good morning!"} {
		_, err := g.Run(context.Background(), guardtest.Script(guardtest.Say(text)), guardtest.Tools(nil), guard.Input{User: "delete the task Read book"})
		require.NoError(t, err)
	}
	log.WriteString("not json\n")
	var out, errs bytes.Buffer
	require.Zero(t, run([]string{"observe"}, &log, &out, &errs), errs.String())
	require.Contains(t, out.String(), "2 turns.")
	require.Contains(t, out.String(), "re-ask delete_task")
	require.Equal(t, 1, run([]string{"observe"}, strings.NewReader("{}\n"), &out, &errs))
	require.Contains(t, errs.String(), "no turn of a guard")
	require.Equal(t, 2, run([]string{"observe", "no/such/file"}, nil, &out, &errs))
}

// TestObserveTellsEachToolAndWhatWasOnlyObserved: two missing tools are two rows, a
// refused call is one, and what an enforcing guard did is not told as what it would
// have done.
func TestObserveTellsEachToolAndWhatWasOnlyObserved(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes},
		{Name: "send_email", Description: "Send an e-mail.", Effect: tooltrack.Changes},
	}
	logOf := func(observe bool) *bytes.Buffer {
		var log bytes.Buffer
		g, err := guard.New(tools, &guard.Options{
			Observe: observe, Logger: slog.New(slog.NewJSONHandler(&log, nil)),
			Intent: &intent.Options{Force: map[string][]string{"delete_task": {"delete the task"}, "send_email": {"send an email"}}},
		})
		require.NoError(t, err)
		model := guardtest.Script(guardtest.Call(guardtest.Tool("delete_task", `{"x":`)), guardtest.Say("Good morning!"), guardtest.Say("Good morning!"))
		input := guard.Input{User: `Delete the task "Read book". Send an email to Ann.`}
		_, _ = g.Run(context.Background(), guardtest.Script(guardtest.Say("Good morning!"), guardtest.Say("Good morning!")), guardtest.Tools(nil), input) // the log matters
		_, _ = g.Run(context.Background(), model, guardtest.Tools(nil), input)
		for measure := range g.Counters().Would {
			require.Contains(t, log.String(), measure)
		}
		return &log
	}
	told := func(logs ...*bytes.Buffer) string {
		var all, out, errs bytes.Buffer
		for _, log := range logs {
			all.Write(log.Bytes())
		}
		require.Zero(t, run([]string{"observe"}, &all, &out, &errs), errs.String())
		return out.String()
	}
	observed := told(logOf(true))
	for _, row := range []string{"2 turns. The guard would have done this", "re-ask delete_task", "re-ask send_email", "denial of delete_task by json"} {
		require.Contains(t, observed, row)
	}
	enforced := told(logOf(false))
	require.NotContains(t, enforced, "would have")
	require.Contains(t, enforced, "2 turns with a fault, of a guard that enforces. It acted on this")
	require.Contains(t, enforced, "re-ask send_email")
	both := told(logOf(true), logOf(false))
	require.Contains(t, both, "2 turns. The guard would have done this")
	require.Contains(t, both, "2 turns with a fault")
}

// TestObserveTellsThatItCouldNotReadOn: half a log is not told as a whole one.
func TestObserveTellsThatItCouldNotReadOn(t *testing.T) {
	good := `{"msg":"guard: judged","turn":"1","observe":true,"measures":["re-ask delete_task"]}` + "\n"
	var out, errs bytes.Buffer
	require.Equal(t, 2, run([]string{"observe"}, strings.NewReader(good+strings.Repeat("x", logfile.MaxValue+1)), &out, &errs))
	require.Contains(t, errs.String(), "line 2: longer than the 16 MiB")
	require.Empty(t, out.String())
}
