package chatwire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/resolver"
)

const inputOffer = `"tools":[{"name":"delete_task","description":"Delete a task.","input_schema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},"cache_control":{"type":"ephemeral"}},{"name":"list_tasks","input_schema":{"type":"object"}}]`

func messagesBody(user, more string) string {
	return `{ "model":"claude","max_tokens":1024,  "system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":` + quoted(user) + `}],` + more + ` }`
}

func said(stop, blocks string) string {
	return `{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[` + blocks + `],"stop_reason":"` + stop + `","stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":7}}`
}

func textJSON(text string) string { return `{"type":"text","text":` + quoted(text) + `}` }

func useJSON(id, name, input string) string {
	return `{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":` + input + `}`
}

const thought = `{"type":"thinking","thinking":"Let me \u0073ee…","signature":"EqQB+/=="}`

func TestParseMessagesResponse(t *testing.T) {
	a, b := useJSON("a", "del", `{"id": "1"}`), useJSON("b", "del", `{"id":"2"}`)
	cases := []struct{ name, body, want string }{
		{"text", said("end_turn", textJSON("Hello")), `"Hello"`},
		{"texts", said("end_turn", textJSON("Hel")+","+textJSON("lo")), `"Hello"`},
		{"calls in order", said("tool_use", b+","+a), `del{"id":"2"} del{"id": "1"}`},
		{"text beside a call", said("tool_use", textJSON("One moment.")+","+a), `del{"id": "1"} "One moment."`},
		{"calls count, not the stop reason", said("end_turn", a), `del{"id": "1"}`},
		{"thoughts say nothing", said("end_turn", thought+","+textJSON("Hi")), `"Hi"`},
		{"a thought alone", said("end_turn", thought), `"[reasoning]"`},
		{"a hidden thought alone", said("end_turn", `{"type":"redacted_thinking","data":"x"}`), `"[reasoning]"`},
		{"nothing", said("end_turn", ""), ``},
		{"cut", said("max_tokens", a), `del{"id": "1"} cut`},
		{"cut by the window", said("model_context_window_exceeded", textJSON("Hi")), `"Hi" cut`},
		{"stopped by a sequence", said("stop_sequence", textJSON("Hi")), `"Hi"`},
		{"refused", said("refusal", ""), `refused`},
		{"paused", said("pause_turn", `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`), `"[server_tool_use]" paused`},
		{"a call of the server's is none of ours", said("end_turn", `{"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]},`+textJSON("Rain.")), `"Rain."`},
		{"no input", said("tool_use", `{"type":"tool_use","id":"a","name":"list"}`), `list`},
		{"an input that is a string", said("tool_use", useJSON("a", "del", `"{}"`)), `!del`},
		{"no name", said("tool_use", `{"type":"tool_use","id":"a","input":{}}`), `!{}`},
		{"a number for an id", said("tool_use", `{"type":"tool_use","id":7,"name":"del","input":{}}`), `!del{}`},
		{"the same call twice is one", said("tool_use", a+","+a+","+b), `del{"id": "1"} del{"id":"2"}`},
		{"two calls under one id", said("tool_use", a+","+useJSON("a", "del", `{"id":"2"}`)), `!del{"id": "1"} !del{"id":"2"}`},
		{"name twice", said("tool_use", `{"type":"tool_use","id":"a","name":"list","name":"del","input":{}}`), `error`},
		{"content twice", `{"type":"message","content":[],"content":[]}`, `error`},
		{"content as a string", `{"type":"message","content":"Hi"}`, `error`},
		{"no content", `{"type":"message","stop_reason":"end_turn"}`, `error`},
		{"a block that is none", said("end_turn", "7"), `error`},
		{"a text that is none", said("end_turn", `{"type":"text","text":7}`), `error`},
		{"a type that is none", said("end_turn", `{"type":7}`), `error`},
		{"another's message", `{"type":"message","role":"user","content":[]}`, `error`},
		{"another type", `{"type":"completion","content":[]}`, `error`},
		{"an error", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, `error`},
		{"chat completions", message(`"content":"Hi"`), `error`},
		{"a stop reason that is none", `{"content":[],"stop_reason":7}`, `error`},
		{"a page", `<html>`, `error`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			response, err := chatwire.Messages.ParseResponse([]byte(c.body))
			if got := summary(response, err); got != c.want {
				t.Errorf("got  %s (%v)\nwant %s", got, err, c.want)
			}
			var bad *chatwire.BodyError
			if err != nil && !errors.As(err, &bad) {
				t.Errorf("the error %v is no *BodyError", err)
			}
		})
	}
}

func TestMessagesUsageCountsTheCache(t *testing.T) {
	response, err := chatwire.Messages.ParseResponse([]byte(`{"content":[],"usage":{"input_tokens":1,"cache_read_input_tokens":20,"cache_creation_input_tokens":300,"output_tokens":4}}`))
	if err != nil || response.Usage != (guard.Usage{Input: 321, Output: 4}) {
		t.Errorf("%+v, %v", response.Usage, err)
	}
}

