package tooltracktest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestModel runs random sequences of operations against the store and against
// a list of records, and compares every answer. The seeds are printed with a
// failure; the same seed makes the same sequence.
func TestModel(t *testing.T, open func(testing.TB) tooltrack.Store, sequences, steps int) {
	for seed := range uint64(sequences) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			newModel(t, open(t), "ann", "bob").random(seed, steps)
		})
	}
}

// TestIsolation lets ten owners work on one store at once, with the same names for their
// turns, conversations, tasks and keys. Each compares every answer with what it did itself,
// so that nothing of another owner may ever be in one.
func TestIsolation(t *testing.T, open func(testing.TB) tooltrack.Store, operations int) {
	const owners = 10
	store := open(t)
	var wg sync.WaitGroup
	for n := range owners {
		wg.Go(func() { newModel(t, store, fmt.Sprint("owner-", n)).random(uint64(n), operations/owners) })
	}
	wg.Wait()
}

// model is a store and what a store is said to be: a list of records.
type model struct {
	t      testing.TB
	store  tooltrack.Store
	owners []string
	begun  []*tooltrack.Record // in the order of Begin
	done   []*tooltrack.Record // in the order of completion
}

func newModel(t testing.TB, store tooltrack.Store, owners ...string) *model {
	return &model{t: t, store: store, owners: owners}
}

// random does that many things that the seed decides about.
func (m *model) random(seed uint64, steps int) {
	random := rand.New(rand.NewPCG(seed, 0)) // #nosec G404 -- a test must be able to repeat it
	pick := func(options ...string) string { return options[random.IntN(len(options))] }
	for range steps {
		owner := pick(m.owners...)
		switch n := random.IntN(10); {
		case n < 4:
			record := proposal(owner, pick("t1", "t2", "t3"), pick("k1", "k2", "k3", ""))
			record.Conversation, record.Task = pick("", "c1", "c2"), pick("", "x1", "x2")
			record.Occurrence, record.Began = 1+random.IntN(2), began.AddDate(random.IntN(30), 0, 0)
			if random.IntN(6) == 0 {
				record.Key, record.Digest, record.Occurrence = pick("host:1", "host:2"), pick("d", "d", "d", "e"), 1
			}
			if random.IntN(6) == 0 {
				deny(record)
			}
			m.begin(record, random.IntN(4) == 0)
		case n < 7 && len(m.begun) > 0:
			m.finish(random.IntN(len(m.begun)), results[pick("unknown", "succeeded", "failed", "denied", "pending")])
		case n < 9:
			query := tooltrack.Query{Limit: random.IntN(4), Scope: tooltrack.Scope{
				Owner: owner, Conversation: pick("", "", "c1", "c2"), Task: pick("", "", "x1"), Turn: pick("", "", "t1", "t2"),
			}}
			if len(m.begun) > 0 && random.IntN(3) == 0 {
				query.After = m.begun[random.IntN(len(m.begun))].Seq
			}
			m.records(query)
		default:
			after := int64(0)
			if len(m.done) > 0 {
				after = m.done[random.IntN(len(m.done))].Cursor
			}
			m.completed(owner, after, random.IntN(4))
		}
		if m.t.Failed() {
			m.t.Errorf("seed %d: the store and the model part here", seed)
			return
		}
	}
}

func (m *model) begin(record *tooltrack.Record, rerun bool) {
	m.t.Helper()
	attempts := m.attempts(record)
	given := *record // the store may keep it
	got, err := m.store.Begin(m.t.Context(), &given, rerun)
	if len(attempts) > 0 && attempts[0].Digest != record.Digest {
		assert.ErrorIs(m.t, err, tooltrack.ErrKeyReused)
		return
	}
	if !assert.NoError(m.t, err) || !assert.NotNil(m.t, got.Record) {
		return
	}
	if answer, _ := tooltrack.Decide(record, attempts, rerun); answer != nil {
		assert.False(m.t, got.Run, "it runs, and record %d answers for it", answer.Seq)
		m.same("the record that answers", got.Record, answer)
		if !answer.Done() { // by the store's clock, whatever the processes that begin calls believe the time to be
			assert.True(m.t, got.Age >= -time.Second && got.Age <= time.Minute, "begun just now, its age is %v", got.Age)
		}
		return
	}
	want := *record
	want.Seq, want.Cursor, want.Attempt = got.Record.Seq, got.Record.Cursor, len(attempts)+1
	assert.Equal(m.t, !record.Done(), got.Run, "it does not run, and no record answers for it")
	isEarlier := func(r *tooltrack.Record) bool { return r.Owner != want.Owner || r.Seq < want.Seq }
	assert.True(m.t, all(m.begun, isEarlier), "Seq %d was given before", want.Seq)
	m.same("begun", got.Record, &want)
	if m.begun = append(m.begun, &want); want.Done() {
		m.complete(&want)
	}
}

// attempts are the earlier ones at the same call.
func (m *model) attempts(record *tooltrack.Record) (attempts []*tooltrack.Record) {
	for _, other := range m.begun {
		isSame := other.Occurrence == record.Occurrence && other.Turn == record.Turn || record.Digest != ""
		if record.Key != "" && other.Owner == record.Owner && other.Key == record.Key && isSame {
			attempts = append(attempts, other)
		}
	}
	return attempts
}

