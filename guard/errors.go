package guard

import (
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
	// ErrNoTools is returned before any model call when no tool is bound: a model without tools can only pretend. A
	// request without tools passes through [Guard.Wrap] unjudged.
	ErrNoTools = errors.New("no tools are bound; pass the tools that the model may call")
	// ErrNoContext, ErrNoModel, ErrNoExecutor and ErrNoMessage are returned where something that a turn needs was
	// not given.
	ErrNoContext  = errors.New("the context is nil; pass that of the request, or context.Background()")
	ErrNoModel    = errors.New("the model is nil; pass the client that answers")
	ErrNoExecutor = errors.New("the executor is nil; pass what runs the tools")
	ErrNoMessage  = errors.New("the user's message is empty; set Input.User")
	// ErrToolNotTriggered is a turn that ended without a call of a tool that the request needs, however often the
	// model was asked.
	ErrToolNotTriggered = errors.New("tool not triggered")
	// ErrInsufficientProgress is a turn whose text claims, promises or leaks what was not done, however often the
	// model was corrected, or that has reached a limit.
	ErrInsufficientProgress = errors.New("insufficient progress")
	// ErrStopped is an answer that the provider cut off, filtered, refused or paused without end. It is never a
	// completed turn, and asking again does not help.
	ErrStopped = errors.New("the provider's answer is not whole")
	// ErrProvider is a model that could not be asked or whose answer could not be read.
	ErrProvider = errors.New("the model could not be asked")
	// ErrDenied is a call that was not allowed, or a turn that it ended.
	ErrDenied = errors.New("the call was denied")
	// ErrLoop is a turn whose model makes the same calls again and again, with the same results, and went on after
	// it was told so. It is an [ErrInsufficientProgress], too.
	ErrLoop = errors.New("the turn goes in circles")
	// ErrBudget is a turn that has used up what it, or its owner on this day, may spend.
	ErrBudget = errors.New("the budget is spent")
	// ErrHeld is a turn with a call that a person has to approve. The turn is not over: once its Approvals are
	// answered ([tooltrack.Ledger.Answer]), [Guard.Resume] goes on with it, in this process or another. The reply
	// beside the error says what waits. Its messages have a result for every call; replace them by those of the
	// resumed turn.
	ErrHeld = errors.New("the turn waits for a person's approval")
	// ErrUnjudged is a turn in which code of the guard's own panicked. It is a fault of this library: please report
	// it with the stack, which is logged. A text whose claims would take too much work to be held against the
	// records is not judged, either.
	ErrUnjudged = errors.New("the answer could not be judged")
	// ErrToolNotOffered is a message that needs a tool which the guard was not told about: the classifier expects
	// what does not exist. No model was asked. If only this request or mode leaves the tool out, there is no such
	// error: the tool is not insisted on.
	ErrToolNotOffered = errors.New("the request needs a tool that is not offered")
	// ErrUnknownMode is an input of a mode that the guard was not given.
	ErrUnknownMode = errors.New("there is no such mode")
	// ErrUnknownCall is returned for a call that [Turn.Take] did not return, or that has begun before.
	ErrUnknownCall = errors.New("the call is none that may run now; pass the calls that Take returned, each once")
	// ErrUnknownTool is a request that offers a tool which the guard was not told about: it could not judge its
	// calls.
	ErrUnknownTool = errors.New("the request offers a tool that the guard does not know")
	// ErrTurnReused is a message under a name ([Input].Turn) that stands for another message of the same owner. No
	// model was asked.
	ErrTurnReused = errors.New("the turn's name is that of another message")
	// ErrPausedVersion is a paused turn that another version of this package has written. Nothing of it runs;
	// propose it again in a new message.
	ErrPausedVersion = errors.New("the turn was paused by another version")
	// ErrHost matches every [*HostError] with errors.Is.
	ErrHost = errors.New("code of the host's own failed")
	// ErrTurnOpen is returned for the reply of a turn that has not ended.
	ErrTurnOpen = errors.New("the turn is still open; ask the model with Request and hand its answer to Take")
	// ErrTurnClosed is returned by the steps of a turn that has ended.
	ErrTurnClosed = errors.New("the turn has ended; begin a new one")
)

