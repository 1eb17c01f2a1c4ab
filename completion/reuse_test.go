package completion

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestManyRecords: more records than a word has bits, and more strange tools than are
// read, are told apart.
func TestManyRecords(t *testing.T) {
	tools := benchTools()
	turn := Case{User: "Please update the shipping addresses.", Tools: tools}
	for i := range 150 {
		turn.Earlier = append(turn.Earlier, record("list_tasks succeeded {}", tools))
		if i%2 == 0 {
			turn.Earlier[i].Tool = "strange_" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		}
	}
	turn.Records = []*tooltrack.Record{
		record(`update_shipping_address succeeded {"order_id":"W7000001","street":"12 High Street"}`, tools),
		record(`update_shipping_address succeeded {"order_id":"W7000002","street":"9 Garden Street"}`, tools),
	}
	evaluator := New(nil)
	for i, text := range []string{"I've updated the address to High Street.", "I've updated the address to Garden Street."} {
		turn.Text = text
		v := evaluator.Evaluate(turn)
		require.Len(t, v.Claims, 1)
		require.Same(t, turn.Records[i], v.Claims[0].By)
	}
}
