package proof_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// scene is a turn of testdata/reports, with reports about it that are true or false.
type scene struct {
	tools            []tooltrack.Tool
	user, say        string
	before           []string // the messages before it, the latest first
	reported         []string // what other agents answered
	acting, due      bool
	now              time.Time
	earlier, records []*tooltrack.Record
}

// TestReports holds the written reports against their turns, with the judge that guards
// use: true ones pass, and false ones do not.
func TestReports(t *testing.T) {
	files, err := filepath.Glob("testdata/reports/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { heldAgainst(t, file) })
	}
}

func heldAgainst(t *testing.T, name string) {
	file, err := os.Open(name)
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	evaluator := completion.New(nil)
	var now scene
	lines, number := bufio.NewScanner(file), 0
	for lines.Scan() {
		number++
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "", "#":
		case "==":
			now = scene{}
		case "true", "false":
			faults := proof.Check(reportOf(t, rest), now.turn(evaluator))
			if passes := len(faults) == 0; passes != (word == "true") {
				t.Errorf("%s:%d: %s: %q of %q passes: %v %v", name, number, word, rest, now.say, passes, rulesOf(faults))
			}
		default:
			now.take(t, word, rest)
		}
	}
	require.NoError(t, lines.Err())
}

func rulesOf(faults []proof.Fault) (rules []string) {
	for _, fault := range faults {
		rules = append(rules, fault.Rule+": "+fault.Reason)
	}
	return rules
}

// take reads a line of a scene. A message begins the next turn of the same tools.
func (s *scene) take(t *testing.T, word, rest string) {
	t.Helper()
	switch word {
	case "reads", "changes":
		name, description, _ := strings.Cut(rest, " ")
		effect := map[string]tooltrack.Effect{"reads": tooltrack.Reads, "changes": tooltrack.Changes}[word]
		s.tools = append(s.tools, tooltrack.Tool{Name: name, Description: description, Effect: effect})
	case "takes", "subject": // the schema of a tool, or its argument that names the entity, and the kind of that
		name, given, _ := strings.Cut(rest, " ")
		at := slices.IndexFunc(s.tools, func(tool tooltrack.Tool) bool { return tool.Name == name })
		require.GreaterOrEqual(t, at, 0, rest)
		if s.tools = slices.Clone(s.tools); word == "takes" {
			s.tools[at].Parameters = json.RawMessage(given)
		} else {
			s.tools[at].Subject.Arg, s.tools[at].Subject.Kind, _ = strings.Cut(given, " ")
		}
	case "ask", "look", "user": // for something to be done, to be looked up, or neither
		*s = scene{tools: s.tools, now: s.now, user: rest, acting: word == "ask", due: word != "user"}
	case "now":
		day, err := time.Parse(time.DateOnly, rest)
		require.NoError(t, err)
		s.now = day
	case "heard": // a message of anybody before, the oldest first
		s.before = append([]string{rest}, s.before...)
	case "reported":
		s.reported = append(s.reported, rest)
	case "say":
		s.say = rest
	case "was":
		s.earlier = append(s.earlier, s.record(t, rest))
	case "call":
		s.records = append(s.records, s.record(t, rest))
	default:
		require.Fail(t, "unknown line", word)
	}
}

// record is a call as it is written: its tool, its arguments and what came of it, with an
// exclamation mark before a failure.
func (s *scene) record(t *testing.T, line string) *tooltrack.Record {
	t.Helper()
	call, result, found := strings.Cut(line, " -> ")
	require.True(t, found, line)
	tool, args, _ := strings.Cut(call, " ")
	record := &tooltrack.Record{Call: tooltrack.Call{Tool: tool, Args: json.RawMessage(args)}}
	if why, failed := strings.CutPrefix(result, "!"); failed {
		record.Result = tooltrack.FailedResult(why)
	} else {
		record.Result = tooltrack.ParseResult(result, nil)
	}
	for i := range s.tools {
		if s.tools[i].Name == tool {
			record.Effect = s.tools[i].Effect
		}
	}
	require.NotZero(t, record.Effect, "unknown tool %s", tool)
	return record
}

// turn is the scene as a report is held against it: all that the judge doubts was asked
// about.
func (s *scene) turn(evaluator *completion.Evaluator) proof.Case {
	judge := func(text string) completion.Verdict {
		return evaluator.Evaluate(completion.Case{User: s.user, Text: text, Tools: s.tools, Records: s.records, Earlier: s.earlier})
	}
	turn := proof.Case{
		User: s.user, Draft: s.say, Tools: s.tools, List: proof.NewList(s.earlier, s.records),
		Acting: s.acting, Due: s.due, Judge: judge, Before: s.before, Now: s.now,
		Reported: s.reported,
	}
	for _, claim := range judge(s.say).Claims {
		if claim.Tier != completion.Clean {
			turn.Asked = append(turn.Asked, claim.Text)
		}
	}
	return turn
}

// reportOf reads a report as it is written: items with a plus between them, each a
// status, numbers (or a dash) and what it is about, after a message of its own in
// quotation marks.
func reportOf(t *testing.T, line string) proof.Report {
	t.Helper()
	var report proof.Report
	if strings.HasPrefix(line, `"`) {
		quoted, err := strconv.QuotedPrefix(line)
		require.NoError(t, err)
		message, err := strconv.Unquote(quoted)
		require.NoError(t, err)
		report.Message, line = &message, strings.TrimSpace(line[len(quoted):])
	}
	for written := range strings.SplitSeq(line, " + ") {
		parts := strings.SplitN(written, " ", 3)
		require.Len(t, parts, 3, written)
		item := proof.Item{What: parts[2], Status: proof.Status(parts[0])}
		for number := range strings.SplitSeq(parts[1], ",") {
			if number == "-" {
				continue
			}
			n, err := strconv.Atoi(number)
			require.NoError(t, err, written)
			item.Records = append(item.Records, n)
		}
		if len(item.Records) == 0 {
			item.What, item.Reason, _ = strings.Cut(item.What, " because ")
		}
		report.Items = append(report.Items, item)
	}
	return report
}
