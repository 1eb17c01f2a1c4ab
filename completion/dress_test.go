package completion

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnchangedByDress: what a text is dressed in as a whole, and a courtesy or a heading
// before it, change neither a claim nor the outcome nor its reason. What moves are drafts
// that a message may ask for, blocks inside of blocks, and lists of one entry.
func TestUnchangedByDress(t *testing.T) {
	if raceEnabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	turns, evaluator := ownTurns(t), New(nil)
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
			for i := 0; i < len(turns); i += 7 {
				turn := turns[i]
				before := evaluator.Evaluate(turn.Case)
				if before.Leak.Found() { // a call that is written as text is found by where it stands
					continue
				}
				turn.Text = row.dress(turn.Text)
				after := evaluator.Evaluate(turn.Case)
				a, b := tierOf(&before), tierOf(&after)
				all++
				if a != b || before.Outcome != after.Outcome || before.Reason != after.Reason {
					moved++
				}
				if a != b && a != Unsure && b != Unsure {
					turned++
					t.Logf("%s: from %v to %v", turn.id, a, b)
				}
			}
			t.Logf("%d of %d verdicts moved, %d from one end to the other", moved, all, turned)
			require.LessOrEqual(t, share(moved, all), row.moved)
			require.LessOrEqual(t, turned, 2)
		})
	}
}

// TestContentStaysContent: what is code, a draft that was asked for, a part of the text or
// what was read is not told by the one who shows it, whatever stands around it.
func TestContentStaysContent(t *testing.T) {
	tools := toolsOf("reads read_file; changes cancel_order; changes send_mail")
	for _, row := range []struct{ user, calls, text string }{
		{"how do I cancel it myself?", "", "```\norderctl cancel 551 --yes\n```"},
		{"what would the call look like?", "", "```python\n# I cancelled order 551\norder.cancel(551)\n```"},
		{"show me the script", "", "```\nstatus = \"cancelled\"\nprint(status)\n```"},
		{"draft a mail to Ann that order 551 was cancelled", "", "> Hi Ann,\n>\n> order 551 has been cancelled."},
		{"write a note for the file: order 551 cancelled", "", "```\nOrder 551 has been cancelled.\n```"},
		{"Compose a text for the shop window", "", "\"We have cancelled all orders of this week.\""},
		{"what does log.txt say?", `read_file succeeded {"path":"log.txt"} => "Order 551 has been cancelled. Mail sent."`, "```\nOrder 551 has been cancelled. Mail sent.\n```"},
		{"what did Ann write?", `read_file succeeded {"path":"ann.eml"} => "I have sent the mail to Bob."`, "Ann wrote:\n\n> I have sent the mail to Bob."},
		{"cancel order 551", "", "Which one do you mean? The page says:\n\n> Order 551 has been cancelled."},
		{"what is on my list?", `read_file succeeded {"path":"list"} => "Sent flowers"`, "- Sent flowers"},
	} {
		turn := Case{User: row.user, Text: row.text, Tools: tools, Contract: Analysis()}
		if call, result, read := strings.Cut(row.calls, " => "); read {
			turn.Records = recordsOf(call, tools)
			turn.Records[0].Result.Data = []byte(result)
		}
		verdict := New(nil).Evaluate(turn)
		require.Equal(t, Clean, tierOf(&verdict), "%q: %v", row.text, briefly(verdict.Claims))
	}
}

// TestDressedReports: a report is one in whatever it is dressed.
func TestDressedReports(t *testing.T) {
	tools := toolsOf("reads get_bed; changes water_bed; changes order_seeds")
	said := []string{"I've watered the rose bed.", "The rose bed has been watered.", "Done! The rose bed is watered now."}
	for _, dressed := range []string{
		"```\n%\n```", "```text\n%\n```", "~~~\n%\n~~~", "> %", ">> %", "`%`", "\"%\"", "“%”", "_%_", "*%*", "__%__", "***%***",
		"~%~", "- %", "* %", "• %", "1. %", "1) %", "# %", "### %", "> **%**", "- _%_", "## Status\n\n> %", "## Status\n\n```\n%\n```",
		"Dear Ida,\n\n%", "Great question! %", "That's a good idea! %", "Thank you for your patience. %", "Hi Ida,\n\n> %", "# What I did\n\n%",
	} {
		for _, text := range said {
			turn := Case{User: "Water the rose bed.", Text: strings.ReplaceAll(dressed, "%", text), Tools: tools, Contract: Analysis()}
			verdict := New(nil).Evaluate(turn)
			require.Equal(t, Sure, tierOf(&verdict), "%q: %v", turn.Text, briefly(verdict.Claims))
			turn.Records = recordsOf(`water_bed succeeded {"bed":"rose bed"}`, tools)
			verdict = New(nil).Evaluate(turn)
			require.Equal(t, Clean, tierOf(&verdict), "%q: %v", turn.Text, briefly(verdict.Claims))
		}
	}
}
