package tooltrack_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
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
		"no such task", "status 409", "HTTP 404", "429 Too Many Requests", "400 Bad Request", "connection refused", "dial tcp: connection refused",
		"dial tcp 10.0.0.1:443: i/o timeout", "the gateway is bad", "the time is out", "it did not work", "exit status 1", "exit status 2", "exit status 13",
		"pq: duplicate key value violates unique constraint", "geofence error", "EOFY report is locked",
	} {
		require.Equal(t, tooltrack.Failed, fateOf(errors.New(words)), words)
	}
}

// TestFates: an error after the request may have left is of unknown fate, unless it is
// known not to have reached the tool.
func TestFates(t *testing.T) {
	const unknown, failed = tooltrack.Unknown, tooltrack.Failed
	for words, want := range map[string]tooltrack.Status{
		// net/http and http2
		`Post "https://x/pay": EOF`: unknown, "EOF": unknown, `Post "https://x": http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=NO_ERROR, debug=""`: unknown,
		"stream error: stream ID 1; INTERNAL_ERROR; received from peer": unknown, "stream error: stream ID 3; REFUSED_STREAM": failed, "http2: client connection lost": unknown,
		`Post "https://x": net/http: HTTP/1.x transport connection broken: write: connection reset by peer`: unknown, "read tcp 10.0.0.2:4242->10.0.0.1:443: use of closed network connection": unknown,
		"net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)": unknown, "500 Internal Server Error": unknown,
		"unexpected status code 503": unknown, "server responded with status code: 500": unknown, "503 Service Unavailable": unknown, "The operation was aborted.": unknown,
		"fetch failed: other side closed": unknown, "Premature close": unknown, "unexpected status 404": failed, `Post "htp://x": unsupported protocol scheme "htp"`: failed,
		"tls: failed to verify certificate: x509: certificate signed by unknown authority": failed, "dial tcp: lookup api.example: no such host": failed, "getaddrinfo ENOTFOUND api.example": failed,
		"connect ECONNREFUSED 127.0.0.1:443": failed, "dial tcp 10.0.0.1:443: connect: network is unreachable": failed,
		// gRPC
		"rpc error: code = Unavailable desc = error reading from server: EOF": unknown, "rpc error: code = DeadlineExceeded desc = context deadline exceeded": unknown, "rpc error: code = Internal desc = boom": unknown,
		"rpc error: code = Canceled desc = context canceled": unknown, "rpc error: code = Unknown desc = boom": unknown, "rpc error: code = DataLoss desc = boom": unknown,
		`rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:1: connect: connection refused"`: failed,
		"rpc error: code = PermissionDenied desc = no": failed, "rpc error: code = InvalidArgument desc = amount": failed, "rpc error: code = AlreadyExists desc = id": failed,
		"rpc error: code = ResourceExhausted desc = quota": failed, "rpc error: code = Unauthenticated desc = no": failed,
		// database/sql
		"driver: bad connection": unknown, "invalid connection": unknown, "sql: connection is already closed": unknown, "sql: transaction has already been committed or rolled back": unknown,
		"ERROR: canceling statement due to statement timeout (SQLSTATE 57014)": unknown, "FATAL: terminating connection due to administrator command": unknown, "Error 2006: MySQL server has gone away": unknown,
		"conn closed": unknown, "ERROR: null value in column \"id\" violates not-null constraint": failed, "sql: no rows in result set": failed, "UNIQUE constraint failed: tasks.id": failed,
		// os/exec
		"signal: killed": unknown, "signal: terminated": unknown, "exit status 137": unknown, "exit status 143": unknown, "exit status 124": unknown, "exit status 1": failed,
		`exec: "rsync": executable file not found in $PATH`: failed,
	} {
		require.Equal(t, want, fateOf(errors.New(words)), words)
		if want == failed {
			continue
		}
		require.Equal(t, unknown, fateOf(fmt.Errorf("calling the bank: %w", errors.New(words))), words)
	}
	for status, want := range map[string]tooltrack.Status{"exit 1": failed, "exit 124": unknown, "exit 137": unknown, "kill -9 $$": unknown, "exit 128": failed} {
		err := exec.Command("sh", "-c", status).Run()
		require.Error(t, err)
		require.Equal(t, want, fateOf(silent{err}), status)
	}
	require.Equal(t, failed, fateOf(silent{syscall.ECONNREFUSED}))
}

// TestACallIsNotMadeAfterItsTime: a context that had ended before is known not to have
// reached the tool.
func TestACallIsNotMadeAfterItsTime(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	ran := false
	run := func(context.Context, tooltrack.Call) ([]byte, error) { ran = true; return nil, nil }
	result := tooltrack.Execute(ended, &tooltrack.Tool{Effect: tooltrack.Changes}, tooltrack.Call{}, run, nil)
	require.False(t, ran)
	require.Equal(t, tooltrack.Failed, result.Status)
	during, stop := context.WithCancel(t.Context())
	result = tooltrack.Execute(during, &tooltrack.Tool{Effect: tooltrack.Changes}, tooltrack.Call{}, func(context.Context, tooltrack.Call) ([]byte, error) {
		stop()
		return nil, errors.New("stopped")
	}, nil)
	require.Equal(t, tooltrack.Unknown, result.Status)
}
