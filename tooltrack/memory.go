package tooltrack

import (
	"cmp"
	"container/list"
	"context"
	"fmt"
	"slices"
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

	mu      sync.RWMutex
	records int
	bytes   int64
	seq     int64 // across owners, so that an owner that was forgotten does not start anew
	cursor  int64
	owners  map[string]*ownerRecords
	begun   map[int64]time.Duration // when each unfinished record was begun, by Seq
	idle    list.List               // turns without an unfinished call, the oldest first

	documents map[string][]Document // what waits for people, by owner, in the order in which it was first written
}

var _ ApprovalStore = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory(options *MemoryOptions) *Memory {
	options = cmp.Or(options, &MemoryOptions{})
	return &Memory{
		maxRecords: cmp.Or(max(options.MaxRecords, 0), 100_000), maxBytes: cmp.Or(max(options.MaxBytes, 0), 256<<20),
		since: time.Now(), owners: map[string]*ownerRecords{}, begun: map[int64]time.Duration{},
		documents: map[string][]Document{},
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
	owner := m.owner(record.Owner)
	turn := owner.turns[record.Turn]
	attempts := owner.attempts[attemptedBy(record)]
	if answer, err := Decide(record, attempts, rerun); answer != nil || err != nil {
		return Begun{Record: answer, Age: m.age(answer)}, err
	}
	record.Attempt = len(attempts) + 1
	if turn == nil {
		turn = &turnRecords{owner: owner, name: record.Turn}
		turn.records, owner.turns[turn.name] = turn.room[:0], turn
	}
	if err := m.insert(turn, record); err != nil {
		return Begun{}, err
	}
	return Begun{Record: record, Run: !record.Done() && !record.Held()}, nil
}

// age is how long ago an unfinished record was begun.
func (m *Memory) age(record *Record) time.Duration {
	if record == nil || record.Done() {
		return 0
	}
	return time.Since(m.since) - m.begun[record.Seq]
}

// insert makes room and files the record. Its turn is taken off the idle list first, so that
// making room cannot forget it.
func (m *Memory) insert(turn *turnRecords, stored *Record) error {
	m.busy(turn)
	size := sizeOf(stored)
	if err := m.evict(1, size); err != nil {
		m.settle(turn)
		return err
	}
	if owner := turn.owner; !owner.known {
		m.owners[owner.name], owner.known = owner, true
	}
	m.seq++
	stored.Seq = m.seq
	m.records++
	m.bytes += size
	turn.bytes += size
	turn.add(stored)
	if stored.Done() {
		m.complete(turn, stored)
	} else {
		turn.open++
		m.begun[stored.Seq] = time.Since(m.since)
	}
	m.settle(turn)
	return nil
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
func (m *Memory) replace(turn *turnRecords, place int, stored *Record) {
	before := turn.records[place]
	turn.replace(place, stored)
	grown := sizeOf(stored) - sizeOf(before)
	m.bytes += grown
	turn.bytes += grown
	switch {
	case before.Done():
		turn.owner.completed.drop(before.Cursor)
	case stored.Done():
		turn.open--
		delete(m.begun, before.Seq)
	default:
		m.begun[stored.Seq] = time.Since(m.since)
	}
	if stored.Done() {
		m.complete(turn, stored)
	}
	m.busy(turn)
	_ = m.evict(0, 0) // what ran is kept in any case
	m.settle(turn)
}

// Records implements [Store].
func (m *Memory) Records(ctx context.Context, query Query) ([]*Record, error) {
	if err := checkAsked(ctx, query.Owner); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	var found []*Record
	for _, turn := range m.owner(query.Owner).candidates(query) {
		found = turn.matching(found, query)
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
	completed := m.owner(owner).completed
	return slices.Clone(limited(completed[completed.search(after+1):], limit)), nil
}

func limited(records []*Record, limit int) []*Record {
	if limit > 0 && len(records) > limit {
		return records[:limit:limit]
	}
	return records
}

func (m *Memory) owner(name string) *ownerRecords {
	if owner := m.owners[name]; owner != nil {
		return owner
	}
	return &ownerRecords{name: name, turns: map[string]*turnRecords{}, attempts: map[attempted][]*Record{}}
}

// find returns the turn of a record and its place in it.
func (m *Memory) find(record *Record) (*turnRecords, int) {
	turn := m.owner(record.Owner).turns[record.Turn]
	if turn == nil {
		return nil, 0
	}
	bySeq := func(r *Record, seq int64) int { return cmp.Compare(r.Seq, seq) }
	place, isThere := slices.BinarySearchFunc(turn.records, record.Seq, bySeq)
	if !isThere {
		return nil, 0
	}
	return turn, place
}

func (m *Memory) complete(turn *turnRecords, stored *Record) {
	m.cursor++
	stored.Cursor = m.cursor
	turn.owner.completed = append(turn.owner.completed, stored)
}

// settle puts a turn on the idle list if all its calls are finished, and forgets one that never
// got a record.
func (m *Memory) settle(turn *turnRecords) {
	switch {
	case len(turn.records) == 0:
		turn.owner.forget(turn)
	case turn.open == 0:
		m.busy(turn)
		turn.idle = m.idle.PushBack(turn)
	}
}

// busy takes a turn off the idle list.
func (m *Memory) busy(turn *turnRecords) {
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
		turn := m.idle.Front().Value.(*turnRecords)
		m.busy(turn)
		m.records -= len(turn.records)
		m.bytes -= turn.bytes
		turn.owner.forget(turn)
		m.dropDocuments(turn.owner.name, func(d *Document) bool { return d.Turn == turn.name })
		if len(turn.owner.turns) == 0 {
			delete(m.owners, turn.owner.name)
		}
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
