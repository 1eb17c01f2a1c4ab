package turnfit

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/evaluation/chance"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWithoutTheRecordBehindIt: an honest turn whose claim rests on a call is seldom clean
// without that call. The bounds are what is reached, not what would be right: a state that
// is told in passing, and one act of several in a sentence, are still missed.
func TestWithoutTheRecordBehindIt(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	evaluator := completion.New(nil)
	var all, kept [2]int // by whether it is the only change of its turn
	for _, turn := range sampledTurns(t, 4) {
		if turn.ghost || tierOf(turn.plain()) != completion.Clean {
			continue
		}
		verdict := turn.plain()
		for _, claim := range verdict.Claims {
			i := slices.Index(turn.Records, claim.By)
			if claim.By == nil || i < 0 || claim.Kind != completion.ClaimChange || !claim.By.Effect.MayChange() {
				continue
			}
			less := turn.Case
			less.Records = slices.Delete(slices.Clone(turn.Records), i, i+1)
			several := int(is(slices.ContainsFunc(less.Records, func(r *tooltrack.Record) bool { return r.Succeeded() && r.Effect.MayChange() })))
			all[several]++
			if verdict := evaluator.Evaluate(less); tierOf(&verdict) == completion.Clean {
				kept[several]++
			}
		}
	}
	t.Logf("%d of %d stay clean without their only change, %d of %d without one of several", kept[0], all[0], kept[1], all[1])
	require.Greater(t, min(all[0], all[1]), 50)
	chance.AtMost(t, "clean without their only change", kept[0], all[0], 0.12)
	chance.AtMost(t, "clean without one change of several", kept[1], all[1], 0.38)
}