// TestMessagesAreReplayedByteForByte: what the provider signed does not change.
func TestMessagesAreReplayedByteForByte(t *testing.T) {
	cited := `{"type":"text", "text":"Rain.","citations":[{"type":"char_location","x":1.50}]}`
	cases := []struct{ name, blocks, want string }{
		{"as it came", thought + " , " + cited + "," + useJSON("a", "list_tasks", `{ }`), thought + "," + cited + "," + useJSON("a", "list_tasks", `{ }`)},
		{"without an empty text", textJSON(" ") + "," + useJSON("a", "list_tasks", `{}`), useJSON("a", "list_tasks", `{}`)},
		{"without a thought at the end", textJSON("Hi") + "," + thought, textJSON("Hi")},
		{"without a copy", thought + "," + useJSON("a", "x", `{}`) + "," + useJSON("a", "x", `{}`), thought + "," + useJSON("a", "x", `{}`)},
		{"with a local id", thought + "," + useJSON("", "x", `{}`), thought + "," + useJSON("call_local_1", "x", `{}`)},
	}
	for _, c := range cases {
		response, err := chatwire.Messages.ParseResponse([]byte(said("tool_use", c.blocks)))
		if want := `{"role":"assistant","content":[` + c.want + `]}`; err != nil || string(response.Message.Raw) != want {
			t.Errorf("%s: %s, %v\nwant %s", c.name, response.Message.Raw, err, want)
		}
	}
}

func event(kind, rest string) string { return `{"type":"` + kind + `"` + rest + `}` }

func begins(index int, block string) string {
	return event("content_block_start", fmt.Sprintf(`,"index":%d,"content_block":%s`, index, block))
}

func piece(index int, delta string) string {
	return event("content_block_delta", fmt.Sprintf(`,"index":%d,"delta":%s`, index, delta))
}

func stops(index int) string { return event("content_block_stop", fmt.Sprintf(`,"index":%d`, index)) }

func ends(reason string) string {
	return event("message_delta", `,"delta":{"stop_reason":"`+reason+`","stop_sequence":null},"usage":{"output_tokens":15}`)
}

