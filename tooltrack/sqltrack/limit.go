package sqltrack

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Limiter returns the limiter of all processes that share the database: together they
// have one budget for each owner and tool, which goes by the database's clock. It is good
// as long as the *sql.DB is.
func (s *Store) Limiter() policy.Limiter { return limiter{s} }

type limiter struct{ store *Store }

// takeOne is one statement, so that no lock is held while anybody waits for the network.
// The row holds when the allowance is full again; a call moves that by the time after which
// one more is due, and is let through while the allowance is not overdrawn. Who is not let
// through moves nothing.
func takeOne(dialect Dialect) string {
	now := dialect.microseconds()
	next, latest := "bonafide_limits.until", "max"
	if dialect == PostgreSQL {
		latest = "GREATEST"
	}
	next = latest + "(" + next + ", " + now + ") + ?"
	fits := next + " <= " + now + " + ?"
	return "INSERT INTO bonafide_limits (owner, tool, until, granted) VALUES (?, ?, " + now + " + ?, 1) " +
		"ON CONFLICT (owner, tool) DO UPDATE SET until = CASE WHEN " + fits + " THEN " + next +
		" ELSE bonafide_limits.until END, granted = CASE WHEN " + fits + " THEN 1 ELSE 0 END " +
		"RETURNING granted, until - " + now
}

// microseconds is the database's own clock in microseconds since 1970, the same all
// through one statement.
func (d Dialect) microseconds() string {
	if d == SQLite {
		return "1000 * " + d.now()
	}
	return "CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000000 AS BIGINT)"
}

// Take implements [policy.Limiter].
func (l limiter) Take(ctx context.Context, owner, tool string, rate policy.Rate) (wait time.Duration, err error) {
	if owner == "" {
		return 0, tooltrack.ErrNoOwner
	}
	if !isStorable(owner, tool) {
		return 0, errors.New("the owner or the tool's name holds a NUL or invalid UTF-8; replace such characters")
	}
	step := max(1, (rate.Per.Microseconds()+int64(rate.Calls)-1)/int64(max(1, rate.Calls)))
	full := step * int64(max(1, rate.Burst))
	var granted, left int64
	err = l.store.one(ctx, takeOne(l.store.dialect), []any{owner, tool, step, step, full, step, step, full},
		&granted, &left)
	if err != nil {
		return 0, fmt.Errorf("asking the %v database for a rate: %w", l.store.dialect, err)
	}
	if granted == 1 {
		return 0, nil
	}
	return time.Duration(max(1, left+step-full)) * time.Microsecond, nil
}
