package tooltrack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
)

// ErrOutcomeUnknown is wrapped by an executor that cannot tell whether a call took effect, such
// as a request whose answer was lost. The call is recorded as [Unknown] and does not run again.
var ErrOutcomeUnknown = errors.New("it is not known whether the call took effect")

// NotDone is for an executor that knows that a call took no effect, whatever its error looks like:
// a transaction that was rolled back. The call is recorded as [Failed] and may be tried again.
func NotDone(err error) error {
	if err == nil {
		err = errors.New("the call took no effect")
	}
	return notDoneError{err}
}

type notDoneError struct{ error }

func (e notDoneError) Unwrap() error { return e.error }

// Execute runs a tool and reads what came of it. It never panics.
//
// An error is a failure. Of a tool that may change something some errors tell nothing about the
// change, and the call is Unknown instead: a panic, a context that ended while the tool ran, and
// a transport error after the request may have left (a deadline, a connection that was reset, a
// status of 500 or more, a process that was killed). One that says that nothing was sent is a
// failure. An executor that knows better says so with [NotDone] or [ErrOutcomeUnknown]. Without
// an error the body is read as [ResultOf] does, by the host's own rule, and by what the call was
// to do: the state of what was looked up, or was to be brought about, is no failure.
func Execute(
	ctx context.Context, tool *Tool, call Call, run func(context.Context, Call) ([]byte, error), options *ParseOptions,
) (result Result) {
	defer func() {
		if fault := recover(); fault != nil {
			result = FailedResult(fmt.Sprintf("the tool panicked: %v", fault))
			if tool.Effect.MayChange() { // it may have done so before
				result = UnknownResult(result.Error)
			}
		}
	}()
	if err := ctx.Err(); err != nil {
		return FailedResult("it was not run: " + err.Error())
	}
	body, err := run(ctx, call)
	return outcome(ctx, tool.asked(call), body, err, options)
}

// outcome is what a run amounts to. It is a function of its own so that its variables take no
// room on the stack while thousands of tools run.
func outcome(ctx context.Context, call *asked, body []byte, err error, options *ParseOptions) Result {
	result := readSafely(body, err, options, call)
	isLost := err != nil && call.effect.MayChange() && (ctx.Err() != nil || isAnswerLost(err))
	if !errors.As(err, new(notDoneError)) && (isLost || errors.Is(err, ErrOutcomeUnknown)) {
		return UnknownResult(result.Error)
	}
	return result
}

// readSafely survives a rule of the host's own that panics: then the call's fate is not known.
func readSafely(body []byte, err error, options *ParseOptions, call *asked) (result Result) {
	defer func() {
		if fault := recover(); fault != nil {
			result = UnknownResult(fmt.Sprintf("ParseOptions.Rule panicked: %v", fault))
		}
	}()
	return resultOf(body, err, options, call)
}

// isAnswerLost reports whether a request may have reached the other side and its answer
// did not come back. Whoever could not even connect has sent nothing.
func isAnswerLost(err error) (lost bool) {
	defer func() {
		if recover() != nil {
			lost = true // an error that cannot be asked says nothing
		}
	}()
	var operation *net.OpError
	var lookup *net.DNSError
	if errors.As(err, &lookup) || errors.As(err, &operation) && operation.Op == "dial" ||
		errors.Is(err, syscall.ECONNREFUSED) {
		return false
	}
	for _, fault := range []error{
		context.DeadlineExceeded, context.Canceled, os.ErrDeadlineExceeded, io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe,
		net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ETIMEDOUT,
	} {
		if errors.Is(err, fault) {
			return true
		}
	}
	var network net.Error
	var exit interface{ ExitCode() int } // an *exec.ExitError, whose import would weigh on everybody
	switch {
	case errors.As(err, &network) && network.Timeout():
		return true
	case errors.As(err, &exit):
		return exit.ExitCode() < 0 || exit.ExitCode() > 128 || exit.ExitCode() == timedOut // it was ended
	}
	return isLostByItsWords(err.Error())
}

// timedOut is the exit status of timeout(1) for a command that it ended.
const timedOut = 124

// isLostByItsWords reads an error that was put into words on its way here, by the table of
// words.txt: what says that nothing was sent counts more than what says that an answer
// did not come. An underscore is an end of the text.
func isLostByItsWords(text string) bool {
	text = "_" + strings.ToLower(strings.TrimRight(text, " .!")) + "_"
	holds := func(words string) bool { return strings.Contains(text, words) }
	return !slices.ContainsFunc(phrases("unsent"), holds) && slices.ContainsFunc(phrases("lost"), holds)
}
