package intent

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryHoldRow(t *testing.T) {
	rows := parseHolds(holdsFile)
	require.Greater(t, len(rows), 70)
	for _, row := range rows {
		require.NotEqual(t, NotHeld, row.hold, "%q: the kind is not known", row.text)
		require.NotContains(t, row.words[0], "*", "%q: a row needs a first word to be found by", row.text)
		if HoldOf(row.example) == NotHeld || !row.touches(row.example) {
			t.Errorf("%s %q does not hold its example %q (%v)", row.hold, row.text, row.example, HoldOf(row.example))
		}
		if row.touches(row.counter) {
			t.Errorf("%s %q holds its counterexample %q", row.hold, row.text, row.counter)
		}
	}
}

func (r *holdRow) touches(message string) (found bool) {
	h := hearing{text: message}
	for before := 0; h.sentence(); before += len(h.words) {
		for at := range h.words {
			found = found || r.matches(h.words, at) && !(r.later && before+at == 0)
		}
	}
	return found
}

func BenchmarkHoldOf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		HoldOf("Could you please delete the task Read book and tell Ann about it?")
	}
}

// What only takes back where something stands before it is a request by itself.
func TestUndoingIsARequest(t *testing.T) {
	for message, want := range map[string]Hold{
		"undo that": NotHeld, "cancel that": NotHeld, "add eggs to the list. cancel that": Withdrawn, "close it, undo that": Withdrawn,
	} {
		if got := HoldOf(message); got != want {
			t.Errorf("%q is %v, want %v", message, got, want)
		}
	}
}
