package reading

import (
	"slices"

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

// ToldAsFound reports whether a text tells something as it was found, and not as done by
// the one who speaks: it says "already" or "still", would rather leave it, or tells in the
// past what somebody did.
func ToldAsFound(text string) bool {
	read := English().ReadClauses(nil, text)
	past := false
	for i := range read.Clauses {
		clause := &read.Clauses[i]
		done := clause.Shape == ActivePerfect || clause.Shape == ActivePast
		if clause.Actor == Us && done && !clause.Negated {
			return false
		}
		past = past || clause.Shape == PassivePast || done && clause.Actor == Other
	}
	return past || says(text, "already", "still", "rather", "leave", "would", "late")
}

// says reports whether a text has one of some words outside quotations.
func says(text string, words ...string) bool {
	tokens := lexicon.English().Tokenize(nil, text)
	return slices.ContainsFunc(tokens, func(token lexicon.Token) bool {
		return !token.Has(lexicon.Quoted) && token.Entry != nil && slices.Contains(words, token.Entry.Word)
	})
}
