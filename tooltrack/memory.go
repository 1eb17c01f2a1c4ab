package tooltrack

import (
	"cmp"
	"container/list"
	"context"
	"fmt"
	"slices"
	"sort"
	"sync"
	"time"
)

// MemoryOptions bound a [Memory]. Nil and zero fields are the defaults.
type MemoryOptions struct {
	// MaxRecords is the number of records kept; default 100,000.
	MaxRecords int
	// MaxBytes bounds the estimated size of what is kept; default 256 MiB. The result of a call
	// that is already running is taken in any case, and older turns make room for it.
	MaxBytes int64
}

// Memory is a bounded [Store] in memory, for tests, for single processes and for those who keep
// their records elsewhere. When it is full it forgets the turns that were finished longest ago,
// whole, and their protection against repeats. It never forgets a turn with a call that is not
// finished, and refuses Begin with [ErrFull] instead.
type Memory struct {
	maxRecords int
	maxBytes   int64
	since      time.Time // the store's clock counts from here

	mu          sync.RWMutex
	records     int
	bytes       int64
	seq, cursor int64                   // across owners, so that one that was forgotten does not start anew
	begun       map[int64]time.Duration // when each unfinished record was begun, by Seq
	idle        list.List               // turns without an unfinished call, the oldest first
	turns       map[heading][]*memoryTurn
	attempts    map[attempted][]*Record // in their order
	completed   map[string][]*Record    // by owner, in the order of Cursor
	documents   map[string][]Document   // what waits for people, by owner, in the order in which it was first written
}

// memoryTurn are the records of one turn in the order of Seq.
type memoryTurn struct {
	records  []*Record
	headings []heading     // under which it is filed
	open     int           // records that are not finished
	idle     *list.Element // its place on the idle list; nil if it is not there
}

// heading is what turns are filed under: one name of their scope.
type heading struct{ owner, kind, name string }

// headingsOf are the headings of a scope, the narrowest first.
func headingsOf(s *Scope) [4]heading {
	return [4]heading{
		{s.Owner, "turn", s.Turn}, {s.Owner, "task", s.Task}, {s.Owner, "conversation", s.Conversation},
		{s.Owner, "owner", s.Owner},
	}
}

// attempted is what a record is an attempt at. A host's key, which has a digest, is for all turns.
type attempted struct {
	owner, turn, key string
	occurrence       int
}

func attemptedBy(r *Record) attempted {
	if r.Digest != "" {
		return attempted{owner: r.Owner, key: r.Key}
	}
	return attempted{r.Owner, r.Turn, r.Key, r.Occurrence}
}

var _ ApprovalStore = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory(options *MemoryOptions) *Memory {
	options = cmp.Or(options, &MemoryOptions{})
	return &Memory{
		maxRecords: cmp.Or(max(options.MaxRecords, 0), 100_000), maxBytes: cmp.Or(max(options.MaxBytes, 0), 256<<20),
		since: time.Now(), begun: map[int64]time.Duration{}, turns: map[heading][]*memoryTurn{},
		attempts: map[attempted][]*Record{}, completed: map[string][]*Record{}, documents: map[string][]Document{},
	}
}

// checkAsked is what every method asks first.
func checkAsked(ctx context.Context, owner string) error {
	if owner == "" {
		return ErrNoOwner
	}
	return ctx.Err()
}

