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
	eachSentence(message, func(words []heard) {
		for at := range words {
			found = found || r.matches(words, at)
		}
	})
	return found
}
