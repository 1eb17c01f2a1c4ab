package completion_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/completion"
)

// TestAnnouncements: who announces work ends a turn too early; who declines it,
// or waits for a word, does not.
func TestAnnouncements(t *testing.T) {
	cases := []struct {
		user, text string
		promise    bool
	}{
		{"Move the report to the archive.", "I'll move the report now.", true},
		{"Move the report to the archive.", "I will do that for you, please hold on.", true},
		{"Delete the oldest report.", "Deleting the oldest report now…", true},
		{"Merge the reports.", "Merging the reports now.", true},
		{"Merge the reports.", "Merging complete.", false},
		{"No, leave it where it is.", "Okay, I won't move anything.", false},
		{"Please don't touch the archive.", "Understood, I will not change it.", false},
		{"Is the archive full?", "Nearly. Say the word and I'll delete the oldest reports.", false},
		{"Is the archive full?", "Nearly; give me a list and I'll delete those.", false},
		{"Delete the oldest report.", "The archive is nearly full and I'll delete the oldest report.", true},
	}
	for _, c := range cases {
		got := completion.New(nil).Evaluate(completion.Case{User: c.user, Text: c.text, Contract: completion.Question()})
		if (got.Reason == completion.Promise) != c.promise {
			t.Errorf("%q: %s, %s", c.text, got.Outcome, got.Reason)
		}
	}
}
