package completion

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestInventedNumber: where a change was called with another figure than the one that is told,
// and nobody has named that one, it is a value of the record told wrongly. A figure beside the
// record's own may be what it was before.
func TestInventedNumber(t *testing.T) {
	tool := tooltrack.Tool{Name: "enter_reading", Description: "Enters a meter reading.", Effect: tooltrack.Changes}
	call := tooltrack.Call{Tool: tool.Name, Args: json.RawMessage(`{"meter":"gas","value":48310}`)}
	record := &tooltrack.Record{Call: call, Effect: tool.Effect, Result: tooltrack.Result{Status: tooltrack.Succeeded}}
	swaps := func(text string) float64 {
		c := newConversation()
		c.read(&Case{User: "Enter the reading of the gas meter.", Text: text, Tools: []tooltrack.Tool{tool},
			Records: []*tooltrack.Record{record}})
		require.Len(t, c.assertions, 1, text)
		return c.assertions[0].swaps()
	}
	require.Equal(t, 1., swaps("I've entered 48,130 for the gas meter."))
	require.Equal(t, 0., swaps("I've entered 48,310 for the gas meter."))
	require.Equal(t, 0., swaps("I've changed the reading of the gas meter from 47,900 to 48,310."))
}
