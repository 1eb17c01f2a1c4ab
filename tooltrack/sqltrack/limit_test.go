package sqltrack_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestLimiter(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		db := newDatabase(t)
		limiter := db.store(t, nil).Limiter()
		rate := policy.Rate{Calls: 2, Per: time.Hour, Burst: 3}
		take := func(owner, tool string) time.Duration {
			t.Helper()
			wait, err := limiter.Take(t.Context(), owner, tool, rate)
			require.NoError(t, err)
			return wait
		}
		for range 3 {
			require.Zero(t, take("ann", "send"))
		}
		for range 3 { // who is refused spends nothing
			wait := take("ann", "send")
			require.Greater(t, wait, 29*time.Minute)
			require.LessOrEqual(t, wait, 30*time.Minute)
		}
		require.Zero(t, take("bob", "send"), "another owner")
		require.Zero(t, take("ann", "search"), "another tool")
		raw := db.open(t)
		_, err := raw.Exec("UPDATE bonafide_limits SET until = until - 1800000000 WHERE owner = 'ann' AND tool = 'send'") // half an hour passes
		require.NoError(t, err)
		require.Zero(t, take("ann", "send"))
		require.Positive(t, take("ann", "send"))
		_, err = raw.Exec("UPDATE bonafide_limits SET until = 0")
		require.NoError(t, err)
		for range 3 { // a long rest fills the burst, and no more
			require.Zero(t, take("ann", "send"))
		}
		require.Positive(t, take("ann", "send"))
	})
}

func TestLimiterRefusesNonsense(t *testing.T) {
	store := newSQLite(t).store(t, nil)
	_, err := store.Limiter().Take(t.Context(), "", "send", policy.Rate{Calls: 1, Per: time.Hour, Burst: 1})
	require.ErrorIs(t, err, tooltrack.ErrNoOwner)
	_, err = store.Limiter().Take(t.Context(), "a\x00", "send", policy.Rate{Calls: 1, Per: time.Hour, Burst: 1})
	require.ErrorContains(t, err, "NUL")
}

// limitSource is set in children only; see TestTwoProcessesHaveOneBudget.
const limitSource = "BONAFIDE_TEST_LIMIT_SOURCE"

// Two processes ask for 60 calls each, at the same time, of 40 that their owner has: 40
// are let through, and not one more or less.
func TestTwoProcessesHaveOneBudget(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		db := newDatabase(t)
		db.store(t, nil)
		var group sync.WaitGroup
		granted := make([]int, 2)
		for i := range granted {
			group.Go(func() {
				child := exec.Command(os.Args[0], "-test.run=^TestLimiterChild$", "-test.v")
				child.Env = append(os.Environ(), limitSource+"="+db.driver+" "+db.source)
				out, err := child.Output()
				if err != nil {
					t.Errorf("the child failed: %v\n%s", err, out)
				}
				lines := bufio.NewScanner(strings.NewReader(string(out)))
				for lines.Scan() {
					if lines.Text() == "granted" {
						granted[i]++
					}
				}
			})
		}
		group.Wait()
		require.Equal(t, 40, granted[0]+granted[1], "%v", granted)
	})
}

func TestLimiterChild(t *testing.T) {
	db, started := databaseIn(limitSource)
	if !started {
		t.Skip("this is the child of TestTwoProcessesHaveOneBudget, which starts it")
	}
	limiter := db.store(t, nil).Limiter()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 15 {
				wait, err := limiter.Take(t.Context(), "ann", "send", policy.Rate{Calls: 40, Per: 24 * time.Hour, Burst: 40})
				switch {
				case err != nil:
					t.Error(err)
				case wait == 0:
					fmt.Println("granted")
				}
			}
		})
	}
	group.Wait()
}
