package lexicon

import (
	"fmt"
	"slices"
	"strings"
)

// mention makes sure that words are listed, as nouns if nothing else says what
// they are.
func (b *builder) mention(_ string, words []string) error {
	for _, word := range words {
		if b.Lookup(word) == nil {
			b.mentioned = append(b.mentioned, word)
		}
	}
	return nil
}

// mentionAll does so for the key, too.
func (b *builder) mentionAll(key string, words []string) error {
	return b.mention("", append(words, key))
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

func (b *builder) relateTopic(name string, words []string) error {
	topic := numberOf(&b.topics, name)
	for _, word := range words {
		addOnce(&b.related(word).Topics, topic)
	}
	return nil
}

func (b *builder) relateContrasts(_ string, words []string) error {
	for _, word := range words {
		addOnce(&b.related(word).Contrasts, b.contrasts)
	}
	b.contrasts++
	return nil
}

func (b *builder) relateKinds(key string, words []string) error {
	for _, word := range words {
		if of := b.Lookup(key); b.Lookup(word).ID != of.ID {
			addOnce(&b.related(word).Kinds, of)
		}
	}
	return nil
}

func (b *builder) relateSynonyms(_ string, words []string) error {
	for _, word := range words {
		for _, other := range words {
			if of := b.Lookup(other); b.Lookup(word).ID != of.ID {
				addOnce(&b.related(word).Synonyms, of)
			}
		}
	}
	return nil
}

// listAlike makes a verb without a family of one that is not listed yet.
func (b *builder) listAlike(_ string, verbs []string) error {
	for _, verb := range verbs {
		if b.Lookup(unmarked(verb)) == nil {
			b.verb(verb, NoFamily)
		}
	}
	return nil
}

func (b *builder) relateAlike(_ string, verbs []string) error {
	for _, verb := range verbs {
		for _, other := range verbs {
			if of := b.Lookup(unmarked(other)).ID; of != b.Lookup(unmarked(verb)).ID {
				addOnce(&b.related(unmarked(verb)).alike, of)
			}
		}
	}
	return nil
}

func (b *builder) listPhrasal(_ string, parts []string) error {
	if len(parts) != 2 {
		return fmt.Errorf("%q is not a verb and a particle", strings.Join(parts, " "))
	}
	b.entry(parts[0], parts[0])
	b.entry(parts[1], parts[1]).Class |= Particle
	return nil
}

// relatePhrasal adds a verb that has a sense of its own with a particle.
func (b *builder) relatePhrasal(key string, parts []string) error {
	family, err := familyOf(key)
	of, particle := b.related(parts[0]), b.Lookup(parts[1]).ID
	at := slices.IndexFunc(of.phrasal, func(p phrasalVerb) bool { return p.particle == particle })
	if at < 0 {
		at = len(of.phrasal)
		of.phrasal = append(of.phrasal, phrasalVerb{particle: particle})
	}
	of.phrasal[at].families = of.phrasal[at].families.With(family)
	return err
}

// relatePhrase adds a phrase that speaks of a kind of a thing, as a word may. It
// is filed under its last word; phrases of the same words are one.
func (b *builder) relatePhrase(key string, words []string) error {
	last := len(words) - 1
	if last < 1 {
		return fmt.Errorf("%q is not a phrase", strings.Join(words, " "))
	}
	var before []int32
	for _, word := range slices.Backward(words[:last]) {
		before = append(before, b.Lookup(word).ID)
	}
	phrases := &b.related(words[last]).phrases
	at := slices.IndexFunc(*phrases, func(p phraseKinds) bool { return slices.Equal(p.before, before) })
	if at < 0 {
		at = len(*phrases)
		*phrases = append(*phrases, phraseKinds{before: before})
	}
	(*phrases)[at].of = append((*phrases)[at].of, b.Lookup(key))
	return nil
}

// listExpression notes the words of a fixed expression, which need not be listed
// otherwise.
func (b *builder) listExpression(_ string, words []string) error {
	b.expressed = append(b.expressed, words...)
	return nil
}

// relateExpression files a fixed expression under its first word, as texts are cut
// into words.
func (b *builder) relateExpression(key string, words []string) error {
	class, err := classOf(key)
	tokens := b.Tokenize(nil, strings.Join(words, " "))
	if err != nil || len(tokens) == 0 || tokens[0].Entry == nil {
		return err
	}
	made := expression{class: class}
	for _, token := range tokens[1:] {
		made.rest = append(made.rest, token.Hash)
	}
	tokens[0].Entry.expressions = append(tokens[0].Entry.expressions, made)
	return nil
}
