package reading

import (
	"strings"
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

// Recase gives a text that shouts small letters, a capital at the beginning of a
// sentence, and to words that stand in other texts the letters that they have there.
func Recase(text string, others ...string) string {
	forms := map[string]string{"i": "I"}
	for _, other := range others {
		for start, end := nextRun(other, 0); start < end; start, end = nextRun(other, end) {
			if form := other[start:end]; forms[strings.ToLower(form)] == "" {
				forms[strings.ToLower(form)] = form
			}
		}
	}
	var out strings.Builder
	out.Grow(len(text))
	done, begins := 0, true
	for start, end := nextRun(text, 0); start < end; start, end = nextRun(text, end) {
		between := text[done:start]
		begins = begins || strings.ContainsAny(between, ".!?\n")
		out.WriteString(between)
		word := strings.ToLower(text[start:end])
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
		done, begins = end, false
	}
	out.WriteString(text[done:])
	return out.String()
}

func plainLetters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// nextRun is where the next run of letters and digits stands, with the marks inside it
// that join them.
func nextRun(text string, from int) (start, end int) {
	inside := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	start = strings.IndexFunc(text[from:], inside)
	if start < 0 {
		return 0, 0
	}
	start += from
	for end = start; end < len(text); {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !inside(r) {
			next, _ := utf8.DecodeRuneInString(text[end+size:])
			if !strings.ContainsRune("-_@./", r) || !inside(next) {
				break
			}
		}
		end += size
	}
	return start, end
}
