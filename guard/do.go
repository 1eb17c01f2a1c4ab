package guard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Do runs one of the calls that Take returned: it is written into the ledger, executed and recorded. A change that
// the ledger has seen before is not run again: the record of the first answers, and the model is told so. The error
// is that of the ledger or of the context, never that of the tool: a tool that fails is a record, too. A call that
// was denied returns its record and a [*DeniedError]. Without a function to run, nothing is begun: [ErrNoExecutor].
func (t *Turn) Do(
	ctx context.Context, call tooltrack.Call, run func(context.Context, tooltrack.Call) ([]byte, error),
) (*tooltrack.Record, error) {
	if run == nil {
		return nil, ErrNoExecutor
	}
	p, err := t.do(ctx, call, ExecutorFunc(run))
	if p == nil {
		return nil, err
	}
	return p.record, err
}

// do is Do, and returns the call with what the model is to read of it.
func (t *Turn) do(ctx context.Context, call tooltrack.Call, executor Executor) (*pending, error) {
	if ctx == nil {
		return nil, ErrNoContext
	}
	p, err := t.claim(call, executor)
	if err != nil {
		return nil, err
	}
	if p.ruling.Denied {
		return p, cmp.Or(t.recordDenied(ctx, p.batch[:p.at+1]), error(p.deniedError()))
	}
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if p.phase == running {
			p.phase = returned
		}
	}()
	if p.isWaiting() {
		return p, t.heldBy(nil, "")
	}
	if err := t.execute(ctx, executor, p); err != nil {
		return p, err
	}
	if ruling := p.record.Ruling; ruling.Denied { // once it had begun
		return p, &DeniedError{Tool: p.record.Tool, Rule: ruling.Rule, Reason: ruling.Reason}
	}
	return p, nil
}

// claim finds the call in the current batch and marks it as begun, so that a loop which runs a call twice gets the
// second one refused. The calls of frameworks that lose ids are known by tool and arguments, however those are
// spelled by now: such frameworks decode them and write them anew.
func (t *Turn) claim(call tooltrack.Call, executor Executor) (*pending, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seenBack.executor = executor
	err := fmt.Errorf("%w: there is no call %q of %s", ErrUnknownCall, clipped(call.ID), clipped(call.Tool))
	for i := range t.batch {
		p := &t.batch[i]
		if p.call.ID != call.ID && (call.ID != "" || p.call.Tool != call.Tool || !isSameArgs(p.call.Args, call.Args)) {
			continue
		}
		if p.phase == notBegun || p.ruling.Denied {
			p.phase = running
			return p, nil
		}
		err = fmt.Errorf("%w: %q was begun before", ErrUnknownCall, clipped(call.ID))
	}
	return nil, err
}

// runBegun runs a call that is written down, unless an earlier one answers for it or its rate is spent.
func (t *Turn) runBegun(ctx context.Context, p *pending, executor Executor, begun tooltrack.Begun) error {
	switch {
	case begun.Record == nil:
		return nil
	case begun.Run:
		if decision := askLimiter(ctx, t, p.call); !decision.Allowed() {
			return t.denyBegun(ctx, p, begun.Record, decision)
		}
	case !t.guard.options.Observe:
		t.answerFrom(ctx, p, begun)
		return nil
	}
	t.guard.runTool(t.Context(ctx), p, executor)
	if begun.Run {
		return t.complete(ctx, p, begun.Record)
	}
	// Observed only: the repeat ran, and the first record stands.
	t.measure(ctx, "call repeated", "no second run of "+begun.Record.Tool,
		"tool", begun.Record.Tool, "rule", "at_most_once")
	p.record = begun.Record
	return nil
}

// denyBegun gives a call whose rate is spent the record that says so.
func (t *Turn) denyBegun(ctx context.Context, p *pending, begun *tooltrack.Record, decision policy.Decision) error {
	record, err := t.stored("Ledger.Finish", p.call.Tool, func() (*tooltrack.Record, error) {
		return t.track.Deny(ctx, begun, decision.Rule, decision.Reason)
	})
	if err == nil {
		t.conclude(p, record)
		t.reviewed(ctx, &pending{call: p.call, ruling: record.Ruling})
	}
	return err
}

