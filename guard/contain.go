package guard

import (
	"context"
	"errors"

	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Code of ours that panics must not end the host, and must not be a way past the guard:
// what could not be judged is withheld, what could not be reviewed does not run, and
// what could not be recorded is of unknown fate. A guard that only observes hands
// everything on as it came.

// ErrUnjudged matches every [*UnjudgedError] with errors.Is.
var ErrUnjudged = errors.New("the answer could not be judged")

// UnjudgedError is a turn in which code of the guard's own panicked. It is a fault of
// this library: please report it with the stack, which is logged. A text whose claims would
// take too much work to be held against the records is not judged, either.
type UnjudgedError struct {
	// Stage names the code that panicked; [Counters.Panics] counts by it.
	Stage string
	// Text is what the model said. It is not judged and not for users.
	Text string
	TurnEnd
	// Err says what it panicked with.
	Err error
}

// Error names the stage. What it panicked with may quote a message, and is left out.
func (e *UnjudgedError) Error() string {
	if errors.Is(e.Err, match.ErrTooMuch) {
		return "the answer could not be judged: " + match.ErrTooMuch.Error()
	}
	return "the answer could not be judged: a fault of the guard in " + e.Stage
}

// Is makes errors.Is(err, ErrUnjudged) true.
func (e *UnjudgedError) Is(target error) bool { return target == ErrUnjudged }

// Unwrap says what it panicked with.
func (e *UnjudgedError) Unwrap() error { return e.Err }

// Contain runs code of an adapter, such as one for a wire format. A panic in it does not
// reach the host: it is counted, logged and returned as an [*UnjudgedError], and the
// adapter withholds what it could not judge, unless the guard only observes.
func (g *Guard) Contain(ctx context.Context, stage string, run func()) error {
	if ctx == nil {
		return ErrNoContext
	}
	fault := contain.Do(stage, run)
	if fault == nil {
		return nil
	}
	if g != nil { // an adapter may get its guard with a request
		g.panicked(ctx, fault)
	}
	return unjudgedError(fault)
}

// contained runs a stage and returns its panic, which is counted, and logged with its
// stack.
func (g *Guard) contained(ctx context.Context, stage string, run func()) *contain.Panic {
	fault := contain.Do(stage, run)
	if fault != nil {
		g.panicked(ctx, fault)
	}
	return fault
}

func (g *Guard) panicked(ctx context.Context, fault *contain.Panic) {
	g.counters.note(func(sum *Counters) { sum.Panics[fault.Stage]++ })
	g.warn(ctx, "the guard itself panicked", "stage", fault.Stage, "stack", string(fault.Stack))
}

// unjudgedError is the error of a fault where there is no turn to tell of.
func unjudgedError(fault *contain.Panic) *UnjudgedError {
	return &UnjudgedError{Stage: fault.Stage, Err: fault}
}

// ranUnrecorded notes a call whose recording panicked: it may have run.
func (l *ledgerView) ranUnrecorded(p *pending) {
	l.mu.Lock()
	begun := p.begun
	l.mu.Unlock()
	if begun == nil || p.record != nil {
		return
	}
	p.record, p.result = begun, tooltrack.UnknownResult("the result could not be recorded")
	l.rememberOf(p, begun)
}

// seen keeps the last answer of a model, for a guard that only observes and has to hand
// on what it could not judge.
type seen struct {
	Model
	answered bool
	response Response
	err      error
}

// Capabilities are those of the model.
func (s *seen) Capabilities() Capabilities {
	if capable, can := s.Model.(Capable); can {
		return capable.Capabilities()
	}
	return Capabilities{}
}

// Generate asks the model.
func (s *seen) Generate(ctx context.Context, request Request) (Response, error) {
	s.response, s.err = s.Model.Generate(ctx, request)
	s.answered = true
	return s.response, s.err
}
