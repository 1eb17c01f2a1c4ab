package tooltracktest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestIsolation lets ten owners work on one store at once, with the same
// names for their turns, conversations, tasks and keys, and a canary of their
// own in every text. No owner may ever meet the canary of another.
func TestIsolation(t *testing.T, open func(testing.TB) tooltrack.Store, operations int) {
	const owners = 10
	store := open(t)
	var wg sync.WaitGroup
	for n := range owners {
		wg.Go(func() {
			owner := &canaryOwner{t: t, store: store, name: fmt.Sprintf("owner-%d", n), canary: fmt.Sprintf("canary (%d)", n)}
			owner.random = rand.New(rand.NewPCG(uint64(n), 1)) // #nosec G404 -- a test must be able to repeat it
			for range operations / owners {
				owner.step()
			}
		})
	}
	wg.Wait()
}

// canaryOwner is one owner at work, and what it may see.
type canaryOwner struct {
	t            *testing.T
	store        tooltrack.Store
	random       *rand.Rand
	name, canary string
	begun        []*tooltrack.Record
}

func (o *canaryOwner) step() {
	scope := tooltrack.Scope{
		Owner: o.name, Conversation: fmt.Sprint("c", o.random.IntN(3)), Task: fmt.Sprint("x", o.random.IntN(3)),
		Turn: fmt.Sprint("t", o.random.IntN(20)),
	}
	switch o.random.IntN(8) {
	case 0, 1, 2:
		o.begin(scope)
	case 3, 4:
		o.finish()
	case 5:
		found, err := o.store.Completed(o.t.Context(), o.name, int64(o.random.IntN(100)), 20)
		o.look("Completed", found, err)
	default:
		query := tooltrack.Query{Scope: scope, Limit: 20}
		if o.random.IntN(2) == 0 {
			query.Turn = ""
		}
		if o.random.IntN(2) == 0 {
			query.Task = ""
		}
		found, err := o.store.Records(o.t.Context(), query)
		o.look("Records", found, err)
	}
}

func (o *canaryOwner) begin(scope tooltrack.Scope) {
	record := proposal("", "", fmt.Sprint("k", o.random.IntN(5)))
	record.Scope = scope
	record.Args = json.RawMessage(fmt.Sprintf("%q", o.canary))
	if o.random.IntN(5) == 0 {
		record.Key, record.Digest = fmt.Sprint("host:", o.random.IntN(3)), "d"
	}
	begun, err := o.store.Begin(o.t.Context(), record, o.random.IntN(3) == 0)
	if !assert.NoError(o.t, err) {
		return
	}
	o.look("Begin", []*tooltrack.Record{begun.Record}, nil)
	if begun.Run {
		o.begun = append(o.begun, begun.Record)
	}
}

func (o *canaryOwner) finish() {
	if len(o.begun) == 0 {
		return
	}
	result := tooltrack.FailedResult(o.canary)
	if o.random.IntN(2) == 0 {
		result = tooltrack.ResultOf(fmt.Appendf(nil, "%q", o.canary), nil)
	}
	stored, err := o.store.Finish(o.t.Context(), completed(o.begun[o.random.IntN(len(o.begun))], result))
	if err != nil && !assert.ErrorIs(o.t, err, tooltrack.ErrFinished) {
		return
	}
	o.look("Finish", []*tooltrack.Record{stored}, nil)
}

// look fails on any text that is not the owner's own.
func (o *canaryOwner) look(what string, found []*tooltrack.Record, err error) {
	assert.NoError(o.t, err, what)
	for _, record := range found {
		text, err := json.Marshal(record)
		assert.NoError(o.t, err)
		foreign := strings.Count(string(text), "canary") - strings.Count(string(text), o.canary)
		if record.Owner != o.name || foreign != 0 {
			o.t.Errorf("%s shows %s a record of somebody else: %s", what, o.name, text)
		}
	}
}
