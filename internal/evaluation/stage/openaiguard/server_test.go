package openaiguard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// answer is one answer of a model.
type answer struct {
	text  string
	calls []tooltrack.Call
}

func (a answer) finishReason() string {
	if len(a.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

func (a answer) whole(w http.ResponseWriter) {
	message := map[string]any{"role": "assistant", "content": a.text}
	var calls []any
	for _, call := range a.calls {
		calls = append(calls, map[string]any{"id": call.ID, "type": "function", "function": map[string]any{"name": call.Tool, "arguments": string(call.Args)}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "x", "object": "chat.completion", "model": "test",
		"choices": []any{map[string]any{"index": 0, "finish_reason": a.finishReason(), "message": message}},
		"usage":   map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
	})
}

func (a answer) stream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(choices ...any) {
		if choices == nil {
			choices = []any{}
		}
		chunk, _ := json.Marshal(map[string]any{"id": "x", "object": "chat.completion.chunk", "model": "test", "choices": choices})
		fmt.Fprintf(w, "data: %s\n\n", chunk)
		w.(http.Flusher).Flush()
	}
	delta := func(delta map[string]any, finish any) any {
		return map[string]any{"index": 0, "delta": delta, "finish_reason": finish}
	}
	send(delta(map[string]any{"role": "assistant", "content": ""}, nil))
	for _, word := range strings.SplitAfter(a.text, " ") {
		send(delta(map[string]any{"content": word}, nil))
	}
	for i, call := range a.calls {
		send(delta(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": call.ID, "type": "function", "function": map[string]any{"name": call.Tool, "arguments": ""}}}}, nil))
		for _, piece := range strings.SplitAfter(string(call.Args), ":") {
			send(delta(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": piece}}}}, nil))
		}
	}
	send(delta(map[string]any{}, a.finishReason()))
	send()
	fmt.Fprint(w, "data: [DONE]\n\n")
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
