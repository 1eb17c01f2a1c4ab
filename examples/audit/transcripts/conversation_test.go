package transcripts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
)

// told is a conversation on a few lines.
func told(c *conversation) string {
	var out strings.Builder
	fmt.Fprintf(&out, "id=%s model=%s exchange=%v tools=", c.id, c.model, c.exchange)
	for _, tool := range c.tools {
		fmt.Fprintf(&out, "[%s|%s|%s]", tool.Name, tool.Description, tool.Parameters)
	}
	for _, message := range c.messages {
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

func TestParse(t *testing.T) {
	cases := []struct{ name, data, want string }{
		{"a conversation", `{"id":"c1","model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}]}`,
			"id=c1 model=m exchange=false tools=[f|d|{\"type\":\"object\"}]\nuser: hi"},
		{"a bare list", `[{"role":"user","content":"hi"}]`, "id= model= exchange=false tools=\nuser: hi"},
		{"ids that are numbers", `{"id":17,"messages":[]}`, "id=17 model= exchange=false tools="},
		{"an id of the conversation beside that of the entry", `{"id":"e","conversation_id":"c","messages":[]}`, "id=c model= exchange=false tools="},
		{"tools without envelope, twice, nameless, null", `{"messages":[],"tools":[{"type":"function","name":"f","parameters":null},{"name":"f"},{"type":"web_search"}]}`,
			"id= model= exchange=false tools=[f||]"},
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
			got, err := parse([]byte(c.data))
			if err != nil {
				t.Fatal(err)
			}
			if told(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", told(got), c.want)
			}
		})
	}
}

func TestParseFaults(t *testing.T) {
	cases := []struct{ name, data, want string }{
		{"cut off", `{"messages":[`, "not valid JSON: unexpected end of JSON input"},
		{"something else", `{"level":"info"}`, `there are no "messages" in it`},
		{"a number", `7`, "has the wrong type (number)"},
		{"messages that are none", `{"messages":"hi"}`, `there are no "messages" in it`},
		{"a message that is none", `{"messages":["hi"]}`, "messages[0]: the message is not a JSON object"},
		{"a role that is none", `{"messages":[{"role":7}]}`, "messages[0]: role is not a string"},
		{"a model that is none", `{"model":{},"messages":[]}`, `"model" has the wrong type (object)`},
		{"broken characters", "{\"messages\":[{\"role\":\"user\",\"content\":\"\xff\"}]}", "not valid UTF-8"},
		{"a response that breaks the list", `{"messages":[],"choices":[{"message":7}]}`, "messages[0]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parse([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want one with %q", err, c.want)
			}
		})
	}
}