const (
	startEvent = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"stop_reason":null,"usage":{"input_tokens":25,"output_tokens":1}}}`
	stopEvent  = `{"type":"message_stop"}`
	emptyText  = `{"type":"text","text":""}`
)

func textPiece(text string) string { return `{"type":"text_delta","text":` + quoted(text) + `}` }

func jsonPiece(text string) string {
	return `{"type":"input_json_delta","partial_json":` + quoted(text) + `}`
}

// eventStream frames events as the provider does.
func eventStream(events ...string) string {
	var out strings.Builder
	for _, e := range events {
		var named struct{ Type string }
		_ = json.Unmarshal([]byte(e), &named)
		fmt.Fprintf(&out, "event: %s\ndata: %s\n\n", named.Type, e)
	}
	return out.String()
}

func TestMessagesAssembler(t *testing.T) {
	use := useJSON("a", "del", `{}`)
	cases := []struct {
		name   string
		events []string
		want   string
	}{
		{"text", []string{startEvent, begins(0, emptyText), `{"type":"ping"}`, piece(0, textPiece("Hel")), piece(0, textPiece("lo")), stops(0), ends("end_turn"), stopEvent}, `"Hello"`},
		{"a call in pieces", []string{startEvent, begins(0, use), piece(0, jsonPiece("")), piece(0, jsonPiece(`{"id":`)), piece(0, jsonPiece(`"1"}`)), stops(0), ends("tool_use"), stopEvent}, `del{"id":"1"}`},
		{"a call without input", []string{startEvent, begins(0, use), stops(0), ends("tool_use"), stopEvent}, `del{}`},
		{"the input at once", []string{startEvent, begins(0, useJSON("a", "del", `{"id":"1"}`)), stops(0), ends("tool_use"), stopEvent}, `del{"id":"1"}`},
		{"the input twice", []string{startEvent, begins(0, useJSON("a", "del", `{"id":"1"}`)), piece(0, jsonPiece(`{"id":"2"}`)), ends("tool_use")}, `!del{"id":"1"}`},
		{"half an input", []string{startEvent, begins(0, use), piece(0, jsonPiece(`{"id"`)), ends("tool_use")}, `!del{"id"`},
		{"an input that is a list", []string{startEvent, begins(0, use), piece(0, jsonPiece(`[]`)), ends("tool_use")}, `!del[]`},
		{"two calls, interleaved", []string{startEvent, begins(0, use), begins(1, useJSON("b", "add", `{}`)), piece(1, jsonPiece(`{"x":`)), piece(0, jsonPiece(`{"y":`)), piece(1, jsonPiece(`1}`)), piece(0, jsonPiece(`2}`)), ends("tool_use")}, `del{"y":2} add{"x":1}`},
		{"the same call twice", []string{startEvent, begins(0, use), begins(1, use), ends("tool_use")}, `del{}`},
		{"text beside a call", []string{startEvent, begins(0, emptyText), piece(0, textPiece("One moment.")), begins(1, use), ends("tool_use")}, `del{} "One moment."`},
		{"a thought", []string{startEvent, begins(0, `{"type":"thinking","thinking":"","signature":""}`), piece(0, `{"type":"thinking_delta","thinking":"hm"}`), piece(0, `{"type":"signature_delta","signature":"x"}`), begins(1, emptyText), piece(1, textPiece("Hi")), ends("end_turn")}, `"Hi"`},
		{"a thought alone", []string{startEvent, begins(0, `{"type":"thinking","thinking":""}`), piece(0, `{"type":"thinking_delta","thinking":"hm"}`), ends("end_turn")}, `"[reasoning]"`},
		{"cut by a limit", []string{startEvent, begins(0, use), piece(0, jsonPiece(`{"id"`)), ends("max_tokens"), stopEvent}, `!del{"id" cut`},
		{"cut off", []string{startEvent, begins(0, emptyText), piece(0, textPiece("Hel"))}, `"Hel" cut`},
		{"ended without a reason", []string{startEvent, begins(0, emptyText), piece(0, textPiece("Hi")), stopEvent}, `"Hi"`},
		{"refused", []string{startEvent, ends("refusal"), stopEvent}, `refused`},
		{"a kind of event that is not known", []string{startEvent, event("message_extra", ""), begins(0, textJSON("Hi")), ends("end_turn")}, `"Hi"`},
		{"a kind of piece that is not known", []string{startEvent, begins(0, textJSON("Hi")), piece(0, `{"type":"sparkle_delta"}`), ends("end_turn")}, `"Hi"`},
		{"such a piece of a call", []string{startEvent, begins(0, use), piece(0, `{"type":"sparkle_delta"}`), ends("tool_use")}, `!del{}`},
		{"a text piece of a call", []string{startEvent, begins(0, use), piece(0, textPiece("x")), ends("tool_use")}, `!del{}`},
		{"an error", []string{startEvent, begins(0, textJSON("Hi")), event("error", `,"error":{"type":"overloaded_error","message":"Overloaded"}`)}, `error`},
		{"a piece of no block", []string{startEvent, piece(0, textPiece("x"))}, `error`},
		{"the end of no block", []string{startEvent, stops(3)}, `error`},
		{"a piece without an index", []string{startEvent, begins(0, emptyText), event("content_block_delta", `,"delta":{}`)}, `error`},
		{"a block without an index", []string{startEvent, event("content_block_start", `,"content_block":`+emptyText)}, `error`},
		{"a block with a negative index", []string{startEvent, begins(-1, emptyText)}, `error`},
		{"a block that begins twice", []string{startEvent, begins(0, emptyText), begins(0, use)}, `error`},
		{"two messages", []string{startEvent, startEvent}, `error`},
		{"another's message", []string{event("message_start", `,"message":{"role":"user"}`)}, `error`},
		{"no message", []string{stopEvent}, `error`},
		{"a start without a message", []string{event("message_start", "")}, `error`},
		{"no JSON", []string{startEvent, "{"}, `error`},
		{"nothing", nil, `error`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			byEvent := chatwire.Messages.Assemble()
			var told strings.Builder
			for _, e := range c.events {
				text, _ := byEvent.Add([]byte(e))
				told.WriteString(text)
			}
			response, err := byEvent.Response()
			if got := summary(response, err); got != c.want {
				t.Errorf("got  %s (%v)\nwant %s", got, err, c.want)
			}
			if err == nil && !strings.HasPrefix(response.Message.Text, "[") && told.String() != response.Message.Text {
				t.Errorf("it told %q of %q", told.String(), response.Message.Text)
			}
			if got := summary(chatwire.Messages.ReadStream(strings.NewReader(eventStream(c.events...)), nil)); got != c.want {
				t.Errorf("as a stream: got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestStreamedMessagesAreReplayedWhole: thoughts with their signatures, citations
// and calls of the server's survive the stream.
func TestStreamedMessagesAreReplayedWhole(t *testing.T) {
	a := chatwire.Messages.Assemble()
	for _, e := range []string{
		startEvent,
		begins(0, `{"type":"thinking","thinking":"","signature":""}`), piece(0, `{"type":"thinking_delta","thinking":"a<b"}`), piece(0, `{"type":"thinking_delta","thinking":" so"}`), piece(0, `{"type":"signature_delta","signature":"Eq+/="}`),
		begins(1, `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`), piece(1, jsonPiece(`{"query":`)), piece(1, jsonPiece(`"rain"}`)),
		begins(2, `{"type":"web_search_tool_result","tool_use_id":"s","content":[{"x":1.0}]}`),
		begins(3, `{"type":"text","text":"","citations":[]}`), piece(3, textPiece("Rain.")), piece(3, `{"type":"citations_delta","citation":{"url":"u"}}`),
		begins(4, emptyText),
		begins(5, useJSON("a", "list_tasks", "{}")), piece(5, jsonPiece(`{"n": 1}`)),
		ends("tool_use"), stopEvent,
	} {
		if _, err := a.Add([]byte(e)); err != nil {
			t.Fatal(err)
		}
	}
	response, err := a.Response()
	want := `{"role":"assistant","content":[{"type":"thinking","thinking":"a<b so","signature":"Eq+/="},{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"rain"}},` +
		`{"type":"web_search_tool_result","tool_use_id":"s","content":[{"x":1.0}]},{"type":"text","text":"Rain.","citations":[{"url":"u"}]},{"type":"tool_use","id":"a","name":"list_tasks","input":{"n": 1}}]}`
	if err != nil || string(response.Message.Raw) != want {
		t.Errorf("%s, %v\nwant %s", response.Message.Raw, err, want)
	}
	if response.Usage != (guard.Usage{Input: 25, Output: 15}) {
		t.Errorf("usage %+v", response.Usage)
	}
}

func TestParseMessagesRequest(t *testing.T) {
	body := `{"system":"Be brief.","messages":[{"role":"user","content":"delete t1"},
		{"role":"assistant","content":[` + thought + `,` + textJSON("One moment.") + `,` + useJSON("a", "delete_task", `{"id":"t1"}`) + `,` + useJSON("b", "list_tasks", `{}`) + `]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"no such task"},{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"[]"},{"type":"image"}]},{"type":"text","text":"hurry"}]}],` + inputOffer + `}`
	parsed, err := chatwire.Messages.ParseRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range parsed.Messages {
		line := fmt.Sprintf("%s %q %s", m.Role, m.Text, m.CallID)
		for _, call := range m.Calls {
			line += fmt.Sprintf(" %s=%s%s", call.ID, call.Tool, call.Args)
		}
		if m.Internal {
			line += " internal"
		}
		got = append(got, line)
	}
	want := []string{
		`system "Be brief." `, `user "delete t1" `, `assistant "One moment."  a=delete_task{"id":"t1"} b=list_tasks{}`,
		`tool "Error: no such task" a`, `tool "[]" b`, `user "hurry"  internal`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(parsed.Tools) != 2 || parsed.Tools[0].Name != "delete_task" || parsed.Tools[0].Description != "Delete a task." || !strings.Contains(string(parsed.Tools[0].Parameters), `"required":["id"]`) {
		t.Errorf("the tools are %+v", parsed.Tools)
	}
}

func TestMessagesRequestsThatCannotBeRead(t *testing.T) {
	for _, body := range []string{
		`[]`, `{"messages":{}}`, `{"messages":[7]}`, `{"messages":[{"role":7}]}`, `{"messages":[{"role":"user","content":7}]}`,
		`{"messages":[{"role":"user","content":[7]}]}`, `{"messages":[{"role":"user","content":[{"type":7}]}]}`,
		`{"messages":[{"role":"user","content":[{"type":"text","text":7}]}]}`, `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":7}]}]}`,
		`{"messages":[{"role":"user","content":[{"type":"tool_result","content":7}]}]}`, `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":7}]}]}`,
		`{"messages":[{"role":"assistant","content":[{"type":"tool_use","name":7}]}]}`, `{"messages":[],"messages":[]}`, `{"tools":{}}`, `{"tools":[7]}`,
		`{"tools":[{"name":7,"input_schema":{}}]}`, `{"tools":[{"name":"x","description":7,"input_schema":{}}]}`, `{"system":7}`, `{"thinking":{"type":"a","type":"b"}}`,
	} {
		if parsed, err := chatwire.Messages.ParseRequest([]byte(body)); err == nil {
			t.Errorf("%s is read as %+v", body, parsed)
		}
	}
}

