package chatwire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// On every wire the requests of a named turn share its budget, as far as their usage is
// reported: after the first has used it up, the second is refused and nobody is asked.
func TestBudgetOnTheWire(t *testing.T) {
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			g := newGuard(t, func(o *guard.Options) { o.Budgets.Turn.Tokens = 100 })
			u := newUpstream(t, f.say("Good evening.", "end", 90, 20), f.say("Good evening.", "end", 90, 20))
			ctx := guard.NewContext(t.Context(), guard.Input{Owner: "ann", Turn: "m1"})
			transport := chatwire.Transport(g, nil, nil)
			status, body, _ := post(t, ctx, transport, u.URL+f.path, f.request)
			require.Equal(t, 200, status, body)
			status, body, header := post(t, ctx, transport, u.URL+f.path, f.request)
			require.Equal(t, 400, status, body)
			require.Contains(t, body, "what it may cost is used up")
			require.Equal(t, "false", header.Get("X-Should-Retry"))
			require.Len(t, u.got, 1)
			another := guard.NewContext(t.Context(), guard.Input{Owner: "ann", Turn: "m2"})
			status, body, _ = post(t, another, transport, u.URL+f.path, f.request)
			require.Equal(t, 200, status, body)
		})
	}
}

// A client that reads the same again and again is told so once, and then refused.
func TestLoopOnTheWire(t *testing.T) {
	g, err := guard.New([]tooltrack.Tool{{Name: "read_file", Effect: tooltrack.Reads}}, nil)
	require.NoError(t, err)
	read := `{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[` + callJSON("d", "read_file", `{}`) + `]},"finish_reason":"tool_calls"}]}`
	u := newUpstream(t, read, read, read)
	var messages strings.Builder
	messages.WriteString(`{"role":"user","content":"look at the file"}`)
	for _, id := range []string{"a", "b", "c"} {
		messages.WriteString(`,{"role":"assistant","content":null,"tool_calls":[` + callJSON(id, "read_file", `{}`) + `]},{"role":"tool","tool_call_id":"` + id + `","content":"package main"}`)
	}
	request := `{"messages":[` + messages.String() + `],"tools":[{"type":"function","function":{"name":"read_file","parameters":{"type":"object"}}}]}`
	status, body, _ := post(t, t.Context(), chatwire.Transport(g, nil, nil), u.URL+"/v1/chat/completions", request)
	require.Equal(t, 400, status, body)
	require.Contains(t, body, "insufficient_progress")
	require.Contains(t, body, "the same was tried again and again")
	require.Len(t, u.got, 2)
	require.Contains(t, u.got[1], "this call was made 3 times")
}
