package sqltrack_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"

	_ "modernc.org/sqlite"

	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// A ledger that survives the process. A second run of the same turn, here with
// a ledger of its own, meets the record of the first.
func Example() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // every further connection would be another database in memory

	store, err := sqltrack.Open(ctx, db, sqltrack.SQLite, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	tool := tooltrack.Tool{Name: "send_mail", Effect: tooltrack.Changes}
	for run := 1; run <= 2; run++ {
		turn, err := tooltrack.NewLedger(store, nil).Open(tooltrack.Scope{Owner: "ann", Turn: "message-17"})
		if err != nil {
			log.Fatal(err)
		}
		done, err := turn.Do(ctx, tool, tooltrack.Call{Tool: "send_mail"}, nil, func(context.Context, tooltrack.Call) ([]byte, error) {
			fmt.Println("sending")
			return nil, nil
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("run", run, done.Record.Result.Status)
	}
	// Output:
	// sending
	// run 1 succeeded
	// run 2 succeeded
}
