package mcpguard_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/overhead"
	"github.com/bonafide-go/bonafide/guard/mcpguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// BenchmarkOverhead: a turn costs about what it costs with an executor that calls the
// same server by hand. One that never leaves the process is no measure, since the
// wait for a server leaves the caches cold.
func BenchmarkOverhead(b *testing.B) {
	server := settingServer(&guardtest.Setting{Executor: overhead.Executor, Tools: overhead.Tools()})
	session := inMemory(b, newClient(nil), server)
	byHand := guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: call.Tool, Arguments: call.Args})
		if err != nil {
			return nil, err
		}
		return []byte(result.Content[0].(*mcp.TextContent).Text), nil
	})
	overhead.Compare(b, 1.6, overhead.RunTurn("session.CallTool", overhead.ChatModel(), byHand),
		overhead.RunTurn("mcpguard.Executor", overhead.ChatModel(), mcpguard.Executor(session)))
}
