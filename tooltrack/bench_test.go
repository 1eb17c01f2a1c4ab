package tooltrack_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// BenchmarkRecord is one call from intent to result, in memory, ten to a turn.
func BenchmarkRecord(b *testing.B) {
	args := make([][]byte, 10)
	for i := range args {
		args[i] = fmt.Appendf(nil, `{"id":"8c2f-%d"}`, i)
	}
	for _, tool := range []tooltrack.Tool{setStatus, listTasks} {
		b.Run(tool.Effect.String(), func(b *testing.B) {
			ledger := tooltrack.NewLedger(nil, nil)
			ctx := context.Background()
			result := tooltrack.Result{Status: tooltrack.Succeeded, Grade: tooltrack.Executed}
			var turn *tooltrack.Turn
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				if n%len(args) == 0 {
					turn, _ = ledger.Open(tooltrack.Scope{Owner: "ann", Conversation: "c", Turn: fmt.Sprint(n)})
				}
				begun, err := turn.Begin(ctx, tool, tooltrack.Call{ID: "call_1", Tool: tool.Name, Args: args[n%len(args)]}, nil)
				if err != nil || !begun.Run {
					b.Fatalf("run %v: %v", begun.Run, err)
				}
				if _, err := turn.Finish(ctx, begun.Record, result); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRecordFloor is what no ledger can do without that writes before and
// after a call and never changes a record it has handed out: two records and
// two readings of the clock.
func BenchmarkRecordFloor(b *testing.B) {
	kept := make([]*tooltrack.Record, 100_000)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		begun := &tooltrack.Record{Effect: tooltrack.Changes, Began: time.Now()}
		kept[n%len(kept)] = begun
		finished := new(tooltrack.Record)
		*finished = *begun
		finished.Finished = time.Now()
		kept[n%len(kept)] = finished
	}
}

// BenchmarkQuery reads the records of one turn out of few and of many.
func BenchmarkQuery(b *testing.B) {
	for _, turns := range []int{100, 50_000} {
		b.Run(fmt.Sprint(turns, " turns"), func(b *testing.B) {
			store := tooltrack.NewMemory(nil)
			fill(b, store, turns, "")
			query := tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann", Turn: "turn 57"}}
			ctx := context.Background()
			b.ReportAllocs()
			for b.Loop() {
				if found, err := store.Records(ctx, query); err != nil || len(found) != 1 {
					b.Fatalf("%d records, %v", len(found), err)
				}
			}
		})
	}
}
