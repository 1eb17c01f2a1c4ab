package chatwire_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	lyingAnswer = `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant",` +
		`"content":"I've sent the email to bob."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`
	lyingStream = `data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant",` +
		`"content":"I've sent the email to bob."},"finish_reason":null}]}` + "\n\n" +
		`data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` +
		"\n\ndata: [DONE]\n\n"
)

// lyingServer answers each request with the same lie.
func lyingServer(t *testing.T) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"stream":true`) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, lyingStream)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, lyingAnswer)
	}))
	t.Cleanup(server.Close)
	return server
}

func askForMail(t *testing.T, g *guard.Guard, url string, stream bool) (body string, err error) {
	t.Helper()
	sent := `{"model":"m","messages":[{"role":"user","content":"send an email to bob"}],"tools":[{"type":"function",` +
		`"function":{"name":"send_email","parameters":{"type":"object"}}}]`
	if stream {
		sent += `,"stream":true`
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/chat/completions", strings.NewReader(sent+"}"))
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: chatwire.Transport(g, nil, &chatwire.Options{KeepAlive: time.Nanosecond})}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	return string(read), err
}

// TestAPanicOfOursStaysOffTheWire plants a panic at each stage that a request runs
// through, its goroutines included. What could not be judged is not handed out, unless
// the guard only observes: then the client gets what the server sent.
func TestAPanicOfOursStaysOffTheWire(t *testing.T) {
	server := lyingServer(t)
	tools := []tooltrack.Tool{{Name: "send_email", Effect: tooltrack.Changes}}
	for _, observe := range []bool{false, true} {
		for _, stream := range []bool{false, true} {
			g, err := guard.New(tools, &guard.Options{Observe: observe})
			if err != nil {
				t.Fatal(err)
			}
			var mu sync.Mutex
			reached := map[string]bool{}
			remove := contain.Plant(func(stage string) {
				mu.Lock()
				defer mu.Unlock()
				reached[stage] = true
			})
			_, _ = askForMail(t, g, server.URL, stream)
			remove()
			mu.Lock()
			stages := slices.Sorted(maps.Keys(reached))
			mu.Unlock()
			if len(stages) < 3 {
				t.Fatalf("a request runs through %v only", stages)
			}
			for _, stage := range stages {
				remove := contain.Plant(func(at string) {
					if at == stage {
						panic("planted")
					}
				})
				body, err := askForMail(t, g, server.URL, stream)
				remove()
				shown := strings.Contains(body, "I've sent the email")
				switch {
				case observe && (err != nil || !shown):
					t.Errorf("observing, stream %t, %q: %.100q, %v", stream, stage, body, err)
				case !observe && shown:
					t.Errorf("stream %t, %q: a text that could not be judged is handed out: %.200s", stream, stage, body)
				}
			}
		}
	}
}
