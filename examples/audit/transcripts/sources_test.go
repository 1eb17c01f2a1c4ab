package transcripts

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
)

// write puts a file into a folder.
func write(t *testing.T, folder, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(folder, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

// reported runs an audit and returns its report.
func reported(t *testing.T, args ...string) (sum report.Report, findings []report.Finding, errs string) {
	t.Helper()
	_, out, errs := runOn(t, "", append(args, "-json")...)
	var answer struct {
		Report   report.Report
		Findings []report.Finding
	}
	require.NoError(t, json.Unmarshal([]byte(out), &answer), errs)
	return answer.Report, answer.Findings, errs
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	w := gzip.NewWriter(&buffer)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func zst(t *testing.T, data []byte) []byte {
	t.Helper()
	encoder, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return encoder.EncodeAll(data, nil)
}

func TestAFolderIsReadWithAllThatIsInIt(t *testing.T) {
	folder := t.TempDir()
	one := func(s script) []byte { return writers()[0].write(s) }
	write(t, folder, "a.jsonl", one(fixture()))
	write(t, folder, "deep/er/b.jsonl.zst", zst(t, one(fixture())))
	write(t, folder, "deep/c.json.gz", packed(t, string(one(fixture()))))
	write(t, folder, "package.json", []byte(`{"name":"agent","version":"1.0.0"}`))
	write(t, folder, "README.md", []byte("# logs"))
	write(t, folder, ".git/d.jsonl", one(fixture()))
	report, _, errs := reported(t, folder)
	require.Empty(t, errs, "what lies in a folder need not be a log")
	require.Equal(t, 12, report.Turns)
	require.Equal(t, 6, report.Ghosts)
	require.Equal(t, 2, report.Passed)
	require.Len(t, report.Refused, 1)
	require.Contains(t, report.Refused[0].Fault, `{"name": string, "version": string}`)
	require.Zero(t, report.Damaged)
}

func TestWhatCannotBeReadIsRefusedWithItsShapeAndAHint(t *testing.T) {
	folder := t.TempDir()
	cases := []struct{ name, data, says string }{
		{"a.jsonl", "{\"level\":\"info\",\"msg\":\"the secret\"}\n{\"level\":\"info\"}\n", `in no format that is read here: line 1 is {"level": string, "msg": string}; this is a program's log`},
		{"b.json", `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","name":"GET /","attributes":[]}]}]}]}`, "nothing in it speaks of a conversation"},
		{"c.db", "SQLite format 3\x00rest", "this is a database"},
		{"d.parquet", "PAR1rest", "this is a Parquet file"},
		{"e.zip", "PK\x03\x04rest", "unpack it and name the folder"},
		{"f.xz", "\xfd7zXZ\x00rest", "xz -dc"},
		{"g.jsonl", "\x28\xb5\x2f\xfdrubbish", "could not be read to its end"},
	}
	for _, c := range cases {
		status, _, errs := runOn(t, "", write(t, folder, c.name, []byte(c.data)))
		require.Equal(t, exitBroken, status, c.name)
		require.Contains(t, errs, c.says)
		require.NotContains(t, errs, "secret")
	}
}

func TestStrangersAmongOthersAreDamage(t *testing.T) {
	file := write(t, t.TempDir(), "a.jsonl", append([]byte("{\"level\":\"info\"}\n"), append(writers()[0].write(fixture()), "{\"level\":\"warn\"}\n"...)...))
	report, _, errs := reported(t, file)
	require.Empty(t, errs)
	require.Equal(t, 2, report.Damaged)
	require.Equal(t, []int{1, 3}, []int{report.Damages[0].Line, report.Damages[1].Line})
	require.Equal(t, 4, report.Turns)
}

// TestToolsOfAFileStandInForMissingLists has the lie before any other sign of a
// tool, in a conversation of its own.
func TestToolsOfAFileStandInForMissingLists(t *testing.T) {
	lie := lines(anything{"messages": chatDialect.messages(script{turns: fixture().turns[2:3]}, nil)})
	listed := lines(anything{"messages": chatDialect.messages(script{turns: fixture().turns[:1]}, nil), "tools": toolList(taskTools(), "parameters", inFunction)})
	folder := t.TempDir()
	alone, _, _ := reported(t, write(t, folder, "alone.jsonl", lie))
	require.Equal(t, 1, alone.NotJudged, "nobody can tell whether this agent has tools at all")
	together, findings, _ := reported(t, write(t, folder, "together.jsonl", append(lie, listed...)))
	require.Equal(t, 1, together.Ghosts)
	require.Equal(t, 1, findings[0].Line)
	require.Equal(t, "delete_task", findings[0].Missing[0].Tool)
	effects := write(t, folder, "effects.json", []byte(`{"delete_task":"changes"}`))
	declared, _, _ := reported(t, "-effects", effects, filepath.Join(folder, "alone.jsonl"))
	require.Equal(t, 1, declared.Ghosts)
}

// TestTracesMayBeInterleaved mixes the spans of many traces.
func TestTracesMayBeInterleaved(t *testing.T) {
	var tracer writer
	for _, w := range writers() {
		if w.name == "OpenTelemetry: attributes" {
			tracer = w
		}
	}
	straight := tracer.write(fixture())
	spans := bytes.SplitAfter(bytes.TrimSpace(straight), []byte("\n"))
	var mixed []byte
	for step := range 3 {
		for i := step; i < len(spans); i += 3 {
			mixed = append(append(mixed, bytes.TrimSpace(spans[i])...), '\n')
		}
	}
	folder := t.TempDir()
	want, _, _ := reported(t, write(t, folder, "straight.jsonl", straight))
	got, _, _ := reported(t, write(t, folder, "mixed.jsonl", mixed))
	require.Equal(t, 2, want.Ghosts)
	require.Equal(t, want.Ghosts, got.Ghosts)
	require.Equal(t, want.Calls, got.Calls)
}

// TestGatheringIsBounded opens more conversations than may be open.
func TestGatheringIsBounded(t *testing.T) {
	if raceEnabled {
		t.Skip("one record after the other: the race detector has nothing to find in it")
	}
	const rounds = maxGathered>>20 + 10 // more than is kept
	most, sent := 0, 0
	g := gatherer{file: "f", send: func(*job) bool { sent++; return true }}
	filler := strings.Repeat("x", 1<<20)
	for n := range rounds {
		g.take(logfile.Piece{Line: n + 1, Data: fmt.Appendf(nil, `{"trace_id":"%d","attributes":{"gen_ai.x":%q}}`, n, filler)})
		most = max(most, g.bytes)
	}
	require.LessOrEqual(t, most, maxGathered+len(filler)+100)
	require.Positive(t, sent)
	g.flushAll()
	require.Equal(t, rounds, sent)
	require.Zero(t, g.bytes)
}

// unsureLog is a log of one turn without calls that the guard would ask proof of. Which
// words leave it unsure changes as it learns, so several are tried.
func unsureLog(t *testing.T, folder string) string {
	return unsureAbout(t, folder, []scriptTurn{
		{"Do I have anything on for today?", nil, "It looks like a calm day."},
		{"Could you see to the rent thing?", nil, "That is taken care of."},
		{"What is still open?", nil, "Nothing is open."},
		{"Get rid of the rent one.", nil, "It is gone."},
		{"I paid the rent, so that one can go.", nil, "Sure thing, all good."},
		{"What should I do first today?", nil, "The rent, I would say."},
		{"The plants look thirsty, put that on my list.", nil, "Noted!"},
	})
}

// honestLog is the same of a turn whose text the first call shows, in words of its own.
func honestLog(t *testing.T, folder string) string {
	const tasks = `[{"title":"Pay rent","due":"2026-11-20"},{"title":"Buy milk","due":"2026-11-21"}]`
	listed := []round{{calls: []scriptCall{{"c1", "list_tasks", `{}`, tasks, false}}}}
	return unsureAbout(t, folder, []scriptTurn{
		{"What is still open?", listed, "The rent is due on 20 November, and then there is 1 litre of milk to buy."},
		{"What is still open?", listed, "I went through your list: the rent is due on 20 November, the milk a day later."},
		{"What is still open?", listed, "I've checked your list twice: the rent is due on 20 November, the milk a day later."},
		{"Sort my list by date.", listed, "Sorted by date: Pay rent on 20 November, then Buy milk."},
	})
}

func unsureAbout(t *testing.T, folder string, turns []scriptTurn) string {
	t.Helper()
	for i, turn := range turns {
		file := write(t, folder, fmt.Sprintf("unsure%d.jsonl", i), lines(anything{
			"tools": toolList(taskTools(), "parameters", inFunction), "messages": chatDialect.messages(script{turns: []scriptTurn{turn}}, nil),
		}))
		if report, _, _ := reported(t, file); report.Unsure == 1 {
			return file
		}
	}
	t.Fatal("the guard is sure of everything")
	return ""
}

func TestSureAndUnsureHaveStatusesOfTheirOwn(t *testing.T) {
	folder := t.TempDir()
	unsure := unsureLog(t, folder)
	report, findings, _ := reported(t, unsure)
	require.Equal(t, []int{0, 1}, []int{report.Ghosts, report.Unsure}, "%+v", findings)
	require.True(t, findings[0].Unsure)
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{unsure}, exitFine},
		{[]string{unsure, "-max-ghosts", "0"}, exitFine},
		{[]string{unsure, "-max-unsure", "0"}, exitUnsure},
		{[]string{unsure, "-max-unsure", "1"}, exitFine},
		{[]string{unsure, sample, "-max-unsure", "0", "-max-ghosts", "0"}, exitGhosts},
	} {
		status, _, errs := runOn(t, "", c.args...)
		require.Equal(t, c.want, status, "%v: %s", c.args, errs)
	}
	_, out, _ := runOn(t, "", unsure)
	require.Contains(t, out, "UNSURE: what the guard would ask proof of")
	require.NotContains(t, out, "GHOSTS")
	page := pageOf(t, "", unsure)
	require.Contains(t, page, "<h2>Unsure</h2>")
}
