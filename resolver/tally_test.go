package resolver

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// lettersOfText makes texts with many equal letters, so that counters fill up.
func lettersOfText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(60) {
		b.WriteByte("aaaAAtTnrjlxzk019 e-"[r.IntN(20)])
	}
	return b.String()
}

// TestTallyNeverExaggerates wants no more letters lacking than there are, and
// all of them where texts are short and no letters share a counter.
func TestTallyNeverExaggerates(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 20_000 {
		a, b := lettersOfText(r), lettersOfText(r)
		truly := 0
		for _, c := range "atnrjlxzk019" {
			truly += max(0, countFolded(a, c)-countFolded(b, c))
		}
		if got := tallyOf(a).lacking(tallyOf(b)); got > truly {
			t.Fatalf("%q lacks %d letters of %q, counted %d", b, truly, a, got)
		}
		if word := []byte(strings.ToLower(a)); tallyWord(word) != tallyOf(a) {
			t.Fatalf("%q: the tally of the word and that of the title differ", a)
		}
	}
	if got := tallyOf("Banana split").lacking(tallyOf("plan")); got != 5 {
		t.Errorf("of b, a, a, n, t five letters are lacking, counted %d", got)
	}
	if tallyOf("Crème brûlée") != fullTally {
		t.Error("a title that is not ASCII must lack nothing")
	}
}

func countFolded(text string, c rune) int { return strings.Count(strings.ToLower(text), string(c)) }
