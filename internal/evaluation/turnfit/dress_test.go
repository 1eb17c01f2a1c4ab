package turnfit

import (
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/evaluation/chance"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
)

// TestUnchangedByDress: what a text is dressed in as a whole, and a courtesy or a heading
// before it, change neither a claim nor the outcome nor its reason. What moves are drafts
// that a message may ask for, blocks inside of blocks, and lists of one entry.
func TestUnchangedByDress(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	turns, evaluator := sampledTurns(t, 100), completion.New(nil)
	between := func(before, after string) func(string) string {
		return func(text string) string { return before + text + after }
	}
	for _, row := range []struct {
		name  string
		dress func(string) string
		moved float64 // the share of verdicts that may move
	}{
		{"a block of code", between("```\n", "\n```"), 0.007},
		{"a named block", between("```text\n", "\n```"), 0.007},
		{"a quotation", func(text string) string { return "> " + strings.ReplaceAll(text, "\n", "\n> ") }, 0.006},
		{"quotation marks", between(`"`, `"`), 0.007},
		{"typographic quotation marks", between("“", "”"), 0.006},
		{"code", between("`", "`"), 0.006},
		{"italics", between("_", "_"), 0.003},
		{"stars", between("*", "*"), 0.001},
		{"bold", between("**", "**"), 0.002},
		{"bold italics", between("***", "***"), 0.003},
		{"a wave", between("~", "~"), 0.002},
		{"two waves", between("~~", "~~"), 0.001},
		{"a bullet", between("- ", ""), 0.004},
		{"a number", between("1. ", ""), 0.003},
		{"as a heading", between("## ", ""), 0.005},
		{"under a heading that tells", between("# What I did\n\n", ""), 0},
		{"under a heading", between("### Result\n\n", ""), 0},
		{"a block under a heading", between("## Status\n\n```\n", "\n```"), 0.007},
		{"a salutation", between("Dear Tom,\n\n", ""), 0},
		{"a short salutation", between("Hi Tom,\n\n", ""), 0},
		{"praise", between("Great question! ", ""), 0},
		{"praise in more words", between("That's a very good point. ", ""), 0},
		{"praise in a line", between("Excellent question!\n\n", ""), 0.001},
		{"thanks", between("Thanks for your patience! ", ""), 0},
		{"more thanks", between("Thank you for waiting. ", ""), 0},
		{"readiness", between("Happy to help! ", ""), 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			all, moved, turned := 0, 0, 0
			for _, turn := range turns {
				before := turn.plain()
				if before.Leak.Found() { // a call that is written as text is found by where it stands
					continue
				}
				turn.Text = row.dress(turn.Text)
				after := evaluator.Evaluate(turn.Case)
				a, b := tierOf(before), tierOf(&after)
				all++
				if a != b || before.Outcome != after.Outcome || before.Reason != after.Reason {
					moved++
				}
				if a != b && a != completion.Unsure && b != completion.Unsure {
					turned++
					t.Logf("%s: from %v to %v", turn.id, a, b)
				}
			}
			t.Logf("%d of %d verdicts moved, %d from one end to the other", moved, all, turned)
			chance.AtMost(t, "verdicts that move", moved, all, row.moved)
			chance.AtMost(t, "verdicts that turn", turned, all, 0.0005)
		})
	}
}
