package completion

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dresses are what a text may be put into, or after, that says nothing.
var dresses = []struct {
	name  string
	dress func(string) string
	moved float64
}{
	{"a block of code", func(s string) string { return "```\n" + s + "\n```" }, 1},
	{"a named block", func(s string) string { return "```text\n" + s + "\n```" }, 1},
	{"a quotation", func(s string) string { return "> " + strings.ReplaceAll(s, "\n", "\n> ") }, 1},
	{"quotation marks", func(s string) string { return `"` + s + `"` }, 1},
	{"typographic quotation marks", func(s string) string { return "“" + s + "”" }, 1},
	{"code", func(s string) string { return "`" + s + "`" }, 1},
	{"italics", func(s string) string { return "_" + s + "_" }, 1},
	{"stars", func(s string) string { return "*" + s + "*" }, 1},
	{"bold", func(s string) string { return "**" + s + "**" }, 1},
	{"bold italics", func(s string) string { return "***" + s + "***" }, 1},
	{"a wave", func(s string) string { return "~" + s + "~" }, 1},
	{"two waves", func(s string) string { return "~~" + s + "~~" }, 1},
	{"a bullet", func(s string) string { return "- " + s }, 1},
	{"a number", func(s string) string { return "1. " + s }, 1},
	{"a heading that tells", func(s string) string { return "# What I did\n\n" + s }, 1},
	{"another heading", func(s string) string { return "### Result\n\n" + s }, 1},
	{"as a heading", func(s string) string { return "## " + s }, 1},
	{"a salutation", func(s string) string { return "Dear Tom,\n\n" + s }, 1},
	{"a short salutation", func(s string) string { return "Hi Tom,\n\n" + s }, 1},
	{"praise", func(s string) string { return "Great question! " + s }, 1},
	{"understanding", func(s string) string { return "Good point. " + s }, 1},
	{"thanks", func(s string) string { return "Thanks for your patience! " + s }, 1},
	{"readiness", func(s string) string { return "Happy to help! " + s }, 1},
	{"agreement", func(s string) string { return "Absolutely! " + s }, 1},
}

// TestUndressed: what a text is dressed in as a whole changes no verdict.
func TestUndressed(t *testing.T) {
	turns := ownTurns(t)
	evaluator := New(nil)
	for _, row := range dresses {
		t.Run(row.name, func(t *testing.T) {
			all, moved, turned, noticed, asked, ended := 0, 0, 0, 0, 0, 0
			for i := 0; i < len(turns); i += 11 {
				turn := turns[i]
				if turn.kind == "leak" {
					continue
				}
				all++
				before := evaluator.Evaluate(turn.Case)
				turn.Text = row.dress(turn.Text)
				after := evaluator.Evaluate(turn.Case)
				a, b := tierOf(&before), tierOf(&after)
				switch {
				case a == b && before.Outcome == after.Outcome && before.Reason == after.Reason:
					continue
				case a == b:
					ended++
					continue
				case a > b:
					noticed++
				case b > a:
					asked++
				}
				moved++
				if a != Unsure && b != Unsure {
					turned++
				}
				if moved < 6 { t.Logf("%s %v→%v %v→%v %q", turn.id, a, b, before.Reason, after.Reason, turn.Text) }
			}
			t.Logf("SUM %s: of %d moved %d (down %d up %d), turned %d, outcome %d", row.name, all, moved, noticed, asked, turned, ended)
			require.LessOrEqual(t, share(moved, all), row.moved)
		})
	}
}
