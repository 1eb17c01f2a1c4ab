package simmodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

type wireMessage struct {
	Role    string     `json:"role,omitempty"`
	Content *string    `json:"content"`
	Calls   []wireCall `json:"tool_calls,omitempty"`
}

type wireDelta struct {
	Role    string     `json:"role,omitempty"`
	Content string     `json:"content,omitempty"`
	Calls   []wireCall `json:"tool_calls,omitempty"`
}

type wireCall struct {
	Index    *int         `json:"index,omitempty"` // in streams only
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

// created is fixed: the same request gets the same bytes.
const created = 1770508800

func chatAnswer(request Request, answer Answer) any {
	message := wireMessage{Role: "assistant"}
	if answer.Text != "" || len(answer.Calls) == 0 {
		message.Content = &answer.Text
	}
	for _, call := range answer.Calls {
		message.Calls = append(message.Calls,
			wireCall{ID: call.ID, Type: "function", Function: wireFunction{call.Name, call.Arguments}})
	}
	return map[string]any{
		"id": completionID(request), "object": "chat.completion", "created": created, "model": request.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "logprobs": nil, "finish_reason": answer.finish()}},
		"usage":   usage(request, answer),
	}
}

// stream writes the answer as server-sent events: a word at a time, and every
// call's arguments in pieces, as providers do.
func stream(w http.ResponseWriter, request Request, answer Answer) {
	w.Header().Set("Content-Type", "text/event-stream")
	s := eventStream{w: w, request: request}
	s.send(wireDelta{Role: "assistant"}, nil)
	for _, piece := range strings.SplitAfter(answer.Text, " ") {
		if piece != "" {
			s.send(wireDelta{Content: piece}, nil)
		}
	}
	for i, call := range answer.Calls {
		s.send(wireDelta{Calls: []wireCall{{
			Index: &i, ID: call.ID, Type: "function", Function: wireFunction{Name: call.Name},
		}}}, nil)
		for _, piece := range strings.SplitAfter(call.Arguments, ":") {
			if piece != "" {
				s.send(wireDelta{Calls: []wireCall{{Index: &i, Function: wireFunction{Arguments: piece}}}}, nil)
			}
		}
	}
	finish := answer.finish()
	s.send(wireDelta{}, &finish)
	if request.usage {
		s.write(map[string]any{"choices": []any{}, "usage": usage(request, answer)})
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
	s.flush()
}

type eventStream struct {
	w       http.ResponseWriter
	request Request
}

func (s *eventStream) send(delta wireDelta, finish *string) {
	s.write(map[string]any{"choices": []any{map[string]any{
		"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish,
	}}})
}

func (s *eventStream) write(chunk map[string]any) {
	chunk["id"], chunk["object"] = completionID(s.request), "chat.completion.chunk"
	chunk["created"], chunk["model"] = created, s.request.Model
	data, err := json.Marshal(chunk)
	if err != nil {
		return // strings and numbers alone: it cannot fail
	}
	fmt.Fprintf(s.w, "data: %s\n\n", data)
	s.flush()
}

func (s *eventStream) flush() {
	if flusher, can := s.w.(http.Flusher); can {
		flusher.Flush()
	}
}

func completionID(request Request) string {
	return fmt.Sprintf("chatcmpl-sim-%d", len(request.Messages))
}

// usage counts words where a provider counts tokens.
func usage(request Request, answer Answer) map[string]int {
	in, out := 0, len(strings.Fields(answer.Text))
	for _, message := range request.Messages {
		in += len(strings.Fields(message.Content))
	}
	for _, call := range answer.Calls {
		out += 1 + len(strings.Fields(call.Arguments))
	}
	return map[string]int{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
}
