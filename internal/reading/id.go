package reading

import "strings"

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

// PatternID is an id that a regular expression of a schema matches: "HB0000" for
// ^HB\d{4}$. Where the letters of the id are not settled it has none, and it is "" for
// what is more than letters, digits and signs in a row.
func PatternID(pattern string) string {
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$")
	var id strings.Builder
	last := ""
	for pattern != "" && id.Len() < 64 {
		size, piece := 1, pattern[:1]
		switch pattern[0] {
		case '(', ')', '|', '.', '?', '*':
			return ""
		case '\\':
			if len(pattern) < 2 {
				return ""
			}
			if size, piece = 2, pattern[1:2]; piece == "d" {
				piece = "0"
			} else if strings.ContainsAny(piece, "wsDWSb") {
				return ""
			}
		case '[':
			if size = strings.IndexByte(pattern, ']') + 1; size < 3 {
				return ""
			}
			if piece = "?"; strings.Trim(pattern[1:size-1], "0123456789-") == "" || pattern[1:size-1] == `\d` {
				piece = "0"
			}
		case '{', '+': // once more, and as often as need be
			if size = 1; pattern[0] == '{' {
				size = strings.IndexByte(pattern, '}') + 1
			}
			if piece = last; size == 0 || last == "" {
				return ""
			}
		}
		id.WriteString(piece)
		pattern, last = pattern[size:], piece
	}
	return id.String()
}
