package mcpguard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/mcpguard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// guardedClient is a client with the middleware, and its ledger.
func guardedClient(options *mcpguard.MiddlewareOptions) (*mcp.Client, *tooltrack.Ledger) {
	if options == nil {
		options = &mcpguard.MiddlewareOptions{}
	}
	if options.Ledger == nil {
		options.Ledger = tooltrack.NewLedger(nil, nil)
	}
	client := newClient(nil)
	guarded := mcpguard.Middleware(options)
	client.AddSendingMiddleware(guarded)
	client.AddReceivingMiddleware(guarded)
	return client, options.Ledger
}

func inTurn(t *testing.T, turn string) context.Context {
	t.Helper()
	return guard.NewContext(t.Context(), guard.Input{Owner: "ann", Turn: turn})
}

func records(t *testing.T, ledger *tooltrack.Ledger, owner string) []*tooltrack.Record {
	t.Helper()
	found, err := ledger.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: owner}})
	require.NoError(t, err)
	return found
}

func said(result *mcp.CallToolResult) string { return result.Content[0].(*mcp.TextContent).Text }

func params(tool string, args any) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: tool, Arguments: args}
}

var readBook = map[string]any{"title": "Read book"}

// TestClientMiddleware: any host gets the ledger and the policy, over either
// transport.
func TestClientMiddleware(t *testing.T) {
	for name, connect := range ways {
		t.Run(name, func(t *testing.T) {
			client, ledger := guardedClient(nil)
			c := connect(t, client, false)
			ctx := inTurn(t, "1")

			first, err := c.session.CallTool(ctx, params("delete_task", readBook))
			require.NoError(t, err)
			require.False(t, first.IsError)
			require.JSONEq(t, `{"title":"Read book","left":1}`, said(first))

			again, err := c.session.CallTool(ctx, params("delete_task", readBook))
			require.NoError(t, err)
			require.False(t, again.IsError)
			require.Contains(t, said(again), "Not run again")
			require.Equal(t, "at_most_once", again.Meta[mcpguard.MetaRuling].(map[string]any)["rule"])

			denied, err := c.session.CallTool(ctx, params("create_task", map[string]any{"title": strings.Repeat("x", 21)}))
			require.NoError(t, err)
			require.True(t, denied.IsError)
			require.Contains(t, said(denied), "title has 21 characters; at most 20 are allowed")

			unknown, err := c.session.CallTool(ctx, params("no_such_tool", nil))
			require.NoError(t, err)
			require.True(t, unknown.IsError)

			failed, err := c.session.CallTool(inTurn(t, "2"), params("delete_task", readBook))
			require.NoError(t, err)
			require.True(t, failed.IsError, "another turn may try again, and it is gone")

			listed, err := c.session.CallTool(ctx, params("list_tasks", nil))
			require.NoError(t, err)
			require.Equal(t, `1 deletions, tasks: ["Buy milk"]`, said(listed))

			var seen []string
			for _, record := range records(t, ledger, "ann") {
				seen = append(seen, record.Tool+" "+record.Result.Status.String())
			}
			require.Equal(t, []string{
				"delete_task succeeded", "create_task denied", "no_such_tool denied", "delete_task failed", "list_tasks succeeded",
			}, seen)
		})
	}
}

// TestADeliberateRepeatRuns: on, off, on. What is changed is the guessed subject.
func TestADeliberateRepeatRuns(t *testing.T) {
	var states []string
	server := mcp.NewServer(&mcp.Implementation{Name: "lights", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "switch_light", InputSchema: schema("light_id* state*"), Annotations: &mcp.ToolAnnotations{DestructiveHint: new(bool)}},
		func(_ context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in struct{ State string }
			err := json.Unmarshal(request.Params.Arguments, &in)
			states = append(states, in.State)
			return text("ok"), err
		})
	client, _ := guardedClient(nil)
	session := inMemory(t, client, server)
	for _, state := range []string{"on", "off", "on", "on"} {
		_, err := session.CallTool(inTurn(t, "1"), params("switch_light", map[string]any{"light_id": "7", "state": state}))
		require.NoError(t, err)
	}
	require.Equal(t, []string{"on", "off", "on"}, states)
}

