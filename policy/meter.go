package policy

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Meter adds up what owners spend in a day. The one of [NewMeter] knows this process
// alone; replicas share one such as that of package sqltrack.
type Meter interface {
	// Add adds to what an owner has spent today, and returns the sum; adding nothing asks
	// for it. The day is that of the meter's own clock, in UTC. Where a turn is named, the sum
	// is that of the turn, which is kept apart. It is safe for concurrent use, and ends with
	// its context.
	Add(ctx context.Context, owner, turn string, spent Spending) (Spending, error)
}

// Spending is what was spent on models: tokens of both directions, and millionths of the
// currency in which the host gives its prices.
type Spending struct {
	Tokens, Micros int64
}

// Plus is the sum of two.
func (s Spending) Plus(more Spending) Spending {
	return Spending{s.Tokens + more.Tokens, s.Micros + more.Micros}
}

// maxMetered bounds the owners and turns that one process keeps the sums of.
const maxMetered = 1 << 16

type processMeter struct {
	clock func() time.Time

	mu   sync.Mutex
	day  int64
	sums map[[2]string]Spending
}

// NewMeter returns a meter for one process, in bounded memory. A nil clock is time.Now.
func NewMeter(clock func() time.Time) Meter {
	if clock == nil {
		clock = time.Now
	}
	return &processMeter{clock: clock, sums: map[[2]string]Spending{}}
}

var errTooManyOwners = errors.New("more owners and turns spend today than one process keeps the sums of; share a Meter")

// Add implements [Meter].
func (m *processMeter) Add(ctx context.Context, owner, turn string, spent Spending) (Spending, error) {
	if err := ctx.Err(); err != nil {
		return Spending{}, err
	}
	today := m.clock().Unix() / (24 * 3600)
	m.mu.Lock()
	defer m.mu.Unlock()
	if today > m.day {
		m.day = today
		clear(m.sums)
	}
	key := [2]string{owner, turn}
	sum := m.sums[key].Plus(spent)
	if _, known := m.sums[key]; !known && len(m.sums) >= maxMetered {
		return sum, errTooManyOwners
	}
	if spent != (Spending{}) {
		m.sums[key] = sum
	}
	return sum, nil
}
