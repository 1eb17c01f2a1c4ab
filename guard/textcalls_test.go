package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/golden"
)

func block(inner string) string { return "TOOL_CALL\n" + inner + "\nEND_TOOL_CALL" }

func TestModelsWithoutToolCalls(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(
		guardtest.Say(lie),
		guardtest.Say(block(`{"name": "list_tasks", "arguments": {}}`)+"\n\n"+block(`{"name": "delete_task", "arguments": {"task_id": "Read book"}}`)+"\n"),
		guardtest.Say(lie))
	model.Limits = guard.Capabilities{NoTools: true}
	reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete Read book"))
	if err != nil || reply.Text != lie || w.has(readBook) || len(w.Calls()) != 2 || reply.Execution.Retried != 1 {
		t.Fatalf("%+v: %v", reply, err)
	}
	requests := model.Requests()
	for i, request := range requests {
		if len(request.Tools) != 0 || request.Choice != (guard.Choice{}) {
			t.Errorf("request %d binds %d tools, choice %s", i, len(request.Tools), request.Choice)
		}
		for _, message := range request.Messages {
			if message.Role == guard.RoleTool || len(message.Calls) > 0 {
				t.Errorf("request %d holds %+v", i, message)
			}
		}
	}
	golden.Check(t, "manifest.txt", requests[0].Messages[1].Text)
	last := requests[2].Messages
	contains(t, "the result", last[len(last)-1].Text, "RESULT of delete_task:\n", "success")
	contains(t, "the calls", last[len(last)-3].Text, "TOOL_CALL\n{\"name\": \"delete_task\", \"arguments\": ")
}

// TestTextCallsInALoopOfTheHostsOwn: Request tells the tools in words and Take
// reads the calls, once the turn knows what the model cannot do.
func TestTextCallsInALoopOfTheHostsOwn(t *testing.T) {
	ctx := context.Background()
	w := newWorld()
	model := guardtest.Script(guardtest.Say(lie), guardtest.Say(block(`{"name": "delete_task", "arguments": {"task_id": "Read book"}}`)), guardtest.Say(lie))
	model.Limits = guard.Capabilities{NoTools: true}
	turn, err := guardFor(t, w, nil).Begin(ctx, ask("delete Read book"))
	if err != nil {
		t.Fatal(err)
	}
	turn.Adapt(model)
	for turn.Open() {
		request := turn.Request(context.Background())
		if len(request.Tools) != 0 || strings.Count(request.Messages[1].Text, "You can call tools.") != 1 {
			t.Errorf("asked with %d tools: %s", len(request.Tools), request.Messages[1].Text)
		}
		response, err := model.Generate(ctx, request)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range turn.Take(ctx, response) {
			if _, err := turn.Do(ctx, call, w.Execute); err != nil {
				t.Fatal(err)
			}
		}
	}
	reply, err := turn.Reply()
	if err != nil || reply.Text != lie || w.has(readBook) || reply.Execution.Retried != 1 || len(reply.Records) != 1 {
		t.Errorf("%+v: %v", reply, err)
	}
}

