package sqltrack_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// outage is a database that cannot be reached for a number of attempts.
type outage struct {
	connector
	err  error
	left atomic.Int64
}

func (o *outage) Connect(ctx context.Context) (driver.Conn, error) {
	if o.left.Load() > 0 {
		o.left.Add(-1)
		return nil, o.err
	}
	return o.connector.Connect(ctx)
}

func openOutage(t *testing.T, failure error, options *sqltrack.Options) (*outage, *sqltrack.Store) {
	t.Helper()
	db := newSQLite(t)
	broken := &outage{connector: connector{&faults{Driver: db.open(t).Driver()}, db.source}, err: failure}
	pool := sql.OpenDB(broken)
	pool.SetMaxIdleConns(-1) // connect anew for each batch
	t.Cleanup(func() { _ = pool.Close() })
	store, err := sqltrack.Open(t.Context(), pool, db.dialect, options)
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return broken, store
}

// A result is written although the connection is lost for a while: the call ran,
// and nobody would know.
func TestFinishOutlastsALostConnection(t *testing.T) {
	for name, failure := range map[string]error{
		"a pool that gave up":   driver.ErrBadConn,
		"a server that is down": errors.New("failed to connect to `host=db`: connection refused"),
		"a server that starts":  errors.New("FATAL: the database system is starting up (SQLSTATE 57P03)"),
	} {
		t.Run(name, func(t *testing.T) {
			broken, store := openOutage(t, failure, nil)
			begun, err := store.Begin(t.Context(), benchRecord(1), false)
			require.NoError(t, err)
			broken.left.Store(4)
			done := *begun.Record
			done.Result, done.Finished = tooltrack.ResultOf([]byte("sent"), nil), time.Now()
			stored, err := store.Finish(t.Context(), &done)
			require.NoError(t, err)
			require.Equal(t, tooltrack.Succeeded, stored.Result.Status)
			require.Zero(t, broken.left.Load(), "the outage was not met")
		})
	}
}

// It is given up within its bound, at once where trying again cannot help, and
// with the context.
func TestFinishIsGivenUp(t *testing.T) {
	lost := errors.New("connection reset by peer")
	for name, c := range map[string]struct {
		failure error
		options *sqltrack.Options
		timeout time.Duration // of the context
		within  time.Duration
		says    string
	}{
		"within its bound":        {lost, &sqltrack.Options{FinishWithin: time.Second}, time.Hour, time.Second, "connection reset"},
		"at once":                 {lost, &sqltrack.Options{FinishWithin: -1}, time.Hour, 0, "connection reset"},
		"a full disk":             {errors.New("disk full"), nil, time.Hour, 0, "disk full"},
		"the context ends before": {lost, nil, time.Second, time.Second, context.DeadlineExceeded.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				broken, store := openOutage(t, c.failure, c.options)
				begun, err := store.Begin(t.Context(), benchRecord(1), false)
				require.NoError(t, err)
				broken.left.Store(1 << 30)
				done := *begun.Record
				done.Result, done.Finished = tooltrack.ResultOf(nil, nil), time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), c.timeout)
				defer cancel()
				began := time.Now()
				_, err = store.Finish(ctx, &done)
				require.ErrorContains(t, err, c.says)
				require.LessOrEqual(t, time.Since(began), c.within)
			})
		})
	}
}