// TurnError is a turn that has ended without an answer that may be shown. errors.Is tells its kind, and the fields
// say what is known of it.
type TurnError struct {
	// Kind is one of the errors above: [ErrToolNotTriggered], [ErrInsufficientProgress], [ErrStopped],
	// [ErrProvider], [ErrDenied], [ErrLoop], [ErrBudget], [ErrHeld] or [ErrUnjudged].
	Kind error
	// Reason says more: what is wrong with the text, or which limit was reached.
	Reason string
	// Owner and Turn name the turn.
	Owner, Turn string
	// Tools are those that were not called, or that make up a circle, in their order.
	Tools []string
	// Attempts is how often the model was asked, the first time included; of a circle, how often it was gone
	// through.
	Attempts int
	// Text is what the model said. It is not proven and not for users.
	Text string
	// Verdict is the last judgement of it.
	Verdict completion.Verdict
	// Stop is how an answer ended that is not whole.
	Stop Stop
	// Approvals are what a turn waits for that is not over: see [ErrHeld].
	Approvals []*tooltrack.Approval
	// Records are what did happen in the turn, and Account says it to people.
	Records []*tooltrack.Record
	Account string
	// Cause is the error that ended the turn, or that kept the model from being asked again; nil if there is none.
	// Of [ErrBudget] it is a [*BudgetError], of [ErrDenied] a [*DeniedError].
	Cause error
}

// Error names the kind, the reason and the cause. What looks like a secret is left out: clients like to quote the
// URL that they asked, with its key. So is what code panicked with, which may quote a message.
func (e *TurnError) Error() string {
	said, cause := []string{e.Kind.Error()}, ""
	if e.Cause != nil && e.Kind != ErrUnjudged {
		cause = shown(e.Cause)
	}
	if e.Reason != "" && cause != "" {
		cause = " (" + cause + ")"
	}
	if more := e.Reason + cause; more != "" {
		said = append(said, more)
	}
	return strings.Join(said, ": ")
}

// Is knows the kind. A turn that goes in circles makes no progress, either.
func (e *TurnError) Is(target error) bool {
	return target == e.Kind || e.Kind == ErrLoop && target == ErrInsufficientProgress
}

// Unwrap is the cause.
func (e *TurnError) Unwrap() error { return e.Cause }

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

// DeniedError is returned to a loop that tries to run a call which was not allowed. The model has already been told
// why.
type DeniedError struct {
	// Tool is the tool that was called, Rule the rule that refused it, and Reason what the model is told.
	Tool, Rule, Reason string
}

// Error is the reason that the model is told.
func (e *DeniedError) Error() string { return e.Reason }

// Is makes errors.Is(err, ErrDenied) true.
func (e *DeniedError) Is(target error) bool { return target == ErrDenied }

// AccountOf is the honest account that an error of this package carries, for those who see only the error; empty if
// it carries none.
func AccountOf(err error) string {
	var ended *TurnError
	if !errors.As(err, &ended) {
		return ""
	}
	return ended.Account
}

// HostError is code of the host's own that panicked, failed, or broke the contract of its interface where a turn
// cannot go on without it. Failures that a turn survives (of a classifier, a directory, a rule, a requirement, a
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

// callHost calls code of the host's own that a turn cannot go on without: its error, and a panic in it, is a
// [*HostError].
func callHost[T any](callback string, call func() (T, error)) (result T, err error) {
	defer survive(callback, &err)
	if result, err = call(); err != nil {
		err = &HostError{callback, err}
	}
	return result, err
}

// isAbsent reports whether the host gave nothing to call: nil, or an interface that holds a nil pointer or
// function, which would panic when it is called.
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

// shown is the text of an error as it may stand in another error's message: what looks like a secret is replaced.
// It survives an error whose own method panics, as that of a typed nil does.
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

// unjudgedError is the error of a fault, named by the stage that [Counters.Panics] counts by.
func unjudgedError(fault *contain.Panic) *TurnError {
	reason := "a fault of the guard in " + fault.Stage
	if errors.Is(fault, match.ErrTooMuch) {
		reason = match.ErrTooMuch.Error()
	}
	return &TurnError{Kind: ErrUnjudged, Reason: reason, Cause: fault}
}
