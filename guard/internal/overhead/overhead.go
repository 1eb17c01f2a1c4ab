// Package overhead measures what a guard adds to a turn, in benchmarks of each way in. A
// [Clock] stands on both sides of the guard, and [Compare] holds what passes between them
// to what the same turn costs on chat completions.
package overhead

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/internal/benchbound"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// The turn: a message of the user's, a call of delete_task, and, after its result,
// a text that tells of it.
const (
	User   = "delete Read book"
	Args   = `{"title":"Read book"}`
	Result = `{"success":true,"data":{"id":"1","title":"Read book"}}`
	Text   = "I've deleted Read book."
)

// Tools are the tools that the turn is offered.
func Tools() []tooltrack.Tool {
	object := []byte(`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`)
	return []tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes, Parameters: object},
		{Name: "list_tasks", Description: "List the tasks.", Effect: tooltrack.Reads, Parameters: object},
	}
}

// Guard is the guard of the turn.
func Guard() *guard.Guard {
	g, err := guard.New(Tools(), nil)
	if err != nil {
		panic(err) // its tools are those above
	}
	return g
}

// Executor runs the tools of the turn.
var Executor = guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(Result), nil })

// Answers is a transport that gives answers in turn, again and again, without a
// network. Each is a body of JSON.
func Answers(bodies ...string) http.RoundTripper { return &answers{bodies: bodies} }

type answers struct {
	bodies []string
	next   atomic.Int64
}

// RoundTrip gives the next answer.
func (a *answers) RoundTrip(request *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, request.Body); err != nil {
		return nil, err
	}
	body := a.bodies[int(a.next.Add(1)-1)%len(a.bodies)]
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)), Request: request,
	}, nil
}

// Clock tells the time that is spent in a guard: between the place outside of it,
// where the client asks, and the place inside, where the provider answers. What the
// client itself costs does not count. A clock belongs to one turn at a time.
type Clock struct {
	outside, inside time.Duration
}

// Outside is a middleware, of the kind that openai-go and anthropic-sdk-go take,
// that stands before the guard's.
func (c *Clock) Outside(request *http.Request, next chatwire.Next) (*http.Response, error) {
	began := time.Now()
	defer func() { c.outside += time.Since(began) }()
	return next(request)
}

// Inside is such a middleware that stands behind it.
func (c *Clock) Inside(request *http.Request, next chatwire.Next) (*http.Response, error) {
	began := time.Now()
	defer func() { c.inside += time.Since(began) }()
	return next(request)
}

// Turn is a turn under a guard.
type Turn struct {
	// Name is for tables.
	Name string
	// Clock stands on both sides of the guard.
	Clock *Clock
	// Run runs the turn once.
	Run func() error
}

// Compare runs turns in a benchmark, one after the other, and reports how many times as
// much a guard adds to each as to the first. The least of all runs counts, since whatever
// else runs on the machine only adds.
func Compare(b *testing.B, allowed float64, first Turn, others ...Turn) {
	for _, turn := range others {
		b.Run(turn.Name, func(b *testing.B) {
			least, base := time.Hour, time.Hour
			for b.Loop() {
				base, least = min(base, added(b, first)), min(least, added(b, turn))
			}
			benchbound.Report(b, float64(least)/float64(base), allowed)
		})
	}
}

func added(b *testing.B, turn Turn) time.Duration {
	b.Helper()
	*turn.Clock = Clock{}
	if err := turn.Run(); err != nil {
		b.Fatalf("%s: %v", turn.Name, err)
	}
	return turn.Clock.outside - turn.Clock.inside
}

const (
	chatCall = `{"id":"c","object":"chat.completion","created":1,"model":"m",` +
		`"choices":[{"index":0,"finish_reason":"tool_calls","message":` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",` +
		`"function":{"name":"delete_task","arguments":"{\"title\":\"Read book\"}"}}]}}],` +
		`"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}`
	chatText = `{"id":"c","object":"chat.completion","created":1,"model":"m",` +
		`"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"` + Text + `"}}],` +
		`"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}`
)

