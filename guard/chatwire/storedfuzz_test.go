package chatwire

import (
	"context"
	"reflect"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// oneRecord is a store that holds one record, whatever is asked for.
type oneRecord struct {
	tooltrack.Store
	args []byte
}

func (s oneRecord) Records(_ context.Context, query tooltrack.Query) ([]*tooltrack.Record, error) {
	return []*tooltrack.Record{{Scope: query.Scope, Call: tooltrack.Call{Args: s.args}}}, nil
}

// FuzzStoredResponse: a record that others have written is read without harm, and
// what was read is what is written again.
func FuzzStoredResponse(f *testing.F) {
	f.Add([]byte(`{"previous":"r1","messages":[{"role":"user","text":"x"},{"role":"assistant","calls":[{"id":"a","tool":"t","args":"e30="}]}],"open":[{"id":"a"}]}`))
	f.Fuzz(func(t *testing.T, args []byte) {
		known := ofOwner("ann", newMemory(), tooltrack.NewLedger(oneRecord{args: args}, nil))
		found, ok := known.shared.load("r1")
		if !ok {
			return
		}
		ledger := tooltrack.NewLedger(nil, nil)
		ofOwner("ann", newMemory(), ledger).save("r1", found)
		if again, ok := ofOwner("ann", newMemory(), ledger).shared.load("r1"); !ok || !reflect.DeepEqual(again, found) {
			t.Errorf("%+v is read again as %+v", found, again)
		}
		_, _ = known.recall("r1") // it may go on from itself
	})
}
