package chatwire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// ollama is Ollama's own /api/chat. It asks as chat completions do, with arguments that are
// objects and results that name their tool, and streams by default, a JSON value on each
// line. No tool can be forced.
//
// Source: the API reference of Ollama (generate a chat completion, tool calling, thinking).
type ollama struct{ chat }

func (ollama) parse(r *Request, top span) {
	chat{}.parse(r, top)
	r.Stream = !top.at("stream").is("false")
	r.Structured = !blank(top.at("format"))
	r.Choice, r.choice = guard.Choice{}, span{}
	nameResults(r.Messages)
}

// nameResults gives results the id of the call that they answer, where only one side of the
// two has one: ids are optional in some formats. Then a result belongs to the first call of
// its tool that waits for one, or to the first of all if it names no tool.
func nameResults(messages []guard.Message) {
	var waiting []tooltrack.Call
	for i := range messages {
		m := &messages[i]
		if len(m.Calls) > 0 {
			waiting = slices.Clone(m.Calls)
		}
		if m.Role != guard.RoleTool {
			continue
		}
		at := slices.IndexFunc(waiting, func(call tooltrack.Call) bool { return m.CallID != "" && call.ID == m.CallID })
		if at < 0 {
			at = slices.IndexFunc(waiting, func(call tooltrack.Call) bool {
				return (m.CallID == "" || call.ID == "") && (m.Tool == "" || m.Tool == call.Tool)
			})
		}
		if at >= 0 {
			m.CallID = waiting[at].ID
			waiting = slices.Delete(waiting, at, at+1)
		}
	}
}

func (ollama) capabilities(*Request) guard.Capabilities {
	return guard.Capabilities{NoNamedChoice: true, NoRequiredChoice: true}
}

func (ollama) encode(request guard.Request, options EncodeOptions, _ span) []any {
	return []any{
		"model", options.Model, "messages", madeOf(request.Messages, ollamaRaw),
		"tools", listOrNone(madeOf(request.Tools, encodeTool)), "stream", options.Stream,
	}
}

func (ollama) say(r *Request, request guard.Request) ([]edit, error) {
	return r.sayWith(request.Messages, func(messages []guard.Message) []json.RawMessage {
		return madeOf(messages, ollamaRaw)
	})
}

func (ollama) choose(*Request, guard.Choice) []edit { return nil }

func ollamaRaw(message guard.Message) json.RawMessage {
	made := func(message guard.Message) json.RawMessage { return ollamaMessage(message, "") }
	return asItCame(message, made, func(own span) bool { // arguments are objects, and content is a text
		calls := own.at("tool_calls")
		isText := func(call span) bool { return call.at("function").at("arguments").kind() == '"' }
		return own.at("content").kind() != '[' && !slices.ContainsFunc(calls.objects(), isText) &&
			(len(message.Calls) == 0 || !calls.absent())
	})
}

// ollamaMessage writes a message from its parts.
func ollamaMessage(message guard.Message, thinking string) json.RawMessage {
	calls := madeOf(message.Calls, func(call tooltrack.Call) json.RawMessage {
		return object("function", object("name", call.Tool, "arguments", inputOf(call)))
	})
	return object("role", string(message.Role), "content", message.Text, "thinking", given(thinking),
		"tool_calls", listOrNone(calls), "tool_name", when(message.Role == guard.RoleTool, given(message.Tool)))
}

func (ollama) stream() streaming { return &ollamaAssembler{} }

func (ollama) events(body []byte) [][]byte { return [][]byte{body} }

func (ollama) refusal(told refusalError) []byte {
	return object("error", told.Message, "code", told.Code, "expected_tools", told.expected(),
		"account", given(told.Account))
}

// lineFraming is JSON values, each on a line. Space before a value means nothing.
var lineFraming = &framing{"application/x-ndjson", jsonValues, " "}

// jsonValues reads values one after the other, of which each is mostly a line.
func jsonValues(reader io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		lines := bufio.NewScanner(reader)
		lines.Buffer(make([]byte, 0, 4096), maxStream)
		for lines.Scan() {
			if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 && !yield(line, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// ollamaAssembler puts an answer together from its lines. Each is a piece of a message, and
// its calls are whole.
type ollamaAssembler struct {
	chatAssembler
	thinking strings.Builder
}

func (a *ollamaAssembler) take(top span) {
	found := top.members("the answer", "error", "message", "done", "done_reason")
	providerFault(found[0])
	counts := slices.DeleteFunc(countsIn(a.chunks, top, ollamaCounts), func(c count) bool { return !c.input && !c.output })
	if len(counts) > 0 {
		a.counts, a.response.Usage = counts, usageOf(counts)
	}
	if found[1].kind() != '{' {
		top.failf("it has no message")
	}
	a.begun, a.wholeCalls = true, true
	a.takeMessage(found[1])
	a.thinking.WriteString(found[1].member("thinking"))
	a.finished = a.finished || found[2].is("true")
	a.stopAt(found[3])
}

var ollamaCounts = map[string]count{"prompt_eval_count": {input: true}, "eval_count": {output: true}}

func (a *ollamaAssembler) finish() (reading, error) {
	read, err := a.chatAssembler.finish()
	if err == nil {
		read.response.Message.Raw = ollamaMessage(read.response.Message, a.thinking.String())
	}
	return read, err
}
