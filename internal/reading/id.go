package reading

import (
	"regexp"
	"strings"
)

// Prefix are the letters that an id begins with, at most four, in lower case; none for
// an id that begins otherwise.
type Prefix [4]byte

// LooksLikeID reports whether a word looks like the number of a thing: HB2201,
// c-5120, 48213.
func LooksLikeID(word string) bool {
	letters := 0
	for i := range len(word) {
		switch c := word[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
		case c == ':' || c == '.' || c == '/' || c == ',':
			return false
		}
	}
	digits := Digits(word)
	return digits >= 2 && letters >= 1 && letters <= 6 || digits >= 5 && letters == 0
}

// Digits is how many digits a word has.
func Digits(word string) (n int) {
	for i := range len(word) {
		if '0' <= word[i] && word[i] <= '9' {
			n++
		}
	}
	return n
}

// PrefixOf are the letters that a word begins with.
func PrefixOf(word string) (p Prefix) {
	for i := 0; i < len(word) && i < len(p) && 'a' <= word[i]|0x20 && word[i]|0x20 <= 'z'; i++ {
		p[i] = word[i] | 0x20
	}
	return p
}

// Abbreviates is how well the letters of an id abbreviate a word: 2 if all of them stand
// in it, in their order, 1 if the id has but one letter, and the word begins with it.
func (p *Prefix) Abbreviates(word string) float32 {
	if p[0] == 0 || word[0] != p[0] {
		return 0
	}
	letters, at := 1, 0
	for ; letters < len(p) && p[letters] != 0; letters++ {
		next := strings.IndexByte(word[at+1:], p[letters])
		if next < 0 {
			return 0
		}
		at += 1 + next
	}
	if letters == 1 {
		return 1
	}
	return 2
}

// maxPattern bounds how long a pattern is read.
const maxPattern = 100

// PatternID is how an id begins that a regular expression of a schema matches, with two
// digits: "HB00" for ^HB\d{4}$. It is "" for a pattern without digits or such a beginning.
func PatternID(pattern string) string {
	if len(pattern) > maxPattern || !strings.Contains(pattern, `\d`) && !strings.Contains(pattern, "0-9") {
		return ""
	}
	expression, err := regexp.Compile(pattern)
	if err != nil {
		return ""
	}
	if begins, _ := expression.LiteralPrefix(); begins != "" {
		return begins + "00"
	}
	return ""
}

// BeforeDigits is what ids of one kind have in common: the TR- of TR-4.
func BeforeDigits(id string) string {
	if i := strings.IndexAny(id, "0123456789"); i >= 0 {
		return id[:i]
	}
	return id
}
