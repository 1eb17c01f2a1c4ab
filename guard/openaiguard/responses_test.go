package openaiguard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// respond writes an answer in the Responses format, under an id that counts the
// requests.
func (a answer) respond(w http.ResponseWriter, number int, stream bool) {
	var output []any
	if a.text != "" {
		output = append(output, map[string]any{"type": "message", "id": "msg", "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": a.text, "annotations": []any{}}}})
	}
	for _, call := range a.calls {
		output = append(output, map[string]any{"type": "function_call", "id": "fc_" + call.ID, "call_id": call.ID, "name": call.Tool, "arguments": string(call.Args), "status": "completed"})
	}
	response := map[string]any{"id": fmt.Sprintf("resp_%d", number), "object": "response", "status": "completed", "model": "test", "error": nil,
		"output": output, "usage": map[string]any{"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}}
	if !stream {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(response)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, members map[string]any) {
		members["type"] = kind
		data, _ := json.Marshal(members)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, data)
	}
	send("response.created", map[string]any{"response": map[string]any{"id": response["id"], "output": []any{}}})
	for i, item := range output {
		if a.text != "" && i == 0 {
			for _, word := range strings.SplitAfter(a.text, " ") {
				send("response.output_text.delta", map[string]any{"output_index": i, "content_index": 0, "delta": word})
			}
		}
		send("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	send("response.completed", map[string]any{"response": response})
}

// responsesLoop is an agent loop on the Responses API as people write it: it goes
// on from each response by its id.
func responsesLoop(ctx context.Context, client openai.Client, user string, streamed bool) (string, []string, error) {
	params := responses.ResponseNewParams{
		Model: "test-model", Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(user)},
		Tools: []responses.ToolUnionParam{
			{OfFunction: &responses.FunctionToolParam{Name: "delete_task", Parameters: map[string]any{}}},
			{OfFunction: &responses.FunctionToolParam{Name: "list_tasks", Parameters: map[string]any{}}},
		},
	}
	var ran []string
	for {
		response, said, err := respondOnce(ctx, client, params, streamed)
		if err != nil {
			return "", ran, err
		}
		var results responses.ResponseInputParam
		for _, item := range response.Output {
			if item.Type != "function_call" {
				continue
			}
			ran = append(ran, item.Name+item.Arguments.OfString)
			results = append(results, responses.ResponseInputItemParamOfFunctionCallOutput(item.CallID, `{"success":true}`))
		}
		if len(results) == 0 {
			if said != response.OutputText() {
				return said, ran, fmt.Errorf("the pieces say %q, the answer %q", said, response.OutputText())
			}
			return said, ran, nil
		}
		params.PreviousResponseID = openai.String(response.ID)
		params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: results}
	}
}

func respondOnce(ctx context.Context, client openai.Client, params responses.ResponseNewParams, streamed bool) (*responses.Response, string, error) {
	if !streamed {
		response, err := client.Responses.New(ctx, params)
		if err != nil {
			return nil, "", err
		}
		return response, response.OutputText(), nil
	}
	stream := client.Responses.NewStreaming(ctx, params)
	var said strings.Builder
	var last *responses.Response
	for stream.Next() {
		switch e := stream.Current(); e.Type {
		case "response.output_text.delta":
			said.WriteString(e.Delta)
		case "response.completed", "response.incomplete":
			last = &e.Response
		}
	}
	if stream.Err() != nil {
		return nil, "", stream.Err()
	}
	if last == nil {
		return nil, "", errors.New("the stream has no end")
	}
	return last, said.String(), nil
}

