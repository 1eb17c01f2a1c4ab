package reading

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Plain takes signs of emphasis from a text and undoes disguises of Latin letters:
// compatibility forms (full width, mathematical, circled) and Cyrillic or Greek
// letters inside a Latin word. Most texts come back as they are.
func Plain(text string) string {
	text = unmark(text)
	if utf8.RuneCountInString(text) == len(text) {
		return text
	}
	if strings.ContainsFunc(text, compatibility) {
		text = norm.NFKC.String(text)
	}
	if strings.ContainsAny(text, lookalikes) {
		text = words().ReplaceAllStringFunc(text, unmix)
	}
	return text
}

// Calm lowers the letters of a text that has no small one.
func Calm(text string) string {
	if strings.ContainsFunc(text, unicode.IsLower) {
		return text
	}
	return strings.ToLower(text)
}

// unmark puts spaces for the signs of emphasis of a text; a line that is emphasized
// as a whole is a heading. Every word keeps its place. A single sign is none of
// emphasis, but of a pattern of file names.
func unmark(text string) string {
	next := strings.Index(text, "**")
	if next < 0 {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	done := 0
	for start := 0; next >= 0; next = strings.Index(text[start:], "**") {
		start += strings.LastIndexByte(text[start:start+next], '\n') + 1
		line, _, _ := strings.Cut(text[start:], "\n")
		if n := strings.Count(line, "**"); n%2 == 0 {
			sign := "  "
			if emphasized(line) {
				sign = "# "
			}
			for ; n > 0; n-- {
				i := max(done, start)
				i += strings.Index(text[i:], "**")
				out.WriteString(text[done:i])
				out.WriteString(sign)
				sign, done = "  ", i+len("**")
			}
		}
		start += len(line)
	}
	out.WriteString(text[done:])
	return out.String()
}

// emphasized reports whether a line is emphasized as a whole and is no sentence.
func emphasized(line string) bool {
	body, opened := strings.CutPrefix(strings.TrimSpace(line), "**")
	body, closed := strings.CutSuffix(strings.TrimSuffix(body, ":"), "**")
	return opened && closed && !strings.Contains(body, "**") && strings.TrimRight(body, ".!?") == body
}

// compatibility reports whether a character is a full-width, mathematical, circled
// or letter-like form of another.
func compatibility(r rune) bool {
	return r >= 0xFF01 && r <= 0xFF5E || r >= 0x1D400 && r <= 0x1D7FF ||
		r >= 0x2460 && r <= 0x24FF || r >= 0x2100 && r <= 0x214F
}

// lookalikes are Cyrillic and Greek letters; likened has after each the Latin one
// that it looks like.
const (
	lookalikes = "аαеεоορрсхуіιѕԁѵνІΙ"
	likened    = "аaαaеeεeоoοoρpрpсcхxуyіiιiѕsԁdѵvνvІIΙI"
)

var (
	words = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\pL+`) })
	latin = strings.NewReplacer(strings.Split(likened, "")...)
)

// unmix puts Latin letters for those that look like them in a word that has Latin
// ones. Words of one script stay.
func unmix(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool { return r < utf8.RuneSelf }) {
		return latin.Replace(word)
	}
	return word
}
