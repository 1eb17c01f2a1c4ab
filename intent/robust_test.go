package intent

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestHardlyAnAnswerChanges: over our own requests, hardly any answer is another one with an unrelated
// tool beside the others or in upper case. None is not reached: upper case hides names, and of a
// tool more each word says a little more or less. The bounds are what is reached, and a third.
func TestHardlyAnAnswerChanges(t *testing.T) {
	if raceEnabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	type changed struct{ n, answers, sure, unrelated int }
	beside, upper := changed{}, changed{}
	count := func(c *changed, before, after Intent) {
		c.n++
		c.answers += tells(!slices.Equal(toolsOf(before), toolsOf(after)))
		c.sure += tells(!slices.Equal(surelyOf(before), surelyOf(after)))
		c.unrelated += tells(after.Expects(unrelatedTool.Name))
	}
	for i, set := range ownRequests(t) {
		if i%8 != 0 {
			continue
		}
		alone := classifierFor(t, set.Tools, nil)
		joined := classifierFor(t, append(slices.Clone(set.Tools), unrelatedTool), nil)
		for _, r := range set.Requests {
			request := Utterance{User: r.User, Previous: r.Previous}
			before := alone.answer(alone.newScratch(), request)
			count(&beside, before, joined.answer(joined.newScratch(), request))
			request.User = strings.ToUpper(r.User)
			count(&upper, before, alone.answer(alone.newScratch(), request))
		}
	}
	t.Logf("beside an unrelated tool %+v, in upper case %+v", beside, upper)
	require.Greater(t, beside.n, 5000)
	require.LessOrEqual(t, share(beside.answers, beside.n), 0.02)
	require.LessOrEqual(t, share(beside.sure, beside.n), 0.015)
	require.LessOrEqual(t, share(beside.unrelated, beside.n), 0.0025, "the unrelated tool itself is expected")
	require.LessOrEqual(t, share(upper.answers, upper.n), 0.035)
	require.LessOrEqual(t, share(upper.sure, upper.n), 0.025)
}

func toolsOf(in Intent) (tools []string) {
	for _, e := range in.Expect {
		tools = append(tools, e.Tool)
	}
	return tools
}

// surelyOf are the tools that are insisted on.
func surelyOf(in Intent) (tools []string) {
	for _, e := range in.Expect {
		if e.Confidence >= DefaultSureChange && e.Hold == NotHeld {
			tools = append(tools, e.Tool)
		}
	}
	return tools
}

// strangeTools are sixty tools of a laboratory that no set of ours has anything to do with.
func strangeTools() (tools []tooltrack.Tool) {
	for _, noun := range []string{"protein", "crystal", "isotope", "plasmid", "polymer", "neutrino", "enzyme", "lattice", "quasar", "peptide"} {
		for _, verb := range []string{"sequence", "centrifuge", "titrate", "irradiate", "sonicate", "spectrograph"} {
			tools = append(tools, tooltrack.Tool{Name: verb + "_" + noun, Effect: tooltrack.Changes,
				Description: fmt.Sprintf("%ss a %s in the particle lab.", strings.ToUpper(verb[:1])+verb[1:], noun)})
		}
	}
	return tools
}

