package guard

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/guard/confirm"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// plans reads how changes can be seen, and refuses what leads nowhere.
func (c *configuration) plans(tools []tooltrack.Tool) map[string]*confirm.Plan {
	plans := map[string]*confirm.Plan{}
	for i := range tools {
		tool := &tools[i]
		if tool.Confirm == nil {
			continue
		}
		where := "Confirm of " + tool.Name
		plan, err := confirm.New(tool.Confirm)
		if err != nil {
			c.faults = append(c.faults, under(where, err))
			continue
		}
		plans[tool.Name] = plan
		c.argument(where, tool.Name, plan.References()...)
		c.refuse(!tool.Effect.MayChange(), "%s: %s changes nothing by its Effect; leave Confirm out", where, tool.Name)
		by, given := toolNamed(tools, plan.Tool), plan.Arguments()
		if by == nil {
			if plan.By == nil {
				c.tool(where, plan.Tool)
			}
			continue
		}
		c.argument(where, by.Name, given...)
		for name := range jsonspan.Elements(jsonspan.Member(by.Parameters, "required")) {
			text := jsonspan.Scalar(name)
			c.refuse(!slices.Contains(given, text), "%s: %s needs %q; write %[2]s(%[3]s = …)", where, by.Name, clipped(text))
		}
		c.refuse(by.Effect.MayChange(),
			"%s: %s may change something; declare its Effect as Reads, or read by another tool", where, by.Name)
	}
	return plans
}

// isUnread reports whether a record is of a change that may be there and was not read back.
func isUnread(record *tooltrack.Record) bool {
	fate := record.Result.Status
	open := fate == tooltrack.Succeeded || fate == tooltrack.Pending || fate == tooltrack.Unknown
	return open && record.Result.Confirmation == nil && !record.Ruling.Denied
}

// readBackNow reads back what does not wait for a text: what is read back always, and what became of a call that
// was cut off, before anybody is asked about it.
func readBackNow(ctx context.Context, t *Turn) {
	readBack(ctx, t, func(record *tooltrack.Record, plan *confirm.Plan) bool {
		return record.Result.Status == tooltrack.Unknown ||
			plan.When == tooltrack.AlwaysConfirm && record.Turn == t.input.Turn
	})
}

// readBackClaimed reads back what a text claims and its record shows weakly. It reports whether the text has to be
// judged anew.
func readBackClaimed(ctx context.Context, t *Turn, found *finding) bool {
	if !hasChangeClaim(&found.verdict) && len(found.doubts) == 0 {
		return false
	}
	return readBack(ctx, t, func(record *tooltrack.Record, _ *confirm.Plan) bool {
		return !record.Result.Success() ||
			record.Turn == t.input.Turn && (record.Result.Doubtful != "" || isSayingLittle(record.Result.Data))
	})
}

// isSayingLittle reports whether a result says no more than that the tool was content.
func isSayingLittle(data []byte) bool {
	for _, value := range jsonspan.Members(data) {
		if !isSayingLittle(value) {
			return false
		}
	}
	text := strings.ToLower(strings.Trim(jsonspan.Scalar(data), " .!"))
	return jsonspan.KindOf(data) != jsonspan.Array &&
		slices.Contains([]string{"", "ok", "success", "done", "accepted", "200", "202"}, text)
}

// readBack reads the changes back that are due, side by side, and reports whether it has learned anything. What the
// model itself has read later needs no read of ours, unless that contradicts. Where only messages are known,
// nothing can be read.
func readBack(ctx context.Context, t *Turn, due func(*tooltrack.Record, *confirm.Plan) bool) (learned bool) {
	if len(t.guard.plans) == 0 || t.track == nil || t.driver == messagesOnly {
		return false
	}
	t.mu.Lock()
	records, executor := slices.Concat(t.earlier, t.records), t.seenBack.executor
	t.mu.Unlock()
	slots := make(chan struct{}, t.guard.options.Parallel)
	done := func(fault *contain.Panic) {
		if fault != nil {
			t.guard.panicked(ctx, fault)
		}
		<-slots
	}
	for i, record := range records {
		plan := t.guard.plans[record.Tool]
		if plan == nil || !isUnread(record) {
			continue
		}
		later := readLater(plan, record, records[i+1:])
		told := later.Sight == tooltrack.Contradicted
		can := plan.When != tooltrack.NeverConfirm && (plan.By != nil || executor != nil)
		switch {
		case later.Sight == tooltrack.Confirmed, told && !can:
			keepSeen(ctx, t, record, later)
		case can && (told || due(record, plan)):
			slots <- struct{}{}
			contain.Go("reading back", func() { keepSeen(ctx, t, record, lookAt(ctx, t, plan, record)) }, done)
		default:
			continue
		}
		learned = true
	}
	for range cap(slots) {
		slots <- struct{}{} // once all are free, all are done
	}
	return learned
}

