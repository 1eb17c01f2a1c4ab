package tooltracktest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	require.NoError(t, err)
	require.NotNil(t, begun.Record)
	return begun
}

// answered begins a call that may not run, and expects the record that answers for it.
func answered(t testing.TB, store tooltrack.Store, record, by *tooltrack.Record) {
	t.Helper()
	begun := begin(t, store, record)
	assert.False(t, begun.Run, "it may run again")
	assert.Equal(t, by.Seq, begun.Record.Seq, "the record that answers")
	assert.Equal(t, by.Result.Status, begun.Record.Result.Status)
}

// rerun begins a call whose tool is idempotent.
func rerun(t testing.TB, store tooltrack.Store, record *tooltrack.Record) tooltrack.Begun {
	t.Helper()
	begun, err := store.Begin(t.Context(), record, true)
	require.NoError(t, err)
	return begun
}

func mustRun(t testing.TB, store tooltrack.Store, record *tooltrack.Record) *tooltrack.Record {
	t.Helper()
	begun := begin(t, store, record)
	require.True(t, begun.Run, "record %d of status %v answers for it", begun.Record.Seq, begun.Record.Result.Status)
	return begun.Record
}

func finish(t testing.TB, store tooltrack.Store, record *tooltrack.Record, result tooltrack.Result) *tooltrack.Record {
	t.Helper()
	finished, err := store.Finish(t.Context(), completed(record, result))
	require.NoError(t, err)
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
	require.NoError(t, err)
	return found
}

func allCompleted(t testing.TB, store tooltrack.Store, owner string) []*tooltrack.Record {
	t.Helper()
	done, err := store.Completed(t.Context(), owner, 0, 0)
	require.NoError(t, err)
	return done
}

func inTurn(owner, turn string) tooltrack.Query {
	return tooltrack.Query{Scope: tooltrack.Scope{Owner: owner, Turn: turn}}
}

func begunIsUnknown(t *testing.T, store tooltrack.Store) {
	record := mustRun(t, store, proposal("ann", "t1", "k"))
	found := records(t, store, inTurn("ann", "t1"))
	require.Len(t, found, 1)
	assert.Equal(t, record.Seq, found[0].Seq)
	assert.Equal(t, tooltrack.Unknown, found[0].Result.Status)
	assert.False(t, found[0].Done() || found[0].Succeeded(), "a begun call reads as done")
	assert.Empty(t, allCompleted(t, store, "ann"))
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
	require.NoError(t, err)
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
	require.NoError(t, errors.Join(err1, err2))
	assert.Equal(t, string(wantJSON), string(gotJSON), what)
	assert.Equal(t, string(want.Args), string(got.Args), what)
	assert.True(t, got.Began.Equal(want.Began), "%s record began %v, want %v", what, got.Began, want.Began)
	assert.Equal(t, want.Result, got.Result, what)
}

func successAnswers(t *testing.T, store tooltrack.Store) {
	first := finish(t, store, mustRun(t, store, proposal("ann", "t1", "k")), success)
	answered(t, store, proposal("ann", "t1", "k"), first)
	assert.False(t, rerun(t, store, proposal("ann", "t1", "k")).Run, "an idempotent repeat of a success may run")
	assert.Len(t, records(t, store, inTurn("ann", "t1")), 1, "a duplicate is no record")
}

func failureAllows(t *testing.T, store tooltrack.Store) {
	for attempt := 1; attempt <= 3; attempt++ {
		record := mustRun(t, store, proposal("ann", "t1", "k"))
		assert.Equal(t, attempt, record.Attempt)
		finish(t, store, record, tooltrack.FailedResult("boom"))
	}
}

func unknownForbids(t *testing.T, store tooltrack.Store) {
	first := mustRun(t, store, proposal("ann", "t1", "k"))
	for range 2 {
		answered(t, store, proposal("ann", "t1", "k"), first)
	}
	second := rerun(t, store, proposal("ann", "t1", "k"))
	require.True(t, second.Run, "an idempotent call may not run")
	assert.Equal(t, 2, second.Record.Attempt)
	// The success answers rather than the unknown one.
	answered(t, store, proposal("ann", "t1", "k"), finish(t, store, second.Record, success))
}

func pendingForbids(t *testing.T, store tooltrack.Store) {
	pending := finish(t, store, mustRun(t, store, proposal("ann", "t1", "k")), tooltrack.Result{Status: tooltrack.Pending})
	answered(t, store, proposal("ann", "t1", "k"), pending)
	again := rerun(t, store, proposal("ann", "t1", "k"))
	assert.True(t, again.Run, "an idempotent call may not run")
	assert.Equal(t, 2, again.Record.Attempt)
}

