package sqltrack

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// What a child is told: the database, and for how long it works.
const scaleSource, scaleTime = "BONAFIDE_TEST_SCALE_SOURCE", "BONAFIDE_TEST_SCALE_TIME"

const scaleSchema = "bonafide_scale"

// BenchmarkScale measures a database with as many records as BONAFIDE_TEST_SCALE says: the plans
// of all statements, how long they take for 2 and 8 processes, and whether anything is lost or
// doubled while processes are killed in turn.
func BenchmarkScale(t *testing.B) {
	n, err := strconv.Atoi(os.Getenv("BONAFIDE_TEST_SCALE"))
	server := os.Getenv("BONAFIDE_TEST_POSTGRES")
	if err != nil || n <= 0 || server == "" {
		t.Skip("BONAFIDE_TEST_SCALE (a number of records) and BONAFIDE_TEST_POSTGRES are not set; set both to run this benchmark")
	}
	_, conn := oneConnection(t, PostgreSQL, "pgx", server, scaleSchema)
	require.NoError(t, migrate(t.Context(), conn, PostgreSQL))
	began := time.Now()
	fill(t, conn, PostgreSQL, n)
	must(t, conn, "INSERT INTO bonafide_owners SELECT owner, MAX(seq), MAX(cursor) FROM bonafide_records GROUP BY owner",
		"UPDATE bonafide_waiting SET is_open = 0 WHERE id NOT LIKE '%7'", "VACUUM ANALYZE")
	fmt.Printf("%d records written in %v\n", n, time.Since(began).Round(time.Second))
	for _, lookup := range lookups() {
		plan := explain(t, conn, PostgreSQL, lookup.statement, lookup.args)
		require.NotContains(t, plan, "Seq Scan", lookup.name)
	}
	for _, processes := range []int{2, 8} {
		work(t, server, processes, false)
	}
	work(t, server, 8, true)
	store := openScale(t, server)
	for _, owner := range []string{"owner1", "owner2"} {
		began = time.Now()
		removal, err := store.Prune(t.Context(), PruneOptions{OlderThan: time.Hour, Owner: owner})
		require.NoError(t, err)
		fmt.Printf("prune: %d records and %d documents of one owner in %v\n", removal.Records, removal.Documents, time.Since(began).Round(time.Millisecond))
	}
}

func openScale(t testing.TB, source string) *Store {
	t.Helper()
	address, err := url.Parse(source)
	require.NoError(t, err)
	query := address.Query()
	query.Set("search_path", scaleSchema)
	address.RawQuery = query.Encode()
	db, err := sql.Open("pgx", address.String())
	require.NoError(t, err)
	store, err := Open(t.Context(), db, PostgreSQL, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, store.Close())
		require.NoError(t, db.Close())
	})
	return store
}

// fleetWork is what the processes of one run have said.
type fleetWork struct {
	mu              sync.Mutex
	begun, finished map[string]string // turns, with their owners
	took            map[string][]time.Duration
}

// work lets processes write at the same time, and kills them in turn where it is to.
func work(t testing.TB, source string, processes int, kill bool) {
	t.Helper()
	all := &fleetWork{begun: map[string]string{}, finished: map[string]string{}, took: map[string][]time.Duration{}}
	const length = 10 * time.Second
	var group sync.WaitGroup
	began := time.Now()
	for i := range processes {
		group.Go(func() {
			for at := 0; time.Since(began) < length; at++ {
				life := length
				if kill { // each is killed a little later than the one before, and started again
					life = time.Second + time.Duration(i)*200*time.Millisecond
				}
				all.child(t, source, life, kill)
			}
		})
	}
	group.Wait()
	store := openScale(t, source)
	for turn, owner := range all.begun {
		records, err := store.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: owner, Turn: turn}})
		require.NoError(t, err)
		require.Len(t, records, 1, "turn %s", turn)
		if all.finished[turn] != "" {
			require.Equal(t, tooltrack.Succeeded, records[0].Result.Status, "turn %s", turn)
		}
	}
	fmt.Printf("%d processes, killed in turn %v: %d calls begun and %d finished, none lost, none doubled\n", processes, kill, len(all.begun), len(all.finished))
	for _, what := range []string{"begin", "finish", "turn look-up", "approval", "inbox"} {
		if took := all.took[what]; len(took) > 0 {
			slices.Sort(took)
			fmt.Printf("  %-12s p50 %8v  p99 %8v  (%d)\n", what, took[len(took)/2].Round(10*time.Microsecond), took[len(took)*99/100].Round(10*time.Microsecond), len(took))
		}
	}
}

