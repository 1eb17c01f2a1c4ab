package guard

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
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
