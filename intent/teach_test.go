package intent

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	turns "github.com/bonafide-go/bonafide/internal/labelled"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// lessonSet is a set of tools that nothing was fitted to, with its messages.
type lessonSet struct {
	name     string
	tools    []tooltrack.Tool
	messages []lessonMessage
}

type lessonMessage struct {
	Utterance
	expected, maybe []string
}

// lessonSets are our own held requests and the held domains.
func lessonSets(t *testing.T) map[string][]lessonSet {
	t.Helper()
	sets := map[string][]lessonSet{}
	for _, set := range ownRequests(t) {
		if !set.Held {
			continue
		}
		one := lessonSet{name: set.id(), tools: set.Tools}
		for _, r := range set.Requests {
			one.messages = append(one.messages, lessonMessage{Utterance{User: r.User, Previous: r.Previous}, r.Expected, r.Maybe})
		}
		sets["requests"] = append(sets["requests"], one)
	}
	domains, err := turns.Domains()
	require.NoError(t, err)
	for _, d := range domains {
		if !d.Held {
			continue
		}
		one := lessonSet{name: d.Name, tools: d.Tools}
		for _, turn := range d.Turns {
			one.messages = append(one.messages, lessonMessage{Utterance{User: turn.User, Previous: turn.Previous}, turn.Expected, turn.Maybe})
		}
		sets["domains"] = append(sets["domains"], one)
	}
	return sets
}

// split makes examples of the first messages that ask for one tool, n for each, and of
// as many that ask for none if idle; the others are measured.
func (s *lessonSet) split(n int, idle bool) (examples []Example, rest []lessonMessage) {
	taken := map[string]int{}
	for _, m := range s.messages {
		name, able := "", len(m.maybe) == 0 && m.Previous == ""
		switch {
		case len(m.expected) == 1:
			name = m.expected[0]
		case len(m.expected) > 1 || !idle:
			able = false
		}
		if able && taken[name] < n {
			taken[name]++
			examples = append(examples, Example{User: m.User, Expected: m.expected})
			continue
		}
		rest = append(rest, m)
	}
	return examples, rest
}

// TestTeachingDoesNoHarm measures what a few examples for each tool do to the other
// messages, of tools that nothing was fitted to: as many are read exactly, or more, no more
// expect a tool falsely (one in a thousand is chance), and nobody is sure of one more.
func TestTeachingDoesNoHarm(t *testing.T) {
	if raceEnabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	const chance = 0.001
	gained := map[string]float64{"domains": 0.03, "requests": 0} // by one example for each tool
	for source, sets := range lessonSets(t) {
		for _, c := range []struct {
			n    int
			idle bool
		}{{1, false}, {3, false}, {10, false}, {10, true}} {
			without, with := &tallied{}, &tallied{}
			for i := range sets {
				sets[i].compare(t, c.n, c.idle, without, with)
			}
			name := fmt.Sprintf("%s, %d for a tool, as many for none: %v", source, c.n, c.idle)
			t.Logf("%s\n\t%v\n\t%v", name, without, with)
			require.Greater(t, with.n, 1000, name)
			require.GreaterOrEqual(t, share(with.exact, with.n), share(without.exact, without.n)-chance, name)
			require.LessOrEqual(t, share(with.calls, with.none), share(without.calls, without.none)+chance, name)
			require.LessOrEqual(t, with.wrong, without.wrong, name)
			require.GreaterOrEqual(t, share(with.noticed, with.busy), share(without.noticed, without.busy)-chance, name)
			require.LessOrEqual(t, share(with.asked, with.idle), share(without.asked, without.idle)+chance, name)
			if c.n == 1 {
				require.GreaterOrEqual(t, share(with.exact, with.n), share(without.exact, without.n)+gained[source], name)
			}
		}
	}
}

