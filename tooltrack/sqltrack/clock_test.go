package sqltrack_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// A replica whose clock is hours ahead, or behind, meets a call that another one
// has just begun: by the database's clock it may still be running, so nobody is
// asked what became of it. Once it is old enough, somebody is, whatever the
// replica's own clock says.
func TestLeasesGoByTheDatabasesClock(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		db := newDatabase(t)
		for _, ahead := range []time.Duration{-5 * time.Hour, 5 * time.Hour} {
			scope := tooltrack.Scope{Owner: "ann", Turn: ahead.String()}
			call := tooltrack.Call{ID: "c", Tool: sendMail.Name, Args: []byte(`{"to":"bob"}`)}
			begin := func(options *tooltrack.LedgerOptions) tooltrack.Begun {
				turn, err := tooltrack.NewLedger(db.store(t, nil), options).Open(scope)
				require.NoError(t, err)
				begun, err := turn.Begin(t.Context(), sendMail, call, nil)
				require.NoError(t, err)
				return begun
			}
			require.True(t, begin(nil).Run)
			asked := 0
			replica := &tooltrack.LedgerOptions{
				Clock: func() time.Time { return time.Now().Add(ahead) },
				Reconcile: func(context.Context, *tooltrack.Record) (tooltrack.Result, bool, error) {
					asked++
					return tooltrack.FailedResult("never arrived"), true, nil
				},
			}
			require.False(t, begin(replica).Run, "a running call was begun again")
			require.Zero(t, asked, "a running call was reconciled by a clock that is %v ahead", ahead)
			raw := db.open(t)
			_, err := raw.Exec("UPDATE bonafide_records SET begun_at = begun_at - 61000 WHERE finished = 0")
			require.NoError(t, err)
			require.True(t, begin(replica).Run, "what never arrived may be tried again")
			require.Equal(t, 1, asked)
		}
	})
}
