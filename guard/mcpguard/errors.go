package mcpguard

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// The kinds of a [*CallError], for errors.Is.
var (
	// ErrFailed is a tool that ran and reported an error.
	ErrFailed = errors.New("the tool reported an error")
	// ErrRefused is a server that answered with a protocol error.
	ErrRefused = errors.New("the server refused the call")
	// ErrNotSent is a call that did not leave this program.
	ErrNotSent = errors.New("the call was not sent")
	// ErrLost is a call whose answer was lost with the connection.
	ErrLost = errors.New("the answer was lost")
	// ErrCancelled is a call that was cancelled, or whose time was up.
	ErrCancelled = errors.New("the call was cancelled")
	// ErrInputRequired is a tool that asks people something first, on a client
	// that does not answer.
	ErrInputRequired = errors.New("the tool needs input from the user first")
	// ErrUnknownTool is a call of a tool that no server offers.
	ErrUnknownTool = errors.New("no server offers this tool")
)

var (
	// ErrNoSession is returned for a session that is nil.
	ErrNoSession = errors.New("the session is nil; pass the one that Client.Connect returned")
	// ErrList is what a [*ListError] is.
	ErrList = errors.New("the server's tools cannot be listed or used")
)

// CallError is a call that did not succeed. Where it is not known whether it
// took effect, errors.Is(err, tooltrack.ErrOutcomeUnknown) is true.
type CallError struct {
	// Server is the name under which the server was added, and Tool the name that
	// the server gives the tool.
	Server, Tool string
	// Kind is one of ErrFailed, ErrRefused, ErrNotSent, ErrLost, ErrCancelled,
	// ErrInputRequired and ErrUnknownTool.
	Kind error
	// Reason is the tool's or the server's own wording, where there is one.
	Reason string
	// Err is the session's own error.
	Err error

	reads bool // the tool only reads, so nothing can have taken effect
}

// Error is written for the model that made the call: a tool's own words where
// it reported an error, and otherwise what happened.
func (e *CallError) Error() string {
	switch {
	case e.Kind == ErrFailed && e.Reason != "":
		return e.Reason
	case e.Reason != "":
		return e.Kind.Error() + ": " + policy.HideSecrets(e.Reason)
	case e.Err != nil:
		return e.Kind.Error() + ": " + policy.HideSecrets(e.Err.Error())
	}
	return e.Kind.Error()
}

// Is makes errors.Is true for the kind, and for tooltrack.ErrOutcomeUnknown where
// it is not known whether the call took effect.
func (e *CallError) Is(target error) bool {
	if target == tooltrack.ErrOutcomeUnknown {
		return !e.reads && (e.Kind == ErrLost || e.Kind == ErrCancelled)
	}
	return target == e.Kind
}

// Unwrap is the session's own error.
func (e *CallError) Unwrap() error { return e.Err }

// ListError is a server whose tools could not be listed, or one of its tools that
// cannot be described. [Options.Describe] corrects it or leaves it out, and
// [Servers.Remove] lets other servers go on without this one.
type ListError struct {
	// Server is the name under which the server was added, and Tool the name that
	// the server gives the tool; empty where it is not about one tool.
	Server, Tool string
	// Err is the session's own error, or what is wrong with the tool.
	Err error
}

// Error names the server or the tool, and what is wrong.
func (e *ListError) Error() string {
	if e.Tool == "" {
		return fmt.Sprintf("the tools of server %q cannot be listed: %v", e.Server, e.Err)
	}
	return fmt.Sprintf("the server's tool %q cannot be used: %v", clipped(e.Tool), e.Err)
}

// Is makes errors.Is(err, ErrList) true.
func (e *ListError) Is(target error) bool { return target == ErrList }

// Unwrap says what is wrong.
func (e *ListError) Unwrap() error { return e.Err }

// Codes of errors that do not come from the tool. The first three are made by
// the SDK on this side of the connection; with the last two, gateways pass on
// that the connection to the server behind them was lost, or that it took too
// long to answer.
const (
	codeClientClosing    = -32003
	codeServerClosing    = -32004
	codeRejected         = -32005
	codeConnectionClosed = -32000
	codeRequestTimeout   = -32001
)

// kindOf tells what an error of a session means for the call. What is not an
// answer of the server, and was not stopped before it could leave, is lost: the
// SDK takes every failed request for one that did not arrive, but the connection
// may as well have broken on the way back.
func kindOf(ctx context.Context, err error) (reason string, kind error) {
	var answer *jsonrpc.Error
	var dial *net.OpError
	switch {
	case ctx.Err() != nil:
		return "", ErrCancelled
	case errors.As(err, &dial) && dial.Op == "dial":
		return "", ErrNotSent
	case !errors.As(err, &answer):
		return "", ErrLost
	}
	switch answer.Code {
	case codeClientClosing, codeServerClosing, codeRejected, codeConnectionClosed, codeRequestTimeout:
		return "", ErrLost
	}
	return answer.Message, ErrRefused
}

// clipped keeps messages short, whatever a server sent.
func clipped(s string) string { return clip.Text(s, 60) }