// TestOneExampleIsRecalled: what is said again in the form of an example, by the same verb
// and of the same things, is asked for; what differs in one of them is not.
func TestOneExampleIsRecalled(t *testing.T) {
	for _, set := range []struct {
		tools  []tooltrack.Tool
		taught Example
		again  []string // mean the same
		other  []string // do not
	}{
		{
			[]tooltrack.Tool{
				{Name: "berth_assign", Description: "Assigns a berth to a ship."}, {Name: "pilot_list", Description: "Lists the pilots on duty."},
			},
			Example{"Meridian lies north tonight", []string{"berth_assign"}},
			[]string{"Aurora lies north tonight", "Solveig lies north tonight"},
			[]string{"the village lies north of here", "who lies north tonight?", "thanks!", "the fog lies low tonight"},
		},
		{
			[]tooltrack.Tool{
				{Name: "recipe_scale", Description: "Scales a recipe to a number of servings."}, {Name: "pantry_show", Description: "Shows what is in the pantry."},
			},
			Example{"make it 6 at the table tonight", []string{"recipe_scale"}},
			[]string{"make it 8 at the table tonight", "make it 12 at the table"},
			[]string{"make it quick", "did six sit at the table tonight?", "make it louder in the bar tonight"},
		},
		{ // around a title, whatever it is
			[]tooltrack.Tool{
				{Name: "hull_edit", Description: "Edits an entry of the yard book."}, {Name: "yard_show", Description: "Shows the yard."},
			},
			Example{"set Old Marta priority to dull", []string{"hull_edit"}},
			[]string{"set the barge of Ida priority to dull", "set tug of Ida priority to dull"},
			[]string{"set sail with Old Marta", "Old Marta priority to dull?", "thanks!"},
		},
	} {
		plain, taught := classifierFor(t, set.tools, nil), classifierFor(t, set.tools, &Options{Examples: []Example{set.taught}})
		for _, user := range set.again {
			require.NotEqual(t, set.taught.Expected, expected(t, plain, Utterance{User: user}), "%q needs no example", user)
			require.Equal(t, set.taught.Expected, expected(t, taught, Utterance{User: user}), user)
			in, err := taught.Classify(context.Background(), Utterance{User: user})
			require.NoError(t, err)
			require.False(t, insists(in, set.taught.Expected[0]), "an example makes nobody sure: %q", user)
		}
		for _, user := range set.other {
			require.Equal(t, expected(t, plain, Utterance{User: user}), expected(t, taught, Utterance{User: user}), user)
		}
	}
}

// TestIdleExamplesAreRecalled: what is near to a message that asked for nothing asks for
// nothing; a plain command does not care.
func TestIdleExamplesAreRecalled(t *testing.T) {
	const idle = "what's on my list today?" // it hangs on the wall
	plain := classifierFor(t, taskTools, nil)
	require.NotEmpty(t, expected(t, plain, Utterance{User: idle}), "the test teaches nothing")
	taught := classifierFor(t, taskTools, &Options{Examples: []Example{{User: idle}, {User: "delete the roof task"}}})
	in, err := taught.Classify(context.Background(), Utterance{User: idle})
	require.NoError(t, err)
	require.Empty(t, in.Expect)
	require.Less(t, in.Due, DefaultDue)
	require.Equal(t, []string{"delete_task"}, expected(t, taught, Utterance{User: "delete the roof task"}))
}

func (s *lessonSet) compare(t *testing.T, n int, idle bool, without, with *tallied) {
	examples, rest := s.split(n, idle)
	plain, taught := classifierFor(t, s.tools, nil), classifierFor(t, s.tools, &Options{Examples: examples})
	for _, m := range rest {
		before, err := plain.Classify(context.Background(), m.Utterance)
		require.NoError(t, err)
		after, err := taught.Classify(context.Background(), m.Utterance)
		require.NoError(t, err)
		without.add(before, m.expected, m.maybe)
		with.add(after, m.expected, m.maybe)
	}
}