func TestMessagesToolsOfAllKinds(t *testing.T) {
	parsed, err := chatwire.Messages.ParseRequest([]byte(`{"messages":[],"tools":[{"type":"custom","name":"a","input_schema":{}},{"type":"bash_20250124","name":"bash"},` +
		`{"type":"text_editor_20250728","name":"edit"},{"type":"web_search_20250305","name":"web_search"},{"type":"mcp_toolset","mcp_server_name":"x"},{"type":"strange_2030","name":"y"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range parsed.Tools {
		names = append(names, tool.Name)
	}
	if got := fmt.Sprint(names, parsed.Server, parsed.Foreign); got != "[a bash edit] [web_search_20250305 mcp_toolset strange_2030] []" {
		t.Error(got)
	}
}

func TestMessagesChoices(t *testing.T) {
	for choice, want := range map[string]guard.Choice{
		`{"type":"auto"}`: {}, `{"type":"any","disable_parallel_tool_use":true}`: {Mode: guard.ChooseRequired}, `{"type":"none"}`: {Mode: guard.ChooseNone},
		`{"type":"tool","name":"x"}`: {Mode: guard.ChooseNamed, Tool: "x"}, `{"type":"tool"}`: {}, `null`: {}, `"any"`: {},
	} {
		parsed, err := chatwire.Messages.ParseRequest([]byte(`{"messages":[{"role":"user","content":"hi"}],"tool_choice":` + choice + `}`))
		if err != nil || parsed.Choice != want {
			t.Errorf("%s: %+v, %v", choice, parsed, err)
			continue
		}
		for _, other := range []guard.Choice{{}, {Mode: guard.ChooseRequired}, {Mode: guard.ChooseNone}, {Mode: guard.ChooseNamed, Tool: "y"}} {
			rebuilt, err := parsed.With(guard.Request{Messages: parsed.Messages, Choice: other})
			if err != nil {
				t.Fatal(err)
			}
			again, err := chatwire.Messages.ParseRequest(rebuilt)
			if err != nil || again.Choice != other {
				t.Errorf("%s became %s: %v", choice, rebuilt, err)
			}
			if kept := strings.Contains(string(rebuilt), `"disable_parallel_tool_use":true`); kept != (strings.Contains(choice, "parallel") && other.Mode != guard.ChooseNone) {
				t.Errorf("%s became %s", choice, rebuilt)
			}
		}
	}
}

// TestMessagesAreAddedAtTheEnd: all that the client sent stays byte for byte, so
// that the provider's cache still knows it.
func TestMessagesAreAddedAtTheEnd(t *testing.T) {
	body := messagesBody("delete t1", inputOffer)
	parsed, err := chatwire.Messages.ParseRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := chatwire.Messages.ParseResponse([]byte(said("tool_use", thought+","+useJSON("a", "delete_task", `{"id":7}`)+","+useJSON("b", "list_tasks", `{}`))))
	if err != nil {
		t.Fatal(err)
	}
	more := append(parsed.Messages[:len(parsed.Messages):len(parsed.Messages)], answer.Message,
		guard.Message{Role: guard.RoleTool, CallID: "a", Text: "Error: no"}, guard.Message{Role: guard.RoleTool, CallID: "b", Text: "[]"},
		guard.Message{Role: guard.RoleUser, Text: "Try again.", Internal: true})
	rebuilt, err := parsed.With(guard.Request{Messages: more, Choice: parsed.Choice})
	added := `,{"role":"assistant","content":[` + thought + `,` + useJSON("a", "delete_task", `{"id":7}`) + `,` + useJSON("b", "list_tasks", `{}`) + `]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"Error: no","is_error":true},{"type":"tool_result","tool_use_id":"b","content":"[]"},{"type":"text","text":"Try again."}]}`
	want := strings.Replace(body, `"delete t1"}]`, `"delete t1"}`+added+`]`, 1)
	if err != nil || string(rebuilt) != want {
		t.Errorf("%s, %v\nwant %s", rebuilt, err, want)
	}
}

func TestOtherMessagesTakeThePlace(t *testing.T) {
	parsed, err := chatwire.Messages.ParseRequest([]byte(messagesBody("delete t1", inputOffer)))
	if err != nil {
		t.Fatal(err)
	}
	rebuilt, err := parsed.With(guard.Request{Messages: []guard.Message{
		{Role: guard.RoleSystem, Text: "x"}, {Role: guard.RoleUser, Text: "hello"}, {Role: guard.RoleAssistant}, {Role: guard.RoleUser, Text: " "},
		{Role: guard.RoleSystem, Text: "late", Internal: true}, {Role: guard.RoleAssistant, Text: "Hi"},
	}})
	if want := `"messages":[{"role":"user","content":[{"type":"text","text":"hello"}]},{"role":"user","content":[{"type":"text","text":"late"}]},{"role":"assistant","content":[{"type":"text","text":"Hi"}]}],"tools"`; err != nil || !strings.Contains(string(rebuilt), want) {
		t.Errorf("%s, %v", rebuilt, err)
	}
	empty, err := chatwire.Messages.ParseRequest([]byte(`{"tools":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := empty.With(guard.Request{}); err == nil {
		t.Error("there is no place for messages")
	}
	if _, err := (&chatwire.Request{}).With(guard.Request{}); err == nil {
		t.Error("a request that was not read has no body")
	}
}

