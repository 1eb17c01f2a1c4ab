package guard

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var (
	// ErrNoTools is returned before any model call when no tool is bound: a model without
	// tools can only pretend. A request without tools passes through [Guard.Wrap] unjudged.
	ErrNoTools = errors.New("no tools are bound; pass the tools that the model may call")
	// ErrNoContext, ErrNoModel, ErrNoExecutor and ErrNoMessage are returned where
	// something that a turn needs was not given.
	ErrNoContext  = errors.New("the context is nil; pass that of the request, or context.Background()")
	ErrNoModel    = errors.New("the model is nil; pass the client that answers")
	ErrNoExecutor = errors.New("the executor is nil; pass what runs the tools")
	ErrNoMessage  = errors.New("the user's message is empty; set Input.User")
	// ErrToolNotTriggered matches every [*ToolNotTriggeredError] with errors.Is.
	ErrToolNotTriggered = errors.New("tool not triggered")
	// ErrInsufficientProgress matches every [*InsufficientProgressError] with errors.Is.
	ErrInsufficientProgress = errors.New("insufficient progress")
	// ErrDenied matches every [*DeniedError] with errors.Is.
	ErrDenied = errors.New("the call was denied")
	// ErrStopped matches every [*StoppedError] with errors.Is.
	ErrStopped = errors.New("the provider's answer is not whole")
	// ErrProvider matches every [*ProviderError] with errors.Is.
	ErrProvider = errors.New("the model could not be asked")
	// ErrToolNotOffered is a message that needs a tool which the guard was not told about:
	// the classifier expects what does not exist. No model was asked. If only this request
	// or mode leaves the tool out, there is no such error: the tool is not insisted on.
	ErrToolNotOffered = errors.New("the request needs a tool that is not offered")
	// ErrUnknownMode is an input of a mode that the guard was not given.
	ErrUnknownMode = errors.New("there is no such mode")
	// ErrUnknownCall is returned for a call that [Turn.Take] did not return, or that
	// has begun before.
	ErrUnknownCall = errors.New("the call is none that may run now; pass the calls that Take returned, each once")
	// ErrUnknownTool is a request that offers a tool which the guard was not told about: it
	// could not judge its calls.
	ErrUnknownTool = errors.New("the request offers a tool that the guard does not know")
	// ErrTurnReused is a message under a name ([Input].Turn) that stands for another message
	// of the same owner. No model was asked.
	ErrTurnReused = errors.New("the turn's name is that of another message")
	// ErrPausedVersion is a paused turn that another version of this package has written.
	// Nothing of it runs; propose it again in a new message.
	ErrPausedVersion = errors.New("the turn was paused by another version")
	// ErrHost matches every [*HostError] with errors.Is.
	ErrHost = errors.New("code of the host's own failed")
	// ErrTurnOpen is returned for the reply of a turn that has not ended.
	ErrTurnOpen = errors.New("the turn is still open; ask the model with Request and hand its answer to Take")
	// ErrTurnClosed is returned by the steps of a turn that has ended.
	ErrTurnClosed = errors.New("the turn has ended; begin a new one")
)

// ToolNotTriggeredError is a turn that ended without a call of a tool that the
// request needs, however often the model was asked.
type ToolNotTriggeredError struct {
	// Expected are the tools that were not called.
	Expected []string
	// Attempts is how often the model was asked, the first time included.
	Attempts int
	// Text is what the model said instead. It is not proven and not for users.
	Text string
	// Verdict is the last judgement of it.
	Verdict completion.Verdict
	TurnEnd
	// Cause is what kept the model from being asked again, if something did.
	Cause error
}

// Error names the tools and the number of attempts.
func (e *ToolNotTriggeredError) Error() string {
	return fmt.Sprintf("tool not triggered: expected %s, asked %s%s",
		strings.Join(e.Expected, ", "), times(e.Attempts), causeOf(e.Cause))
}

// Is makes errors.Is(err, ErrToolNotTriggered) true.
func (e *ToolNotTriggeredError) Is(target error) bool { return target == ErrToolNotTriggered }

// Unwrap is the cause.
func (e *ToolNotTriggeredError) Unwrap() error { return e.Cause }

// InsufficientProgressError is a turn whose text claims, promises or leaks what
// was not done, however often the model was corrected.
type InsufficientProgressError struct {
	// Verdict says what is wrong with the last text.
	Verdict completion.Verdict
	// Attempts is how often the model was asked, the first time included.
	Attempts int
	// Text is what the model said. It is not proven and not for users.
	Text string
	TurnEnd
	// Limit is set when the turn ended because a limit was reached rather than
	// because of its text, and says which.
	Limit string
	// Cause is what kept the model from being asked again, if something did.
	Cause error
}

// Error names the reason.
func (e *InsufficientProgressError) Error() string {
	if e.Limit != "" {
		return "insufficient progress: " + e.Limit + causeOf(e.Cause)
	}
	return fmt.Sprintf("insufficient progress: %s, asked %s%s", e.Verdict.Reason, times(e.Attempts), causeOf(e.Cause))
}

// Is makes errors.Is(err, ErrInsufficientProgress) true.
func (e *InsufficientProgressError) Is(target error) bool { return target == ErrInsufficientProgress }

// Unwrap is the cause.
func (e *InsufficientProgressError) Unwrap() error { return e.Cause }

