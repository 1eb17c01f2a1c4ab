package chatwire_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// summary prints a response the way the tables below expect it: calls with
// their arguments, refused ones marked with "!", then the text and the stop.
func summary(response guard.Response, err error) string {
	if err != nil {
		return "error"
	}
	faults := map[int]bool{}
	for _, fault := range response.Faults {
		faults[fault.Call] = true
	}
	var parts []string
	if response.Message.Shows != "" {
		parts = append(parts, fmt.Sprintf("%q", "["+response.Message.Shows+"]"))
	}
	for i, call := range response.Message.Calls {
		mark := ""
		if faults[i] {
			mark = "!"
		}
		parts = append(parts, fmt.Sprintf("%s%s%s", mark, call.Tool, call.Args))
	}
	if response.Message.Text != "" {
		parts = append(parts, fmt.Sprintf("%q", response.Message.Text))
	}
	if response.Stop != guard.StopEnd {
		parts = append(parts, response.Stop.String())
	}
	return strings.Join(parts, " ")
}

func message(inner string) string {
	return `{"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant",` + inner + `}}]}`
}

func callJSON(id, name, arguments string) string {
	return fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":%q,"arguments":%q}}`, id, name, arguments)
}

func TestParseResponse(t *testing.T) {
	a, b := callJSON("a", "del", `{"id":"1"}`), callJSON("b", "del", `{"id":"2"}`)
	cases := []struct{ name, body, want string }{
		{"text", message(`"content":"Hello"`), `"Hello"`},
		{"one call", message(`"content":null,"tool_calls":[` + a + `]`), `del{"id":"1"}`},
		{"order and number are kept", message(`"tool_calls":[` + b + `,` + a + `]`), `del{"id":"2"} del{"id":"1"}`},
		{"text beside a call", message(`"content":"One moment.","tool_calls":[` + a + `]`), `del{"id":"1"} "One moment."`},
		{"no calls by null and by an empty list", message(`"content":"Hi","tool_calls":null,"function_call":null`), `"Hi"`},
		{"an empty list of calls", message(`"content":"Hi","tool_calls":[]`), `"Hi"`},
		{"parts of text", message(`"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]`), `"ab"`},
		{"calls count, not the finish reason", `{"choices":[{"finish_reason":"stop","message":{"tool_calls":[` + a + `]}}]}`, `del{"id":"1"}`},
		{"no finish reason", `{"choices":[{"message":{"tool_calls":[` + a + `]}}]}`, `del{"id":"1"}`},
		{"cut", `{"choices":[{"finish_reason":"length","message":{"tool_calls":[` + a + `]}}]}`, `del{"id":"1"} cut`},
		{"cut, says the provider behind the gateway", `{"choices":[{"finish_reason":"stop","native_finish_reason":"MAX_TOKENS","message":{"tool_calls":[` + a + `]}}]}`, `del{"id":"1"} cut`},
		{"filtered", `{"choices":[{"finish_reason":"content_filter","message":{"content":"Well"}}]}`, `"Well" filtered`},
		{"refused", message(`"content":null,"refusal":"I can't help with that."`), `refused`},
		{"refused in a part", message(`"content":[{"type":"refusal","refusal":"No."}]`), `refused`},
		{"the finish reason is a failure", `{"choices":[{"finish_reason":"error","message":{"content":""}}]}`, `error`},
		{"arguments as an object", message(`"tool_calls":[{"id":"a","function":{"name":"del","arguments":{"id": 1}}}]`), `del{"id": 1}`},
		{"arguments as a list", message(`"tool_calls":[{"id":"a","function":{"name":"del","arguments":["1"]}}]`), `!del`},
		{"no arguments", message(`"tool_calls":[{"id":"a","function":{"name":"list"}}]`), `list`},
		{"null arguments", message(`"tool_calls":[{"id":"a","function":{"name":"list","arguments":null}}]`), `list`},
		{"the older function_call", message(`"function_call":{"name":"del","arguments":"{}"}`), `del{}`},
		{"both ways, the same", message(`"tool_calls":[` + a + `],"function_call":{"name":"del","arguments":"{\"id\":\"1\"}"}`), `del{"id":"1"}`},
		{"both ways, different", message(`"tool_calls":[` + a + `],"function_call":{"name":"del","arguments":"{}"}`), `error`},
		{"a null call", message(`"tool_calls":[null,` + a + `]`), `! del{"id":"1"}`},
		{"no function", message(`"tool_calls":[{"id":"a","type":"function"}]`), `!`},
		{"another type", message(`"tool_calls":[{"id":"a","type":"custom","function":{"name":"del","arguments":"{}"}}]`), `!del{}`},
		{"no name", message(`"tool_calls":[{"id":"a","function":{"arguments":"{}"}}]`), `!{}`},
		{"a number for a name", message(`"tool_calls":[{"id":"a","function":{"name":7,"arguments":"{}"}}]`), `!{}`},
		{"the same call twice is one", message(`"tool_calls":[` + a + `,` + a + `]`), `del{"id":"1"}`},
		{"two calls under one id", message(`"tool_calls":[` + a + `,` + callJSON("a", "del", `{"id":"2"}`) + `]`), `!del{"id":"1"} !del{"id":"2"}`},
		{"half a character in the arguments", message(`"tool_calls":[{"id":"a","function":{"name":"del","arguments":"{\"id\":\"\ud83d\"}"}}]`), "!del{\"id\":\"\xed\xa0\xbd\"}"},
		{"a whole character by escapes", message(`"tool_calls":[{"id":"a","function":{"name":"del","arguments":"{\"id\":\"\ud83d\ude00\"}"}}]`), `del{"id":"😀"}`},
		{"a key twice in the call", message(`"tool_calls":[{"id":"a","function":{"name":"list","name":"del","arguments":"{}"}}]`), `!`},
		{"tool_calls twice", message(`"tool_calls":[` + a + `],"tool_calls":[]`), `error`},
		{"tool_calls twice, one escaped", message(`"tool_calls":[` + a + `],"tool_c\u0061lls":[]`), `error`},
		{"tool_calls in another case", message(`"content":"x","Tool_Calls":[` + a + `]`), `error`},
		{"tool_calls as an object", message(`"tool_calls":` + a), `error`},
		{"content as a number", message(`"content":7`), `error`},
		{"another's message", `{"choices":[{"message":{"role":"user","content":"x"}}]}`, `error`},
		{"the second of two choices has the index 0", `{"choices":[{"index":1,"message":{"content":"b"}},{"index":0,"message":{"content":"a"}}]}`, `"a"`},
		{"an error body", `{"error":{"message":"overloaded","code":529}}`, `error`},
		{"an error beside an answer", `{"error":{"message":"overloaded"},"choices":[{"message":{"content":"x"}}]}`, `error`},
		{"a null error", `{"error":null,"choices":[{"message":{"content":"x"}}]}`, `"x"`},
		{"an error in the choice", `{"choices":[{"error":{"message":"upstream"},"message":{"content":""}}]}`, `error`},
		{"no choices", `{"id":"x"}`, `error`},
		{"empty choices", `{"choices":[]}`, `error`},
		{"a null choice", `{"choices":[null]}`, `error`},
		{"no message", `{"choices":[{"index":0,"finish_reason":"stop"}]}`, `error`},
		{"a page", `<html><body>502 Bad Gateway</body></html>`, `error`},
		{"nothing", ` `, `error`},
		{"half a body", `{"choices":[{"message":{"content":"x"`, `error`},
		{"two bodies", message(`"content":"x"`) + message(`"content":"y"`), `error`},
		{"null", `null`, `error`},
		{"not UTF-8", "{\"choices\":[{\"message\":{\"content\":\"\xff\"}}]}", `error`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			response, err := chatwire.ChatCompletions.ParseResponse([]byte(c.body))
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

func TestCallsAreBounded(t *testing.T) {
	for _, n := range []int{chatwire.MaxCalls, chatwire.MaxCalls + 1} {
		calls := make([]string, n)
		for i := range calls {
			calls[i] = callJSON(fmt.Sprint(i), "list", "{}")
		}
		response, err := chatwire.ChatCompletions.ParseResponse([]byte(message(`"tool_calls":[` + strings.Join(calls, ",") + `]`)))
		if err != nil || len(response.Message.Calls) != n {
			t.Fatalf("%d calls were read as %d (%v)", n, len(response.Message.Calls), err)
		}
		if refused := len(response.Faults); n > chatwire.MaxCalls && refused != n || n <= chatwire.MaxCalls && refused != 0 {
			t.Errorf("of %d calls %d are refused", n, refused)
		}
	}
}

func TestMissingIDsGetLocalOnes(t *testing.T) {
	body := message(`"tool_calls":[{"function":{"name":"x","arguments":"{}"}},{"id":"","function":{"name":"x","arguments":"{}"}},{"id":null,"function":{"name":"x","arguments":"{}"}}]`)
	response, err := chatwire.ChatCompletions.ParseResponse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, call := range response.Message.Calls {
		if call.ID == "" || seen[call.ID] {
			t.Errorf("the id %q is empty or used twice", call.ID)
		}
		seen[call.ID] = true
		if !strings.Contains(string(response.Message.Raw), call.ID) {
			t.Errorf("the message that is replayed does not name %s: %s", call.ID, response.Message.Raw)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d of 3 calls are left", len(seen))
	}
}

func TestTheProvidersMessageIsKeptAsSent(t *testing.T) {
	own := `{ "role" : "assistant", "content":null, "reasoning_details":[{"x":1}], "tool_calls":[` + callJSON("a", "del", "{}") + `] }`
	response, err := chatwire.ChatCompletions.ParseResponse([]byte(`{"choices":[{"message":` + own + `}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`))
	if err != nil {
		t.Fatal(err)
	}
	if string(response.Message.Raw) != own {
		t.Errorf("the message became %s", response.Message.Raw)
	}
	if response.Usage != (guard.Usage{Input: 3, Output: 4}) {
		t.Errorf("usage is %+v", response.Usage)
	}
}

func TestBodyErrorTellsTheProvidersWords(t *testing.T) {
	_, err := chatwire.ChatCompletions.ParseResponse([]byte(`{"error":{"message":"model overloaded"}}`))
	if err == nil || err.Error() != "the provider answered with an error: model overloaded" {
		t.Errorf("the error reads %v", err)
	}
}
