package mcpguard_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/mcpguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func call(tool, args string) tooltrack.Call {
	return tooltrack.Call{Tool: tool, Args: json.RawMessage(args)}
}

func TestToolsOfAServer(t *testing.T) {
	for name, connect := range ways {
		t.Run(name, func(t *testing.T) {
			c := connect(t, newClient(nil), false)
			tools, err := mcpguard.Tools(t.Context(), c.session)
			require.NoError(t, err)
			effects := map[string]tooltrack.Effect{}
			for _, tool := range tools {
				effects[tool.Name] = tool.Effect
			}
			require.Equal(t, map[string]tooltrack.Effect{
				"list_tasks": tooltrack.Reads, "delete_task": tooltrack.Changes, "create_task": tooltrack.UnknownEffect,
				"refuse_task": tooltrack.UnknownEffect, "wait": tooltrack.Changes, "wait_reading": tooltrack.Reads,
				"die": tooltrack.UnknownEffect, "panic": tooltrack.UnknownEffect,
			}, effects, "all pages are read")
		})
	}
}

func TestATurnOnAServer(t *testing.T) {
	for name, connect := range ways {
		t.Run(name, func(t *testing.T) {
			c := connect(t, newClient(nil), false)
			tools, err := mcpguard.Tools(t.Context(), c.session)
			require.NoError(t, err)
			g, err := guard.New(tools, nil)
			require.NoError(t, err)
			model := guardtest.Script(
				guardtest.Say("I've deleted Read book."), // a lie, so it is asked again
				guardtest.Call(guardtest.Tool("delete_task", `{"title":"Read book"}`)),
				guardtest.Say("I've deleted Read book."),
			)
			reply, err := g.Run(t.Context(), model, mcpguard.Executor(c.session), guard.Input{User: "delete the task Read book"})
			require.NoError(t, err)
			require.Equal(t, "I've deleted Read book.", reply.Text)
			require.Len(t, reply.Records, 1)
			require.Equal(t, tooltrack.Succeeded, reply.Records[0].Result.Status)
			require.JSONEq(t, `{"title":"Read book","left":1}`, string(reply.Records[0].Result.Data))
		})
	}
}

// TestAFailureIsToldAsOne: the tool's own reason reaches the ledger, and a model
// that claims success all the same does not get through.
func TestAFailureIsToldAsOne(t *testing.T) {
	c := overHTTP(t, newClient(nil), false)
	tools, err := mcpguard.Tools(t.Context(), c.session)
	require.NoError(t, err)
	g, err := guard.New(tools, nil)
	require.NoError(t, err)
	model := guardtest.Script(
		guardtest.Call(guardtest.Tool("delete_task", `{"title":"Water plants"}`)),
		guardtest.Say("I've deleted Water plants."), guardtest.Say("I've deleted Water plants."), guardtest.Say("I've deleted Water plants."),
	)
	reply, err := g.Run(t.Context(), model, mcpguard.Executor(c.session), guard.Input{User: "delete the task Water plants"})
	require.Error(t, err)
	require.Empty(t, reply.Text)
	require.Contains(t, reply.Account, `there is no task "Water plants"`)
	require.Zero(t, c.server.deletions.Load())
}

func TestErrorsOfAnExecutor(t *testing.T) {
	for name, connect := range ways {
		t.Run(name, func(t *testing.T) {
			c := connect(t, newClient(nil), false)
			run := mcpguard.Executor(c.session)

			body, err := run.Execute(t.Context(), call("delete_task", `{"title":"Water plants"}`))
			require.ErrorIs(t, err, mcpguard.ErrFailed)
			require.NotErrorIs(t, err, tooltrack.ErrOutcomeUnknown)
			require.EqualError(t, err, `there is no task "Water plants"`)
			require.Equal(t, err.Error(), string(body))

			_, err = run.Execute(t.Context(), call("refuse_task", `{}`))
			require.ErrorIs(t, err, mcpguard.ErrRefused)
			require.NotErrorIs(t, err, tooltrack.ErrOutcomeUnknown)
			require.ErrorContains(t, err, "no such thing here")

			_, err = run.Execute(t.Context(), call("no_such_tool", `{}`))
			require.ErrorIs(t, err, mcpguard.ErrRefused)

			ended, cancel := context.WithCancel(t.Context())
			cancel()
			_, err = run.Execute(ended, call("delete_task", `{"title":"Read book"}`))
			require.ErrorIs(t, err, mcpguard.ErrNotSent)
			require.NotErrorIs(t, err, tooltrack.ErrOutcomeUnknown)
		})
	}
}