// child runs one process until its life is over, or it is killed.
func (f *fleetWork) child(t testing.TB, source string, life time.Duration, kill bool) {
	child := exec.Command(os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkScaleChild$", "-test.benchtime=1x")
	child.Env = append(os.Environ(), scaleSource+"="+source, scaleTime+"="+(life+time.Hour).String())
	if !kill {
		child.Env = append(child.Env, scaleTime+"="+life.String())
	}
	out, err := child.StdoutPipe()
	if err != nil || child.Start() != nil {
		t.Error("a child could not be started", err)
		return
	}
	if kill {
		stop := time.AfterFunc(life, func() { _ = child.Process.Kill() })
		defer stop.Stop()
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		f.hear(lines.Text())
	}
	if err := child.Wait(); err != nil && !kill {
		t.Error(err)
	}
}

func (f *fleetWork) hear(line string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	words := strings.Fields(line)
	switch {
	case len(words) == 3 && words[0] == "begun":
		f.begun[words[1]] = words[2]
	case len(words) == 3 && words[0] == "finished":
		f.finished[words[1]] = words[2]
	case strings.HasPrefix(line, "{"):
		var took map[string][]time.Duration
		if json.Unmarshal([]byte(line), &took) == nil {
			for what, durations := range took {
				f.took[what] = append(f.took[what], durations...)
			}
		}
	}
}

// BenchmarkScaleChild writes turns of random owners, two at a time.
func BenchmarkScaleChild(t *testing.B) {
	life, err := time.ParseDuration(os.Getenv(scaleTime))
	if err != nil {
		t.Skip("this is a child of BenchmarkScale, which starts it")
	}
	ledger := tooltrack.NewLedger(openScale(t, os.Getenv(scaleSource)), nil)
	var mu sync.Mutex
	took := map[string][]time.Duration{}
	timed := func(what string, step func() error) {
		began := time.Now()
		if err := step(); err != nil {
			t.Error(what, err)
		}
		mu.Lock()
		defer mu.Unlock()
		took[what] = append(took[what], time.Since(began))
	}
	var group sync.WaitGroup
	until := time.Now().Add(life)
	for range 2 {
		group.Go(func() {
			for n := 0; time.Now().Before(until) && !t.Failed(); n++ {
				scaleTurn(t.Context(), t, ledger, n, timed)
			}
		})
	}
	group.Wait()
	data, err := json.Marshal(took)
	require.NoError(t, err)
	fmt.Println(string(data))
}

func scaleTurn(ctx context.Context, t testing.TB, ledger *tooltrack.Ledger, n int, timed func(string, func() error)) {
	tool := tooltrack.Tool{Name: "send_mail", Effect: tooltrack.Changes}
	scope := tooltrack.Scope{Owner: fmt.Sprint("owner", rand.IntN(50)), Turn: fmt.Sprintf("turn-%x", rand.Uint64())}
	turn, err := ledger.Open(scope)
	require.NoError(t, err)
	call := tooltrack.Call{ID: "c", Tool: tool.Name, Args: []byte(`{"to":"bob","subject":"The order has arrived"}`)}
	if n%20 == 19 {
		timed("approval", func() error {
			_, _, err := turn.Hold(ctx, tool, call, nil, tooltrack.Ask{Rule: "r", Summary: "send mail"})
			return err
		})
		timed("inbox", func() error {
			_, err := ledger.Approvals(ctx, tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: scope.Owner, Turn: scope.Turn}})
			return err
		})
		return
	}
	var begun tooltrack.Begun
	timed("begin", func() (err error) { begun, err = turn.Begin(ctx, tool, call, nil); return err })
	fmt.Printf("begun %s %s\n", scope.Turn, scope.Owner)
	timed("finish", func() error {
		_, err := turn.Finish(ctx, begun.Record, tooltrack.ResultOf([]byte(`{"ok":true}`), nil))
		return err
	})
	fmt.Printf("finished %s %s\n", scope.Turn, scope.Owner)
	timed("turn look-up", func() error { _, err := turn.Records(ctx); return err })
}
