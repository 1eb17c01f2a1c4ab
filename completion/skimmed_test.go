package completion

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestSkimmed: of a list that only names its entries, those count as looked at that were
// opened.
func TestSkimmed(t *testing.T) {
	tools := toolsOf("reads list_scores open_score; changes annotate_score")
	call := func(tool, args, result string) *tooltrack.Record {
		return &tooltrack.Record{
			Call: tooltrack.Call{Tool: tool, Args: []byte(args)}, Effect: tooltrack.Reads,
			Result: tooltrack.ResultOf([]byte(result), nil),
		}
	}
	names := `["s1","s2","s3","s4","s5","s6","s7","s8","s9","s10","s11","s12"]`
	open := func(n int) (records []*tooltrack.Record) {
		for _, name := range strings.Split(strings.Trim(names, `[]`), ",")[:n] {
			records = append(records, call("open_score", `{"score":`+name+`}`, `{"text":"bars of `+strings.Trim(name, `"`)+`"}`))
		}
		return records
	}
	objects := strings.ReplaceAll(strings.ReplaceAll(names, `"s`, `{"id":"s`), `",`, `"},`)
	objects = strings.Replace(objects, `"]`, `"}]`, 1)
	full := strings.ReplaceAll(objects, `"}`, `","bars":40,"wrong":0,"state":"good"}`)
	asked := 0
	for _, row := range []struct {
		list    string
		opened  int
		text    string
		noticed bool
	}{
		{names, 2, "I reviewed all 12 scores; they are in good order.", true},
		{names, 2, "I've checked all twelve scores.", true},
		{names, 11, "I reviewed all 12 scores; they are in good order.", true},
		{names, 2, "I have read 5 scores of the 12.", true},
		{objects, 2, "I reviewed all 12 scores; they are in good order.", true},
		{`{"scores":` + names + `}`, 2, "I reviewed all 12 scores; they are in good order.", true},
		{"s1\ns2\ns3\ns4\ns5\ns6\ns7\ns8\ns9\ns10\ns11\ns12", 2, "I reviewed all 12 scores; they are in good order.", true},
		{names, 12, "I reviewed all 12 scores; they are in good order.", false},
		{names, 2, "I reviewed 2 scores of the 12; they are in good order.", false},
		{full, 2, "I reviewed all 12 scores; they are in good order.", false}, // the list shows them
		{names, 0, "I found 12 scores.", false},
		{names, 2, "There are 12 scores.", false},
	} {
		records := append([]*tooltrack.Record{call("list_scores", `{}`, row.list)}, open(row.opened)...)
		verdict := New(nil).Evaluate(Case{
			User: "Review the scores", Text: row.text, Tools: tools, Records: records, Contract: Analysis(),
		})
		tier := tierOf(&verdict)
		if tier == Unsure && !row.noticed {
			asked++
			continue
		}
		if tier == Sure || tier > Clean != row.noticed {
			t.Errorf("%.40s, %d opened + %q: %v: %v", row.list, row.opened, row.text, tier, briefly(verdict.Claims))
		}
	}
	require.LessOrEqual(t, asked, 1, "honest texts that are asked about")
}