// TestWithoutATurnNothingIsARepeat: the host did not say which calls belong
// together, so each is recorded and each runs.
func TestWithoutATurnNothingIsARepeat(t *testing.T) {
	client, ledger := guardedClient(nil)
	session := inMemory(t, client, newTaskServer(false).mcp)
	for range 2 {
		result, err := session.CallTool(t.Context(), params("create_task", readBook))
		require.NoError(t, err)
		require.Equal(t, "created", said(result))
	}
	require.Len(t, records(t, ledger, guard.LocalOwner), 2)
}

// TestTheClientLosesTheAnswer: the record says unknown, and the call is not made
// again in this turn.
func TestTheClientLosesTheAnswer(t *testing.T) {
	client, ledger := guardedClient(nil)
	c := overHTTP(t, client, false)
	go func() {
		<-c.server.began
		c.cut()
	}()
	_, err := c.session.CallTool(inTurn(t, "1"), params("wait", nil))
	require.Error(t, err)
	require.Equal(t, tooltrack.Unknown, records(t, ledger, "ann")[0].Result.Status)

	fresh := overHTTP(t, client, false)
	again, err := fresh.session.CallTool(inTurn(t, "1"), params("wait", nil))
	require.NoError(t, err)
	require.True(t, again.IsError)
	require.Contains(t, said(again), "it is not known")
	require.Empty(t, fresh.server.began)
}

// TestARewriteIsWhatRuns: the server gets the arguments that were approved, and
// the caller's own are left alone.
func TestARewriteIsWhatRuns(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "one", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "search", InputSchema: json.RawMessage(`{"type":"object","properties":{"limit":{"type":"integer"}}}`)},
		func(_ context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return text(string(request.Params.Arguments)), nil
		})
	rules := policy.Rules{Tools: map[string][]policy.Argument{"search": {policy.Arg("limit", policy.Cap(20))}}}
	client, ledger := guardedClient(&mcpguard.MiddlewareOptions{Policy: &policy.Options{Rules: rules}})
	session := inMemory(t, client, server)
	sent := map[string]any{"limit": 500}
	result, err := session.CallTool(inTurn(t, "1"), params("search", sent))
	require.NoError(t, err)
	require.Equal(t, `{"limit":20}`, said(result))
	require.Equal(t, 500, sent["limit"])
	require.JSONEq(t, `{"limit":500}`, string(records(t, ledger, "ann")[0].Ruling.Rewritten))
}

// TestObservingChangesNothing: refusals and repeats run, and are logged.
func TestObservingChangesNothing(t *testing.T) {
	var logged bytes.Buffer
	client, ledger := guardedClient(&mcpguard.MiddlewareOptions{Observe: true, Logger: slog.New(slog.NewTextHandler(&logged, nil))})
	session := inMemory(t, client, newTaskServer(false).mcp)
	for _, title := range []string{"a", "a", strings.Repeat("secret", 5)} {
		result, err := session.CallTool(inTurn(t, "1"), params("create_task", map[string]any{"title": title}))
		require.NoError(t, err)
		require.Equal(t, "created", said(result))
	}
	_, err := session.CallTool(inTurn(t, "1"), params("no_such_tool", nil))
	require.Error(t, err, "the server's own answer")
	require.Contains(t, logged.String(), "at_most_once")
	require.Contains(t, logged.String(), "rule=length")
	require.NotContains(t, logged.String(), "secret")
	require.Len(t, records(t, ledger, "ann"), 3)
}

// TestTheMiddlewareFollowsLists: a tool that is added later may be called, one
// whose schema changed is judged by the new one.
func TestTheMiddlewareFollowsLists(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "one", Version: "1"}, &mcp.ServerOptions{PageSize: 1})
	add := func(name, schema string) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(schema)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return text("ok"), nil })
	}
	add("a", `{"type":"object"}`)
	add("b", `{"type":"object"}`)
	client, _ := guardedClient(nil)
	session := inMemory(t, client, server)
	refused := func(tool string) bool {
		result, err := session.CallTool(t.Context(), params(tool, map[string]any{"x": "y"}))
		require.NoError(t, err)
		return result.IsError
	}
	require.False(t, refused("a"))
	require.True(t, refused("c"))
	add("a", `{"type":"object","properties":{"x":{"type":"integer"}}}`)
	add("c", `{"type":"object"}`)
	for _, err := range session.Tools(t.Context(), nil) {
		require.NoError(t, err)
	}
	require.True(t, refused("a"))
	require.False(t, refused("b"))
	require.False(t, refused("c"))
}

