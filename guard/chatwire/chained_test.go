package chatwire_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// guarded is a server that hands its requests on to another one through a guard.
func guarded(t *testing.T, g *guard.Guard, upstream string) *httptest.Server {
	client := &http.Client{Transport: chatwire.Transport(g, nil, nil)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, err := http.NewRequestWithContext(r.Context(), r.Method, upstream+r.URL.Path, r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		request.Header = r.Header.Clone()
		response, err := client.Do(request)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer response.Body.Close()
		w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
		w.WriteHeader(response.StatusCode)
		_, _ = io.Copy(w, response.Body)
	}))
	t.Cleanup(server.Close)
	return server
}

// TestAGuardBehindAGuard: a client with a guard talks to a server that has one
// itself. Both ask for proof of the same text; an honest model is shown in full,
// a stubborn one is not, and neither guard takes the other's question for work.
func TestAGuardBehindAGuard(t *testing.T) {
	const draft = "Good evening. t1 is gone from your list."
	kept := `{"message":null,"items":[{"what":"t1 deleted","status":"done","records":[1]}]}`
	for _, f := range forms() {
		for _, c := range []struct {
			name    string
			answers []string
			gone    bool
			calls   int
		}{
			{"honest", []string{draft, kept, kept}, true, 3},
			{"stubborn", []string{draft, "As I said.", "Trust me.", "As I said.", "Trust me."}, false, 3},
			{"honest to the inner one only", []string{draft, kept, "As I said.", "Trust me."}, false, 4},
		} {
			t.Run(f.name+", "+c.name, func(t *testing.T) {
				var answers []string
				for i, text := range c.answers {
					answers = append(answers, f.say(text, "end", 10*(i+1), 1))
				}
				model := newUpstream(t, answers...)
				server := guarded(t, doubtful(t), model.URL)
				status, body, _ := post(t, context.Background(), chatwire.Transport(doubtful(t), nil, nil), server.URL+f.path, f.request)
				response, err := f.read(body)
				if status != http.StatusOK || err != nil {
					t.Fatalf("%d %v: %s", status, err, body)
				}
				text := response.Message.Text
				if strings.Contains(text, "gone") != c.gone || !strings.Contains(text, "Good evening.") || strings.Contains(text, "items") {
					t.Errorf("shown is %q", text)
				}
				if len(model.got) != c.calls {
					t.Errorf("%d model calls, want %d", len(model.got), c.calls)
				}
				if last := model.got[len(model.got)-1]; strings.Count(last, "Check your answer before") > 2 {
					t.Errorf("a question is asked about a question: %s", last)
				}
			})
		}
	}
}

// TestAReportIsNoAnswerToBeDoubted: with guards as they come, the inner one lets
// the report that the outer one asks for pass as it is.
func TestAReportIsNoAnswerToBeDoubted(t *testing.T) {
	const draft = "Good evening. I also told Ann that t1 went well."
	corrected := `{"message":"Good evening. I have not told Ann.","items":[{"what":"t1 deleted","status":"done","records":[1]},{"what":"tell Ann","status":"not_done","reason":"not asked"}]}`
	plain := func() *guard.Guard {
		g, err := guard.New(tools(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			model := newUpstream(t, f.say(draft, "end", 10, 1), f.say(corrected, "end", 20, 1), f.say(corrected, "end", 30, 1), f.say(corrected, "end", 40, 1))
			server := guarded(t, plain(), model.URL)
			status, body, _ := post(t, context.Background(), chatwire.Transport(plain(), nil, nil), server.URL+f.path, f.request)
			response, err := f.read(body)
			if status != http.StatusOK || err != nil || !strings.HasPrefix(response.Message.Text, "Good evening. I have not told Ann.") || strings.Contains(response.Message.Text, "items") {
				t.Errorf("%d %v: %q after %d calls", status, err, response.Message.Text, len(model.got))
			}
		})
	}
}