// TestLargeSetsNeedMoreEvidence: a set that is filled up with sixty unrelated tools insists on none
// of these, and on no more wrong ones than before; filled up with tools of other sets, which are
// often the right ones for a message, on hardly more.
func TestLargeSetsNeedMoreEvidence(t *testing.T) {
	if raceEnabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	held := slices.DeleteFunc(ownRequests(t), func(set *requestSet) bool { return !set.Held })
	var alone, strange, others tallied
	insisted := map[string]int{}
	lab := strangeTools()
	for i := 0; i < len(held); i += 8 {
		set := held[i]
		mixed := slices.Clone(set.Tools)
		for k := 1; len(mixed) < 40; k++ { // one tool of each of the next sets
			other := held[(i+k)%len(held)]
			if tool := other.Tools[k%len(other.Tools)]; !slices.ContainsFunc(mixed, func(t tooltrack.Tool) bool { return t.Name == tool.Name }) {
				mixed = append(mixed, tool)
			}
		}
		for f, tools := range map[*tallied][]tooltrack.Tool{&alone: set.Tools, &strange: slices.Concat(set.Tools, lab), &others: mixed} {
			c := classifierFor(t, tools, nil)
			for _, r := range set.Requests {
				in := c.answer(c.newScratch(), Utterance{User: r.User, Previous: r.Previous})
				f.add(in, r.Expected, r.Maybe)
				for _, name := range surelyOf(in) {
					insisted[name] += tells(f == &strange)
				}
			}
		}
	}
	t.Logf("alone %v\nwith a lab %v\nwith others %v", &alone, &strange, &others)
	for _, tool := range lab {
		require.Zero(t, insisted[tool.Name], tool.Name)
	}
	require.Greater(t, alone.n, 2500)
	require.LessOrEqual(t, strange.wrong, alone.wrong+alone.n/1000)
	require.LessOrEqual(t, share(others.wrong, others.n), 0.006)
	require.GreaterOrEqual(t, 4*others.right, 3*alone.right)
}

// TestManyToolsMakeNobodySureByNearness: with few tools, words near to one may be enough; with many,
// one is near to anything, and a change is sure only by its act or its whole name.
func TestManyToolsMakeNobodySureByNearness(t *testing.T) {
	c := classifierFor(t, fiftyTools(), nil)
	require.Greater(t, len(c.profiles), manyTools)
	in := c.answer(c.newScratch(), Utterance{User: "archive the invoice of Ines"})
	require.Equal(t, []string{"archive_invoice"}, surelyOf(in), "a plain command is sure among fifty, too")
	crowded := func(like, named float32, tool int) bool {
		return c.crowded(&sight{like: like, tally: tally{named: named}}, tool)
	}
	remove := slices.IndexFunc(c.profiles, func(p *profile) bool { return p.name == "delete_invoice" })
	list := slices.IndexFunc(c.profiles, func(p *profile) bool { return p.name == "list_invoice" })
	require.True(t, crowded(akinAct, 0, remove))
	require.False(t, crowded(sameAct, 0, remove), "its act is said")
	require.False(t, crowded(otherAct, c.profiles[remove].weight, remove), "its whole name is said")
	require.False(t, crowded(akinAct, 0, list), "a look-up harms nobody")
	few := classifierFor(t, fiftyTools()[:manyTools], nil)
	require.False(t, few.crowded(&sight{}, 0))
}

// TestConfidenceHoldsInEachFile: over the held sets of one author the confidence is a probability,
// too, within eight points or what chance explains; the files are small, so of all bins together and of
// the surest one alone.
func TestConfidenceHoldsInEachFile(t *testing.T) {
	if raceEnabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	files := map[string]*tallied{}
	for _, set := range ownRequests(t) {
		if !set.Held {
			continue
		}
		if files[set.file] == nil {
			files[set.file] = &tallied{}
		}
		c := classifierFor(t, set.Tools, nil)
		for _, r := range set.Requests {
			files[set.file].add(c.answer(c.newScratch(), Utterance{User: r.User, Previous: r.Previous}), r.Expected, r.Maybe)
		}
	}
	require.Greater(t, len(files), 15)
	for file, f := range files {
		all := bin{}
		for _, b := range f.bins {
			all.n, all.right, all.said = all.n+b.n, all.right+b.right, all.said+b.said
		}
		for name, b := range map[string]bin{"all": all, "the surest": f.bins[9]} {
			n := float64(max(b.n, 1))
			says, is := b.said/n, float64(b.right)/n
			t.Logf("%s, %s: %.3f is %.3f of %d", file, name, says, is, b.n)
			chance := 3 * math.Sqrt(max(is*(1-is), 0.05)/n)
			require.LessOrEqual(t, says-is, max(0.08, chance), "%s, %s: says %.3f, is %.3f of %d", file, name, says, is, b.n)
			// To be too modest costs a question, to be too bold an order.
			require.LessOrEqual(t, is-says, max(0.1, chance), "%s, %s: says %.3f, is %.3f of %d", file, name, says, is, b.n)
		}
	}
}
