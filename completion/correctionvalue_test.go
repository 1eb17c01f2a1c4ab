package completion

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestACorrectionNamesTheValue that a claim has otherwise than the record that comes nearest.
func TestACorrectionNamesTheValue(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "order_seeds", Effect: tooltrack.Changes}}
	args := `{"variety":"Cherokee Purple","packets":2}`
	ordered := &tooltrack.Record{
		Call: tooltrack.Call{Tool: "order_seeds", Args: json.RawMessage(args)}, Effect: tooltrack.Changes,
		Result: tooltrack.Result{Status: tooltrack.Succeeded, Data: json.RawMessage(`{"order":"S-4471"}`)},
	}
	text := "I've ordered three packets of Cherokee Purple."
	verdict := New(nil).Evaluate(Case{
		User: "Order me seed of the Cherokee Purple, three packets", Text: text, Tools: tools, Records: []*tooltrack.Record{ordered},
	})
	require.Contains(t, verdict.Correction, `it says "three", and the call of order_seeds says "2"`)
}
