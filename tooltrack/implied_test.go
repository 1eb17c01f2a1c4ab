package tooltrack_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// named is a tool as package guard hands it over, with what its name implies.
func named(name string, effect tooltrack.Effect) *tooltrack.Tool {
	implied := tooltrack.Implied(toolname.Imply(lexicon.English(), toolname.Tool{Name: name}))
	return &tooltrack.Tool{Name: name, Effect: effect, Implied: &implied}
}

// What a tool's words tell is converted into an Effect by hosts.
func TestEffectsOfNamesConvert(t *testing.T) {
	for read, want := range map[toolname.Effect]tooltrack.Effect{
		toolname.Unknown: tooltrack.UnknownEffect, toolname.Reads: tooltrack.Reads, toolname.Changes: tooltrack.Changes, toolname.Verifies: tooltrack.Verifies,
	} {
		require.Equal(t, want, tooltrack.Effect(read))
	}
}

// TestWithoutWordsAChangeRunsOnce: a tool of which nothing is declared or implied may
// send, so it does not run again after a success.
func TestWithoutWordsAChangeRunsOnce(t *testing.T) {
	for name, c := range map[string]struct {
		implied *tooltrack.Implied
		again   bool
	}{
		"nothing implied": {nil, false}, "a deed": {&tooltrack.Implied{}, false}, "no deed": {&tooltrack.Implied{Repeats: true}, true},
	} {
		tool := tooltrack.Tool{Name: "work", Implied: c.implied}
		turn := open(t, tooltrack.NewLedger(nil, nil), "turn")
		for try, want := range []bool{true, c.again} {
			begun, err := turn.Begin(t.Context(), tool, call(tool, `{"x":1}`), nil)
			require.NoError(t, err)
			require.Equal(t, want, begun.Run, "%s, try %d", name, try)
			if begun.Run {
				_, err = turn.Finish(t.Context(), begun.Record, tooltrack.ResultOf(nil, nil))
				require.NoError(t, err)
			}
		}
	}
}
