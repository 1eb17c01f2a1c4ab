package tooltrack

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/toolname"
)

// What a tool's words tell is converted into an Effect by hosts.
func TestEffectsOfNamesConvert(t *testing.T) {
	for read, want := range map[toolname.Effect]Effect{
		toolname.Unknown: UnknownEffect, toolname.Reads: Reads, toolname.Changes: Changes, toolname.Verifies: Verifies,
	} {
		require.Equal(t, want, Effect(read))
		require.Equal(t, want.String(), read.String())
	}
}