// TestWithoutASession: what is missing is told, not stumbled over.
func TestWithoutASession(t *testing.T) {
	_, err := mcpguard.Tools(t.Context(), nil)
	require.ErrorIs(t, err, mcpguard.ErrNoSession)
	_, err = mcpguard.Executor(nil).Execute(t.Context(), call("a", `{}`))
	require.ErrorIs(t, err, mcpguard.ErrNotSent)
	require.ErrorIs(t, err, mcpguard.ErrNoSession)
	servers := mcpguard.NewServers(nil)
	require.ErrorIs(t, servers.Add(t.Context(), "a", nil), mcpguard.ErrNoSession)
	servers.ListChanged(t.Context(), nil)
}

// TestCancellationReachesTheServer: the handler's context ends, and nobody
// pretends to know what it had done by then.
func TestCancellationReachesTheServer(t *testing.T) {
	c := overHTTP(t, newClient(nil), false)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-c.server.began
		cancel()
	}()
	_, err := mcpguard.Executor(c.session).Execute(ctx, call("wait", `{}`))
	require.ErrorIs(t, err, mcpguard.ErrCancelled)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, tooltrack.ErrOutcomeUnknown)
	<-c.server.cancelled
}

// TestACancelledRead: of a tool that reads, nothing can have taken effect.
func TestACancelledRead(t *testing.T) {
	c := overHTTP(t, newClient(nil), false)
	servers := mcpguard.NewServers(nil)
	require.NoError(t, servers.Add(t.Context(), "x", c.session))
	for tool, isUnknown := range map[string]bool{"x__wait": true, "x__wait_reading": false} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-c.server.began
			cancel()
		}()
		_, err := servers.Execute(ctx, call(tool, `{}`))
		require.ErrorIs(t, err, mcpguard.ErrCancelled)
		require.Equal(t, isUnknown, errors.Is(err, tooltrack.ErrOutcomeUnknown), tool)
		<-c.server.cancelled
	}
}

// TestALostConnection: what was under way is unknown, what comes after was not
// sent.
func TestALostConnection(t *testing.T) {
	t.Run("stdio", func(t *testing.T) {
		c := overStdio(t, newClient(nil), false)
		run := mcpguard.Executor(c.session)
		_, err := run.Execute(t.Context(), call("die", `{}`))
		require.ErrorIs(t, err, mcpguard.ErrLost)
		require.ErrorIs(t, err, tooltrack.ErrOutcomeUnknown)
		_ = c.session.Wait()
		require.Eventually(t, func() bool {
			_, err = run.Execute(t.Context(), call("delete_task", `{"title":"Read book"}`))
			return err != nil && mcpguardKind(err) == mcpguard.ErrNotSent
		}, 2*time.Minute, time.Millisecond, "%v", err)
		require.NotErrorIs(t, err, tooltrack.ErrOutcomeUnknown)
	})
	t.Run("http", func(t *testing.T) {
		c := overHTTP(t, newClient(nil), false)
		go func() {
			<-c.server.began
			c.cut()
		}()
		_, err := mcpguard.Executor(c.session).Execute(t.Context(), call("wait", `{}`))
		require.ErrorIs(t, err, mcpguard.ErrLost)
		require.ErrorIs(t, err, tooltrack.ErrOutcomeUnknown)
	})
}

