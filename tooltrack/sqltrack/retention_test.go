package sqltrack_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// aged makes everything in a database older than it is.
func aged(t *testing.T, db database, by time.Duration) {
	t.Helper()
	raw := db.open(t)
	for _, statement := range []string{
		"UPDATE bonafide_records SET begun_at = begun_at - %d", "UPDATE bonafide_waiting SET written = written - %d",
	} {
		_, err := raw.Exec(fmt.Sprintf(statement, by.Milliseconds()))
		require.NoError(t, err)
	}
}

// office is a store with records of all kinds, of two owners.
type office struct {
	*testing.T
	db     database
	store  *sqltrack.Store
	ledger *tooltrack.Ledger
}

func newOffice(t *testing.T, db database) *office {
	store := db.store(t, nil)
	return &office{t, db, store, tooltrack.NewLedger(store, nil)}
}

func (o *office) turn(owner, conversation, turn string) *tooltrack.Turn {
	o.Helper()
	opened, err := o.ledger.Open(tooltrack.Scope{Owner: owner, Conversation: conversation, Turn: turn})
	require.NoError(o, err)
	return opened
}

func (o *office) sent(owner, conversation, turn string, times int) {
	o.Helper()
	opened := o.turn(owner, conversation, turn)
	for i := range times {
		call := tooltrack.Call{ID: "c", Tool: sendMail.Name, Args: fmt.Appendf(nil, `{"to":"%d"}`, i)}
		_, err := opened.Do(o.Context(), sendMail, call, nil, func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"ok":true}`), nil })
		require.NoError(o, err)
	}
}

func (o *office) left(owner string) (turns []string) {
	o.Helper()
	records, err := o.ledger.Records(o.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: owner}})
	require.NoError(o, err)
	for _, record := range records {
		turns = append(turns, record.Turn)
	}
	return turns
}

func TestPrune(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		o := newOffice(t, newDatabase(t))
		o.sent("ann", "c1", "old", 7)
		o.sent("ann", "kept", "of a trial", 1)
		o.sent("bob", "c1", "old", 2)
		call := tooltrack.Call{ID: "c", Tool: sendMail.Name, Args: []byte(`{"to":"x"}`)}
		_, err := o.turn("ann", "c1", "cut off").Begin(t.Context(), sendMail, call, nil)
		require.NoError(t, err)
		begun, err := o.turn("ann", "c1", "queued").Begin(t.Context(), sendMail, call, nil)
		require.NoError(t, err)
		_, err = o.turn("ann", "c1", "queued").Finish(t.Context(), begun.Record, tooltrack.Result{Status: tooltrack.Pending})
		require.NoError(t, err)
		waiting := o.turn("ann", "c1", "waiting")
		o.sent("ann", "c1", "waiting", 1)
		_, _, err = waiting.Hold(t.Context(), sendMail, call, nil, tooltrack.Ask{Rule: "r"})
		require.NoError(t, err)
		require.NoError(t, o.store.Keep(t.Context(), "ann", "kept", "case 7"))
		aged(t, o.db, 48*time.Hour)
		o.sent("ann", "c1", "young", 3)

		removal, err := o.store.Prune(t.Context(), sqltrack.PruneOptions{OlderThan: 24 * time.Hour, Batch: 3, Reason: "30 days"})
		require.NoError(t, err)
		require.EqualValues(t, 9, removal.Records)
		require.Equal(t, []string{"of a trial", "cut off", "queued", "waiting", "waiting", "young", "young", "young"}, o.left("ann"))
		require.Empty(t, o.left("bob"))
		removals, err := o.store.Removals(t.Context(), 0)
		require.NoError(t, err)
		require.Len(t, removals, 2)
		require.Equal(t, "keep", removals[0].Action)
		require.Equal(t, sqltrack.OwnerDigest("ann"), removals[0].Owner)
		require.Equal(t, removal, removals[1])
		require.Equal(t, "30 days", removal.Reason)

		require.NoError(t, o.store.Release(t.Context(), "ann", "kept", "case closed"))
		removal, err = o.store.Prune(t.Context(), sqltrack.PruneOptions{OlderThan: 24 * time.Hour, Owner: "ann"})
		require.NoError(t, err)
		require.EqualValues(t, 1, removal.Records)
		require.NotContains(t, o.left("ann"), "of a trial")
		_, err = o.store.Prune(t.Context(), sqltrack.PruneOptions{})
		require.ErrorContains(t, err, "OlderThan is 0s")
	})
}

// Closed approvals go with age; one that is open stays.
func TestPruneDocuments(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		o := newOffice(t, newDatabase(t))
		for _, turn := range []string{"answered", "open"} {
			_, approval, err := o.turn("ann", "c", turn).Hold(t.Context(), sendMail, tooltrack.Call{ID: "c", Tool: sendMail.Name, Args: []byte(`{}`)}, nil, tooltrack.Ask{Rule: "r"})
			require.NoError(t, err)
			if turn == "answered" {
				_, err = o.turn("ann", "c", turn).Refuse(t.Context(), approval.ID, "r", "no")
				require.NoError(t, err)
			}
		}
		aged(t, o.db, 48*time.Hour)
		removal, err := o.store.Prune(t.Context(), sqltrack.PruneOptions{OlderThan: 24 * time.Hour})
		require.NoError(t, err)
		require.EqualValues(t, 1, removal.Documents)
		require.Equal(t, []string{"open"}, o.left("ann"))
	})
}

func TestErase(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		o := newOffice(t, newDatabase(t))
		for _, owner := range []string{"ann", "bob"} {
			o.sent(owner, "c", "t", 3)
			turn := o.turn(owner, "c", "held")
			_, _, err := turn.Hold(t.Context(), sendMail, tooltrack.Call{ID: "c", Tool: sendMail.Name, Args: []byte(`{"to":"x"}`)}, nil, tooltrack.Ask{Rule: "r"})
			require.NoError(t, err)
			require.NoError(t, o.ledger.Pause(t.Context(), turn.Scope(), "", []byte("turn")))
			_, err = o.store.Limiter().Take(t.Context(), owner, "send", policy.Rate{Calls: 1, Per: time.Hour, Burst: 1})
			require.NoError(t, err)
			_, err = o.store.Meter().Add(t.Context(), owner, "", policy.Spending{Tokens: 5})
			require.NoError(t, err)
		}
		require.NoError(t, o.store.Keep(t.Context(), "ann", "", "case 7"))
		_, err := o.store.Erase(t.Context(), "ann", "asked for")
		require.ErrorIs(t, err, sqltrack.ErrKept)
		require.Len(t, o.left("ann"), 4)
		require.NoError(t, o.store.Release(t.Context(), "ann", "", "case closed"))
		removal, err := o.store.Erase(t.Context(), "ann", "asked for")
		require.NoError(t, err)
		require.EqualValues(t, 4, removal.Records)
		require.EqualValues(t, 2, removal.Documents, "an approval and a paused turn")
		require.Empty(t, o.left("ann"))
		require.Len(t, o.left("bob"), 4)
		raw := o.db.open(t)
		for _, table := range []string{"records", "waiting", "limits", "spent", "kept", "owners", "removals"} {
			var named, all int
			require.NoError(t, raw.QueryRow("SELECT COUNT(*) FROM bonafide_"+table+" WHERE owner = 'ann'").Scan(&named))
			require.NoError(t, raw.QueryRow("SELECT COUNT(*) FROM bonafide_"+table).Scan(&all))
			require.Zero(t, named, table)
			if table != "kept" {
				require.Positive(t, all, table)
			}
		}
		removals, err := o.store.Removals(t.Context(), removal.ID-1)
		require.NoError(t, err)
		require.Equal(t, []sqltrack.Removal{removal}, removals)
		o.sent("ann", "c", "t", 1) // who comes back is new
		require.Len(t, o.left("ann"), 1)
	})
}

func TestExport(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		o := newOffice(t, newDatabase(t))
		o.sent("ann", "c1", "t1", 3)
		o.sent("ann", "c2", "t2", 1)
		o.sent("ann", "c1", "t3", 2)
		var file bytes.Buffer
		sum, err := o.store.Export(t.Context(), &file, tooltrack.Scope{Owner: "ann", Conversation: "c1"})
		require.NoError(t, err)
		records, again, err := tooltrack.VerifyExport(bytes.NewReader(file.Bytes()))
		require.NoError(t, err)
		require.Equal(t, 5, records)
		require.Equal(t, sum, again)
		require.NotContains(t, file.String(), `"conversation":"c2"`)
		changed := strings.Replace(file.String(), `{"to":"1"}`, `{"to":"9"}`, 1)
		require.NotEqual(t, file.String(), changed)
		_, _, err = tooltrack.VerifyExport(strings.NewReader(changed))
		require.ErrorIs(t, err, tooltrack.ErrBadExport)
		_, err = o.store.Export(t.Context(), &file, tooltrack.Scope{})
		require.ErrorIs(t, err, tooltrack.ErrNoOwner)
	})
}
