package intent

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// surelyOf are the tools that are insisted on.
func surelyOf(in Intent) (tools []string) {
	for _, e := range in.Expect {
		if e.Confidence >= DefaultSureChange && e.Hold == NotHeld {
			tools = append(tools, e.Tool)
		}
	}
	return tools
}

// TestManyToolsMakeNobodySureByNearness: with few tools, words near to one may be enough; with many,
// one is near to anything, and a change is sure only by its act or its whole name.
func TestManyToolsMakeNobodySureByNearness(t *testing.T) {
	c := classifierFor(t, fiftyTools(), nil)
	require.Greater(t, len(c.profiles), manyTools)
	in := c.read(Utterance{User: "archive the invoice of Ines"}).intent()
	require.Equal(t, []string{"archive_invoice"}, surelyOf(in), "a plain command is sure among fifty, too")
	crowded := func(like, named float32, tool int) bool {
		s := &support{like: like, tally: tally{named: named}}
		k := &contender{message: &message{reader: reader{Classifier: c}}, support: s, tool: c.profiles[tool]}
		return k.isLostInCrowd()
	}
	remove := slices.IndexFunc(c.profiles, func(p *profile) bool { return p.name == "delete_invoice" })
	list := slices.IndexFunc(c.profiles, func(p *profile) bool { return p.name == "list_invoice" })
	require.True(t, crowded(akinAct, 0, remove))
	require.False(t, crowded(sameAct, 0, remove), "its act is said")
	require.False(t, crowded(otherAct, c.profiles[remove].weight, remove), "its whole name is said")
	require.False(t, crowded(akinAct, 0, list), "a look-up harms nobody")
	c = classifierFor(t, fiftyTools()[:manyTools], nil)
	require.False(t, crowded(otherAct, 0, 0))
}
