// Package sqltrack keeps a ledger in a database, so that it survives a crash
// and many processes can share it.
//
// [Open] takes a *sql.DB with whichever driver the program already uses, for SQLite or PostgreSQL,
// creates or upgrades its tables and returns a [tooltrack.Store]:
//
//	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
//	…
//	store, err := sqltrack.Open(ctx, db, sqltrack.PostgreSQL, nil)
//	…
//	defer store.Close()
//	ledger := tooltrack.NewLedger(store, nil)
//
// Nothing is acknowledged before it is durable. Writes that arrive while a transaction is being
// committed share the next one, so many concurrent callers pay for one flush to disk. Several
// processes may work on one database: the same call is executed by exactly one of them.
//
// For SQLite, WAL mode (PRAGMA journal_mode=WAL, after PRAGMA busy_timeout)
// lets readers work beside the writer; a database in memory needs db.SetMaxOpenConns(1). The store forgets
// nothing by itself: [Store.Prune] and [Store.Erase] do, when the host decides so.
package sqltrack
