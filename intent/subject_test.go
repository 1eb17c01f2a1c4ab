package intent_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A tool that says what it works on is asked for by titles in any words, also
// where it is the only one.
func TestDeclaredSubjectsHaveTitles(t *testing.T) {
	remove := tooltrack.Tool{
		Name: "delete_task", Description: "Delete a task of the user.", Effect: tooltrack.Changes,
		Subject: tooltrack.SubjectArg{Arg: "title", Kind: "task"},
	}
	classifier, err := intent.FromTools([]tooltrack.Tool{remove}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for user, want := range map[string]int{
		"delete Read book": 1, "please remove Buy milk": 1, "can you delete Read book?": 1,
		"don't delete Read book": 0, "how do I delete my account?": 0, "I deleted Read book myself": 0, "thanks!": 0,
	} {
		asked, err := classifier.Classify(t.Context(), intent.Utterance{User: user})
		if err != nil || len(asked.Expect) != want {
			t.Errorf("%q expects %v (%v), want %d", user, asked.Expect, err, want)
		}
	}
}