// TestALostAnswerIsNotRepeated: the guard records that the outcome is unknown,
// and a second call in the same turn does not run.
func TestALostAnswerIsNotRepeated(t *testing.T) {
	c := overHTTP(t, newClient(nil), false)
	tools, err := mcpguard.Tools(t.Context(), c.session)
	require.NoError(t, err)
	g, err := guard.New(tools, nil)
	require.NoError(t, err)
	go func() {
		<-c.server.began
		c.cut()
	}()
	model := guardtest.Script(
		guardtest.Call(guardtest.Tool("wait", `{"title":"x"}`)),
		guardtest.Call(guardtest.Tool("wait", `{"title":"x"}`)),
		guardtest.Say("I could not find out whether the wait took effect: the connection was lost. Please check, then ask again."),
	)
	reply, err := g.Run(t.Context(), model, mcpguard.Executor(c.session), guard.Input{User: "wait for x"})
	require.NoError(t, err)
	require.Len(t, reply.Records, 1)
	require.Equal(t, tooltrack.Unknown, reply.Records[0].Result.Status)
	require.Empty(t, c.server.began, "it ran once")
}

func TestResultsInOnePiece(t *testing.T) {
	structured := map[string]any{"id": "7"}
	for name, row := range map[string]struct {
		result *mcp.CallToolResult
		want   string
	}{
		"text":               {text("done"), "done"},
		"texts":              {&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "a"}, &mcp.TextContent{Text: "b"}}}, "a\nb"},
		"nothing":            {&mcp.CallToolResult{Content: []mcp.Content{}}, ""},
		"structured":         {&mcp.CallToolResult{StructuredContent: structured}, `{"id":"7"}`},
		"the same twice":     {&mcp.CallToolResult{StructuredContent: structured, Content: text(`{ "id": "7" }`).Content}, `{ "id": "7" }`},
		"a text beside it":   {&mcp.CallToolResult{StructuredContent: structured, Content: text("Task 7").Content}, `{"id":"7","content":"Task 7"}`},
		"beside an empty":    {&mcp.CallToolResult{StructuredContent: map[string]any{}, Content: text("x").Content}, `{"content":"x"}`},
		"content taken":      {&mcp.CallToolResult{StructuredContent: map[string]any{"content": 1}, Content: text("x").Content}, `{"content":1}`},
		"beside a list":      {&mcp.CallToolResult{StructuredContent: []int{1}, Content: text("x").Content}, `{"structuredContent":[1],"content":"x"}`},
		"a picture":          {&mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{MIMEType: "image/png", Data: []byte("abc")}}}, "[image image/png, 3 bytes]"},
		"a sound":            {&mcp.CallToolResult{Content: []mcp.Content{&mcp.AudioContent{MIMEType: "audio/wav", Data: []byte("abcd")}}}, "[audio audio/wav, 4 bytes]"},
		"a link":             {&mcp.CallToolResult{Content: []mcp.Content{&mcp.ResourceLink{Name: "log", URI: "file:///log"}}}, "[resource log file:///log]"},
		"a resource in text": {&mcp.CallToolResult{Content: []mcp.Content{&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "a:b", Text: "hello"}}}}, "hello"},
		"a resource in bytes": {&mcp.CallToolResult{Content: []mcp.Content{&mcp.EmbeddedResource{
			Resource: &mcp.ResourceContents{URI: "a:b", MIMEType: "x/y", Blob: []byte{1, 2}}}}}, "[resource a:b x/y, 2 bytes]"},
		"numbers as written": {&mcp.CallToolResult{
			StructuredContent: json.RawMessage(`{"n":9007199254740993}`), Content: text(`{"n":9007199254740993}`).Content}, `{"n":9007199254740993}`},
	} {
		t.Run(name, func(t *testing.T) {
			server := mcp.NewServer(&mcp.Implementation{Name: "one", Version: "1"}, nil)
			server.AddTool(&mcp.Tool{Name: "get", InputSchema: json.RawMessage(`{"type":"object"}`)},
				func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return row.result, nil })
			body, err := mcpguard.Executor(inMemory(t, newClient(nil), server)).Execute(t.Context(), call("get", ""))
			require.NoError(t, err)
			require.Equal(t, row.want, string(body))
		})
	}
}

func mcpguardKind(err error) error {
	failed, ok := err.(*mcpguard.CallError)
	if !ok {
		return nil
	}
	return failed.Kind
}
