package transcripts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/formats"
	"github.com/bonafide-go/bonafide/guard"
)

// messagesOf reads messages of chat completions.
func messagesOf(t *testing.T, raw ...string) []guard.Message {
	t.Helper()
	if len(raw) == 0 {
		return nil
	}
	value := &formats.Value{Line: 1, Data: []byte(`{"messages":[` + strings.Join(raw, ",") + `]}`)}
	format, parts := formats.Recognise(value)
	read, err := format.Read(parts)
	if err != nil {
		t.Fatal(err)
	}
	return read[0].Messages
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
		{"a result without its call", []string{user("a"), call, result, agent("A"), user("b"), `{"role":"tool","tool_call_id":"9","content":"ok"}`, agent("B")}, "1 a < : A [0:1]|2 b < A: B [1:1] unseen"},
		{"two turns", []string{user("a"), call, result, agent("A"), user("b"), agent("B")}, "1 a < : A [0:1]|2 b < A: B [1:1]"},
		{"several messages in a row are one request", []string{user("a"), user("b"), agent("AB")}, "1 a\nb < : AB [0:0]"},
		{"several texts in a row are one answer", []string{user("a"), agent("A"), agent("B")}, "1 a < : A\nB [0:0]"},
		{"texts before calls stand beside them", []string{user("a"), agent("First."), beside, agent("Done.")}, "1 a < : Done. [0:2] {First.@2}{One moment.@2}"},
		{"the log ends before an answer", []string{user("a"), agent("A"), user("b")}, "1 a < : A [0:0]|2 b < A:  [0:0] open"},
		{"the log ends after a call", []string{user("a"), call, result}, "1 a < :  [0:1] open"},
		{"a turn without words that others follow is over", []string{user("a"), call, result, user("b"), agent("B")}, "1 a < :  [0:1]|2 b < : B [1:1]"},
		{"system messages are no turn", []string{`{"role":"system","content":"s"}`, user("a"), `{"role":"developer","content":"s"}`, agent("A")}, "1 a < : A [0:0]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, turn := range turns(messagesOf(t, c.messages...), nil) {
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
				if turn.unseen != "" {
					text += " unseen"
				}
				got = append(got, text)
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("got  %q\nwant %q", strings.Join(got, "|"), c.want)
			}
		})
	}
}

func TestUnreadableRolesDoNotShiftCalls(t *testing.T) {
	messages := messagesOf(t, `{"role":"model","tool_calls":[{"id":"0","function":{"name":"x","arguments":"{}"}}]}`, `{"role":"user","content":"a"}`,
		`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"y","arguments":"{}"}}]}`, `{"role":"assistant","content":"b"}`)
	if messages[0].Role == guard.RoleAssistant || len(messages[0].Calls) > 0 {
		t.Error("an unknown role called a tool")
	}
	if cut := turns(messages, nil); len(cut) != 1 || cut[0].from != 0 || cut[0].to != 1 {
		t.Errorf("turns: %+v", cut)
	}
}

func TestATurnIsUnseenWhereItsFormatSaysSo(t *testing.T) {
	messages := messagesOf(t, `{"role":"user","content":"a"}`, `{"role":"assistant","content":"A"}`, `{"role":"user","content":"b"}`, `{"role":"assistant","content":"B"}`)
	cut := turns(messages, map[int]string{1: "why"})
	if len(cut) != 2 || cut[0].unseen != "why" || cut[1].unseen != "" {
		t.Errorf("turns: %+v", cut)
	}
}
