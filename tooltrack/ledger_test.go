package tooltrack_test

import (
	"context"
	"errors"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

var (
	deleteTask = tooltrack.Tool{Name: "delete_task", Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: "id", Kind: "task"}}
	setStatus  = tooltrack.Tool{Name: "set_status", Effect: tooltrack.Changes}
	sendMail   = tooltrack.Tool{Name: "send_email", Effect: tooltrack.Changes}
	unknownPay = *named("pay_invoice", tooltrack.UnknownEffect)
	listTasks  = tooltrack.Tool{Name: "list_tasks", Effect: tooltrack.Reads}
	runTests   = tooltrack.Tool{Name: "run_tests", Effect: tooltrack.Verifies}
	upsert     = tooltrack.Tool{Name: "upsert", Effect: tooltrack.Changes, Idempotent: true}
	appendLine = tooltrack.Tool{Name: "append_line", Effect: tooltrack.Changes, Repeatable: true}
	mystery    = *named("mystery", tooltrack.UnknownEffect)
)

func call(tool tooltrack.Tool, args string) tooltrack.Call {
	return tooltrack.Call{ID: "call_1", Tool: tool.Name, Args: []byte(args)}
}

// step is one call of a scripted turn and what must come of it.
type step struct {
	tool   tooltrack.Tool
	args   string
	err    error // what the tool returns
	ran    bool
	status tooltrack.Status
}

func TestAtMostOnce(t *testing.T) {
	boom := errors.New("boom")
	cases := []struct {
		name  string
		steps []step
	}{
		{"a repeated change is answered from the first record", []step{
			{deleteTask, `{"id":1}`, nil, true, tooltrack.Succeeded},
			{deleteTask, `{"id":1}`, nil, false, tooltrack.Succeeded},
		}},
		{"key order, spaces and escapes do not make another call", []step{
			{setStatus, `{"id":"a","to":"done"}`, nil, true, tooltrack.Succeeded},
			{setStatus, ` { "to" : "d\u006fne", "id":"a"} `, nil, false, tooltrack.Succeeded},
		}},
		{"other arguments are another call", []step{
			{deleteTask, `{"id":1}`, nil, true, tooltrack.Succeeded},
			{deleteTask, `{"id":2}`, nil, true, tooltrack.Succeeded},
		}},
		{"large integers stay apart", []step{
			{deleteTask, `{"id":9007199254740992}`, nil, true, tooltrack.Succeeded},
			{deleteTask, `{"id":9007199254740993}`, nil, true, tooltrack.Succeeded},
		}},
		{"done, pending, done are three calls", []step{
			{setStatus, `{"id":1,"to":"done"}`, nil, true, tooltrack.Succeeded},
			{setStatus, `{"id":1,"to":"pending"}`, nil, true, tooltrack.Succeeded},
			{setStatus, `{"id":1,"to":"done"}`, nil, true, tooltrack.Succeeded},
			{setStatus, `{"id":1,"to":"done"}`, nil, false, tooltrack.Succeeded},
		}},
		{"a failed change in between is no change", []step{
			{setStatus, `{"id":1,"to":"done"}`, nil, true, tooltrack.Succeeded},
			{setStatus, `{"id":1,"to":"pending"}`, boom, true, tooltrack.Failed},
			{setStatus, `{"id":1,"to":"done"}`, nil, false, tooltrack.Succeeded},
		}},
		{"a read in between is no change", []step{
			{setStatus, `{"id":1,"to":"done"}`, nil, true, tooltrack.Succeeded},
			{listTasks, `{}`, nil, true, tooltrack.Succeeded},
			{setStatus, `{"id":1,"to":"done"}`, nil, false, tooltrack.Succeeded},
		}},
		{"a failed call may be tried again, a success ends it", []step{
			{deleteTask, `{"id":1}`, boom, true, tooltrack.Failed},
			{deleteTask, `{"id":1}`, boom, true, tooltrack.Failed},
			{deleteTask, `{"id":1}`, nil, true, tooltrack.Succeeded},
			{deleteTask, `{"id":1}`, nil, false, tooltrack.Succeeded},
		}},
		{"reads and verifications always run", []step{
			{listTasks, `{}`, nil, true, tooltrack.Succeeded},
			{listTasks, `{}`, nil, true, tooltrack.Succeeded},
			{runTests, `{}`, nil, true, tooltrack.Succeeded},
			{runTests, `{}`, nil, true, tooltrack.Succeeded},
		}},
		{"a change to something else renews nothing", []step{
			{setStatus, `{"id":1,"to":"done"}`, nil, true, tooltrack.Succeeded},
			{setStatus, `{"id":2,"to":"pending"}`, nil, true, tooltrack.Succeeded},
			{setStatus, `{"id":1,"to":"done"}`, nil, false, tooltrack.Succeeded},
		}},
		{"two mails to one address are two mails", []step{
			{sendMail, `{"to":"bob","text":"hello"}`, nil, true, tooltrack.Succeeded},
			{sendMail, `{"to":"bob","text":"goodbye"}`, nil, true, tooltrack.Succeeded},
			{sendMail, `{"to":"bob","text":"hello"}`, nil, false, tooltrack.Succeeded},
		}},
		{"three spellings of an amount are one transfer", []step{
			{unknownPay, `{"amount":100}`, nil, true, tooltrack.Succeeded},
			{unknownPay, `{"amount":100.0}`, nil, false, tooltrack.Succeeded},
			{unknownPay, `{"amount":1e2}`, nil, false, tooltrack.Succeeded},
		}},
		{"an unknown effect runs again, as polling does", []step{
			{mystery, `{}`, nil, true, tooltrack.Succeeded},
			{mystery, ``, nil, true, tooltrack.Succeeded},
		}},
		{"an unknown effect whose name says that it pays does not", []step{
			{unknownPay, `{"invoice":7}`, nil, true, tooltrack.Succeeded},
			{unknownPay, `{"invoice":7}`, nil, false, tooltrack.Succeeded},
		}},
		{"repeatable tools mean a new act each time", []step{
			{appendLine, `{}`, nil, true, tooltrack.Succeeded},
			{appendLine, `{}`, nil, true, tooltrack.Succeeded},
		}},
		{"an idempotent success is not repeated either", []step{
			{upsert, `{}`, nil, true, tooltrack.Succeeded},
			{upsert, `{}`, nil, false, tooltrack.Succeeded},
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			turn := open(t, tooltrack.NewLedger(nil, nil), "turn")
			for i, s := range c.steps {
				ran := false
				done, err := turn.Do(t.Context(), s.tool, call(s.tool, s.args), nil, func(context.Context, tooltrack.Call) ([]byte, error) {
					ran = true
					return []byte(`{"ok":true}`), s.err
				})
				if err != nil {
					t.Fatalf("step %d: %v", i+1, err)
				}
				if status := done.Record.Result.Status; ran != s.ran || done.Run != ran || status != s.status {
					t.Errorf("step %d: ran %v (told %v) with status %v, want %v and %v", i+1, ran, done.Run, status, s.ran, s.status)
				}
				if (done.Reason == "") != ran {
					t.Errorf("step %d: ran %v, and the reason is %q", i+1, ran, done.Reason)
				}
			}
		})
	}
}

func open(t *testing.T, ledger *tooltrack.Ledger, turn string) *tooltrack.Turn {
	t.Helper()
	opened, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: turn})
	if err != nil {
		t.Fatal(err)
	}
	return opened
}
