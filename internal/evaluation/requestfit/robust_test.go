package requestfit

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/evaluation/chance"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/evaluation/requests"
	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestHardlyAnAnswerChanges: over our own requests, hardly any answer is another one with an unrelated
// tool beside the others or in upper case. None is not reached: upper case hides names, and of a
// tool more each word says a little more or less. The bounds are what is reached, and a third.
func TestHardlyAnAnswerChanges(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	type changed struct{ n, answers, sure, unrelated int }
	beside, upper := changed{}, changed{}
	note := func(c *changed, before, after intent.Intent) {
		c.n++
		c.answers += count(!slices.Equal(toolsOf(before), toolsOf(after)))
		c.sure += count(!slices.Equal(surelyOf(before), surelyOf(after)))
		c.unrelated += count(after.Expects(unrelatedTool.Name))
	}
	for i, set := range allSets(t) {
		if i%(8*sampling.Every(3)) != 0 {
			continue
		}
		alone := classifierFor(t, set.Tools, nil)
		joined := classifierFor(t, append(slices.Clone(set.Tools), unrelatedTool), nil)
		for _, r := range set.Requests {
			request := intent.Utterance{User: r.User, Previous: r.Previous}
			before := answered(t, alone, request)
			note(&beside, before, answered(t, joined, request))
			request.User = strings.ToUpper(r.User)
			note(&upper, before, answered(t, alone, request))
		}
	}
	t.Logf("beside an unrelated tool %+v, in upper case %+v", beside, upper)
	require.Greater(t, beside.n, 5000/sampling.Every(3))
	chance.AtMost(t, "answers beside an unrelated tool", beside.answers, beside.n, 0.02)
	chance.AtMost(t, "sure answers beside it", beside.sure, beside.n, 0.015)
	chance.AtMost(t, "the unrelated tool itself is expected", beside.unrelated, beside.n, 0.0025)
	chance.AtMost(t, "answers in upper case", upper.answers, upper.n, 0.035)
	chance.AtMost(t, "sure answers in upper case", upper.sure, upper.n, 0.025)
}

func toolsOf(in intent.Intent) (tools []string) {
	for _, e := range in.Expect {
		tools = append(tools, e.Tool)
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
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	held := slices.DeleteFunc(slices.Clone(allSets(t)), func(set *requests.Set) bool { return !set.Held })
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
				in := answered(t, c, intent.Utterance{User: r.User, Previous: r.Previous})
				f.add(in, r.Expected, r.Maybe)
				for _, name := range surelyOf(in) {
					insisted[name] += count(f == &strange)
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
	require.LessOrEqual(t, part(others.wrong, others.n), 0.006)
	require.GreaterOrEqual(t, 4*others.right, 3*alone.right)
}

// TestConfidenceHoldsInEachFile: over the held sets of one author the confidence is a probability,
// too, within eight points or what chance explains; the files are small, so of all bins together and of
// the surest one alone.
func TestConfidenceHoldsInEachFile(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	files := map[string]*tallied{}
	for _, set := range allSets(t) {
		if !set.Held {
			continue
		}
		if files[set.File] == nil {
			files[set.File] = &tallied{}
		}
		answer := plainAnswerer(t, set.Tools)
		for _, r := range set.Requests {
			files[set.File].add(answer(r.User, r.Previous), r.Expected, r.Maybe)
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

// surelyOf are the tools that are insisted on.
func surelyOf(in intent.Intent) (tools []string) {
	for _, e := range in.Expect {
		if e.Confidence >= intent.DefaultSureChange && e.Hold == intent.NotHeld {
			tools = append(tools, e.Tool)
		}
	}
	return tools
}

// unrelatedTool shares neither verb nor words with the tools of any set.
var unrelatedTool = tooltrack.Tool{Name: "rotate_molecule", Description: "Spins a protein molecule in the viewer.", Effect: tooltrack.Changes}
