package sqltrack_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"testing"
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
	endless := func(t *testing.T, failure error, options *sqltrack.Options, ctx context.Context) (time.Duration, error) {
		broken, store := openOutage(t, failure, options)
		begun, err := store.Begin(t.Context(), benchRecord(1), false)
		require.NoError(t, err)
		broken.left.Store(1 << 30)
		done := *begun.Record
		done.Result, done.Finished = tooltrack.ResultOf(nil, nil), time.Now()
		began := time.Now()
		_, err = store.Finish(ctx, &done)
		require.Error(t, err)
		return time.Since(began), err
	}
	lost := errors.New("connection reset by peer")
	took, err := endless(t, lost, &sqltrack.Options{FinishWithin: 200 * time.Millisecond}, t.Context())
	require.ErrorContains(t, err, "connection reset")
	require.Less(t, took, 2*time.Second)
	took, _ = endless(t, lost, &sqltrack.Options{FinishWithin: -1}, t.Context())
	require.Less(t, took, time.Second)
	took, _ = endless(t, errors.New("disk full"), nil, t.Context())
	require.Less(t, took, 2*time.Second, "a full disk is no lost connection")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	took, err = endless(t, lost, nil, ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, took, 3*time.Second)
}
