package chatwire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

const blocked = "I couldn't delete Read book: the disk is full. Please free some space."

// handled sends one request through a transport without a guard of its own.
func handled(t *testing.T, options *chatwire.Options, bodies ...string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://example.com/v1/chat/completions",
		strings.NewReader(requestBody("delete Read book", offer)))
	if err != nil {
		t.Fatal(err)
	}
	response, err := chatwire.Transport(nil, roundTripper(answers(bodies...)), options).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

type whoKey struct{}

// TestHandle: a gateway chooses guard and context by the request, hears what the
// model is asked and answers, and what the request came to.
func TestHandle(t *testing.T) {
	for _, observe := range []bool{false, true} {
		var heard, who []string
		ended := make(chan error, 2)
		options := &chatwire.Options{Handle: func(ctx context.Context, request *chatwire.Request) (chatwire.Handling, error) {
			g := newGuard(t, func(o *guard.Options) { o.Observe = observe })
			return chatwire.Handling{
				Context: context.WithValue(ctx, whoKey{}, request.Tools[0].Name), Guard: g,
				Model: func(inner guard.Model) guard.Model {
					return guard.ModelFunc(func(ctx context.Context, r guard.Request) (guard.Response, error) {
						response, err := inner.Generate(ctx, r)
						heard, who = append(heard, response.Message.Text), append(who, ctx.Value(whoKey{}).(string))
						return response, err
					})
				},
				End: func(_ guard.Response, err error) { ended <- err },
			}, nil
		}}
		_, body := handled(t, options, saying(ghost), saying(blocked))
		if err := <-ended; err != nil || len(ended) != 0 {
			t.Errorf("observe %v: it ended with %v", observe, err)
		}
		want, shown := []string{ghost, blocked}, blocked
		if observe {
			want, shown = want[:1], ghost
		}
		if strings.Join(heard, "|") != strings.Join(want, "|") || who[0] == "" || !strings.Contains(body, shown) {
			t.Errorf("observe %v: heard %q for %q, shown %s", observe, heard, who, body)
		}
	}
}

// TestHandleCallbacks: a gateway's own code that panics, fails or returns nothing
// refuses the request, or lets it pass unjudged where that is allowed; who only
// listens cannot end a turn.
func TestHandleCallbacks(t *testing.T) {
	returns := func(h chatwire.Handling, err error) func(context.Context, *chatwire.Request) (chatwire.Handling, error) {
		return func(context.Context, *chatwire.Request) (chatwire.Handling, error) { return h, err }
	}
	g := newGuard(t, nil)
	panics := func(guard.Model) guard.Model { panic(errBoom) }
	cases := []struct {
		name   string
		handle func(context.Context, *chatwire.Request) (chatwire.Handling, error)
		status int
		says   string
	}{
		{"panics", func(context.Context, *chatwire.Request) (chatwire.Handling, error) { panic(errBoom) }, 400, "boom"},
		{"fails", returns(chatwire.Handling{}, errBoom), 400, "boom"},
		{"names no guard", returns(chatwire.Handling{}, nil), 400, "nobody named a guard"},
		{"is nil, and so is the guard", nil, 400, "pass one, or name it in Options.Handle"},
		{"a model that panics", returns(chatwire.Handling{Guard: g, Model: panics}, nil), 400, "boom"},
		{
			"no model",
			returns(chatwire.Handling{Guard: g, Model: func(guard.Model) guard.Model { return nil }}, nil),
			400,
			"the model is nil",
		},
		{
			"an end that panics",
			returns(chatwire.Handling{Guard: g, End: func(guard.Response, error) { panic(errBoom) }}, nil),
			200,
			blocked,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, body := handled(t, &chatwire.Options{Handle: c.handle}, saying(blocked))
			if status != c.status || !strings.Contains(body, c.says) {
				t.Errorf("%d %s", status, body)
			}
		})
	}
	status, body := handled(
		t,
		&chatwire.Options{Handle: returns(chatwire.Handling{}, errors.New("no")), AllowUnguarded: true},
		saying(ghost),
	)
	if status != 200 || !strings.Contains(body, ghost) {
		t.Errorf("unguarded: %d %s", status, body)
	}
	status, body = handled(t, &chatwire.Options{AllowUnguarded: true}, saying(ghost))
	if status != 400 || !strings.Contains(body, "pass one, or name it in Options.Handle") {
		t.Errorf("a shell that guards nothing: %d %s", status, body)
	}
}
