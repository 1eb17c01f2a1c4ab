package mcpguard_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/mcpguard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func names(tools []tooltrack.Tool) []string {
	var list []string
	for _, tool := range tools {
		list = append(list, tool.Name)
	}
	return list
}

// TestServersUnderOneGuard: two servers have a tool of the same name, one over
// each transport, and the one that is meant does the work.
func TestServersUnderOneGuard(t *testing.T) {
	servers := mcpguard.NewServers(nil)
	client := newClient(nil)
	home, work := overHTTP(t, client, false), overStdio(t, client, false)
	require.NoError(t, servers.Add(t.Context(), "home", home.session))
	require.NoError(t, servers.Add(t.Context(), "work", work.session))
	g, err := servers.Guard(t.Context())
	require.NoError(t, err)
	model := guardtest.Script(
		guardtest.Call(guardtest.Tool("work__delete_task", `{"title":"Read book"}`)),
		guardtest.Say("I've deleted Read book."),
	)
	reply, err := g.Run(t.Context(), model, servers, guard.Input{User: "delete the task Read book at work"})
	require.NoError(t, err)
	require.Equal(t, "I've deleted Read book.", reply.Text)
	require.Zero(t, home.server.deletions.Load())
	body, err := servers.Execute(t.Context(), call("work__list_tasks", `{}`))
	require.NoError(t, err)
	require.Equal(t, `1 deletions, tasks: ["Buy milk"]`, string(body))

	servers.Remove("home")
	_, err = servers.Execute(t.Context(), call("home__delete_task", `{"title":"Read book"}`))
	require.ErrorIs(t, err, mcpguard.ErrUnknownTool)
	require.NotContains(t, strings.Join(names(servers.Tools()), " "), "home__")
}

// TestAListThatChanges: the next guard knows the new tool, in the same ledger.
func TestAListThatChanges(t *testing.T) {
	for name, protocol := range map[string][]string{"newest protocol": nil, "before subscriptions": {"2025-11-25"}} {
		t.Run(name, func(t *testing.T) {
			servers := mcpguard.NewServers(nil)
			changed := make(chan struct{}, 4)
			client := newClient(&mcp.ClientOptions{ToolListChangedHandler: func(ctx context.Context, request *mcp.ToolListChangedRequest) {
				servers.ListChanged(ctx, request)
				changed <- struct{}{}
			}})
			server := mcp.NewServer(&mcp.Implementation{Name: "one", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: protocol})
			add := func(name string) {
				server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
					func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return text("ok"), nil })
			}
			add("list_tasks")
			require.NoError(t, servers.Add(t.Context(), "", inMemory(t, client, server)))
			first, err := servers.Guard(t.Context())
			require.NoError(t, err)
			again, err := servers.Guard(t.Context())
			require.NoError(t, err)
			require.Same(t, first, again)

			add("delete_task")
			<-changed
			second, err := servers.Guard(t.Context())
			require.NoError(t, err)
			require.Equal(t, []string{"delete_task", "list_tasks"}, names(second.Tools()))
			require.Equal(t, []string{"list_tasks"}, names(first.Tools()))
			require.Same(t, first.Ledger(), second.Ledger())
			body, err := servers.Execute(t.Context(), call("delete_task", `{}`))
			require.NoError(t, err)
			require.Equal(t, "ok", string(body))
		})
	}
}

// TestAServerThatIsGone: a list that changed and cannot be read is told, and the
// others go on without the server.
func TestAServerThatIsGone(t *testing.T) {
	servers := mcpguard.NewServers(nil)
	client := newClient(nil)
	gone, stays := inMemory(t, client, newTaskServer(false).mcp), inMemory(t, client, newTaskServer(false).mcp)
	require.NoError(t, servers.Add(t.Context(), "gone", gone))
	require.NoError(t, servers.Add(t.Context(), "stays", stays))
	servers.ListChanged(t.Context(), &mcp.ToolListChangedRequest{Session: gone})
	require.NoError(t, gone.Close())
	for range 2 { // it stays stale until it is read or removed
		_, err := servers.Guard(t.Context())
		var failed *mcpguard.ListError
		require.ErrorAs(t, err, &failed)
		require.Equal(t, "gone", failed.Server)
		require.ErrorContains(t, err, `server "gone"`)
	}
	servers.Remove("gone")
	g, err := servers.Guard(t.Context())
	require.NoError(t, err)
	require.Len(t, g.Tools(), 8)
}

func TestNamesThatProvidersTake(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "one", Version: "1"}, nil)
	long := strings.Repeat("x", 100)
	for _, name := range []string{"files.read", "files_read", "notes/add", long + "a", long + "b"} {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(_ context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return text(request.Params.Name), nil
			})
	}
	servers := mcpguard.NewServers(nil)
	require.NoError(t, servers.Add(t.Context(), "disk", inMemory(t, newClient(nil), server)))
	tools := names(servers.Tools())
	require.Contains(t, tools, "disk__files_read")
	require.Contains(t, tools, "disk__notes_add")
	ran := map[string]bool{}
	for _, name := range tools {
		require.Regexp(t, `^[a-zA-Z0-9_-]{1,64}$`, name)
		body, err := servers.Execute(t.Context(), call(name, `{}`))
		require.NoError(t, err)
		ran[string(body)] = true
	}
	require.Len(t, ran, 5, "each name leads to its own tool")
}

