package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// world is a proxy before a server, with all that it says kept.
type world struct {
	*proxy
	t      testing.TB
	url    string
	out    *transcript // what it printed
	logged *transcript
}

// transcript takes writes from many goroutines.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *transcript) Write(data []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(data)
}

func (w *transcript) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// newWorld starts a proxy with flags before a server.
func newWorld(t testing.TB, upstream string, flags ...string) *world {
	t.Helper()
	w := startWorld(t, upstream, flags...)
	w.t = t
	server := httptest.NewServer(w.proxy)
	w.url = server.URL
	t.Cleanup(func() {
		w.board.close()
		server.Close()
		require.NoError(t, w.close())
		require.NotContains(t, w.logged.String(), "panic")
	})
	return w
}

// startWorld makes a proxy that nobody listens for.
func startWorld(t testing.TB, upstream string, flags ...string) *world {
	t.Helper()
	w := &world{out: &transcript{}, logged: &transcript{}}
	s, err := parseSettings(append([]string{"-upstream", upstream}, flags...), w.logged)
	require.NoError(t, err)
	logger := slog.New(slog.NewTextHandler(w.logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.proxy, err = newProxy(context.Background(), s, w.out, logger)
	require.NoError(t, err)
	return w
}

// model starts a simulated model and returns the server's URL without /v1/.
func model(t testing.TB, behaviour simmodel.Behaviour) string {
	t.Helper()
	server, err := simmodel.Start(behaviour, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return strings.TrimSuffix(server.URL, "/v1/")
}

// serverOf is a server that is no model at all.
func serverOf(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// send posts a body.
func send(t *testing.T, to, body string, header ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(said)}
}

func get(t *testing.T, from string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, from, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(said)}
}

// turnsOf are the turns on the board, copied, the oldest first.
func (w *world) turnsOf() []turnView {
	w.board.mu.Lock()
	defer w.board.mu.Unlock()
	var list []turnView
	for _, turn := range w.board.turns {
		list = append(list, *turn)
	}
	return list
}

// settled waits until the board shows that many turns that are over: an observed
// answer is judged after its last byte.
func (w *world) settled(n int) []turnView {
	w.t.Helper()
	var turns []turnView
	require.Eventually(w.t, func() bool {
		turns = w.turnsOf()
		over := 0
		for _, turn := range turns {
			if turn.State != asking && turn.State != calling {
				over++
			}
		}
		return over >= n
	}, 2*time.Minute, time.Millisecond, "turns that are over")
	return turns
}

// format is one way to say the same.
type format struct {
	name, path string
	// request offers delete_task and asks to delete Read book; called adds a call
	// of it that succeeded.
	request func(stream, called bool) string
}

var formats = []format{
	{"chat completions", "/v1/chat/completions", func(stream, called bool) string {
		more := ""
		if called {
			more = `,{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"delete_task","arguments":"{\"title\":\"Read book\"}"}}]},` +
				`{"role":"tool","tool_call_id":"c1","content":"{\"success\":true}"}`
		}
		return `{"model":"sim","stream":` + yes(
			stream,
		) + `,"messages":[{"role":"user","content":"delete Read book"}` + more + `],"tools":[{"type":"function","function":{"name":"delete_task","description":"Delete a task.","parameters":` + schema + `}}]}`
	}},
	{"Responses", "/v1/responses", func(stream, called bool) string {
		more := ""
		if called {
			more = `,{"type":"function_call","call_id":"c1","name":"delete_task","arguments":"{\"title\":\"Read book\"}"},` +
				`{"type":"function_call_output","call_id":"c1","output":"{\"success\":true}"}`
		}
		return `{"model":"sim","stream":` + yes(
			stream,
		) + `,"input":[{"role":"user","content":"delete Read book"}` + more + `],"tools":[{"type":"function","name":"delete_task","description":"Delete a task.","parameters":` + schema + `}]}`
	}},
	{"Messages", "/v1/messages", func(stream, called bool) string {
		more := ""
		if called {
			more = `,{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"delete_task","input":{"title":"Read book"}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"{\"success\":true}"}]}`
		}
		return `{"model":"sim","max_tokens":100,"stream":` + yes(
			stream,
		) + `,"messages":[{"role":"user","content":"delete Read book"}` + more + `],"tools":[{"name":"delete_task","description":"Delete a task.","input_schema":` + schema + `}]}`
	}},
}

const schema = `{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`

func yes(is bool) string {
	if is {
		return "true"
	}
	return "false"
}

const lie = "I've deleted Read book."

// honest calls the tool first, and then says so.
func honest(_ context.Context, request simmodel.Request) simmodel.Answer {
	if len(request.Results()) > 0 {
		return simmodel.Say(lie)
	}
	return simmodel.CallTool("delete_task", `{"title":"Read book"}`)
}

// liar never calls.
func liar(context.Context, simmodel.Request) simmodel.Answer { return simmodel.Say(lie) }

func mustParse(t testing.TB, text string) *url.URL {
	t.Helper()
	parsed, err := url.Parse(text)
	require.NoError(t, err)
	return parsed
}
