package simmodel

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// The Messages format: blocks inside messages, and results as the user's.

func (a Answer) messagesStop() string {
	switch {
	case len(a.Calls) > 0:
		return "tool_use"
	case a.Finish == "length":
		return "max_tokens"
	}
	return "end_turn"
}

func messageBlocks(answer Answer) []map[string]any {
	blocks := []map[string]any{}
	if answer.Text != "" || len(answer.Calls) == 0 {
		blocks = append(blocks, map[string]any{"type": "text", "text": answer.Text})
	}
	for _, call := range answer.Calls {
		blocks = append(blocks, map[string]any{
			"type": "tool_use", "id": call.ID, "name": call.Name, "input": json.RawMessage(call.Arguments),
		})
	}
	return blocks
}

func messageObject(request Request, answer Answer, blocks []map[string]any, stop any) map[string]any {
	count := usage(request, answer)
	return map[string]any{
		"id": fmt.Sprintf("msg_sim_%d", len(request.Messages)), "type": "message", "role": "assistant",
		"model":   request.Model,
		"content": blocks, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": count["prompt_tokens"], "output_tokens": count["completion_tokens"]},
	}
}

// wholeMessage writes the answer as one object.
func wholeMessage(w http.ResponseWriter, request Request, answer Answer) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(messageObject(request, answer, messageBlocks(answer), answer.messagesStop()))
}

// streamMessage writes it as events: each block begins, grows and ends.
func streamMessage(w http.ResponseWriter, request Request, answer Answer) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, event map[string]any) {
		event["type"] = kind
		writeEvent(w, kind, event)
	}
	send("message_start", map[string]any{"message": messageObject(request, answer, []map[string]any{}, nil)})
	for i, block := range messageBlocks(answer) {
		delta := func(more map[string]any) { send("content_block_delta", map[string]any{"index": i, "delta": more}) }
		if block["type"] == "text" {
			send("content_block_start", map[string]any{"index": i, "content_block": map[string]any{"type": "text", "text": ""}})
			for _, piece := range pieces(answer.Text, " ") {
				delta(map[string]any{"type": "text_delta", "text": piece})
			}
		} else {
			begun := map[string]any{"type": "tool_use", "id": block["id"], "name": block["name"], "input": map[string]any{}}
			send("content_block_start", map[string]any{"index": i, "content_block": begun})
			input, _ := block["input"].(json.RawMessage)
			for _, piece := range pieces(string(input), ":") {
				delta(map[string]any{"type": "input_json_delta", "partial_json": piece})
			}
		}
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": answer.messagesStop(), "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": usage(request, answer)["completion_tokens"]},
	})
	send("message_stop", map[string]any{})
}
