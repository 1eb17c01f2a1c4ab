package toolname

import (
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Speaking is the name of a tool; of one whose name says nothing ("fn_12", "t7"), the
// name that its description would have given it: "Cancels a booking." is cancel_booking.
// It is the name itself where the description says nothing either.
func Speaking(language *lexicon.Language, name, description string) string {
	if description == "" || Speaks(language, name) {
		return name
	}
	description = cutText(description)
	tokens := language.Tokenize(nil, description)
	at := leadAt(tokens)
	if at < 0 {
		return name
	}
	words := append([]string{tokens[at].Entry.Lemma}, particleAfter(language, tokens, at)...)
	return strings.Join(append(words, objectOf(description, tokens[at+1:])...), "_")
}

// Speaks reports whether a name has a word that means something.
func Speaks(language *lexicon.Language, name string) bool {
	for _, word := range Words(name) {
		entry := language.Lookup(word)
		switch {
		case len(word) == 1, strings.ContainsAny(word, "0123456789"):
		case entry == nil && (len(word) == 2 || !strings.ContainsAny(word, "aeiouy") && word[0] < utf8.RuneSelf):
		case entry != nil && entry.Class.Has(lexicon.Boilerplate) && entry.Families.Empty():
		default:
			return true
		}
	}
	return false
}

// particleAfter is the particle that belongs to the verb at i: "turns the lights off". It
// stands at once, or at the end.
func particleAfter(language *lexicon.Language, tokens []lexicon.Token, i int) []string {
	for k := i + 1; k < len(tokens) && k <= i+8 && tokens[k].Kind != lexicon.End; k++ {
		last := k+1 == len(tokens) || !tokens[k+1].IsWord()
		if (k == i+1 || last) && tokens[k].Class().Has(lexicon.Particle) &&
			!language.Phrasal(tokens[i].Entry, tokens[k].Entry).Empty() {
			return []string{tokens[k].Entry.Word}
		}
	}
	return nil
}

// objectOf are the words of the first phrase of a description after its verb.
func objectOf(description string, tokens []lexicon.Token) (words []string) {
	const most = 3
	const leadsOn = lexicon.Preposition | lexicon.Conjunction | lexicon.Determiner | lexicon.Question | lexicon.Particle
	for i := range tokens {
		token := &tokens[i]
		class := token.Class()
		switch {
		case !token.IsWord() || len(words) == most, len(words) > 0 && class.Has(leadsOn):
			return words
		case class.Has(lexicon.Determiner | lexicon.Possessive | lexicon.Preposition | lexicon.Particle | lexicon.Quantity):
		default:
			words = append(words, strings.ToLower(description[token.Start:token.End]))
		}
	}
	return words
}