// messagesPost sends a body through the transport to a server that answers in
// the format.
func messagesPost(t *testing.T, g *guard.Guard, ctx context.Context, body string, answers ...string) (int, string, *upstream) {
	t.Helper()
	u := newUpstream(t, answers...)
	status, got, _ := post(t, ctx, chatwire.Transport(g, nil, nil), u.URL+"/v1/messages", body)
	for _, sent := range u.got {
		if err := checkMessages([]byte(sent)); err != nil {
			t.Errorf("the server refuses %s: %v", sent, err)
		}
	}
	return status, got, u
}

func TestMessagesAreGuarded(t *testing.T) {
	lie, honest := said("end_turn", thought+","+textJSON("I've deleted t1.")), said("end_turn", textJSON("Which task do you mean?"))
	call, bad := said("tool_use", thought+","+useJSON("a", "delete_task", `{"id":"t1"}`)), said("tool_use", thought+","+useJSON("a", "delete_task", `{"id":7}`)+","+useJSON("b", "list_tasks", `{}`))
	streamed := eventStream(startEvent, begins(0, emptyText), piece(0, textPiece("I've deleted t1.")), stops(0), ends("end_turn"), stopEvent)
	streamedCall := eventStream(startEvent, begins(0, useJSON("a", "delete_task", "{}")), piece(0, jsonPiece(`{"id":"t1"}`)), stops(0), ends("tool_use"), stopEvent)
	done := `{"messages":[{"role":"user","content":"delete t1"},{"role":"assistant","content":[` + useJSON("a", "delete_task", `{"id":"t1"}`) + `]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"{\"success\":true}"}]}],` + inputOffer + `}`
	failed := strings.Replace(done, `"content":"{\"success\":true}"`, `"is_error":true,"content":"no such task"`, 1)
	cases := []struct {
		name, body string
		answers    []string
		status     int
		got        string // empty: the last answer
	}{
		{"what passes", messagesBody("Good morning", inputOffer), []string{said("end_turn", textJSON("Good morning!"))}, 200, ""},
		{"a call", messagesBody("delete t1", inputOffer), []string{call}, 200, ""},
		{"a lie, always", messagesBody("delete t1", inputOffer), []string{lie, lie}, 400, `{"type":"error","error":{"type":"invalid_request_error","message":"What you asked for was not done.\nNothing was changed in this turn.","code":"tool_not_triggered","expected_tools":["delete_task"],`},
		{"a lie, then a question", messagesBody("delete t1", inputOffer), []string{lie, honest}, 200, ""},
		{"a denied call, then a better one", messagesBody("delete t1", inputOffer), []string{bad, call}, 200, ""},
		{"thinking is not forced", messagesBody("delete t1", inputOffer+`,"thinking":{"type":"enabled","budget_tokens":1024}`), []string{lie, call}, 200, ""},
		{"a stream that passes", messagesBody("delete t1", inputOffer+`,"stream":true`), []string{streamedCall}, 200, ""},
		{"a stream that lies", messagesBody("delete t1", inputOffer+`,"stream":true`), []string{streamed, streamed}, 400, "tool_not_triggered"},
		{"a call that succeeded backs the claim", done, []string{lie}, 200, ""},
		{"one that failed does not", failed, []string{lie, lie, lie}, 400, "insufficient_progress"},
		{"a pause", messagesBody("delete t1", inputOffer), []string{said("pause_turn", `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`)}, 200, ""},
		{"a refusal of the provider's", messagesBody("delete t1", inputOffer), []string{said("refusal", "")}, 200, ""},
		{"an error in the body", messagesBody("hello", inputOffer), []string{`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}`}, 503, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
		{"an error in the stream", messagesBody("hello", inputOffer+`,"stream":true`), []string{eventStream(startEvent, event("error", `,"error":{"type":"rate_limit_error","message":"slow down"}`))}, 200, `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`},
		{"an error without a form", messagesBody("hello", inputOffer), []string{`{"error":"gone"}`}, 502, `{"type":"error","error":{"type":"api_error","message":"gone"}}`},
		{"an unknown tool", messagesBody("hello", `"tools":[{"name":"format_disk","input_schema":{}}]`), nil, 400, `"code":"unguarded"`},
		{"a strange tool", messagesBody("hello", `"tools":[{"name":"list_tasks","input_schema":{}},{"type":"computer_2030","name":"x"}]`), nil, 400, "unguarded"},
		{"a tool of the server's beside ours", messagesBody("delete t1", inputOffer[:len(inputOffer)-1]+`,{"type":"web_search_20250305","name":"web_search"}]`), []string{lie, lie}, 400, "tool_not_triggered"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, got, u := messagesPost(t, newGuard(t, nil), context.Background(), c.body, c.answers...)
			want := c.got
			if want == "" {
				want = c.answers[len(c.answers)-1]
			}
			if status != c.status || !strings.Contains(got, want) || c.got == "" && got != want || len(u.got) != len(c.answers) {
				t.Errorf("%d after %d: %s\nwant %s", status, len(u.got), got, want)
			}
			if len(u.got) > 0 && u.got[0] != c.body {
				t.Errorf("the first request became %s", u.got[0])
			}
			if len(u.got) > 1 && !strings.Contains(u.got[1], thought) && strings.Contains(c.answers[0], thought) {
				t.Errorf("the thought is lost in %s", u.got[1])
			}
		})
	}
}

