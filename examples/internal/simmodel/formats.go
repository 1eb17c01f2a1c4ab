package simmodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/bonafide-go/bonafide/guard/chatwire"
)

type object = map[string]any

// format is one of the wire formats that the server speaks: how requests are read, and what an
// answer looks like. Its events are those by which chatwire says the same.
type format struct {
	of     chatwire.Format
	answer func(request Request, answer Answer, in, out int) object
}

var formats = map[string]format{
	"POST /v1/chat/completions":    {chatwire.ChatCompletions, chatAnswer},
	"POST /v1/responses":           {chatwire.Responses, responsesAnswer},
	"POST /v1/messages":            {chatwire.Messages, messagesAnswer},
	"POST /v1beta/models/{method}": {chatwire.Gemini, geminiAnswer},
	"POST /api/chat":               {chatwire.Ollama, ollamaAnswer},
}

// write answers in the format, whole or streamed. Words are counted where a provider counts tokens.
func (f format) write(w http.ResponseWriter, request Request, said Answer) {
	in, out := 0, len(strings.Fields(said.Text))
	for _, message := range request.Messages {
		in += len(strings.Fields(message.Content))
	}
	for _, call := range said.Calls {
		out += 1 + len(strings.Fields(call.Arguments))
	}
	whole := f.answer(request, said, in, out)
	body, err := json.Marshal(whole)
	if err != nil { // arguments that are broken, in a format that has them as JSON
		fail(w, http.StatusInternalServerError, "server_error", err.Error())
		return
	}
	kind := "application/json"
	switch {
	case request.Stream && f.of == chatwire.ChatCompletions:
		kind, body = "text/event-stream", chatEvents(whole, said)
	case request.Stream:
		kind, body = f.of.EncodeStream(body)
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(body) // a client that has gone away hears nothing
}

// created is fixed: the same request gets the same bytes.
const created = 1770508800

// speaks reports whether an answer has words, or nothing else.
func (a Answer) speaks() bool { return a.Text != "" || len(a.Calls) == 0 }

func chatAnswer(request Request, answer Answer, in, out int) object {
	message := object{"role": "assistant", "content": nil}
	if answer.speaks() {
		message["content"] = answer.Text
	}
	var calls []object
	for _, call := range answer.Calls {
		function := object{"name": call.Name, "arguments": call.Arguments}
		calls = append(calls, object{"id": call.ID, "type": "function", "function": function})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return object{
		"id": fmt.Sprintf("chatcmpl-sim-%d", len(request.Messages)), "object": "chat.completion", "created": created,
		"model":   request.Model,
		"choices": []object{{"index": 0, "message": message, "logprobs": nil, "finish_reason": answer.finish()}},
		"usage":   object{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out},
	}
}

// chatEvents are an answer a word at a time, and every call's arguments in pieces, as providers
// send them.
func chatEvents(whole object, answer Answer) []byte {
	var events bytes.Buffer
	send := func(delta object, finish, usage any) {
		choice := object{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}
		data, _ := json.Marshal(object{ // strings and numbers can always be written
			"id": whole["id"], "object": "chat.completion.chunk", "created": created, "model": whole["model"],
			"choices": []object{choice}, "usage": usage,
		})
		fmt.Fprintf(&events, "data: %s\n\n", data)
	}
	send(object{"role": "assistant"}, nil, nil)
	for piece := range strings.SplitAfterSeq(answer.Text, " ") {
		send(object{"content": piece}, nil, nil)
	}
	for i, call := range answer.Calls {
		named := object{"name": call.Name, "arguments": ""}
		send(object{"tool_calls": []object{{"index": i, "id": call.ID, "type": "function", "function": named}}}, nil, nil)
		for piece := range strings.SplitAfterSeq(call.Arguments, ":") {
			send(object{"tool_calls": []object{{"index": i, "function": object{"arguments": piece}}}}, nil, nil)
		}
	}
	send(object{}, answer.finish(), whole["usage"])
	events.WriteString("data: [DONE]\n\n")
	return events.Bytes()
}

// responsesAnswer has items instead of messages.
func responsesAnswer(request Request, answer Answer, in, out int) object {
	var items []object
	if answer.speaks() {
		items = append(items, object{
			"type": "message", "id": fmt.Sprintf("msg_sim_%d", len(request.Messages)), "role": "assistant",
			"status": "completed",
			"content": []object{{
				"type": "output_text", "text": answer.Text, "annotations": []any{}, "logprobs": []any{},
			}},
		})
	}
	for i, call := range answer.Calls {
		items = append(items, object{
			"type": "function_call", "id": fmt.Sprintf("fc_sim_%d_%d", len(request.Messages), i), "call_id": call.ID,
			"name": call.Name, "arguments": call.Arguments, "status": "completed",
		})
	}
	return object{
		"id": fmt.Sprintf("resp_sim_%d", len(request.Messages)), "object": "response", "created_at": created,
		"status": "completed", "model": request.Model, "output": items, "error": nil, "incomplete_details": nil,
		"instructions": nil, "metadata": object{}, "parallel_tool_calls": true, "temperature": 1, "top_p": 1,
		"tool_choice": "auto", "tools": []any{}, "previous_response_id": nil,
		"usage": object{
			"input_tokens": in, "output_tokens": out, "total_tokens": in + out,
			"input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0},
		},
	}
}

// messagesAnswer has blocks inside one message.
func messagesAnswer(request Request, answer Answer, in, out int) object {
	blocks := []object{}
	if answer.speaks() {
		blocks = append(blocks, object{"type": "text", "text": answer.Text})
	}
	for _, call := range answer.Calls {
		blocks = append(blocks,
			object{"type": "tool_use", "id": call.ID, "name": call.Name, "input": json.RawMessage(call.Arguments)})
	}
	stop := map[string]string{"tool_calls": "tool_use", "stop": "end_turn"}[answer.finish()]
	return object{
		"id": fmt.Sprintf("msg_sim_%d", len(request.Messages)), "type": "message", "role": "assistant",
		"model": request.Model, "content": blocks, "stop_reason": stop, "stop_sequence": nil,
		"usage": object{"input_tokens": in, "output_tokens": out},
	}
}

func geminiAnswer(_ Request, answer Answer, in, out int) object {
	parts := []object{}
	if answer.speaks() {
		parts = append(parts, object{"text": answer.Text})
	}
	for i, call := range answer.Calls {
		part := object{"functionCall": object{"id": call.ID, "name": call.Name, "args": json.RawMessage(call.Arguments)}}
		if i == 0 {
			part["thoughtSignature"] = "c2ln"
		}
		parts = append(parts, part)
	}
	return object{
		"candidates": []object{{
			"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0,
		}},
		"usageMetadata": object{"promptTokenCount": in, "candidatesTokenCount": out, "totalTokenCount": in + out},
	}
}

func ollamaAnswer(_ Request, answer Answer, in, out int) object {
	message := object{"role": "assistant", "content": answer.Text}
	for _, call := range answer.Calls {
		calls, _ := message["tool_calls"].([]object)
		function := object{"name": call.Name, "arguments": json.RawMessage(call.Arguments)}
		message["tool_calls"] = append(calls, object{"function": function})
	}
	return object{
		"model": "sim", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": true, "done_reason": "stop",
		"prompt_eval_count": in, "eval_count": out,
	}
}
