package chatwire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

var errBoom = errors.New("boom")

// answers is a transport that answers with bodies, one after the other.
func answers(bodies ...string) chatwire.Next {
	return func(*http.Request) (*http.Response, error) {
		if len(bodies) == 0 {
			return nil, io.ErrUnexpectedEOF
		}
		body := bodies[0]
		bodies = bodies[1:]
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func saying(text string) string {
	return fmt.Sprintf(`{"choices":[{"message":{"role":"assistant","content":%q}}]}`, text)
}

const ghost = "I've deleted Read book."

// lying is an answer in the form that the request asks for.
func lying(request *http.Request) string {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		panic(err)
	}
	if strings.Contains(string(body), `"stream":true`) {
		return `data: {"choices":[{"delta":{"content":"` + ghost + `"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	}
	return saying(ghost)
}

// endless is a body that never ends, until its request does.
type endless struct {
	ctx  context.Context
	hang bool
}

func (e endless) Read(p []byte) (int, error) {
	if e.hang {
		<-e.ctx.Done()
	}
	return len(p), e.ctx.Err()
}

func (endless) Close() error { return nil }

// TestTransportCallbacks: what is under the guard may panic, hang, return
// nothing, fail or send garbage. The client gets an error that says so or an
// honest refusal, whole or streamed, and nothing stays behind.
func TestTransportCallbacks(t *testing.T) {
	cases := []struct {
		name string
		next chatwire.Next
		says string // in the error or the refusal
		host bool   // a *guard.HostError
	}{
		{"panics", func(*http.Request) (*http.Response, error) { panic(errBoom) }, "chatwire.Next: panicked: boom", true},
		{"hangs", func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }, "deadline exceeded", false},
		{"returns nothing", func(*http.Request) (*http.Response, error) { return nil, nil }, "neither an answer nor an error", false},
		{"returns no body", func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200}, nil }, "neither an answer nor an error", false},
		{"fails", func(*http.Request) (*http.Response, error) { return nil, errBoom }, "boom", false},
		{"refuses without headers", func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 429, Body: io.NopCloser(strings.NewReader("slow down"))}, nil
		}, "slow down", false},
		{"an answer without end", func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: endless{r.Context(), false}}, nil
		}, "longer than", false},
		{"an answer that hangs", func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: endless{r.Context(), true}}, nil
		}, "deadline exceeded", false},
		{"not JSON", func(r *http.Request) (*http.Response, error) { return answers("data: \x00\xff<html>\n\n")(r) }, "cannot be used", false},
		{"lies without headers", func(r *http.Request) (*http.Response, error) { return answers(lying(r))(r) }, "What you asked for was not done", false},
	}
	for _, c := range cases {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, stream %v", c.name, stream), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { tryTransport(t, c.next, stream, c.says, c.host) })
			})
		}
	}
}

func tryTransport(t *testing.T, next chatwire.Next, stream bool, says string, host bool) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	more := offer
	if stream {
		more += `,"stream":true`
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://example.com/v1/chat/completions", strings.NewReader(requestBody("delete Read book", more)))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	response, err := chatwire.Transport(newGuard(t, nil), roundTripper(next), nil).RoundTrip(request)
	told := fmt.Sprint(err)
	if err == nil {
		body, fault := io.ReadAll(response.Body)
		response.Body.Close()
		told = string(body) + fmt.Sprint(fault)
	}
	var blamed *guard.HostError
	if !strings.Contains(told, says) || strings.Contains(told, ghost) || host && err != nil && !errors.As(err, &blamed) {
		t.Errorf("got %q", told)
	}
	if took := time.Since(began); took > time.Minute+10*time.Second {
		t.Errorf("took %s", took)
	}
}

// TestAClientThatForgetsTheBody: a held response whose body nobody reads or
// closes ends with the request's context, as that of any transport does.
func TestAClientThatForgetsTheBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://example.com/v1/chat/completions", strings.NewReader(requestBody("delete Read book", offer+`,"stream":true`)))
		if err != nil {
			t.Fatal(err)
		}
		hangs := roundTripper(func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() })
		response, err := chatwire.Transport(newGuard(t, nil), hangs, &chatwire.Options{KeepAlive: time.Second}).RoundTrip(request)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%+v: %v", response, err)
		}
		cancel()
		synctest.Wait()
		if _, err := io.ReadAll(response.Body); !errors.Is(err, context.Canceled) {
			t.Errorf("reading on: %v", err)
		}
	})
}
