package mcpguard

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// TestCatalogsEndWithTheirSessions: a program that connects again and again remembers no
// more than the sessions that are open, however many those are.
func TestCatalogsEndWithTheirSessions(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "one", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "look", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	client := mcp.NewClient(&mcp.Implementation{Name: "two", Version: "1"}, nil)
	c := &catalogs{rules: policyOptions(nil)}
	count := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.known)
	}
	var sessions []*mcp.ClientSession
	for range maxLists + 3 {
		here, there := mcp.NewInMemoryTransports()
		_, err := server.Connect(t.Context(), there, nil)
		require.NoError(t, err)
		session, err := client.Connect(t.Context(), here, nil)
		require.NoError(t, err)
		_, err = c.of(t.Context(), ask{session: session, lister: session})
		require.NoError(t, err)
		c.forget(session)
		_, err = c.of(t.Context(), ask{session: session, lister: session})
		require.NoError(t, err)
		sessions = append(sessions, session)
	}
	require.Equal(t, maxLists+3, count())
	for _, session := range sessions {
		require.NoError(t, session.Close())
	}
	require.Eventually(t, func() bool { return count() == 0 }, 2*time.Minute, time.Millisecond)
}
