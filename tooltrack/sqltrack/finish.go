package sqltrack

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// finish writes a result, again and again while the connection is lost. That is
// safe, since a record is completed once: what an earlier try has stored is
// found by the next.
func (s *Store) finish(ctx context.Context, record *tooltrack.Record) (*tooltrack.Record, error) {
	until := time.Now().Add(s.within)
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		done := new(*tooltrack.Record) // of this try: who leaves early does not look at it
		err := s.writer.do(ctx, record.Owner, func(d *desk) (err error) {
			*done, err = d.finish(record)
			return err
		})
		switch {
		case err == nil:
			return *done, nil
		case errors.Is(err, tooltrack.ErrFinished):
			stored := *done
			if pause > firstPause && stored != nil && stored.Result.Status == record.Result.Status &&
				stored.Finished.Equal(record.Finished) {
				return stored, nil // it was ours, and its answer was lost
			}
			return stored, err
		case !connectionLost(err) || time.Now().Add(pause).After(until):
			return nil, discreet(err)
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, discreet(errors.Join(ctx.Err(), err))
		}
	}
}

const firstPause, longestPause = 20 * time.Millisecond, time.Second

// lostWords are what drivers and servers say when a connection breaks. Drivers
// are the host's choice, so their types are not known here. Sources: libpq, pgx,
// lib/pq, and the error codes of PostgreSQL of class 08 and 57P.
var lostWords = []string{
	"connection refused", "connection reset", "broken pipe", "server closed", "conn closed", "connection closed",
	"closed the connection", "failed to connect", "terminating connection", "unexpected eof", "database system is",
	"sqlstate 08", "sqlstate 57p", "bad connection",
}

// connectionLost tells a database that cannot be reached for the moment from
// one that refuses a write.
func connectionLost(err error) bool {
	var network net.Error
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) && !errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	text := strings.ToLower(err.Error())
	for _, words := range lostWords {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
