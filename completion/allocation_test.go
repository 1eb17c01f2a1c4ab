//go:build !race

package completion

import "testing"

// The race detector empties pools at random, so allocations are counted
// without it.
func TestNothingClaimedAllocatesLittle(t *testing.T) {
	evaluator := New(nil)
	for name, turn := range map[string]Case{
		"short results": {User: deleteMilk, Text: quiet, Tools: benchTools(), Records: benchRecords(4)},
		"a long list":   listedTurn(),
	} {
		evaluator.Evaluate(turn)
		if allocations := testing.AllocsPerRun(200, func() { evaluator.Evaluate(turn) }); allocations > 12 {
			t.Errorf("%s: a text without claims costs %v allocations", name, allocations)
		}
	}
}
