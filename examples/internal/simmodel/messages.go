package simmodel

import (
	"encoding/json"
	"fmt"
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

func messagesAnswer(request Request, answer Answer) any {
	count := usage(request, answer)
	return map[string]any{
		"id": fmt.Sprintf("msg_sim_%d", len(request.Messages)), "type": "message", "role": "assistant",
		"model":   request.Model,
		"content": messageBlocks(answer), "stop_reason": answer.messagesStop(), "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": count["prompt_tokens"], "output_tokens": count["completion_tokens"]},
	}
}
