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
	"github.com/bonafide-go/bonafide/tooltrack"
)

const listOffer = `"tools":[{"type":"function","name":"delete_task","parameters":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},"strict":true},{"type":"function","name":"list_tasks","parameters":{"type":"object"}}]`

func responsesBody(user, more string) string {
	return `{ "model":"gpt",  "instructions":"Be brief.","input":` + quoted(user) + `,` + more + ` }`
}

func answered(id string, items ...string) string {
	return `{"id":"` + id + `","object":"response","status":"completed","error":null,"incomplete_details":null,"output":[` + strings.Join(items, ",") + `],"usage":{"input_tokens":5,"output_tokens":7,"total_tokens":12}}`
}

func cutShort(reason string, items ...string) string {
	return strings.NewReplacer(`"status":"completed"`, `"status":"incomplete"`, `"incomplete_details":null`, `"incomplete_details":{"reason":"`+reason+`"}`).Replace(answered("resp_1", items...))
}

func messageJSON(text string) string {
	return `{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":` + quoted(text) + `,"annotations":[]}]}`
}

func functionJSON(id, name, arguments string) string {
	return `{"type":"function_call","id":"fc_` + id + `","status":"completed","call_id":"` + id + `","name":"` + name + `","arguments":` + quoted(arguments) + `}`
}

const hiddenThought = `{"type":"reasoning","id":"rs_1","summary":[]}`

