package chatwire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// ollama is Ollama's own /api/chat. It asks as chat completions do, with arguments that are
// objects and results that name their tool, and streams by default, a JSON value on each
// line. No tool can be forced.
//
// Source: the API reference of Ollama (generate a chat completion, tool calling, thinking).
type ollama struct{ chat }

func (ollama) fits(path string, top span, o *offer) bool {
	return strings.HasSuffix(path, "/api/chat") && !o.wrapped && o.forms[nestedTool] && top.has("messages")
}

func (ollama) parse(body []byte) (*Request, error) {
	return parseRequest(ollama{}, body, func(r *Request, top span) error {
		if err := r.readChat(top); err != nil {
			return err
		}
		r.Stream = string(top.at("stream").bytes()) != "false"
		r.Structured = !blank(top.at("format"))
		r.Choice, r.choice = guard.Choice{}, span{}
		return nil
	})
}

func (ollama) capabilities(*Request) guard.Capabilities {
	return guard.Capabilities{NoNamedChoice: true, NoRequiredChoice: true}
}

func (ollama) encode(request guard.Request, options EncodeOptions) ([]byte, error) {
	more, err := readMembers(options.More, "model", "messages", "tools", "stream")
	if err != nil {
		return nil, fmt.Errorf("more: %w", err)
	}
	body := writer{'{'}
	body.add("model", rawBlock(options.Model))
	body.add("messages", marshalList(ollamaMessages(request.Messages)))
	if len(request.Tools) > 0 {
		body.add("tools", marshalList(encodeTools(request.Tools)))
	}
	body.add("stream", rawBlock(options.Stream))
	for _, member := range more.others {
		body.add(member.name, member.value)
	}
	return append(body, '}'), nil
}

func (ollama) rewrite(r *Request, request guard.Request) ([]byte, error) {
	if r.messages.from == r.messages.to {
		return nil, errors.New("the request has no messages, so there is no place for others")
	}
	edits := []edit{{r.messages.from, r.messages.to, marshalList(ollamaMessages(request.Messages))}}
	if request.Report {
		edits = append(edits, without(r.body, "format")...)
	}
	return splice(r.body.body, edits), nil
}

func ollamaMessages(messages []guard.Message) []json.RawMessage {
	list := make([]json.RawMessage, len(messages))
	for i, message := range messages {
		if list[i] = message.Raw; len(message.Raw) == 0 || !isOllamaMessage(message) {
			list[i] = ollamaMessage(message, "")
		}
	}
	return list
}

// isOllamaMessage reports a message whose own form is one of this format: arguments are
// objects, and content is a text.
func isOllamaMessage(message guard.Message) bool {
	own, err := whole(message.Raw)
	if err != nil || own.kind() != '{' || own.at("content").kind() == '[' {
		return false
	}
	for _, call := range listOf(own.at("tool_calls")) {
		if call.at("function").at("arguments").kind() == '"' {
			return false
		}
	}
	return len(message.Calls) == 0 || own.has("tool_calls")
}

// ollamaMessage writes a message from its parts.
func ollamaMessage(message guard.Message, thinking string) json.RawMessage {
	type function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	type call struct {
		Function function `json:"function"`
	}
	wire := struct {
		Role     string `json:"role"`
		Content  string `json:"content"`
		Thinking string `json:"thinking,omitempty"`
		Calls    []call `json:"tool_calls,omitempty"`
		Tool     string `json:"tool_name,omitempty"`
	}{Role: string(message.Role), Content: message.Text, Thinking: thinking}
	if message.Role == guard.RoleTool {
		wire.Tool = message.Tool
	}
	for _, made := range message.Calls {
		args := json.RawMessage(made.Args)
		if !isObject(args) { // a call that is being refused has to be replayed all the same
			args = json.RawMessage("{}")
		}
		wire.Calls = append(wire.Calls, call{function{made.Tool, args}})
	}
	return rawBlock(wire)
}

// read reads a whole answer, which is a stream of one piece.
func (ollama) read(body []byte) (reading, error) {
	a := &ollamaAssembler{}
	if _, err := a.Add(body); err != nil {
		return reading{}, err
	}
	read, err := a.reading()
	read.response.Raw = body
	return read, err
}

func (ollama) stream() streaming { return &ollamaAssembler{} }

func (ollama) events(body []byte) [][]byte { return [][]byte{body} }

func (ollama) refusal(told refusalError) ([]byte, error) {
	return marshal(struct {
		Error    string   `json:"error"`
		Code     string   `json:"code"`
		Expected []string `json:"expected_tools,omitempty"`
		Account  string   `json:"account,omitempty"`
	}{told.Message, told.Code, told.Expected, told.Account})
}

// ollamaAssembler puts an answer together from its lines. Each is a piece of a message, and
// its calls are whole.
type ollamaAssembler struct {
	Assembler
	thinking strings.Builder
}

// Add takes the next line.
func (a *ollamaAssembler) Add(line []byte) (text string, err error) { return a.add(line, a.readLine) }

func (a *ollamaAssembler) readLine(top span) error {
	found, err := top.members("the answer", "error", "message", "done", "done_reason")
	if err != nil {
		return err
	}
	if err := providerFault(found[0]); err != nil {
		return err
	}
	if counts := countsIn(a.chunks, top, ollamaCounts); len(counts) > 0 {
		a.counts = nil
		for _, c := range counts {
			if c.input || c.output {
				a.counts = append(a.counts, c)
			}
		}
		a.usage = usageOf(a.counts)
	}
	if found[1].kind() != '{' {
		return errors.New("it has no message")
	}
	a.choices, a.wholeCalls = a.choices+1, true
	if err := a.readDelta(found[1]); err != nil {
		return err
	}
	a.thinking.WriteString(member(found[1], "thinking"))
	stop, err := readStop(found[3])
	if err != nil {
		return err
	}
	a.stops = append(a.stops, stopPlaces(a.chunks, found[3])...)
	a.finished = a.finished || string(found[2].bytes()) == "true"
	if a.stop == guard.StopEnd {
		a.stop = stop
	}
	return nil
}

var ollamaCounts = map[string]count{"prompt_eval_count": {input: true}, "eval_count": {output: true}}

func (a *ollamaAssembler) reading() (reading, error) {
	read, err := a.Assembler.reading()
	if err == nil {
		read.response.Message.Raw = ollamaMessage(read.response.Message, a.thinking.String())
	}
	return read, err
}
