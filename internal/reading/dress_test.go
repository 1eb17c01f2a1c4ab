package reading

import (
	"strings"
	"testing"
)

// TestUndress: what a text is dressed in as a whole is taken off, and what is a part of
// it, code or a name stays.
func TestUndress(t *testing.T) {
	for text, want := range map[string]string{
		"```\nThe gate is shut.\n```":               "The gate is shut.",
		"```markdown\nThe gate is shut.\n```":       "The gate is shut.",
		"~~~\nThe gate is shut.\n~~~":               "The gate is shut.",
		"> The gate is shut.\n>\n> So is the door.": "The gate is shut.\n \n  So is the door.",
		"> > The gate is shut.":                     "The gate is shut.",
		"\"The gate is shut.\"":                     "The gate is shut.",
		"\"The \"east\" gate is shut.\"":            "The \"east\" gate is shut.",
		"“The gate is shut.”":                       "The gate is shut.",
		"_The gate_id 7 is shut._":                  "The gate_id 7 is shut.",
		"***The gate is shut.***":                   "The gate is shut.",
		"> **The gate is shut.**":                   "The gate is shut.",
		"- The gate is shut.":                       "The gate is shut.",
		"1) The gate is shut!":                      "The gate is shut!",
		"## Gate shut":                              "Gate shut",
		"## Status\n\n> The gate is shut.":          "## Status\n\n  The gate is shut.",
		"**Status**\n\n`The gate is shut.`":         "**Status**\n\n The gate is shut.",
	} {
		got := Undress(text)
		if strings.TrimSpace(got) != want || len(got) != len(text) {
			t.Errorf("%q is %q", text, got)
		}
	}
	for _, text := range []string{
		"The gate is shut.", "", " \n", "```", "``````", "\"", "“”", "**", "_", "#551 is shut.", "# ", "-", "1.", "`make`", "\"Buy milk\"",
		"```go\nshut(gate)\n```", "```\nshut(gate);\n```", "```\n{\"gate\": \"shut\"}\n```", "```\n$ gatectl shut\n```", "`gate --shut it now`",
		"```\nThe gate is shut.\n```\nTell me more.", "Here it is:\n\n> The gate is shut.", "> The gate is shut.\n\nSo says Ann.",
		"\"East\" is shut, and so is \"West\"", "*East* is shut, and so is *West*", "“East” is shut, and so is “West”", "- Closed gates", "- a.\n- b.", "1. One.\n2. Two.",
	} {
		if got := Undress(text); got != text {
			t.Errorf("%q is %q", text, got)
		}
	}
}

// FuzzUndress: every word keeps its place.
func FuzzUndress(f *testing.F) {
	for _, text := range []string{
		"```\na b c d\n```", "> a\n> b", "\"a b c d\"", "“a b c d”", "_a_b_", "***a.***", "~~a.~~", "- a.", "1. a.", "# a", "## a\n\n> b", "``a.``", "> ```\n> a\n> ```",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bare := Undress(text)
		if len(bare) != len(text) {
			t.Fatalf("%q has another length as %q", text, bare)
		}
		for i := range len(text) {
			if bare[i] != text[i] && bare[i] != ' ' {
				t.Fatalf("%q is %q", text, bare)
			}
		}
	})
}
