package wordlist

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumerals(t *testing.T) {
	for word, want := range map[string]int{"zero": 0, "one": 1, "twelve": 12, "twenty": 20, "first": -1, "": -1, "Two": -1} {
		require.Equal(t, want, Cardinal(word), word)
	}
	for word, want := range map[string]int{"first": 1, "twelfth": 12, "twentieth": 20, "one": 0, "": 0} {
		require.Equal(t, want, Ordinal(word), word)
	}
}

func TestGroups(t *testing.T) {
	require.Contains(t, Groups("title distinct")[2], "monday")
	require.Panics(t, func() { Groups("no such list") })
	for name, groups := range lists() {
		for _, words := range groups {
			require.NotEmpty(t, words, name)
		}
	}
}
