package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestTheExampleFile is read, and means what it says.
func TestTheExampleFile(t *testing.T) {
	file, err := readToolFile("tools.example.toml")
	require.NoError(t, err)
	tool, taken := file.describe(tooltrack.Tool{Name: "refund_order"})
	require.Equal(t, tooltrack.Changes, tool.Effect)
	require.Equal(t, "the file", taken.From)
	require.Equal(t, tooltrack.SubjectArg{Arg: "order_id", Kind: "order"}, tool.Subject)
	require.Equal(t, tooltrack.Words{Verbs: []string{"reimburse"}, Nouns: []string{"purchase"}}, tool.Words)
	tools := []tooltrack.Tool{{Name: "refund_order"}, {Name: "another"}}
	options := file.policyFor(tools)
	require.Len(t, options.Rules.Tools["refund_order"], 3)
	require.Len(t, options.Rules.Tools, 1, "tools that are not offered have no rules")
	require.Equal(t, 10, options.Rates["refund_order"].Calls)
	require.Equal(t, time.Minute, options.Rates["refund_order"].Per)
	modes := file.modesFor(tools)
	require.Len(t, modes, 1)
	require.Equal(t, "careful", modes[0].Name)
	require.Equal(t, 8, modes[0].Calls)
	require.Equal(t, map[string]int{"refund_order": 1}, modes[0].PerTool)
}

// TestErrorsOfTheFile name the line, the field and what to do.
func TestErrorsOfTheFile(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[tools.a]\neffect = \"destroys\"", `line 2: tools.a.effect:`},
		{"[tools.a]\n\neffect = 3", `line 3: tools.a.effect:`},
		{"[tools.a]\nefect = \"reads\"", "line 2: tools.a.efect: there is no such key here; use one of effect, idempotent"},
		{"[tools.b]\neffect = \"reads\"\n[tools.a]\nword = 1", "line 4: tools.a.word: there is no such key here"},
		{"[tool.a]\neffect = \"reads\"", "line 1: tool: there is no such key here; use one of mode, tools, modes"},
		{"[tools.a]\nidempotent = \"yes\"", "line 2: tools.a.idempotent: it is a text in quotes, and should be true or false"},
		{"[tools.a]\nwords = { verb = [\"x\"] }", "line 2: tools.a.words.verb: there is no such key here; use one of verbs, nouns"},
		{"[tools.a]\nwords = { verbs = \"x\" }", "line 2: tools.a.words.verbs: it is a text in quotes, and should be a list"},
		{"[tools.a]\nsubject = { kind = \"task\" }", `line 2: tools.a.subject: name the argument, too: { arg = "title", kind = "task" }`},
		{"[tools.a]\nrate = { calls = 3 }", `line 2: tools.a.rate: write how many calls in which time: { calls = 10, per = "1m" }`},
		{"[tools.a]\nrate = { calls = 3, per = \"soon\" }", `line 2: tools.a.rate.per: "soon" is no time; write one such as "30s"`},
		{"[tools.a]\nrules.title = {}", "line 2: tools.a.rules.title: it asks for nothing"},
		{"[tools.a]\nrules.title = { pattern = \"(\" }", "line 2: tools.a.rules.title:"},
		{"[tools.a]\nrules.title = { max_lenght = 3 }", "line 2: tools.a.rules.title.max_lenght: there is no such key here; use one of required, min_length, max_length"},
		{"[tools.a]\nrules.title = { min_length = 5, max_length = 3 }", "line 2: tools.a.rules.title:"},
		{"[tools.a]\nconfirm = { expect = \"exists\" }", `line 2: tools.a.confirm: it needs both read and expect; write { read = "`},
		{"[tools.a]\nconfirm = { read = \"get_a()\" }", "line 2: tools.a.confirm: it needs both read and expect"},
		{"[tools.a]\nconfirm = { read = \"get_a\", expect = \"exists\" }", `line 2: tools.a.confirm: "get_a" is no call; write it as tool(argument = $args.name)`},
		{"[tools.a]\n\nconfirm = { read = \"get_a()\", expect = \"state is done\" }", `line 3: tools.a.confirm: "state is done" is no condition; write exists`},
		{"[tools.a]\neffect = \"reads\"\nconfirm = { read = \"get_a()\", expect = \"exists\" }", `line 3: tools.a.confirm: the tool's effect is "reads", so there is nothing to confirm; leave it out`},
		{"[tools.a]\nconfirm = { read = \"b()\", expect = \"exists\" }\n[tools.b]\neffect = \"changes\"", `line 2: tools.a.confirm: b has the effect "changes"; read by a tool that changes nothing`},
		{"mode = \"fast\"", "line 1: mode: there is no mode \"fast\"; add a table [modes.fast]"},
		{"[modes.fast]\ncalls = -3", "line 2: modes.fast.calls: it is at least 0"},
		{"[modes.fast]\nper_tool = { a = -1 }", "line 2: modes.fast.per_tool.a: it is at least 0"},
		{"[tools.a\n", "line 2: expected"},
		{"[tools.a]\neffect = \"reads\"\neffect = \"reads\"", "line 3:"},
		{"a = 1", "line 1: a: there is no such key here"},
	} {
		_, err := parseToolFile(c.text)
		require.ErrorContains(t, err, c.want, c.text)
		require.NotContains(t, err.Error(), "main.", "no names of Go types")
	}
	name := filepath.Join(t.TempDir(), "tools.toml")
	require.NoError(t, os.WriteFile(name, []byte("x = 1"), 0o600))
	_, err := readToolFile(name)
	require.ErrorContains(t, err, "tools.toml, line 1: x:")
	_, err = readToolFile(name + ".none")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// FuzzToolFile: whatever the file holds, it is read or refused with a line that it
// has.
func FuzzToolFile(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		file, err := parseToolFile(text)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "line "), err.Error())
			return
		}
		tools := []tooltrack.Tool{}
		for name := range file.Tools {
			tool, _ := file.describe(tooltrack.Tool{Name: name})
			tools = append(tools, tool)
		}
		file.policyFor(tools)
		file.modesFor(tools)
	})
}