// TestMessagesThatPassByUnjudged: what measures a request is not one, and what
// offers no tool to the client passes.
func TestMessagesThatPassByUnjudged(t *testing.T) {
	for path, body := range map[string]string{
		"/v1/messages/count_tokens": messagesBody("delete t1", inputOffer),
		"/v1/messages":              messagesBody("delete t1", `"tools":[{"type":"web_search_20250305","name":"web_search"}]`),
		"/v1/messages/":             messagesBody("delete t1", `"tools":[]`),
	} {
		u := newUpstream(t, "anything")
		if status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+path, body); status != 200 || got != "anything" {
			t.Errorf("%s: %d %s", path, status, got)
		}
	}
	u := newUpstream(t)
	batch := `{"requests":[{"custom_id":"x","params":` + messagesBody("delete t1", inputOffer) + `}]}`
	if status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/messages/batches", batch); status != 400 || !strings.Contains(got, "unguarded") {
		t.Errorf("a batch: %d %s", status, got)
	}
}

// TestOnlyTheInputOfACallIsRewritten: everything else keeps its bytes, and a
// stream stays one that clients can put together.
func TestOnlyTheInputOfACallIsRewritten(t *testing.T) {
	directory := resolver.NewDirectory(resolver.SourceFunc(func(context.Context, string) ([]resolver.Entry, error) {
		return []resolver.Entry{{ID: "id-0042", Title: "Read book"}}, nil
	}), nil)
	g := newGuard(t, func(o *guard.Options) { o.Directories = map[string]guard.Directory{"task": directory} })
	ann := guard.NewContext(context.Background(), guard.Input{Owner: "ann", Turn: "m1"})
	whole := said("tool_use", thought+" ,"+useJSON("a", "delete_task", `{"id": "Read book"}`))
	start, stop := begins(1, useJSON("a", "delete_task", "{}")), stops(1)
	thinking := []string{begins(0, `{"type":"thinking","thinking":""}`), piece(0, `{"type":"thinking_delta","thinking":"hm"}`), stops(0)}
	events := func(pieces ...string) string {
		all := append([]string{startEvent}, thinking...)
		all = append(append(append(all, start), pieces...), stop, ends("tool_use"), stopEvent)
		return eventStream(all...)
	}
	cases := []struct{ name, body, said, want string }{
		{"whole", messagesBody("delete Read book", inputOffer), whole, strings.Replace(strings.Replace(whole, `{"id": "Read book"}`, `{"id":"id-0042"}`, 1), " ,", ",", 1)},
		{"streamed", messagesBody("delete Read book", inputOffer+`,"stream":true`), events(piece(1, jsonPiece(`{"id":`)), piece(1, jsonPiece(`"Read book"}`))), events(piece(1, `{"partial_json":"{\"id\":\"id-0042\"}","type":"input_json_delta"}`))},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, got, _ := messagesPost(t, g, ann, c.body, c.said)
			if status != http.StatusOK || got != c.want {
				t.Errorf("%d\ngot  %s\nwant %s", status, got, c.want)
			}
		})
	}
}

// TestMessagesWithoutTheirCalls: a cut message loses its calls, an account takes
// the place of texts, and what is left is a message that clients can read.
func TestMessagesWithoutTheirCalls(t *testing.T) {
	bad := useJSON("a", "delete_task", `{"id":7}`)
	badEvents := eventStream(startEvent, begins(0, useJSON("a", "delete_task", "{}")), piece(0, jsonPiece(`{"id":7}`)), stops(0),
		begins(1, `{"type":"thinking","thinking":"late"}`), stops(1), ends("tool_use"), stopEvent)
	lieEvents := eventStream(startEvent, begins(0, emptyText), piece(0, textPiece("I've ")), stops(0), begins(1, emptyText), piece(1, textPiece("deleted it.")), stops(1), ends("end_turn"), stopEvent)
	emptyEvents := eventStream(startEvent, ends("end_turn"), stopEvent)
	cutEvents := eventStream(startEvent, begins(0, textJSON("Let me")), stops(0), begins(1, useJSON("a", "delete_task", "{}")), piece(1, jsonPiece(`{"id":`)), ends("max_tokens"), stopEvent)
	deliver := newGuard(t, func(o *guard.Options) { o.DeliverAccount = true })
	cases := []struct {
		name, said string
		want       string // how the client reads it
		stop       string
	}{
		{"a denied call", said("tool_use", thought+","+bad), "This was not allowed:", "end_turn"},
		{"a lie in two blocks", said("end_turn", textJSON("I've ")+","+thought+","+textJSON("deleted it.")), "What you asked for was not", "end_turn"},
		{"nothing", said("end_turn", ""), "What you asked for was not", "end_turn"},
		{"cut", said("max_tokens", textJSON("Let me")+","+bad), "Let me", "max_tokens"},
		{"a denied call, streamed", badEvents, "This was not allowed:", "end_turn"},
		{"a lie, streamed", lieEvents, "What you asked for was not", "end_turn"},
		{"nothing, streamed", emptyEvents, "What you asked for was not", "end_turn"},
		{"cut, streamed", cutEvents, "Let me", "max_tokens"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, got, _ := messagesPost(t, deliver, context.Background(), messagesBody("delete it", inputOffer), c.said, c.said, c.said, c.said)
			var response guard.Response
			var err error
			if strings.HasPrefix(got, "event:") {
				response, err = chatwire.Messages.ReadStream(strings.NewReader(got), nil)
				checkEvents(t, got)
			} else {
				response, err = chatwire.Messages.ParseResponse([]byte(got))
			}
			if err != nil || status != 200 || len(response.Message.Calls) != 0 || !strings.HasPrefix(response.Message.Text, c.want) || !strings.Contains(got, `"stop_reason":"`+c.stop+`"`) {
				t.Errorf("%d %s: %v", status, got, err)
			}
			if strings.Contains(c.said, "thinking") != strings.Contains(got, "thinking") {
				t.Errorf("the thought is lost in %s", got)
			}
		})
	}
}

