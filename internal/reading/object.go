package reading

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// IsObject reports whether a title in a message is what the command is about, and not a
// part of something else: "delete my task Milk", but not "delete the photo of Milk",
// "delete the word milk" or "delete the Milk carton".
func IsObject(text string, from, to int, kind string) bool {
	o := commandObject{text, kind, lexicon.English().Tokenize(nil, text)}
	last, next := -1, len(o.tokens)
	for i := range o.tokens {
		if int(o.tokens[i].End) <= from {
			last = i
		}
		if int(o.tokens[i].Start) >= to && next == len(o.tokens) {
			next = i
		}
	}
	fronted := last < 0 && next < len(o.tokens) && o.tokens[next].Kind == lexicon.Comma // "Read book, delete it"
	return fronted || o.ends(next) && o.begins(last)
}

// commandObject is a message, and the kind of thing that its command may be about.
type commandObject struct {
	text, kind string
	tokens     []lexicon.Token
}

// begins reports whether only articles, the kind and the particle of a verb stand
// between a verb and what follows the token at i.
func (o *commandObject) begins(i int) bool {
	const light = lexicon.Determiner | lexicon.Possessive | lexicon.Politeness
	for ; i >= 0; i-- {
		switch {
		case o.isMark(i):
			return false
		case !o.tokens[i].IsWord(), o.isKind(i), o.says(i, "called", "named", "titled"):
		case o.says(i, "and", "or", "rid"): // one of several; "get rid of"
			return i > 0
		case o.says(i, "of") && o.says(i-1, "rid"):
		case o.says(i, "off", "up", "out", "down"): // "tick off"
			return o.acts(i - 1)
		case o.acts(i):
			return true
		case !o.tokens[i].Class().Has(light) || o.says(i, "no"):
			return false
		}
	}
	return false
}

// acts reports whether the token at i is used as a verb.
func (o *commandObject) acts(i int) bool {
	return i >= 0 && o.tokens[i].IsWord() && o.tokens[i].Form().Has(lexicon.Verb) &&
		(i == 0 || !o.tokens[i-1].Class().Has(lexicon.Determiner|lexicon.Possessive))
}

// ends reports whether no thing follows, from the token at i on, that the title only describes.
func (o *commandObject) ends(i int) bool {
	for i < len(o.tokens) && !o.tokens[i].IsWord() && !o.isMark(i) {
		i++
	}
	if i >= len(o.tokens) || o.isMark(i) || o.isKind(i) {
		return true
	}
	const joins = lexicon.Preposition | lexicon.Conjunction | lexicon.Particle | lexicon.Politeness | lexicon.Time |
		lexicon.Sequence | lexicon.Auxiliary | lexicon.Modal | lexicon.Pronoun | lexicon.Interjection | lexicon.Affirmation
	token := &o.tokens[i]
	return token.Class().Has(joins) || token.Form().Has(lexicon.Adverb|lexicon.Participle|lexicon.Adjective)
}

// isMark reports whether a piece of the message ends at a token.
func (o *commandObject) isMark(i int) bool {
	kind := o.tokens[i].Kind
	return kind == lexicon.End || kind == lexicon.Break || kind == lexicon.Comma
}

func (o *commandObject) isKind(i int) bool { return NamesKind(o.word(i), o.kind) }

func (o *commandObject) says(i int, words ...string) bool {
	return i >= 0 && slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(o.word(i), word) })
}

func (o *commandObject) word(i int) string { return o.text[o.tokens[i].Start:o.tokens[i].End] }

// NamesKind reports whether a request says the kind's own noun, in the singular
// or plural.
func NamesKind(words, kind string) bool {
	said := strings.FieldsFunc(words, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(said, func(word string) bool {
		return strings.EqualFold(word, kind) || strings.EqualFold(word, kind+"s")
	})
}
