package proof_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// written is a report of testdata/reports.txt.
type written struct {
	name   string
	passes bool
	turn   proof.Case
	answer proof.Answer
}

// readReports reads the reports.
func readReports(t testing.TB) (reports []written) {
	data, err := os.ReadFile("testdata/reports.txt")
	require.NoError(t, err)
	for _, text := range strings.Split(string(data), "\n== ")[1:] {
		reports = append(reports, readReport(t, text))
	}
	return reports
}

func readReport(t testing.TB, text string) written {
	head, rest, _ := strings.Cut(text, "\n")
	name, label, _ := strings.Cut(head, " ")
	one := written{name: name, passes: label == "true", answer: proof.Answer{Letters: map[string]proof.Basis{}}}
	var letters []proof.Letter
	var bases []proof.Basis
	var draft []string
	var records []*tooltrack.Record
	effects := map[string]tooltrack.Effect{}
	for line := range strings.Lines(rest) {
		key, value, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found {
			continue
		}
		switch key {
		case "user":
			one.turn.User, one.turn.Acting = value, !strings.Contains(value, "?")
		case "tools":
			for _, tool := range strings.Fields(value) {
				effects[tool[1:]] = map[byte]tooltrack.Effect{'+': tooltrack.Changes, '-': tooltrack.Reads}[tool[0]]
				one.turn.Tools = append(one.turn.Tools, tooltrack.Tool{Name: tool[1:], Effect: effects[tool[1:]]})
			}
		case "call":
			records = append(records, readCall(t, value, effects))
		case "then":
			one.answer.Message = &value
		default:
			said, basis, cited := strings.Cut(value, " => ")
			require.True(t, cited, line)
			letters = append(letters, proof.Letter{Text: said, Due: key == "due"})
			bases = append(bases, basisOf(t, basis))
			if key != "due" {
				draft = append(draft, said)
			}
		}
	}
	one.turn.Draft, one.turn.Letters = strings.Join(draft, " "), proof.Lettered(letters)
	one.turn.List = proof.NewList(nil, records)
	one.turn.Doubts = sentences
	for i, letter := range one.turn.Letters {
		one.answer.Letters[letter.Name] = bases[i]
	}
	return one
}

// sentences takes all of a message to be in doubt.
func sentences(message string) (all []string) {
	for _, piece := range match.Pieces(message) {
		all = append(all, piece.Text())
	}
	return all
}

func basisOf(t testing.TB, text string) (basis proof.Basis) {
	switch text {
	case "no call":
		return proof.Basis{NoCall: true}
	case "not done":
		return proof.Basis{NotDone: true}
	}
	for _, number := range strings.Fields(text) {
		n, err := strconv.Atoi(number)
		require.NoError(t, err)
		basis.Records = append(basis.Records, n)
	}
	return basis
}

// readCall reads "tool {arguments} status result".
func readCall(t testing.TB, text string, effects map[string]tooltrack.Effect) *tooltrack.Record {
	name, rest, _ := strings.Cut(text, " ")
	record := &tooltrack.Record{Call: tooltrack.Call{Tool: name}, Effect: effects[name]}
	for word, status := range map[string]tooltrack.Status{
		"ok": tooltrack.Succeeded, "failed": tooltrack.Failed, "pending": tooltrack.Pending, "denied": tooltrack.Denied,
	} {
		args, result, found := strings.Cut(rest, "} "+word+" ")
		if !found {
			continue
		}
		record.Args = []byte(args + "}")
		record.Result = tooltrack.Result{Status: status, Data: []byte(result)}
		if status == tooltrack.Failed || status == tooltrack.Denied {
			record.Result = tooltrack.Result{Status: status, Error: strings.Trim(result, `"`)}
		}
		record.Ruling.Denied = status == tooltrack.Denied
		return record
	}
	require.FailNow(t, "no status in "+text)
	return nil
}

// TestReports: of the written reports, all but one in twenty true ones are accepted, and of
// the false ones no more than one in twenty.
func TestReports(t *testing.T) {
	var right, passed, wrong, slipped int
	for _, one := range readReports(t) {
		result := proof.Check(one.answer, one.turn)
		ok := len(result.Faults) == 0
		switch {
		case one.passes:
			if right++; ok {
				passed++
			} else {
				t.Logf("%s is refused: %s", one.name, result.Faults[0].Reason)
			}
		default:
			if wrong++; ok {
				slipped++
				t.Logf("%s passes", one.name)
			}
		}
	}
	require.GreaterOrEqual(t, passed*20, right*19, "%d of %d true reports", passed, right)
	require.LessOrEqual(t, slipped*20, wrong, "%d of %d false reports", slipped, wrong)
}

// BenchmarkCheck is the cost of one check, with the tools read before.
func BenchmarkCheck(b *testing.B) {
	reports := readReports(b)
	for i := range reports {
		reports[i].turn.Read = match.NewTools(reports[i].turn.Tools)
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range reports {
			proof.Check(reports[i].answer, reports[i].turn)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(reports)), "ns/check")
}
