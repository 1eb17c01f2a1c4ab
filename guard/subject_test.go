package guard_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func about(subjects []tooltrack.Subject) string {
	text := ""
	for _, subject := range subjects {
		text += fmt.Sprintf("%s|%s|%s;", subject.Kind, subject.ID, subject.Title)
	}
	return text
}

// TestWhatAResultSaysItIsAbout reads entities from the results of a tool that
// names none in its arguments.
func TestWhatAResultSaysItIsAbout(t *testing.T) {
	cases := []struct{ name, result, want string }{
		{"id and title", `{"id":"t7","title":"Buy milk"}`, "|t7|Buy milk;"},
		{"a number as id", `{"id":7,"title":"Buy milk"}`, "|7|Buy milk;"},
		{"a negative one", `{"id":-7,"title":"Buy milk"}`, "|-7|Buy milk;"},
		{"a name for a title", `{"id":"t7","name":"Buy milk"}`, "|t7|Buy milk;"},
		{"a title before a name", `{"name":"milk","title":"Buy milk"}`, "||Buy milk;"},
		{"inside data", `{"success":true,"data":{"id":"t7","title":"Buy milk"}}`, "|t7|Buy milk;"},
		{"outside before inside", `{"title":"Buy milk","data":{"id":"t7","title":"Sell milk"}}`, "||Buy milk;"},
		{"only an id outside", `{"id":"job1","data":{"id":"t7","title":"Buy milk"}}`, ""},
		{"inside data that is a list", `{"data":[{"id":"t7","title":"Buy milk"}]}`, ""},
		{"white space", "\n{ \"id\" : \"t7\" ,\r\n\t\"title\" : \"Buy milk\" }\n", "|t7|Buy milk;"},
		{"escapes", `{"id":"t7","title":"Buy \"milk\"\u0021"}`, `|t7|Buy "milk"!;`},
		{"a backslash at the end of a value", `{"path":"C:\\","title":"Buy milk"}`, "||Buy milk;"},
		{"brackets in strings", `{"note":"}],{","title":"Buy milk"}`, "||Buy milk;"},
		{"behind nested values", `{"tags":["a",{"title":"no"}],"owner":{"id":"u1","name":"no"},"title":"Buy milk"}`, "||Buy milk;"},
		{"behind literals", `{"done":false,"due":null,"rank":1.5,"title":"Buy milk"}`, "||Buy milk;"},
		{"the last of several", `{"title":"Sell milk","title":"Buy milk"}`, "||Buy milk;"},
		{"a title that is no text", `{"id":"t7","title":["Buy milk"]}`, ""},
		{"a title that is an object, and a name", `{"title":{"text":"no"},"name":"Buy milk"}`, "||Buy milk;"},
		{"an empty title", `{"id":"t7","title":""}`, ""},
		{"an empty object", `{}`, ""},
		{"a list", `[{"title":"Buy milk"}]`, ""},
		{"a text", `"title"`, ""},
		{"prose", `Added: {"title":"Buy milk"}`, ""},
		{"nothing", ``, ""},
	}
	g := guardFor(t, newWorld(), nil)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			call := adds("Buy milk")
			records := g.RecordsOf([]guard.Message{
				{Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}}, {Role: guard.RoleTool, CallID: call.ID, Text: c.result},
			}, nil)
			if len(records) != 1 || about(records[0].Touched) != c.want {
				t.Errorf("%s is about %q, want %q", c.result, about(records[0].Touched), c.want)
			}
		})
	}
}

// TestWhatACallSaysItIsAbout reads entities from arguments, whatever state they
// are in.
func TestWhatACallSaysItIsAbout(t *testing.T) {
	cases := []struct{ args, want string }{
		{`{"task_id":"t7"}`, "task|t7|;"},
		{`{"task_id":12345678901234567890}`, "task|12345678901234567890|;"},
		{` { "note" : "x" , "task_id" : "t7" } `, "task|t7|;"},
		{`{"task":{"task_id":"no"},"task_id":"t7"}`, "task|t7|;"},
		{`{"TASK_ID":"t7"}`, ""}, {`{"task_id":null}`, ""}, {`{"task_id":true}`, ""}, {`{"task_id":{"task_id":"t7"}}`, ""}, {`{"task_id":["t7"]}`, ""},
		{`{}`, ""}, {``, ""}, {`null`, ""}, {`["task_id","t7"]`, ""}, {`"task_id"`, ""},
		{`{`, ""}, {`{"`, ""}, {`{"task_id`, ""}, {`{"task_id"`, ""}, {`{"task_id":`, ""}, {`{"task_id":}`, ""}, {`{,"task_id":"t7"}`, ""}, {`{"task_id":"t7\`, ""},
	}
	g := guardFor(t, newWorld(), nil)
	for _, c := range cases {
		call := tooltrack.Call{ID: "1", Tool: "delete_task", Args: []byte(c.args)}
		records := g.RecordsOf([]guard.Message{{Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}}}, nil)
		if len(records) != 1 || about(records[0].Touched) != c.want {
			t.Errorf("%s is about %q, want %q", c.args, about(records[0].Touched), c.want)
		}
	}
}

// TestARecordTellsTheTitle: arguments name an id, and a result may add what
// people call it, if it speaks of the same entity.
func TestARecordTellsTheTitle(t *testing.T) {
	deleting, adding := guardtest.Tool("delete_task", `{"task_id":"t7"}`), adds("Buy milk")
	cases := []struct {
		name   string
		call   tooltrack.Call
		result string
		want   string
	}{
		{"the same entity", deleting, `{"id":"t7","title":"Read book"}`, "task|t7|Read book;"},
		{"a title alone", deleting, `{"title":"Read book"}`, "task|t7|Read book;"},
		{"another entity", deleting, `{"id":"t8","title":"Call mom"}`, "task|t7|;"},
		{"nothing of the kind", deleting, `{"deleted":true}`, "task|t7|;"},
		{"a failure", deleting, `{"success":false,"id":"t7","title":"Read book"}`, "task|t7|;"},
		{"a new entity", adding, `{"id":"t9","title":"Buy milk"}`, "|t9|Buy milk;"},
		{"a new entity without a title", adding, `{"id":"t9"}`, "|t9|;"},
		{"a new entity without an id", adding, `{"title":"Buy milk"}`, "||Buy milk;"},
		{"a failed addition", adding, `{"error":"full","title":"Buy milk"}`, ""},
		{"a read", lists(), `{"id":"t7","title":"Read book"}`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			run := guardtest.Returns(c.result)
			w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": run, "add_task": run, "list_tasks": run})
			g := guardFor(t, w, func(o *guard.Options) { o.Directories = nil })
			reply, _ := g.Run(context.Background(), guardtest.Script(guardtest.Call(c.call), guardtest.Say("Hm.")), w, ask("hello"))
			if len(reply.Records) != 1 || about(reply.Records[0].Touched) != c.want {
				t.Errorf("the record is about %q, want %q", about(reply.Records[0].Touched), c.want)
			}
		})
	}
}
