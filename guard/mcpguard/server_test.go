package mcpguard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard/mcpguard"
)

// runAsServer makes this test binary an MCP server on its standard streams.
const runAsServer = "MCPGUARD_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(runAsServer) != "" {
		if err := newTaskServer(os.Getenv(runAsServer) == "guarded").mcp.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
		return
	}
	os.Exit(m.Run())
}

// taskServer is a real MCP server that keeps tasks and counts what it does.
type taskServer struct {
	mcp       *mcp.Server
	deletions atomic.Int32
	began     chan struct{} // a send for each call of wait that runs
	cancelled chan struct{} // a send for each call of wait that was cancelled
	over      chan struct{} // closed by release: a connection that is cut cancels nothing
	release   func()        // lets calls of wait end, or a session waits for them when it closes

	mu    sync.Mutex
	tasks []string
}

type byTitle struct {
	Title string `json:"title" jsonschema:"the title of the task"`
}

type deleted struct {
	Title string `json:"title"`
	Left  int    `json:"left"`
}

var yes = true

func newTaskServer(guarded bool) *taskServer {
	s := &taskServer{
		mcp:   mcp.NewServer(&mcp.Implementation{Name: "tasks", Version: "1"}, &mcp.ServerOptions{PageSize: 3}),
		began: make(chan struct{}, 16), cancelled: make(chan struct{}, 16), over: make(chan struct{}), tasks: []string{"Read book", "Buy milk"},
	}
	s.release = sync.OnceFunc(func() { close(s.over) })
	if guarded {
		s.mcp.AddReceivingMiddleware(mcpguard.ServerMiddleware(nil))
	}
	mcp.AddTool(s.mcp, &mcp.Tool{
		Name: "list_tasks", Description: "List the tasks of the user.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return text(fmt.Sprintf("%d deletions, tasks: %q", s.deletions.Load(), s.tasks)), nil, nil
	})
	mcp.AddTool(s.mcp, &mcp.Tool{
		Name: "delete_task", Description: "Delete a task of the user.", Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes},
	}, s.delete)
	s.plain("create_task", "Create a task of the user.", nil, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text("created"), nil
	})
	s.plain("refuse_task", "Refuse.", nil, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("no such thing here")
	})
	s.plain("wait", "Wait for a long time.", &mcp.ToolAnnotations{DestructiveHint: &yes}, s.wait)
	s.plain("wait_reading", "Wait for a long time.", &mcp.ToolAnnotations{ReadOnlyHint: true}, s.wait)
	s.plain("die", "End the server.", nil, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		os.Exit(3)
		return nil, nil
	})
	s.plain("panic", "Panic.", nil, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.deletions.Add(1)
		panic("on purpose")
	})
	return s
}

func (s *taskServer) plain(name, description string, hints *mcp.ToolAnnotations, handler mcp.ToolHandler) {
	schema := json.RawMessage(`{"type":"object","properties":{"title":{"type":"string","maxLength":20}}}`)
	s.mcp.AddTool(&mcp.Tool{Name: name, Description: description, Annotations: hints, InputSchema: schema}, handler)
}

func (s *taskServer) delete(_ context.Context, _ *mcp.CallToolRequest, in byTitle) (*mcp.CallToolResult, deleted, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, title := range s.tasks {
		if title == in.Title {
			s.deletions.Add(1)
			s.tasks = append(s.tasks[:i:i], s.tasks[i+1:]...)
			return nil, deleted{title, len(s.tasks)}, nil
		}
	}
	return nil, deleted{}, fmt.Errorf("there is no task %q", in.Title)
}

// wait says nothing until it is cancelled.
func (s *taskServer) wait(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	s.began <- struct{}{}
	select {
	case <-ctx.Done():
		s.cancelled <- struct{}{}
	case <-s.over:
	}
	return nil, errors.New("nothing came")
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// connection is a way to a server.
type connection struct {
	session *mcp.ClientSession
	server  *taskServer // nil when it runs in a process of its own
	cut     func()      // breaks the connection without a word
}

// ways are the transports that every test of a session runs over.
var ways = map[string]func(testing.TB, *mcp.Client, bool) connection{"stdio": overStdio, "http": overHTTP}

func overStdio(t testing.TB, client *mcp.Client, guarded bool) connection {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	command := exec.Command(program)
	kind := "plain"
	if guarded {
		kind = "guarded"
	}
	command.Env = append(os.Environ(), runAsServer+"="+kind)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return connection{session: session, cut: func() { _ = command.Process.Kill() }}
}

func overHTTP(t testing.TB, client *mcp.Client, guarded bool) connection {
	t.Helper()
	server := newTaskServer(guarded)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server.mcp }, nil)
	var mu sync.Mutex
	var open []net.Conn
	web := httptest.NewUnstartedServer(handler)
	web.Config.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		mu.Lock()
		defer mu.Unlock()
		open = append(open, conn)
		return ctx
	}
	cut := func() {
		mu.Lock()
		defer mu.Unlock()
		for _, conn := range open {
			_ = conn.Close()
		}
	}
	web.Start()
	t.Cleanup(web.Close)
	t.Cleanup(cut)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL, MaxRetries: -1}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	t.Cleanup(server.release)
	return connection{session, server, func() { cut(); server.release() }}
}

// inMemory is for tests of what does not depend on the way.
func inMemory(t testing.TB, client *mcp.Client, server *mcp.Server) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	_, err := server.Connect(t.Context(), there, nil)
	require.NoError(t, err)
	session, err := client.Connect(t.Context(), here, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func newClient(options *mcp.ClientOptions) *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options)
}