// ageOfUnfinished: the age must come from one clock, whatever the processes that
// begin calls believe the time to be.
func ageOfUnfinished(t *testing.T, store tooltrack.Store) {
	for _, ahead := range []time.Duration{-24 * time.Hour, 0, 24 * time.Hour} {
		record := proposal("ann", fmt.Sprint("t", ahead), "k")
		record.Began = time.Now().Add(ahead)
		mustRun(t, store, record)
		again := begin(t, store, proposal("ann", fmt.Sprint("t", ahead), "k"))
		assert.False(t, again.Run)
		assert.True(t, again.Age >= -time.Second && again.Age <= time.Minute,
			"begun just now by a clock that is %v ahead: its age is %v", ahead, again.Age)
	}
}

func deniedIsStored(t *testing.T, store tooltrack.Store) {
	begun := begin(t, store, denied(proposal("ann", "t1", "k")))
	assert.False(t, begun.Run)
	assert.True(t, begun.Record.Done())
	assert.NotZero(t, begun.Record.Cursor)
	assert.Equal(t, tooltrack.Denied, begun.Record.Result.Status)
	assert.Equal(t, 2, mustRun(t, store, proposal("ann", "t1", "k")).Attempt)
}

func denialHidesNothing(t *testing.T, store tooltrack.Store) {
	first := finish(t, store, mustRun(t, store, proposal("ann", "t1", "k")), success)
	second := begin(t, store, denied(proposal("ann", "t1", "k")))
	assert.NotEqual(t, first.Seq, second.Record.Seq, "the denial of a repeat was not recorded")
	answered(t, store, proposal("ann", "t1", "k"), first)
}

func identities(t *testing.T, store tooltrack.Store) {
	finish(t, store, mustRun(t, store, proposal("ann", "t1", "k")), success)
	second := proposal("ann", "t1", "k")
	second.Occurrence = 2
	for _, other := range []*tooltrack.Record{
		second, proposal("ann", "t2", "k"), proposal("ann", "t1", "l"), proposal("bob", "t1", "k"),
	} {
		assert.Equal(t, 1, mustRun(t, store, other).Attempt, "%s %s %s", other.Owner, other.Turn, other.Key)
	}
}

func longTurn(t *testing.T, store tooltrack.Store) {
	begun := make([]*tooltrack.Record, 40)
	for i := range begun {
		begun[i] = mustRun(t, store, proposal("ann", "t1", fmt.Sprint("k", i)))
		if i%2 == 0 {
			begun[i] = finish(t, store, begun[i], success)
		}
	}
	for i, record := range begun {
		answered(t, store, proposal("ann", "t1", fmt.Sprint("k", i)), record)
	}
}

func keyless(t *testing.T, store tooltrack.Store) {
	for range 3 {
		finish(t, store, mustRun(t, store, proposal("ann", "t1", "")), success)
	}
	assert.Len(t, records(t, store, inTurn("ann", "t1")), 3)
}

func hostKeys(t *testing.T, store tooltrack.Store) {
	keyed := func(owner, turn, digest string) *tooltrack.Record {
		record := proposal(owner, turn, "host:order-7")
		record.Digest = digest
		return record
	}
	first := finish(t, store, mustRun(t, store, keyed("ann", "t1", "d")), success)
	answered(t, store, keyed("ann", "t2", "d"), first)
	_, err := store.Begin(t.Context(), keyed("ann", "t1", "other"), false)
	assert.ErrorIs(t, err, tooltrack.ErrKeyReused)
	mustRun(t, store, keyed("bob", "t1", "other"))
}

func firstResultStands(t *testing.T, store tooltrack.Store) {
	record := mustRun(t, store, proposal("ann", "t1", "k"))
	finish(t, store, record, success)
	stored, err := store.Finish(t.Context(), completed(record, tooltrack.FailedResult("late")))
	require.ErrorIs(t, err, tooltrack.ErrFinished)
	require.NotNil(t, stored)
	assert.Equal(t, tooltrack.Succeeded, stored.Result.Status)
}

func settledLater(t *testing.T, store tooltrack.Store) {
	for i, first := range []tooltrack.Result{tooltrack.UnknownResult("timed out"), {Status: tooltrack.Pending}} {
		record := mustRun(t, store, proposal("ann", fmt.Sprint("t", i), "k"))
		before := finish(t, store, record, first)
		assert.Greater(t, finish(t, store, record, success).Cursor, before.Cursor)
	}
	assert.Len(t, allCompleted(t, store, "ann"), 2, "each of the two counts once")
}