// TestTheMiddlewareHearsOfChanges: on the receiving side it learns that a list
// changed before the host reads it.
func TestTheMiddlewareHearsOfChanges(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "one", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{"2025-11-25"}})
	add := func(name string) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return text("ok"), nil })
	}
	add("a")
	changed := make(chan struct{}, 4)
	client := newClient(&mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} }})
	guarded := mcpguard.Middleware(nil)
	client.AddSendingMiddleware(guarded)
	client.AddReceivingMiddleware(guarded)
	session := inMemory(t, client, server)
	result, err := session.CallTool(t.Context(), params("b", nil))
	require.NoError(t, err)
	require.True(t, result.IsError)
	add("b")
	<-changed
	result, err = session.CallTool(t.Context(), params("b", nil))
	require.NoError(t, err)
	require.False(t, result.IsError)
}

// TestAToolThatCannotBeJudged: it alone is refused.
func TestAToolThatCannotBeJudged(t *testing.T) {
	server := newTaskServer(false).mcp
	server.AddTool(&mcp.Tool{Name: "odd", InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"pattern":"("}}}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return text("ran"), nil })
	client, _ := guardedClient(nil)
	session := inMemory(t, client, server)
	result, err := session.CallTool(t.Context(), params("odd", nil))
	require.NoError(t, err)
	require.True(t, result.IsError)
	require.Contains(t, said(result), "the tool odd cannot be called")
	result, err = session.CallTool(t.Context(), params("create_task", nil))
	require.NoError(t, err)
	require.False(t, result.IsError)
}

// TestCallsAtOnce: of many identical calls in one turn, one runs.
func TestCallsAtOnce(t *testing.T) {
	client, _ := guardedClient(nil)
	server := newTaskServer(false)
	session := inMemory(t, client, server.mcp)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			_, err := session.CallTool(inTurn(t, "1"), params("delete_task", readBook))
			require.NoError(t, err)
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, server.deletions.Load())
}

// TestServerMiddleware: arguments are reviewed before the handler sees them, and
// a turn that the client announces runs a change once.
func TestServerMiddleware(t *testing.T) {
	for name, connect := range ways {
		t.Run(name, func(t *testing.T) {
			servers := mcpguard.NewServers(&mcpguard.Options{AnnounceTurn: true})
			c := connect(t, newClient(nil), true)
			require.NoError(t, servers.Add(t.Context(), "", c.session))
			ctx := inTurn(t, "1")
			first, err := servers.Execute(ctx, call("delete_task", `{"title":"Read book"}`))
			require.NoError(t, err)
			require.JSONEq(t, `{"title":"Read book","left":1}`, string(first))
			again, err := servers.Execute(ctx, call("delete_task", `{"title":"Read book"}`))
			require.NoError(t, err)
			require.JSONEq(t, string(first), string(again), "it was not run again: the counter below says so")

			_, err = servers.Execute(ctx, call("create_task", `{"title":"`+strings.Repeat("x", 21)+`"}`))
			require.ErrorIs(t, err, mcpguard.ErrFailed)
			require.ErrorContains(t, err, "at most 20 are allowed")
			_, err = servers.Execute(ctx, call("panic", `{}`))
			require.ErrorIs(t, err, mcpguard.ErrRefused)
			_, err = servers.Execute(ctx, call("panic", `{}`))
			require.ErrorContains(t, err, "it is not known")

			body, err := servers.Execute(ctx, call("list_tasks", `{}`))
			require.NoError(t, err, "the server has survived")
			require.Equal(t, `2 deletions, tasks: ["Buy milk"]`, string(body))
		})
	}
}

