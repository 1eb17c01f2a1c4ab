package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// OnceMore reports whether a message wants something again, or one more of it.
func OnceMore(text string) bool {
	return says(text, "again", "another", "more", "twice", "second", "extra")
}

// SpeaksOfSeveral reports whether a message speaks of more than one thing without naming
// each: "both", "all of them", "three rooms".
func SpeaksOfSeveral(text string) bool {
	return slices.ContainsFunc(lexicon.English().Tokenize(nil, text), func(token lexicon.Token) bool {
		return token.Class().Has(lexicon.Quantity) && !token.Class().Has(lexicon.Pronoun)
	}) || says(text, "them", "rest", "others", "remaining")
}

// says reports whether a text has one of some words outside quotations.
func says(text string, words ...string) bool {
	tokens := lexicon.English().Tokenize(nil, text)
	return slices.ContainsFunc(tokens, func(token lexicon.Token) bool {
		same := func(word string) bool { return strings.EqualFold(text[token.Start:token.End], word) }
		return !token.Has(lexicon.Quoted) && slices.ContainsFunc(words, same)
	})
}