func TestTurns(t *testing.T) {
	const (
		call   = `{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"a","arguments":"{}"}}]}`
		beside = `{"role":"assistant","content":"One moment.","tool_calls":[{"id":"2","function":{"name":"b","arguments":"{}"}},{"id":"3","function":{"name":"c","arguments":"{}"}}]}`
		result = `{"role":"tool","tool_call_id":"1","content":"ok"}`
	)
	user := func(text string) string { return fmt.Sprintf(`{"role":"user","content":%q}`, text) }
	agent := func(text string) string { return fmt.Sprintf(`{"role":"assistant","content":%q}`, text) }
	cases := []struct {
		name     string
		messages []string
		want     string // number user < previous: text calls[from:to] {asides} open
	}{
		{"nothing", nil, ""},
		{"a greeting is no turn, but what the user answers to", []string{agent("Hi!"), user("hello"), agent("How are you?")}, "1 hello < Hi!: How are you? [0:0]"},
		{"two turns", []string{user("a"), call, result, agent("A"), user("b"), agent("B")}, "1 a < : A [0:1]|2 b < A: B [1:1]"},
		{"several messages in a row are one request", []string{user("a"), user("b"), agent("AB")}, "1 a\nb < : AB [0:0]"},
		{"several texts in a row are one answer", []string{user("a"), agent("A"), agent("B")}, "1 a < : A\nB [0:0]"},
		{"texts before calls stand beside them", []string{user("a"), agent("First."), beside, agent("Done.")}, "1 a < : Done. [0:2] {First.@2}{One moment.@2}"},
		{"the log ends before an answer", []string{user("a"), agent("A"), user("b")}, "1 a < : A [0:0]|2 b < A:  [0:0] open"},
		{"the log ends behind a call", []string{user("a"), call, result}, "1 a < :  [0:1] open"},
		{"a turn without words that others follow is over", []string{user("a"), call, result, user("b"), agent("B")}, "1 a < :  [0:1]|2 b < : B [1:1]"},
		{"system messages are nobody's turn", []string{`{"role":"system","content":"s"}`, user("a"), `{"role":"developer","content":"s"}`, agent("A")}, "1 a < : A [0:0]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			parsed, err := parse([]byte("[" + strings.Join(c.messages, ",") + "]"))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, turn := range turns(parsed.messages) {
				text := fmt.Sprintf("%d %s < %s: %s [%d:%d]", turn.number, turn.user, turn.previous, turn.text, turn.from, turn.to)
				for i, beside := range turn.asides {
					if i == 0 {
						text += " "
					}
					text += fmt.Sprintf("{%s@%d}", beside.text, beside.to)
				}
				if turn.open {
					text += " open"
				}
				got = append(got, text)
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("got  %q\nwant %q", strings.Join(got, "|"), c.want)
			}
		})
	}
}

// FuzzConversation holds the way from bytes to verdicts against anything that a
// log may contain.
func FuzzConversation(f *testing.F) {
	for _, seed := range []string{
		`{"messages":[{"role":"user","content":"delete it"},{"role":"assistant","content":"I've deleted it."}],"tools":[{"function":{"name":"delete_task"}}]}`,
		`[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{"}}]},{"role":"tool","tool_call_id":"1","content":"Error"},{"role":"assistant","content":"x"},{"role":"user","content":"b"}]`,
		`{"request":{"messages":[{"role":"user","content":"a"}]},"response":{"choices":[{"message":{"role":"assistant","content":"b"}}]}}`,
		`{"messages":[{"role":"assistant","function_call":{"name":"f"}}],"records":[null,{"id":"1"}],"tools":[{"name":"f","parameters":7}]}`,
	} {
		f.Add([]byte(seed))
	}
	known, err := loadEffects("")
	if err != nil {
		f.Fatal(err)
	}
	j := newJudge(known, nil, nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := j.conversation(data)
		if err != nil {
			if strings.Contains(err.Error(), "panicked") {
				t.Fatal(err)
			}
			return
		}
		for i := range found.turns {
			turn := &found.turns[i]
			if turn.ghost() && !turn.insufficient() {
				t.Errorf("turn %d is a ghost and completed", turn.number)
			}
			for _, finding := range turn.findings(place{"f", 1}, found) {
				if len(finding.Text) > maxQuoted+6 {
					t.Errorf("a finding of %d bytes", len(finding.Text))
				}
				_ = newCard(finding)
			}
		}
	})
}

func TestUnreadableRolesDoNotShiftCalls(t *testing.T) {
	parsed, err := parse([]byte(`[{"role":"model","tool_calls":[{"id":"0","function":{"name":"x","arguments":"{}"}}]},{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"y","arguments":"{}"}}]},{"role":"assistant","content":"b"}]`))
	if err != nil {
		t.Fatal(err)
	}
	if parsed.messages[0].Role == guard.RoleAssistant || len(parsed.messages[0].Calls) > 0 {
		t.Error("an unknown role called a tool")
	}
	if cut := turns(parsed.messages); len(cut) != 1 || cut[0].from != 0 || cut[0].to != 1 {
		t.Errorf("turns: %+v", cut)
	}
}
