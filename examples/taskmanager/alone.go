//go:build !fleet

package main

import (
	"context"
	"log/slog"

	"github.com/bonafide-go/bonafide/guard"
)

// spans show turns to nobody. What a fleet needs, PostgreSQL and a collector of
// spans, is compiled with -tags fleet only: a first run should not wait for it.
type spans struct{}

func newSpans(context.Context) (spans, func() error, error) {
	return spans{}, func() error { return nil }, nil
}

func (s spans) Begin(ctx context.Context, _ guard.Input) (context.Context, spans) { return ctx, s }
func (spans) Logger(logger *slog.Logger) *slog.Logger                             { return logger }
func (spans) Model(model guard.Model) guard.Model                                 { return model }
func (spans) Executor(executor guard.Executor) guard.Executor                     { return executor }
func (spans) End(*guard.Reply, error)                                             {}
