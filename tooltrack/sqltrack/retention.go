package sqltrack

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// ErrKept is returned by [Store.Erase] for an owner of whom something is kept.
var ErrKept = errors.New("something of this owner is kept; release it first")

// PruneOptions say what [Store.Prune] removes.
type PruneOptions struct {
	// OlderThan is how long ago a call was begun, by the database's clock. It must be positive.
	OlderThan time.Duration
	// Owner is whose records are looked at. Default: those of all owners.
	Owner string
	// Batch is how many records one transaction removes. Default 500.
	Batch int
	// Reason is written down beside what was removed.
	Reason string
}

// Removal is what one Prune, Erase, Keep or Release has done. The store writes each down.
type Removal struct {
	// ID numbers them, and At is when it was, by the database's clock.
	ID int64
	At time.Time
	// Action is "prune", "erase", "keep" or "release".
	Action string
	// Owner is the [OwnerDigest] of whose records it was about; empty for all.
	Owner string
	// Before is the time up to which calls were removed; zero where age did not matter.
	Before time.Time
	// Records and Documents (approvals, grants and paused turns) are how many are gone.
	Records, Documents int64
	// Reason is what the host gave.
	Reason string
}

// OwnerDigest is how removals name an owner, whose own name may have to be forgotten.
func OwnerDigest(owner string) string {
	if owner == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(owner))
	return hex.EncodeToString(sum[:16])
}

// pruneRecords removes the records among some numbers that may go: those that are complete
// for good, in no turn that something waits in, and not kept.
var pruneRecords = "DELETE FROM bonafide_records WHERE owner = ? AND seq >= ? AND seq < ? AND begun_at < ? AND " +
	"finished <> 0 AND status IN (?, ?, ?) AND NOT EXISTS (SELECT 1 FROM bonafide_waiting w WHERE " +
	"w.owner = bonafide_records.owner AND w.turn = bonafide_records.turn AND w.is_open = 1)" + notKept("records")

// pruneDocuments removes those that nothing is to come of any more.
var pruneDocuments = "DELETE FROM bonafide_waiting WHERE owner = ? AND is_open = 0 AND written < ?" + notKept("waiting")

// notKept asks twice, for the conversation and for all, so that an index answers each.
func notKept(table string) (condition string) {
	for _, conversation := range []string{"''", "bonafide_" + table + ".conversation"} {
		condition += " AND NOT EXISTS (SELECT 1 FROM bonafide_kept k WHERE k.owner = bonafide_" + table +
			".owner AND k.conversation = " + conversation + ")"
	}
	return condition
}

// firstYoung is the number of the first record that is too young. Records are numbered by
// the database's clock, so that only those before it have to be looked at.
const (
	firstYoung = "SELECT seq FROM bonafide_records WHERE owner = ? AND begun_at >= ? ORDER BY seq LIMIT 1"
	nextRecord = "SELECT COALESCE(MIN(seq), 0) FROM bonafide_records WHERE owner = ? AND seq >= ?"
)

// Prune removes what is older, in small transactions, so that nobody has to wait for it.
// What is unfinished, pending or of unknown fate, what is in a turn that waits for approval,
// and what [Store.Keep] holds stays. A turn whose records are gone is not known any more: if
// it is run again, it is a new one. What was removed is returned and written down, also
// where an error, or the end of the context, has cut it short.
func (s *Store) Prune(ctx context.Context, options PruneOptions) (removal Removal, err error) {
	if options.OlderThan <= 0 {
		return removal, fmt.Errorf("option OlderThan is %v; give the age from which on records may go", options.OlderThan)
	}
	if options.Batch <= 0 {
		options.Batch = 500
	}
	var now int64
	if err := s.one(ctx, "SELECT "+s.dialect.now(), nil, &now); err != nil {
		return removal, err
	}
	before := now - options.OlderThan.Milliseconds()
	removal = Removal{
		Action: "prune", Owner: OwnerDigest(options.Owner), Before: time.UnixMilli(before).UTC(), Reason: options.Reason,
	}
	defer func() { err = errors.Join(err, s.writeDown(context.WithoutCancel(ctx), &removal)) }()
	if options.Owner != "" {
		return removal, s.pruneOwner(ctx, options.Owner, before, int64(options.Batch), &removal)
	}
	for owner := ""; ; {
		err := s.one(ctx, "SELECT owner FROM bonafide_owners WHERE owner > ? ORDER BY owner LIMIT 1", []any{owner}, &owner)
		if errors.Is(err, sql.ErrNoRows) {
			return removal, nil
		}
		if err == nil {
			err = s.pruneOwner(ctx, owner, before, int64(options.Batch), &removal)
		}
		if err != nil {
			return removal, err
		}
	}
}

