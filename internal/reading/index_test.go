package reading

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestIndexLikeSets: an index says of each source what a set of its keys says.
func TestIndexLikeSets(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var index Index
	for _, sources := range []Source{3, 60, 64, 65, 200} {
		index.Begin(sources)
		sets := make([]map[uint64]bool, sources)
		for i := range sets {
			sets[i] = map[uint64]bool{}
		}
		for key := range uint64(100) {
			index.Keep(key + 2)
		}
		for range 500 {
			key, from := 2+random.Uint64N(200), 2+Source(random.IntN(int(sources)-2))
			shared := Source(random.IntN(2))
			index.Note(key, from, shared)
			if key < 102 { // others are not asked about
				sets[from][key], sets[shared][key] = true, true
			}
		}
		for key := range uint64(300) {
			for from := range sources {
				require.Equal(t, sets[from][key], index.In(index.Row(key), from), "key %d, source %d of %d", key, from, sources)
			}
			require.Equal(t, sets[0][key], index.Of(key)&1 != 0)
		}
	}
}

func TestIndexHoldsValuesHoweverTheyAreWritten(t *testing.T) {
	for _, c := range []struct {
		asked, told string
		want        bool
	}{
		{"It costs $12.50.", `{"cents":1250}`, true},
		{"It costs 12.50.", `{"count":1250}`, false},
		{"A discount of 20%.", `{"discount":0.2}`, true},
		{"At 9:30.", `{"at":"21:30"}`, true},
		{"At 21:30.", `{"at":"9:30"}`, true},
		{"At 21:30.", `{"at":"9:31"}`, false},
		{"BK-5590", `{"id":"bk5590"}`, true},
	} {
		var index Index
		index.Begin(2)
		asked := English().Values(nil, c.asked)
		index.KeepAll(asked, 0)
		for _, v := range English().Values(nil, c.told) {
			index.Note(v.Key, 1, 1)
		}
		held := false
		for i := range asked {
			held = held || asked[i].Kind != Word && !asked[i].Has(Derived) && index.Holds(1, &asked[i])
		}
		require.Equal(t, c.want, held, "%s %s", c.asked, c.told)
	}
}

// TestReadInParts: what is read later, or not at all, changes nothing of the rest.
func TestReadInParts(t *testing.T) {
	whole, parts := English().Read(nil, report), English().ReadClauses(nil, report)
	require.Empty(t, parts.Values)
	parts.ReadValues()
	require.Equal(t, whole.Values, parts.Values)
	require.Equal(t, whole.Clauses, parts.Clauses)
}
