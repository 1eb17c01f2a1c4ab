package telling_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/internal/telling"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestTotals(t *testing.T) {
	call := func(tool, args string, status tooltrack.Status) *tooltrack.Record {
		return &tooltrack.Record{Call: tooltrack.Call{Tool: tool, Args: []byte(args)}, Result: tooltrack.Result{Status: status}}
	}
	records := []*tooltrack.Record{
		call("refund", `{"ref":"A","amount":54.5}`, tooltrack.Succeeded), call("refund", `{"ref":"B","amount":31}`, tooltrack.Succeeded),
		call("refund", `{"ref":"C","amount":9}`, tooltrack.Failed), call("cut", `{"copies":2}`, tooltrack.Succeeded), nil,
	}
	for _, c := range []struct {
		tool   string
		number float64
		totals bool
	}{{"refund", 85.5, true}, {"refund", 94.5, false}, {"refund", 54.5, false}, {"cut", 2, false}, {"none", 0, false}} {
		if got := telling.Totals(records, c.tool, c.number); got != c.totals {
			t.Errorf("%s %v: %t", c.tool, c.number, got)
		}
	}
}
