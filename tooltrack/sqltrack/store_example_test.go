package sqltrack_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"

	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// What was completed can be read behind a cursor: a consumer that keeps the last
// one, together with what it made of the records, misses nothing and takes
// nothing in twice, also after a restart.
func ExampleStore_Completed() {
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

	turn, err := tooltrack.NewLedger(store, nil).Open(tooltrack.Scope{Owner: "ann", Turn: "message-17"})
	if err != nil {
		log.Fatal(err)
	}
	var cursor int64
	for _, name := range []string{"add_task", "send_mail"} {
		tool := tooltrack.Tool{Name: name, Effect: tooltrack.Changes}
		if _, err := turn.Do(ctx, tool, tooltrack.Call{Tool: name}, nil, func(context.Context, tooltrack.Call) ([]byte, error) { return nil, nil }); err != nil {
			log.Fatal(err)
		}
		records, err := store.Completed(ctx, "ann", cursor, 0)
		if err != nil {
			log.Fatal(err)
		}
		for _, record := range records {
			fmt.Println(record.Tool, record.Result.Status)
			cursor = record.Cursor
		}
	}
	// Output:
	// add_task succeeded
	// send_mail succeeded
}
