package guard

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// isObject reports whether a title in a message is what the command is about, and not a
// part of something else: "delete my task Milk", but not "delete the photo of Milk",
// "delete the word milk" or "delete the Milk carton".
func isObject(text string, from, to int, kind string) bool {
	tokens := lexicon.English().Tokenize(nil, text)
	last, next := -1, len(tokens)
	for i := range tokens {
		if int(tokens[i].End) <= from {
			last = i
		}
		if int(tokens[i].Start) >= to && next == len(tokens) {
			next = i
		}
	}
	o := object{text, kind, tokens}
	fronted := last < 0 && next < len(tokens) && tokens[next].Kind == lexicon.Comma // "Read book, delete it"
	return fronted || o.ends(next) && o.begins(last)
}

// object is a message, and the kind of thing that its command may be about.
type object struct {
	text, kind string
	tokens     []lexicon.Token
}

// begins reports whether only articles, the kind and the particle of a verb stand
// between a verb and what follows the token at i.
func (o *object) begins(i int) bool {
	const light = lexicon.Determiner | lexicon.Possessive | lexicon.Politeness
	for ; i >= 0; i-- {
		token := &o.tokens[i]
		switch class := token.Class(); {
		case token.Kind == lexicon.End, token.Kind == lexicon.Break, token.Kind == lexicon.Comma:
			return false
		case !token.IsWord(), o.isKind(i), o.says(i, "called"), o.says(i, "named"), o.says(i, "titled"):
		case o.says(i, "and"), o.says(i, "or"), o.says(i, "rid"): // one of several; "get rid of"
			return i > 0
		case o.says(i, "of") && i > 0 && o.says(i-1, "rid"):
		case o.says(i, "off"), o.says(i, "up"), o.says(i, "out"), o.says(i, "down"): // "tick off"
			return o.acts(i - 1)
		case o.acts(i):
			return true
		case !class.Has(light) || o.says(i, "no"):
			return false
		}
	}
	return false
}

// acts reports whether the token at i is used as a verb.
func (o *object) acts(i int) bool {
	if i < 0 || !o.tokens[i].IsWord() || !o.tokens[i].Form().Has(lexicon.Verb) {
		return false
	}
	return i == 0 || !o.tokens[i-1].Class().Has(lexicon.Determiner|lexicon.Possessive)
}

// ends reports whether no thing follows that the title only describes.
func (o *object) ends(i int) bool {
	for i < len(o.tokens) && !o.tokens[i].IsWord() {
		if kind := o.tokens[i].Kind; kind == lexicon.End || kind == lexicon.Break || kind == lexicon.Comma {
			return true
		}
		i++
	}
	if i >= len(o.tokens) || o.isKind(i) {
		return true
	}
	token := &o.tokens[i]
	const joins = lexicon.Preposition | lexicon.Conjunction | lexicon.Particle | lexicon.Politeness | lexicon.Time |
		lexicon.Sequence | lexicon.Auxiliary | lexicon.Modal | lexicon.Pronoun | lexicon.Interjection | lexicon.Affirmation
	return token.Class().Has(joins) || token.Form().Has(lexicon.Adverb|lexicon.Participle|lexicon.Adjective)
}

func (o *object) isKind(i int) bool { return namesKind(o.word(i), o.kind) }

func (o *object) says(i int, word string) bool { return strings.EqualFold(o.word(i), word) }

func (o *object) word(i int) string { return o.text[o.tokens[i].Start:o.tokens[i].End] }

// namesKind reports whether a request says the kind's own noun, in the singular
// or plural.
func namesKind(words, kind string) bool {
	for word := range strings.FieldsFuncSeq(words, func(r rune) bool { return !wordRune(r) }) {
		if strings.EqualFold(word, kind) || strings.EqualFold(word, kind+"s") {
			return true
		}
	}
	return false
}
