package requestfit

import (
	"hash/fnv"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/intent"
)

// TestUnseenSets fits everything anew to every fourth of our own sets of tools, each fold
// without its sets, and lets the whole program answer those: a change that learns the
// sentences of some sets shows here. These figures are lower than those of measure, as there
// is less to learn from.
func TestUnseenSets(t *testing.T) {
	if os.Getenv("BONAFIDE_TEST_UNSEEN") == "" {
		t.Skip("BONAFIDE_TEST_UNSEEN is not set: fits models anew, which takes minutes")
	}
	f, err := New("../../..", "", func(m *Message) bool {
		h := fnv.New32a()
		_, _ = h.Write([]byte(m.Source))
		return h.Sum32()>>7%4 == 0
	})
	require.NoError(t, err)
	for _, m := range f.Messages() { // each is left out of its own fold, held or not
		m.Held, m.weight = false, max(m.weight, 1)
	}
	folds, err := f.Folds()
	require.NoError(t, err)
	require.NoError(t, f.AnswerLeftOut(folds))
	var c Counts
	for _, m := range f.Messages() {
		c.Add(m, intent.DefaultSureChange, intent.DefaultDue)
	}
	t.Logf("%d messages: exact %.1f, false calls %.1f; insisted on wrongly %.2f, rightly %.1f; noticed %.1f, idle asked %.1f", c.n,
		percent(c.exact, c.n), percent(c.falseCalls, c.none), percent(c.wrongly, c.n), percent(c.rightly, c.wanted),
		percent(c.noticed, c.busy), percent(c.askedIdle, c.idle))
	require.Greater(t, c.n, 20_000)
	require.Greater(t, percent(c.exact, c.n), 63.)
	require.Less(t, percent(c.falseCalls, c.none), 11.5)
	require.Less(t, percent(c.wrongly, c.n), 0.55)
	require.Greater(t, percent(c.rightly, c.wanted), 11.)
	require.Greater(t, percent(c.noticed, c.busy), 89.)
	require.Less(t, percent(c.askedIdle, c.idle), 35.)
}
