package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
)

// TestSystemOfTheTurn shows that what a host says for one turn stands between
// its own prompt and the rules, in one system message.
func TestSystemOfTheTurn(t *testing.T) {
	g, err := guard.New(taskTools(), &guard.Options{System: "You manage tasks."})
	if err != nil {
		t.Fatal(err)
	}
	turn, err := g.Begin(context.Background(), guard.Input{User: "hello", System: "1. Read book"})
	if err != nil {
		t.Fatal(err)
	}
	messages := turn.Request(context.Background()).Messages
	if len(messages) != 2 || messages[0].Role != guard.RoleSystem || messages[1].Text != "hello" {
		t.Fatalf("messages are %+v, want one system message and the user's", messages)
	}
	if want := "You manage tasks.\n\n1. Read book"; !strings.HasPrefix(messages[0].Text, want) {
		t.Errorf("the prompt is %q, want it to begin with %q", messages[0].Text, want)
	}
}
