package resolver

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agnivade/levenshtein"
)

// table computes the distance the obvious way, with or without swaps.
func tableDistance(a, b []rune, swaps bool) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if swaps && i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// TestDistance ties the fast distance to a reference: the table without swaps
// is agnivade/levenshtein, and the fast distance is the table with swaps.
func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		a := letters3(r, r.IntN(12))
		b := a
		if r.IntN(3) == 0 {
			b = letters3(r, r.IntN(12))
		} else if len(a) > 3 {
			b = mistype(r, a, r.IntN(5))
		}
		if got, want := tableDistance([]rune(a), []rune(b), false), levenshtein.ComputeDistance(a, b); got != want {
			t.Fatalf("the table says %d for %q and %q, levenshtein %d", got, a, b, want)
		}
		want := tableDistance([]rune(a), []rune(b), true)
		for limit := 0; limit <= maxEdits; limit++ {
			got := distance([]byte(a), []byte(b), limit)
			wide := distance([]rune(a), []rune(b), limit)
			if got != min(want, limit+1) || wide != got {
				t.Fatalf("distance(%q, %q, %d) = %d, of runes %d, want %d", a, b, limit, got, wide, min(want, limit+1))
			}
		}
	}
}

// letters3 makes a word of few different letters, so that words are alike.
func letters3(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(r.IntN(3))
	}
	return string(b)
}

func TestDistanceOfLongWords(t *testing.T) {
	long := strings.Repeat("abcdefghij", 30)
	other := long[:100] + long[101:200] + "x" + long[200:]
	if got := distance([]byte(long), []byte(other), 4); got != 2 {
		t.Errorf("distance of long words = %d, want 2", got)
	}
}
