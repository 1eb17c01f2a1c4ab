package requestfit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/evaluation/chance"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/sampling"
)

// TestNoWaitDont: a message that ends in a plain withdrawal is held, expects nothing and is
// not due, whatever was asked for before. What is only told may be meant to be dropped, by a
// tool, unless a "don't" ends it: "it broke, forget it".
func TestNoWaitDont(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	endings := map[string]float64{", no wait, don't": 0, ". On second thought, don't.": 0, ". Forget it.": 0.17, "... never mind": 0.17, ". Scratch that.": 0.17}
	trials, left := 0, map[string]int{}
	for i, set := range allSets(t) {
		if i%(5*sampling.Every(4)) != 0 {
			continue
		}
		c, answer := classifierFor(t, set.Tools, nil), plainAnswerer(t, set.Tools)
		for _, r := range set.Requests {
			if in := answer(r.User, ""); len(in.Expect) == 0 || in.Hold != intent.NotHeld {
				continue
			}
			trials++
			for ending := range endings {
				user := strings.TrimRight(r.User, ".!") + ending
				in := answered(t, c, intent.Utterance{User: user})
				require.NotEqual(t, intent.NotHeld, in.Hold, user)
				for _, e := range in.Expect {
					require.NotEqual(t, intent.NotHeld, e.Hold, user)
				}
				if len(in.Expect) > 0 || in.Due >= intent.DefaultDue {
					left[ending]++
					if endings[ending] == 0 {
						t.Errorf("%q expects %v, due %v", user, in.Expect, in.Due)
					}
				}
			}
		}
	}
	require.Greater(t, trials, 3000/sampling.Every(4))
	for ending, most := range endings {
		t.Logf("%q: %d of %d are still asked for", ending, left[ending], trials)
		chance.AtMost(t, ending, left[ending], trials, most)
	}
}
