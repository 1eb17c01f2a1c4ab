package simmodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// The Responses format: items instead of messages, and events with names.

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

func responseObject(request Request, answer Answer, status string, items []map[string]any) map[string]any {
	count := usage(request, answer)
	if items == nil {
		items = []map[string]any{}
	}
	object := map[string]any{
		"id": fmt.Sprintf("resp_sim_%d", len(request.Messages)), "object": "response", "created_at": created,
		"status": status,
		"model":  request.Model, "output": items, "error": nil, "incomplete_details": nil, "instructions": nil,
		"metadata":            map[string]any{},
		"parallel_tool_calls": true, "temperature": 1, "top_p": 1, "tool_choice": "auto", "tools": []any{},
		"previous_response_id": nil, "usage": nil,
	}
	if status == "completed" {
		object["usage"] = map[string]any{
			"input_tokens": count["prompt_tokens"], "output_tokens": count["completion_tokens"],
			"total_tokens":          count["total_tokens"],
			"input_tokens_details":  map[string]any{"cached_tokens": 0},
			"output_tokens_details": map[string]any{"reasoning_tokens": 0},
		}
	}
	return object
}

// wholeResponse writes the answer as one object.
func wholeResponse(w http.ResponseWriter, request Request, answer Answer) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(responseObject(request, answer, "completed", responseItems(request, answer)))
}

// streamResponse writes it as events: each item begins, grows and ends.
func streamResponse(w http.ResponseWriter, request Request, answer Answer) {
	w.Header().Set("Content-Type", "text/event-stream")
	s := namedStream{w: w}
	items := responseItems(request, answer)
	s.send("response.created", map[string]any{"response": responseObject(request, answer, "in_progress", nil)})
	s.send("response.in_progress", map[string]any{"response": responseObject(request, answer, "in_progress", nil)})
	for i, item := range items {
		if item["type"] == "message" {
			s.message(i, item, answer.Text)
		} else {
			s.call(i, item)
		}
		s.send("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	s.send("response.completed", map[string]any{"response": responseObject(request, answer, "completed", items)})
}

// namedStream writes events that are told apart by their names.
type namedStream struct {
	w http.ResponseWriter
	n int
}

func (s *namedStream) send(kind string, event map[string]any) {
	event["type"], event["sequence_number"] = kind, s.n
	s.n++
	writeEvent(s.w, kind, event)
}

func (s *namedStream) message(i int, item map[string]any, text string) {
	at := func(more map[string]any) map[string]any {
		more["output_index"], more["item_id"], more["content_index"] = i, item["id"], 0
		return more
	}
	part := func(text string) map[string]any {
		return map[string]any{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
	}
	begun := map[string]any{
		"type": "message", "id": item["id"], "role": "assistant", "status": "in_progress", "content": []any{},
	}
	s.send("response.output_item.added", map[string]any{"output_index": i, "item": begun})
	s.send("response.content_part.added", at(map[string]any{"part": part("")}))
	for _, piece := range pieces(text, " ") {
		s.send("response.output_text.delta", at(map[string]any{"delta": piece, "logprobs": []any{}}))
	}
	s.send("response.output_text.done", at(map[string]any{"text": text, "logprobs": []any{}}))
	s.send("response.content_part.done", at(map[string]any{"part": part(text)}))
}

func (s *namedStream) call(i int, item map[string]any) {
	arguments, _ := item["arguments"].(string)
	begun := map[string]any{}
	for key, value := range item {
		begun[key] = value
	}
	begun["arguments"], begun["status"] = "", "in_progress"
	s.send("response.output_item.added", map[string]any{"output_index": i, "item": begun})
	for _, piece := range pieces(arguments, ":") {
		s.send("response.function_call_arguments.delta",
			map[string]any{"output_index": i, "item_id": item["id"], "delta": piece})
	}
	s.send("response.function_call_arguments.done",
		map[string]any{"output_index": i, "item_id": item["id"], "name": item["name"], "arguments": arguments})
}

// writeEvent writes one event with its name.
func writeEvent(w http.ResponseWriter, name string, event map[string]any) {
	data, err := json.Marshal(event)
	if err != nil {
		return // strings and numbers alone: it cannot fail
	}
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data)
	if flusher, can := w.(http.Flusher); can {
		flusher.Flush()
	}
}

// pieces cuts a text after each separator.
func pieces(text, separator string) []string {
	return slices.DeleteFunc(strings.SplitAfter(text, separator), func(piece string) bool { return piece == "" })
}
