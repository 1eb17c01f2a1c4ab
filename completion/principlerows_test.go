package completion

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// principleRow is one text of testdata/principles or testdata/rules.txt: a scene, what
// its text shows, and whether it is false.
type principleRow struct {
	Case
	principle string
	lie       bool
}

// principleRows reads a file of rows. A block is a scene (tools, user, calls) with its
// honest texts after "+" and false ones after "-"; the head names the principle that
// either shows. "rule:" names both at once.
func principleRows(t *testing.T, path string) []principleRow {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var rows []principleRow
	var honest, lie string
	var scene Case
	for _, line := range strings.Split(string(data), "\n") {
		key, rest, _ := strings.Cut(line, " ")
		switch key {
		case "honest:":
			honest = rest
		case "false:":
			lie = rest
		case "rule:":
			honest, lie = rest, rest
		case "tools:":
			scene = Case{Tools: toolsOf(rest)}
		case "user:":
			scene = Case{Tools: scene.Tools, User: rest}
		case "expected:":
			scene.Expected = strings.Fields(rest)
		case "call:":
			scene.Records = append(scene.Records, callOf(rest, scene.Tools))
		case "earlier:":
			scene.Earlier = append(scene.Earlier, callOf(rest, scene.Tools))
		case "+", "-":
			row := principleRow{Case: scene, principle: honest, lie: key == "-"}
			if row.lie {
				row.principle = lie
			}
			row.Text = strings.ReplaceAll(rest, `\n`, "\n")
			rows = append(rows, row)
		case "", "#":
		default:
			t.Fatalf("%s: %q is no line of a block", path, line)
		}
	}
	return rows
}

var effects = map[string]tooltrack.Effect{
	"reads": tooltrack.Reads, "changes": tooltrack.Changes, "verifies": tooltrack.Verifies, "delegates": tooltrack.Changes,
}

// toolsOf reads "reads list_x get_x; changes add_x".
func toolsOf(text string) []tooltrack.Tool {
	var tools []tooltrack.Tool
	for _, group := range strings.Split(text, "; ") {
		names := strings.Fields(group)
		for _, name := range names[1:] {
			tools = append(tools, tooltrack.Tool{Name: name, Effect: effects[names[0]], Delegates: names[0] == "delegates"})
		}
	}
	return tools
}

// callOf reads "tool [status] arguments => result touched title"; without a status it
// succeeded, and one that is "unseen" was read back afterwards in vain.
func callOf(text string, tools []tooltrack.Tool) *tooltrack.Record {
	text, title, _ := strings.Cut(text, " touched ")
	call, result, _ := strings.Cut(text, " => ")
	tool, args, _ := strings.Cut(call, " ")
	status, unseen := tooltrack.Succeeded, false
	if !strings.HasPrefix(args, "{") {
		var name string
		name, args, _ = strings.Cut(args, " ")
		unseen = name == "unseen"
		_ = status.UnmarshalText([]byte(name)) // an unknown one leaves a success, and the row fails
	}
	made := recordOf(tool, []byte(args), status, result, tools)
	if unseen {
		made = made.With(tooltrack.Confirmation{Sight: tooltrack.Contradicted})
	}
	if title != "" {
		made.Touched = []tooltrack.Subject{{ID: "7", Title: title}}
	}
	return made
}

// TestPrincipleRows holds each principle to rows in domains of their own: no honest
// text is called false, few are asked about, and most false ones are noticed.
func TestPrincipleRows(t *testing.T) {
	type tally struct{ rows, noticed, sure int }
	tallies := map[string]*tally{}
	lies := map[string]bool{}
	evaluator := New(nil)
	honest, all := 0, 0
	paths, err := filepath.Glob("testdata/principles/*.txt")
	require.NoError(t, err)
	for _, path := range paths {
		for _, row := range principleRows(t, path) {
			row.Contract = Analysis()
			verdict := evaluator.Evaluate(row.Case)
			sum := tallies[row.principle]
			if sum == nil {
				sum = &tally{}
				tallies[row.principle], lies[row.principle] = sum, row.lie
			}
			sum.rows++
			sum.noticed += int(is(tierOf(&verdict) >= Unsure))
			sum.sure += int(is(tierOf(&verdict) == Sure))
			all++
			switch {
			case !row.lie:
				honest++
				if tierOf(&verdict) == Sure {
					t.Errorf("%s: %q is called false: %+v", row.principle, row.Text, verdict.Unbacked())
				} else if tierOf(&verdict) == Unsure {
					t.Logf("%s: %q is asked about", row.principle, row.Text)
				}
			case tierOf(&verdict) == Clean:
				t.Logf("%s: %q is not noticed", row.principle, row.Text)
			}
		}
	}
	require.GreaterOrEqual(t, honest, 200)
	require.GreaterOrEqual(t, all-honest, 200)
	noticed := 0
	for principle, sum := range tallies {
		t.Logf("%-50s %d rows, noticed %d, sure %d", principle, sum.rows, sum.noticed, sum.sure)
		if lies[principle] {
			noticed += sum.noticed
			require.GreaterOrEqual(t, share(sum.noticed, sum.rows), 0.7, principle)
			continue
		}
		require.LessOrEqual(t, share(sum.noticed, sum.rows), 0.3, principle)
	}
	require.GreaterOrEqual(t, share(noticed, all-honest), 0.85)
}

func recordOf(tool string, args json.RawMessage, status tooltrack.Status, result string, tools []tooltrack.Tool) *tooltrack.Record {
	called := tooltrack.Tool{Name: tool}
	for _, known := range tools {
		if known.Name == tool {
			called = known
		}
	}
	words := toolname.Tool{Name: tool, Description: called.Description, Parameters: called.Parameters}
	implied := tooltrack.Implied(toolname.Imply(lexicon.English(), words))
	called.Implied = &implied
	record := &tooltrack.Record{Call: tooltrack.Call{Tool: tool, Args: args}, Effect: called.Effect, Implied: &implied}
	if record.Result = tooltrack.ParseCall(&called, record.Call, result, nil); status != tooltrack.Succeeded {
		record.Result.Status, record.Result.Error = status, result
	}
	return record
}

func share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }
