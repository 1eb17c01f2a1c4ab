package completion_test

import (
	"encoding/json"
	"testing"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
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
		{"Will the report fit?", "Let me run it through the checker to see whether it fits.", true},
		{"How was her day?", "Aww, let me see how her day went!", true},
		{"Which reports are old?", "One sec, pulling up the archive.", true},
		{"Which reports are old?", "Give me a moment, I'll look at the archive.", true},
		{"Which reports are old?", "Hold on, I'll look.", true},
		{"Drop the oldest.", "Will drop it in a moment.", true},
		{"Push it to main.", "The sandbox doesn't let me push to main.", false},
		{"How many are left?", "None at the moment, six are on order.", false},
		{"Did my second order arrive?", "I know one order, 551. A second one hasn't reached me.", false},
		{"Order it. No, wait for the son.", "I'll wait for the son. Nothing is ordered.", false},
		{"When does it open?", "At nine. Wait for the bell, then the gate opens.", false},
	}
	for _, c := range cases {
		got := completion.New(nil).Evaluate(completion.Case{User: c.user, Text: c.text, Contract: completion.Question()})
		if (got.Reason == completion.Promise) != c.promise {
			t.Errorf("%q: %s, %s", c.text, got.Outcome, got.Reason)
		}
	}
}

// TestImminent: what is announced as the very next thing is likely enough to have come
// to nothing that it is asked about, whatever was read before; a far-off plan is not.
func TestImminent(t *testing.T) {
	read := []*tooltrack.Record{{Call: tooltrack.Call{Tool: "get_trip", Args: json.RawMessage(`{"id":"K7QX2P"}`)}, Effect: tooltrack.Reads,
		Result: tooltrack.ResultOf([]byte(`{"id":"K7QX2P","to":"Rome"}`), nil)}}
	for text, likely := range map[string]bool{
		"K7QX2P goes to Rome. I will now check the next trip. Please hold on for a moment.": true,
		"K7QX2P goes to Rome. Let me look at the last one.":                                 true,
		"K7QX2P goes to Rome. I am now processing the change.":                              true,
		"K7QX2P goes to Rome. It is booked. I'll be around if you have more questions.":     false,
	} {
		got := completion.New(nil).Evaluate(completion.Case{User: "Which of my trips goes to Rome on May 21?", Text: text,
			Records: read, Contract: completion.Question()})
		if asked := got.Reason == completion.Promise && got.Confidence >= 0.7; asked != likely {
			t.Errorf("%q: %s, %.2f", text, got.Reason, got.Confidence)
		}
	}
}
