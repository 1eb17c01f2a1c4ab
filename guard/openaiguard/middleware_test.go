package openaiguard_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// loop is an agent loop as people write it, with no knowledge of a guard. It
// returns the last text and the tools that were run.
func loop(ctx context.Context, client openai.Client, user string, streamed bool) (string, []string, error) {
	params := openai.ChatCompletionNewParams{
		Model:    "test-model",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(user)},
		Tools: []openai.ChatCompletionToolUnionParam{
			openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "delete_task"}),
			openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "list_tasks"}),
		},
	}
	var ran []string
	for {
		message, err := complete(ctx, client, params, streamed)
		if err != nil {
			return "", ran, err
		}
		if len(message.ToolCalls) == 0 {
			return message.Content, ran, nil
		}
		params.Messages = append(params.Messages, message.ToParam())
		for _, call := range message.ToolCalls {
			ran = append(ran, call.Function.Name+call.Function.Arguments)
			params.Messages = append(params.Messages, openai.ToolMessage(`{"success":true}`, call.ID))
		}
	}
}

func complete(ctx context.Context, client openai.Client, params openai.ChatCompletionNewParams, streamed bool) (openai.ChatCompletionMessage, error) {
	if !streamed {
		answer, err := client.Chat.Completions.New(ctx, params)
		if err != nil {
			return openai.ChatCompletionMessage{}, err
		}
		return answer.Choices[0].Message, nil
	}
	stream := client.Chat.Completions.NewStreaming(ctx, params)
	var accumulator openai.ChatCompletionAccumulator
	for stream.Next() {
		accumulator.AddChunk(stream.Current())
	}
	if err := stream.Err(); err != nil {
		return openai.ChatCompletionMessage{}, err
	}
	return accumulator.Choices[0].Message, nil
}

func TestMiddlewareGuardsALoopInOneLine(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		name := map[bool]string{false: "plain ", true: "streamed "}[streamed]
		t.Run(name+"the lie is corrected", func(t *testing.T) {
			s := newServer(t, answer{text: "I've deleted it."}, answer{calls: []tooltrack.Call{deletes("t1")}}, answer{text: "I've deleted the task."})
			client := s.client(option.WithMiddleware(openaiguard.Middleware(newGuard(t, nil), nil)))
			text, ran, err := loop(context.Background(), client, "delete the first task", streamed)
			if err != nil || text != "I've deleted the task." || strings.Join(ran, ",") != `delete_task{"id":"t1"}` || s.count() != 3 {
				t.Errorf("%q, ran %v, %d upstream calls: %v", text, ran, s.count(), err)
			}
		})
		t.Run(name+"the lie is stubborn", func(t *testing.T) {
			s := newServer(t, answer{text: "I've deleted it."}, answer{text: "I did delete it."}, answer{text: "no"}, answer{text: "no"})
			client := s.client(option.WithMiddleware(openaiguard.Middleware(newGuard(t, nil), nil)))
			text, ran, err := loop(context.Background(), client, "delete the first task", streamed)
			var missing *guard.TurnError
			if !(errors.As(err, &missing) && errors.Is(err, guard.ErrToolNotTriggered)) || text != "" || ran != nil {
				t.Errorf("%q, ran %v: %v", text, ran, err)
			}
			if s.count() != 2 { // with the client's default retries
				t.Errorf("%d upstream calls, want 2", s.count())
			}
		})
		t.Run(name+"a denied call is sent back", func(t *testing.T) {
			bad := tooltrack.Call{ID: "bad", Tool: "delete_task", Args: []byte(`{"id":7}`)}
			s := newServer(t, answer{calls: []tooltrack.Call{bad, deletes("t2")}}, answer{calls: []tooltrack.Call{deletes("t1"), deletes("t2")}}, answer{text: "I've deleted both tasks."})
			client := s.client(option.WithMiddleware(openaiguard.Middleware(newGuard(t, nil), nil)))
			_, ran, err := loop(context.Background(), client, "delete both tasks", streamed)
			if err != nil || strings.Join(ran, ",") != `delete_task{"id":"t1"},delete_task{"id":"t2"}` {
				t.Errorf("ran %v: %v", ran, err)
			}
			results := map[string]int{}
			for _, message := range s.requests[1]["messages"].([]any) {
				if m := message.(map[string]any); m["role"] == "tool" {
					results[m["tool_call_id"].(string)]++
				}
			}
			if len(results) != 2 || results["bad"] != 1 || results["call_t2"] != 1 {
				t.Errorf("the second request answers %v", results)
			}
		})
	}
}

// TestAnErrorInsideAStreamReachesTheClient: the client sees the provider's own
// error, in the stream, as it would without a guard; it retries none.
func TestAnErrorInsideAStreamReachesTheClient(t *testing.T) {
	asked := 0
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"Good "}}]}`+"\n\n")
		fmt.Fprint(w, `data: {"error":{"code":429,"message":"Provider is out of breath"}}`+"\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(upstream.Close)
	client := openai.NewClient(option.WithBaseURL(upstream.URL), option.WithAPIKey("k"), option.WithMaxRetries(1),
		option.WithMiddleware(openaiguard.Middleware(newGuard(t, nil), nil)))
	_, _, err := loop(context.Background(), client, "good morning", true)
	if err == nil || !strings.Contains(err.Error(), "out of breath") || asked != 1 {
		t.Errorf("after %d upstream calls: %v", asked, err)
	}
}
