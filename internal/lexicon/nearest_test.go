package lexicon

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{
		"cancle": "cancel", "cancell": "cancel", "delte": "delete", "opne": "open", "acount": "account", "shedule": "schedule",
		"tommorow": "tommorow", "unlok": "unlock", "calender": "calender", "updat": "update",
	} {
		entry := English().Lookup(word)
		if entry == nil {
			entry = English().Nearest(word)
		}
		require.NotNil(t, entry, word)
		require.Equal(t, want, entry.Word)
	}
	for _, word := range []string{"", "a", "zzzzqq", "löschen", "hb2201", "Cancle", "qancel"} {
		require.Nil(t, English().Nearest(word), word)
	}
}

func BenchmarkNearest(b *testing.B) {
	for b.Loop() {
		English().Nearest("brackwater")
	}
}