// TestResponsesAreGuarded by the same line, whole and streamed, in a loop that
// goes on by ids.
func TestResponsesAreGuarded(t *testing.T) {
	bad := tooltrack.Call{ID: "bad", Tool: "delete_task", Args: []byte(`{"id":7}`)}
	for _, streamed := range []bool{false, true} {
		name := map[bool]string{false: "plain ", true: "streamed "}[streamed]
		t.Run(name+"the lie is corrected", func(t *testing.T) {
			s := newServer(t, answer{text: "I've deleted it."}, answer{calls: []tooltrack.Call{deletes("t1")}}, answer{text: "I've deleted the task."})
			client := s.client(option.WithMiddleware(openaiguard.Middleware(newGuard(t, nil), nil)))
			text, ran, err := responsesLoop(context.Background(), client, "delete the first task", streamed)
			if err != nil || text != "I've deleted the task." || strings.Join(ran, ",") != `delete_task{"id":"t1"}` || s.count() != 3 {
				t.Errorf("%q, ran %v, %d upstream calls: %v", text, ran, s.count(), err)
			}
		})
		t.Run(name+"the lie is stubborn", func(t *testing.T) {
			s := newServer(t, answer{text: "I've deleted it."}, answer{text: "I did delete it."}, answer{text: "no"})
			client := s.client(option.WithMiddleware(openaiguard.Middleware(newGuard(t, nil), nil)))
			_, ran, err := responsesLoop(context.Background(), client, "delete the first task", streamed)
			var missing *guard.TurnError
			if !(errors.As(err, &missing) && errors.Is(err, guard.ErrToolNotTriggered)) || ran != nil || s.count() != 2 {
				t.Errorf("ran %v after %d upstream calls: %v", ran, s.count(), err)
			}
		})
		t.Run(name+"the account is delivered", func(t *testing.T) {
			s := newServer(t, answer{calls: []tooltrack.Call{bad}}, answer{calls: []tooltrack.Call{bad}}, answer{calls: []tooltrack.Call{bad}})
			client := s.client(option.WithMiddleware(openaiguard.Middleware(newGuard(t, &guard.Options{DeliverAccount: true}), nil)))
			text, ran, err := responsesLoop(context.Background(), client, "delete the first task", streamed)
			if err != nil || ran != nil || !strings.HasPrefix(text, "This was not allowed:") {
				t.Errorf("%q, ran %v: %v", text, ran, err)
			}
		})
		t.Run(name+"arguments are rewritten", func(t *testing.T) {
			directory := resolver.NewDirectory(resolver.SourceFunc(func(context.Context, string) ([]resolver.Entry, error) {
				return []resolver.Entry{{ID: "id-0042", Title: "Read book"}}, nil
			}), nil)
			described := tools()
			described[0].Subject = tooltrack.SubjectArg{Arg: "id", Kind: "task"}
			g, err := guard.New(described, &guard.Options{Directories: map[string]guard.Directory{"task": directory}})
			if err != nil {
				t.Fatal(err)
			}
			s := newServer(t, answer{text: "One moment.", calls: []tooltrack.Call{deletes("Read book")}}, answer{text: "Good evening."})
			client := s.client(option.WithMiddleware(openaiguard.Middleware(g, nil)))
			ctx := guard.NewContext(context.Background(), guard.Input{Owner: "ann", Turn: "m1"})
			_, ran, err := responsesLoop(ctx, client, "good evening", streamed)
			if err != nil || strings.Join(ran, ",") != `delete_task{"id":"id-0042"}` {
				t.Errorf("ran %v: %v", ran, err)
			}
		})
	}
}

// TestResponsesModelRunsATurn: the same turn, asked by the other API, with the
// whole conversation in each request.
func TestResponsesModelRunsATurn(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		s := newServer(t, answer{text: "I've deleted it."}, answer{calls: []tooltrack.Call{deletes("t1")}}, answer{text: "I've deleted the task."})
		model := openaiguard.NewModel(s.client(), "test-model", &openaiguard.Options{Responses: true})
		executor := guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": guardtest.Returns(`{"success":true}`)})
		reply := run(t, newGuard(t, nil), model, executor, streamed)
		if reply.Text != "I've deleted the task." || executor.Count("delete_task") != 1 || reply.Execution.Retried != 1 || s.count() != 3 {
			t.Errorf("streamed %v: the reply is %+v after %d requests", streamed, reply, s.count())
		}
		first, second, third := s.requests[0], s.requests[1], s.requests[2]
		if first["store"] != false || (first["stream"] == true) != streamed || first["tool_choice"] != "auto" || len(first["tools"].([]any)) != 2 {
			t.Errorf("the first request is %v", first)
		}
		if choice, named := second["tool_choice"].(map[string]any); !named || choice["name"] != "delete_task" {
			t.Errorf("the second request has the tool choice %v", second["tool_choice"])
		}
		items := third["input"].([]any)
		last := items[len(items)-1].(map[string]any)
		if before := items[len(items)-2].(map[string]any); last["type"] != "function_call_output" || before["type"] != "function_call" || last["call_id"] != before["call_id"] {
			t.Errorf("the third request ends with %v, %v", before, last)
		}
	}
}

func TestResponsesThatCannotBeGuarded(t *testing.T) {
	asking := responses.ResponseNewParams{
		Model: "test-model", Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("delete it")}, Background: openai.Bool(true),
	}
	offering := asking
	offering.Tools = []responses.ToolUnionParam{{OfFunction: &responses.FunctionToolParam{Name: "delete_task", Parameters: map[string]any{}}}}
	cases := []struct {
		name    string
		params  responses.ResponseNewParams
		options *chatwire.Options
		refused bool
	}{
		{"in the background", offering, nil, true},
		{"in the background, allowed", offering, &chatwire.Options{AllowUnguarded: true}, false},
		{"without tools", asking, nil, false},
	}
	for _, c := range cases {
		s := newServer(t)
		client := s.client(option.WithMaxRetries(0), option.WithMiddleware(openaiguard.Middleware(newGuard(t, nil), c.options)))
		_, err := client.Responses.New(context.Background(), c.params)
		if errors.Is(err, chatwire.ErrUnguarded) != c.refused || (s.count() == 0) != c.refused {
			t.Errorf("%s: after %d upstream calls: %v", c.name, s.count(), err)
		}
	}
}
