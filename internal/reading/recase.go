package reading

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Shouts reports whether a text has nothing but capitals, or nearly so. They say nothing
// of names and of where sentences begin.
func Shouts(text string) bool {
	const few = 20 // of so many capitals, one letter may be small
	upper, lower, heading, begins := 0, 0, false, true
	for _, r := range text {
		heading = begins && r == '#' || heading && r != '\n' // it may be anybody's
		begins = r == '\n'
		switch {
		case heading:
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		}
		if upper > 1 && lower > 1 && lower*few > upper+2*few {
			return false
		}
	}
	return upper > 1 && lower*few <= upper
}

// runsOfLetters are words, and names with the marks inside them that join their parts.
var runsOfLetters = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\pL\p{Nd}]+(?:[-_@./][\pL\p{Nd}]+)*`)
})

// Recase gives a text that shouts small letters, a capital at the beginning of a
// sentence, and to words that stand in other texts the letters that they have there.
func Recase(text string, others ...string) string {
	forms := map[string]string{"i": "I"}
	for _, other := range others {
		for _, form := range runsOfLetters().FindAllString(other, -1) {
			if word := strings.ToLower(form); forms[word] == "" {
				forms[word] = form
			}
		}
	}
	var out strings.Builder
	out.Grow(len(text))
	done, begins := 0, true
	for _, at := range runsOfLetters().FindAllStringIndex(text, -1) {
		between := text[done:at[0]]
		begins = begins || strings.ContainsAny(between, ".!?\n")
		out.WriteString(between)
		word := strings.ToLower(text[at[0]:at[1]])
		switch form := forms[word]; {
		case form != "" && form != word:
			out.WriteString(form)
		case begins && plainLetters(word):
			first, size := utf8.DecodeRuneInString(word)
			out.WriteRune(unicode.ToUpper(first))
			out.WriteString(word[size:])
		default:
			out.WriteString(word)
		}
		done, begins = at[1], false
	}
	out.WriteString(text[done:])
	return out.String()
}

func plainLetters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}
