package mcpguard_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire/chatwiretest"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/mcpguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestOverhead: a turn costs about what it costs with an executor that calls the
// same server by hand. One that never leaves the process is no measure, since the
// wait for a server leaves the caches cold.
func TestOverhead(t *testing.T) {
	server := settingServer(&guardtest.Setting{Executor: chatwiretest.Executor, Tools: chatwiretest.Tools()})
	session := inMemory(t, newClient(nil), server)
	byHand := guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: call.Tool, Arguments: call.Args})
		if err != nil {
			return nil, err
		}
		return []byte(result.Content[0].(*mcp.TextContent).Text), nil
	})
	chatwiretest.Within(t, 1.5, chatwiretest.RunTurn("session.CallTool", chatwiretest.ChatModel(), byHand),
		chatwiretest.RunTurn("mcpguard.Executor", chatwiretest.ChatModel(), mcpguard.Executor(session)))
}