func finishNothing(t *testing.T, store tooltrack.Store) {
	record := mustRun(t, store, proposal("ann", "t1", "k"))
	unknown := completed(record, success)
	unknown.Seq += 1000
	foreign := completed(record, success)
	foreign.Owner = "bob"
	for _, wrong := range []*tooltrack.Record{unknown, foreign} {
		_, err := store.Finish(t.Context(), wrong)
		assert.ErrorIs(t, err, tooltrack.ErrNoRecord, "finishing record %d of %s", wrong.Seq, wrong.Owner)
	}
}

func emptyOwner(t *testing.T, store tooltrack.Store) {
	_, begin := store.Begin(t.Context(), proposal("", "t1", "k"), false)
	_, finish := store.Finish(t.Context(), completed(proposal("", "t1", "k"), success))
	_, query := store.Records(t.Context(), inTurn("", "t1"))
	_, done := store.Completed(t.Context(), "", 0, 0)
	for method, err := range map[string]error{"Begin": begin, "Finish": finish, "Records": query, "Completed": done} {
		assert.ErrorIs(t, err, tooltrack.ErrNoOwner, method)
	}
}

func cancelled(t *testing.T, store tooltrack.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := store.Begin(ctx, proposal("ann", "t1", "k"), false)
	assert.Error(t, err, "Begin went on under a cancelled context")
	assert.Empty(t, records(t, store, inTurn("ann", "t1")))
	_, err = store.Records(ctx, inTurn("ann", "t1"))
	assert.Error(t, err, "Records went on under a cancelled context")
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
		assert.Equal(t, c.want, keys(records(t, store, tooltrack.Query{Scope: c.scope})), "%+v", c.scope)
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
	for page := records(t, store, query); len(page) > 0; page = records(t, store, query) {
		require.LessOrEqual(t, len(page), query.Limit)
		got = append(got, page...)
		query.After = page[len(page)-1].Seq
	}
	assert.Equal(t, "k0 k1 k2 k3 k4", keys(got))
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
	require.NoError(t, err)
	require.Equal(t, "k2 k0", keys(done))
	finish(t, store, begun[1], success)
	rest, err := store.Completed(t.Context(), "ann", done[1].Cursor, 0)
	require.NoError(t, err)
	assert.Equal(t, "k3 k1", keys(rest))
}

func isolation(t *testing.T, store tooltrack.Store) {
	for _, owner := range []string{"ann", "bob", "ANN", "ann ", "an%", "a_n"} {
		record := proposal(owner, "t1", "k")
		record.Conversation, record.Task = "c", "x"
		finish(t, store, mustRun(t, store, record), tooltrack.ResultOf([]byte(`"canary of `+owner+`"`), nil))
	}
	for _, owner := range []string{"ann", "bob", "ANN", "ann ", "an%", "a_n"} {
		found := records(t, store, tooltrack.Query{Scope: tooltrack.Scope{Owner: owner, Conversation: "c", Task: "x"}})
		for _, seen := range [][]*tooltrack.Record{found, allCompleted(t, store, owner)} {
			require.Len(t, seen, 1)
			assert.Equal(t, owner, seen[0].Owner)
			assert.Equal(t, "canary of "+owner, seen[0].Result.Text())
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
		require.Len(t, found, 1)
		assert.Equal(t, text, found[0].Result.Error)
		assert.Equal(t, record.Scope, found[0].Scope)
		assert.Equal(t, record.ID, found[0].ID)
	}
}

func exactlyOne(t *testing.T, store tooltrack.Store) {
	const keysCount, racers = 8, 8
	var wg sync.WaitGroup
	var ran [keysCount]atomic.Int32
	for key := range keysCount {
		for range racers {
			wg.Go(func() {
				begun, err := store.Begin(t.Context(), proposal("ann", "t1", fmt.Sprint("k", key)), false)
				if assert.NoError(t, err) && begun.Run {
					ran[key].Add(1)
				}
			})
		}
	}
	wg.Wait()
	for key := range keysCount {
		assert.EqualValues(t, 1, ran[key].Load(), "how often k%d ran", key)
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
				if !assert.NoError(t, err) || !assert.True(t, begun.Run) {
					return
				}
				_, err = store.Finish(t.Context(), completed(begun.Record, success))
				assert.NoError(t, err)
			}
		})
	}
	wg.Wait()
	for owner := range 4 {
		var cursors []int64
		for _, record := range allCompleted(t, store, fmt.Sprint("owner", owner)) {
			cursors = append(cursors, record.Cursor)
		}
		assert.Len(t, cursors, writers*each/4)
		assert.IsIncreasing(t, cursors)
	}
}

func keys(found []*tooltrack.Record) string {
	var all []string
	for _, record := range found {
		all = append(all, record.Key)
	}
	return strings.Join(all, " ")
}
