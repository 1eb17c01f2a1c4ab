package completion

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// A claim in doubt shows the record that it comes nearest to, and says by it what is wrong.
func TestNearest(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "moor_barge", Effect: tooltrack.Changes}, {Name: "list_barges", Effect: tooltrack.Reads}, {Name: "tow_barge", Effect: tooltrack.Changes},
	}
	for _, c := range []struct {
		name, text string
		records    []string
		tier       Tier
		nearest    int // of the records; -1 for none
		fault      string
	}{
		{"nothing was called", "I've moored the barge Marta.", nil, Sure, -1, faultNoRecord},
		{"it failed", "The barge Marta lies moored now.", []string{`list_barges succeeded {}`, `moor_barge failed {"barge":"Marta"}`}, Sure, 1, faultFailed},
		{"not over", "The barge Marta has been moored.", []string{`moor_barge pending {"barge":"Marta"}`}, Unsure, 0, faultPending},
		{"only read", "I've moored the barge Marta.", []string{`list_barges succeeded {"name":"Marta"}`}, Sure, 0, faultReads},
		{"backed", "I've moored the barge Marta.", []string{`moor_barge succeeded {"barge":"Marta"}`}, Clean, -1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			turn := Case{User: "moor the barge Marta", Text: c.text, Tools: tools}
			for _, spec := range c.records {
				turn.Records = append(turn.Records, record(spec, tools))
			}
			verdict := New(nil).Evaluate(turn)
			require.NotEmpty(t, verdict.Claims)
			claim := verdict.Claims[0]
			require.Equal(t, c.tier, claim.Tier, "%+v", claim)
			require.Equal(t, c.fault, claim.Fault)
			if c.nearest < 0 {
				require.Nil(t, claim.Nearest)
				return
			}
			require.Same(t, turn.Records[c.nearest], claim.Nearest)
		})
	}
}
