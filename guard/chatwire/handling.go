package chatwire

import (
	"cmp"
	"context"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
)

// Handling says how one request is handled, for gateways: their clients have tools of their own,
// and somebody wants to know what became of each request. Zero fields leave things as they are.
type Handling struct {
	// Context takes the place of the request's own, from which it should be made:
	// see [guard.NewContext].
	Context context.Context
	// Guard takes the place of the one that [Transport] or [Middleware] was given.
	Guard *guard.Guard
	// Model wraps the model, to see what it is asked and what it answers. What the
	// format cannot do still holds, unless the model says so itself ([guard.Capable]).
	Model func(guard.Model) guard.Model
	// End hears what the request came to: the answer that was handed out, or why there is none. It
	// is called once for each request, for one that is only observed after its last byte.
	End func(guard.Response, error)
}

// begin finds out what a request goes on from, and how it is handled. The host is asked with what
// this process knows; it may name an owner, whose ledger knows more.
func (c *conversation) begin() error {
	asked := c.parsed
	if err := c.goOn(asked); err != nil {
		return err
	}
	owner := ownerOf(c.request.Context())
	if err := c.handle(); err != nil {
		return err
	}
	if ownerOf(c.request.Context()) != owner {
		if err := c.goOn(asked); err != nil {
			return err
		}
	}
	if c.parsed.held != notHeld && len(c.parsed.Tools) == 0 {
		c.parsed.Tools = c.handling.Guard.Tools()
	}
	if c.parsed.held == runByProvider { // what is claimed is judged, and nothing insisted on
		c.parsed.Choice = guard.Choice{Mode: guard.ChooseNone}
	}
	if unknown := c.parsed.unknownCall(); unknown != "" {
		return fmt.Errorf("%w: the call %q that it answers is not known here; send the call with its result, or name "+
			"the owner in the context (guard.NewContext), so that the ledger remembers it", ErrUnguarded, clipped(unknown))
	}
	c.body = c.parsed.body.body
	return nil
}

var errNoGuard = fmt.Errorf("%w: nobody named a guard for its tools; pass one, or name it in Options.Handle",
	ErrUnguarded)

// handle asks the host how to handle the request.
func (c *conversation) handle() (err error) {
	if c.shell.options.Handle == nil {
		if c.handling.Guard == nil {
			return errNoGuard
		}
		return nil
	}
	defer hostPanic("chatwire.Options.Handle", &err)
	said, err := c.shell.options.Handle(c.request.Context(), c.parsed)
	if err != nil {
		return &guard.HostError{Callback: "chatwire.Options.Handle", Err: err}
	}
	if said.Guard = cmp.Or(said.Guard, c.handling.Guard); said.Guard == nil {
		return errNoGuard
	}
	if said.Context != nil {
		c.request = c.request.WithContext(said.Context)
	}
	c.handling = said
	return nil
}

// judge lets the guard conduct a model, and tells the host what came of it.
func (c *conversation) judge(ctx context.Context, model guard.Model) (answer guard.Response, err error) {
	defer func() { c.end(answer, err) }()
	if model, err = c.wrapped(model); err != nil {
		return answer, err
	}
	return c.handling.Guard.Wrap(model).Generate(ctx, c.parsed.Request)
}

func (c *conversation) wrapped(model guard.Model) (_ guard.Model, err error) {
	if c.handling.Model == nil {
		return model, nil
	}
	defer hostPanic("chatwire.Handling.Model", &err)
	made := c.handling.Model(model)
	if _, can := made.(guard.Capable); made == nil || can {
		return made, nil
	}
	return limitedModel{made, c}, nil
}

// limitedModel is a model of the host's with the limits of the format.
type limitedModel struct {
	guard.Model
	guard.Capable
}

func (c *conversation) end(answer guard.Response, err error) {
	if c.handling.End == nil {
		return
	}
	defer func() { _ = recover() }() // who only listens must not end a turn
	c.handling.End(answer, err)
}

// hostPanic makes an error of a panic in the host's code.
func hostPanic(callback string, err *error) {
	if fault := recover(); fault != nil {
		*err = &guard.HostError{Callback: callback, Err: fmt.Errorf("panicked: %v", fault)}
	}
}
