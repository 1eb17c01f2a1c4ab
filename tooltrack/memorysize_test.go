package tooltrack_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Whatever a caller can make long counts against MaxBytes, or one long field
// would let a bounded store grow without bound.
func TestEveryTextOfARecordCountsAgainstTheBound(t *testing.T) {
	const size = 100_000
	text := strings.Repeat("x", size)
	body := json.RawMessage(`"` + text + `"`)
	many := map[string]any{}
	for n := range size / 64 {
		many[fmt.Sprint(n)] = true
	}
	for name, set := range map[string]func(*tooltrack.Record){
		"owner":        func(r *tooltrack.Record) { r.Owner = text },
		"conversation": func(r *tooltrack.Record) { r.Conversation = text },
		"task":         func(r *tooltrack.Record) { r.Task = text },
		"turn":         func(r *tooltrack.Record) { r.Turn += text },
		"call id":      func(r *tooltrack.Record) { r.ID = text },
		"tool":         func(r *tooltrack.Record) { r.Tool = text },
		"arguments":    func(r *tooltrack.Record) { r.Args = body },
		"key":          func(r *tooltrack.Record) { r.Key = text },
		"digest":       func(r *tooltrack.Record) { r.Key, r.Digest = "k"+r.Turn, text },
		"rewritten":    func(r *tooltrack.Record) { r.Ruling.Rewritten = body },
		"rule":         func(r *tooltrack.Record) { r.Ruling.Rule = text },
		"reason":       func(r *tooltrack.Record) { r.Ruling.Reason = text },
		"data":         func(r *tooltrack.Record) { r.Result.Data = body },
		"error":        func(r *tooltrack.Record) { r.Result.Error = text },
		"metadata":     func(r *tooltrack.Record) { r.Result.Metadata = many },
		"retry reason": func(r *tooltrack.Record) { r.RetryReason = text },
		"kind":         func(r *tooltrack.Record) { r.Touched = []tooltrack.Subject{{Kind: text}} },
		"subject":      func(r *tooltrack.Record) { r.Touched = []tooltrack.Subject{{ID: text}} },
		"title":        func(r *tooltrack.Record) { r.Touched = []tooltrack.Subject{{Title: text}} },
		"subjects":     func(r *tooltrack.Record) { r.Touched = make([]tooltrack.Subject, size/48) },
	} {
		t.Run(name, func(t *testing.T) {
			store := tooltrack.NewMemory(&tooltrack.MemoryOptions{MaxBytes: 10 * size})
			owner := "ann"
			for n := range 20 {
				record := &tooltrack.Record{Scope: tooltrack.Scope{Owner: owner, Turn: fmt.Sprint(n)}, Finished: time.Unix(int64(n+1), 0)}
				set(record)
				owner = record.Owner
				if _, err := store.Begin(t.Context(), record, false); err != nil {
					t.Fatal(err)
				}
			}
			if n := count(t, store, tooltrack.Scope{Owner: owner}); n < 4 || n > 10 {
				t.Errorf("%d records of 100 kB are kept in a store of 1 MB", n)
			}
		})
	}
}

// Finishing a call counts what was added, not the call once more.
func TestFinishingCountsOnlyTheResult(t *testing.T) {
	store := tooltrack.NewMemory(&tooltrack.MemoryOptions{MaxBytes: 1 << 20})
	ledger := tooltrack.NewLedger(store, nil)
	for n := range 9 {
		args := fmt.Sprintf(`{"id":%d,"text":%q}`, n, strings.Repeat("x", 100_000))
		turn := open(t, ledger, fmt.Sprint("turn ", n))
		begun, err := turn.Begin(t.Context(), setStatus, call(setStatus, args), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := turn.Finish(t.Context(), begun.Record, tooltrack.ResultOf(nil, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, store, tooltrack.Scope{Owner: "ann"}); n != 9 {
		t.Errorf("%d of 9 calls of 100 kB are kept in 1 MiB, which has room for all", n)
	}
}

// A host key protects as long as its record is remembered.
func TestForgottenHostKeyMayBeUsedAgain(t *testing.T) {
	store := tooltrack.NewMemory(&tooltrack.MemoryOptions{MaxRecords: 2})
	ledger := tooltrack.NewLedger(store, nil)
	begin := func(turn, args string) (tooltrack.Begun, error) {
		opened := open(t, ledger, turn)
		begun, err := opened.Begin(t.Context(), mystery, call(mystery, args), &tooltrack.CallOptions{Key: "invoice-7"})
		if err == nil && begun.Run {
			if _, err := opened.Finish(t.Context(), begun.Record, tooltrack.ResultOf(nil, nil)); err != nil {
				t.Fatal(err)
			}
		}
		return begun, err
	}
	if begun, err := begin("first", `{"eur":5}`); err != nil || !begun.Run {
		t.Fatalf("run %v, %v", begun.Run, err)
	}
	if begun, err := begin("second", `{"eur":5}`); err != nil || begun.Run {
		t.Fatalf("the same again: run %v, %v", begun.Run, err)
	}
	fill(t, store, 2, "")
	if begun, err := begin("third", `{"eur":6}`); err != nil || !begun.Run {
		t.Errorf("after its record was forgotten: run %v, %v", begun.Run, err)
	}
}
