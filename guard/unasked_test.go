package guard_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A provider that has no time for a proof says nothing about the text: a true answer is
// shown, what no record can show is left out, and the model is asked again next time.
func TestProofThatCannotBeAsked(t *testing.T) {
	busy := errors.New("429 too many requests")
	refereeFails := func(o *guard.Options) {
		o.Referee = guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
			return guard.Response{}, busy
		})
	}
	hangs := func(o *guard.Options) {
		o.ReaskTimeout = time.Millisecond
		o.Referee = guard.ModelFunc(func(ctx context.Context, _ guard.Request) (guard.Response, error) {
			<-ctx.Done()
			return guard.Response{}, ctx.Err()
		})
	}
	for name, set := range map[string]func(*guard.Options){
		"the provider is busy": func(*guard.Options) {}, "the referee fails": refereeFails, "the referee hangs": hangs,
	} {
		for _, c := range []struct{ said, shown, lost string }{
			{"Both invoices, 17 and 18, are paid.", "Both invoices, 17 and 18, are paid.", ""},
			{"Both invoices, 17 and 18, are paid. I've also told Ann about it.", "Both invoices, 17 and 18, are paid.", "Ann"},
		} {
			t.Run(name+"/"+c.said, func(t *testing.T) {
				options := &guard.Options{Proof: guard.Always}
				set(options)
				g, err := guard.New(invoiceTools, options)
				require.NoError(t, err)
				for range 8 { // more often than the breaker has patience
					model := &payer{text: c.said, then: busy}
					reply, err := g.Run(t.Context(), model, pays, guard.Input{User: "pay invoice 17 and invoice 18"})
					require.NoError(t, err)
					assert.Contains(t, reply.Text, c.shown)
					if c.lost != "" {
						assert.NotContains(t, reply.Text, c.lost)
					}
					assert.True(t, reply.ProofMissing)
					assert.Equal(t, c.said, reply.Draft)
				}
				assert.Zero(t, g.Counters().ProofsSkipped, "an outage is no misunderstanding")
			})
		}
	}
}

var pays = guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
	return []byte(`{"success":true}`), nil
})

// payer pays both invoices, says its text, and cannot be reached afterwards.
type payer struct {
	text  string
	then  error
	calls int
}

func (p *payer) Generate(context.Context, guard.Request) (guard.Response, error) {
	switch p.calls++; p.calls {
	case 1:
		return payments("17", "18"), nil
	case 2:
		return answered(p.text), nil
	}
	return guard.Response{}, p.then
}
