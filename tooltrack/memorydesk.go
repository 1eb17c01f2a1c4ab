package tooltrack

import (
	"context"
	"slices"
	"time"
)

// Atomically implements [ApprovalStore].
func (m *Memory) Atomically(ctx context.Context, owner string, step func(Desk) error) error {
	if err := checkAsked(ctx, owner); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return step(&memoryDesk{m, owner})
}

// Documents implements [ApprovalStore].
func (m *Memory) Documents(ctx context.Context, query DocumentQuery) ([]Document, time.Time, error) {
	if err := ctx.Err(); err != nil {
		return nil, time.Time{}, err
	}
	if query.Owner == "" && !query.AllOwners {
		return nil, time.Time{}, ErrNoOwner
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.matching(query), m.now(), nil
}

// now is the store's clock: it goes on evenly, whatever is done to that of the machine.
func (m *Memory) now() time.Time { return m.since.Add(time.Since(m.since)).UTC().Round(0) }

func (m *Memory) matching(query DocumentQuery) (found []Document) {
	for owner, documents := range m.documents {
		if owner != query.Owner && !query.AllOwners {
			continue
		}
		for i := range documents {
			if query.Matches(&documents[i]) {
				found = append(found, documents[i])
			}
		}
	}
	return found
}

// dropDocuments forgets some documents of an owner.
func (m *Memory) dropDocuments(owner string, which func(*Document) bool) {
	kept := slices.DeleteFunc(m.documents[owner], func(d Document) bool {
		if which(&d) {
			m.bytes -= int64(len(d.Data))
			return true
		}
		return false
	})
	if m.documents[owner] = kept; len(kept) == 0 {
		delete(m.documents, owner)
	}
}

// memoryDesk is the desk of one owner, under the lock of the store.
type memoryDesk struct {
	store *Memory
	owner string
}

func (d *memoryDesk) Now() (time.Time, error) { return d.store.now(), nil }

func (d *memoryDesk) Begin(record *Record, rerun bool) (Begun, error) {
	return d.store.begin(record, rerun)
}

func (d *memoryDesk) Record(turn string, seq int64) (*Record, error) {
	found, place := d.store.find(&Record{Seq: seq, Scope: Scope{Owner: d.owner, Turn: turn}})
	if found == nil {
		return nil, ErrNoRecord
	}
	return found.records[place], nil
}

func (d *memoryDesk) Attempts(record *Record) ([]*Record, error) {
	return d.store.attempts[attemptedBy(record)], nil
}

func (d *memoryDesk) Release(record *Record) (*Record, error) {
	m := d.store
	turn, place := m.find(record)
	if turn == nil {
		return nil, ErrNoRecord
	}
	if !turn.records[place].Held() {
		return nil, ErrFinished
	}
	stored := *record
	m.replace(turn, place, &stored)
	return &stored, nil
}

func (d *memoryDesk) Documents(query DocumentQuery) ([]Document, error) {
	query.Owner, query.AllOwners = d.owner, false
	return d.store.matching(query), nil
}

func (d *memoryDesk) Put(document Document) error {
	document.Owner = d.owner
	d.store.bytes += int64(len(document.Data))
	documents := d.store.documents[d.owner]
	for i := range documents {
		if other := &documents[i]; other.Kind == document.Kind && other.ID == document.ID {
			d.store.bytes -= int64(len(other.Data))
			documents[i] = document
			return nil
		}
	}
	d.store.documents[d.owner] = append(documents, document)
	return nil
}

func (d *memoryDesk) Drop(kind, id string) error {
	d.store.dropDocuments(d.owner, func(other *Document) bool { return other.Kind == kind && other.ID == id })
	return nil
}
