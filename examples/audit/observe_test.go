package main

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
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
	require.Contains(t, out.String(), "ask again for delete_task")
	require.Equal(t, 1, run([]string{"observe"}, strings.NewReader("{}\n"), &out, &errs))
	require.Contains(t, errs.String(), "no turn of a guard")
	require.Equal(t, 2, run([]string{"observe", "no/such/file"}, nil, &out, &errs))
}