// readLater is what a later read among the records shows of a change, as long as nothing else was done to the same
// thing; without a sight where none was made.
func readLater(plan *confirm.Plan, record *tooltrack.Record, later []*tooltrack.Record) (seen tooltrack.Confirmation) {
	call, err := plan.Call(record)
	for _, next := range later {
		if err != nil || isSameChanged(record, next) {
			break
		}
		if next.Tool == plan.Tool && next.Result.Status != tooltrack.Unknown && isSameArgs(next.Args, call.Args) {
			seen = plan.Judge(record, next.Result)
		}
	}
	return seen
}

// withLaterReads are records of messages, with what later reads among them show of changes.
func withLaterReads(g *Guard, earlier, records []*tooltrack.Record) (before, now []*tooltrack.Record) {
	all := slices.Concat(earlier, records)
	for i, record := range all {
		if plan := g.plans[record.Tool]; plan != nil && isUnread(record) {
			if seen := readLater(plan, record, all[i+1:]); seen.Sight != "" {
				all[i] = record.With(seen)
			}
		}
	}
	return all[:len(earlier):len(earlier)], all[len(earlier):]
}

// lookAt reads a change back until it is seen, or its tries or its time are over. What was changed again since is
// not contradicted by its later state.
func lookAt(ctx context.Context, t *Turn, plan *confirm.Plan, record *tooltrack.Record) tooltrack.Confirmation {
	ctx, cancel := context.WithTimeout(ctx, plan.Within)
	defer cancel()
	seen := tooltrack.Confirmation{Sight: tooltrack.NotConfirmed, By: plan.Tool, Reason: "its time was over"}
	for n := 0; n < plan.Tries && seen.Sight != tooltrack.Confirmed && ctx.Err() == nil; n++ {
		select {
		case <-time.After(plan.Delay):
			seen = plan.Judge(record, look(ctx, t, plan, record))
		case <-ctx.Done():
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	again := func(r *tooltrack.Record) bool { return r.Seq > record.Seq && isSameChanged(record, r) }
	if seen.Sight == tooltrack.Contradicted && slices.ContainsFunc(t.records, again) {
		seen.Sight = tooltrack.NotConfirmed
	}
	return seen
}

// isSameChanged reports whether another call has changed the same thing.
func isSameChanged(record, by *tooltrack.Record) bool {
	return by.Effect.MayChange() && by.Succeeded() && tooltrack.SameSubject(record, by)
}

// look reads the state that a change is about as a tool is run: contained, and left alone when its time is over.
func look(ctx context.Context, t *Turn, plan *confirm.Plan, record *tooltrack.Record) tooltrack.Result {
	p := &pending{call: record.Call, tool: &tooltrack.Tool{Name: record.Tool, Effect: tooltrack.Reads}}
	var executor Executor = ExecutorFunc(func(ctx context.Context, _ tooltrack.Call) ([]byte, error) {
		return plan.By(ctx, record)
	})
	t.mu.Lock()
	spent := t.seenBack.reads >= t.guard.budgets.ReadBacks
	if plan.By == nil {
		executor = t.seenBack.executor
	}
	if !spent {
		t.seenBack.reads++
	}
	t.mu.Unlock()
	if spent || isAbsent(executor) {
		return tooltrack.UnknownResult("no more is read in this turn")
	}
	if plan.By == nil {
		call, err := plan.Call(record)
		if err != nil {
			return tooltrack.UnknownResult(err.Error())
		}
		p.call, p.tool = call.WithID(), toolNamed(t.guard.tools, plan.Tool)
	}
	t.guard.runTool(carrying(ctx, t), p, executor)
	return p.result
}

// keepSeen stores what was read. A store that does not take it costs the memory of it, not the judgement.
func keepSeen(ctx context.Context, t *Turn, record *tooltrack.Record, seen tooltrack.Confirmation) {
	stored, err := t.stored("Ledger.Confirm", record.Tool, func() (*tooltrack.Record, error) {
		return t.track.Confirm(ctx, record, seen)
	})
	if err != nil {
		t.guard.hostFault(ctx, "Ledger.Confirm", err)
		stored = record.With(seen)
	}
	t.info(ctx, "change read back", "tool", record.Tool, "by", seen.By, "sight", string(seen.Sight))
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, list := range [][]*tooltrack.Record{t.earlier, t.records} {
		if at := slices.Index(list, record); at >= 0 {
			list[at] = stored
		}
	}
	_, shown := tooltrack.Settled(nil, []*tooltrack.Record{stored})
	for i := range t.batch {
		if p := &t.batch[i]; p.record == record && !t.guard.options.Observe {
			p.record, p.result = stored, shown[0].Result
		}
	}
}

// reconcileBy settles an earlier attempt of unknown fate by a read-back: what is not there was not done, and may be
// tried again.
func reconcileBy(t *Turn, tool string) tooltrack.Reconcile {
	plan := t.guard.plans[tool]
	if plan == nil || plan.When == tooltrack.NeverConfirm {
		return nil
	}
	return func(ctx context.Context, record *tooltrack.Record) (result tooltrack.Result, known bool, err error) {
		seen := lookAt(ctx, t, plan, record)
		result = record.With(seen).Result
		if seen.Sight == tooltrack.Contradicted {
			result = tooltrack.FailedResult(seen.Reason)
			result.Confirmation = &seen
		}
		return result, seen.Sight != tooltrack.NotConfirmed, nil
	}
}
