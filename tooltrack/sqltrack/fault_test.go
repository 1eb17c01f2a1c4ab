package sqltrack_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

var errInjected = errors.New("injected fault")

// faults is a driver that fails at one call to it, counted from when it is
// armed. A late fault comes after the call took effect, as when a connection
// breaks before the answer arrives.
type faults struct {
	driver.Driver
	countdown atomic.Int64 // 0: disarmed
	late      atomic.Bool
	fired     atomic.Bool
}

func (f *faults) arm(n int64, late bool) {
	f.fired.Store(false)
	f.late.Store(late)
	f.countdown.Store(n)
}

// do runs one call to the driver, or fails it.
func (f *faults) do(call func() error) error {
	hit := f.countdown.Load() > 0 && f.countdown.Add(-1) == 0
	if hit {
		f.fired.Store(true)
	}
	if hit && !f.late.Load() {
		return errInjected
	}
	if err := call(); err != nil {
		return err
	}
	if hit {
		return errInjected
	}
	return nil
}

// connector lets a faulty driver be opened without being registered.
type connector struct {
	faults *faults
	source string
}

func (c connector) Driver() driver.Driver { return c.faults }

func (c connector) Connect(context.Context) (conn driver.Conn, err error) {
	err = c.faults.do(func() (err error) {
		conn, err = c.faults.Driver.Open(c.source)
		return err
	})
	if err != nil {
		if conn != nil {
			_ = conn.Close()
		}
		return nil, err
	}
	return &faultyConn{conn, c.faults}, nil
}

type faultyConn struct {
	driver.Conn
	faults *faults
}

func (c *faultyConn) PrepareContext(ctx context.Context, query string) (statement driver.Stmt, err error) {
	err = c.faults.do(func() (err error) {
		statement, err = c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, query)
		return err
	})
	return &faultyStmt{statement, c.faults}, err
}

func (c *faultyConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (result driver.Result, err error) {
	err = c.faults.do(func() (err error) {
		result, err = c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
		return err
	})
	return result, err
}

func (c *faultyConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (rows driver.Rows, err error) {
	return faultyQuery(c.faults, func() (driver.Rows, error) { return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args) })
}

func (c *faultyConn) CheckNamedValue(value *driver.NamedValue) error {
	if checker, ok := c.Conn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(value)
	}
	return driver.ErrSkip
}

type faultyStmt struct {
	driver.Stmt
	faults *faults
}

func (s *faultyStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (result driver.Result, err error) {
	err = s.faults.do(func() (err error) {
		result, err = s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
		return err
	})
	return result, err
}

func (s *faultyStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return faultyQuery(s.faults, func() (driver.Rows, error) { return s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args) })
}

func faultyQuery(faults *faults, query func() (driver.Rows, error)) (rows driver.Rows, err error) {
	err = faults.do(func() (err error) {
		rows, err = query()
		return err
	})
	if err != nil && rows != nil {
		_ = rows.Close()
	}
	return rows, err
}

// TestFaults fails the n-th call to the driver, for every n that a call of a
// tool makes, before and after it takes effect.
func TestFaults(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		db := newDatabase(t)
		plain := db.open(t)
		faults := &faults{Driver: plain.Driver()}
		faulty := sql.OpenDB(connector{faults, db.source})
		t.Cleanup(func() {
			if err := faulty.Close(); err != nil {
				t.Error(err)
			}
		})
		store, err := sqltrack.Open(t.Context(), faulty, db.dialect, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		for _, late := range []bool{false, true} {
			n := 1
			for ; failOnce(t, store, faults, int64(n), late); n++ {
				if n > 200 {
					t.Fatal("the driver is called without end")
				}
			}
			if n < 8 {
				t.Errorf("only %d calls to the driver could be failed; the test does not reach the statements", n-1)
			}
		}
	})
}

// failOnce runs one call of a tool with the n-th call to the driver failing,
// and reports whether there was an n-th.
func failOnce(t *testing.T, store *sqltrack.Store, faults *faults, n int64, late bool) bool {
	name := fmt.Sprint("turn ", n, late)
	ledger := tooltrack.NewLedger(store, nil)
	ran := 0
	run := func() (*tooltrack.Record, error) {
		turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: name})
		if err != nil {
			t.Fatal(err)
		}
		done, err := turn.Do(t.Context(), sendMail, tooltrack.Call{Tool: sendMail.Name, Args: []byte(`{"to":"a"}`)}, nil, func(context.Context, tooltrack.Call) ([]byte, error) {
			ran++
			return nil, nil
		})
		return done.Record, err
	}
	faults.arm(n, late)
	record, err := run()
	fired := faults.fired.Load()
	faults.arm(0, false)
	if !fired {
		return false
	}
	// An injected fault may be absorbed, by a pool that tries another connection,
	// but it may not be turned into a success that is not recorded.
	if err == nil && (record == nil || record.Result.Status != tooltrack.Succeeded) {
		t.Errorf("fault %d (late %v): no error, and the record is %+v", n, late, record)
	}
	stored, queryErr := ledger.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann", Turn: name}})
	if queryErr != nil {
		t.Fatalf("fault %d (late %v): the store does not recover: %v", n, late, queryErr)
	}
	if ran > 0 && len(stored) != 1 {
		t.Errorf("fault %d (late %v): the tool ran, and %d records tell of it", n, late, len(stored))
	}
	if err == nil && stored[0].Result.Status != tooltrack.Succeeded {
		t.Errorf("fault %d (late %v): acknowledged as a success, stored as %v", n, late, stored[0].Result.Status)
	}
	if _, err := run(); err != nil {
		t.Errorf("fault %d (late %v): the store does not recover: %v", n, late, err)
	}
	if ran > 1 {
		t.Errorf("fault %d (late %v): the tool ran %d times", n, late, ran)
	}
	return true
}

func TestDriverPanicIsAnError(t *testing.T) {
	db := newSQLite(t)
	faults := &faults{Driver: db.open(t).Driver()}
	bomb := &bomb{connector: connector{faults, db.source}}
	faulty := sql.OpenDB(bomb)
	t.Cleanup(func() { _ = faulty.Close() })
	store, err := sqltrack.Open(t.Context(), faulty, db.dialect, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	faulty.SetMaxIdleConns(-1) // connect anew for each batch
	bomb.armed.Store(true)
	if _, err := store.Begin(t.Context(), benchRecord(1), false); err == nil {
		t.Error("a panic in the driver is no error")
	}
	bomb.armed.Store(false)
	if begun, err := store.Begin(t.Context(), benchRecord(1), false); err != nil || !begun.Run {
		t.Errorf("after a panic the store is stuck: run %v, %v", begun.Run, err)
	}
}

type bomb struct {
	connector
	armed atomic.Bool
}

func (b *bomb) Connect(ctx context.Context) (driver.Conn, error) {
	if b.armed.Load() {
		panic("boom")
	}
	return b.connector.Connect(ctx)
}
