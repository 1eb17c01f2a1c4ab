package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// callsLine is a case for the subcommand, as one line.
func callsLine(t *testing.T, mode, level string, sent ...string) string {
	t.Helper()
	asked := map[string]any{"id": "x", "mode": mode, "level": level}
	if mode == "stream" {
		asked["chunks"] = sent
	} else {
		asked["raw"] = sent[0]
	}
	line, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func TestCalls(t *testing.T) {
	message := func(inner, finish string) string {
		return `{"finish_reason":"` + finish + `","message":{"role":"assistant",` + inner + `}}`
	}
	call := func(id, name, arguments string) string {
		quoted, _ := json.Marshal(arguments)
		return `{"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":` + string(quoted) + `}}`
	}
	one := message(`"tool_calls":[`+call("a", "delete_task", `{"id":"t7"}`)+`]`, "stop")
	cases := []struct {
		name, mode, level, want string
		sent                    []string
	}{
		{"a call", "message", "choice", `{"id":"x","outcome":"execute","calls":[{"name":"delete_task","arguments":{"id":"t7"}}]}`, []string{one}},
		{"a whole response", "message", "response", `{"id":"x","outcome":"execute","calls":[{"name":"delete_task","arguments":{"id":"t7"}}]}`, []string{`{"choices":[` + one + `]}`}},
		{"one of two is unknown", "message", "choice", `{"id":"x","outcome":"mixed","calls":[{"name":"list_tasks","arguments":{}}]}`,
			[]string{message(`"tool_calls":[`+call("a", "list_tasks", "")+`,`+call("b", "drop_tasks", "{}")+`]`, "tool_calls")}},
		{"two calls glued together", "message", "choice", `{"id":"x","outcome":"reject","calls":null,"reason":"every call was denied"}`,
			[]string{message(`"tool_calls":[`+call("a", "delete_task", `{"id":"t1"}{"id":"t2"}`)+`]`, "tool_calls")}},
		{"cut off", "message", "choice", `{"id":"x","outcome":"reject","calls":null,"reason":"the provider's answer is not whole: it was cut"}`,
			[]string{message(`"tool_calls":[`+call("a", "delete_task", `{"id":"t7"}`)+`]`, "length")}},
		{"words", "message", "choice", `{"id":"x","outcome":"none","calls":null}`, []string{message(`"content":"Good morning."`, "stop")}},
		{"a replacement character that was sent", "message", "choice", `{"id":"x","outcome":"none","calls":null}`, []string{message(`"content":"caf�"`, "stop")}},
		{"a call in words", "message", "choice", `{"id":"x","outcome":"none","calls":null,"leak":true}`,
			[]string{message(`"content":"<tool_call>{\"name\":\"delete_task\",\"arguments\":{\"id\":\"t7\"}}</tool_call>"`, "stop")}},
		{"nothing", "message", "choice", `{"id":"x","outcome":"error","calls":null,"reason":"the message is empty"}`, []string{message(`"content":null`, "stop")}},
		{"an error page", "message", "response", `{"id":"x","outcome":"error","calls":null,"reason":"the provider's answer cannot be used: the body is not one valid JSON value"}`, []string{"<html>"}},
		{"a stream with its framing", "stream", "response", `{"id":"x","outcome":"execute","calls":[{"name":"delete_task","arguments":{"id":"t7"}}]}`,
			[]string{`data: {"choices":[{"delta":{"tool_calls":[` + strings.Replace(call("a", "delete_task", `{"id":"t7"}`), "{", `{"index":0,`, 1) + `]}}]}`, "data: [DONE]"}},
		{"a stream cut anywhere", "stream", "choice", `{"id":"x","outcome":"execute","calls":[{"name":"list_tasks","arguments":{}}]}`,
			[]string{`data: {"delta":{"tool_calls":[{"index":0,"id":"a","function":{"na`, `me":"list_tasks"}}]}}` + "\n", "\ndata: [DONE]\n\n"}},
	}
	answer, err := startCalls()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := answerLines(strings.NewReader(callsLine(t, c.mode, c.level, c.sent...)), &out, answer); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(out.String()); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
