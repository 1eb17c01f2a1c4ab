package completion

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// tierOf is the gravest tier of a verdict's claims.
func tierOf(v *Verdict) Tier {
	tier := Clean
	for i := range v.Claims {
		tier = max(tier, v.Claims[i].Tier)
	}
	return tier
}

// TestSwappedRecords: two calls of one tool whose ids are exchanged are noticed,
// although the records together hold all that the text tells.
func TestSwappedRecords(t *testing.T) {
	tools := toolsOf("reads list_bins; changes fill_bin")
	turn := Case{
		User: "Put 40 kg of oats into BN-1 and 65 kg of barley into BN-2", Tools: tools, Contract: Analysis(),
		Text: "I've filled BN-1 with 40 kg of oats. I've filled BN-2 with 65 kg of barley.",
	}
	calls := func(first, second string) []*tooltrack.Record {
		return []*tooltrack.Record{callOf("fill_bin "+first+" => {\"ok\":true}", tools), callOf("fill_bin "+second+" => {\"ok\":true}", tools)}
	}
	turn.Records = calls(`{"bin":"BN-1","kg":40,"of":"oats"}`, `{"bin":"BN-2","kg":65,"of":"barley"}`)
	right := New(nil).Evaluate(turn)
	turn.Records = calls(`{"bin":"BN-1","kg":65,"of":"barley"}`, `{"bin":"BN-2","kg":40,"of":"oats"}`)
	swapped := New(nil).Evaluate(turn)
	require.Equal(t, Clean, tierOf(&right))
	require.GreaterOrEqual(t, tierOf(&swapped), Unsure)
}
