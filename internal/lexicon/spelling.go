package lexicon

import "math/bits"

// Most words are a few ASCII letters. They are read and looked up eight letters
// at a time: where a word ends is hard to foresee, and a wrong guess costs more
// than all that is done for the word.

// spelling is up to sixteen ASCII letters in lower case, the first lowest.
type spelling struct{ low, high uint64 }

// maxSpelled is the number of letters that a spelling has room for.
const maxSpelled = 16

// key spreads the letters of a spelling over 64 bits. Words of up to eight
// letters all have different keys; for longer ones, what [Language.find] says of
// hashes holds.
func (s spelling) key() uint64 {
	const odd, odder = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
	return s.low*odd + s.high*odder
}

// spell is the spelling of a listed word; false if it is not made of small
// letters only, or of too many.
func spell(word string) (s spelling, plain bool) {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' || i == maxSpelled {
			return spelling{}, false
		}
	}
	s.low, _ = letters(eightAt(word, 0))
	s.high, _ = letters(eightAt(word, 8))
	return s, word != ""
}

// letters are the ASCII letters that eight bytes begin with, in lower case, and
// how many there are.
func letters(bytes uint64) (folded uint64, n int) {
	other := others(bytes)
	if other == 0 {
		return bytes | allSmall, 8
	}
	return lettersBefore(bytes, other), bits.TrailingZeros64(other) / 8
}

const (
	allOnes  = 0x0101010101010101
	allSmall = 0x2020202020202020 // the bits by which small letters differ from capitals
	allHigh  = 0x8080808080808080
)

// others has the highest bit of each of eight bytes that is no ASCII letter.
func others(bytes uint64) uint64 {
	folded := (bytes | allSmall) &^ allHigh
	fromA, behindZ := folded+allOnes*(0x80-'a'), folded+allOnes*(0x7F-'z')
	return ((fromA^behindZ)&^bytes)&allHigh ^ allHigh
}

// lettersBefore are the letters before the first other byte, in lower case.
func lettersBefore(bytes, other uint64) uint64 {
	return (bytes | allSmall) & ((other&-other)>>7 - 1)
}

// eightAt are the eight bytes from i on, the first lowest, with zeros for what
// is behind the end of the text.
func eightAt(text string, i int) uint64 {
	if i+8 <= len(text) {
		return eight(text[i:])
	}
	return lastAt(text, i)
}

// lastAt is eightAt where there are less than eight.
func lastAt(text string, i int) uint64 {
	if missing := i + 8 - len(text); missing < 8 && len(text) >= 8 {
		return eight(text[len(text)-8:]) >> (8 * missing)
	}
	var rest uint64
	for j := len(text) - 1; j >= i; j-- {
		rest = rest<<8 | uint64(text[j])
	}
	return rest
}

func eight(b string) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
