package toolname

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// TestEveryPairIsOpposed: a record of the one never backs a claim of the other,
// whichever of the words a tool has.
func TestEveryPairIsOpposed(t *testing.T) {
	families := func(verb string) lexicon.Families {
		return Read(lexicon.English(), Tool{Name: verb + "_item", Description: verb + " an item"}).Families
	}
	for _, pair := range [][2]string{
		{"cancel", "create"}, {"cancel", "book"}, {"cancel", "order"}, {"cancel", "schedule"}, {"cancel", "register"},
		{"delete", "create"}, {"return", "order"}, {"refund", "order"},
		{"restore", "delete"}, {"restore", "archive"}, {"restore", "cancel"},
		{"upload", "download"},
		{"open", "close"}, {"start", "stop"}, {"start", "close"}, {"open", "stop"},
		{"complete", "open"},
		{"lock", "unlock"}, {"enable", "disable"}, {"connect", "disconnect"}, {"login", "logout"},
		{"subscribe", "unsubscribe"}, {"approve", "reject"}, {"deposit", "withdraw"}, {"upgrade", "downgrade"},
		{"create", "open"}, {"build", "open"},
	} {
		one, other := families(pair[0]), families(pair[1])
		require.False(t, one.Empty() || other.Empty(), "%v: a word of no family", pair)
		require.True(t, Opposites(one).Overlaps(other), "%s does not exclude %s", pair[0], pair[1])
		require.True(t, Opposites(other).Overlaps(one), "%s does not exclude %s", pair[1], pair[0])
	}
	for _, same := range []string{"create", "delete", "open", "send", "list"} {
		require.False(t, Opposites(families(same)).Overlaps(families(same)), "%s excludes itself", same)
	}
	require.True(t, Opposites(families("list")).Empty(), "to list excludes nothing")
}
