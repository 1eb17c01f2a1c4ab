package chatwire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// slowly answers each request after ten seconds.
func slowly(bodies ...string) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		select {
		case <-time.After(10 * time.Second):
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
		body := bodies[0]
		bodies = bodies[1:]
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func streamOf(text string) string {
	return `data: {"choices":[{"index":0,"delta":{"content":` + quoted(text) + `},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
}

func streamRequest(ctx context.Context, user string) *http.Request {
	body := requestBody(user, offer+`,"stream":true`)
	request, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1/v1/chat/completions", strings.NewReader(body))
	return request
}

func TestAHeldStreamIsKeptAlive(t *testing.T) {
	lie, honest := streamOf("I've deleted it."), streamOf("Which task do you mean?")
	cases := []struct {
		name, want string
		bodies     []string
		fails      bool
	}{
		{"it passes on the second ask", ": held\n\n: held\n\n: held\n\n" + honest, []string{lie, honest}, false},
		{"it never passes", "", []string{lie, lie}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				options := &chatwire.Options{KeepAlive: 6 * time.Second}
				g := newGuard(t, nil)
				began := time.Now()
				response, err := chatwire.Middleware(g, options)(streamRequest(context.Background(), "delete Read book"), slowly(c.bodies...))
				if err != nil || time.Since(began) != 6*time.Second || response.Header.Get("Content-Type") != "text/event-stream" {
					t.Fatalf("the response begins after %v: %v", time.Since(began), err)
				}
				got, err := io.ReadAll(response.Body)
				if c.fails {
					if !errors.Is(err, guard.ErrToolNotTriggered) || strings.Contains(string(got), "deleted") {
						t.Errorf("%q: %v", got, err)
					}
				} else if err != nil || string(got) != c.want {
					t.Errorf("got  %q, %v\nwant %q", got, err, c.want)
				}
				response.Body.Close()

				response, err = chatwire.Transport(g, slowly(c.bodies...), options).RoundTrip(streamRequest(context.Background(), "delete Read book"))
				if err != nil {
					t.Fatal(err)
				}
				got, err = io.ReadAll(response.Body)
				if err != nil || c.fails && !strings.Contains(string(got), `data: {"error":{"message":"What you asked for was not done.`) || !c.fails && string(got) != c.want {
					t.Errorf("the transport sends %q, %v", got, err)
				}
				response.Body.Close()
			})
		})
	}
}

func TestAQuickStreamHasItsStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lie := streamOf("I've deleted it.")
		response, err := chatwire.Transport(newGuard(t, nil), slowly(lie, lie), &chatwire.Options{KeepAlive: time.Minute}).RoundTrip(streamRequest(context.Background(), "delete Read book"))
		if err != nil || response.StatusCode != http.StatusBadRequest {
			t.Errorf("%v, %v", response, err)
		}
	})
}

func TestClosingAHeldStreamEndsTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		response, err := chatwire.Middleware(newGuard(t, nil), &chatwire.Options{KeepAlive: time.Second})(streamRequest(context.Background(), "hello"), slowly(streamOf("Hello!")))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		synctest.Wait() // goroutines that were left behind would fail the test
	})
}