// checkEvents holds a stream to what clients rely on: blocks are numbered from 0
// without gaps, begin before their pieces, and end.
func checkEvents(t *testing.T, stream string) {
	t.Helper()
	open, next := -1, 0
	for data, err := range chatwire.Events(strings.NewReader(stream)) {
		var e struct {
			Type  string
			Index int
		}
		if err != nil || json.Unmarshal(data, &e) != nil {
			t.Fatalf("%s: %v", data, err)
		}
		switch e.Type {
		case "content_block_start":
			if open >= 0 || e.Index != next {
				t.Fatalf("the block %d begins where %d should: %s", e.Index, next, stream)
			}
			open, next = e.Index, next+1
		case "content_block_delta", "content_block_stop":
			if e.Index != open {
				t.Fatalf("a piece of %d in the block %d: %s", e.Index, open, stream)
			}
			if e.Type == "content_block_stop" {
				open = -1
			}
		case "message_delta", "message_stop":
			next = -7 // no block may follow
		}
	}
}

// TestACallThatWasSentTwiceRunsOnce, in both formats, whole and streamed.
func TestACallThatWasSentTwiceRunsOnce(t *testing.T) {
	use, call := useJSON("a", "list_tasks", `{}`), callJSON("a", "list_tasks", "{}")
	chunk := `{"choices":[{"index":0,"delta":{"tool_calls":[` + strings.Replace(call, `{`, `{"index":0,`, 1) + `,` + strings.Replace(call, `{`, `{"index":1,`, 1) + `]},"finish_reason":"tool_calls"}]}`
	cases := []struct{ path, body, said, call string }{
		{"/v1/messages", messagesBody("hello", inputOffer), said("tool_use", use+","+thought+","+use), `"id":"a"`},
		{"/v1/messages", messagesBody("hello", inputOffer), eventStream(startEvent, begins(0, use), stops(0), begins(1, use), stops(1), ends("tool_use"), stopEvent), `"id":"a"`},
		{"/v1/chat/completions", requestBody("hello", offer), message(`"tool_calls":[` + call + `,` + call + `]`), `"id":"a"`},
		{"/v1/chat/completions", requestBody("hello", offer), "data: " + chunk + "\n\ndata: [DONE]\n\n", `"id":"a"`},
	}
	for _, c := range cases {
		u := newUpstream(t, c.said)
		status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+c.path, c.body)
		if status != 200 || strings.Count(got, c.call) != 1 || strings.Contains(c.said, "thinking") != strings.Contains(got, "thinking") {
			t.Errorf("%d %s", status, got)
		}
	}
}

// TestAWholeMessageForAHeldStream: a response that has begun as a stream stays
// one.
func TestAWholeMessageForAHeldStream(t *testing.T) {
	cases := []struct{ said, want string }{
		{said("end_turn", thought+","+textJSON("Good morning!")), `"Good morning!"`},
		{said("tool_use", useJSON("a", "list_tasks", `{"n": 1}`)), `list_tasks{"n": 1}`},
		{said("end_turn", `{"type":"redacted_thinking","data":"x"},`+textJSON("Hi")), `"Hi"`},
		{`{"type":"error","error":{"type":"api_error","message":"gone"}}`, "error"},
	}
	for _, c := range cases {
		synctest.Test(t, func(t *testing.T) {
			request, _ := http.NewRequest(http.MethodPost, "http://127.0.0.1/v1/messages", strings.NewReader(messagesBody("hello", inputOffer+`,"stream":true`)))
			response, err := chatwire.Transport(newGuard(t, nil), slowly(c.said), &chatwire.Options{KeepAlive: time.Second}).RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			read, readErr := chatwire.Messages.ReadStream(strings.NewReader(string(got)), nil)
			if summary(read, readErr) != c.want || err != nil || strings.Contains(string(got), "[DONE]") {
				t.Errorf("the client reads %s, want %s", got, c.want)
			}
			if readErr == nil {
				checkEvents(t, string(got))
			}
			if strings.Contains(c.said, "EqQB") && !strings.Contains(string(read.Message.Raw), "EqQB+/==") {
				t.Errorf("the signature is lost in %s", got)
			}
		})
	}
}

