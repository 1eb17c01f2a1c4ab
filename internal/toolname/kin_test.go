package toolname

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// TestKin: kin stand for one another both ways, none twice, and what answers may be asked for by any
// family that answers.
func TestKin(t *testing.T) {
	seen := map[[2]lexicon.Family]bool{}
	for _, k := range kin {
		require.NotEqual(t, k.a, k.b)
		require.False(t, seen[[2]lexicon.Family{k.a, k.b}] || seen[[2]lexicon.Family{k.b, k.a}], "%v and %v twice", k.a, k.b)
		seen[[2]lexicon.Family{k.a, k.b}] = true
		require.True(t, Kin(lexicon.FamiliesOf(k.a)).Has(k.b))
		require.True(t, Kin(lexicon.FamiliesOf(k.b)).Has(k.a))
	}
	require.True(t, Kin(lexicon.FamiliesOf(lexicon.Search)).Has(lexicon.Read))
	require.False(t, Kin(lexicon.FamiliesOf(lexicon.Delete)).Has(lexicon.Create), "what undoes it is no kin")
}

// TestUnknownVerbs: a name that has a known verb has no unknown one, unless that verb may be a noun.
func TestUnknownVerbs(t *testing.T) {
	for name, want := range map[string][]string{
		"scuttle_barge": {"scuttle", "barge"}, "deleteBarge": nil, "degauss_monitor": {"degauss"}, "scuttle": nil, "cancel_barge": nil,
	} {
		tool := Tool{Name: name}
		read := Read(lexicon.English(), tool)
		require.Equal(t, want, read.UnknownVerbs(lexicon.English(), Words(name)), name)
	}
}
