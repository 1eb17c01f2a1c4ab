package mcpguard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard/mcpguard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A server asks the client's user by elicitation, while the call waits. Whatever the
// client answers, nothing runs without a yes, and what runs is what was shown.
func TestElicitation(t *testing.T) {
	says := func(action string, content map[string]any) func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return func(_ context.Context, request *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if !json.Valid([]byte(request.Params.Message[len(request.Params.Message)-len(`{"amount":70}`):])) {
				return nil, errors.New("the arguments are not shown")
			}
			return &mcp.ElicitResult{Action: action, Content: content}, nil
		}
	}
	for name, c := range map[string]struct {
		answer func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error)
		elicit bool
		strict bool
		runs   int64
		told   string
		open   int
	}{
		"approved":         {says("accept", map[string]any{"approve": true}), true, false, 1, "paid", 0},
		"not approved":     {says("accept", map[string]any{"approve": false, "reason": "too much"}), true, false, 0, "too much", 0},
		"declined":         {says("decline", nil), true, false, 0, "rejected it", 0},
		"closed":           {says("cancel", nil), true, false, 0, "a person has to approve it first (approval ap_", 1},
		"another person's": {says("accept", map[string]any{"approve": true}), true, true, 0, "a person has to approve it first", 1},
		"cannot be asked":  {nil, true, false, 0, "a person has to approve it first (approval ap_", 1},
		"nobody asks":      {says("accept", map[string]any{"approve": true}), false, false, 0, "a person has to approve it first (approval ap_", 1},
	} {
		for _, versions := range [][]string{nil, {"2025-11-25"}} { // asked by a result, or by a request
			t.Run(fmt.Sprint(name, versions), func(t *testing.T) {
				var runs atomic.Int64
				server := mcp.NewServer(&mcp.Implementation{Name: "bank", Version: "1"},
					&mcp.ServerOptions{SupportedProtocolVersions: versions})
				server.AddTool(&mcp.Tool{Name: "pay", InputSchema: json.RawMessage(
					`{"type":"object","properties":{"amount":{"type":"number"}},"required":["amount"]}`)},
					func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
						runs.Add(1)
						return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "paid"}}}, nil
					})
				ledger := tooltrack.NewLedger(nil, &tooltrack.LedgerOptions{SeparateApprover: c.strict})
				server.AddReceivingMiddleware(mcpguard.ServerMiddleware(&mcpguard.MiddlewareOptions{
					Ledger: ledger, Scope: ofServer, Elicit: c.elicit,
					Policy: &policy.Options{Approvals: []policy.Approval{policy.NeedsApproval("pay", policy.Above("amount", 50))}},
				}))
				session := inMemory(t, newClient(&mcp.ClientOptions{ElicitationHandler: c.answer}), server)
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{
					Name: "pay", Arguments: json.RawMessage(`{"amount":70}`), Meta: mcp.Meta{mcpguard.MetaTurn: "t1"},
				})
				require.NoError(t, err)
				require.Contains(t, said(result), c.told)
				require.Equal(t, c.runs == 0, result.IsError)
				require.Equal(t, c.runs, runs.Load())
				open, err := ledger.Approvals(t.Context(), tooltrack.ApprovalQuery{AllOwners: true})
				require.NoError(t, err)
				require.Len(t, open, c.open)
				_, err = session.CallTool(t.Context(), &mcp.CallToolParams{
					Name: "pay", Arguments: json.RawMessage(`{"amount":7}`), Meta: mcp.Meta{mcpguard.MetaTurn: "t1"},
				})
				require.NoError(t, err)
				require.Equal(t, c.runs+1, runs.Load(), "what needs no approval runs at once")
			})
		}
	}
}