func TestEncodeMessagesRequest(t *testing.T) {
	request := guard.Request{
		Messages: []guard.Message{{Role: guard.RoleSystem, Text: "Be brief."}, {Role: guard.RoleSystem, Text: "Be kind."}, {Role: guard.RoleUser, Text: "<hi>"}},
		Tools:    tools(), Choice: guard.Choice{Mode: guard.ChooseNamed, Tool: "list_tasks"},
	}
	body, err := chatwire.Messages.EncodeRequest(request, chatwire.EncodeOptions{Model: "claude", Stream: true})
	want := `{"model":"claude","max_tokens":4096,"stream":true,"system":[{"type":"text","text":"Be brief.\n\nBe kind."}],` +
		`"tools":[{"name":"delete_task","description":"Delete a task.","input_schema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}},` +
		`{"name":"list_tasks","description":"List the tasks.","input_schema":{"type":"object","properties":{}}}],"tool_choice":{"type":"tool","name":"list_tasks"},` +
		`"messages":[{"role":"user","content":[{"type":"text","text":"<hi>"}]}]}`
	if err != nil || string(body) != want {
		t.Errorf("%s, %v\nwant %s", body, err, want)
	}
	body, err = chatwire.Messages.EncodeRequest(guard.Request{}, chatwire.EncodeOptions{Model: "claude", More: json.RawMessage(`{"max_tokens":9}`)})
	if err != nil || string(body) != `{"model":"claude","max_tokens":9,"messages":[]}` {
		t.Errorf("%s, %v", body, err)
	}
}

// checkMessages holds a request to the rules that the provider enforces.
func checkMessages(body []byte) error {
	var request struct {
		Thinking   struct{ Type string }
		ToolChoice struct{ Type string } `json:"tool_choice"`
		Messages   []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return err
	}
	if forced := request.ToolChoice.Type; request.Thinking.Type == "enabled" && (forced == "any" || forced == "tool") {
		return errors.New("thinking may not be enabled when tool_choice forces tool use")
	}
	var open []string // calls that the next message has to answer
	for i, message := range request.Messages {
		var blocks []struct {
			Type, Text, ID string
			Signature      *string
			Input          map[string]any
			For            string `json:"tool_use_id"`
		}
		if message.Role != "user" && message.Role != "assistant" {
			return fmt.Errorf("messages.%d: role %q", i, message.Role)
		}
		if message.Content[0] == '"' {
			if len(open) > 0 {
				return fmt.Errorf("messages.%d: tool_use ids without tool_result: %v", i, open)
			}
			continue
		}
		if err := json.Unmarshal(message.Content, &blocks); err != nil || len(blocks) == 0 {
			return fmt.Errorf("messages.%d: content must be non-empty: %w", i, err)
		}
		answered, calls, others := 0, []string(nil), false
		for _, b := range blocks {
			switch b.Type {
			case "text":
				others = true
				if strings.TrimSpace(b.Text) == "" {
					return fmt.Errorf("messages.%d: text content blocks must be non-empty", i)
				}
			case "tool_use":
				calls = append(calls, b.ID)
				if b.Input == nil {
					return fmt.Errorf("messages.%d: input should be an object", i)
				}
			case "thinking":
				if b.Signature == nil || *b.Signature == "" {
					return fmt.Errorf("messages.%d: invalid signature", i)
				}
			case "tool_result":
				if others || answered >= len(open) || open[answered] != b.For {
					return fmt.Errorf("messages.%d: unexpected tool_result %s", i, b.For)
				}
				answered++
			}
		}
		if answered != len(open) {
			return fmt.Errorf("messages.%d: tool_use ids without tool_result: %v", i, open[answered:])
		}
		open = calls
	}
	if len(open) > 0 {
		return fmt.Errorf("tool_use ids without tool_result: %v", open)
	}
	return nil
}

// TestAReportIsAskedForWithoutAForm: the form that a client wants its answers in
// is not that of a report; nothing else changes.
func TestAReportIsAskedForWithoutAForm(t *testing.T) {
	required := guard.Choice{Mode: guard.ChooseRequired}
	chat := func(body string) (*chatwire.Request, error) {
		return chatwire.ChatCompletions.ParseRequest([]byte(body))
	}
	messages := func(body string) (*chatwire.Request, error) { return chatwire.Messages.ParseRequest([]byte(body)) }
	cases := []struct {
		parse      func(string) (*chatwire.Request, error)
		choice     guard.Choice
		body, want string
	}{
		{chat, guard.Choice{}, `{"messages":[],"response_format":{"type":"json_object"},"x":1}`, `{"messages":[],"x":1}`},
		{chat, guard.Choice{}, `{"messages":[] , "response_format":{"type":"json_object"}}`, `{"messages":[]}`},
		{chat, guard.Choice{}, `{ "response_format":{"type":"json_object"} , "messages":[]}`, `{ "messages":[]}`},
		{chat, required, `{"response_format":{"type":"json_object"},"messages":[]}`, `{"tool_choice":"required","messages":[]}`},
		{chat, guard.Choice{}, `{"messages":[],"x":{"response_format":1}}`, `{"messages":[],"x":{"response_format":1}}`},
		{messages, guard.Choice{}, `{"messages":[],"output_format":{"type":"json_schema"}}`, `{"messages":[]}`},
		{messages, required, `{"output_format":{"type":"json_schema"},"messages":[]}`, `{"tool_choice":{"type":"any"},"messages":[]}`},
		{messages, guard.Choice{}, `{"messages":[],"output_config":{"effort":"low","format":{}}}`, `{"messages":[],"output_config":{"effort":"low"}}`},
		{messages, guard.Choice{}, `{"messages":[],"output_config":{"format":{}}}`, `{"messages":[],"output_config":{}}`},
	}
	for _, c := range cases {
		parsed, err := c.parse(c.body)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parsed.With(guard.Request{Choice: c.choice, Report: true})
		if err != nil || string(got) != c.want {
			t.Errorf("%s became %s, want %s: %v", c.body, got, c.want, err)
		}
		if kept, err := parsed.With(guard.Request{Choice: parsed.Choice}); err != nil || string(kept) != c.body {
			t.Errorf("%s became %s: %v", c.body, kept, err)
		}
	}
}
