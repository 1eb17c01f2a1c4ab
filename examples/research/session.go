package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/examples/research/limits"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// owner is the user of the session, whose namespaces are in the database.
const owner = "ann"

// session is one user at work, with everything that a turn needs.
type session struct {
	guard     *guard.Guard
	desk      *desk
	site      *site
	source    *stage.Source
	printer   *stage.Printer
	audit     *auditLog
	observing *tooltrack.Subscription
}

func newSession(
	ctx context.Context, bounds limits.Limits, source *stage.Source, printer *stage.Printer,
) (*session, error) {
	pages, err := newSite()
	if err != nil {
		return nil, err
	}
	library, err := newLibrary(ctx)
	if err != nil {
		return nil, errors.Join(err, pages.Close())
	}
	s := &session{source: source, printer: printer, site: pages, audit: &auditLog{printer: printer}}
	s.desk = &desk{client: pages.web.Client(), library: library, limits: bounds}
	if err := library.allow(ctx, owner, "research", "personal"); err != nil {
		return nil, errors.Join(err, s.closeParts())
	}
	if s.guard, err = newGuard(bounds, pages.web, library, s.audit.logger()); err != nil {
		return nil, errors.Join(err, s.closeParts())
	}
	s.observing = s.guard.Ledger().Subscribe(s.desk, 0)
	return s, nil
}

func (s *session) closeParts() error { return errors.Join(s.desk.library.Close(), s.site.Close()) }

// Close waits for the observer and ends everything.
func (s *session) Close() error {
	s.observing.Close()
	return s.closeParts()
}

// outcome is how a turn ended, and what was noticed beside it.
type outcome struct {
	reply *guard.Reply
	err   error
	audit []string // what was written into the audit log
	told  int      // how often the model was told that it has enough
}

// ask runs one turn. Every scene is a conversation of its own.
func (s *session) ask(ctx context.Context, mode, message, part string) outcome {
	var result outcome
	s.audit.take()
	model := newDirector(s.source.Model(message, part), s.guard.Ledger(), func(text string) {
		result.told++
		s.printer.Line("host", text)
	})
	input := guard.Input{User: message, Owner: owner, Conversation: part, Turn: part + "/1", Mode: mode}
	result.reply, result.err = s.printer.Run(ctx, s.guard, model, s.desk.toolbox(), input)
	result.audit = s.audit.take()
	return result
}

// auditLog keeps the lines of the policy's own log, and shows them.
type auditLog struct {
	printer *stage.Printer
	mu      sync.Mutex
	lines   []string
}

// logger writes into the log, without times: a run can be compared with the
// next.
func (a *auditLog) logger() *slog.Logger {
	withoutTime := func(groups []string, attr slog.Attr) slog.Attr {
		if len(groups) == 0 && attr.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return attr
	}
	return slog.New(slog.NewTextHandler(a, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
}

// Write takes one line.
func (a *auditLog) Write(line []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lines = append(a.lines, strings.TrimSpace(string(line)))
	a.printer.Line("  audit", string(line))
	return len(line), nil
}

// take returns the lines since the last time.
func (a *auditLog) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	lines := a.lines
	a.lines = nil
	return lines
}
