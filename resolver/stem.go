package resolver

// Two stems of a word. The narrow one joins plural and third person ("books",
// "boxes", "parties") with the word itself, and is trusted everywhere. The
// broad one also joins "-ing" and "-ed", which may make another thing of a
// word ("fish", "fishing"), and is trusted where all other words agree.
//
// A stem is a prefix of the word and a mark, y, that tells "party" and
// "parties" from "part". Words of other scripts, short words and words with
// digits are their own stems.
type stems struct {
	narrow, broad   int // lengths
	narrowY, broadY bool
}

// canBeInflected reports whether a word may be longer than its stems, judging by its
// last letter.
func canBeInflected(word []byte) bool {
	const ends = 1<<('s'-'a') | 1<<('g'-'a') | 1<<('d'-'a') | 1<<('e'-'a') | 1<<('y'-'a') | 1<<('i'-'a')
	return len(word) > 3 && ends>>(word[len(word)-1]-'a')&1 != 0
}

// stemsOf returns the stems of a folded word of ASCII letters.
func stemsOf(word []byte) stems {
	if !canBeInflected(word) {
		return stems{narrow: len(word), broad: len(word)}
	}
	singular, y := singularOf(word)
	s := stems{narrow: len(singular), narrowY: y, broad: len(singular), broadY: y}
	if base, ok := baseOf(singular); ok && !y {
		base, y = dropFinal(base)
		s.broad, s.broadY = len(base), y
	}
	return s
}

// singularOf undoes plural and third person.
func singularOf(word []byte) (root []byte, y bool) {
	n := len(word)
	switch {
	case hasSuffix(word, "ies") && n > 4:
		return word[:n-3], true
	case hasSuffix(word, "es") && isSibilant(word[:n-2]):
		word = word[:n-2]
	case word[n-1] == 's' && word[n-2] != 's' && word[n-2] != 'u' && word[n-2] != 'i':
		word = word[:n-1]
	}
	return dropFinal(word)
}

// baseOf undoes "-ing" and "-ed".
func baseOf(word []byte) (base []byte, ok bool) {
	n := len(word)
	switch {
	case n > 5 && hasSuffix(word, "ing") && hasVowel(word[:n-3]):
		return undouble(word[:n-3]), true
	case n > 5 && hasSuffix(word, "ied"):
		return word[:n-2], true
	case n > 4 && hasSuffix(word, "ed") && word[n-3] != 'e' && hasVowel(word[:n-2]):
		return undouble(word[:n-2]), true
	}
	return nil, false
}

// dropFinal makes "move", "moves" and "moving" one, "party" and "parties", and
// "movie" and "movies".
func dropFinal(word []byte) ([]byte, bool) {
	n := len(word)
	if n >= 4 && word[n-1] == 'e' {
		n--
		word = word[:n]
	}
	if n >= 4 && (word[n-1] == 'i' || word[n-1] == 'y' && !isVowel(word[n-2])) {
		return word[:n-1], true
	}
	return word, false
}

func hasSuffix(word []byte, suffix string) bool {
	return len(word) >= len(suffix) && string(word[len(word)-len(suffix):]) == suffix
}

// isSibilant reports whether a plural of the word takes "es".
func isSibilant(word []byte) bool {
	n := len(word)
	if n < 2 {
		return false
	}
	switch word[n-1] {
	case 's', 'x', 'z':
		return true
	case 'h':
		return word[n-2] == 'c' || word[n-2] == 's'
	}
	return false
}

func hasVowel(word []byte) bool {
	for _, c := range word {
		if isVowel(c) || c == 'y' {
			return true
		}
	}
	return false
}

func isVowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	}
	return false
}

// undouble turns "runn" into "run", but leaves "call", "pass", "buzz" and "add".
func undouble(word []byte) []byte {
	n := len(word)
	if n < 4 || word[n-1] != word[n-2] || isVowel(word[n-1]) {
		return word
	}
	switch word[n-1] {
	case 'l', 's', 'z':
		return word
	}
	return word[:n-1]
}
