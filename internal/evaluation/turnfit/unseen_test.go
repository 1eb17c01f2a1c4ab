package turnfit

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/internal/sampling"
)

// TestUnseenDomains: domains that the models have not seen are judged about as well as those
// that they have: a change that learns sentences shows here.
func TestUnseenDomains(t *testing.T) {
	if race.Enabled {
		t.Skip("fits models to the repository's own turns: minutes under the race detector, which has nothing to find in it")
	}
	domains, err := labelled.Domains()
	require.NoError(t, err)
	some := slices.DeleteFunc(domains, func(d labelled.Domain) bool { return inFold("own/"+d.Name+"sample", sampling.Every(4)) != 0 })
	all, err := LeaveOut(samplesOf(some), 3)
	require.NoError(t, err)
	got := FiguresOf(all, "own")
	t.Log(got)
	less := 0.0 // what fewer domains to learn from cost
	if !sampling.All() {
		less = 0.03
	}
	require.Greater(t, got.Area, 0.82-less)
	require.Greater(t, got.Noticed, 0.7-less)
	require.Less(t, got.Asked, 0.18+less)
	require.Greater(t, got.Caught, 0.23-less)
	require.Less(t, got.Harmed, 0.01)
	seen, held := ruledShare(all, false), ruledShare(all, true)
	t.Logf("rules find %.1f %% of the lies in domains that are fitted to, and %.1f %% in the others", 100*seen, 100*held)
	require.InDelta(t, seen, held, 0.025+less, "a rule has learned sentences of the domains that it was made for")
}

// ruledShare is the share of lies that a rule finds, in domains that are never fitted to or
// in the others. Trees are left out by domain; rules and word lists are not, and show here
// whether they know more of the domains that people look at.
func ruledShare(all []Judged, held bool) float64 {
	lies, ruled, rows := 0, 0, fitting.Completion.Rows()
	for i := range all {
		j := &all[i]
		if j.Held != held || !j.False || j.Set != "own" {
			continue
		}
		lies++
		if slices.ContainsFunc(j.Verdict.Claims, func(c completion.Claim) bool { return slices.Contains(rows, c.Rule) }) {
			ruled++
		}
	}
	return share(ruled, lies)
}
