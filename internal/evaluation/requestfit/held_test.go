package requestfit

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/evaluation/chance"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/evaluation/requests"
	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func classifierFor(t testing.TB, tools []tooltrack.Tool, options *intent.Options) *intent.Classifier {
	t.Helper()
	c, err := intent.FromTools(tools, options)
	require.NoError(t, err)
	return c
}

func answered(t testing.TB, c *intent.Classifier, request intent.Utterance) intent.Intent {
	t.Helper()
	in, err := c.Classify(context.Background(), request)
	require.NoError(t, err)
	return in
}

var (
	readSets    = sync.OnceValues(requests.Sets)
	readDomains = sync.OnceValues(labelled.Domains)
)

// allSets are shared by all tests: they are not changed.
func allSets(t testing.TB) []*requests.Set {
	t.Helper()
	sets, err := readSets()
	require.NoError(t, err)
	return sets
}

// plainAnswers are those that were asked for already, by the user's message of a set of tools.
var plainAnswers = map[*tooltrack.Tool]map[intent.Utterance]intent.Intent{}

// plainAnswerer answers messages for a set of tools by the shipped models and without options,
// each once for all tests.
func plainAnswerer(t testing.TB, tools []tooltrack.Tool) func(user, previous string) intent.Intent {
	known := plainAnswers[&tools[0]]
	if known == nil {
		known = map[intent.Utterance]intent.Intent{}
		plainAnswers[&tools[0]] = known
	}
	c := sync.OnceValue(func() *intent.Classifier { return classifierFor(t, tools, nil) })
	return func(user, previous string) intent.Intent {
		request := intent.Utterance{User: user, Previous: previous}
		in, isKnown := known[request]
		if !isKnown {
			in = answered(t, c(), request)
			known[request] = in
		}
		return in
	}
}

// bin counts expectations of about one confidence.
type bin struct {
	n, right int
	said     float64 // the sum of their confidences
}

// tallied are the figures of a set of labelled messages.
type tallied struct {
	n, exact, none, calls int
	wrong, right, wanted  int // insisted on
	busy, noticed         int // something is due
	idle, asked           int // nothing is due
	bins                  [10]bin
}