func (m *model) finish(place int, result tooltrack.Result) {
	m.t.Helper()
	before := m.begun[place]
	want := *before
	want.Result, want.Finished = result, began.Add(1500*time.Millisecond)
	want.Touched = []tooltrack.Subject{{Kind: "task", ID: "1", Title: "Read “book” 📖"}}
	if result.Status == tooltrack.Denied {
		want.Ruling = ruling
	}
	given := want
	got, err := m.store.Finish(m.t.Context(), &given)
	isFinal := before.Done() && before.Result.Status != tooltrack.Unknown && before.Result.Status != tooltrack.Pending
	addsReadBack := want.Sight() != "" && before.Sight() == "" && before.Result.Status == result.Status
	switch {
	case isFinal && !(addsReadBack && !before.Ruling.Denied):
		if assert.ErrorIs(m.t, err, tooltrack.ErrFinished) && assert.NotNil(m.t, got) {
			m.same("finished before", got, before)
		}
	case assert.NoError(m.t, err) && assert.NotNil(m.t, got):
		want.Cursor = got.Cursor
		m.same("finished", got, &want)
		m.begun[place] = &want
		m.done = slices.DeleteFunc(m.done, func(r *tooltrack.Record) bool { return r == before })
		m.complete(&want)
	}
}

func (m *model) complete(record *tooltrack.Record) {
	isEarlier := func(r *tooltrack.Record) bool { return r.Owner != record.Owner || r.Cursor < record.Cursor }
	assert.True(m.t, record.Cursor > 0 && all(m.done, isEarlier), "Cursor %d is not the next", record.Cursor)
	m.done = append(m.done, record)
}

func (m *model) records(query tooltrack.Query) {
	m.t.Helper()
	fits := func(wanted, has string) bool { return wanted == "" || wanted == has }
	got, err := m.store.Records(m.t.Context(), query)
	m.compare(fmt.Sprintf("Records(%+v)", query), got, err, m.begun, query.Limit, func(r *tooltrack.Record) bool {
		return r.Owner == query.Owner && r.Seq > query.After && fits(query.Turn, r.Turn) && fits(query.Task, r.Task) &&
			fits(query.Conversation, r.Conversation)
	})
}

func (m *model) completed(owner string, after int64, limit int) {
	m.t.Helper()
	got, err := m.store.Completed(m.t.Context(), owner, after, limit)
	m.compare(fmt.Sprintf("Completed(%s, %d, %d)", owner, after, limit), got, err, m.done, limit,
		func(r *tooltrack.Record) bool { return r.Owner == owner && r.Cursor > after })
}

// compare holds an answer against those of a list that fit.
func (m *model) compare(
	what string, got []*tooltrack.Record, err error, of []*tooltrack.Record, limit int, fits func(*tooltrack.Record) bool,
) {
	m.t.Helper()
	var want []*tooltrack.Record
	for _, record := range of {
		if fits(record) && (limit == 0 || len(want) < limit) {
			want = append(want, record)
		}
	}
	if assert.NoError(m.t, err, what) && assert.Len(m.t, got, len(want), what) {
		for i := range got {
			m.same(what, got[i], want[i])
		}
	}
}

// same compares what users see of two records, their JSON, and the parts that
// JSON does not tell apart.
func (m *model) same(what string, got, want *tooltrack.Record) {
	m.t.Helper()
	gotJSON, err1 := json.Marshal(got)
	wantJSON, err2 := json.Marshal(want)
	assert.NoError(m.t, errors.Join(err1, err2))
	assert.Equal(m.t, string(wantJSON), string(gotJSON), what)
	assert.Equal(m.t, string(want.Args), string(got.Args), what)
	assert.True(m.t, got.Began.Equal(want.Began), "%s: it began %v, want %v", what, got.Began, want.Began)
	assert.Equal(m.t, want.Result, got.Result, what)
}

func all(records []*tooltrack.Record, is func(*tooltrack.Record) bool) bool {
	return !slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return !is(r) })
}

// everything compares all that the owners have.
func (m *model) everything() {
	m.t.Helper()
	for _, owner := range m.owners {
		m.records(tooltrack.Query{Scope: tooltrack.Scope{Owner: owner}})
		m.completed(owner, 0, 0)
	}
}

// play does what a script says: its steps are divided by ";", records are called by their
// place from 1, and the call "-" has no key.
func (m *model) play(script string) {
	m.t.Helper()
	for step := range strings.SplitSeq(script, ";") {
		var verb, what, how string
		_, err := fmt.Sscan(step+" - ", &verb, &what, &how)
		require.NoError(m.t, err)
		var place int
		if verb != "begin" {
			_, err = fmt.Sscan(what, &place)
			require.NoError(m.t, err)
		}
		switch verb {
		case "begin":
			record := proposal("ann", "t1", strings.TrimPrefix(what, "-"))
			for field := range strings.FieldsSeq(step) {
				name, value, _ := strings.Cut(field, "=")
				switch name {
				case "owner":
					record.Owner = value
				case "turn":
					record.Turn = value
				case "digest":
					record.Digest = value
				case "second":
					record.Occurrence = 2
				case "denied":
					deny(record)
				}
			}
			m.begin(record, how == "idempotent")
		case "finish":
			m.finish(place-1, results[how])
		case "confirm":
			seen := tooltrack.Confirmation{Sight: tooltrack.Sight(how), Found: []byte(`{"status":"open"}`), Reason: "it is open"}
			m.finish(place-1, m.begun[place-1].With(seen).Result)
		}
		m.everything()
	}
}