// TestALostAnswerIsFetched: a server that runs a change once per turn makes its
// tools idempotent, so the guard may ask again when the answer was lost, and the
// change was made once.
func TestALostAnswerIsFetched(t *testing.T) {
	paid, cutNext := 0, true
	server := mcp.NewServer(&mcp.Implementation{Name: "bank", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "pay_invoice", InputSchema: schema("invoice_id*"), Annotations: &mcp.ToolAnnotations{IdempotentHint: true}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			paid++
			return text("paid"), nil
		})
	server.AddReceivingMiddleware(mcpguard.ServerMiddleware(nil))
	client := newClient(nil)
	client.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, request)
			if method == "tools/call" && cutNext {
				cutNext = false
				return nil, io.ErrUnexpectedEOF
			}
			return result, err
		}
	})
	servers := mcpguard.NewServers(&mcpguard.Options{AnnounceTurn: true})
	require.NoError(t, servers.Add(t.Context(), "", inMemory(t, client, server)))
	g, err := servers.Guard(t.Context())
	require.NoError(t, err)
	pay := guardtest.Tool("pay_invoice", `{"invoice_id":"7"}`)
	model := guardtest.Script(guardtest.Call(pay), guardtest.Call(pay), guardtest.Say("I've paid invoice 7."))
	reply, err := g.Run(t.Context(), model, servers, guard.Input{User: "pay invoice 7", Turn: "1"})
	require.NoError(t, err)
	require.Equal(t, "I've paid invoice 7.", reply.Text)
	require.Equal(t, 1, paid)
	require.Equal(t, tooltrack.Unknown, reply.Records[0].Result.Status)
	require.True(t, reply.Records[1].Result.Sure())
}

// TestWhoseTurnItIs: users and sessions do not meet one another's calls, and
// without either nobody's turn is believed.
func TestWhoseTurnItIs(t *testing.T) {
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}
	for name, row := range map[string]struct {
		stateless, authenticated bool
		users                    []string
		runs                     int
	}{
		"one user twice":         {true, true, []string{"ann", "ann"}, 1},
		"two users":              {true, true, []string{"ann", "bob"}, 2},
		"two sessions":           {false, false, []string{"", ""}, 2},
		"neither user nor state": {true, false, []string{"", ""}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			runs := 0
			server := mcp.NewServer(&mcp.Implementation{Name: "one", Version: "1"}, nil)
			server.AddReceivingMiddleware(mcpguard.ServerMiddleware(nil))
			server.AddTool(&mcp.Tool{Name: "pay", InputSchema: json.RawMessage(`{"type":"object"}`)},
				func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					runs++
					return text("paid"), nil
				})
			var handler http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
				&mcp.StreamableHTTPOptions{Stateless: row.stateless})
			if row.authenticated {
				handler = auth.RequireBearerToken(verify, nil)(handler)
			}
			web := httptest.NewServer(handler)
			defer web.Close()
			for _, user := range row.users {
				transport := &mcp.StreamableClientTransport{Endpoint: web.URL, HTTPClient: &http.Client{Transport: bearer(user)}}
				session, err := newClient(nil).Connect(t.Context(), transport, nil)
				require.NoError(t, err)
				_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "pay", Meta: mcp.Meta{mcpguard.MetaTurn: "1"}})
				require.NoError(t, err)
				require.NoError(t, session.Close())
			}
			require.Equal(t, row.runs, runs)
		})
	}
}

type bearer string