func TestParseResponsesResponse(t *testing.T) {
	a, b := functionJSON("a", "del", `{"id":"1"}`), functionJSON("b", "del", `{"id":"2"}`)
	cases := []struct{ name, body, want string }{
		{"text", answered("r", messageJSON("Hello")), `"Hello"`},
		{"texts", answered("r", messageJSON("Hel"), messageJSON("lo")), `"Hello"`},
		{"calls in order", answered("r", b, a), `del{"id":"2"} del{"id":"1"}`},
		{"text beside a call", answered("r", hiddenThought, messageJSON("One moment."), a), `del{"id":"1"} "One moment."`},
		{"a thought alone", answered("r", hiddenThought), `"[reasoning]"`},
		{"an image alone", answered("r", `{"type":"image_generation_call","id":"i","result":"x"}`), `"[image]"`},
		{"a call of the provider's own", answered("r", `{"type":"web_search_call","id":"w","status":"completed"}`, messageJSON("Rain.")), `"Rain."`},
		{"nothing", answered("r"), ``},
		{"refused", answered("r", `{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"No."}]}`), `refused`},
		{"cut", cutShort("max_output_tokens", a), `!del{"id":"1"} cut`},
		{"filtered", cutShort("content_filter", messageJSON("Hm")), `"Hm" filtered`},
		{"cut for a reason of its own", cutShort("other", messageJSON("Hm")), `"Hm" cut`},
		{"cut without a reason", `{"status":"incomplete","output":[]}`, `cut`},
		{"cancelled", `{"status":"cancelled","output":[]}`, `cut`},
		{"a call that was cut off", answered("r", strings.Replace(a, `"status":"completed"`, `"status":"incomplete"`, 1)), `!del{"id":"1"}`},
		{"a call without a name", answered("r", `{"type":"function_call","call_id":"a","arguments":"{}"}`), `!{}`},
		{"a number for an id", answered("r", `{"type":"function_call","call_id":7,"name":"del","arguments":"{}"}`), `!del{}`},
		{"a call of another kind", answered("r", `{"type":"custom_tool_call","call_id":"a","name":"x","input":"rm"}`), `!x`},
		{"the shell", answered("r", `{"type":"local_shell_call","call_id":"a","action":{}}`), `!`},
		{"the same call twice is one", answered("r", a, a, b), `del{"id":"1"} del{"id":"2"}`},
		{"two calls under one id", answered("r", a, functionJSON("a", "del", `{"id":"2"}`)), `!del{"id":"1"} !del{"id":"2"}`},
		{"still to come", `{"status":"queued","output":[]}`, `error`},
		{"failed", `{"status":"failed","error":{"code":"server_error","message":"gone"},"output":[]}`, `error`},
		{"failed without a word", `{"status":"failed","error":null,"output":[]}`, `error`},
		{"a status that is none", `{"status":7,"output":[]}`, `error`},
		{"no output", `{"status":"completed"}`, `error`},
		{"an output that is none", `{"output":{}}`, `error`},
		{"output twice", `{"output":[],"output":[]}`, `error`},
		{"an item that is none", answered("r", "7"), `error`},
		{"a type that is none", answered("r", `{"type":7}`), `error`},
		{"another's message", answered("r", `{"type":"message","role":"user","content":"x"}`), `error`},
		{"a content that is none", answered("r", `{"type":"message","content":7}`), `error`},
		{"chat completions", message(`"content":"Hi"`), `error`},
		{"a page", `<html>`, `error`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			response, err := chatwire.Responses.ParseResponse([]byte(c.body))
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

// ofResponse are the events by which a provider streams an answer.
func ofResponse(text string, calls []tooltrack.Call) []string {
	events := []string{event("response.created", `,"response":{"id":"resp_1","status":"in_progress","output":[]}`), event("response.in_progress", `,"response":{}`)}
	var items []string
	add := func(item string, between ...string) {
		at := len(items)
		events = append(events, event("response.output_item.added", fmt.Sprintf(`,"output_index":%d,"item":{"type":"x"}`, at)))
		for _, e := range between {
			events = append(events, strings.Replace(e, `"output_index":0`, fmt.Sprintf(`"output_index":%d`, at), 1))
		}
		items = append(items, item)
		events = append(events, event("response.output_item.done", fmt.Sprintf(`,"output_index":%d,"item":%s`, at, item)))
	}
	if text != "" {
		add(messageJSON(text), event("response.output_text.delta", `,"output_index":0,"content_index":0,"delta":`+quoted(text[:1])), event("response.output_text.delta", `,"output_index":0,"delta":`+quoted(text[1:])), event("response.output_text.done", `,"output_index":0,"text":`+quoted(text)))
	}
	for _, call := range calls {
		add(functionJSON(call.ID, call.Tool, string(call.Args)), event("response.function_call_arguments.delta", `,"output_index":0,"delta":`+quoted(string(call.Args))), event("response.function_call_arguments.done", `,"output_index":0,"arguments":`+quoted(string(call.Args))))
	}
	return append(events, event("response.completed", `,"response":`+answered("resp_1", items...)))
}

func TestResponsesAssembler(t *testing.T) {
	call := []tooltrack.Call{{ID: "a", Tool: "del", Args: []byte(`{"id":"1"}`)}}
	whole := ofResponse("Hello", call)
	created := event("response.created", `,"response":{}`)
	done := func(at int, item string) string {
		return event("response.output_item.done", fmt.Sprintf(`,"output_index":%d,"item":%s`, at, item))
	}
	completed := func(items ...string) string {
		return event("response.completed", `,"response":`+answered("r", items...))
	}
	f := functionJSON("a", "del", `{"id":"1"}`)
	cases := []struct {
		name   string
		events []string
		want   string
	}{
		{"text and a call", whole, `del{"id":"1"} "Hello"`},
		{"only the end", whole[len(whole)-1:], `del{"id":"1"} "Hello"`},
		{"cut off", whole[:len(whole)-1], `del{"id":"1"} "Hello" cut`},
		{"cut off in the text", whole[:4], `"H" cut`},
		{"an end without output", []string{created, done(1, f), done(0, messageJSON("Hi")), completed()}, `del{"id":"1"} "Hi"`},
		{"cut by a limit", []string{created, event("response.incomplete", `,"response":`+cutShort("max_output_tokens", messageJSON("Hi")))}, `"Hi" cut`},
		{"the end says another text", []string{created, event("response.output_text.delta", `,"delta":"Bye"`), completed(messageJSON("Hi"))}, `error`},
		{"the end holds another call", []string{created, done(0, functionJSON("a", "del", `{"id":"2"}`)), completed(f)}, `error`},
		{"the end holds a call less", []string{created, done(0, f), done(1, functionJSON("b", "del", `{}`)), completed(f)}, `error`},
		{"the end names another tool", []string{created, done(0, functionJSON("a", "add", `{"id":"1"}`)), completed(f)}, `error`},
		{"the end has another id", []string{created, done(0, functionJSON("b", "del", `{"id":"1"}`)), completed(f)}, `error`},
		{"other arguments in pieces", []string{created, event("response.function_call_arguments.delta", `,"output_index":0,"delta":"{}"`), done(0, f), completed(f)}, `error`},
		{"failed", []string{created, event("response.failed", `,"response":{"status":"failed","error":{"code":"server_error","message":"gone"},"output":[]}`)}, `error`},
		{"an error", []string{created, event("error", `,"code":"rate_limit_exceeded","message":"slow down","param":null`)}, `error`},
		{"two ends", []string{completed(), completed()}, `error`},
		{"an end without an answer", []string{event("response.completed", "")}, `error`},
		{"an item twice", []string{created, done(0, f), done(0, f)}, `error`},
		{"an item without a place", []string{created, event("response.output_item.done", `,"item":{}`)}, `error`},
		{"an item far away", []string{created, done(1024, f)}, `error`},
		{"the last place", []string{created, done(1023, f), completed()}, `del{"id":"1"}`},
		{"an item before the first", []string{created, done(-1, f)}, `error`},
		{"an item that is none", []string{created, done(0, "7")}, `error`},
		{"arguments without a place", []string{created, event("response.function_call_arguments.delta", `,"delta":"x"`)}, `error`},
		{"a text that is none", []string{created, event("response.output_text.delta", `,"delta":7`)}, `error`},
		{"no JSON", []string{"{"}, `error`},
		{"nothing", nil, `error`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			byEvent := chatwire.Responses.Assemble()
			for _, e := range c.events {
				_, _ = byEvent.Add([]byte(e))
			}
			response, err := byEvent.Response()
			if got := summary(response, err); got != c.want {
				t.Errorf("got  %s (%v)\nwant %s", got, err, c.want)
			}
			if got := summary(chatwire.Responses.ReadStream(strings.NewReader(eventStream(c.events...)), nil)); got != c.want {
				t.Errorf("as a stream: got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestParseResponsesRequest(t *testing.T) {
	body := `{"instructions":"Be brief.","input":[{"role":"user","content":"delete t1"},{"type":"message","role":"developer","content":[{"type":"input_text","text":"Be kind."}]},` + hiddenThought + `,` +
		functionJSON("a", "delete_task", `{"id":"t1"}`) + `,` + functionJSON("b", "list_tasks", `{}`) + `,{"type":"function_call_output","call_id":"a","output":"Error: locked"},` +
		`{"type":"function_call_output","call_id":"b","output":[{"type":"input_text","text":"[]"}]},` + messageJSON("Hm.") + `,{"type":"item_reference","id":"x"}],` + listOffer + `,"text":{"format":{"type":"json_object"}},"stream":true}`
	parsed, err := chatwire.Responses.ParseRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range parsed.Messages {
		line := fmt.Sprintf("%s %q %s", m.Role, m.Text, m.CallID)
		for _, call := range m.Calls {
			line += fmt.Sprintf(" %s=%s%s", call.ID, call.Tool, call.Args)
		}
		got = append(got, line)
	}
	want := []string{
		`system "Be brief." `, `user "delete t1" `, `system "Be kind." `, `assistant ""  a=delete_task{"id":"t1"} b=list_tasks{}`,
		`tool "Error: locked" a`, `tool "[]" b`, `assistant "Hm." `,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || !parsed.Structured || !parsed.Stream || len(parsed.Tools) != 2 || parsed.Tools[0].Name != "delete_task" {
		t.Errorf("got\n%s\nwant\n%s\n%+v", strings.Join(got, "\n"), strings.Join(want, "\n"), parsed)
	}
	for _, bad := range []string{
		`[]`, `{"input":7}`, `{"input":[7]}`, `{"input":[{"type":7}]}`, `{"input":[{"role":7}]}`, `{"input":[{"role":"user","content":7}]}`, `{"input":[{"type":"function_call","call_id":7}]}`,
		`{"input":[{"type":"function_call","name":7}]}`, `{"input":[{"type":"function_call_output","call_id":7}]}`, `{"input":[{"type":"function_call_output","output":7}]}`,
		`{"input":"x","input":"y"}`, `{"tools":{}}`, `{"tools":[7]}`, `{"tools":[{"type":"function","name":7}]}`, `{"previous_response_id":7}`,
	} {
		if parsed, err := chatwire.Responses.ParseRequest([]byte(bad)); err == nil {
			t.Errorf("%s is read as %+v", bad, parsed)
		}
	}
}

// checkItems holds a request to the rules that the provider enforces: each call
// has one result after it, and each result a call before it.
func checkItems(body []byte, known ...string) error {
	var request struct {
		Previous string `json:"previous_response_id"`
		Store    *bool
		Input    json.RawMessage
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return err
	}
	if len(request.Input) > 0 && request.Input[0] == '"' {
		return nil
	}
	var items []struct {
		Type, Role string
		CallID     string          `json:"call_id"`
		Encrypted  json.RawMessage `json:"encrypted_content"`
		ID         string
	}
	if err := json.Unmarshal(request.Input, &items); err != nil {
		return err
	}
	open := map[string]bool{}
	for _, id := range known {
		open[id] = true
	}
	for _, item := range items {
		switch item.Type {
		case "function_call":
			if open[item.CallID] {
				return fmt.Errorf("duplicate call %s", item.CallID)
			}
			open[item.CallID] = true
		case "function_call_output":
			if !open[item.CallID] {
				return fmt.Errorf("no tool call found for function call output with call_id %s", item.CallID)
			}
			delete(open, item.CallID)
		case "reasoning":
			if request.Store != nil && !*request.Store && item.Encrypted == nil {
				return fmt.Errorf("item with id %s not found: items are not persisted when store is false", item.ID)
			}
		}
	}
	for id := range open {
		return fmt.Errorf("no tool output found for function call %s", id)
	}
	return nil
}

func TestResponsesAreGuarded(t *testing.T) {
	lie, honest := answered("r1", hiddenThought, messageJSON("I've deleted t1.")), answered("r2", messageJSON("Which task do you mean?"))
	call, bad := answered("r3", hiddenThought, functionJSON("a", "delete_task", `{"id":"t1"}`)), answered("r4", hiddenThought, functionJSON("a", "delete_task", `{"id":7}`), functionJSON("b", "list_tasks", `{}`))
	streamed := eventStream(ofResponse("I've deleted t1.", nil)...)
	streamedCall := eventStream(ofResponse("", []tooltrack.Call{{ID: "a", Tool: "delete_task", Args: []byte(`{"id":"t1"}`)}})...)
	done := `{"input":[{"role":"user","content":"delete t1"},` + functionJSON("a", "delete_task", `{"id":"t1"}`) + `,{"type":"function_call_output","call_id":"a","output":"{\"success\":true}"}],` + listOffer + `}`
	failed := strings.Replace(done, `{\"success\":true}`, `Error: locked`, 1)
	cases := []struct {
		name, body string
		answers    []string
		status     int
		got        string // empty: the last answer
	}{
		{"what passes", responsesBody("Good morning", listOffer), []string{answered("r", messageJSON("Good morning!"))}, 200, ""},
		{"a call", responsesBody("delete t1", listOffer), []string{call}, 200, ""},
		{"a lie, always", responsesBody("delete t1", listOffer), []string{lie, lie}, 400, `{"error":{"message":"What you asked for was not done.`},
		{"a lie, then a question", responsesBody("delete t1", listOffer), []string{lie, honest}, 200, ""},
		{"a denied call, then a better one", responsesBody("delete t1", listOffer), []string{bad, call}, 200, ""},
		{"the same, not stored", responsesBody("delete t1", listOffer+`,"store":false`), []string{bad, call}, 200, ""},
		{"a stream that passes", responsesBody("delete t1", listOffer+`,"stream":true`), []string{streamedCall}, 200, ""},
		{"a stream that lies", responsesBody("delete t1", listOffer+`,"stream":true`), []string{streamed, streamed}, 400, "tool_not_triggered"},
		{"a call that succeeded backs the claim", done, []string{lie}, 200, ""},
		{"one that failed does not", failed, []string{lie, lie, lie}, 400, "insufficient_progress"},
		{"an error in the body", responsesBody("hello", listOffer), []string{`{"status":"failed","error":{"code":"server_error","message":"gone"},"output":[]}`}, 502, `{"error":{"code":"server_error","message":"gone"}}`},
		{"an error in the stream", responsesBody("hello", listOffer+`,"stream":true`), []string{eventStream(event("response.created", ""), event("error", `,"code":"rate_limit_exceeded","message":"slow down"`))}, 200, `"message":"slow down"`},
		{"an unknown tool", responsesBody("hello", `"tools":[{"type":"function","name":"format_disk"}]`), nil, 400, `"code":"unguarded"`},
		{"a tool of the server's beside ours", responsesBody("delete t1", listOffer[:len(listOffer)-1]+`,{"type":"web_search"}]`), []string{lie, lie}, 400, "tool_not_triggered"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			u := newUpstream(t, c.answers...)
			status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/responses", c.body)
			want := c.got
			if want == "" {
				want = c.answers[len(c.answers)-1]
			}
			if status != c.status || !strings.Contains(got, want) || c.got == "" && got != want || len(u.got) != len(c.answers) {
				t.Errorf("%d after %d: %s\nwant %s", status, len(u.got), got, want)
			}
			for i, sent := range u.got {
				if err := checkItems([]byte(sent)); err != nil {
					t.Errorf("the server refuses %s: %v", sent, err)
				}
				if i == 0 && sent != c.body {
					t.Errorf("the first request became %s", sent)
				}
			}
			stored := !strings.Contains(c.body, `"store":false`)
			if len(u.got) > 1 && strings.Contains(c.answers[0], "rs_1") && strings.Contains(u.got[1], "rs_1") != stored {
				t.Errorf("the thought in %s", u.got[1])
			}
		})
	}
}

// TestItemsAreAddedAtTheEnd: all that the client sent stays as it was.
func TestItemsAreAddedAtTheEnd(t *testing.T) {
	answer, err := chatwire.Responses.ParseResponse([]byte(answered("r", hiddenThought, functionJSON("a", "x", `{}`))))
	if err != nil {
		t.Fatal(err)
	}
	added := []guard.Message{answer.Message, {Role: guard.RoleTool, CallID: "a", Text: "no"}, {Role: guard.RoleUser, Text: "Again."}, {Role: guard.RoleAssistant, Text: "So", Calls: []tooltrack.Call{{ID: "b", Tool: "y", Args: []byte("{}")}}}}
	items := hiddenThought + `,` + functionJSON("a", "x", `{}`) + `,{"type":"function_call_output","call_id":"a","output":"no"},{"content":"Again.","role":"user"},{"content":"So","role":"assistant"},{"type":"function_call","call_id":"b","name":"y","arguments":"{}"}`
	cases := []struct {
		name, body, want string
		choice           guard.Choice
		report           bool
	}{
		{"to a text", `{"input":"h\u0069","x":1.0}`, `{"input":[{"role":"user","content":"h\u0069"},` + items + `],"x":1.0}`, guard.Choice{}, false},
		{"to a list", `{"input":[ {"role":"user","content":"hi"} ]}`, `{"input":[ {"role":"user","content":"hi"} ,` + items + `]}`, guard.Choice{}, false},
		{"to an empty list", `{"input":[]}`, `{"input":[` + items + `]}`, guard.Choice{}, false},
		{"with a forced choice", `{"input":[]}`, `{"tool_choice":{"type":"function","name":"x"},"input":[` + items + `]}`, guard.Choice{Mode: guard.ChooseNamed, Tool: "x"}, false},
		{"with another choice", `{"input":[],"tool_choice":"required"}`, `{"input":[` + items + `],"tool_choice":"auto"}`, guard.Choice{}, false},
		{"for a report", `{"input":[],"text":{"format":{"type":"json_object"},"verbosity":"low"}}`, `{"input":[` + items + `],"text":{"verbosity":"low"}}`, guard.Choice{}, true},
		{"not stored", `{"input":[],"store":false}`, strings.Replace(strings.Replace(`{"input":[`+items+`],"store":false}`, hiddenThought+",", "", 1), `"id":"fc_a",`, "", 1), guard.Choice{}, false},
	}
	for _, c := range cases {
		parsed, err := chatwire.Responses.ParseRequest([]byte(c.body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := parsed.With(guard.Request{Messages: append(parsed.Messages[:len(parsed.Messages):len(parsed.Messages)], added...), Choice: c.choice, Report: c.report})
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v\nwant %s", c.name, got, err, c.want)
		}
	}
	parsed, _ := chatwire.Responses.ParseRequest([]byte(`{"input":"hi"}`))
	if _, err := parsed.With(guard.Request{}); err == nil {
		t.Error("a conversation that begins otherwise is sent")
	}
	parsed, _ = chatwire.Responses.ParseRequest([]byte(`{}`))
	if _, err := parsed.With(guard.Request{}); err == nil {
		t.Error("there is no place for items")
	}
}

// TestRequestsThatGoOnFromAResponse: what was handed out is remembered by its id,
// so that results and recaps find their calls.
func TestRequestsThatGoOnFromAResponse(t *testing.T) {
	for _, observe := range []bool{false, true} {
		call, done := answered("resp_1", functionJSON("a", "delete_task", `{"id":"t1"}`)), answered("resp_2", messageJSON("I've deleted t1."))
		u := newUpstream(t, call, done, answered("resp_3", messageJSON("Good night!")))
		g := newGuard(t, func(o *guard.Options) { o.Observe = observe })
		transport := chatwire.Transport(g, nil, nil)
		bodies := []string{
			responsesBody("delete t1", listOffer),
			`{"previous_response_id":"resp_1","input":[{"type":"function_call_output","call_id":"a","output":"{\"success\":true}"}],` + listOffer + `}`,
			`{"previous_response_id":"resp_2","input":"Good night",` + listOffer + `}`,
		}
		for i, body := range bodies {
			status, got, _ := post(t, context.Background(), transport, u.URL+"/v1/responses", body)
			if status != http.StatusOK || len(u.got) != i+1 || u.got[i] != body {
				t.Errorf("observe %v, request %d: %d %s; the server got %q", observe, i, status, got, u.got)
			}
			if judged := g.Counters().ModelCalls; judged != uint64(i+1) {
				t.Errorf("observe %v: %d answers are judged after %d requests", observe, judged, i+1)
			}
		}
	}
	lie := answered("resp_9", messageJSON("I've deleted t1."))
	u := newUpstream(t, lie, lie)
	status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/responses", `{"previous_response_id":"resp_unknown","input":"delete t1",`+listOffer+`}`)
	if status != http.StatusBadRequest || !strings.Contains(got, "tool_not_triggered") || !strings.Contains(u.got[1], `"previous_response_id":"resp_unknown"`) {
		t.Errorf("an unknown past: %d %s", status, got)
	}
}

// TestCallsThatWereTakenOutAreAnswered: the provider has them, and refuses to go
// on from the response without their results.
func TestCallsThatWereTakenOutAreAnswered(t *testing.T) {
	bad := answered("resp_1", functionJSON("a", "delete_task", `{"id":7}`), functionJSON("b", "delete_task", `{"id":8}`))
	results := `{"type":"function_call_output","call_id":"a","output":"Error: the call was not allowed and was not run."},{"type":"function_call_output","call_id":"b","output":"Error: the call was not allowed and was not run."}`
	for asked, want := range map[string]string{
		`"thanks"`:                             `[` + results + `,{"role":"user","content":"thanks"}]`,
		`[{"role":"user","content":"thanks"}]`: `[` + results + `,{"role":"user","content":"thanks"}]`,
		`[]`:                                   `[` + results + `]`,
	} {
		g := newGuard(t, func(o *guard.Options) { o.DeliverAccount, o.Budgets.Progress = true, -1 })
		u := newUpstream(t, bad, answered("resp_2", messageJSON("Nothing was deleted: the call was not allowed.")))
		transport := chatwire.Transport(g, nil, nil)
		status, got, _ := post(t, context.Background(), transport, u.URL+"/v1/responses", responsesBody("delete it", listOffer))
		if status != http.StatusOK || strings.Contains(got, "function_call") || !strings.Contains(got, "resp_1") {
			t.Fatalf("%d %s", status, got)
		}
		status, got, _ = post(t, context.Background(), transport, u.URL+"/v1/responses", `{"previous_response_id":"resp_1","input":`+asked+`,`+listOffer+`}`)
		if status != http.StatusOK || len(u.got) != 2 || u.got[1] != `{"previous_response_id":"resp_1","input":`+want+`,`+listOffer+`}` {
			t.Errorf("%d %s; the server got %q", status, got, u.got)
		}
		if err := checkItems([]byte(u.got[1]), "a", "b"); err != nil {
			t.Error(err)
		}
	}
}

func TestOnlyTheArgumentsOfAnItemAreRewritten(t *testing.T) {
	directory := resolver.NewDirectory(resolver.SourceFunc(func(context.Context, string) ([]resolver.Entry, error) {
		return []resolver.Entry{{ID: "id-0042", Title: "Read book"}}, nil
	}), nil)
	g := newGuard(t, func(o *guard.Options) { o.Directories = map[string]guard.Directory{"task": directory} })
	ann := guard.NewContext(context.Background(), guard.Input{Owner: "ann", Turn: "m1"})
	whole := answered("resp_1", hiddenThought, functionJSON("a", "delete_task", `{"id": "Read book"}`))
	want := strings.Replace(whole, `{\"id\": \"Read book\"}`, `{\"id\":\"id-0042\"}`, 1)
	u := newUpstream(t, whole)
	if status, got, _ := post(t, ann, chatwire.Transport(g, nil, nil), u.URL+"/v1/responses", responsesBody("delete Read book", listOffer)); status != 200 || got != want {
		t.Errorf("%d %s\nwant %s", status, got, want)
	}
	u = newUpstream(t, eventStream(ofResponse("One moment.", []tooltrack.Call{{ID: "a", Tool: "delete_task", Args: []byte(`{"id":"Read book"}`)}})...))
	status, got, _ := post(t, ann, chatwire.Transport(g, nil, nil), u.URL+"/v1/responses", responsesBody("delete Read book", listOffer+`,"stream":true`))
	if read := summary(chatwire.Responses.ReadStream(strings.NewReader(got), nil)); status != 200 || read != `delete_task{"id":"id-0042"} "One moment."` || strings.Contains(got, "Read book") {
		t.Errorf("%d %s: %s", status, read, got)
	}
}

// TestResponsesWithoutTheirCalls: what is handed out instead is a whole answer,
// streamed or not.
func TestResponsesWithoutTheirCalls(t *testing.T) {
	deliver := newGuard(t, func(o *guard.Options) { o.DeliverAccount = true })
	bad := functionJSON("a", "delete_task", `{"id":7}`)
	badCall := []tooltrack.Call{{ID: "a", Tool: "delete_task", Args: []byte(`{"id":7}`)}}
	cut := eventStream(ofResponse("Let me", badCall)[:8]...)
	cases := []struct{ name, said, want, holds string }{
		{"a denied call", answered("r", hiddenThought, bad), "This was not allowed:", hiddenThought},
		{"a lie in two messages", answered("r", messageJSON("I've "), hiddenThought, messageJSON("deleted it.")), "What you asked for was not", hiddenThought},
		{"nothing", answered("r"), "What you asked for was not", `"status":"completed"`},
		{"cut", cutShort("max_output_tokens", messageJSON("Let me"), bad), "Let me", `"status":"incomplete"`},
		{"a denied call, streamed", eventStream(ofResponse("", badCall)...), "This was not allowed:", "event: response.completed"},
		{"a lie, streamed", eventStream(ofResponse("I've deleted it.", nil)...), "What you asked for was not", "event: response.output_text.done"},
		{"cut, streamed", cut, "Let me", ""},
		{"cut in the text, beside a call", eventStream(event("response.created", ""), event("response.output_item.done", `,"output_index":0,"item":`+bad), event("response.output_text.delta", `,"delta":"Let me"`)), "Let me", `"status":"incomplete"`},
		{"a cut lie", cutShort("max_output_tokens", messageJSON("I've deleted it.")), "The answer was cut off", `"status":"completed","error":null,"incomplete_details":null`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			u := newUpstream(t, c.said, c.said, c.said, c.said)
			status, got, _ := post(t, context.Background(), chatwire.Transport(deliver, nil, nil), u.URL+"/v1/responses", responsesBody("delete it", listOffer))
			response, err := chatwire.Responses.ParseResponse([]byte(got))
			if strings.HasPrefix(got, "event:") {
				response, err = chatwire.Responses.ReadStream(strings.NewReader(got), nil)
			}
			if err != nil || status != 200 || len(response.Message.Calls) != 0 || !strings.HasPrefix(response.Message.Text, c.want) || !strings.Contains(got, c.holds) {
				t.Errorf("%d %s: %v", status, got, err)
			}
		})
	}
}

func TestAWholeResponseForAHeldStream(t *testing.T) {
	cases := []struct{ said, want string }{
		{answered("r", hiddenThought, messageJSON("Good morning!")), `"Good morning!"`},
		{answered("r", functionJSON("a", "list_tasks", `{}`)), `list_tasks{}`},
		{cutShort("max_output_tokens", messageJSON("Good")), `"Good" cut`},
		{`{"error":{"message":"gone","code":"server_error"}}`, "error"},
	}
	for _, c := range cases {
		synctest.Test(t, func(t *testing.T) {
			request, _ := http.NewRequest(http.MethodPost, "http://127.0.0.1/v1/responses", strings.NewReader(responsesBody("hello", listOffer+`,"stream":true`)))
			response, err := chatwire.Transport(newGuard(t, nil), slowly(c.said), &chatwire.Options{KeepAlive: time.Second}).RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if read := summary(chatwire.Responses.ReadStream(strings.NewReader(string(got)), nil)); read != c.want || err != nil || c.want == "error" && !strings.Contains(string(got), `"message":"gone"`) {
				t.Errorf("the client reads %s in %s, want %s", read, got, c.want)
			}
			for data := range chatwire.Events(strings.NewReader(string(got))) {
				created, begun := strings.Contains(string(data), `"response.created"`), strings.Contains(string(data), `"response.output_item.added"`)
				if created && !strings.Contains(string(data), `"status":"in_progress"`) || begun && strings.Contains(string(data), "function_call") && !strings.Contains(string(data), `"arguments":""`) ||
					begun && strings.Contains(string(data), `"message"`) && !strings.Contains(string(data), `"content":[]`) {
					t.Errorf("it begins with %s", data)
				}
			}
		})
	}
}

func TestEncodeResponsesRequest(t *testing.T) {
	request := guard.Request{Messages: []guard.Message{{Role: guard.RoleUser, Text: "<hi>"}}, Tools: tools()[1:], Choice: guard.Choice{Mode: guard.ChooseRequired}}
	body, err := chatwire.Responses.EncodeRequest(request, chatwire.EncodeOptions{Model: "gpt", Stream: true})
	want := `{"model":"gpt","input":[{"content":"<hi>","role":"user"}],"tools":[{"type":"function","name":"list_tasks","description":"List the tasks.","parameters":{"type":"object","properties":{}},"strict":false}],` +
		`"tool_choice":"required","store":false,"include":["reasoning.encrypted_content"],"stream":true}`
	if err != nil || string(body) != want {
		t.Errorf("%s, %v\nwant %s", body, err, want)
	}
	body, err = chatwire.Responses.EncodeRequest(guard.Request{}, chatwire.EncodeOptions{Model: "gpt"})
	if err != nil || string(body) != `{"model":"gpt","input":[],"store":false,"include":["reasoning.encrypted_content"]}` {
		t.Errorf("%s, %v", body, err)
	}
}