// Begin implements [Store].
func (m *Memory) Begin(ctx context.Context, record *Record, rerun bool) (Begun, error) {
	if err := checkAsked(ctx, record.Owner); err != nil {
		return Begun{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.begin(record, rerun)
}

// begin is Begin under the lock.
func (m *Memory) begin(record *Record, rerun bool) (Begun, error) {
	attempts := m.attempts[attemptedBy(record)]
	if answer, err := Decide(record, attempts, rerun); answer != nil || err != nil {
		return Begun{Record: answer, Age: m.age(answer)}, err
	}
	record.Attempt = len(attempts) + 1
	turn := m.turn(record)
	m.busy(turn) // so that making room cannot forget it
	defer m.settle(turn)
	if err := m.evict(1, sizeOf(record)); err != nil {
		return Begun{}, err
	}
	m.seq++
	record.Seq = m.seq
	m.records++
	turn.records = append(turn.records, record)
	for _, under := range headingsOf(&record.Scope) {
		if !slices.Contains(turn.headings, under) {
			m.turns[under], turn.headings = append(m.turns[under], turn), append(turn.headings, under)
		}
	}
	m.index(turn, record)
	return Begun{Record: record, Run: !record.Done() && !record.Held()}, nil
}

// age is how long ago an unfinished record was begun.
func (m *Memory) age(record *Record) time.Duration {
	if record == nil || record.Done() {
		return 0
	}
	return time.Since(m.since) - m.begun[record.Seq]
}

// Finish implements [Store].
func (m *Memory) Finish(ctx context.Context, record *Record) (*Record, error) {
	if err := checkAsked(ctx, record.Owner); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	turn, place := m.find(record)
	if turn == nil {
		return nil, ErrNoRecord
	}
	stored, err := record.Completing(turn.records[place])
	if err == nil {
		m.replace(turn, place, stored)
	}
	return stored, err
}

// replace puts a record in the place of one that was begun, or is settled only now.
func (m *Memory) replace(turn *memoryTurn, place int, stored *Record) {
	m.drop(turn, turn.records[place])
	turn.records[place] = stored
	m.index(turn, stored)
	m.busy(turn)
	_ = m.evict(0, 0) // what ran is kept in any case
	m.settle(turn)
}

// index makes a record of a turn one that is found and counted.
func (m *Memory) index(turn *memoryTurn, record *Record) {
	m.bytes += sizeOf(record)
	if at := attemptedBy(record); record.Key != "" {
		place, _ := bySeq(m.attempts[at], record.Seq)
		m.attempts[at] = slices.Insert(m.attempts[at], place, record)
	}
	if !record.Done() {
		turn.open++
		m.begun[record.Seq] = time.Since(m.since)
		return
	}
	m.cursor++
	record.Cursor = m.cursor
	m.completed[record.Owner] = append(m.completed[record.Owner], record)
}

// drop undoes index.
func (m *Memory) drop(turn *memoryTurn, record *Record) {
	m.bytes -= sizeOf(record)
	remove(m.attempts, attemptedBy(record), record)
	if record.Done() {
		remove(m.completed, record.Owner, record)
		return
	}
	turn.open--
	delete(m.begun, record.Seq)
}

// remove takes one thing off a list. It is nearly always the first, since the oldest are forgotten
// first, or one of the last, which are settled.
func remove[K comparable, T any](lists map[K][]*T, key K, one *T) {
	list := lists[key]
	at := len(list) - 1
	for at > 0 && list[0] != one && list[at] != one {
		at--
	}
	switch {
	case len(list) == 0, list[0] != one && list[at] != one:
	case len(list) == 1:
		delete(lists, key)
	case list[0] == one:
		list[0], lists[key] = nil, list[1:]
	default:
		lists[key] = slices.Delete(list, at, at+1)
	}
}

// Records implements [Store].
func (m *Memory) Records(ctx context.Context, query Query) ([]*Record, error) {
	if err := checkAsked(ctx, query.Owner); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	headings := headingsOf(&query.Scope)
	narrowest := slices.IndexFunc(headings[:], func(h heading) bool { return h.name != "" })
	var found []*Record
	for _, turn := range m.turns[headings[narrowest]] {
		for _, record := range turn.records {
			if record.Seq > query.After && (query.Conversation == "" || query.Conversation == record.Conversation) &&
				(query.Task == "" || query.Task == record.Task) {
				found = append(found, record)
			}
		}
	}
	slices.SortFunc(found, func(a, b *Record) int { return cmp.Compare(a.Seq, b.Seq) })
	return limited(found, query.Limit), nil
}

// Completed implements [Store].
func (m *Memory) Completed(ctx context.Context, owner string, after int64, limit int) ([]*Record, error) {
	if err := checkAsked(ctx, owner); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	completed := m.completed[owner]
	begins := sort.Search(len(completed), func(i int) bool { return completed[i].Cursor > after })
	return slices.Clone(limited(completed[begins:], limit)), nil
}

func limited(records []*Record, limit int) []*Record {
	if limit > 0 && len(records) > limit {
		return records[:limit:limit]
	}
	return records
}

// turn is the one of a record; a new one if there is none.
func (m *Memory) turn(record *Record) *memoryTurn {
	if found := m.turns[headingsOf(&record.Scope)[0]]; found != nil {
		return found[0]
	}
	return &memoryTurn{}
}

// find returns the turn of a record and its place in it.
func (m *Memory) find(record *Record) (*memoryTurn, int) {
	turn := m.turn(record)
	place, isThere := bySeq(turn.records, record.Seq)
	if !isThere {
		return nil, 0
	}
	return turn, place
}

func bySeq(records []*Record, seq int64) (place int, isThere bool) {
	return slices.BinarySearchFunc(records, seq, func(r *Record, seq int64) int { return cmp.Compare(r.Seq, seq) })
}

// settle puts a turn on the idle list if all its calls are finished.
func (m *Memory) settle(turn *memoryTurn) {
	if turn.open == 0 && len(turn.records) > 0 {
		turn.idle = m.idle.PushBack(turn)
	}
}

// busy takes a turn off the idle list.
func (m *Memory) busy(turn *memoryTurn) {
	if turn.idle != nil {
		m.idle.Remove(turn.idle)
		turn.idle = nil
	}
}

// evict forgets the oldest idle turns until the additional records and bytes fit. If nothing is
// left to forget, it says what is full.
func (m *Memory) evict(records int, bytes int64) error {
	for m.records+records > m.maxRecords || m.bytes+bytes > m.maxBytes {
		if m.idle.Len() == 0 {
			limit := fmt.Sprintf("%d bytes", m.maxBytes)
			if m.records+records > m.maxRecords {
				limit = fmt.Sprintf("%d records", m.maxRecords)
			}
			return fmt.Errorf("%w: %s are in use; finish calls, raise the limit, or use a database store", ErrFull, limit)
		}
		turn := m.idle.Front().Value.(*memoryTurn)
		m.busy(turn)
		m.records -= len(turn.records)
		for _, record := range turn.records {
			m.drop(turn, record)
		}
		for _, under := range turn.headings {
			remove(m.turns, under, turn)
		}
		scope := turn.records[0].Scope
		m.dropDocuments(scope.Owner, func(d *Document) bool { return d.Turn == scope.Turn })
	}
	return nil
}

func sizeOf(record *Record) int64 {
	const overhead = 1024 // the struct and its share of the indexes, rounded up
	size := overhead + len(record.Owner) + len(record.Conversation) + len(record.Task) + len(record.Turn) +
		len(record.ID) + len(record.Tool) + len(record.Args) + len(record.Key) + len(record.Digest) +
		len(record.Ruling.Rewritten) + len(record.Ruling.Rule) + len(record.Ruling.Reason) +
		len(record.Result.Data) + 2*len(record.Result.Error) + 64*len(record.Result.Metadata) + len(record.RetryReason) +
		len(record.Message)
	if seen := record.Result.Confirmation; seen != nil {
		size += len(seen.Found) + len(seen.Reason)
	}
	for _, subject := range record.Touched {
		size += 48 + len(subject.Kind) + len(subject.ID) + len(subject.Title)
	}
	return int64(size)
}
