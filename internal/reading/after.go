package reading

import (
	"slices"
	"strings"
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
	denies := func(token lexicon.Token) bool { return token.Class().Has(lexicon.Negation | lexicon.Refusal) }
	return read.AllRoles()&RoleNegative != 0 || slices.ContainsFunc(read.Tokens, denies)
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

// PastActsIn are those of the words that can only tell what was done: "paid", and not "set".
func PastActsIn(text string) (acts lexicon.Families) {
	for _, token := range lexicon.English().Tokenize(nil, text) {
		if form := token.Form(); form.Has(lexicon.Past|lexicon.Participle) && !form.Has(lexicon.Base) {
			acts = acts.Union(token.Families())
		}
	}
	return acts
}

// ActIn are the families of the first word of a text that can only be a verb there.
func ActIn(text string) lexicon.Families {
	for _, token := range lexicon.English().Tokenize(nil, text) {
		form, families := token.Form(), token.Families()
		verb := form.Has(lexicon.Past|lexicon.Participle|lexicon.Base) && !form.Has(lexicon.Noun)
		if verb && token.Entry != nil && !token.Has(lexicon.Quoted) && !families.Empty() {
			return families
		}
	}
	return lexicon.Families{}
}

var (
	itForm  = pattern(`(?i)\bits?\b`)
	leaning = pattern(`(?i)^\s*(?:please |you (?:can|could|may) |just |kindly )?(?:re)?try\b[^.!?\n]*[.!]`)
)

// SaysIt reports whether a text says "it" or "its".
func SaysIt(text string) bool { return itForm().MatchString(text) }

// Leaning is the length of a first sentence that leans on a failure told before it: "Please try again."
func Leaning(text string) int { return len(leaning().FindString(text)) }
