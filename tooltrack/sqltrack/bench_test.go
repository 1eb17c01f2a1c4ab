package sqltrack_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func benchRecord(n int64) *tooltrack.Record {
	return &tooltrack.Record{
		Scope:  tooltrack.Scope{Owner: "ann", Turn: fmt.Sprint("turn-", n)},
		Call:   tooltrack.Call{ID: "call_1", Tool: "delete_task", Args: []byte(`{"id":"8c2f"}`)},
		Effect: tooltrack.Changes, Key: `delete_task {"id":"8c2f"}`, Occurrence: 1, Began: time.Unix(1_770_000_000, n),
	}
}

// BenchmarkBegin compares durable records one at a time with those of many
// goroutines, which share transactions.
func BenchmarkBegin(b *testing.B) {
	for _, kind := range databases {
		for _, c := range []struct {
			name       string
			goroutines int
		}{{"single", 1}, {"shared", 1024}} {
			b.Run(kind.name+"/"+c.name, func(b *testing.B) {
				store := kind.make(b).store(b, nil)
				var n atomic.Int64
				b.SetParallelism(c.goroutines)
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						if begun, err := store.Begin(b.Context(), benchRecord(n.Add(1)), false); err != nil || !begun.Run {
							b.Errorf("run %v: %v", begun.Run, err)
						}
					}
				})
			})
		}
	}
}