func TestTextCallsAreReadStrictly(t *testing.T) {
	good := block(`{"name": "add_task", "arguments": {"title": "Buy milk"}}`)
	cases := []struct {
		name, text string
		runs       int
		told       string
	}{
		{"a block", good, 1, ""},
		{"white space around it", "\n " + good + "\n\n", 1, ""},
		{"a word before it", "Sure! " + good, 0, "not a sequence of whole"},
		{"a sentence before it", "Sure, I'll do that.\n\n" + good, 0, "not a sequence of whole"},
		{"a sentence before one without an end", "I'd call it so:\nTOOL_CALL\n{}", 0, "not a sequence of whole"},
		{"the format as a topic", "Models write TOOL_CALL before a call and END_TOOL_CALL\nafter it.", 0, ""},
		{"other line ends", strings.ReplaceAll(good, "\n", "\r\n"), 1, ""},
		{"thoughts before it", "<think>\nI need TOOL_CALL\n for this.\n</think>\n\n" + good, 1, ""},
		{"thoughts, and a sentence", "<think>Hm.</think>Sure!\n" + good, 0, "not a sequence of whole"},
		{"thoughts without an end", "<think>Hm.\n" + good, 0, "not a sequence of whole"},
		{"a word behind it", good + "\nDone!", 0, "not a sequence of whole"},
		{"no end", "TOOL_CALL\n{\"name\": \"add_task\", \"arguments\": {\"title\": \"Buy milk\"}}", 0, "not a sequence of whole"},
		{"a key twice", block(`{"name": "list_tasks", "name": "add_task", "arguments": {"title": "x"}}`), 0, "no JSON object"},
		{"a key too many", block(`{"name": "add_task", "arguments": {"title": "x"}, "and": 1}`), 0, "exactly a name"},
		{"arguments as a string", block(`{"name": "add_task", "arguments": "{}"}`), 0, "exactly a name"},
		{"a fence around it", "```\n" + good + "\n```", 1, ""},
		{"a fence of a language around two", "```json\n" + good + "\n" + good + "\n```\n", 1, ""},
		{"a fence with more in it", "```\nFor example:\n" + good + "\n```", 0, "not a sequence of whole"},
		{"a fence with a sentence before it", "Like this:\n```\n" + good + "\n```", 0, "not a sequence of whole"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			model := guardtest.Script(guardtest.Say(c.text), guardtest.Say("Which title do you want?"), guardtest.Say("Which title do you want?"))
			model.Limits = guard.Capabilities{NoTools: true}
			_, _ = guardFor(t, w, nil).Run(context.Background(), model, w, ask("hello"))
			if w.Count("add_task") != c.runs {
				t.Errorf("ran %d times, want %d", w.Count("add_task"), c.runs)
			}
			var all strings.Builder
			for _, message := range model.Requests()[len(model.Requests())-1].Messages {
				all.WriteString(message.Text)
			}
			if !strings.Contains(all.String(), c.told) {
				t.Errorf("the model is not told that %q: %s", c.told, all.String())
			}
		})
	}
}

func FuzzTextCalls(f *testing.F) {
	f.Add(block(`{"name": "add_task", "arguments": {"title": "Buy milk"}}`))
	f.Add("TOOL_CALL\nTOOL_CALL\n{}\nEND_TOOL_CALL\nEND_TOOL_CALL")
	f.Fuzz(func(t *testing.T, text string) {
		w := newWorld()
		model := guardtest.Script(guardtest.Say(text), guardtest.Say("Which one do you mean?"), guardtest.Say("Which one do you mean?"))
		model.Limits = guard.Capabilities{NoTools: true}
		if _, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("hello")); err == nil && len(w.Calls()) > 0 && !beginsWithCall(text) {
			t.Errorf("%q ran %v", text, w.Calls())
		}
	})
}

// beginsWithCall: thoughts and a fence may stand before a call, and nothing else.
func beginsWithCall(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "TOOL_CALL") || strings.HasPrefix(text, "<think>") || strings.HasPrefix(text, "```")
}

// TestACallWithoutANameIsToldInWords: to people, when the model never gets it right.
func TestACallWithoutANameIsToldInWords(t *testing.T) {
	w := newWorld()
	bad := guardtest.Say(block(`{"tool": "delete_task"}`))
	model := guardtest.Script(bad, bad, guardtest.Say("I've deleted Read book."), guardtest.Say("I've deleted Read book."), guardtest.Say("I've deleted Read book."))
	model.Limits = guard.Capabilities{NoTools: true}
	reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete Read book"))
	if err == nil || !strings.Contains(reply.Account, "Not allowed to call tool: ") {
		t.Errorf("%v: %s", err, reply.Account)
	}
}
