package resolver

// stem cuts a folded word down to the part that its everyday English forms
// share: plural and third person ("books", "boxes", "parties"), "-ing" and
// "-ed". Two words have the same stem if both results are equal; root is a
// prefix of the word, and y tells "party" and "parties" from "part".
//
// Words of other scripts, short words and words with digits stay as they are.
func stem(word []byte) (root []byte, y bool) {
	n := len(word)
	if n < 4 || !stemmable(word) {
		return word, false
	}
	switch {
	case hasSuffix(word, "ies") && n > 4:
		return word[:n-3], true
	case hasSuffix(word, "es") && sibilant(word[:n-2]):
		word = word[:n-2]
	case word[n-1] == 's' && word[n-2] != 's' && word[n-2] != 'u' && word[n-2] != 'i':
		word = word[:n-1]
	case hasSuffix(word, "ing") && hasVowel(word[:n-3]) && n > 5:
		word = undouble(word[:n-3])
	case hasSuffix(word, "ed") && word[n-3] != 'e' && hasVowel(word[:n-2]) && n > 4:
		if word[n-3] == 'i' && n > 5 {
			return word[:n-3], true
		}
		word = undouble(word[:n-2])
	}
	return dropFinal(word)
}

// dropFinal makes "move", "moves" and "moving" one, "party" and "parties", and
// "movie" and "movies".
func dropFinal(word []byte) ([]byte, bool) {
	n := len(word)
	if n >= 4 && word[n-1] == 'e' {
		n--
		word = word[:n]
	}
	if n >= 4 && (word[n-1] == 'i' || word[n-1] == 'y' && !vowel(word[n-2])) {
		return word[:n-1], true
	}
	return word, false
}

func stemmable(word []byte) bool {
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

func hasSuffix(word []byte, suffix string) bool {
	return len(word) >= len(suffix) && string(word[len(word)-len(suffix):]) == suffix
}

// sibilant reports whether a plural of the word takes "es".
func sibilant(word []byte) bool {
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
		if vowel(c) || c == 'y' {
			return true
		}
	}
	return false
}

func vowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	}
	return false
}

// undouble turns "runn" into "run", but leaves "call", "pass", "buzz" and "add".
func undouble(word []byte) []byte {
	n := len(word)
	if n < 4 || word[n-1] != word[n-2] || vowel(word[n-1]) {
		return word
	}
	switch word[n-1] {
	case 'l', 's', 'z':
		return word
	}
	return word[:n-1]
}