func (s *Store) pruneOwner(ctx context.Context, owner string, before, batch int64, removal *Removal) error {
	end := int64(math.MaxInt64)
	if err := s.one(ctx, firstYoung, []any{owner, before}, &end); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	for next := int64(1); next > 0 && next < end; {
		err := s.withOwner(ctx, owner, func(tx *transaction) error {
			if err := tx.row(nextRecord, owner, next)(&next); err != nil || next == 0 {
				return err
			}
			last := min(end, next+batch)
			records, err := tx.exec(pruneRecords, owner, next, last, before, int64(tooltrack.Succeeded),
				int64(tooltrack.Failed), int64(tooltrack.Denied))
			removal.Records, next = removal.Records+records, last
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.withOwner(ctx, owner, func(tx *transaction) error {
		documents, err := tx.exec(pruneDocuments, owner, before)
		removal.Documents += documents
		if err == nil {
			_, err = tx.exec("DELETE FROM bonafide_limits WHERE owner = ? AND until < ?", owner, before*1000)
		}
		if err == nil {
			_, err = tx.exec("DELETE FROM bonafide_spent WHERE owner = ? AND day < ?", owner, before/86400000)
		}
		return err
	})
}

// Erase removes everything of an owner: records, approvals, grants and paused turns, rates
// and what was spent. An owner of whom something is kept is refused with [ErrKept]. A call
// that still runs then finds no record to complete.
func (s *Store) Erase(ctx context.Context, owner, reason string) (removal Removal, err error) {
	if owner == "" {
		return removal, tooltrack.ErrNoOwner
	}
	removal = Removal{Action: "erase", Owner: OwnerDigest(owner), Reason: reason}
	err = s.withOwner(ctx, owner, func(tx *transaction) error {
		var kept int64
		if err := tx.row("SELECT COUNT(*) FROM bonafide_kept WHERE owner = ?", owner)(&kept); err != nil || kept > 0 {
			return errors.Join(err, ErrKept)
		}
		for _, table := range []struct {
			name string
			sum  *int64
		}{
			{"records", &removal.Records}, {"waiting", &removal.Documents}, {"limits", new(int64)}, {"spent", new(int64)},
			{"owners", new(int64)},
		} {
			if *table.sum, err = tx.exec("DELETE FROM bonafide_"+table.name+" WHERE owner = ?", owner); err != nil {
				return err
			}
		}
		return tx.writeDown(&removal)
	})
	return removal, err
}

// Keep holds the records of an owner, as a court may order: of one conversation, or of all
// where none is named. Neither Prune nor Erase removes them until [Store.Release].
func (s *Store) Keep(ctx context.Context, owner, conversation, reason string) error {
	return s.hold(ctx, Removal{Action: "keep", Reason: reason}, owner, "INSERT INTO bonafide_kept (owner, conversation, "+
		"reason, since) VALUES (?, ?, ?, "+s.dialect.now()+") ON CONFLICT (owner, conversation) DO NOTHING",
		owner, conversation, reason)
}

// Release ends what [Store.Keep] began with the same names.
func (s *Store) Release(ctx context.Context, owner, conversation, reason string) error {
	return s.hold(ctx, Removal{Action: "release", Reason: reason}, owner,
		"DELETE FROM bonafide_kept WHERE owner = ? AND conversation = ?", owner, conversation)
}

func (s *Store) hold(ctx context.Context, what Removal, owner, statement string, args ...any) error {
	if owner == "" {
		return tooltrack.ErrNoOwner
	}
	what.Owner = OwnerDigest(owner)
	return s.withOwner(ctx, owner, func(tx *transaction) error {
		if _, err := tx.exec(statement, args...); err != nil {
			return err
		}
		return tx.writeDown(&what)
	})
}

// Removals returns what was removed, kept and released after one of them, oldest first.
func (s *Store) Removals(ctx context.Context, after int64) (removals []Removal, err error) {
	err = s.read(ctx, func(r *reader) error {
		removals, err = all(r, scanRemoval, "SELECT id, at, action, owner, before, records, documents, reason "+
			"FROM bonafide_removals WHERE id > ? ORDER BY id", after)
		return err
	})
	return removals, err
}

func scanRemoval(row func(...any) error) (r Removal, err error) {
	var at, before int64
	err = row(&r.ID, &at, &r.Action, &r.Owner, &before, &r.Records, &r.Documents, &r.Reason)
	if r.At = time.UnixMilli(at).UTC(); before != 0 {
		r.Before = time.UnixMilli(before).UTC()
	}
	return r, err
}

// withOwner runs a step in a transaction of its own that has locked the owner, as every
// writer does; without one, nobody is locked.
func (s *Store) withOwner(ctx context.Context, owner string, step func(*transaction) error) error {
	err, _ := s.inTransaction(ctx, func(tx *transaction) error {
		if owner != "" {
			if _, err := tx.lock(owner); err != nil {
				return err
			}
		}
		return step(tx)
	})
	return discreet(err)
}

func (s *Store) writeDown(ctx context.Context, removal *Removal) error {
	return s.withOwner(ctx, "", func(tx *transaction) error { return tx.writeDown(removal) })
}

func (tx *transaction) writeDown(r *Removal) error {
	before := int64(0)
	if !r.Before.IsZero() {
		before = r.Before.UnixMilli()
	}
	var at int64
	err := tx.row("INSERT INTO bonafide_removals (at, action, owner, before, records, documents, reason) VALUES ("+
		tx.dialect.now()+", ?, ?, ?, ?, ?, ?) RETURNING id, at", r.Action, r.Owner, before, r.Records, r.Documents,
		r.Reason)(&r.ID, &at)
	r.At = time.UnixMilli(at).UTC()
	return err
}
