package completion

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/benchbound"
)

func TestLeakedCalls(t *testing.T) {
	leaks := map[string]string{ // text to tool
		`{"name": "delete_task", "arguments": {"id": "t1"}}`:                                               "delete_task",
		"```json\n{\"name\": \"delete_task\", \"arguments\": {\"id\": \"t1\"}}\n```":                       "delete_task",
		"I'll do that.\n\n```\n{\"tool\": \"delete_task\", \"input\": {}}\n```":                            "delete_task",
		`{"name": "delete_task", "arguments": {"id": "t1"}}` + "\n```":                                     "delete_task",
		`[{"name": "delete_task", "parameters": {"id": "t1"}}]`:                                            "delete_task",
		`{"function_call": {"action": "delete_task", "action_input": {"id": "t1"}}}`:                       "delete_task",
		`{"action": "delete_task", "action_input": {"id": "t1"}}`:                                          "delete_task",
		"{\n  \"action\": \"delete_task\",\n  \"action_input\": {\n    \"id\": \"t1\" // the task\n  }\n}": "delete_task",
		`{"tool_calls": [{"type": "function", "function": {"name": "delete_task", "arguments": "{}"}}]}`:   "delete_task",
		`{"type":"function","function":{"name":"delete_task","arguments":{}}}`:                             "delete_task",
		`{"name": "some_other_tool", "arguments": {"x": 1}}`:                                               "",
		`<tool_call>{"name": "delete_task", "arguments": {}}</tool_call>`:                                  "delete_task",
		"Okay.\n<tool_call>\n{\"name\": \"delete_task\"}\n</tool_call>":                                    "delete_task",
		`<invoke name="delete_task"><parameter name="id">t1</parameter></invoke>`:                          "delete_task",
		`<function_calls><invoke name="delete_task"></invoke></function_calls>`:                            "delete_task",
		`<xai:function_call name="delete_task"><parameter name="id">t1</parameter></xai:function_call>`:    "delete_task",
		`<function=delete_task>{"id": "t1"}</function>`:                                                    "delete_task",
		`<|tool_call|>delete_task{}`:                                                                       "delete_task",
		`<|python_tag|>delete_task(id="t1")`:                                                               "delete_task",
		`[TOOL_CALLS] [{"name": "delete_task"}]`:                                                           "delete_task",
		"```tool_code\nprint(delete_task(id=\"t1\"))\n```":                                                 "",
		`delete_task(id="t1")`:                                                              "delete_task",
		"Sure:\n\ndelete_task(id=\"t1\")":                                                   "delete_task",
		"`delete_task(id=\"t1\")`":                                                          "delete_task",
		`functions.delete_task({"id": "t1"})`:                                               "delete_task",
		`print(default_api.delete_task(id="t1"))`:                                           "delete_task",
		`Sure! <tool_call>{"name":"delete_task","arguments":{"id":"t1"}}</tool_call>`:       "delete_task",
		`<delete_task><id>t1</id></delete_task>`:                                            "delete_task",
		`<tools>{"name":"delete_task","arguments":{"id":"t1"}}</tools>`:                     "delete_task",
		`[delete_task(id="t1")]`:                                                            "delete_task",
		"delete_task\n{\"id\":\"t1\"}":                                                      "delete_task",
		`call:delete_task{id:"t1"}`:                                                         "delete_task",
		"to=functions.delete_task json\n{\"id\":\"t1\"}":                                    "delete_task",
		"Thought: I should delete it.\nAction: delete_task\nAction Input: {\"id\": \"t1\"}": "delete_task",
	}
	evaluator := New(nil)
	for text, tool := range leaks {
		leak := FindLeak(text, assistant)
		if !leak.Found() || leak.Tool != tool {
			t.Errorf("%q: leak %+v, want one of %q", text, leak, tool)
		}
		verdict := evaluator.Evaluate(Case{User: deleteMilk, Text: text, Tools: assistant})
		if verdict.Outcome != InsufficientProgress || verdict.Reason != LeakedCall || verdict.Ghost() {
			t.Errorf("%q: %v because of %v, ghost %v", text, verdict.Outcome, verdict.Reason, verdict.Ghost())
		}
	}
}

func TestProseAboutTools(t *testing.T) {
	for _, text := range []string{
		"The docs show `{\"name\":\"delete_task\"}` as an example.", "You can use delete_task(id) for that.", "I will call the `delete_task` tool once you confirm.",
		"I called delete_task(id=\"t1\") and it returned success.", "The tool delete_task takes an id.", "A call looks like this:\n```json\n{\"name\": \"delete_task\", \"arguments\": {}}\n```",
		"For example:\n\n```\ndelete_task(id=\"t1\")\n```", "Tags such as <tool_call> are special.", "The tag `<tool_call>{}</tool_call>` wraps a call.", "Of <b>delete_task</b> I know only the name.",
		"delete_task", "The tool is called\ndelete_task\nand takes an id.", "Use a <b>bold</b> word.", "{\"message\": \"Hello, how can I help?\"}",
		"{\"name\": \"Anna\", \"age\": 7}", "[1] see the note below", "On your phone, run:\n\n  run_speed_test()\n\nand tell me the result.", "f(x) = x^2", "", "()", "{", "[", "<",
		"{\"name\": \"Read book\", \"description\": \"a task\"}", "Action: none is needed.",
	} {
		if leak := FindLeak(text, assistant); leak.Found() {
			t.Errorf("%q is taken for a call: %+v", text, leak)
		}
	}
}

// BenchmarkGrowthOfLeaks: four times the text takes about four times as long, whatever it
// is made of.
func BenchmarkGrowthOfLeaks(b *testing.B) {
	find := func(piece string, size int) func() {
		text := strings.Repeat(piece, size/len(piece))
		return func() { FindLeak(text, assistant) }
	}
	for _, piece := range []string{"<", "<a>", "[", "[\n", "<\n", "{\n", "<delete_task>", "delete_task\n", "delete_task{", "<tool_call", "(", "```\n"} {
		b.Run(fmt.Sprintf("%q", piece), func(b *testing.B) {
			benchbound.Ratio(b, 10, find(piece, 200_000), find(piece, 50_000))
		})
	}
}