// start writes a call down before it runs. There is no record of one that does not run.
func (t *Turn) start(ctx context.Context, p *pending) (tooltrack.Begun, error) {
	if !p.isRunnable() || ctx.Err() != nil {
		return tooltrack.Begun{}, ctx.Err()
	}
	options, err := t.callOptions(p)
	if err != nil {
		return tooltrack.Begun{}, err
	}
	if err := t.recordDenied(ctx, p.batch[:p.at+1]); err != nil {
		return tooltrack.Begun{}, err
	}
	begun, err := t.begin(ctx, p, &options)
	if err != nil {
		return begun, fmt.Errorf("recording a call of %s before it runs: %w", p.call.Tool, err)
	}
	_ = t.recordDenied(ctx, t.untilApproved(p.batch[p.at+1:])) // settle tries again, and tells
	t.mu.Lock()
	p.begun = begun.Record
	t.mu.Unlock()
	return begun, nil
}

// answerFrom lets an earlier record stand for a call that does not run.
func (t *Turn) answerFrom(ctx context.Context, p *pending, begun tooltrack.Begun) {
	t.conclude(p, begun.Record)
	t.guard.counters.note(func(sum *Counters) { sum.Repeated++ })
	t.info(ctx, "call not repeated", "tool", p.record.Tool, "rule", "at_most_once", "status", p.result.Status.String())
	p.repeat = t.repeatText(begun)
}

// complete writes down what came of a call.
func (t *Turn) complete(ctx context.Context, p *pending, begun *tooltrack.Record) error {
	record, err := t.stored("Ledger.Finish", begun.Tool, func() (*tooltrack.Record, error) {
		record, err := t.track.Finish(ctx, begun, p.result, t.touched(p, p.result)...)
		if err == nil && record != nil && record.Result.Status != p.result.Status {
			err = errOtherRecord
		}
		return record, err
	})
	if err != nil {
		t.unrecorded(p, begun)
		return fmt.Errorf("recording the result of %s: %w", p.call.Tool, err)
	}
	t.conclude(p, record)
	if t.guard.isHeard() {
		t.debug(ctx, "call executed", "tool", record.Tool, "status", record.Result.Status.String())
	}
	return nil
}

// callOptions say more about a call to the ledger. Without the name that the host would have given it, a call could
// run twice, so it does not run at all.
func (t *Turn) callOptions(p *pending) (options tooltrack.CallOptions, err error) {
	defer survive("Options.Key", &err)
	options = p.options(t.said.Retry)
	options.Distinct = t.isNamedApart(p.call)
	if t.guard.options.Key != nil {
		options.Key = t.guard.options.Key(t.input, p.call)
	}
	return options, nil
}

// touched are the entities of a call: what was resolved, or what a result says that it created or changed.
func (t *Turn) touched(p *pending, result tooltrack.Result) []tooltrack.Subject {
	if !p.tool.Effect.MayChange() || !result.Success() {
		return p.touched
	}
	found := subjectIn(result.Data)
	if found.ID == "" && found.Title == "" {
		return p.touched
	}
	found.Kind = p.tool.Subject.Kind
	if len(p.touched) == 0 {
		return []tooltrack.Subject{found}
	}
	if first := p.touched[0]; first.Title == "" && (found.ID == "" || found.ID == first.ID) {
		first.Title = found.Title
		return append([]tooltrack.Subject{first}, p.touched[1:]...)
	}
	return p.touched
}

// repeatText tells the model that a call was not run, which call answers for it and why. It begins with words by
// which those who see only the messages know that nothing was done.
func (l *ledgerView) repeatText(begun tooltrack.Begun) string {
	which := "an earlier call"
	if number := l.number(begun.Record); number > 0 {
		which = fmt.Sprintf("#%d", number)
	}
	text := fmt.Sprintf("%s identical to %s: %s.", tooltrack.NotRunAgain, which, begun.Reason)
	if begun.Record.Done() {
		text += " Its result was: " + resultText(begun.Record.Result)
	}
	return text
}

