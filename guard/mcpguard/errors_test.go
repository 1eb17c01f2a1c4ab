package mcpguard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWhatAnErrorMeans: only a server's own answer, and a call that cannot have
// left, are known not to have taken effect.
func TestWhatAnErrorMeans(t *testing.T) {
	wire := func(code int64) error { return &jsonrpc.Error{Code: code, Message: "in words"} }
	for name, row := range map[string]struct {
		err  error
		kind error
	}{
		"invalid params":             {wire(jsonrpc.CodeInvalidParams), ErrRefused},
		"internal error":             {wire(jsonrpc.CodeInternalError), ErrRefused},
		"wrapped answer":             {fmt.Errorf("calling: %w", wire(7)), ErrRefused},
		"a status and an answer":     {fmt.Errorf("%w: %w", wire(-32602), wire(codeRejected)), ErrRefused},
		"closed":                     {mcp.ErrConnectionClosed, ErrLost},
		"client closing":             {wire(codeClientClosing), ErrLost},
		"server closing":             {wire(codeServerClosing), ErrLost},
		"request failed":             {fmt.Errorf("%w: %w", wire(codeRejected), io.ErrUnexpectedEOF), ErrLost},
		"gateway lost its server":    {wire(codeConnectionClosed), ErrLost},
		"gateway timed out":          {wire(codeRequestTimeout), ErrLost},
		"reset while reading":        {&net.OpError{Op: "read", Err: errors.New("reset")}, ErrLost},
		"nobody there":               {fmt.Errorf("%w: %w", wire(codeRejected), &net.OpError{Op: "dial", Err: errors.New("refused")}), ErrNotSent},
		"anything else":              {errors.New("what?"), ErrLost},
		"context of somebody else's": {context.Canceled, ErrLost},
	} {
		t.Run(name, func(t *testing.T) {
			failed := failure(t.Context(), "tool", row.err)
			require.ErrorIs(t, failed, row.kind)
			require.ErrorIs(t, failed, row.err)
			require.Equal(t, row.kind == ErrLost, errors.Is(failed, tooltrack.ErrOutcomeUnknown))
			failed.reads = true
			require.NotErrorIs(t, failed, tooltrack.ErrOutcomeUnknown)
		})
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, failure(ended, "tool", io.EOF), ErrCancelled)
}

// TestErrorsKeepSecrets: what a client quotes of its request stays out.
func TestErrorsKeepSecrets(t *testing.T) {
	const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"
	failed := &CallError{Tool: "a", Kind: ErrLost, Err: errors.New("Authorization: Bearer " + secret)}
	require.NotContains(t, failed.Error(), secret)
}
