package requestfit

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// lessonSet is a set of tools that nothing was fitted to, with its messages.
type lessonSet struct {
	name     string
	tools    []tooltrack.Tool
	messages []lessonMessage
}

type lessonMessage struct {
	intent.Utterance
	expected, maybe []string
}

// lessonSets are our own held requests and the held domains.
func lessonSets(t *testing.T) map[string][]lessonSet {
	t.Helper()
	sets := map[string][]lessonSet{}
	for _, set := range allSets(t) {
		if !set.Held {
			continue
		}
		one := lessonSet{name: set.ID(), tools: set.Tools}
		for _, r := range set.Requests {
			one.messages = append(one.messages, lessonMessage{intent.Utterance{User: r.User, Previous: r.Previous}, r.Expected, r.Maybe})
		}
		sets["requests"] = append(sets["requests"], one)
	}
	domains, err := readDomains()
	require.NoError(t, err)
	for _, d := range domains {
		if !d.Held {
			continue
		}
		one := lessonSet{name: d.Name, tools: d.Tools}
		for _, turn := range d.Turns {
			one.messages = append(one.messages, lessonMessage{intent.Utterance{User: turn.User, Previous: turn.Previous}, turn.Expected, turn.Maybe})
		}
		sets["domains"] = append(sets["domains"], one)
	}
	return sets
}

// split makes examples of the first messages that ask for one tool, n for each, and of
// as many that ask for none if idle; the others are measured.
func (s *lessonSet) split(n int, idle bool) (examples []intent.Example, rest []lessonMessage) {
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
			examples = append(examples, intent.Example{User: m.User, Expected: m.expected})
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
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	const chance = 0.001
	gained := map[string]float64{"domains": 0.03, "requests": 0} // by one example for each tool
	for source, sets := range lessonSets(t) {
		for i, c := range []struct {
			n    int
			idle bool
		}{{1, false}, {3, false}, {10, false}, {10, true}} {
			// One example leaves three times as many requests to measure as ten, with the same result.
			if i%sampling.Every(3) != 0 || !sampling.All() && source == "requests" && c.n == 1 {
				continue
			}
			without, with := &tallied{}, &tallied{}
			for i := range sets {
				sets[i].compare(t, c.n, c.idle, without, with)
			}
			name := fmt.Sprintf("%s, %d for a tool, as many for none: %v", source, c.n, c.idle)
			t.Logf("%s\n\t%v\n\t%v", name, without, with)
			require.Greater(t, with.n, 1000, name)
			require.GreaterOrEqual(t, part(with.exact, with.n), part(without.exact, without.n)-chance, name)
			require.LessOrEqual(t, part(with.calls, with.none), part(without.calls, without.none)+chance, name)
			require.LessOrEqual(t, with.wrong, without.wrong, name)
			require.GreaterOrEqual(t, part(with.noticed, with.busy), part(without.noticed, without.busy)-chance, name)
			require.LessOrEqual(t, part(with.asked, with.idle), part(without.asked, without.idle)+chance, name)
			if c.n == 1 {
				require.GreaterOrEqual(t, part(with.exact, with.n), part(without.exact, without.n)+gained[source], name)
			}
		}
	}
}

func (s *lessonSet) compare(t *testing.T, n int, idle bool, without, with *tallied) {
	examples, rest := s.split(n, idle)
	plain, taught := plainAnswerer(t, s.tools), classifierFor(t, s.tools, &intent.Options{Examples: examples})
	for _, m := range rest {
		before, after := plain(m.User, m.Previous), answered(t, taught, m.Utterance)
		without.add(before, m.expected, m.maybe)
		with.add(after, m.expected, m.maybe)
	}
}