func (b bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	if b != "" {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(request)
}

// brokenStore is a ledger's store that fails or panics.
type brokenStore struct {
	tooltrack.Store
	begin, finish, records func() error
}

func (s brokenStore) Begin(ctx context.Context, record *tooltrack.Record, rerun bool) (tooltrack.Begun, error) {
	if s.begin != nil {
		return tooltrack.Begun{}, s.begin()
	}
	return s.Store.Begin(ctx, record, rerun)
}

func (s brokenStore) Finish(ctx context.Context, record *tooltrack.Record) (*tooltrack.Record, error) {
	if s.finish != nil {
		return nil, s.finish()
	}
	return s.Store.Finish(ctx, record)
}

func (s brokenStore) Records(ctx context.Context, query tooltrack.Query) ([]*tooltrack.Record, error) {
	if s.records != nil {
		return nil, s.records()
	}
	return s.Store.Records(ctx, query)
}

// TestMiddlewareCallbacks: code of the host's own that fails or panics keeps a
// call from running, or is survived; it never ends the program, and nothing runs
// unrecorded.
func TestMiddlewareCallbacks(t *testing.T) {
	down, panics := func() error { return errors.New("down") }, func() error { panic("store") }
	store := func(broken brokenStore) *tooltrack.Ledger {
		broken.Store = tooltrack.NewMemory(nil)
		return tooltrack.NewLedger(broken, nil)
	}
	judge := policy.Func("own", func(context.Context, policy.CheckInput) (policy.CheckResult, error) { panic("rule") })
	for name, row := range map[string]struct {
		options mcpguard.MiddlewareOptions
		runs    int32
		kind    error
	}{
		"scope fails":  {mcpguard.MiddlewareOptions{Scope: func(context.Context, mcp.Request) (tooltrack.Scope, error) { return tooltrack.Scope{}, down() }}, 0, mcpguard.ErrNotSent},
		"scope panics": {mcpguard.MiddlewareOptions{Scope: func(context.Context, mcp.Request) (tooltrack.Scope, error) { panic("scope") }}, 0, mcpguard.ErrNotSent},
		"scope too long": {mcpguard.MiddlewareOptions{Scope: func(context.Context, mcp.Request) (tooltrack.Scope, error) {
			return tooltrack.Scope{Turn: strings.Repeat("x", 1000)}, nil
		}}, 0, mcpguard.ErrNotSent},
		"clock panics":  {mcpguard.MiddlewareOptions{Clock: func() time.Time { panic("clock") }}, 0, mcpguard.ErrNotSent},
		"begin fails":   {mcpguard.MiddlewareOptions{Ledger: store(brokenStore{begin: down})}, 0, mcpguard.ErrNotSent},
		"begin panics":  {mcpguard.MiddlewareOptions{Ledger: store(brokenStore{begin: panics})}, 0, mcpguard.ErrNotSent},
		"records fail":  {mcpguard.MiddlewareOptions{Ledger: store(brokenStore{records: down})}, 0, mcpguard.ErrNotSent},
		"finish fails":  {mcpguard.MiddlewareOptions{Ledger: store(brokenStore{finish: down})}, 1, mcpguard.ErrLost},
		"finish panics": {mcpguard.MiddlewareOptions{Ledger: store(brokenStore{finish: panics})}, 1, mcpguard.ErrLost},
		"rule panics": {mcpguard.MiddlewareOptions{Policy: &policy.Options{Rules: policy.Rules{
			Tools: map[string][]policy.Argument{"delete_task": {policy.Arg("title", judge)}}}}}, 0, mcpguard.ErrNotSent},
		"rule for no tool": {mcpguard.MiddlewareOptions{Policy: &policy.Options{Modes: []policy.Mode{{}}}}, 0, mcpguard.ErrNotSent},
		"describe panics":  {mcpguard.MiddlewareOptions{Describe: func(*mcp.Tool, *tooltrack.Tool) bool { panic("describe") }}, 0, nil},
		"left out":         {mcpguard.MiddlewareOptions{Describe: func(*mcp.Tool, *tooltrack.Tool) bool { return false }}, 0, nil},
		"described as nonsense": {mcpguard.MiddlewareOptions{Describe: func(_ *mcp.Tool, tool *tooltrack.Tool) bool {
			*tool = tooltrack.Tool{Parameters: json.RawMessage(`{`)}
			return true
		}}, 0, nil},
		"log handler panics": {mcpguard.MiddlewareOptions{Observe: true, Ledger: store(brokenStore{begin: down}), Logger: slog.New(panicHandler{})}, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			client := newClient(nil)
			client.AddSendingMiddleware(mcpguard.Middleware(&row.options))
			server := newTaskServer(false)
			session := inMemory(t, client, server.mcp)
			result, err := session.CallTool(inTurn(t, "1"), params("delete_task", readBook))
			if row.kind != nil {
				require.ErrorIs(t, err, row.kind)
			} else {
				require.NoError(t, err)
				require.Equal(t, row.runs == 0, result.IsError)
			}
			require.Equal(t, row.runs, server.deletions.Load())
		})
	}
}

type panicHandler struct{ slog.Handler }

func (panicHandler) Enabled(context.Context, slog.Level) bool  { return true }
func (panicHandler) Handle(context.Context, slog.Record) error { panic("handler") }
