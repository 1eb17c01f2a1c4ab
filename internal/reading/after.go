package reading

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// RetractsAfter reports whether a message goes on, after words that ask for something, with a remark that may take
// them back. Which ones do, no list of words knows.
func RetractsAfter(message, words string) bool {
	_, rest, found := strings.Cut(message, words)
	return found && words != "" && (Remarks(afterMark(rest)) || Recoils(afterMark(words)))
}

// afterMark is what stands after the first mark of a text: up to it, it is the same piece.
func afterMark(text string) string {
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:]) // a byte that is no rune reads as one of three bytes
		rest := text[i+size:]
		ends := rest == "" || unicode.IsSpace(rune(rest[0])) // "h.nowak" is a name
		if ends && strings.ContainsRune(".,;!?…–—-\n", r) {
			return rest
		}
	}
	return ""
}

// HasDenial reports whether a text says no to something.
func HasDenial(text string) bool {
	read := English().ReadClauses(nil, text)
	for i := range read.Tokens {
		if read.Tokens[i].Class().Has(lexicon.Negation|lexicon.Refusal) || read.Roles[i]&RoleNegative != 0 {
			return true
		}
	}
	return false
}

// ActsIn are the families of all words of a text that can be verbs.
func ActsIn(text string) (acts lexicon.Families) {
	for _, token := range lexicon.English().Tokenize(nil, text) {
		if token.Entry != nil && !token.Has(lexicon.Quoted) {
			acts = acts.Union(token.Families())
		}
	}
	return acts
}

// ActIn are the families of the first word of a text that can only be a verb there.
func ActIn(text string) lexicon.Families {
	for _, token := range lexicon.English().Tokenize(nil, text) {
		form, families := token.Form(), token.Families()
		if token.Entry == nil || token.Flags&lexicon.Quoted != 0 || form.Has(lexicon.Noun) || families.Empty() {
			continue
		}
		if form.Has(lexicon.Past | lexicon.Participle | lexicon.Base) {
			return families
		}
	}
	return lexicon.Families{}
}

var (
	itForm  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\bits?\b`) })
	leaning = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\s*(?:please |you (?:can|could|may) |just |kindly )?(?:re)?try\b[^.!?\n]*[.!]`)
	})
)

// SaysIt reports whether a text says "it" or "its".
func SaysIt(text string) bool { return itForm().MatchString(text) }

// Leaning is the length of the sentence that a text begins with and that leans on a failure which the one before it
// tells: "Please try again."
func Leaning(text string) int { return len(leaning().FindString(text)) }