// ChatAnswers are the two answers of the turn on chat completions.
func ChatAnswers() http.RoundTripper { return Answers(chatCall, chatText) }

// Requests are the two requests of the turn.
func Requests() [2]guard.Request {
	call := tooltrack.Call{ID: "call_1", Tool: "delete_task", Args: []byte(Args)}
	first := guard.Request{Tools: Tools(), Messages: []guard.Message{{Role: guard.RoleUser, Text: User}}}
	second := first
	second.Messages = append(second.Messages[:1:1],
		guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}},
		guard.Message{Role: guard.RoleTool, CallID: "call_1", Tool: "delete_task", Text: Result})
	return [2]guard.Request{first, second}
}

// TransportTurn is the turn by [chatwire.Transport], for requests that a function
// writes.
func TransportTurn(name, path string, answers http.RoundTripper, encode func(guard.Request) ([]byte, error)) Turn {
	var bodies []string
	for _, request := range Requests() {
		body, err := encode(request)
		if err != nil {
			panic(err) // the requests are those above
		}
		bodies = append(bodies, string(body))
	}
	clock := &Clock{}
	guarded := chatwire.Transport(Guard(), roundTrip(func(r *http.Request) (*http.Response, error) {
		return clock.Inside(r, answers.RoundTrip)
	}), nil)
	return Turn{name, clock, func() error {
		for _, body := range bodies {
			request, err := http.NewRequest(http.MethodPost, "http://127.0.0.1"+path, strings.NewReader(body))
			if err != nil {
				return err
			}
			answer, err := clock.Outside(request, guarded.RoundTrip)
			if err != nil {
				return err
			}
			if said, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
				return fmt.Errorf("status %d: %s (%w)", answer.StatusCode, said, err)
			}
		}
		return nil
	}}
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

const chatPath = "/v1/chat/completions"

func encodeChat(request guard.Request) ([]byte, error) {
	return chatwire.ChatCompletions.EncodeRequest(request, chatwire.EncodeOptions{Model: "m"})
}

// ChatTransport is the turn on chat completions by [chatwire.Transport].
func ChatTransport() Turn {
	return TransportTurn("chat completions", chatPath, ChatAnswers(), encodeChat)
}

// ModelTurn is the turn by guard.Run with a model. Asking the model does not count.
func ModelTurn(name string, model guard.Model) Turn { return RunTurn(name, model, Executor) }

// RunTurn is the turn by guard.Run. Neither asking the model nor running the tool
// counts.
func RunTurn(name string, model guard.Model, executor guard.Executor) Turn {
	g, clock := Guard(), &Clock{}
	timed := guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
		began := time.Now()
		defer func() { clock.inside += time.Since(began) }()
		return model.Generate(ctx, request)
	})
	run := guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		began := time.Now()
		defer func() { clock.inside += time.Since(began) }()
		return executor.Execute(ctx, call)
	})
	return Turn{name, clock, func() error {
		began := time.Now()
		reply, err := g.Run(context.Background(), timed, run, guard.Input{User: User})
		clock.outside = time.Since(began)
		if err == nil && reply.Text != Text {
			err = fmt.Errorf("the turn ends with %q", reply.Text)
		}
		return err
	}}
}

// ChatModel is a model on chat completions that gives the turn's answers.
func ChatModel() guard.Model {
	answers := ChatAnswers()
	return guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
		body, err := encodeChat(request)
		if err != nil {
			return guard.Response{}, err
		}
		asked, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1"+chatPath, bytes.NewReader(body))
		if err != nil {
			return guard.Response{}, err
		}
		answer, err := answers.RoundTrip(asked)
		if err != nil {
			return guard.Response{}, err
		}
		said, err := io.ReadAll(answer.Body)
		if err != nil {
			return guard.Response{}, err
		}
		return chatwire.ChatCompletions.ParseResponse(said)
	})
}
