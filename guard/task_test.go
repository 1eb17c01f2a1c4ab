package guard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
)

// TestChecklistsAndAttemptsBelongToTheTask: what was read in one turn counts in
// the next, attempts are counted across turns, and no number of them opens the
// gate.
func TestChecklistsAndAttemptsBelongToTheTask(t *testing.T) {
	ctx := context.Background()
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"read_file": guardtest.Returns("package a"), "create_report": guardtest.Returns("ok")})
	g, err := guard.New(refactorTools(), nil)
	if err != nil {
		t.Fatal(err)
	}
	list := policy.Checklist{
		Steps:     []policy.Step{{Name: "Read target files", Tool: "read_file", PathArg: "path", EachTarget: true}},
		Resolving: []string{"create_report"}, MaxAttempts: 3,
	}
	read := func(file string) guardtest.Step {
		return guardtest.Call(guardtest.Tool("read_file", `{"path":"`+file+`"}`))
	}
	report := guardtest.Call(guardtest.Tool("create_report", `{}`))
	turn := func(n int, task string, steps ...guardtest.Step) (*guardtest.Model, *guard.Reply, error) {
		model := guardtest.Script(append(steps, guardtest.Say("I could not finish yet: the analysis is incomplete. Please let me continue."))...)
		reply, err := g.Run(ctx, model, executor, guard.Input{
			User: "resolve the finding", Owner: "ann", Task: task, Turn: fmt.Sprintf("%s-%d", task, n), Checklist: list.For("a.go", "b.go"),
		})
		return model, reply, err
	}
	model, reply, _ := turn(1, "f1", report, read("a.go"), report)
	contains(t, "the first prompt", model.Requests()[0].Messages[0].Text, "Attempt 1/3", "✗ Read target files")
	if executor.Count("create_report") != 0 || deniedBy(reply)["checklist"] != 2 {
		t.Errorf("attempt 1 reported: %v", deniedBy(reply))
	}
	model, _, _ = turn(2, "f1", read("b.go"), report)
	contains(t, "the second prompt", model.Requests()[0].Messages[0].Text, "Attempt 2/3")
	if executor.Count("create_report") != 1 {
		t.Error("a file read in an earlier turn of the task did not count")
	}
	if _, _, _ = turn(1, "f2", report); executor.Count("create_report") != 1 {
		t.Error("files read for one task opened the gate of another")
	}
	for n := 2; n <= 3; n++ {
		_, _, _ = turn(n, "f2", report)
	}
	_, reply, err = turn(4, "f2", report)
	var attempts *policy.AttemptsError
	if !errors.As(err, &attempts) || executor.Count("create_report") != 1 || reply.Text != "" {
		t.Errorf("after the last attempt: %v", err)
	}
}

func TestEarlierTurnsBackARecapOnly(t *testing.T) {
	ctx := context.Background()
	w := newWorld()
	g := guardFor(t, w, nil)
	input := guard.Input{User: "delete Read book", Owner: "ann", Conversation: "c1", Turn: "t1"}
	reply, err := g.Run(ctx, guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say(lie)), w, input)
	if err != nil {
		t.Fatal(err)
	}
	recap := guard.Input{User: "what did you do so far?", Owner: "ann", Conversation: "c1", Turn: "t2", Previous: reply.Messages}
	if _, err := g.Run(ctx, guardtest.Script(guardtest.Say("Earlier I deleted Read book.")), w, recap); err != nil {
		t.Errorf("a recap: %v", err)
	}
	again := guard.Input{User: "delete Call mom", Owner: "ann", Conversation: "c1", Turn: "t3", Previous: reply.Messages}
	if _, err := g.Run(ctx, guardtest.Script(guardtest.Say("I've deleted Call mom."), guardtest.Say("I've deleted Call mom.")), w, again); !errors.Is(err, guard.ErrToolNotTriggered) {
		t.Errorf("a new request: %v", err)
	}
	stranger := guard.Input{User: "what did you do so far?", Owner: "bob", Conversation: "c1", Turn: "t4"}
	if _, err := g.Run(ctx, guardtest.Script(guardtest.Say("I've deleted Read book."), guardtest.Say("I've deleted Read book."), guardtest.Say("I've deleted Read book.")), w, stranger); err == nil {
		t.Error("another owner's record backed a claim")
	}
}

func TestReplyMessagesContinueAConversation(t *testing.T) {
	ctx := context.Background()
	w := newWorld()
	g := guardFor(t, w, nil)
	first, err := g.Run(ctx, guardtest.Script(guardtest.Say(lie), guardtest.Call(deletes("Read book")), guardtest.Say(lie)), w, ask("delete Read book"))
	if err != nil {
		t.Fatal(err)
	}
	var roles []string
	for _, message := range first.Messages {
		roles = append(roles, string(message.Role))
	}
	if strings.Join(roles, ",") != "user,assistant,tool,assistant" {
		t.Errorf("the messages are %v", roles)
	}
	input := ask("hello")
	input.Previous = first.Messages
	model := guardtest.Script(guardtest.Say("Hello!"))
	if _, err := g.Run(ctx, model, w, input); err != nil {
		t.Fatal(err)
	}
	if got := len(model.Requests()[0].Messages); got != 1+4+1 {
		t.Errorf("the next request has %d messages", got)
	}
}
