package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
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
	other, err := g.Begin(context.Background(), guard.Input{User: "delete Read book", Owner: "bob"})
	if err != nil || len(other.Intent().Expect) != 0 {
		t.Errorf("another owner's title was found: %+v, %v", other.Intent(), err)
	}
}
