package chatwire

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/bonafide-go/bonafide/guard"
)

// shouldRetry is the header by which a server tells openai-go and its relatives
// whether to try again. Without it an error of a middleware counts as a broken
// connection, and the whole turn would be run again.
const shouldRetry = "X-Should-Retry"

// refusalError is what a refusal tells a program.
type refusalError struct {
	Message, Type, Code, Account string
	Expected                     []string
}

// expected is the list of expected tools; none for an empty one.
func (e *refusalError) expected() any { return when(len(e.Expected) > 0, e.Expected) }

// refusal is the answer to a turn that did not pass. Its status is 400: there are
// clients that ask again after any other one, which would run the turn again.
func refusal(request *http.Request, d dialect, err error) *http.Response {
	body := d.refusal(describe(err))
	return newResponse(request, http.StatusBadRequest, http.Header{
		"Content-Type": {"application/json"}, "Content-Length": {strconv.Itoa(len(body))}, shouldRetry: {"false"},
	}, body)
}

// describe tells what happened. The account is the message where there is one, since many clients
// show nothing else; but of a provider that failed its developer has to read what is wrong.
func describe(err error) refusalError {
	told := refusalError{Message: err.Error(), Type: "guard_error", Code: "not_completed", Account: guard.AccountOf(err)}
	if told.Account != "" && !errors.Is(err, guard.ErrProvider) {
		told.Message = told.Account
	}
	var missing *guard.TurnError
	var body *BodyError
	switch {
	case errors.As(err, &missing) && missing.Kind == guard.ErrToolNotTriggered:
		told.Code, told.Expected = "tool_not_triggered", missing.Tools
	case errors.Is(err, guard.ErrInsufficientProgress):
		told.Code = "insufficient_progress"
	case errors.Is(err, guard.ErrDenied):
		told.Code = "call_denied"
	case errors.Is(err, ErrUnguarded), errors.Is(err, guard.ErrUnknownTool):
		told.Code = "unguarded"
	case errors.As(err, &body):
		told.Code = "provider_fault"
	}
	return told
}

func newResponse(request *http.Request, status int, header http.Header, body []byte) *http.Response {
	return &http.Response{
		Status: strconv.Itoa(status) + " " + http.StatusText(status), StatusCode: status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: request,
	}
}
