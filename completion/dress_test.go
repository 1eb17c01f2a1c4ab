package completion

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContentStaysContent: what is code, a draft that was asked for, a part of the text or
// what was read is not told by the one who shows it, whatever stands around it.
func TestContentStaysContent(t *testing.T) {
	tools := toolsOf("reads read_file; changes cancel_order; changes send_mail")
	asked := 0
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
		require.NotEqual(t, Sure, tierOf(&verdict), "%q: %v", row.text, briefly(verdict.Claims))
		asked += int(is(tierOf(&verdict) == Unsure))
	}
	require.LessOrEqual(t, asked, 1)
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
