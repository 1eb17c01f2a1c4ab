package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// reports writes into the ledger what clients report of their calls: each call with its result, once,
// whichever request it was seen in first. Requests do not wait for it.
type reports struct {
	ledger *tooltrack.Ledger
	logger *slog.Logger

	queue    chan reported
	queued   atomic.Int64 // bytes
	done     chan struct{}
	closing  sync.RWMutex
	closed   bool
	written  atomic.Uint64
	dropped  atomic.Uint64
	failures atomic.Uint64
}

// What may wait to be written.
const (
	maxQueued      = 1024
	maxQueuedBytes = 64 << 20
	reportTime     = 15 * time.Second
)

type reported struct {
	scope tooltrack.Scope
	guard *guard.Guard
	turn  []guard.Message
	size  int64
}

func newReports(ledger *tooltrack.Ledger, logger *slog.Logger) *reports {
	r := &reports{ledger: ledger, logger: logger, queue: make(chan reported, maxQueued), done: make(chan struct{})}
	contain.Go("writing reports", func() {
		for job := range r.queue {
			if fault := contain.Do("writing a report", func() { r.write(job) }); fault != nil {
				r.logger.Error("a report could not be written", "error", fault, "stack", string(fault.Stack))
			}
			r.queued.Add(-job.size)
		}
	}, func(*contain.Panic) { close(r.done) })
	return r
}

// take queues the results that a request reports. Without room they are counted; the next request brings them again.
func (r *reports) take(who identity, g *guard.Guard, turn []guard.Message) {
	job := reported{
		scope: tooltrack.Scope{Owner: who.owner, Conversation: who.conversation, Turn: who.turn}, guard: g, turn: turn,
	}
	results := false
	for i := range turn {
		results = results || turn[i].Role == guard.RoleTool
		job.size += int64(len(turn[i].Text) + len(turn[i].Raw))
	}
	if !results {
		return
	}
	r.closing.RLock()
	defer r.closing.RUnlock()
	if r.closed || r.queued.Add(job.size) > maxQueuedBytes {
		r.queued.Add(-job.size)
		r.dropped.Add(1)
		return
	}
	select {
	case r.queue <- job:
	default:
		r.queued.Add(-job.size)
		r.dropped.Add(1)
	}
}

// close writes what waits, and ends.
func (r *reports) close() {
	r.closing.Lock()
	if !r.closed {
		r.closed = true
		close(r.queue)
	}
	r.closing.Unlock()
	<-r.done
}

func (r *reports) write(job reported) {
	ctx, cancel := context.WithTimeout(context.Background(), reportTime)
	defer cancel()
	var known map[string]bool // calls of the turn that are on record; read when it is needed
	for _, record := range job.guard.RecordsOf(job.turn, nil) {
		if record.Result.Status == tooltrack.Unknown && len(record.Result.Data) == 0 {
			continue // nobody knows what came of it
		}
		if known == nil {
			known = r.known(ctx, job.scope)
		}
		if known[record.ID] {
			continue
		}
		if err := r.writeOne(ctx, job, record); err != nil {
			r.failures.Add(1)
			r.logger.Warn("a reported call was not written", "tool", clip.Text(policy.Printable(record.Tool), 60),
				"error", loggable(err))
			continue
		}
		r.written.Add(1)
	}
}

func (r *reports) known(ctx context.Context, scope tooltrack.Scope) map[string]bool {
	known := map[string]bool{}
	records, err := r.ledger.Records(ctx, tooltrack.Query{Scope: scope})
	if err != nil {
		return known // the write will say so, too
	}
	for _, record := range records {
		known[record.ID] = !record.Ruling.Denied
	}
	return known
}

func (r *reports) writeOne(ctx context.Context, job reported, record *tooltrack.Record) error {
	turn, err := r.ledger.Open(job.scope)
	if err != nil {
		return err
	}
	tool := tooltrack.Tool{Name: record.Tool, Effect: tooltrack.UnknownEffect}
	for _, offered := range job.guard.Tools() {
		if offered.Name == record.Tool {
			tool = offered
		}
	}
	key := "reported:" + job.scope.Turn + ":" + record.ID
	begun, err := turn.Begin(ctx, tool, record.Call, &tooltrack.CallOptions{Key: key, Touched: record.Touched})
	if err != nil {
		return err
	}
	if !begun.Run {
		return nil
	}
	_, err = turn.Finish(ctx, begun.Record, record.Result, record.Touched...)
	if errors.Is(err, tooltrack.ErrFinished) {
		return nil
	}
	return err
}
