package guardtest

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// ErrScriptEnded is returned by a [Model] that is asked more often than its script has answers.
var ErrScriptEnded = provider.ErrScriptEnded

// Model answers from a script and remembers what it was asked. It is safe for
// concurrent use, and streams word by word.
type Model struct {
	// Limits are what the model says it cannot do.
	Limits guard.Capabilities

	mu       sync.Mutex
	script   []Step
	requests []guard.Request
}

var (
	_ guard.Streamer = (*Model)(nil)
	_ guard.Capable  = (*Model)(nil)
)

// Step is one answer of a script; with an Err the model cannot be reached.
type Step = provider.Step

// Script makes a model that gives these answers in this order.
func Script(steps ...Step) *Model { return &Model{script: steps} }

// Say is an answer in words.
func Say(text string) Step {
	return Step{Response: guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: text}}}
}

// Call is an answer that calls tools. Arguments are JSON objects.
func Call(calls ...tooltrack.Call) Step {
	return Step{Response: guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Calls: calls}}}
}

// Tool is a call for [Call]; its id is made of the tool and the arguments.
func Tool(name, args string) tooltrack.Call {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(args)) // a hash never fails
	return tooltrack.Call{ID: fmt.Sprintf("call_%s_%x", name, sum.Sum32()), Tool: name, Args: []byte(args)}
}

// SayAndCall is an answer with a text beside its calls.
func SayAndCall(text string, calls ...tooltrack.Call) Step {
	step := Call(calls...)
	step.Response.Message.Text = text
	return step
}

// Stopped is an answer that the provider did not finish.
func Stopped(stop guard.Stop, text string, calls ...tooltrack.Call) Step {
	step := SayAndCall(text, calls...)
	step.Response.Stop = stop
	return step
}

// Generate gives the next answer.
func (m *Model) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	step, err := m.next(request)
	if err != nil {
		return guard.Response{}, err
	}
	if step.Do != nil {
		step.Do(ctx, request)
	}
	if err := ctx.Err(); err != nil {
		return guard.Response{}, err
	}
	return step.Response, step.Err
}

// Stream gives the next answer word by word.
func (m *Model) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return func(yield func(guard.Delta, error) bool) {
		response, err := m.Generate(ctx, request)
		if err != nil {
			yield(guard.Delta{}, err)
			return
		}
		for _, word := range strings.SplitAfter(response.Message.Text, " ") {
			if word != "" && !yield(guard.Delta{Text: word}, nil) {
				return
			}
		}
		yield(guard.Delta{Response: &response}, nil)
	}
}

// Capabilities are the model's Limits.
func (m *Model) Capabilities() guard.Capabilities { return m.Limits }

func (m *Model) next(request guard.Request) (Step, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, request)
	if len(m.script) == 0 {
		return Step{}, ErrScriptEnded
	}
	step := m.script[0]
	m.script = m.script[1:]
	return step, nil
}

// Requests are what the model was asked, in order.
func (m *Model) Requests() []guard.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]guard.Request(nil), m.requests...)
}

// Calls is how often the model was asked.
func (m *Model) Calls() int { return len(m.Requests()) }