func TestServersThatCannotBeAdded(t *testing.T) {
	servers := mcpguard.NewServers(nil)
	client := newClient(nil)
	session := inMemory(t, client, newTaskServer(false).mcp)
	for _, name := range []string{"a b", "a__b", "a_", strings.Repeat("x", 33), "ä"} {
		require.ErrorContains(t, servers.Add(t.Context(), name, session), "server name", name)
	}
	require.NoError(t, servers.Add(t.Context(), "a", session))
	require.ErrorContains(t, servers.Add(t.Context(), "a", session), "used twice")

	gone := inMemory(t, client, newTaskServer(false).mcp)
	require.NoError(t, gone.Close())
	var failed *mcpguard.ListError
	require.ErrorAs(t, servers.Add(t.Context(), "b", gone), &failed)
	require.Equal(t, "b", failed.Server)
	require.ErrorIs(t, failed, mcpguard.ErrList)
	require.ErrorIs(t, failed, mcp.ErrConnectionClosed)

	_, err := mcpguard.NewServers(nil).Guard(t.Context())
	require.ErrorIs(t, err, guard.ErrNoTools)
}

func TestWhatTheHostKnowsBetter(t *testing.T) {
	effects := func(options *mcpguard.Options) map[string]tooltrack.Effect {
		servers := mcpguard.NewServers(options)
		require.NoError(t, servers.Add(t.Context(), "", inMemory(t, newClient(nil), newTaskServer(false).mcp)))
		found := map[string]tooltrack.Effect{}
		for _, tool := range servers.Tools() {
			found[tool.Name] = tool.Effect
		}
		return found
	}
	require.Equal(t, tooltrack.Reads, effects(nil)["list_tasks"])
	distrusted := effects(&mcpguard.Options{Describe: func(_ string, _ *mcp.Tool, tool *tooltrack.Tool) bool {
		tool.Effect, tool.Idempotent = tooltrack.UnknownEffect, false
		return true
	}})
	require.Equal(t, tooltrack.UnknownEffect, distrusted["list_tasks"])
	described := effects(&mcpguard.Options{Describe: func(_ string, listed *mcp.Tool, tool *tooltrack.Tool) bool {
		if listed.Name == "create_task" {
			tool.Effect = tooltrack.Changes
		}
		return listed.Name != "die"
	}})
	require.Equal(t, tooltrack.Changes, described["create_task"])
	require.NotContains(t, described, "die")
}

// TestServersCallbacks: Describe is the host's code.
func TestServersCallbacks(t *testing.T) {
	servers := mcpguard.NewServers(&mcpguard.Options{Describe: func(string, *mcp.Tool, *tooltrack.Tool) bool { panic("describe") }})
	var unusable *mcpguard.ListError
	require.ErrorAs(t, servers.Add(t.Context(), "a", inMemory(t, newClient(nil), newTaskServer(false).mcp)), &unusable)
	require.Equal(t, "a", unusable.Server)
	var host *guard.HostError
	require.ErrorAs(t, unusable, &host)

	nonsense := mcpguard.NewServers(&mcpguard.Options{Describe: func(_ string, _ *mcp.Tool, tool *tooltrack.Tool) bool {
		*tool = tooltrack.Tool{Name: "same", Parameters: json.RawMessage(`{`)}
		return true
	}})
	require.ErrorAs(t, nonsense.Add(t.Context(), "a", inMemory(t, newClient(nil), newTaskServer(false).mcp)), &unusable)
}

// TestUserIDsAreTheServersBusiness: a chat server's user_id is whom to look up.
func TestUserIDsAreTheServersBusiness(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "chat", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "get_profile", InputSchema: json.RawMessage(
		`{"type":"object","properties":{"user_id":{"type":"string"}},"required":["user_id"]}`)},
		func(_ context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return text(string(request.Params.Arguments)), nil
		})
	run := func(options *mcpguard.Options) string {
		servers := mcpguard.NewServers(options)
		require.NoError(t, servers.Add(t.Context(), "", inMemory(t, newClient(nil), server)))
		g, err := servers.Guard(t.Context())
		require.NoError(t, err)
		model := guardtest.Script(guardtest.Call(guardtest.Tool("get_profile", `{"user_id":"U7"}`)), guardtest.Say("Here it is."))
		reply, err := g.Run(t.Context(), model, servers, guard.Input{User: "show the profile of U7", Owner: "ann"})
		require.NoError(t, err)
		return reply.Records[0].Result.Text()
	}
	require.JSONEq(t, `{"user_id":"U7"}`, run(nil))
	own := &guard.Options{Policy: &policy.Options{Identity: []policy.Identity{{Arg: "user_id", Set: true}}}}
	require.JSONEq(t, `{"user_id":"ann"}`, run(&mcpguard.Options{Guard: own}))
}