// StoppedError is an answer that the provider cut off, filtered, refused or
// paused without end. It is never a completed turn, and asking again in other
// words does not help.
type StoppedError struct {
	// Stop is how it ended.
	Stop Stop
	// Refusal is the provider's own wording, where it gives one.
	Refusal string
	TurnEnd
}

// Error says how the answer ended.
func (e *StoppedError) Error() string {
	if e.Refusal != "" {
		return "the provider refused: " + e.Refusal
	}
	return fmt.Sprintf("the provider's answer is not whole: it was %s", e.Stop)
}

// Is makes errors.Is(err, ErrStopped) true.
func (e *StoppedError) Is(target error) bool { return target == ErrStopped }

// ProviderError is a model that could not be asked or whose answer could not be
// read.
type ProviderError struct {
	// Err is the model's own error.
	Err error
	TurnEnd
}

// Error is that of the model, without what looks like a secret in it: clients
// like to quote the URL that they asked, with its key.
func (e *ProviderError) Error() string { return "asking the model: " + shown(e.Err) }

// Is makes errors.Is(err, ErrProvider) true.
func (e *ProviderError) Is(target error) bool { return target == ErrProvider }

// Unwrap is the model's own error.
func (e *ProviderError) Unwrap() error { return e.Err }

// worded is an error of one of the kinds above in words of its own.
type worded struct {
	kind error
	text string
}

func wordedError(kind error, format string, args ...any) error {
	return &worded{kind, fmt.Sprintf(format, args...)}
}

func (e *worded) Error() string { return e.text }
func (e *worded) Unwrap() error { return e.kind }

// DeniedError is returned to a loop that tries to run a call which was not allowed. The
// model has already been told why.
type DeniedError struct {
	// Tool is the tool that was called, Rule the rule that refused it, and Reason
	// what the model is told.
	Tool, Rule, Reason string
	// TurnEnd is set where the call ended its turn.
	TurnEnd
}

// Error is the reason that the model is told.
func (e *DeniedError) Error() string { return e.Reason }

// Is makes errors.Is(err, ErrDenied) true.
func (e *DeniedError) Is(target error) bool { return target == ErrDenied }

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

func causeOf(err error) string {
	if err == nil {
		return ""
	}
	return " (" + shown(err) + ")"
}

// TurnEnd is what is known of a turn that an error has ended.
type TurnEnd struct {
	// Records are what did happen in the turn, and Account says it to people.
	Records []*tooltrack.Record
	Account string
}

func (e *TurnEnd) turnEnd() *TurnEnd { return e }

// ending is an error that ends a turn.
type ending interface {
	error
	turnEnd() *TurnEnd
}

// AccountOf is the honest account that an error of this package carries, for
// those who see only the error; empty if it carries none.
func AccountOf(err error) string {
	var ended ending
	if !errors.As(err, &ended) {
		return ""
	}
	return ended.turnEnd().Account
}

// limitError is an error by which a limit ends a turn, with its rule.
type limitError interface {
	error
	limit() (rule string)
}

// HostError is code of the host's own that panicked, failed, or broke the
// contract of its interface where a turn cannot go on without it. Failures that
// a turn survives (of a classifier, a directory, a rule, a requirement, a
// logger) are counted in [Counters.HostFaults] and logged.
type HostError struct {
	// Callback names it: "Model.Generate", "Ledger.Begin", "Options.Key".
	Callback string
	// Err is the error that it returned, or one that says what it panicked with.
	Err error
}

// Error names the callback. What looks like a secret in the text is left out.
func (e *HostError) Error() string { return e.Callback + ": " + shown(e.Err) }

// Is makes errors.Is(err, ErrHost) true.
func (e *HostError) Is(target error) bool { return target == ErrHost }

// Unwrap is the callback's own error.
func (e *HostError) Unwrap() error { return e.Err }

// survive makes an error of a panic in the host's code: defer it around the call.
func survive(callback string, err *error) {
	if fault := recover(); fault != nil {
		*err = &HostError{callback, panicOf(fault)}
	}
}

// callHost calls code of the host's own that a turn cannot go on without: its error, and a
// panic in it, is a [*HostError].
func callHost[T any](callback string, call func() (T, error)) (result T, err error) {
	defer survive(callback, &err)
	if result, err = call(); err != nil {
		err = &HostError{callback, err}
	}
	return result, err
}

// isAbsent reports whether the host gave nothing to call: nil, or an interface that
// holds a nil pointer or function, which would panic when it is called.
func isAbsent(part any) bool {
	if part == nil {
		return true
	}
	switch value := reflect.ValueOf(part); value.Kind() {
	case reflect.Pointer, reflect.Func:
		return value.IsNil()
	}
	return false
}

// panicOf keeps an error that somebody panicked with, for errors.Is.
func panicOf(fault any) error {
	if err, ok := fault.(error); ok {
		return fmt.Errorf("panicked: %w", err)
	}
	return fmt.Errorf("panicked: %v", fault)
}

// shown is the text of an error as it may stand in another error's message:
// what looks like a secret is replaced. It survives an error whose own method
// panics, as that of a typed nil does.
func shown(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = "an error that cannot be printed"
		}
	}()
	return policy.HideSecrets(err.Error())
}

const (
	maxLogged = 300 // bytes of an error's text in the log
	maxName   = 60  // bytes of a name that a model made up
)

// printable makes one line of a text that others wrote, and cuts it.
func printable(text string, limit int) string { return policy.Printable(clip.Text(text, limit)) }

// clipped keeps a name short in a message, whoever made it up.
func clipped(name string) string { return clip.Text(name, maxName) }

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
