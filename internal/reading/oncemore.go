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
// each: "both", "all of them", "three rooms", "the sopranos and altos".
func SpeaksOfSeveral(text string) bool {
	tokens := lexicon.English().Tokenize(nil, text)
	many := func(i int) bool {
		const longer = 3 // than "gas"
		word := text[tokens[i].Start:tokens[i].End]
		return len(word) > longer && strings.HasSuffix(word, "s")
	}
	for i := range tokens {
		quantity := tokens[i].Class().Has(lexicon.Quantity) && !tokens[i].Class().Has(lexicon.Pronoun)
		joins := i > 0 && i+1 < len(tokens) && text[tokens[i].Start:tokens[i].End] == "and"
		if quantity || joins && many(i-1) && many(i+1) {
			return true
		}
	}
	return says(text, "them", "rest", "others", "remaining")
}

// says reports whether a text has one of some words outside quotations.
func says(text string, words ...string) bool {
	tokens := lexicon.English().Tokenize(nil, text)
	return slices.ContainsFunc(tokens, func(token lexicon.Token) bool {
		same := func(word string) bool { return strings.EqualFold(text[token.Start:token.End], word) }
		return !token.Has(lexicon.Quoted) && slices.ContainsFunc(words, same)
	})
}
