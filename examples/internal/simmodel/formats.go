package simmodel

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"text/template"

	"github.com/bonafide-go/bonafide/guard/chatwire"
)

//go:embed formats.tmpl
var formatsText string

// answers are what an answer looks like in each format, by its name.
var answers = template.Must(template.New("").Funcs(template.FuncMap{"json": func(text string) (string, error) {
	written, err := json.Marshal(text)
	return string(written), err
}}).Parse(formatsText))

// format is one of the wire formats that the server speaks: how requests are read, and the name of
// its answers. Its events are those by which chatwire says the same.
type format struct {
	of   chatwire.Format
	name string
}

var formats = map[string]format{
	"POST /v1/chat/completions":    {chatwire.ChatCompletions, "chat"},
	"POST /v1/responses":           {chatwire.Responses, "responses"},
	"POST /v1/messages":            {chatwire.Messages, "messages"},
	"POST /v1beta/models/{method}": {chatwire.Gemini, "gemini"},
	"POST /api/chat":               {chatwire.Ollama, "ollama"},
}

// said is an answer as the templates write it. Words are counted where a provider counts tokens.
type said struct {
	Answer
	Model             string
	N, In, Out, Total int
	Created           int
}

func saidTo(request *Request, answer Answer) said {
	s := said{Answer: answer, Model: request.Model, N: len(request.Messages), Created: 1770508800} // the same in every run
	s.Out = len(strings.Fields(answer.Text))
	for _, message := range request.Messages {
		s.In += len(strings.Fields(message.Content))
	}
	for _, call := range answer.Calls {
		s.Out += 1 + len(strings.Fields(call.Arguments))
	}
	s.Total = s.In + s.Out
	return s
}

// Speaks reports whether an answer has words, or nothing else.
func (s said) Speaks() bool { return s.Text != "" || len(s.Calls) == 0 }

// Stop is why chat completions say that the answer ended.
func (s said) Stop() string {
	if len(s.Calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

// write answers in the format, whole or streamed.
func (f format) write(w http.ResponseWriter, request Request, answer Answer) {
	var whole, body bytes.Buffer
	said := saidTo(&request, answer)
	err := errors.Join(answers.ExecuteTemplate(&whole, f.name, said), json.Compact(&body, whole.Bytes()))
	if err != nil { // arguments that are broken, in a format that has them as JSON
		fail(w, http.StatusInternalServerError, "server_error", err.Error())
		return
	}
	kind, sent := "application/json", body.Bytes()
	switch {
	case request.Stream && f.of == chatwire.ChatCompletions:
		kind, sent = "text/event-stream", said.chatEvents()
	case request.Stream:
		kind, sent = f.of.EncodeStream(sent)
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(sent) // a client that has gone away hears nothing
}

// chatEvents are an answer a word at a time, and every call's arguments in pieces, as providers
// send them.
func (s said) chatEvents() []byte {
	var events bytes.Buffer
	type object = map[string]any
	send := func(delta object, finish, usage any) {
		choice := object{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}
		data, _ := json.Marshal(object{ // strings and numbers can always be written
			"id": fmt.Sprintf("chatcmpl-sim-%d", s.N), "object": "chat.completion.chunk", "created": s.Created,
			"model": s.Model, "choices": []object{choice}, "usage": usage,
		})
		fmt.Fprintf(&events, "data: %s\n\n", data)
	}
	send(object{"role": "assistant"}, nil, nil)
	for piece := range strings.SplitAfterSeq(s.Text, " ") {
		send(object{"content": piece}, nil, nil)
	}
	for i, call := range s.Calls {
		named := object{"name": call.Name, "arguments": ""}
		send(object{"tool_calls": []object{{"index": i, "id": call.ID, "type": "function", "function": named}}}, nil, nil)
		for piece := range strings.SplitAfterSeq(call.Arguments, ":") {
			send(object{"tool_calls": []object{{"index": i, "function": object{"arguments": piece}}}}, nil, nil)
		}
	}
	usage := object{"prompt_tokens": s.In, "completion_tokens": s.Out, "total_tokens": s.Total}
	send(object{}, s.Stop(), usage)
	events.WriteString("data: [DONE]\n\n")
	return events.Bytes()
}
