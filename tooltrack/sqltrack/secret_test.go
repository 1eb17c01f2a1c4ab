package sqltrack_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// quoting is a connector that, once the line is down, quotes its data source as
// drivers do.
type quoting struct {
	driver.Connector
	err *error
}

func (q quoting) Connect(ctx context.Context) (driver.Conn, error) {
	if *q.err != nil {
		return nil, *q.err
	}
	return q.Connector.Connect(ctx)
}

// TestErrorsHideThePassword: no error of a store tells the password of its
// database, and the driver's own error can still be unwrapped.
func TestErrorsHideThePassword(t *testing.T) {
	const password = "Canary4711canary"
	for name, text := range map[string]string{
		"a URL":              "failed to connect to postgres://bonafide:" + password + "@db:5432/x?sslmode=disable: refused",
		"words":              "failed to connect to host=db user=bonafide password=" + password + " dbname=x: refused",
		"quoted words":       "failed to connect to host=db password='" + password + " " + password + "' dbname=x: refused",
		"a parameter":        "failed to open file:x.db?_auth_password=" + password + "&mode=rw: refused",
		"an address":         "failed to connect to bonafide:" + password + "@tcp(db:3306)/x: refused",
		"nothing to conceal": "the line is down",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // a lost connection is waited for
			ctx, cause := t.Context(), errors.New(text)
			var down error
			file := newSQLite(t)
			working := connector{&faults{Driver: file.open(t).Driver()}, file.source}
			db := sql.OpenDB(quoting{working, &down})
			db.SetMaxIdleConns(-1) // every use connects anew
			defer db.Close()
			store, err := sqltrack.Open(ctx, db, sqltrack.SQLite, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			down = cause
			record := &tooltrack.Record{Scope: tooltrack.Scope{Owner: "ann", Turn: "t"}, Call: tooltrack.Call{ID: "c", Tool: "x"}}
			_, opened := sqltrack.Open(ctx, db, sqltrack.SQLite, nil)
			_, begun := store.Begin(ctx, record, false)
			_, finished := store.Finish(ctx, record)
			_, read := store.Records(ctx, tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann"}})
			_, completed := store.Completed(ctx, "ann", 0, 0)
			for what, err := range map[string]error{"Open": opened, "Begin": begun, "Finish": finished, "Records": read, "Completed": completed} {
				if !errors.Is(err, cause) || strings.Contains(err.Error(), password) {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
}
