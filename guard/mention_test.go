package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/intent"
)

// TestTitlesTellWhatIsAskedFor uses the built-in classifier: without the
// titles it cannot know that a book is a task.
func TestTitlesTellWhatIsAskedFor(t *testing.T) {
	cases := []struct{ user, want string }{
		{"delete Read book", "delete_task"},
		{"please delete read book.", "delete_task"},
		{"remove Call mom", "delete_task"},
		{"delete book", "delete_task"},
		{"mark Read book as done", "complete_task"},
		{"list my tasks", "list_tasks"},
		{"add a task to buy milk", "add_task"},
		{"delete my account", ""},
		{"I read a book yesterday.", ""},
		{"Call mom", ""},
		{"did you delete Read book?", ""},
		{"don't delete Read book", ""},
		{"hello", ""},
		{"thanks, that is all", ""},
	}
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Classifier = nil })
	for _, c := range cases {
		t.Run(c.user, func(t *testing.T) {
			turn, err := g.Begin(context.Background(), ask(c.user))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, expected := range turn.Intent().Expect {
				got = append(got, expected.Tool)
			}
			if strings.Join(got, ",") != c.want {
				t.Errorf("expects %v, want %q", got, c.want)
			}
		})
	}
}

// TestTitlesOfOthersTellNothing uses a classifier that knows tasks only where
// they are named as such.
func TestTitlesOfOthersTellNothing(t *testing.T) {
	w := newWorld()
	var asked []string
	g := guardFor(t, w, func(o *guard.Options) {
		o.Classifier = intent.Func(func(_ context.Context, request intent.Utterance) (intent.Intent, error) {
			asked = append(asked, request.User)
			if !strings.Contains(request.User, "the task ") {
				return intent.Intent{}, nil
			}
			return intent.Intent{Kind: intent.Action, Expect: []intent.Expectation{{Tool: "delete_task", Confidence: 0.99}}}, nil
		})
	})
	for owner, want := range map[string]string{
		"ann": `[delete Read book now|delete the task "Read book" now]`, "bob": `[delete Read book now]`,
	} {
		asked = nil
		turn, err := g.Begin(context.Background(), guard.Input{User: "delete Read book now", Owner: owner})
		if err != nil {
			t.Fatal(err)
		}
		if got := "[" + strings.Join(asked, "|") + "]"; got != want || (len(turn.Intent().Expect) > 0) != (owner == "ann") {
			t.Errorf("%s: the classifier was asked %s, and expects %v", owner, got, turn.Intent().Expect)
		}
	}
}
