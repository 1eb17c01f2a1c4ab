package openaiguard_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestModelRunsATurn(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		name := map[bool]string{false: "plain", true: "streamed"}[streamed]
		t.Run(name, func(t *testing.T) {
			s := newServer(t, answer{text: "I've deleted it."}, answer{calls: []tooltrack.Call{deletes("t1")}}, answer{text: "I've deleted the task."})
			g := newGuard(t, nil)
			model := openaiguard.NewModel(s.client(), "test-model", &openaiguard.Options{Request: []option.RequestOption{option.WithJSONSet("temperature", 0)}})
			executor := guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": guardtest.Returns(`{"success":true}`)})
			reply := run(t, g, model, executor, streamed)
			if reply.Text != "I've deleted the task." || executor.Count("delete_task") != 1 || reply.Execution.Retried != 1 {
				t.Errorf("the reply is %+v", reply)
			}
			checkRequests(t, s, streamed)
		})
	}
}

func run(t *testing.T, g *guard.Guard, model guard.Model, executor guard.Executor, streamed bool) *guard.Reply {
	t.Helper()
	input := guard.Input{User: "delete the first task", Owner: "ann"}
	if !streamed {
		reply, err := g.Run(context.Background(), model, executor, input)
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	var said strings.Builder
	var reply *guard.Reply
	for event, err := range g.Stream(context.Background(), model, executor, input) {
		if err != nil {
			t.Fatal(err)
		}
		said.WriteString(event.Text)
		if event.Reply != nil {
			reply = event.Reply
		}
	}
	if said.String() != reply.Text {
		t.Errorf("streamed %q, replied %q", said.String(), reply.Text)
	}
	return reply
}

func checkRequests(t *testing.T, s *server, streamed bool) {
	t.Helper()
	if s.count() != 3 {
		t.Fatalf("the server was asked %d times", s.count())
	}
	first, second := s.requests[0], s.requests[1]
	if first["model"] != "test-model" || first["tool_choice"] != "auto" || len(first["tools"].([]any)) != 2 || first["temperature"] != 0.0 {
		t.Errorf("the first request is %v", first)
	}
	if (first["stream"] == true) != streamed {
		t.Errorf("stream is %v", first["stream"])
	}
	if got := s.headers[0].Get("Authorization"); got != "Bearer test-key" {
		t.Errorf("authorization is %q", got)
	}
	messages := second["messages"].([]any)
	last := messages[len(messages)-1].(map[string]any)
	if last["role"] != "system" || !strings.Contains(last["content"].(string), "the tool delete_task does, and it was not called") {
		t.Errorf("the second request ends with %v", last)
	}
	choice, named := second["tool_choice"].(map[string]any)
	if !named || choice["function"].(map[string]any)["name"] != "delete_task" {
		t.Errorf("the second request has the tool choice %v", second["tool_choice"])
	}
	if s.requests[2]["tool_choice"] != "auto" {
		t.Errorf("the tool choice was not released: %v", s.requests[2]["tool_choice"])
	}
}

func TestModelFaults(t *testing.T) {
	cases := []struct {
		name   string
		script []answer
		is     func(error) bool
		calls  int
	}{
		{"a wrong key is the client's error", []answer{{status: 401}}, func(err error) bool {
			var provider *guard.TurnError
			return errors.As(err, &provider) && errors.Is(err, guard.ErrProvider)
		}, 1},
		{"a cut answer is never done", []answer{{text: "I have", finish: "length"}}, func(err error) bool {
			var stopped *guard.TurnError
			return errors.As(err, &stopped) && errors.Is(err, guard.ErrStopped) && stopped.Stop == guard.StopCut
		}, 1},
		{"a server error is retried by the client", []answer{{status: 500}, {text: "Hello!"}}, func(err error) bool { return err == nil }, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t, c.script...)
			model := openaiguard.NewModel(s.client(), "test-model", nil)
			_, err := newGuard(t, nil).Run(context.Background(), model, guardtest.Tools(nil), guard.Input{User: "hello"})
			if !c.is(err) || s.count() != c.calls {
				t.Errorf("after %d calls: %v", s.count(), err)
			}
		})
	}
}

// TestModelsGoByTheirNames: a guard that asks several tells them apart.
func TestModelsGoByTheirNames(t *testing.T) {
	client := newServer(t).client()
	own := &openaiguard.Options{Capabilities: guard.Capabilities{Name: "mine", NoTools: true}}
	if can := openaiguard.NewModel(client, "gpt", nil).Capabilities(); can != (guard.Capabilities{Name: "gpt"}) {
		t.Errorf("%+v", can)
	}
	if can := openaiguard.NewModel(client, "gpt", own).Capabilities(); can != own.Capabilities {
		t.Errorf("%+v", can)
	}
}
