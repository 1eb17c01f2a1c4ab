package lexicon

import (
	"fmt"
	"slices"
	"strings"
)

// mention makes sure that a word is listed, as a noun if nothing else says what
// it is.
func (b *builder) mention(_ *item, word string) {
	if b.Lookup(word) == nil {
		b.mentioned = append(b.mentioned, word)
	}
}

// mentionAll does so for all words and the key.
func (b *builder) mentionAll(i *item) error {
	for _, word := range append(i.words, i.key) {
		b.mention(i, word)
	}
	return nil
}

// related is what is said of the lemma of a listed word.
func (b *builder) related(word string) *Relations {
	of := &b.lemmas[b.Lookup(word).ID]
	if *of == nil {
		*of = &Relations{}
	}
	return *of
}

// addOnce appends what a list does not hold yet.
func addOnce[T comparable](list *[]T, item T) {
	if !slices.Contains(*list, item) {
		*list = append(*list, item)
	}
}

func (b *builder) relateTopic(i *item, word string) {
	addOnce(&b.related(word).Topics, numberOf(&b.topics, i.key))
}

func (b *builder) relateContrast(i *item, word string) {
	addOnce(&b.related(word).Contrasts, numberOf(&b.contrasts, strings.Join(i.words, " ")))
}

func (b *builder) relateKind(i *item, word string) {
	if of := b.Lookup(i.key); b.Lookup(word).ID != of.ID {
		addOnce(&b.related(word).Kinds, of)
	}
}

func (b *builder) relateSynonyms(i *item, word string) {
	for _, other := range i.words {
		if of := b.Lookup(other); b.Lookup(word).ID != of.ID {
			addOnce(&b.related(word).Synonyms, of)
		}
	}
}

// listAlike makes a verb without a family of one that is not listed yet.
func (b *builder) listAlike(_ *item, verb string) {
	if b.Lookup(unmarked(verb)) == nil {
		b.verb(verb, NoFamily)
	}
}

func (b *builder) relateAlike(i *item, verb string) {
	for _, other := range i.words {
		if of := b.Lookup(unmarked(other)).ID; of != b.Lookup(unmarked(verb)).ID {
			addOnce(&b.related(unmarked(verb)).alike, of)
		}
	}
}

func (b *builder) listPhrasal(i *item) error {
	if len(i.words) != 2 {
		return fmt.Errorf("%q is not a verb and a particle", strings.Join(i.words, " "))
	}
	b.entry(i.words[0], i.words[0])
	b.entry(i.words[1], i.words[1]).Class |= Particle
	return nil
}

// relatePhrasal adds a verb that has a sense of its own with a particle.
func (b *builder) relatePhrasal(i *item) error {
	of, particle := b.related(i.words[0]), b.Lookup(i.words[1]).ID
	at := slices.IndexFunc(of.phrasal, func(p phrasalVerb) bool { return p.particle == particle })
	if at < 0 {
		at = len(of.phrasal)
		of.phrasal = append(of.phrasal, phrasalVerb{particle: particle})
	}
	of.phrasal[at].families = of.phrasal[at].families.With(i.family())
	return nil
}

// relatePhrase adds a phrase that speaks of a kind of a thing, as a word may. It
// is filed under its last word; phrases of the same words are one.
func (b *builder) relatePhrase(i *item) error {
	last := len(i.words) - 1
	if last < 1 {
		return fmt.Errorf("%q is not a phrase", strings.Join(i.words, " "))
	}
	var before []int32
	for _, word := range slices.Backward(i.words[:last]) {
		before = append(before, b.Lookup(word).ID)
	}
	phrases := &b.related(i.words[last]).phrases
	at := slices.IndexFunc(*phrases, func(p phraseKinds) bool { return slices.Equal(p.before, before) })
	if at < 0 {
		at = len(*phrases)
		*phrases = append(*phrases, phraseKinds{before: before})
	}
	(*phrases)[at].of = append((*phrases)[at].of, b.Lookup(i.key))
	return nil
}

// listExpression notes the words of a fixed expression, which need not be listed
// otherwise.
func (b *builder) listExpression(i *item) error {
	b.expressed = append(b.expressed, i.words...)
	return nil
}

// relateExpression files a fixed expression under its first word, as texts are cut
// into words.
func (b *builder) relateExpression(i *item) error {
	tokens := b.Tokenize(nil, strings.Join(i.words, " "))
	if len(tokens) == 0 || tokens[0].Entry == nil {
		return nil
	}
	made := expression{class: 1 << i.number}
	for _, token := range tokens[1:] {
		made.rest = append(made.rest, token.Hash)
	}
	tokens[0].Entry.expressions = append(tokens[0].Entry.expressions, made)
	return nil
}
