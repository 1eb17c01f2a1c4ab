package resolver

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPairsOfATitleHoldThoseOfItsWords wants the pairs of every word, of any
// length and at any place, among those of the title, and those of a word made
// the obvious way.
func TestPairsOfATitleHoldThoseOfItsWords(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 5000 {
		var title strings.Builder
		for range 1 + r.IntN(6) {
			for range 1 + r.IntN(20) {
				title.WriteByte("abcdefghijklmnopqrstuvwxyzABC0123456789'+"[r.IntN(41)])
			}
			title.WriteString(" ")
		}
		var p phrase
		p.analyse(title.String())
		whole := pairsOf(title.String())
		for i := range p.tokens {
			word, obvious := p.text(&p.tokens[i]), uint64(0)
			for j := 1; j < len(word); j++ {
				obvious |= pairBit(word[j-1], word[j])
			}
			if got := pairsIn(word); got != obvious {
				t.Fatalf("pairs of %q are %x, want %x", word, got, obvious)
			}
			if obvious&^whole != 0 {
				t.Fatalf("%q lacks pairs of its word %q", title.String(), word)
			}
		}
	}
	if pairsOf("Wash the dishes")&pairsIn([]byte("zebra")) == pairsIn([]byte("zebra")) {
		t.Error("pairs tell nothing apart")
	}
	for _, odd := range []string{"Don't walk there", "Crème brûlée", "Re\x01ad the book", "tiny"} {
		if pairsOf(odd) != allPairs {
			t.Errorf("%q must lack no pairs", odd)
		}
	}
}
