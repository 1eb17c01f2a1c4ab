package transcripts

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
)

const sample = "testdata/sample.jsonl"

// runOn runs the subcommand and returns what it says.
func runOn(t *testing.T, stdin string, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = ran(Run, args, strings.NewReader(stdin), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

func TestTheSampleInTheTerminal(t *testing.T) {
	status, out, errs := runOn(t, "", sample, "-deny-pattern", "^not permitted")
	if status != exitFine || errs != "" {
		t.Fatalf("exit status %d, %s", status, errs)
	}
	const first = "  Found  2 of 8 turns claim work that no call did; 1 more ended without it\n" +
		"  Most   3 of 3 turns: model amber-small\n" +
		"  To do  read them below; then let a guard watch: go run ./examples/proxy\n\n"
	if !strings.HasPrefix(out, first) {
		t.Errorf("the first three lines do not say what was found and what to do:\n%s", out)
	}
	for _, want := range []string{
		"8 turns in 6 conversations (1 file)",
		"Not judged: 1 more turn cut off by the end of the log.",
		"5 calls: 0 executed (a ledger's record is in the log), 5 reported by messages only, 0 without a result; 1 not allowed.",
		"testdata/sample.jsonl:2, turn 1 (amber-small)",
		"says   “I've deleted the task “Water the plants” for you.”",
		"says   “The task “Pay rent” has been deleted.”",
		"due    delete_task, asked for by “Delete the task Water the plants”",
		"1  promise         the turn ends by announcing work that does not follow",
		"BESIDE CALLS: texts that claim too much",
		"MISSING TOOLS: 2 turns without a call that the request needs",
		"amber-small  3      2       66.7 %",
		"add_task     changes  guessed from “add”",
		`Host rule: denied if it matches "^not permitted".`,
		"DAMAGED: 1 entry skipped\n  testdata/sample.jsonl:5 not valid JSON",
		"read as OpenAI chat messages",
		"Of 1,000 turns, 375 would be stopped (95 % interval 137–694), and 0 asked for proof (0–324).",
	} {
		if !strings.Contains(onOneLine(out), onOneLine(want)) {
			t.Errorf("the report does not say %q:\n%s", want, out)
		}
	}
}

func onOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestTheReportFitsIntoEightyColumns(t *testing.T) {
	_, out, _ := runOn(t, "", sample, "testdata/formats", "-deny-pattern", "^not permitted", "-show", "50")
	for _, line := range strings.Split(out, "\n") {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
}

func TestTheDefaultRuleIsStated(t *testing.T) {
	_, out, _ := runOn(t, "", sample)
	if out = onOneLine(out); !strings.Contains(out, `reads like an error ("Error …", "Failed …", a traceback)`) || !strings.Contains(out, "No host rule was given") {
		t.Errorf("the rule is not stated:\n%s", out)
	}
}

func TestTheSampleAsJSON(t *testing.T) {
	status, out, _ := runOn(t, "", "-json", sample)
	var answer struct {
		Findings []report.Finding
		Report   report.Report
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || status != exitFine {
		t.Fatalf("exit status %d, error %v", status, err)
	}
	r := answer.Report
	if r.Turns != 8 || r.Ghosts != 2 || r.Insufficient != 3 || r.Open != 1 || r.Damaged != 1 || r.Asides != 1 {
		t.Errorf("report: %+v", r)
	}
	if len(answer.Findings) != 4 || !answer.Findings[0].Ghost || answer.Findings[0].Line != 2 || !answer.Findings[3].Aside {
		t.Errorf("findings: %+v", answer.Findings)
	}
	if len(r.Damages) != 1 || r.Damages[0].Line != 5 {
		t.Errorf("damages: %+v", r.Damages)
	}
	if r.Calls.Executed != 0 || r.Calls.Reported != 5 {
		t.Errorf("calls: %+v", r.Calls)
	}
}

func TestExitStatus(t *testing.T) {
	folder := t.TempDir()
	honest := `{"tools":[],"messages":[{"role":"user","content":"Thanks!"},{"role":"assistant","content":"You're welcome!"}]}`
	cases := []struct {
		name, stdin string
		args        []string
		want        int
		says        string
	}{
		{"fine", honest, []string{"-", "-max-ghosts", "0"}, exitFine, ""},
		{"ghosts that nobody limits", "", []string{sample}, exitFine, ""},
		{"as many ghosts as allowed", "", []string{"-max-ghosts", "2", sample}, exitFine, ""},
		{"too many ghosts", "", []string{"-max-ghosts", "1", sample}, exitGhosts, "2 ghosts; at most 1 are allowed"},
		{"too many ghosts, as JSON", "", []string{sample, "-json", "-max-ghosts=0"}, exitGhosts, "2 ghosts"},
		{"nothing to judge must not look like nothing found", "", []string{"-", "-max-ghosts", "0"}, exitBroken, "no turn to judge in 0 conversations (0 entries were damaged)"},
		{"only steps", `{"messages":[{"role":"user","content":"go"}],"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}}]}`,
			[]string{"-"}, exitBroken, "every exchange ends in calls"},
		{"neither tools nor calls", `{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"Done."}]}`,
			[]string{"-"}, exitBroken, "name the tools in a file for -effects, or log them"},
		{"only damage", "rubbish\n", []string{"-"}, exitBroken, "(1 entries were damaged)"},
		{"a file that does not exist", "", []string{sample, folder + "/none"}, exitBroken, "no such file"},
		{"no file", "", nil, exitUsage, "no file to read"},
		{"a flag that does not exist", "", []string{"-nonsense", sample}, exitUsage, "-nonsense"},
		{"a pattern that is none", "", []string{"-fail-pattern", "(", sample}, exitUsage, "-fail-pattern"},
		{"another one", "", []string{"-deny-pattern", "[", sample}, exitUsage, "-deny-pattern"},
		{"a table by nonsense", "", []string{"-by", "moon", sample}, exitUsage, `-by is "moon"`},
		{"a negative number to show", "", []string{"-show", "-1", sample}, exitUsage, "-show is -1"},
		{"effects that do not exist", "", []string{"-effects", folder + "/none", sample}, exitUsage, "reading the effects"},
		{"a page that cannot be written", "", []string{"-html", folder + "/none/page.html", sample}, exitUsage, "page.html"},
		{"help", "", []string{"-h"}, exitFine, "exit status: 0 fine"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, _, errs := runOn(t, c.stdin, c.args...)
			if status != c.want || !strings.Contains(errs, c.says) || (c.says == "") != (errs == "") {
				t.Errorf("exit status %d, says %q; want %d and %q", status, errs, c.want, c.says)
			}
		})
	}
}

func TestFilesOfAllKindsTogether(t *testing.T) {
	folder := t.TempDir()
	turn := `{"role":"user","content":"Thanks!"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"note","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"},{"role":"assistant","content":"You're welcome!"}`
	files := map[string][]byte{
		"lines.jsonl":   []byte(`{"messages":[` + turn + `]}` + "\n" + `{"messages":[` + turn + `]}` + "\n"),
		"packed":        packed(t, `{"messages":[`+turn+`]}`),
		"array.json":    []byte("[\n{\"messages\":[" + turn + "]},\n{\"messages\":[" + turn + "]}\n]"),
		"object.json":   []byte("{\n\"messages\": [" + turn + "]\n}"),
		"messages.json": []byte("[" + turn + "," + turn + "]"),
		"lists.jsonl":   []byte("[" + turn + "]\n[" + turn + "]\n"),
		"arrays.json":   []byte("[\n" + turn + "\n]\n[\n" + turn + "\n]\n"),
		"loose.jsonl":   []byte(strings.ReplaceAll(turn, "},{\"role", "}\n{\"role")),
	}
	args := []string{"-json", "-by", "file"}
	for name, data := range files {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	status, out, errs := runOn(t, "", args...)
	var answer struct{ Report report.Report }
	if err := json.Unmarshal([]byte(out), &answer); err != nil || status != exitFine {
		t.Fatalf("exit status %d, error %v, %s", status, err, errs)
	}
	want := map[string][2]int{ // conversations and turns
		"lines.jsonl": {2, 2}, "packed": {1, 1}, "array.json": {2, 2}, "object.json": {1, 1}, "messages.json": {1, 2}, "lists.jsonl": {2, 2}, "arrays.json": {2, 2}, "loose.jsonl": {1, 1},
	}
	for _, g := range answer.Report.Files {
		if got := [2]int{g.Conversations, g.Turns}; got != want[filepath.Base(g.Name)] {
			t.Errorf("%s: %v conversations and turns; want %v", g.Name, got, want[filepath.Base(g.Name)])
		}
	}
	if answer.Report.Damaged != 0 || len(answer.Report.Files) != len(files) {
		t.Errorf("damages: %v, files: %d", answer.Report.Damages, len(answer.Report.Files))
	}
}

func TestShowBoundsWhatIsQuoted(t *testing.T) {
	for show, want := range map[string]int{"0": 0, "1": 1, "2": 2, "9": 2} {
		_, out, _ := runOn(t, "", "-show", show, sample)
		ghosts, _, _ := strings.Cut(out[strings.Index(out, "GHOSTS"):], "INSUFFICIENT")
		if got := strings.Count(ghosts, "asked  "); got != want {
			t.Errorf("-show %s quotes %d ghosts, want %d", show, got, want)
		}
		if told := strings.Contains(ghosts, "of 2)"); told != (want < 2) {
			t.Errorf("-show %s: what is left out is told: %v", show, told)
		}
	}
}

func TestEffectsFromAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "effects.json")
	if err := os.WriteFile(file, []byte(`{"add_task":"reads"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, _ := runOn(t, "", "-effects", file, sample)
	if !strings.Contains(out, "add_task     reads    declared") || !strings.Contains(out, "delete_task  changes  guessed from “delete”") {
		t.Errorf("effects are not shown as given and guessed:\n%s", out)
	}
}

type closedPipe struct{ after int }

var errPipe = errors.New("closed pipe")

func (p *closedPipe) Write(data []byte) (int, error) {
	if p.after -= len(data); p.after < 0 {
		return 0, errPipe
	}
	return len(data), nil
}

func TestWriteErrorsEndTheAudit(t *testing.T) {
	conversations := 2_000
	if raceEnabled { // everything takes many times as long
		conversations = 500
	}
	for _, args := range [][]string{{"-json", "-"}, {"-"}} {
		input := &logWriter{left: conversations}
		if args[0] == "-" { // it writes when it has read all
			input.left = 100
		}
		var errs bytes.Buffer
		if status := ran(Run, args, input, &closedPipe{after: 5_000}, &errs); status != exitBroken && args[0] == "-json" {
			t.Errorf("%v: exit status %d", args, status)
		}
		if args[0] == "-json" && input.left == 0 {
			t.Error("it went on reading though nobody listens")
		}
	}
}

// TestTheReportDoesNotDependOnTheNumberOfWorkers proves that conversations are
// counted in the order in which they were read.
func TestTheReportDoesNotDependOnTheNumberOfWorkers(t *testing.T) {
	audit := func(workers int) string {
		known, err := loadEffects("")
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		s := &settings{files: []string{"-"}, json: true, show: 5, maxGhosts: -1, maxUnsure: -1}
		a := &auditor{settings: s, out: &out, errs: &errs, totals: newTotals(), pipeline: pipeline{judge: newJudge(known, nil, nil), stdin: &logWriter{left: 300, tools: 5}, workers: workers}}
		if status, err := a.run(); status != exitFine {
			t.Fatalf("exit status %d: %v: %s", status, err, &errs)
		}
		return out.String()
	}
	one := audit(1)
	if many := audit(8); many != one {
		t.Error("eight workers give another report than one")
	}
	if !strings.Contains(one, "voucher") {
		t.Errorf("the report is not about the log: %.300s", one)
	}
}

// ran runs a subcommand as the program does: what is to be told is told.
func ran(
	run func([]string, io.Reader, io.Writer, io.Writer) (int, error), args []string, in io.Reader, out, errs io.Writer,
) int {
	status, err := run(args, in, out, errs)
	if errors.Is(err, flag.ErrHelp) {
		return exitFine
	}
	if err != nil {
		fmt.Fprintln(errs, err)
	}
	return status
}