// number is the place of a record among those of the conversation, earlier turns first, counted from 1; 0 if it is
// not among them.
func (l *ledgerView) number(record *tooltrack.Record) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	same := func(other *tooltrack.Record) bool { return other.Seq == record.Seq }
	if at := slices.IndexFunc(l.earlier, same); at >= 0 {
		return at + 1
	}
	if at := slices.IndexFunc(l.records, same); at >= 0 {
		return len(l.earlier) + at + 1
	}
	return 0
}

// contain runs a step of executing a call.
func (t *Turn) contain(ctx context.Context, p *pending, step func() error) (err error) {
	if fault := contain.Do("executing", func() { err = step() }); fault != nil {
		return t.executedUnrecorded(ctx, p, fault)
	}
	return err
}

// executedUnrecorded is the error of a call whose recording panicked: it may have run.
func (t *Turn) executedUnrecorded(ctx context.Context, p *pending, fault *contain.Panic) error {
	t.guard.panicked(ctx, fault)
	t.mu.Lock()
	begun := p.begun
	t.mu.Unlock()
	if begun != nil && p.record == nil {
		t.unrecorded(p, begun)
	}
	return unjudgedError(fault)
}

// unrecorded notes a call that ran, or may have, and whose fate is not on record.
func (l *ledgerView) unrecorded(p *pending, begun *tooltrack.Record) {
	p.record, p.result = begun, tooltrack.UnknownResult("the result could not be recorded")
	l.rememberOf(p, begun)
}

// begin writes a call down before it runs.
func (t *Turn) begin(
	ctx context.Context, p *pending, options *tooltrack.CallOptions,
) (begun tooltrack.Begun, err error) {
	options.Message, options.Reconcile = t.digest, reconcileBy(t, p.call.Tool)
	tool := t.asJob(*p.tool, p.call)
	_, err = t.stored("Ledger.Begin", p.call.Tool, func() (*tooltrack.Record, error) {
		begun, err = t.track.Begin(ctx, tool, p.call, options)
		return begun.Record, err
	})
	return begun, err
}

// runTool executes a call and sets its result. Without a way to cancel it there is nothing to wait for beside it,
// so it runs on the spot. A tool whose time is up is waited for a little longer.
func (g *Guard) runTool(ctx context.Context, p *pending, executor Executor) {
	p.beside = new(attachments)
	ctx = context.WithValue(ctx, attachmentsKey{}, p.beside)
	if g.options.ToolTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, g.options.ToolTimeout)
		defer cancel()
	}
	tool, call := p.tool, p.call         // the tool may outlive its call
	execute := func() tooltrack.Result { // it survives an executor that panics, or is none
		return tooltrack.Execute(ctx, tool, call, func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
			return executor.Execute(ctx, call)
		}, g.options.Results)
	}
	if ctx.Done() == nil {
		p.result = execute()
		return
	}
	done := make(chan tooltrack.Result, 2) // the first one counts
	contain.Go("running a tool", func() { done <- execute() }, func(fault *contain.Panic) {
		if fault != nil {
			g.panicked(ctx, fault)
		}
		done <- tooltrack.UnknownResult("the tool ended its goroutine")
	})
	select {
	case p.result = <-done:
		return
	case <-ctx.Done():
	}
	grace := time.NewTimer(g.options.AbandonAfter)
	defer grace.Stop()
	select {
	case p.result = <-done:
	case <-grace.C:
		g.counters.note(func(sum *Counters) { sum.Abandoned++ })
		g.Note(ctx, "tool abandoned", "tool", call.Tool)
		p.result = tooltrack.UnknownResult(
			"the tool did not stop when its time was up; it is not known whether it took effect")
	}
}
