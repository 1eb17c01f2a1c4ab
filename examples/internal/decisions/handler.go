// Package decisions lets a program hear what a guard decides, by way of its log, and has the words of it for people.
package decisions

import (
	"cmp"
	"context"
	_ "embed"
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

//go:embed rules.txt
var table string

// rules are the rows of the table by their names: in a few words, and explained.
var rules = func() map[string][2]string {
	rules := map[string][2]string{}
	for line := range strings.Lines(table) {
		if name, words, found := strings.Cut(line, "|"); found {
			short, long, _ := strings.Cut(words, "|")
			rules[strings.TrimSpace(name)] = [2]string{strings.TrimSpace(short), strings.TrimSpace(long)}
		}
	}
	return rules
}()

// Rule is what a rule found. A name without words stays as it is.
func Rule(name string) string { return cmp.Or(rules[name][0], name) }

// Explained is what a report says of a turn that ended with this reason; empty for others.
func Explained(reason string) string { return rules[reason][1] }
