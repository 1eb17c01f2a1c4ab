package mcpguard_test

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/mcpguard"
)

// connect opens a session on a server of this program.
func connect(ctx context.Context, client *mcp.Client, server *mcp.Server) *mcp.ClientSession {
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		panic(err)
	}
	session, err := client.Connect(ctx, here, nil)
	if err != nil {
		panic(err)
	}
	return session
}

func Example() {
	ctx := context.Background()
	session := connect(ctx, newClient(nil), newTaskServer(false).mcp)
	defer session.Close()
	model := guardtest.Script( // your model; this one lies first
		guardtest.Say("I've deleted Read book."),
		guardtest.Call(guardtest.Tool("delete_task", `{"title":"Read book"}`)),
		guardtest.Say("I've deleted Read book."),
	)

	tools, err := mcpguard.Tools(ctx, session)
	if err != nil {
		panic(err)
	}
	g, err := guard.New(tools, nil)
	if err != nil {
		panic(err)
	}
	reply, err := g.Run(ctx, model, mcpguard.Executor(session), guard.Input{User: "delete the task Read book"})
	fmt.Println(reply.Text, err)
	fmt.Println(reply.Records[0].Tool, reply.Records[0].Result.Status)
	// Output:
	// I've deleted Read book. <nil>
	// delete_task succeeded
}

func ExampleNewServers() {
	ctx := context.Background()
	servers := mcpguard.NewServers(nil)
	client := newClient(&mcp.ClientOptions{ToolListChangedHandler: servers.ListChanged})
	for _, name := range []string{"home", "work"} {
		session := connect(ctx, client, newTaskServer(false).mcp)
		defer session.Close()
		if err := servers.Add(ctx, name, session); err != nil {
			panic(err)
		}
	}
	model := guardtest.Script(
		guardtest.Call(guardtest.Tool("work__delete_task", `{"title":"Read book"}`)),
		guardtest.Say("I've deleted Read book."),
	)
	g, err := servers.Guard(ctx)
	if err != nil {
		panic(err)
	}
	reply, err := g.Run(ctx, model, servers, guard.Input{User: "delete the task Read book at work"})
	fmt.Println(reply.Text, err)
	fmt.Println(reply.Records[0].Tool, string(reply.Records[0].Result.Data))
	// Output:
	// I've deleted Read book. <nil>
	// work__delete_task {"left":1,"title":"Read book"}
}

func ExampleMiddleware() {
	client := newClient(nil)
	client.AddSendingMiddleware(mcpguard.Middleware(nil)) // the one line
	session := connect(context.Background(), client, newTaskServer(false).mcp)
	defer session.Close()

	// The turn is one user message. A loop that asks twice deletes once.
	ctx := guard.NewContext(context.Background(), guard.Input{Owner: "ann", Turn: "message-17"})
	for range 2 {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "delete_task", Arguments: map[string]any{"title": "Read book"}})
		if err != nil {
			panic(err)
		}
		fmt.Println(result.Content[0].(*mcp.TextContent).Text)
	}
	// Output:
	// {"left":1,"title":"Read book"}
	// Not run again: identical to an earlier call: it succeeded, and what it is about has not been changed since.
}

func ExampleServerMiddleware() {
	ctx := context.Background()
	server := newTaskServer(false).mcp
	server.AddReceivingMiddleware(mcpguard.ServerMiddleware(nil)) // the one line
	session := connect(ctx, newClient(nil), server)
	defer session.Close()

	result, err := session.CallTool(ctx, &mcp.CallToolParams{
		Name: "create_task", Arguments: map[string]any{"title": "a title that is longer than the schema allows"},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.IsError, result.Content[0].(*mcp.TextContent).Text)
	// Output:
	// true Error: the call was not run. title has 45 characters; at most 20 are allowed
}
