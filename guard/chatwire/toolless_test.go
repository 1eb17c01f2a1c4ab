package chatwire_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// withoutTools is a request whose tools the client has left out.
func withoutTools(t *testing.T, request string) string {
	t.Helper()
	bare := request
	for _, tools := range []string{offer, inputOffer, listOffer} {
		bare = strings.Replace(bare, ","+tools, "", 1)
	}
	require.NotEqual(t, request, bare)
	return bare
}

// TestAnAnswerAfterCallsIsJudgedWithoutTools: a client may offer no tools once it wants the
// answer. The calls among the messages show what it rests on.
func TestAnAnswerAfterCallsIsJudgedWithoutTools(t *testing.T) {
	const draft = "Good evening. t1 is gone from your list. "
	const kept = `{"message":null,"items":[{"what":"t1 deleted","status":"done","records":[1]}]}`
	for _, f := range forms() {
		f.request = withoutTools(t, f.request)
		t.Run(f.name+", the draft is kept", func(t *testing.T) {
			said := f.say(draft, "end", 10, 1)
			u := newUpstream(t, said, f.say(kept, "end", 20, 2))
			status, got, _ := post(t, context.Background(), chatwire.Transport(doubtful(t), nil, nil), u.URL+f.path, f.request)
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, said, got)
			require.Len(t, u.got, 2)
			require.Equal(t, f.request, u.got[0])
			require.Contains(t, u.got[1], "Check your answer before it is shown.")
			require.NotContains(t, u.got[1], `"tools"`)
		})
		t.Run(f.name+", no proof comes", func(t *testing.T) {
			u := newUpstream(t, f.say(draft, "end", 10, 1), f.say("As I said.", "end", 20, 2), f.say("Trust me.", "end", 30, 3))
			status, got, _ := post(t, context.Background(), chatwire.Transport(doubtful(t), nil, nil), u.URL+f.path, f.request)
			response, err := f.read(got)
			require.NoError(t, err, got)
			require.Equal(t, http.StatusOK, status)
			require.True(t, strings.HasPrefix(response.Message.Text, "Good evening."), response.Message.Text)
			require.NotContains(t, response.Message.Text, "gone")
		})
	}
}

// TestWhatNeedsNoToolsPassesUntouched: a title that is asked for over a conversation with
// calls, and what nobody here can judge.
func TestWhatNeedsNoToolsPassesUntouched(t *testing.T) {
	call := callJSON("a", "delete_task", `{"id":"t1"}`)
	history := `{"messages":[{"role":"user","content":"get rid of t1"},{"role":"assistant","content":null,"tool_calls":[` + call +
		`]},{"role":"tool","tool_call_id":"a","content":"ok"}`
	refusing := &chatwire.Options{Handle: func(context.Context, *chatwire.Request) (chatwire.Handling, error) {
		return chatwire.Handling{}, errors.New("no tools, no guard")
	}}
	for name, c := range map[string]struct {
		path, body string
		options    *chatwire.Options
	}{
		"a title":                      {"/v1/chat/completions", history + `,{"role":"assistant","content":"Done."},{"role":"user","content":"Give this talk a title."}]}`, nil},
		"several choices":              {"/v1/chat/completions", history + `],"n":3}`, nil},
		"a guard that nobody has":      {"/v1/chat/completions", history + `]}`, refusing},
		"a result of another's call":   {"/v1/responses", `{"previous_response_id":"resp_0","input":[{"type":"function_call_output","call_id":"c9","output":"ok"}]}`, nil},
		"Messages that cannot be read": {"/v1/messages", `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":7}]}]}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUpstream(t, "t1 is gone")
			status, got, _ := post(t, context.Background(), chatwire.Transport(doubtful(t), nil, c.options), u.URL+c.path, c.body)
			require.Equal(t, http.StatusOK, status, got)
			require.Equal(t, "t1 is gone", got)
			require.Equal(t, []string{c.body}, u.got)
		})
	}
}

// TestToolsThatWereCalled are those of the calls among the messages, once each.
func TestToolsThatWereCalled(t *testing.T) {
	for _, f := range forms()[:1] {
		request, err := chatwire.ChatCompletions.ParseRequest([]byte(withoutTools(t, f.request)))
		require.NoError(t, err)
		request.Messages = append(request.Messages, request.Messages...)
		called := request.CalledTools()
		require.Len(t, called, 1)
		require.Equal(t, "delete_task", called[0].Name)
	}
}
