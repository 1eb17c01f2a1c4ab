package tooltracktest

import (
	"context"
	_ "embed" // of the scenes
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// scenes are scripts: see [model.play].
//
//go:embed scenes.txt
var scenes string

// longTurn begins many calls, finishes every second one, and begins them all again.
func longTurn(calls int) string {
	var first, again []string
	for n := 1; n <= calls; n++ {
		first = append(first, fmt.Sprint("begin k", n))
		if n%2 == 0 {
			first = append(first, fmt.Sprintf("finish %d succeeded", n))
		}
		again = append(again, fmt.Sprint("begin k", n))
	}
	return strings.Join(append(first, again...), ";")
}

// TestStore runs the conformance suite, each case on an empty store; open registers its own clean-up.
func TestStore(t *testing.T, open func(testing.TB) tooltrack.Store) {
	name := ""
	for line := range strings.Lines(scenes + "a long turn remembers every call, and how it ended\n    " + longTurn(40)) {
		if script, isScript := strings.CutPrefix(line, "    "); isScript {
			t.Run(name, func(t *testing.T) { newModel(t, open(t), "ann", "bob").play(strings.TrimSpace(script)) })
		}
		name = strings.TrimSpace(line)
	}
	t.Run("it answers as a list of records would", func(t *testing.T) {
		newModel(t, open(t), "ann", "bob").random(0, 100)
	})
	for name, test := range map[string]func(*testing.T, tooltrack.Store){
		"a text is data, and owners are told apart by every byte": testTexts,
		"what cannot be done is an error":                         testErrors,
		"of many at once exactly one runs":                        testRaces,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
	t.Run("approvals", func(t *testing.T) { testApprovals(t, open) })
}

var (
	began  = time.Date(2026, 2, 8, 9, 30, 0, 123_000_000, time.UTC)
	ruling = tooltrack.Ruling{Denied: true, Rule: "limit", Reason: "at most 2 calls are allowed"}

	success = tooltrack.ResultOf([]byte(`{"ok":true}`), nil)
	// results are by the name of their status, with everything that a result can hold.
	results = map[string]tooltrack.Result{
		"succeeded": success,
		"failed": {
			Status: tooltrack.Failed, Data: json.RawMessage(`{"success":false}`), Error: "no such task",
			Metadata: map[string]any{"error": "no such task", "code": "404"}, Doubtful: "it reads like an error", Partly: true,
		},
		"unknown": tooltrack.UnknownResult("timed out"),
		"pending": {Status: tooltrack.Pending, Grade: tooltrack.Executed},
		"denied":  tooltrack.DeniedResult(ruling.Reason),
	}
)

// proposal is a change that was not begun yet, with everything that a record can hold.
func proposal(owner, turn, key string) *tooltrack.Record {
	return &tooltrack.Record{
		Scope: tooltrack.Scope{Owner: owner, Turn: turn},
		Call: tooltrack.Call{
			ID: "call_1", Tool: "delete_task", Args: json.RawMessage(`{"n": 12345678901234567890, "s":"é\u0000"}`),
		},
		Effect: tooltrack.Changes, Key: key, Occurrence: 1, Began: began,
		Ruling:  tooltrack.Ruling{Rewritten: json.RawMessage(`{"n":1}`), Rule: "cap", Reason: "at most 20"},
		Retried: true, RetryReason: "missing tool", Message: "8c2f",
		Touched: []tooltrack.Subject{{Kind: "task", ID: "1"}},
	}
}

// deny makes a proposal one that was denied.
func deny(record *tooltrack.Record) {
	record.Ruling, record.Result, record.Finished = ruling, results["denied"], record.Began
}

func testTexts(t *testing.T, store tooltrack.Store) {
	texts := []string{
		"ann", "bob", "ANN", "ann ", "an%", "a_n", "'; DROP TABLE records; --", `"quoted"`, "%_\\", "\u202eRTL", "📖",
		"line\nbreak", "e\u0301\u0301",
	}
	m := newModel(t, store, texts...)
	for i, text := range texts {
		record := proposal(text, "turn "+text, "key "+text)
		record.Conversation, record.Task, record.ID = "c "+text, "x "+text, "id "+text
		m.begin(record, false)
		m.finish(i, tooltrack.FailedResult(text))
		m.records(tooltrack.Query{Scope: record.Scope})
		m.begin(proposal(text, "t", "k"), false)
		m.begun = m.begun[:i+1] // the others are the same for all owners, and looked up next
	}
	for _, text := range texts {
		found, err := store.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: text, Turn: "t"}})
		assert.NoError(t, err)
		assert.Len(t, found, 1, "records of %q", text)
	}
}

func testErrors(t *testing.T, store tooltrack.Store) {
	m := newModel(t, store, "ann")
	m.play("begin k")
	for _, change := range []func(*tooltrack.Record){
		func(r *tooltrack.Record) { r.Seq += 1000 }, func(r *tooltrack.Record) { r.Owner = "bob" },
	} {
		wrong := *m.begun[0]
		wrong.Result, wrong.Finished = success, began
		change(&wrong)
		_, err := store.Finish(t.Context(), &wrong)
		assert.ErrorIs(t, err, tooltrack.ErrNoRecord, "finishing record %d of %s", wrong.Seq, wrong.Owner)
	}
	_, begin := store.Begin(t.Context(), proposal("", "t1", "k"), false)
	_, finish := store.Finish(t.Context(), proposal("", "t1", "k"))
	_, query := store.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Turn: "t1"}})
	_, done := store.Completed(t.Context(), "", 0, 0)
	for method, err := range map[string]error{"Begin": begin, "Finish": finish, "Records": query, "Completed": done} {
		assert.ErrorIs(t, err, tooltrack.ErrNoOwner, method)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := store.Begin(ctx, proposal("ann", "t2", "k"), false)
	assert.Error(t, err, "Begin went on under a cancelled context")
	_, err = store.Records(ctx, tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann"}})
	assert.Error(t, err, "Records went on under a cancelled context")
	m.everything()
}

// testRaces: of many writers that begin a call at once one runs it, and what they all write
// comes in one order.
func testRaces(t *testing.T, store tooltrack.Store) {
	const calls, racers = 24, 8
	var wg sync.WaitGroup
	var ran [calls]atomic.Int32
	for call := range calls {
		for range racers {
			wg.Go(func() {
				begun, err := store.Begin(t.Context(), proposal("ann", "t1", fmt.Sprint("k", call)), false)
				if assert.NoError(t, err) && begun.Run {
					ran[call].Add(1)
					done := *begun.Record
					done.Result, done.Finished = success, began
					_, err = store.Finish(t.Context(), &done)
					assert.NoError(t, err)
				}
			})
		}
	}
	wg.Wait()
	for call := range calls {
		assert.EqualValues(t, 1, ran[call].Load(), "how often k%d ran", call)
	}
	done, err := store.Completed(t.Context(), "ann", 0, 0)
	assert.NoError(t, err)
	assert.Len(t, done, calls)
	cursors := make([]int64, len(done))
	for i, record := range done {
		cursors[i] = record.Cursor
	}
	assert.IsIncreasing(t, cursors)
}
