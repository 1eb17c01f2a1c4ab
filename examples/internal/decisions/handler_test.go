package decisions

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHandler: decisions are heard whatever the level of the log, and logged without what is hidden;
// other messages are logged alone.
func TestHandler(t *testing.T) {
	var log bytes.Buffer
	var heard []string
	logger := slog.New(Handler{
		Handler: slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelInfo}), Hidden: "claims",
		Hear: func(_ context.Context, event string, found Attrs) {
			heard = append(heard, event+" "+found.First("tier")+found.First("claims")+found.First("none"))
		},
	}).With("owner", "ann").WithGroup("g")
	logger.Debug("guard: intent")
	logger.Info("guard: judged", "tier", "sure", "claims", []string{" it is done", "so is that"})
	logger.Info("something else", "claims", "x")
	require.Equal(t, []string{"intent ", "judged sure it is done"}, heard)
	require.NotContains(t, log.String(), "intent")
	require.Contains(t, log.String(), `msg="guard: judged" owner=ann g.tier=sure`)
	require.NotContains(t, log.String(), "done")
}
