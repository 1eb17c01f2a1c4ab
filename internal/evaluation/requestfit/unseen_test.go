package requestfit

import (
	"hash/fnv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/evaluation/chance"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/internal/sampling"
)

// TestUnseenSets fits everything anew to some of our own sets of tools, each fold without
// its sets, and lets the whole program answer those: a change that learns the sentences of
// some sets shows here. These figures are lower than those of measure, as there is less to
// learn from: at night from every fourth set, at each push from so few that it takes seconds.
func TestUnseenSets(t *testing.T) {
	if race.Enabled {
		t.Skip("fits models, one after the other: the race detector has nothing to find in it")
	}
	t.Cleanup(func() { require.NoError(t, fitting.Intent.Use(nil, nil, nil)) })
	floors := unseenFloors{exact: 0.63, falseCalls: 0.115, wrongly: 0.0055, rightly: 0.11, noticed: 0.89, askedIdle: 0.35}
	every := uint32(4)
	if !sampling.All() {
		floors = unseenFloors{exact: 0.55, falseCalls: 0.12, wrongly: 0.005, rightly: 0.1, noticed: 0.87, askedIdle: 0.43}
		every = 64
	}
	f, err := New("../../..", "", func(m *Message) bool {
		h := fnv.New32a()
		_, _ = h.Write([]byte(m.Source))
		return h.Sum32()>>7%every == 0
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
	require.Greater(t, c.n, 80_000/int(every))
	chance.AtLeast(t, "exact", c.exact, c.n, floors.exact)
	chance.AtMost(t, "false calls", c.falseCalls, c.none, floors.falseCalls)
	chance.AtMost(t, "insisted on wrongly", c.wrongly, c.n, floors.wrongly)
	chance.AtLeast(t, "insisted on rightly", c.rightly, c.wanted, floors.rightly)
	chance.AtLeast(t, "noticed", c.noticed, c.busy, floors.noticed)
	chance.AtMost(t, "asked although idle", c.askedIdle, c.idle, floors.askedIdle)
}

// unseenFloors are what sets that were not fitted to must reach, as shares.
type unseenFloors struct{ exact, falseCalls, wrongly, rightly, noticed, askedIdle float64 }
