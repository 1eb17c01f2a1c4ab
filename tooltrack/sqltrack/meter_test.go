package sqltrack_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestMeter(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		db := newDatabase(t)
		var group sync.WaitGroup
		for range 2 {
			meter := db.store(t, nil).Meter()
			for range 20 {
				group.Go(func() {
					if _, err := meter.Add(t.Context(), "ann", "", policy.Spending{Tokens: 3, Micros: 5}); err != nil {
						t.Error(err)
					}
				})
			}
		}
		group.Wait()
		meter := db.store(t, nil).Meter()
		sum := func(owner, turn string) policy.Spending {
			t.Helper()
			sum, err := meter.Add(t.Context(), owner, turn, policy.Spending{})
			require.NoError(t, err)
			return sum
		}
		require.Equal(t, policy.Spending{Tokens: 120, Micros: 200}, sum("ann", ""))
		require.Zero(t, sum("bob", ""), "another owner")
		require.Zero(t, sum("ann", "m1"), "a turn is kept apart")
		_, err := db.open(t).Exec("UPDATE bonafide_spent SET day = day - 1") // a day passes
		require.NoError(t, err)
		require.Zero(t, sum("ann", ""))
		_, err = meter.Add(t.Context(), "", "", policy.Spending{})
		require.ErrorIs(t, err, tooltrack.ErrNoOwner)
	})
}