func (f *tallied) add(in intent.Intent, expected, maybe []string) {
	wanted, arguable := setOf(expected), setOf(maybe)
	f.n++
	exact, called, wrong := true, false, false
	for _, e := range in.Expect {
		if arguable[e.Tool] && !wanted[e.Tool] {
			continue
		}
		exact, called = exact && wanted[e.Tool], true
		bin := &f.bins[min(int(e.Confidence*10), 9)]
		bin.n++
		bin.said += e.Confidence
		if wanted[e.Tool] && e.Hold == intent.NotHeld {
			bin.right++
		}
		if e.Confidence >= intent.DefaultSureChange && e.Hold == intent.NotHeld {
			if wanted[e.Tool] {
				f.right++
			} else {
				wrong = true
			}
		}
	}
	for name := range wanted {
		exact = exact && in.Expects(name)
	}
	f.wanted += len(wanted)
	count := func(n *int, b bool) {
		if b {
			*n++
		}
	}
	count(&f.exact, exact)
	count(&f.wrong, wrong)
	switch {
	case len(wanted) > 0:
		f.busy++
		count(&f.noticed, in.Due >= intent.DefaultDue)
	case len(arguable) == 0:
		f.idle++
		count(&f.asked, in.Due >= intent.DefaultDue)
	}
	if len(wanted) == 0 {
		f.none++
		count(&f.calls, called)
	}
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

func part(a, b int) float64 { return float64(a) / float64(max(b, 1)) }

func (f *tallied) String() string {
	return fmt.Sprintf("%d: exact %.3f, false calls %.3f; insisted wrongly %.4f, rightly %.3f; due noticed %.3f, idle asked %.3f",
		f.n, part(f.exact, f.n), part(f.calls, f.none), part(f.wrong, f.n), part(f.right, f.wanted), part(f.noticed, f.busy), part(f.asked, f.idle))
}

// TestHeldDomains measures on turns of domains that nothing was fitted to. What
// the floors say was reached; a change that costs more than a handful has to say
// why.
func TestHeldDomains(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	f := heldDomains(t)
	t.Log(f)
	require.Greater(t, f.n, 500, "the held domains are missing")
	chance.AtLeast(t, "exact", f.exact, f.n, 0.63)
	chance.AtMost(t, "false calls", f.calls, f.none, 0.13)
	chance.AtMost(t, "insisted on wrongly", f.wrong, f.n, 0.003)
	chance.AtLeast(t, "insisted on rightly", f.right, f.wanted, 0.16)
	chance.AtLeast(t, "noticed to be due", f.noticed, f.busy, 0.94)
	chance.AtMost(t, "asked about although idle", f.asked, f.idle, 0.36)
}

func heldDomains(t *testing.T) *tallied {
	t.Helper()
	domains, err := readDomains()
	require.NoError(t, err)
	f := &tallied{}
	for _, d := range domains {
		if !d.Held {
			continue
		}
		answer := plainAnswerer(t, d.Tools)
		for _, turn := range d.Turns {
			f.add(answer(turn.User, turn.Previous), turn.Expected, turn.Maybe)
		}
	}
	return f
}

// TestConfidenceIsAProbability holds the confidence to what it says, on domains
// and tool sets that nothing was fitted to: in each of ten bins the share that is right lies
// within five points of it, or chance explains the difference.
func TestConfidenceIsAProbability(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	f := heldDomains(t)
	for _, set := range allSets(t) {
		if !set.Held {
			continue
		}
		answer := plainAnswerer(t, set.Tools)
		for _, r := range set.Requests {
			f.add(answer(r.User, r.Previous), r.Expected, r.Maybe)
		}
	}
	for _, bin := range f.bins {
		n, right := float64(bin.n), float64(bin.right)
		if n == 0 {
			continue
		}
		says, is := bin.said/n, right/n
		const z = 2.6 // ten bins are ten chances
		half := z * math.Sqrt(max(is*(1-is), 0.05)/n)
		t.Logf("%.2f: %.2f of %v", says, is, n)
		if d := math.Abs(says - is); d > 0.05 && d > half {
			t.Errorf("confidence about %.2f: %.2f of %v are right", says, is, n)
		}
	}
}

// TestDueIsAProbability holds Due to what it says on messages that nothing was fitted to,
// weighed so that three of four ask for something: how common that is differs from host to
// host, and that is what the trees were fitted for.
func TestDueIsAProbability(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	var said, n [10]float64
	var busy, idle [10]float64
	add := func(in intent.Intent, expected, maybe []string) {
		if len(expected) == 0 && len(maybe) > 0 {
			return
		}
		bin := min(int(in.Due*10), 9)
		said[bin] += in.Due
		n[bin]++
		if len(expected) > 0 {
			busy[bin]++
		} else {
			idle[bin]++
		}
	}
	domains, err := readDomains()
	require.NoError(t, err)
	for _, d := range domains {
		if d.Held {
			answer := plainAnswerer(t, d.Tools)
			for _, turn := range d.Turns {
				add(answer(turn.User, turn.Previous), turn.Expected, turn.Maybe)
			}
		}
	}
	for _, set := range allSets(t) {
		if set.Held {
			answer := plainAnswerer(t, set.Tools)
			for _, r := range set.Requests {
				add(answer(r.User, r.Previous), r.Expected, r.Maybe)
			}
		}
	}
	total := func(counts [10]float64) (sum float64) {
		for _, count := range counts {
			sum += count
		}
		return sum
	}
	for bin := range n {
		require.Greater(t, n[bin], 500.0, "too few to tell")
		due, rest := 0.75*busy[bin]/total(busy), 0.25*idle[bin]/total(idle)
		says, is := said[bin]/n[bin], due/(due+rest)
		t.Logf("%.3f: %.3f of %v", says, is, n[bin])
		require.InDelta(t, says, is, 0.05, "of those that are due with about %.2f", says)
	}
}

// TestOwnRequests holds the classifier to what it reaches on our own requests;
// the sets that nothing was fitted to are counted by themselves.
func TestOwnRequests(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	reached := map[string]struct{ exact, calls float64 }{
		"everyday": {0.89, 0.09}, "technical": {0.9, 0.07}, "hard-everyday": {0.78, 0.1}, "hard-technical": {0.74, 0.13},
		"domains": {0.81, 0.04}, "operations": {0.85, 0.05}, "siblings": {0.77, 0.08}, "manner": {0.75, 0.09},
		"dialogue": {0.9, 0.04}, "absent": {0.85, 0.06}, "plain": {0.83, 0.05}, "held": {0.7, 0.09},
		"saying-home": {0.78, 0.09}, "saying-office": {0.78, 0.08}, "saying-service": {0.79, 0.09},
		"saying-systems": {0.78, 0.09}, "saying-trades": {0.84, 0.06},
		"lists": {0.8, 0.11}, "functions": {0.85, 0.12}, "conversation": {0.84, 0.12}, "desks": {0.81, 0.09}, "catalogue": {0.84, 0.15},
		"services": {0.84, 0.12}, "toolkits": {0.82, 0.15}, "counters": {0.87, 0.11}, "skills": {0.83, 0.09}, "exchanges": {0.88, 0.08},
	}
	found := map[string]*tallied{}
	for _, set := range allSets(t) {
		name := set.File
		if set.Held {
			name = "held"
		}
		f := found[name]
		if f == nil {
			f = &tallied{}
			found[name] = f
		}
		answer := plainAnswerer(t, set.Tools)
		for i, r := range set.Requests {
			if i%sampling.Every(5) == 0 {
				f.add(answer(r.User, r.Previous), r.Expected, r.Maybe)
			}
		}
	}
	require.Len(t, found, len(reached), "a file without a floor, or a floor without its file")
	for name, want := range reached {
		f := found[name]
		require.NotNil(t, f, name)
		t.Log(name, f)
		chance.AtLeast(t, name+", exact", f.exact, f.n, want.exact)
		chance.AtMost(t, name+", false calls", f.calls, f.none, want.calls)
	}
	held := found["held"]
	chance.AtMost(t, "insisted on wrongly", held.wrong, held.n, 0.003)
	chance.AtLeast(t, "insisted on rightly", held.right, held.wanted, 0.16)
	chance.AtLeast(t, "noticed to be due", held.noticed, held.busy, 0.92)
	chance.AtMost(t, "asked about although idle", held.asked, held.idle, 0.28)
}
