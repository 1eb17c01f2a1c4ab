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

// numberOf is the place of what is the same in a list, to which it is added if need
// be.
func numberOf[T any](list *[]T, item T, same func(T) bool) int {
	at := slices.IndexFunc(*list, same)
	if at < 0 {
		at = len(*list)
		*list = append(*list, item)
	}
	return at
}

// addOnce is that of an item that equals only itself.
func addOnce[T comparable](list *[]T, item T) int {
	return numberOf(list, item, func(other T) bool { return other == item })
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
	same := func(p phrasalVerb) bool { return p.particle == particle }
	at := numberOf(&of.phrasal, phrasalVerb{particle: particle}, same)
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
	of := b.related(i.words[last])
	same := func(p phraseKinds) bool { return slices.Equal(p.before, before) }
	at := numberOf(&of.phrases, phraseKinds{before: before}, same)
	of.phrases[at].of = append(of.phrases[at].of, b.Lookup(i.key))
	return nil
}

// express notes a word of a fixed expression, which need not be listed otherwise.
func (b *builder) express(_ *item, word string) { b.expressed = append(b.expressed, word) }

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
