package formats

import (
	"fmt"
	"strings"
	"testing"
)

// told is a conversation on a few lines.
func told(c *Conversation) string {
	var out strings.Builder
	fmt.Fprintf(&out, "id=%s model=%s exchange=%v tools=", c.ID, c.Model, c.LastTurn)
	for _, tool := range c.Tools {
		fmt.Fprintf(&out, "[%s|%s|%s]", tool.Name, tool.Description, tool.Parameters)
	}
	for _, message := range c.Messages {
		fmt.Fprintf(&out, "\n%s", message.Role)
		if message.CallID != "" {
			fmt.Fprintf(&out, " %s", message.CallID)
		}
		fmt.Fprintf(&out, ": %s", message.Text)
		for _, call := range message.Calls {
			fmt.Fprintf(&out, " <%s %s %s>", call.ID, call.Tool, call.Args)
		}
	}
	return out.String()
}

func TestChat(t *testing.T) {
	cases := []struct{ name, data, want string }{
		{"a conversation", `{"id":"c1","model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}]}`,
			"id=c1 model=m exchange=false tools=[f|d|{\"type\":\"object\"}]\nuser: hi"},
		{"a bare list", `[{"role":"user","content":"hi"}]`, "id= model= exchange=false tools=\nuser: hi"},
		{"ids that are numbers", `{"id":17,"messages":[{"role":"user","content":"hi"}]}`, "id=17 model= exchange=false tools=\nuser: hi"},
		{"an id of the conversation beside that of the entry", `{"id":"e","conversation_id":"c","messages":[{"role":"user","content":"hi"}]}`, "id=c model= exchange=false tools=\nuser: hi"},
		{"tools without envelope, twice, nameless, null", `{"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","name":"f","parameters":null},{"name":"f"},{"type":"function"}]}`,
			"id= model= exchange=false tools=[f||]\nuser: hi"},
		{"functions of older logs", `{"messages":[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"ok"}],"functions":[{"name":"f"}]}`,
			"id= model= exchange=false tools=[f||]\nassistant:  <unnamed 1 f {}>\ntool unnamed 1: ok"},
		{"calls without ids are matched by name and place", `[{"role":"assistant","tool_calls":[{"function":{"name":"a","arguments":"{}"}},{"function":{"name":"b","arguments":"{}"}}]},{"role":"tool","name":"b","content":"B"},{"role":"tool","content":"A"}]`,
			"id= model= exchange=false tools=\nassistant:  <unnamed 1 a {}> <unnamed 2 b {}>\ntool unnamed 2: B\ntool unnamed 1: A"},
		{"content in parts", `[{"role":"user","content":[{"type":"text","text":"one"},{"type":"text","text":" two"}]}]`, "id= model= exchange=false tools=\nuser: one two"},
		{"a refusal is a text", `[{"role":"assistant","content":null,"refusal":"I cannot do that."}]`, "id= model= exchange=false tools=\nassistant: I cannot do that."},
		{"a request and its response", `{"request":{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"function":{"name":"f"}}]},"response":{"model":"m-1","choices":[{"message":{"role":"assistant","content":"hello"}}]}}`,
			"id= model=m exchange=true tools=[f||]\nuser: hi\nassistant: hello"},
		{"messages and the response's choices", `{"messages":[ {"role":"user","content":"hi"} ],"choices":[{"message":{"role":"assistant","content":"hello"}}]}`,
			"id= model= exchange=true tools=\nuser: hi\nassistant: hello"},
		{"a response without messages before it", `{"messages":[],"response":{"choices":[{"message":{"role":"assistant","content":"hello"}}]}}`,
			"id= model= exchange=true tools=\nassistant: hello"},
		{"only assistants call tools", `[{"role":"user","content":"hi","tool_calls":[{"id":"1","function":{"name":"a","arguments":"{}"}}]}]`, "id= model= exchange=false tools=\nuser: hi"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := parse(t, c.data)
			if err != nil {
				t.Fatal(err)
			}
			if told(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", told(got), c.want)
			}
		})
	}
}

func TestChatFaults(t *testing.T) {
	cases := []struct{ name, data, want string }{
		{"cut off", `{"messages":[`, "no format knows it"},
		{"something else", `{"level":"info"}`, "no format knows it"},
		{"a number", `7`, "no format knows it"},
		{"messages that are none", `{"messages":"hi"}`, "no format knows it"},
		{"a message that is none", `{"messages":["hi"]}`, "messages[0]: the message is not a JSON object"},
		{"a role that is none", `{"messages":[{"role":7}]}`, "messages[0]: role is not a string"},
		{"a model that is none", `{"model":{},"messages":[]}`, `"model" has the wrong type (object)`},
		{"broken characters", "{\"messages\":[{\"role\":\"user\",\"content\":\"\xff\"}]}", "not valid UTF-8"},
		{"a response that breaks the list", `{"messages":[],"choices":[{"message":7}]}`, "the response: the message is not a JSON object"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parse(t, c.data); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want one with %q", err, c.want)
			}
		})
	}
}
