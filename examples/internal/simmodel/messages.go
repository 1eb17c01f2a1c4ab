package simmodel

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// The Messages format: blocks inside messages, and results as the user's.

type messagesRequest struct {
	Model    string          `json:"model"`
	System   json.RawMessage `json:"system"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name        string          `json:"name"`
		InputSchema json.RawMessage `json:"input_schema"`
	} `json:"tools"`
	ToolChoice struct {
		Type string `json:"type"`
		Name string `json:"name"`
	} `json:"tool_choice"`
	MaxTokens int  `json:"max_tokens"`
	Stream    bool `json:"stream"`
}

type messagesBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
}

// readMessages reads a body.
func readMessages(body []byte) (Request, error) {
	var wire messagesRequest
	if err := json.Unmarshal(body, &wire); err != nil {
		return Request{}, fmt.Errorf("the body is not a request: %w", err)
	}
	if wire.MaxTokens <= 0 {
		return Request{}, fmt.Errorf("max_tokens: a number is needed")
	}
	if len(wire.Messages) == 0 {
		return Request{}, fmt.Errorf("messages: at least one is needed")
	}
	request := Request{Model: wire.Model, Stream: wire.Stream}
	if system, err := readContent(wire.System); err == nil && system != "" {
		request.Messages = append(request.Messages, Message{Role: "system", Content: system})
	}
	for i, m := range wire.Messages {
		messages, err := readBlocks(m.Role, m.Content)
		if err != nil {
			return Request{}, fmt.Errorf("messages[%d].content: %w", i, err)
		}
		request.Messages = append(request.Messages, messages...)
	}
	for _, tool := range wire.Tools {
		request.offer(tool.Name, tool.InputSchema)
	}
	switch wire.ToolChoice.Type {
	case "any":
		request.Choice = "required"
	case "tool":
		request.Choice = wire.ToolChoice.Name
	case "none":
		request.Choice = "none"
	default:
		request.Choice = "auto"
	}
	return request, checkAnswered(request.Messages)
}

func readBlocks(role string, content json.RawMessage) ([]Message, error) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []Message{{Role: role, Content: text}}, nil
	}
	var blocks []messagesBlock
	if err := json.Unmarshal(content, &blocks); err != nil {
		return nil, fmt.Errorf("neither a text nor a list of blocks")
	}
	var results []Message
	said := Message{Role: role}
	for _, block := range blocks {
		switch block.Type {
		case "text":
			said.Content += block.Text
		case "tool_use":
			said.Calls = append(said.Calls, Call{ID: block.ID, Name: block.Name, Arguments: string(block.Input)})
		case "tool_result":
			text, err := readContent(block.Content)
			if err != nil {
				return nil, err
			}
			results = append(results, Message{Role: "tool", Content: text, CallID: block.ToolUseID})
		}
	}
	if said.Content != "" || len(said.Calls) > 0 || len(results) == 0 {
		results = append(results, said)
	}
	return results, nil
}

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
