package tooltracktest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestStore runs the conformance suite, each case on an empty store; open registers its own clean-up.
func TestStore(t *testing.T, open func(testing.TB) tooltrack.Store) {
	for _, c := range []struct {
		name string
		test func(*testing.T, tooltrack.Store)
	}{
		{"a begun call is Unknown until it is finished", begunIsUnknown},
		{"a record comes back as it was written", roundTrip},
		{"a success answers for the next attempt", successAnswers},
		{"a failure allows the next attempt", failureAllows},
		{"an unknown fate allows none but an idempotent one", unknownForbids},
		{"a pending call allows none but an idempotent one", pendingForbids},
		{"an unfinished call has an age by the store's clock", ageOfUnfinished},
		{"a denied call is stored complete, and allows the next attempt", deniedIsStored},
		{"a begun call that is denied keeps the ruling, and allows the next attempt", deniedAfterBegin},
		{"a denial does not hide an earlier success", denialHidesNothing},
		{"occurrences and turns are told apart", identities},
		{"a long turn remembers every call, and how it ended", longTurn},
		{"records without a key always run", keyless},
		{"a host key holds across turns and for one call only", hostKeys},
		{"the first result stands", firstResultStands},
		{"an unknown or pending call can be settled later", settledLater},
		{"a read-back is added to a final record, once", readBackAdded},
		{"finishing what was never begun is an error", finishNothing},
		{"an empty owner is an error", emptyOwner},
		{"a cancelled context is an error and writes nothing", cancelled},
		{"queries narrow by conversation, task and turn", queries},
		{"queries page by Seq", pages},
		{"completed records come in the order of completion", completionOrder},
		{"owners never meet", isolation},
		{"hostile texts are data", hostile},
		{"of many at once exactly one runs", exactlyOne},
		{"concurrent writers lose nothing", concurrentWriters},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
	t.Run("approvals", func(t *testing.T) { testApprovals(t, open) })
}

var began = time.Date(2026, 2, 8, 9, 30, 0, 123_000_000, time.UTC)

// proposal is a change that was not begun yet.
func proposal(owner, turn, key string) *tooltrack.Record {
	return &tooltrack.Record{
		Scope:  tooltrack.Scope{Owner: owner, Turn: turn},
		Call:   tooltrack.Call{ID: "call_1", Tool: "delete_task", Args: json.RawMessage(`{"id":1}`)},
		Effect: tooltrack.Changes, Key: key, Occurrence: 1, Began: began,
	}
}

func begin(t testing.TB, store tooltrack.Store, record *tooltrack.Record) tooltrack.Begun {
	t.Helper()
	begun, err := store.Begin(t.Context(), record, false)
	if err != nil {
		t.Fatalf("Begin: %v", err)
	}
	if begun.Record == nil {
		t.Fatal("Begin returned no record")
	}
	return begun
}

func mustRun(t testing.TB, store tooltrack.Store, record *tooltrack.Record) *tooltrack.Record {
	t.Helper()
	begun := begin(t, store, record)
	if !begun.Run {
		t.Fatalf("the call may not run; record %d of status %v answers for it", begun.Record.Seq, begun.Record.Result.Status)
	}
	return begun.Record
}

func finish(t testing.TB, store tooltrack.Store, record *tooltrack.Record, result tooltrack.Result) *tooltrack.Record {
	t.Helper()
	finished, err := store.Finish(t.Context(), completed(record, result))
	if err != nil {
		t.Fatalf("Finish: %v", err)
	}
	return finished
}

func completed(record *tooltrack.Record, result tooltrack.Result) *tooltrack.Record {
	done := *record
	done.Result, done.Finished = result, began.Add(time.Second)
	return &done
}

func denied(record *tooltrack.Record) *tooltrack.Record {
	record.Ruling = tooltrack.Ruling{Denied: true, Rule: "limit", Reason: "at most 2 calls are allowed"}
	record.Result = tooltrack.DeniedResult(record.Ruling.Reason)
	record.Finished = record.Began
	return record
}

var success = tooltrack.ResultOf([]byte(`{"ok":true}`), nil)

func records(t testing.TB, store tooltrack.Store, query tooltrack.Query) []*tooltrack.Record {
	t.Helper()
	found, err := store.Records(t.Context(), query)
	if err != nil {
		t.Fatalf("Records: %v", err)
	}
	return found
}

func inTurn(owner, turn string) tooltrack.Query {
	return tooltrack.Query{Scope: tooltrack.Scope{Owner: owner, Turn: turn}}
}

func begunIsUnknown(t *testing.T, store tooltrack.Store) {
	record := mustRun(t, store, proposal("ann", "t1", "k"))
	found := records(t, store, inTurn("ann", "t1"))
	if len(found) != 1 || found[0].Seq != record.Seq {
		t.Fatalf("the turn holds %d records, want the one that was begun", len(found))
	}
	if found[0].Done() || found[0].Result.Status != tooltrack.Unknown || found[0].Succeeded() {
		t.Errorf("a begun call reads as %v, done %v", found[0].Result.Status, found[0].Done())
	}
	if done, err := store.Completed(t.Context(), "ann", 0, 0); err != nil || len(done) != 0 {
		t.Errorf("Completed holds %d records (%v), want none", len(done), err)
	}
}

func roundTrip(t *testing.T, store tooltrack.Store) {
	full := proposal("ann", "t1", "k")
	full.Conversation, full.Task = "c1", "task1"
	full.Args = json.RawMessage(`{"n": 12345678901234567890, "s":"é\u0000"}`)
	full.Ruling = tooltrack.Ruling{Rewritten: json.RawMessage(`{"n":1}`), Rule: "cap", Reason: "at most 20"}
	full.Retried, full.RetryReason = true, "missing tool"
	full.Message = "8c2f" // of the message that the turn answers
	full.Touched = []tooltrack.Subject{{Kind: "task", ID: "1"}}
	given := *full
	record := mustRun(t, store, &given)
	full.Seq, full.Attempt = record.Seq, 1
	same(t, "begun", record, full)

	full.Result = tooltrack.ResultOf([]byte(`{"success":false,"error":"no such task"}`), nil)
	full.Result.Metadata["code"], full.Result.Doubtful, full.Result.Partly = "404", "it reads like an error", true
	full.Finished = began.Add(1500 * time.Millisecond)
	full.Touched = []tooltrack.Subject{{Kind: "task", ID: "1", Title: "Read “book” 📖"}}
	done := *full
	finished, err := store.Finish(t.Context(), &done)
	if err != nil {
		t.Fatal(err)
	}
	full.Cursor = finished.Cursor
	same(t, "finished", finished, full)
	same(t, "queried", records(t, store, inTurn("ann", "t1"))[0], full)
}

// same compares what users see of two records, their JSON, and the parts that
// JSON does not tell apart.
func same(t *testing.T, what string, got, want *tooltrack.Record) {
	t.Helper()
	gotJSON, err1 := json.Marshal(got)
	wantJSON, err2 := json.Marshal(want)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if string(gotJSON) != string(wantJSON) {
		t.Errorf("%s record\n%s\nwant\n%s", what, gotJSON, wantJSON)
	}
	if string(got.Args) != string(want.Args) || !got.Began.Equal(want.Began) ||
		!reflect.DeepEqual(got.Result, want.Result) {
		t.Errorf("%s record has arguments %q, began %v, result %+v; want %q, %v, %+v", what, got.Args, got.Began, got.Result,
			want.Args, want.Began, want.Result)
	}
}

func successAnswers(t *testing.T, store tooltrack.Store) {
	first := finish(t, store, mustRun(t, store, proposal("ann", "t1", "k")), success)
	again := begin(t, store, proposal("ann", "t1", "k"))
	if again.Run || again.Record.Seq != first.Seq || again.Record.Result.Status != tooltrack.Succeeded {
		t.Errorf("the repeat may run: %v, answered by record %d of status %v", again.Run, again.Record.Seq,
			again.Record.Result.Status)
	}
	if again, err := store.Begin(t.Context(), proposal("ann", "t1", "k"), true); err != nil || again.Run {
		t.Errorf("an idempotent repeat of a success may run: %v (%v)", again.Run, err)
	}
	if n := len(records(t, store, inTurn("ann", "t1"))); n != 1 {
		t.Errorf("the turn holds %d records, want 1: a duplicate is no record", n)
	}
}

func failureAllows(t *testing.T, store tooltrack.Store) {
	for attempt := 1; attempt <= 3; attempt++ {
		record := mustRun(t, store, proposal("ann", "t1", "k"))
		if record.Attempt != attempt {
			t.Errorf("attempt %d is numbered %d", attempt, record.Attempt)
		}
		finish(t, store, record, tooltrack.FailedResult("boom"))
	}
}

func unknownForbids(t *testing.T, store tooltrack.Store) {
	first := mustRun(t, store, proposal("ann", "t1", "k"))
	for range 2 {
		again := begin(t, store, proposal("ann", "t1", "k"))
		if again.Run || again.Record.Seq != first.Seq || again.Record.Result.Status != tooltrack.Unknown {
			t.Fatalf("the repeat may run: %v, answered by record %d of status %v", again.Run, again.Record.Seq,
				again.Record.Result.Status)
		}
	}
	second, err := store.Begin(t.Context(), proposal("ann", "t1", "k"), true)
	if err != nil || !second.Run || second.Record.Attempt != 2 {
		t.Fatalf("an idempotent call may run: %v, attempt %d (%v)", second.Run, second.Record.Attempt, err)
	}
	finish(t, store, second.Record, success)
	if third := begin(t, store, proposal("ann", "t1", "k")); third.Run || third.Record.Seq != second.Record.Seq {
		t.Errorf("record %d answers, want the success %d rather than the unknown one", third.Record.Seq, second.Record.Seq)
	}
}

func pendingForbids(t *testing.T, store tooltrack.Store) {
	finish(t, store, mustRun(t, store, proposal("ann", "t1", "k")), tooltrack.Result{Status: tooltrack.Pending})
	if again := begin(t, store, proposal("ann", "t1", "k")); again.Run || again.Record.Result.Status != tooltrack.Pending {
		t.Errorf("the repeat may run: %v, answered with %v", again.Run, again.Record.Result.Status)
	}
	if again, err := store.Begin(t.Context(), proposal("ann", "t1", "k"), true); err != nil || !again.Run ||
		again.Record.Attempt != 2 {
		t.Errorf("an idempotent repeat may run: %v (%v)", again.Run, err)
	}
}

// ageOfUnfinished: the age must come from one clock, whatever the processes that
// begin calls believe the time to be.
func ageOfUnfinished(t *testing.T, store tooltrack.Store) {
	for _, ahead := range []time.Duration{-24 * time.Hour, 0, 24 * time.Hour} {
		record := proposal("ann", fmt.Sprint("t", ahead), "k")
		record.Began = time.Now().Add(ahead)
		mustRun(t, store, record)
		again := begin(t, store, proposal("ann", fmt.Sprint("t", ahead), "k"))
		if again.Run || again.Age < -time.Second || again.Age > time.Minute {
			t.Errorf("begun just now by a clock that is %v ahead: run %v, age %v", ahead, again.Run, again.Age)
		}
	}
}

func deniedIsStored(t *testing.T, store tooltrack.Store) {
	begun := begin(t, store, denied(proposal("ann", "t1", "k")))
	if begun.Run || !begun.Record.Done() || begun.Record.Cursor == 0 || begun.Record.Result.Status != tooltrack.Denied {
		t.Fatalf("a denied call: run %v, done %v, cursor %d, status %v", begun.Run, begun.Record.Done(), begun.Record.Cursor,
			begun.Record.Result.Status)
	}
	if record := mustRun(t, store, proposal("ann", "t1", "k")); record.Attempt != 2 {
		t.Errorf("the attempt after a denial is numbered %d, want 2", record.Attempt)
	}
}

func denialHidesNothing(t *testing.T, store tooltrack.Store) {
	first := finish(t, store, mustRun(t, store, proposal("ann", "t1", "k")), success)
	if second := begin(t, store, denied(proposal("ann", "t1", "k"))); second.Record.Seq == first.Seq {
		t.Error("the denial of a repeat was not recorded")
	}
	if third := begin(t, store, proposal("ann", "t1", "k")); third.Run || third.Record.Seq != first.Seq {
		t.Errorf("after success and denial the repeat may run: %v", third.Run)
	}
}

func identities(t *testing.T, store tooltrack.Store) {
	finish(t, store, mustRun(t, store, proposal("ann", "t1", "k")), success)
	second := proposal("ann", "t1", "k")
	second.Occurrence = 2
	for _, other := range []*tooltrack.Record{
		second, proposal("ann", "t2", "k"), proposal("ann", "t1", "l"), proposal("bob", "t1", "k"),
	} {
		if record := mustRun(t, store, other); record.Attempt != 1 {
			t.Errorf("%s %s %s occurrence %d is attempt %d, want 1", other.Owner, other.Turn, other.Key, other.Occurrence,
				record.Attempt)
		}
	}
}

func longTurn(t *testing.T, store tooltrack.Store) {
	const calls = 40
	for i := range calls {
		record := mustRun(t, store, proposal("ann", "t1", fmt.Sprint("k", i)))
		if i%2 == 0 {
			finish(t, store, record, success)
		}
	}
	for i := range calls {
		want := tooltrack.Succeeded
		if i%2 != 0 {
			want = tooltrack.Unknown
		}
		again := begin(t, store, proposal("ann", "t1", fmt.Sprint("k", i)))
		if again.Run || again.Record.Result.Status != want || again.Record.Key != fmt.Sprint("k", i) {
			t.Errorf("k%d: run %v, answered by %s: %v, want %v", i, again.Run, again.Record.Key, again.Record.Result, want)
		}
	}
}

func keyless(t *testing.T, store tooltrack.Store) {
	for range 3 {
		finish(t, store, mustRun(t, store, proposal("ann", "t1", "")), success)
	}
	if n := len(records(t, store, inTurn("ann", "t1"))); n != 3 {
		t.Errorf("the turn holds %d records, want 3", n)
	}
}

func hostKeys(t *testing.T, store tooltrack.Store) {
	keyed := func(owner, turn, digest string) *tooltrack.Record {
		record := proposal(owner, turn, "host:order-7")
		record.Digest = digest
		return record
	}
	first := finish(t, store, mustRun(t, store, keyed("ann", "t1", "d")), success)
	if again := begin(t, store, keyed("ann", "t2", "d")); again.Run || again.Record.Seq != first.Seq {
		t.Errorf("the same host key in another turn may run: %v", again.Run)
	}
	if _, err := store.Begin(t.Context(), keyed("ann", "t1", "other"), false); !errors.Is(err, tooltrack.ErrKeyReused) {
		t.Errorf("another call under the same host key: %v, want ErrKeyReused", err)
	}
	mustRun(t, store, keyed("bob", "t1", "other"))
}

func firstResultStands(t *testing.T, store tooltrack.Store) {
	record := mustRun(t, store, proposal("ann", "t1", "k"))
	finish(t, store, record, success)
	stored, err := store.Finish(t.Context(), completed(record, tooltrack.FailedResult("late")))
	if !errors.Is(err, tooltrack.ErrFinished) {
		t.Fatalf("finishing twice: %v, want ErrFinished", err)
	}
	if stored == nil || stored.Result.Status != tooltrack.Succeeded {
		t.Errorf("the stored record is %+v, want the first result", stored)
	}
}

func settledLater(t *testing.T, store tooltrack.Store) {
	for i, first := range []tooltrack.Result{tooltrack.UnknownResult("timed out"), {Status: tooltrack.Pending}} {
		record := mustRun(t, store, proposal("ann", fmt.Sprint("t", i), "k"))
		before := finish(t, store, record, first)
		after := finish(t, store, record, success)
		if after.Cursor <= before.Cursor {
			t.Errorf("the settled record has cursor %d, want one after %d", after.Cursor, before.Cursor)
		}
	}
	done, err := store.Completed(t.Context(), "ann", 0, 0)
	if err != nil || len(done) != 2 {
		t.Errorf("Completed holds %d records (%v), want each of the 2 once", len(done), err)
	}
}

func finishNothing(t *testing.T, store tooltrack.Store) {
	record := mustRun(t, store, proposal("ann", "t1", "k"))
	unknown := completed(record, success)
	unknown.Seq += 1000
	foreign := completed(record, success)
	foreign.Owner = "bob"
	for _, wrong := range []*tooltrack.Record{unknown, foreign} {
		if _, err := store.Finish(t.Context(), wrong); !errors.Is(err, tooltrack.ErrNoRecord) {
			t.Errorf("finishing record %d of %s: %v, want ErrNoRecord", wrong.Seq, wrong.Owner, err)
		}
	}
}

func emptyOwner(t *testing.T, store tooltrack.Store) {
	_, begin := store.Begin(t.Context(), proposal("", "t1", "k"), false)
	_, finish := store.Finish(t.Context(), completed(proposal("", "t1", "k"), success))
	_, query := store.Records(t.Context(), inTurn("", "t1"))
	_, done := store.Completed(t.Context(), "", 0, 0)
	for method, err := range map[string]error{"Begin": begin, "Finish": finish, "Records": query, "Completed": done} {
		if !errors.Is(err, tooltrack.ErrNoOwner) {
			t.Errorf("%s without an owner: %v, want ErrNoOwner", method, err)
		}
	}
}

func cancelled(t *testing.T, store tooltrack.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.Begin(ctx, proposal("ann", "t1", "k"), false); err == nil {
		t.Error("Begin went on under a cancelled context")
	}
	if n := len(records(t, store, inTurn("ann", "t1"))); n != 0 {
		t.Errorf("a cancelled Begin left %d records", n)
	}
	if _, err := store.Records(ctx, inTurn("ann", "t1")); err == nil {
		t.Error("Records went on under a cancelled context")
	}
}

func queries(t *testing.T, store tooltrack.Store) {
	for i, scope := range []tooltrack.Scope{
		{Owner: "ann", Conversation: "c1", Task: "x", Turn: "t1"},
		{Owner: "ann", Conversation: "c1", Task: "y", Turn: "t2"},
		{Owner: "ann", Conversation: "c2", Task: "x", Turn: "t3"},
		{Owner: "ann", Conversation: "c1", Task: "x", Turn: "t1"},
	} {
		record := proposal("", "", fmt.Sprint("k", i))
		record.Scope = scope
		mustRun(t, store, record)
	}
	for _, c := range []struct {
		scope tooltrack.Scope
		want  string
	}{
		{tooltrack.Scope{Owner: "ann"}, "k0 k1 k2 k3"},
		{tooltrack.Scope{Owner: "ann", Conversation: "c1"}, "k0 k1 k3"},
		{tooltrack.Scope{Owner: "ann", Task: "x"}, "k0 k2 k3"},
		{tooltrack.Scope{Owner: "ann", Conversation: "c1", Task: "x"}, "k0 k3"},
		{tooltrack.Scope{Owner: "ann", Turn: "t1"}, "k0 k3"},
		{tooltrack.Scope{Owner: "ann", Conversation: "c2", Turn: "t1"}, ""},
		{tooltrack.Scope{Owner: "ann", Turn: "none"}, ""},
		{tooltrack.Scope{Owner: "bob"}, ""},
	} {
		if got := keys(records(t, store, tooltrack.Query{Scope: c.scope})); got != c.want {
			t.Errorf("%+v holds %q, want %q", c.scope, got, c.want)
		}
	}
}

func pages(t *testing.T, store tooltrack.Store) {
	for i := range 5 {
		record := proposal("ann", fmt.Sprint("t", i%2), fmt.Sprint("k", i))
		record.Conversation = "c"
		mustRun(t, store, record)
	}
	var got []*tooltrack.Record
	query := tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann", Conversation: "c"}, Limit: 2}
	for {
		page := records(t, store, query)
		if len(page) == 0 {
			break
		}
		if len(page) > 2 {
			t.Fatalf("a page of 2 holds %d", len(page))
		}
		got = append(got, page...)
		query.After = page[len(page)-1].Seq
	}
	if keys(got) != "k0 k1 k2 k3 k4" {
		t.Errorf("the pages hold %q", keys(got))
	}
}

func completionOrder(t *testing.T, store tooltrack.Store) {
	var begun []*tooltrack.Record
	for i := range 4 {
		begun = append(begun, mustRun(t, store, proposal("ann", "t1", fmt.Sprint("k", i))))
	}
	for _, i := range []int{2, 0, 3} {
		finish(t, store, begun[i], success)
	}
	done, err := store.Completed(t.Context(), "ann", 0, 2)
	if err != nil || keys(done) != "k2 k0" {
		t.Fatalf("the first two completed are %q (%v), want k2 k0", keys(done), err)
	}
	finish(t, store, begun[1], success)
	rest, err := store.Completed(t.Context(), "ann", done[1].Cursor, 0)
	if err != nil || keys(rest) != "k3 k1" {
		t.Errorf("after them come %q (%v), want k3 k1", keys(rest), err)
	}
}

func isolation(t *testing.T, store tooltrack.Store) {
	for _, owner := range []string{"ann", "bob", "ANN", "ann ", "an%", "a_n"} {
		record := proposal(owner, "t1", "k")
		record.Conversation, record.Task = "c", "x"
		finish(t, store, mustRun(t, store, record), tooltrack.ResultOf([]byte(`"canary of `+owner+`"`), nil))
	}
	for _, owner := range []string{"ann", "bob", "ANN", "ann ", "an%", "a_n"} {
		found := records(t, store, tooltrack.Query{Scope: tooltrack.Scope{Owner: owner, Conversation: "c", Task: "x"}})
		done, err := store.Completed(t.Context(), owner, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, record := range append(found, done...) {
			if record.Owner != owner || record.Result.Text() != "canary of "+owner {
				t.Errorf("%q sees a record of %q: %s", owner, record.Owner, record.Result.Text())
			}
		}
		if len(found) != 1 || len(done) != 1 {
			t.Errorf("%q sees %d records and %d completed ones, want 1 and 1", owner, len(found), len(done))
		}
	}
}

func hostile(t *testing.T, store tooltrack.Store) {
	for _, text := range []string{
		"'; DROP TABLE records; --", `"quoted"`, "%_\\", "\u202eRTL", "📖", "line\nbreak", "e\u0301\u0301",
	} {
		record := proposal("owner "+text, "turn "+text, "key "+text)
		record.Conversation, record.Task, record.ID = "c "+text, "x "+text, "id "+text
		finish(t, store, mustRun(t, store, record), tooltrack.FailedResult(text))
		found := records(t, store, tooltrack.Query{Scope: record.Scope})
		if len(found) != 1 || found[0].Result.Error != text || found[0].Scope != record.Scope || found[0].ID != record.ID {
			t.Errorf("%q did not come back as it was written: %+v", text, found)
		}
	}
}

func exactlyOne(t *testing.T, store tooltrack.Store) {
	const keysCount, racers = 8, 8
	var wg sync.WaitGroup
	var mu sync.Mutex
	ran := map[string]int{}
	for key := range keysCount {
		for range racers {
			wg.Go(func() {
				name := fmt.Sprint("k", key)
				begun, err := store.Begin(t.Context(), proposal("ann", "t1", name), false)
				if err != nil {
					t.Errorf("Begin: %v", err)
					return
				}
				if begun.Run {
					mu.Lock()
					ran[name]++
					mu.Unlock()
				}
			})
		}
	}
	wg.Wait()
	for key := range keysCount {
		if n := ran[fmt.Sprint("k", key)]; n != 1 {
			t.Errorf("k%d ran %d times, want once", key, n)
		}
	}
}

func concurrentWriters(t *testing.T, store tooltrack.Store) {
	const writers, each = 64, 10
	var wg sync.WaitGroup
	for writer := range writers {
		wg.Go(func() {
			owner := fmt.Sprint("owner", writer%4)
			for i := range each {
				begun, err := store.Begin(t.Context(), proposal(owner, fmt.Sprint("t", writer), fmt.Sprint("k", i)), false)
				if err != nil || !begun.Run {
					t.Errorf("Begin: run %v, %v", begun.Run, err)
					return
				}
				if _, err := store.Finish(t.Context(), completed(begun.Record, success)); err != nil {
					t.Errorf("Finish: %v", err)
				}
			}
		})
	}
	wg.Wait()
	for owner := range 4 {
		done, err := store.Completed(t.Context(), fmt.Sprint("owner", owner), 0, 0)
		if err != nil || len(done) != writers*each/4 {
			t.Errorf("owner%d has %d completed records (%v), want %d", owner, len(done), err, writers*each/4)
		}
		for i := 1; i < len(done); i++ {
			if done[i-1].Cursor >= done[i].Cursor {
				t.Fatalf("cursor %d stands before %d", done[i-1].Cursor, done[i].Cursor)
			}
		}
	}
}

func keys(found []*tooltrack.Record) string {
	text := ""
	for i, record := range found {
		if i > 0 {
			text += " "
		}
		text += record.Key
	}
	return text
}
