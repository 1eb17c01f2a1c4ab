package resolver

import (
	"math/rand/v2"
	"testing"
)

// TestFoldFast compares the folding of eight bytes at a time with that of one.
func TestFoldFast(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200_000 {
		b := make([]byte, r.IntN(30))
		for i := range b {
			switch r.IntN(8) {
			case 0:
				b[i] = ' '
			case 1:
				b[i] = byte(r.IntN(130))
			default:
				b[i] = "aBzZ@[`{09'~"[r.IntN(12)]
			}
		}
		got, ascii := foldASCII(nil, string(b))
		want, wantASCII := foldSlow(nil, string(b))
		if ascii != wantASCII || ascii && string(got) != string(want) {
			t.Fatalf("foldASCII(%q) = %q, %t, want %q, %t", b, got, ascii, want, wantASCII)
		}
	}
}
