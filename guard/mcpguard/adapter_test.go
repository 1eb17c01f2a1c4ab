package mcpguard_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/mcpguard"
	"github.com/bonafide-go/bonafide/internal/promisetable"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// settingServer is an MCP server whose tools are run by the setting's executor.
func settingServer(s *guardtest.Setting) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "scene", Version: "1"}, nil)
	for _, tool := range s.Tools {
		no := false
		server.AddTool(&mcp.Tool{
			Name: tool.Name, Description: tool.Description, InputSchema: tool.Parameters,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: tool.Effect == tooltrack.Reads, DestructiveHint: &no},
		}, func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			body, err := s.Executor.Execute(ctx, tooltrack.Call{Tool: tool.Name, Args: request.Params.Arguments})
			if err != nil {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
			}
			return text(string(body)), nil
		})
	}
	return server
}

// sessionTools are the tools of a session, as a host without a guard calls them.
// It names the turn for the server.
func sessionTools(session *mcp.ClientSession) guard.ExecutorFunc {
	return func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		input, _ := guard.FromContext(ctx)
		params := &mcp.CallToolParams{Name: call.Tool, Arguments: json.RawMessage(call.Args)}
		params.Meta = mcp.Meta{mcpguard.MetaTurn: input.Turn}
		result, err := session.CallTool(ctx, params)
		if err != nil {
			return nil, err
		}
		if said := said(result); result.IsError {
			return nil, errors.New(said)
		} else {
			return []byte(said), nil
		}
	}
}

func middlewareOptions(s *guardtest.Setting) *mcpguard.MiddlewareOptions {
	return &mcpguard.MiddlewareOptions{Ledger: s.Options.Ledger, Policy: s.Options.Policy, Observe: s.Options.Observe}
}

// ofServer names the owner for a server whose clients do not sign in.
func ofServer(_ context.Context, request mcp.Request) (tooltrack.Scope, error) {
	turn, _ := request.GetParams().GetMeta()[mcpguard.MetaTurn].(string)
	return tooltrack.Scope{Owner: "ann", Turn: turn}, nil
}

func TestAdapters(t *testing.T) {
	callsOnly := map[string]string{}
	for _, promise := range []string{"lying", "beside", "error", "failing", "cut", "filtered", "proof", "withheld", "titles"} {
		callsOnly[promise] = "no: it sees calls, not texts"
	}
	callsOnly["titles"] = "no"
	columns := guardtest.TestAdapters(t,
		guardtest.Adapter{Name: "mcpguard.Executor", Pauses: true, Open: func(s *guardtest.Setting) guardtest.Talk {
			session := inMemory(s.T, newClient(nil), settingServer(s))
			return guardtest.Conversation(s.Guard, s.Model, mcpguard.Executor(session), false)
		}},
		guardtest.Adapter{Name: "mcpguard.Executor", Variant: "streamed", Pauses: true, Streams: true, Open: func(s *guardtest.Setting) guardtest.Talk {
			session := inMemory(s.T, newClient(nil), settingServer(s))
			return guardtest.Conversation(s.Guard, s.Model, mcpguard.Executor(session), true)
		}},
		guardtest.Adapter{Name: "mcpguard.Middleware", CallsOnly: true, Except: callsOnly, Open: func(s *guardtest.Setting) guardtest.Talk {
			client, _ := guardedClient(middlewareOptions(s))
			return guardtest.Loop(s.Model, sessionTools(inMemory(s.T, client, settingServer(s))), s.Tools)
		}},
		guardtest.Adapter{Name: "mcpguard.ServerMiddleware", CallsOnly: true, Except: callsOnly, Open: func(s *guardtest.Setting) guardtest.Talk {
			server, options := settingServer(s), middlewareOptions(s)
			options.Scope = ofServer
			server.AddReceivingMiddleware(mcpguard.ServerMiddleware(options))
			return guardtest.Loop(s.Model, sessionTools(inMemory(s.T, newClient(nil), server)), s.Tools)
		}},
	)
	promisetable.Check(t, guardtest.Promises(), columns)
}
