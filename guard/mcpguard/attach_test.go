package mcpguard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/mcpguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestPicturesReachTheModel: what an MCP server answers beside text stands in the
// message of the result, and the ledger keeps its name alone.
func TestPicturesReachTheModel(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "camera", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "look", InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{
				&mcp.TextContent{Text: "the door"}, &mcp.ImageContent{MIMEType: "image/png", Data: []byte("png")},
				&mcp.AudioContent{MIMEType: "audio/wav", Data: []byte("wav")},
				&mcp.ResourceLink{URI: "https://example.com/a.pdf", Name: "a.pdf", MIMEType: "application/pdf"},
				&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///b", MIMEType: "image/gif", Blob: []byte("gif")}},
				&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///c", Text: "words"}},
			}}, nil
		})
	session := inMemory(t, newClient(nil), server)
	tools, err := mcpguard.Tools(t.Context(), session)
	require.NoError(t, err)
	ledger := tooltrack.NewLedger(nil, nil)
	g, err := guard.New(tools, &guard.Options{Ledger: ledger})
	require.NoError(t, err)
	model := guardtest.Script(guardtest.Call(guardtest.Tool("look", `{}`)), guardtest.Say("The door is closed."))
	_, err = g.Run(t.Context(), model, mcpguard.Executor(session), guard.Input{User: "hello", Owner: "ann"})
	require.NoError(t, err)
	messages := model.Requests()[1].Messages
	result := messages[len(messages)-1]
	var parts []string
	for _, part := range result.Parts {
		parts = append(parts, fmt.Sprintf("%s %s %s%s", part.MediaType, part.Data, part.URI, part.Name))
	}
	require.Equal(t, []string{"image/png png ", "audio/wav wav ", "application/pdf  https://example.com/a.pdfa.pdf", "image/gif gif file:///b"}, parts)
	require.Contains(t, result.Text, "[image image/png, 3 bytes]")
	require.Contains(t, result.Text, "words")
	require.NotContains(t, string(records(t, ledger, "ann")[0].Result.Data), "cG5n")
}
