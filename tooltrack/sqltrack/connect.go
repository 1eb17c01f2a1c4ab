package sqltrack

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

// lockTime is how long a connection is waited for that SQLite has locked.
const lockTime = 10 * time.Second

// connect returns a connection. A data source name may ask for WAL mode, and
// SQLite refuses the switch at once, whatever its busy timeout, while another
// connection makes it; so connecting is tried again for a while.
func (d Dialect) connect(ctx context.Context, db *sql.DB) (*sql.Conn, error) {
	conn, err := db.Conn(ctx)
	if d != SQLite || !locked(err) {
		return conn, discreet(err)
	}
	waited, stop := context.WithTimeout(ctx, lockTime)
	defer stop()
	for pause := time.Millisecond; locked(err); pause = min(2*pause, 100*time.Millisecond) {
		select {
		case <-waited.Done():
			return nil, discreet(err)
		case <-time.After(pause):
		}
		conn, err = db.Conn(ctx)
	}
	return conn, discreet(err)
}

// locked knows the error by its text, since the driver is the host's choice.
func locked(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "database is locked") ||
		strings.Contains(err.Error(), "SQLITE_BUSY"))
}
