package tooltrack_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// silent is an error whose words tell nothing.
type silent struct{ error }

func (silent) Error() string   { return "it did not work" }
func (s silent) Unwrap() error { return s.error }

func fateOf(err error) tooltrack.Status {
	run := func(context.Context, tooltrack.Call) ([]byte, error) { return nil, err }
	return tooltrack.Execute(context.Background(), &tooltrack.Tool{Effect: tooltrack.Changes}, tooltrack.Call{}, run, nil).Status
}

// TestAnswersThatWereLost: a change whose request may have left is of unknown
// fate, whether the error says so itself or in the words of a transport.
func TestAnswersThatWereLost(t *testing.T) {
	for _, err := range []error{
		context.DeadlineExceeded, context.Canceled, os.ErrDeadlineExceeded, io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed,
		syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ETIMEDOUT,
	} {
		require.Equal(t, tooltrack.Unknown, fateOf(silent{err}), "%v", err)
	}
	for _, words := range []string{
		"read: connection reset by peer", "write: broken pipe", "unexpected EOF", `Post "https://x": EOF`, "read tcp: i/o timeout", "the request timed out",
		"context deadline exceeded", "Client.Timeout exceeded while awaiting headers", "net/http: timeout awaiting response headers", "408 Request Timeout",
		"socket hang up", "http: server closed idle connection", "the connection closed", "502 Bad Gateway", "504 Gateway Timeout", "Gateway Time-out",
		"status 502", "status 504", "HTTP 502", "HTTP 504", "status code 502", "status code 504", "read ECONNRESET", "connect ETIMEDOUT", "write EPIPE",
		"An existing connection was forcibly closed by the remote host",
	} {
		require.Equal(t, tooltrack.Unknown, fateOf(errors.New(words)), words)
	}
	for _, words := range []string{
		"no such task", "status 500", "status 409", "connection refused", "dial tcp: connection refused", "dial tcp 10.0.0.1:443: i/o timeout",
		"the gateway is bad", "the time is out", "it did not work",
	} {
		require.Equal(t, tooltrack.Failed, fateOf(errors.New(words)), words)
	}
}
