package guard

import (
	"context"
	"slices"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// noCall is the rule and the tool of the denied record that an attempt at a
// task leaves when it made no call. Attempts are counted from the ledger, which
// all replicas share, and one that was spent on talk is spent, too.
const noCall = "no_call"

func withoutCall(record *tooltrack.Record) bool {
	return record.Ruling.Denied && record.Ruling.Rule == noCall
}

// withCalls leaves the traces of attempts without calls out: they are evidence
// of nothing.
func withCalls(records []*tooltrack.Record) []*tooltrack.Record {
	if !slices.ContainsFunc(records, withoutCall) {
		return records
	}
	return slices.DeleteFunc(slices.Clone(records), withoutCall)
}

// attempts is the number of the attempt that this turn is.
func attempts(history []*tooltrack.Record) int {
	seen := map[string]bool{}
	for _, record := range history {
		seen[record.Turn] = true
	}
	return len(seen) + 1
}

// leaveTrace records an attempt that made no call. One whose model never
// answered was none.
func (t *Turn) leaveTrace(ctx context.Context) {
	if t.input.Task == "" || t.track == nil || t.calls == 0 || len(t.records) > 0 || t.traced {
		return
	}
	trace := &pending{tool: &tooltrack.Tool{Name: noCall}, call: tooltrack.Call{Tool: noCall}.WithID()}
	trace.deny(noCall, "the attempt made no call")
	if _, err := t.begin(ctx, trace, &tooltrack.CallOptions{Ruling: trace.ruling}); err != nil {
		t.guard.hostFault(ctx, "Ledger.Begin", err)
	}
}
