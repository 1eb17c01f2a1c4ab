package resolver

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// foldCommon folds text of the usual letters of the world's large scripts, one
// character at a time, and drops its accents on the way. It reports false where
// characters may not stand for themselves: then the long way is taken, which
// gives the same for all others.
func foldCommon(folded, bare []byte, s string) ([]byte, []byte, bool) {
	latin := commonLatin()
	space := true
	for _, r := range s {
		f, b := r, r
		switch {
		case r < utf8.RuneSelf:
			f = rune(asciiFold[r])
			b = f
			if f == foldDrop {
				continue
			}
		case r < rune(len(latin)):
			f, b = latin[r].folded, latin[r].bare
		case !stable(r):
			f = 0
		}
		switch {
		case f == 0:
			return folded, bare, false
		case f == ' ' && space:
			continue
		}
		space = f == ' '
		folded, bare = utf8.AppendRune(folded, f), utf8.AppendRune(bare, b)
	}
	if space && len(folded) > 0 {
		folded, bare = folded[:len(folded)-1], bare[:len(bare)-1]
	}
	return folded, bare, true
}

// stable reports whether r is a letter that neither folding nor normal forms
// change, and that joins nothing beside it: Hebrew, Arabic, Kana, Han, Hangul.
func stable(r rune) bool {
	switch {
	case r >= 0x05d0 && r <= 0x05ea, r >= 0x0621 && r <= 0x063a, r >= 0x0641 && r <= 0x064a,
		r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa, r == 0x30fc,
		r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3:
		return true
	}
	return false
}

// A commonLetter is what folding makes of a letter; zero means that it is not
// one letter.
type commonLetter struct {
	folded, bare rune
}

// commonLatin holds the Latin, Greek and Cyrillic letters. It is asked of the
// long way once, so that the two cannot differ.
var commonLatin = sync.OnceValue(func() *[0x0500]commonLetter {
	var table [0x0500]commonLetter
	for r := rune(0xa1); r < rune(len(table)); r++ {
		if !unicode.IsLetter(r) || unicode.Is(unicode.Lm, r) {
			continue
		}
		folded := foldUnicode(nil, string(r))
		bare := dropAccents(nil, folded)
		if utf8.RuneCount(folded) == 1 && utf8.RuneCount(bare) == 1 {
			table[r].folded, _ = utf8.DecodeRune(folded)
			table[r].bare, _ = utf8.DecodeRune(bare)
		}
	}
	return &table
})
