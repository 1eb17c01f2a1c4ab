package tooltrack_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestWhatBodiesSay(t *testing.T) {
	const sure, doubt = "", "doubt"
	for _, c := range []struct {
		name, body string
		status     tooltrack.Status
		doubt      string
	}{
		{"a failed status", `{"status":"failed"}`, tooltrack.Failed, sure},
		{"an error status in capitals", `{"Status":"ERROR"}`, tooltrack.Failed, sure},
		{"a failed job", `{"job_id":"j1","state":"failed","took":12}`, tooltrack.Failed, sure},
		{"errors", `{"errors":["no such field"]}`, tooltrack.Failed, sure},
		{"GraphQL with half an answer", `{"data":{"a":1},"errors":[{"message":"b is gone"}]}`, tooltrack.Failed, sure},
		{"no errors", `{"errors":[],"id":1}`, tooltrack.Succeeded, sure},
		{"another letter case", `{"Success":false}`, tooltrack.Failed, sure},
		{"a string", `{"success":"false"}`, tooltrack.Failed, sure},
		{"an escaped key", `{"\u0073uccess":false}`, tooltrack.Failed, sure},
		{"after a byte order mark", "\ufeff{\"success\":false}", tooltrack.Failed, sure},
		{"inside a string", `"{\"success\":false}"`, tooltrack.Failed, sure},
		{"a pending id", `{"id":7,"status":"pending"}`, tooltrack.Pending, sure},
		{"what a person has to do first", `{"transferId":"tr_1","status":"SCA_REQUIRED","expiresIn":600}`, tooltrack.Pending, sure},
		{"failed beats pending", `{"status":"pending","state":"failed"}`, tooltrack.Failed, sure},
		{"failed beats pending in any order", `{"state":"failed","status":"pending"}`, tooltrack.Failed, sure},
		{"a pending payment", `{"id":7,"status":"pending","amount":50}`, tooltrack.Succeeded, doubt},
		{"a pending order", `{"order_id":"W1","status":"pending","items":[]}`, tooltrack.Succeeded, sure},
		{"a pending order with few members", `{"order_id":"W1","status":"pending","total":12,"currency":"EUR"}`, tooltrack.Succeeded, sure},
		{"a task that is pending", `{"id":7,"title":"Read book","status":"pending"}`, tooltrack.Succeeded, sure},
		{"a build that failed, looked up", `{"id":7,"name":"nightly","status":"failed"}`, tooltrack.Succeeded, doubt},
		{"an HTTP status", `{"status":404,"body":"no"}`, tooltrack.Failed, sure},
		{"an HTTP status as text", `{"statusCode":"500"}`, tooltrack.Failed, sure},
		{"an HTTP success", `{"status":204}`, tooltrack.Succeeded, sure},
		{"a code that is no status", `{"code":"EUR","amount":450}`, tooltrack.Succeeded, sure},
		{"an exit status", `{"stdout":"","stderr":"no","exit_code":1}`, tooltrack.Failed, sure},
		{"no exit status", `{"stdout":"fine","exit_code":0}`, tooltrack.Succeeded, sure},
		{"an error that is false", `{"error":false,"id":1}`, tooltrack.Succeeded, sure},
		{"an empty error alone", `{"error":""}`, tooltrack.Succeeded, sure},
		{"an empty error and nothing else that tells", `{"error":"","id":null,"message":""}`, tooltrack.Succeeded, sure},
		{"an empty error that is always sent", `{"id":1,"error":""}`, tooltrack.Succeeded, sure},
		{"an empty error beside success", `{"ok":true,"error":{}}`, tooltrack.Succeeded, sure},
		{"MCP with an error in its text", `{"isError":false,"content":[{"type":"text","text":"Error: no such file"}]}`, tooltrack.Succeeded, doubt},
		{"MCP that is fine", `{"content":[{"type":"text","text":"3 files"}]}`, tooltrack.Succeeded, sure},
		{"a traceback", "Traceback (most recent call last):\n  File \"a.py\"", tooltrack.Succeeded, doubt},
		{"a guide to errors", "How to handle errors in Go", tooltrack.Succeeded, sure},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := tooltrack.ResultOf([]byte(c.body), nil)
			require.Equal(t, c.status, result.Status, "%+v", result)
			require.Equal(t, c.doubt != sure, result.Doubtful != "", "%+v", result)
		})
	}
}

// The sentences with which frameworks hand the error of a tool to the model.
func TestWhatFrameworksSay(t *testing.T) {
	for _, text := range []string{
		"An error occurred while running the tool. Please try again. Error: 'id'",
		"1 validation error for add_task\ntitle\n  Field required\n\nFix the errors and try again.",
		"Error: KeyError('x')\n Please fix your mistakes.",
		"Fix the errors and try again.",
		"Error invoking tool 'sql' with kwargs {} with error:\n query: Field required\n Please fix the error and try again.",
		"Encountered error: timed out",
		"I encountered an error while trying to use the tool. This was the error: 404.",
		"I encountered an error: boom",
		"Error executing tool search: boom",
		"Error: ValueError - no such order",
		"Tool error: Please check your input and try again. (boom)",
		"Unknown tool: serch",
		"KeyError: 'order'",
		"TypeError: Cannot read properties of undefined (reading 'id')",
		"requests.exceptions.ConnectionError: HTTPSConnectionPool",
		"panic: runtime error: index out of range",
		"HTTP 500",
		"HTTP/1.1 404 Not Found",
		"403 Forbidden",
		"exit status 1",
		"fatal: not a git repository",
		"Failed to connect",
	} {
		require.Equal(t, tooltrack.Failed, tooltrack.ParseResult(text, nil).Status, text)
		executed := tooltrack.ResultOf([]byte(text), nil)
		require.Equal(t, tooltrack.Succeeded, executed.Status, text)
		require.NotEmpty(t, executed.Doubtful, text)
	}
	for _, text := range []string{
		"Deployed. exit status of the last run was 0", "404 rooms are free", "HTTP is a protocol", "500 EUR were sent", "fatality rates fell", "Failover: done", "I encountered a bear",
		"Note: TypeError: x", "Mirror: done", "No error.", "", "Errorless",
	} {
		require.True(t, tooltrack.ParseResult(text, nil).Sure(), text)
	}
}

