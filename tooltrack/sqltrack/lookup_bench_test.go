package sqltrack

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// BenchmarkLookup reads the records of one turn from tables of growing size:
// the time must not grow with them.
func BenchmarkLookup(b *testing.B) {
	for _, rows := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprint(rows, " rows"), func(b *testing.B) {
			db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "lookup.db"))
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			store, err := Open(b.Context(), db, SQLite, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer store.Close()
			conn, err := db.Conn(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			fill(b, conn, SQLite, rows)
			if err := conn.Close(); err != nil {
				b.Fatal(err)
			}
			n := 0
			for b.Loop() {
				n = (n + 7919) % rows
				query := tooltrack.Query{Scope: tooltrack.Scope{Owner: fmt.Sprint("owner", n%50), Turn: fmt.Sprint("t", n/5)}}
				if found, err := store.Records(b.Context(), query); err != nil || n > 0 && len(found) == 0 {
					b.Fatalf("turn of record %d: %d records, %v", n, len(found), err)
				}
			}
		})
	}
}
