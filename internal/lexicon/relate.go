package lexicon

import (
	"fmt"
	"slices"
	"strings"
)

// mention makes sure that words are listed, as nouns if nothing else says what they are.
func (b *builder) mention(words ...string) {
	for _, word := range words {
		if b.Lookup(word) == nil {
			b.mentioned = append(b.mentioned, word)
		}
	}
}

// relations is what is said of the lemma of a listed word.
func (b *builder) relations(word string) *Relations { return b.relationsOf(b.Lookup(word).ID) }

func (b *builder) relationsOf(lemma int32) *Relations {
	of := &b.related[lemma]
	if *of == nil {
		*of = &Relations{}
	}
	return *of
}

// link adds others to a list of every word, but none to that of its own lemma.
func (b *builder) link(words, others []string, list func(*Relations) *[]*Entry) {
	b.later = append(b.later, func() {
		entries := make([]*Entry, len(others))
		for i, other := range others {
			entries[i] = b.Lookup(other)
		}
		for _, word := range words {
			lemma := b.Lookup(word).ID
			to := list(b.relationsOf(lemma))
			for _, entry := range entries {
				if entry.ID != lemma {
					addOnce(to, entry)
				}
			}
		}
	})
}

// addOnce is the place of an item in a list, to which it is added if need be.
func addOnce[T comparable](list *[]T, item T) int {
	at := slices.Index(*list, item)
	if at < 0 {
		at = len(*list)
		*list = append(*list, item)
	}
	return at
}

func (b *builder) listKinds(i *item) error {
	b.mention(i.words...)
	b.mention(i.key)
	b.link(i.words, []string{i.key}, func(r *Relations) *[]*Entry { return &r.Kinds })
	return nil
}

func (b *builder) listSynonyms(i *item) error {
	b.mention(i.words...)
	b.link(i.words, i.words, func(r *Relations) *[]*Entry { return &r.Synonyms })
	return nil
}

// listAlike makes verbs without a family of those that are not listed yet.
func (b *builder) listAlike(i *item) error {
	var verbs []string
	for _, marked := range i.words {
		verb := unmarked(marked)
		if b.Lookup(verb) == nil {
			b.verb(marked, NoFamily)
		}
		verbs = append(verbs, verb)
	}
	b.link(verbs, verbs, func(r *Relations) *[]*Entry { return &r.Alike })
	return nil
}

// listPhrasal adds a verb that has a sense of its own with a particle.
func (b *builder) listPhrasal(i *item) error {
	if len(i.words) != 2 {
		return fmt.Errorf("%q is not a verb and a particle", strings.Join(i.words, " "))
	}
	b.entry(i.words[0], i.words[0])
	particle := b.entry(i.words[1], i.words[1])
	particle.Class |= Particle
	of := b.relations(i.words[0])
	at := slices.IndexFunc(of.phrasal, func(p phrasalVerb) bool { return p.particle == particle.ID })
	if at < 0 {
		at = len(of.phrasal)
		of.phrasal = append(of.phrasal, phrasalVerb{particle: particle.ID})
	}
	of.phrasal[at].families = of.phrasal[at].families.With(i.family())
	return nil
}

// listPhrase adds a phrase that speaks of a kind of a thing, as a word may. It is
// filed under its last word; phrases of the same words are one.
func (b *builder) listPhrase(i *item) error {
	last := len(i.words) - 1
	if last < 1 {
		return fmt.Errorf("%q is not a phrase", strings.Join(i.words, " "))
	}
	b.mention(i.words...)
	b.mention(i.key)
	b.later = append(b.later, func() {
		var before []int32
		for _, word := range slices.Backward(i.words[:last]) {
			before = append(before, b.Lookup(word).ID)
		}
		of := b.relations(i.words[last])
		at := slices.IndexFunc(of.phrases, func(p phraseKinds) bool { return slices.Equal(p.before, before) })
		if at < 0 {
			at = len(of.phrases)
			of.phrases = append(of.phrases, phraseKinds{before: before})
		}
		of.phrases[at].of = append(of.phrases[at].of, b.Lookup(i.key))
	})
	return nil
}

// listExpression files a fixed expression under its first word, as texts are cut
// into words. Its words need not be listed otherwise.
func (b *builder) listExpression(i *item) error {
	b.expressed = append(b.expressed, i.words...)
	b.later = append(b.later, func() {
		tokens := b.Tokenize(nil, strings.Join(i.words, " "))
		if len(tokens) == 0 || tokens[0].Entry == nil {
			return
		}
		made := expression{class: 1 << i.number}
		for _, token := range tokens[1:] {
			made.rest = append(made.rest, token.Hash)
		}
		tokens[0].Entry.expressions = append(tokens[0].Entry.expressions, made)
	})
	return nil
}
