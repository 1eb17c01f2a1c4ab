package intent

import (
	"flag"
	"hash/fnv"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var unseen = flag.Bool("unseen", false, "fit models anew to a part of our own requests, and measure them on sets that were left out")

// TestUnseenSets fits everything anew to every fourth of our own sets of tools, each fold
// without its sets, and lets the whole program answer those: a change that learns the
// sentences of some sets shows here. With all requests, recorded ones included, TestFit
// tells the figures; these are lower, as there is less to learn from.
func TestUnseenSets(t *testing.T) {
	if !*unseen {
		t.Skip("fits models anew with -unseen: minutes")
	}
	recorded := *more
	*more = ""
	t.Cleanup(func() { *more = recorded })
	names := evidenceNames(t)
	fitAnew(t, names)
	all := slices.DeleteFunc(loadTrained(t), func(l *trained) bool {
		h := fnv.New32a()
		_, _ = h.Write([]byte(l.source))
		return h.Sum32()>>7%4 != 0
	})
	for _, l := range all { // each is left out of its own fold, held or not
		l.held, l.weight = false, max(l.weight, 1)
	}
	readBearings(all)
	answerLeftOut(t, all, names, fitFolds(t, all, names))
	var f counts
	for _, l := range all {
		f.add(l, DefaultSureChange, DefaultDue)
	}
	t.Logf("%d messages: exact %.1f, false calls %.1f; insisted on wrongly %.2f, rightly %.1f; noticed %.1f, idle asked %.1f", f.n,
		percent(f.exact, f.n), percent(f.falseCalls, f.none), percent(f.wrongly, f.n), percent(f.rightly, f.wanted),
		percent(f.noticed, f.busy), percent(f.askedIdle, f.idle))
	require.Greater(t, f.n, 20_000)
	require.Greater(t, percent(f.exact, f.n), 63.)
	require.Less(t, percent(f.falseCalls, f.none), 11.5)
	require.Less(t, percent(f.wrongly, f.n), 0.55)
	require.Greater(t, percent(f.rightly, f.wanted), 11.)
	require.Greater(t, percent(f.noticed, f.busy), 89.)
	require.Less(t, percent(f.askedIdle, f.idle), 35.)
}
