package mcpguard_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/mcpguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// askingServer has a tool that asks people before it deletes.
func askingServer() (server *mcp.Server, deletions *int) {
	deletions = new(int)
	server = mcp.NewServer(&mcp.Implementation{Name: "asking", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "delete_all", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(_ context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if len(request.Params.InputResponses) == 0 {
				sure := &mcp.ElicitParams{Message: "Sure?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)}
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"sure": sure}}, nil
			}
			*deletions++
			return text("deleted"), nil
		})
	return server, deletions
}

func accept(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
}

// TestAToolThatAsksFirst: a client that answers makes one call of it, in the
// ledger of either side; one that does not has a failure, after which the call
// may be made again.
func TestAToolThatAsksFirst(t *testing.T) {
	t.Run("answered by the client", func(t *testing.T) {
		server, deletions := askingServer()
		theirs := tooltrack.NewLedger(nil, nil)
		server.AddReceivingMiddleware(mcpguard.ServerMiddleware(&mcpguard.MiddlewareOptions{Ledger: theirs}))
		ours := tooltrack.NewLedger(nil, nil)
		client := newClient(&mcp.ClientOptions{ElicitationHandler: accept})
		client.AddSendingMiddleware(mcpguard.Middleware(&mcpguard.MiddlewareOptions{Ledger: ours, AnnounceTurn: true}))
		session := inMemory(t, client, server)
		for range 2 {
			result, err := session.CallTool(inTurn(t, "1"), params("delete_all", nil))
			require.NoError(t, err)
			require.False(t, result.IsError)
		}
		require.Equal(t, 1, *deletions)
		require.Len(t, records(t, ours, "ann"), 1)
		last := records(t, theirs, guard.LocalOwner)
		require.Equal(t, tooltrack.Succeeded, last[len(last)-1].Result.Status)
	})
	t.Run("not answered", func(t *testing.T) {
		server, deletions := askingServer()
		client := newClient(&mcp.ClientOptions{ElicitationHandler: accept, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
		_, err := mcpguard.Executor(inMemory(t, client, server)).Execute(t.Context(), call("delete_all", `{}`))
		require.ErrorIs(t, err, mcpguard.ErrInputRequired)
		require.NotErrorIs(t, err, tooltrack.ErrOutcomeUnknown)
		require.Zero(t, *deletions)
	})
}
