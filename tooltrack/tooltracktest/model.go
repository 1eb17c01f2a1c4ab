package tooltracktest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestModel runs random sequences of operations against the store and against
// a list of records, and compares every answer. The seeds are printed with a
// failure; the same seed makes the same sequence.
func TestModel(t *testing.T, open func(testing.TB) tooltrack.Store, sequences, steps int) {
	for seed := range uint64(sequences) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0)) // #nosec G404 -- a test must be able to repeat it
			run := &modelRun{t: t, store: open(t), random: random}
			for range steps {
				run.step()
				if t.Failed() {
					t.Fatalf("seed %d: the store and the model part here", seed)
				}
			}
		})
	}
}

// modelRun is a store and what a store is said to be: a list.
type modelRun struct {
	t      *testing.T
	store  tooltrack.Store
	random *rand.Rand
	model  []*tooltrack.Record // in the order of Begin
	done   []*tooltrack.Record // in the order of completion
}

func (m *modelRun) pick(options ...string) string { return options[m.random.IntN(len(options))] }

func (m *modelRun) step() {
	switch m.random.IntN(10) {
	case 0, 1, 2, 3:
		m.begin()
	case 4, 5, 6:
		m.finish()
	case 7, 8:
		m.query()
	default:
		m.completed()
	}
}

func (m *modelRun) begin() {
	record := proposal(m.pick("ann", "bob"), m.pick("t1", "t2", "t3"), m.pick("k1", "k2", "k3", ""))
	record.Conversation, record.Task = m.pick("", "c1", "c2"), m.pick("", "x1", "x2")
	record.Occurrence = 1 + m.random.IntN(2)
	if m.random.IntN(6) == 0 {
		record.Key, record.Digest = m.pick("host:1", "host:2"), m.pick("d", "d", "d", "e")
		record.Occurrence = 1
	}
	if m.random.IntN(6) == 0 {
		denied(record)
	}
	rerun := m.random.IntN(4) == 0
	attempts := m.attempts(record)
	got, err := m.store.Begin(m.t.Context(), record, rerun)
	if len(attempts) > 0 && attempts[0].Digest != record.Digest {
		assert.ErrorIs(m.t, err, tooltrack.ErrKeyReused)
		return
	}
	if !assert.NoError(m.t, err) {
		return
	}
	answer, run := tooltrack.Decide(attempts, rerun)
	if !run && !record.Done() {
		assert.False(m.t, got.Run)
		assert.Equal(m.t, answer.Seq, got.Record.Seq, "the record that answers")
		assert.Equal(m.t, answer.Result.Status, got.Record.Result.Status)
		return
	}
	assert.Equal(m.t, !record.Done(), got.Run)
	assert.Equal(m.t, len(attempts)+1, got.Record.Attempt)
	m.model = append(m.model, got.Record)
	if got.Record.Done() {
		m.done = append(m.done, got.Record)
	}
}

func (m *modelRun) attempts(record *tooltrack.Record) []*tooltrack.Record {
	var attempts []*tooltrack.Record
	for _, other := range m.model {
		sameCall := other.Key == record.Key && other.Occurrence == record.Occurrence && other.Turn == record.Turn
		if record.Digest != "" {
			sameCall = other.Key == record.Key
		}
		if record.Key != "" && other.Owner == record.Owner && sameCall {
			attempts = append(attempts, other)
		}
	}
	return attempts
}

func (m *modelRun) finish() {
	if len(m.model) == 0 {
		return
	}
	place := m.random.IntN(len(m.model))
	before := m.model[place]
	result := tooltrack.Result{Status: tooltrack.Status(m.random.IntN(5)), Error: m.pick("", "boom")}
	got, err := m.store.Finish(m.t.Context(), completed(before, result))
	final := before.Done() && before.Result.Status != tooltrack.Unknown && before.Result.Status != tooltrack.Pending
	if final {
		if assert.ErrorIs(m.t, err, tooltrack.ErrFinished) && assert.NotNil(m.t, got) {
			assert.Equal(m.t, before.Result.Status, got.Result.Status)
		}
		return
	}
	if !assert.NoError(m.t, err) {
		return
	}
	assert.Equal(m.t, before.Seq, got.Seq)
	assert.Equal(m.t, result.Status, got.Result.Status)
	assert.True(m.t, got.Done())
	m.model[place] = got
	m.done = append(slices.DeleteFunc(m.done, func(r *tooltrack.Record) bool { return r == before }), got)
}

func (m *modelRun) query() {
	query := tooltrack.Query{Scope: tooltrack.Scope{
		Owner: m.pick("ann", "bob"), Conversation: m.pick("", "", "c1", "c2"), Task: m.pick("", "", "x1"),
		Turn: m.pick("", "", "t1", "t2"),
	}, Limit: m.random.IntN(4)}
	if len(m.model) > 0 && m.random.IntN(3) == 0 {
		query.After = m.model[m.random.IntN(len(m.model))].Seq
	}
	var want []*tooltrack.Record
	for _, record := range m.model {
		if fits(record, query) && (query.Limit == 0 || len(want) < query.Limit) {
			want = append(want, record)
		}
	}
	got, err := m.store.Records(m.t.Context(), query)
	m.compare(fmt.Sprintf("Records(%+v)", query), got, want, err)
}

func fits(record *tooltrack.Record, query tooltrack.Query) bool {
	return record.Owner == query.Owner && record.Seq > query.After &&
		(query.Turn == "" || query.Turn == record.Turn) &&
		(query.Task == "" || query.Task == record.Task) &&
		(query.Conversation == "" || query.Conversation == record.Conversation)
}

func (m *modelRun) completed() {
	owner, limit, after := m.pick("ann", "bob"), m.random.IntN(4), int64(0)
	if len(m.done) > 0 {
		after = m.done[m.random.IntN(len(m.done))].Cursor
	}
	var want []*tooltrack.Record
	for _, record := range m.done {
		if record.Owner == owner && record.Cursor > after && (limit == 0 || len(want) < limit) {
			want = append(want, record)
		}
	}
	got, err := m.store.Completed(m.t.Context(), owner, after, limit)
	m.compare(fmt.Sprintf("Completed(%s, %d, %d)", owner, after, limit), got, want, err)
}

func (m *modelRun) compare(what string, got, want []*tooltrack.Record, err error) {
	if !assert.NoError(m.t, err, what) || !assert.Len(m.t, got, len(want), what) {
		return
	}
	for i := range got {
		same(m.t, what, got[i], want[i])
	}
}
