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
				b[i] = byte(r.IntN(256))
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

// TestFoldCommon compares the folding of usual letters with the long way.
func TestFoldCommon(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	ranges := [][2]rune{{0x20, 0x7f}, {0x20, 0x7f}, {0xa0, 0x250}, {0x370, 0x400}, {0x400, 0x500}, {0x5d0, 0x5f0}, {0x600, 0x660}, {0x3040, 0x3100}, {0x4e00, 0x4e20}, {0xac00, 0xac40}, {0x300, 0x310}, {0x1100, 0x1110}}
	common := 0
	for range 100_000 {
		var text []rune
		for range r.IntN(8) {
			in := ranges[r.IntN(len(ranges))]
			text = append(text, in[0]+rune(r.IntN(int(in[1]-in[0]))))
		}
		s := string(text)
		folded, bare, ok := foldCommon(nil, nil, s)
		if !ok {
			continue
		}
		common++
		wantFolded := foldUnicode(nil, s)
		wantBare := dropAccents(nil, wantFolded)
		if string(folded) != string(wantFolded) || string(bare) != string(wantBare) {
			t.Fatalf("%+q folds to %+q and %+q, want %+q and %+q", s, folded, bare, wantFolded, wantBare)
		}
	}
	if common < 10_000 {
		t.Errorf("only %d texts were common: the test proves little", common)
	}
}