// A host's own reading counts in every way in.
func TestHostsReading(t *testing.T) {
	options := &tooltrack.ParseOptions{Rule: func(content string) (tooltrack.Status, bool) {
		switch strings.ToLower(content) {
		case `{"outcome":"ko"}`:
			return tooltrack.Failed, true
		case `{"queue":"waiting"}`:
			return tooltrack.Pending, true
		case "nope, not today":
			return tooltrack.Denied, true
		}
		return tooltrack.Unknown, false
	}}
	require.Equal(t, tooltrack.Failed, tooltrack.ParseResult(`{"outcome":"ko"}`, options).Status)
	require.Equal(t, tooltrack.Pending, tooltrack.ParseResult(`{"queue":"waiting"}`, options).Status)
	require.Equal(t, tooltrack.Denied, tooltrack.ParseResult(`Nope, not today`, options).Status)
	require.True(t, tooltrack.ParseResult(`{"outcome":"ok"}`, options).Sure())
	run := func(body string) func(context.Context, tooltrack.Call) ([]byte, error) {
		return func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(body), nil }
	}
	require.Equal(t, tooltrack.Failed, tooltrack.Execute(t.Context(), &tooltrack.Tool{Effect: tooltrack.Reads}, tooltrack.Call{}, run(`{"outcome":"KO"}`), options).Status)
	ledger := tooltrack.NewLedger(nil, &tooltrack.LedgerOptions{Results: options})
	done, err := open(t, ledger, "turn").Do(t.Context(), deleteTask, call(deleteTask, `{}`), nil, run(`{"outcome":"KO"}`))
	require.NoError(t, err)
	require.Equal(t, tooltrack.Failed, done.Record.Result.Status)
	broken := &tooltrack.ParseOptions{Rule: func(string) (tooltrack.Status, bool) { panic("boom") }}
	require.Equal(t, tooltrack.Unknown, tooltrack.Execute(t.Context(), &tooltrack.Tool{Effect: tooltrack.Reads}, tooltrack.Call{}, run(`x`), broken).Status)
}

type timeout struct{}

func (timeout) Error() string   { return "no answer" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

func TestExecute(t *testing.T) {
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: timeout{}}
	read := &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	for _, c := range []struct {
		name          string
		body          string
		err           error
		change, reads tooltrack.Status
	}{
		{"no error", "done", nil, tooltrack.Succeeded, tooltrack.Succeeded},
		{"an error of the tool's own", "", errors.New("no such task"), tooltrack.Failed, tooltrack.Failed},
		{"a deadline", "", fmt.Errorf("post: %w", context.DeadlineExceeded), tooltrack.Unknown, tooltrack.Failed},
		{"a deadline of the system", "", os.ErrDeadlineExceeded, tooltrack.Unknown, tooltrack.Failed},
		{"a connection that was reset", "", read, tooltrack.Unknown, tooltrack.Failed},
		{"a connection that was reset, in words", "", errors.New("read tcp: connection reset by peer"), tooltrack.Unknown, tooltrack.Failed},
		{"a time-out of the network", "", timeout{}, tooltrack.Unknown, tooltrack.Failed},
		{"a gateway", "", errors.New("unexpected status 504 from the server"), tooltrack.Unknown, tooltrack.Failed},
		{"a gateway's body", `{"status":502,"message":"bad gateway"}`, nil, tooltrack.Unknown, tooltrack.Failed},
		{"a server that said no", `{"status":409}`, nil, tooltrack.Failed, tooltrack.Failed},
		{"nobody was reached", "", dial, tooltrack.Failed, tooltrack.Failed},
		{"nobody was reached, in words", "", errors.New("dial tcp 10.0.0.1:443: i/o timeout"), tooltrack.Failed, tooltrack.Failed},
		{"no such host", "", &net.DNSError{Err: "i/o timeout", Name: "x", IsTimeout: true}, tooltrack.Failed, tooltrack.Failed},
		{"the executor knows that it was not done", "", tooltrack.NotDone(context.DeadlineExceeded), tooltrack.Failed, tooltrack.Failed},
		{"the executor knows that it does not know", "", fmt.Errorf("hm: %w", tooltrack.ErrOutcomeUnknown), tooltrack.Unknown, tooltrack.Unknown},
		{"an error that cannot be printed", "", (*nilError)(nil), tooltrack.Unknown, tooltrack.Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(c.body), c.err }
			for effect, want := range map[tooltrack.Effect]tooltrack.Status{
				tooltrack.Changes: c.change, tooltrack.UnknownEffect: c.change, tooltrack.Reads: c.reads, tooltrack.Verifies: c.reads,
			} {
				result := tooltrack.Execute(t.Context(), &tooltrack.Tool{Effect: effect}, tooltrack.Call{}, run, nil)
				require.Equal(t, want, result.Status, "%v: %+v", effect, result)
			}
		})
	}
	require.ErrorIs(t, tooltrack.NotDone(os.ErrNotExist), os.ErrNotExist)
	require.Error(t, tooltrack.NotDone(nil))
}
