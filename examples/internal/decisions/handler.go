// Package decisions lets a program hear what a guard decides, by way of its log.
package decisions

import (
	"context"
	"log/slog"
	"strings"
)

// Attrs are the attributes of a decision, each with its value or its list of them.
type Attrs map[string][]string

// First is the only value of an attribute, or the first one; empty where there is none.
func (a Attrs) First(key string) string {
	if len(a[key]) == 0 {
		return ""
	}
	return a[key][0]
}

// Handler is a log handler that lets decisions be heard, whatever the level of the log.
type Handler struct {
	// Handler is where they go on to.
	slog.Handler
	// Hear hears each by its name, such as "judged".
	Hear func(ctx context.Context, event string, found Attrs)
	// Hidden is an attribute that is heard and not logged.
	Hidden string
}

// Enabled is always true.
func (h Handler) Enabled(context.Context, slog.Level) bool { return true }

// Handle lets a decision be heard, and logs it.
func (h Handler) Handle(ctx context.Context, record slog.Record) error {
	found, kept := Attrs{}, slog.NewRecord(record.Time, record.Level, record.Message, record.PC)
	record.Attrs(func(a slog.Attr) bool {
		list, is := a.Value.Any().([]string)
		if !is {
			list = []string{a.Value.String()}
		}
		found[a.Key] = append(found[a.Key], list...)
		if a.Key != h.Hidden {
			kept.AddAttrs(a)
		}
		return true
	})
	if event, ours := strings.CutPrefix(record.Message, "guard: "); ours {
		h.Hear(ctx, event, found)
	}
	if !h.Handler.Enabled(ctx, record.Level) {
		return nil
	}
	return h.Handler.Handle(ctx, kept)
}

// WithAttrs is for the handler that follows.
func (h Handler) WithAttrs(list []slog.Attr) slog.Handler {
	h.Handler = h.Handler.WithAttrs(list)
	return h
}

// WithGroup is for the handler that follows.
func (h Handler) WithGroup(name string) slog.Handler {
	h.Handler = h.Handler.WithGroup(name)
	return h
}
