package mcpguard_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/guard/chatwire/chatwiretest"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/mcpguard"
)

// TestOverhead: with tools of an MCP server a turn costs about what it costs with
// others. The wait for an answer of the server leaves the caches cold.
func TestOverhead(t *testing.T) {
	server := settingServer(&guardtest.Setting{Executor: chatwiretest.Executor, Tools: chatwiretest.Tools()})
	executor := mcpguard.Executor(inMemory(t, newClient(nil), server))
	chatwiretest.Within(t, 1.5, chatwiretest.ModelTurn("chat completions", chatwiretest.ChatModel()),
		chatwiretest.RunTurn("mcpguard.Executor", chatwiretest.ChatModel(), executor))
}
