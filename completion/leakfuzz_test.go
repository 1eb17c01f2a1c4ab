package completion_test

import (
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// FuzzFindLeak: the tool that a leak names stands in the text, and a sentence
// before a leak does not hide it.
func FuzzFindLeak(f *testing.F) {
	tools := []tooltrack.Tool{{Name: "delete_task"}, {Name: "list_tasks"}}
	f.Add("```json\n{\"name\":\"delete_task\",\"arguments\":{\"id\":1}}\n```")
	f.Add("<tool_call>{\"name\":\"list_tasks\"}</tool_call>")
	f.Add("delete_task(id=1)")
	f.Add("Action: delete_task\nAction Input: {\"id\":1}")
	f.Add("I would call {\"name\": \"delete_task\"} for that.")
	f.Fuzz(func(t *testing.T, text string) {
		leak := completion.FindLeak(text, tools)
		if !leak.Found() {
			return
		}
		if !strings.Contains(text, leak.Tool) && !strings.Contains(text, `\`) {
			t.Errorf("%q leaks a call of %q", text, leak.Tool)
		}
		if more := "Sure.\n\n" + text; !completion.FindLeak(more, tools).Found() {
			t.Errorf("%q leaks, and does not with a sentence before it", text)
		}
	})
}

// FuzzAccount tells what a result of any form proves. It is text for people: it
// names no UUID, and it is never empty.
func FuzzAccount(f *testing.F) {
	tool := tooltrack.Tool{Name: "delete_task", Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: "id", Kind: "task"}}
	list := tooltrack.Tool{Name: "list_tasks", Effect: tooltrack.Reads}
	f.Add(`{"id":"1"}`, `{"success":true,"data":{"title":"Read book"}}`)
	f.Add(`{"id":"0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01"}`, `{"error":"no 0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01"}`)
	f.Add(`[]`, `["Read book",{"name":"Call mom"},7]`)
	evaluator := completion.New(nil)
	f.Fuzz(func(t *testing.T, args, body string) {
		turn := completion.Case{Tools: []tooltrack.Tool{tool, list}}
		for _, tool := range turn.Tools {
			turn.Records = append(turn.Records, &tooltrack.Record{
				Call: tooltrack.Call{Tool: tool.Name, Args: []byte(args)}, Effect: tool.Effect, Result: tooltrack.ResultOf([]byte(body), nil),
			})
		}
		account := evaluator.Account(turn)
		if strings.TrimSpace(account) == "" {
			t.Error("nothing is told")
		}
		for _, word := range strings.Fields(account) {
			if strings.Contains(args+body, word) && uuid(word) {
				t.Errorf("the account names %q: %s", word, account)
			}
		}
	})
}

// uuid reports a word that is nothing but a UUID.
func uuid(word string) bool {
	if len(word) != 36 {
		return false
	}
	for i, c := range word {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && !strings.ContainsRune("0123456789abcdef", c) {
			return false
		}
	}
	return true
}
