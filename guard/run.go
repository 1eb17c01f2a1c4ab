package guard

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Run is a whole turn: it asks the model, reviews and executes its calls, and judges its
// text, until a text passes or a budget is spent. A turn that fails returns a typed error,
// and beside it a reply with the honest account. So does a turn that could not begin,
// because its input is not valid, a tool that the message needs is not offered, or the
// context had ended.
func (g *Guard) Run(ctx context.Context, model Model, executor Executor, input Input) (*Reply, error) {
	return runTurn(ctx, g, model, executor, input, nil)
}

func runTurn(
	ctx context.Context, g *Guard, model Model, executor Executor, input Input, heard *streaming,
) (*Reply, error) {
	if err := given(model, executor); err != nil {
		return g.unbegun(err), err
	}
	t, err := g.Begin(ctx, input)
	if err != nil {
		return g.unbegun(err), err
	}
	return t.loop(ctx, model, executor, heard)
}

// loop asks the model and runs its calls until the turn ends, or whoever hears of it has left;
// heard is nil where nobody does.
func (t *Turn) loop(ctx context.Context, model Model, executor Executor, heard *streaming) (*Reply, error) {
	t.Adapt(model)
	t.driver, t.readBacks.executor = guardLoop, executor
	if heard != nil {
		model = heard.begin(t, model)
	}
	for t.Open() && !heard.hasLeft() {
		heard.beginAnswer()
		request := t.next()
		if t.closed { // the ledger did not take what was denied
			break
		}
		response, err := t.ask(ctx, model, request)
		if heard.hasLeft() {
			err = context.Canceled
		}
		if err != nil {
			return t.Fail(err)
		}
		spent, before := t.spent, len(t.records)
		heard.calls(t.Take(ctx, response))
		if len(t.batch) > 0 && !heard.hasLeft() {
			t.executeAll(ctx, executor)
		}
		heard.endAnswer(spent, before)
	}
	return t.Reply()
}

// unbegun is the reply of a turn that did not begin.
func (g *Guard) unbegun(err error) *Reply {
	var held *TurnError
	if errors.As(err, &held) && held.Kind == ErrHeld {
		return &Reply{Text: held.Account, Records: held.Records, Turn: held.Turn}
	}
	return &Reply{Account: policy.HideSecrets(g.texts.headline(err)) + "\n" + g.texts.Nothing}
}

// given refuses a turn without the parts that it needs.
func given(model Model, executor Executor) error {
	switch {
	case isAbsent(model):
		return ErrNoModel
	case isAbsent(executor):
		return ErrNoExecutor
	}
	return nil
}

// ask asks the model once. A corrective call and a request for proof have a timeout of
// their own; when it runs out, the fault that was to be corrected is what is wrong with
// the turn, and of a proof only that is lost.
func (t *Turn) ask(ctx context.Context, model Model, request Request) (Response, error) {
	if err := ctx.Err(); err != nil {
		return Response{}, err
	}
	if err := overspent(ctx, t); err != nil {
		return Response{}, err
	}
	t.bound(ctx, request)
	limit := t.guard.options.ReaskTimeout
	if limit <= 0 || t.lastFault == nil && t.proving == nil {
		return t.generate(ctx, model, request)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	response, err := t.generate(limited, model, request)
	t.Context(ctx) // the limited one is over
	if err != nil && ctx.Err() == nil && limited.Err() != nil && t.lastFault != nil {
		return Response{}, t.errorFor(*t.lastFault, "", err)
	}
	return response, err
}

// generate asks the model in the form that it understands.
func (t *Turn) generate(ctx context.Context, model Model, request Request) (Response, error) {
	if t.caps.NoTools {
		request = asText(request)
	}
	asked := t.Context(ctx)
	if t.proving != nil || t.lastFault != nil {
		asked = context.WithValue(asked, askingKey{}, true)
	}
	response, err := generate(asked, model, request)
	if err == nil {
		err = t.oversized(response)
	}
	if t.caps.NoTools && err == nil {
		response = fromText(response)
	}
	return response, err
}

// executeAll runs the approved calls of the batch. Consecutive reads may run
// side by side; everything else waits for what is before it.
func (t *Turn) executeAll(ctx context.Context, executor Executor) {
	for i := 0; i < len(t.batch) && !t.closed; {
		last := i + 1
		for t.isReadAt(i) && last < len(t.batch) && t.isReadAt(last) {
			last++
		}
		if err := t.executeSome(ctx, executor, t.batch[i:last]); err != nil {
			t.fail(err)
			return
		}
		i = last
	}
}

func (t *Turn) isReadAt(i int) bool {
	return t.batch[i].tool.Effect == tooltrack.Reads && t.guard.options.Parallel > 1
}

// executeSome runs calls side by side. Each is written down before the next one
// is, so that the ledger has them in the order of the answer, however they are
// scheduled.
func (t *Turn) executeSome(ctx context.Context, executor Executor, calls []pending) error {
	if len(calls) == 1 {
		return t.executeOne(ctx, executor, &calls[0])
	}
	var (
		group sync.WaitGroup
		slots = make(chan struct{}, t.guard.options.Parallel)
		errs  = make([]error, len(calls))
	)
	for i := range calls {
		slots <- struct{}{}
		var begun tooltrack.Begun
		errs[i] = t.contain(ctx, &calls[i], func() (err error) {
			begun, err = t.startOne(ctx, &calls[i])
			return err
		})
		if errs[i] != nil {
			break
		}
		if begun.Record == nil {
			<-slots
			continue
		}
		group.Add(1)
		contain.Go("executing side by side", func() {
			errs[i] = t.executeBegun(ctx, executor, &calls[i], begun)
		}, func(fault *contain.Panic) {
			if fault != nil {
				errs[i] = t.executedUnrecorded(ctx, &calls[i], fault)
			}
			<-slots
			group.Done()
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *Turn) executeOne(ctx context.Context, executor Executor, p *pending) error {
	return t.contain(ctx, p, func() error {
		begun, err := t.startOne(ctx, p)
		if err != nil || begun.Record == nil {
			return err
		}
		return t.executeBegun(ctx, executor, p, begun)
	})
}

// startOne writes a call down before it runs. There is no record of a call that
// does not run.
func (t *Turn) startOne(ctx context.Context, p *pending) (begun tooltrack.Begun, err error) {
	if !p.isRunnable() {
		return begun, nil
	}
	if err := ctx.Err(); err != nil {
		return begun, err
	}
	return t.start(ctx, p)
}

func (t *Turn) executeBegun(ctx context.Context, executor Executor, p *pending, begun tooltrack.Begun) error {
	_, err := t.runBegun(ctx, p, executor, begun)
	return cmp.Or(err, ctx.Err()) // no new attempt after a cancellation
}

// Open reports whether the turn still needs the model.
//
// While a call waits for a person, it does not: once the others have run, the turn is
// paused, and Reply returns an [ErrHeld].
func (t *Turn) Open() bool {
	if !t.closed && t.isWaiting() && !t.hasRunnable() {
		t.pause(t.lastContext())
	}
	if !t.closed && !t.hasRunnable() {
		if err := overspent(t.lastContext(), t); err != nil {
			t.fail(err)
		}
	}
	return !t.closed
}

// askingKey marks the context of a request by which a guard asks for proof or
// for a correction. A guard further in leaves that exchange alone: it is known by
// this mark, which no message can carry, and not by its words.
type askingKey struct{}
