package simmodel

import "fmt"

// The Responses format: items instead of messages.

// responseItems are an answer's items.
func responseItems(request Request, answer Answer) []map[string]any {
	var items []map[string]any
	if answer.Text != "" || len(answer.Calls) == 0 {
		items = append(items, map[string]any{
			"type": "message", "id": fmt.Sprintf("msg_sim_%d", len(request.Messages)), "role": "assistant",
			"status": "completed",
			"content": []any{map[string]any{
				"type": "output_text", "text": answer.Text, "annotations": []any{}, "logprobs": []any{},
			}},
		})
	}
	for i, call := range answer.Calls {
		items = append(items, map[string]any{
			"type": "function_call", "id": fmt.Sprintf("fc_sim_%d_%d", len(request.Messages), i), "call_id": call.ID,
			"name": call.Name, "arguments": call.Arguments, "status": "completed",
		})
	}
	return items
}

func responsesAnswer(request Request, answer Answer) any {
	count := usage(request, answer)
	return map[string]any{
		"id": fmt.Sprintf("resp_sim_%d", len(request.Messages)), "object": "response", "created_at": created,
		"status": "completed",
		"model":  request.Model, "output": responseItems(request, answer), "error": nil, "incomplete_details": nil,
		"instructions": nil, "metadata": map[string]any{},
		"parallel_tool_calls": true, "temperature": 1, "top_p": 1, "tool_choice": "auto", "tools": []any{},
		"previous_response_id": nil,
		"usage": map[string]any{
			"input_tokens": count["prompt_tokens"], "output_tokens": count["completion_tokens"],
			"total_tokens":          count["total_tokens"],
			"input_tokens_details":  map[string]any{"cached_tokens": 0},
			"output_tokens_details": map[string]any{"reasoning_tokens": 0},
		},
	}
}
