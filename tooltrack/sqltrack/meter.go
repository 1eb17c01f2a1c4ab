package sqltrack

import (
	"context"
	"errors"
	"fmt"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Meter returns the meter of all processes that share the database: what an owner has spent today
// is one sum, and the day is that of the database's clock. It is good as long as the *sql.DB is.
func (s *Store) Meter() policy.Meter { return meter{s} }

type meter struct{ store *Store }

// addSpent is one statement, like that of the limiter.
func addSpent(dialect Dialect) string {
	return "INSERT INTO bonafide_spent (owner, turn, day, tokens, money) VALUES (?, ?, " + dialect.now() +
		" / 86400000, ?, ?) ON CONFLICT (owner, turn, day) DO UPDATE SET tokens = bonafide_spent.tokens + excluded.tokens, " +
		"money = bonafide_spent.money + excluded.money RETURNING tokens, money"
}

// Add implements [policy.Meter].
func (m meter) Add(ctx context.Context, owner, turn string, spent policy.Spending) (sum policy.Spending, err error) {
	if owner == "" {
		return sum, tooltrack.ErrNoOwner
	}
	if !isStorable(owner, turn) {
		return sum, errors.New("the owner or the turn holds a NUL or invalid UTF-8; replace such characters")
	}
	args := []any{owner, turn, spent.Tokens, spent.Micros}
	if err := m.store.one(ctx, addSpent(m.store.dialect), args, &sum.Tokens, &sum.Micros); err != nil {
		return sum, fmt.Errorf("adding to what is spent in the %v database: %w", m.store.dialect, err)
	}
	return sum, nil
}
