package lexicon

import (
	"fmt"
	"slices"
	"strings"
)

// mention makes sure that words are listed, as nouns if nothing else says what
// they are.
func (b *builder) mention(words ...string) {
	for _, word := range words {
		if b.entries[word] == nil {
			b.mentioned = append(b.mentioned, word)
		}
	}
}

// related is what is said of the lemma of a listed word.
func (b *builder) related(word string) *relations {
	of := &b.language.lemmas[b.entries[word].ID]
	if *of == nil {
		*of = &relations{}
	}
	return *of
}

// addOnce appends what a list does not hold yet.
func addOnce[T comparable](list *[]T, item T) {
	if !slices.Contains(*list, item) {
		*list = append(*list, item)
	}
}

// addCue adds a named set of words. Number 0 stays free: it is no cue.
func (b *builder) addCue(name string, words []string) error {
	number := len(b.language.cues) + 1
	if number > maxCues {
		return fmt.Errorf("cue %q is one too many; at most %d are allowed", name, maxCues)
	}
	if b.language.cues[name] != 0 {
		return fmt.Errorf("cue %q is given twice", name)
	}
	b.language.cues[name] = Cue(number)
	for _, word := range words {
		id := b.entry(word, word).ID
		b.cues[id] = b.cues[id].With(Cue(number))
	}
	return nil
}

func (b *builder) addTopic(name string, words []string) {
	topic := numberOf(&b.language.topics, name)
	b.mention(words...)
	b.later = append(b.later, func() {
		for _, word := range words {
			addOnce(&b.related(word).topics, topic)
		}
	})
}

func (b *builder) addContrasts(words []string) {
	set := b.contrasts
	b.contrasts++
	b.mention(words...)
	b.later = append(b.later, func() {
		for _, word := range words {
			addOnce(&b.related(word).contrasts, set)
		}
	})
}

func (b *builder) addKinds(of string, words []string) {
	b.mention(words...)
	b.mention(of)
	b.later = append(b.later, func() {
		for _, word := range words {
			b.relate(word, of, func(r *relations) *[]*Entry { return &r.kinds })
		}
	})
}

func (b *builder) addSynonyms(words []string) {
	b.mention(words...)
	b.later = append(b.later, func() {
		for _, word := range words {
			for _, other := range words {
				b.relate(word, other, func(r *relations) *[]*Entry { return &r.synonyms })
			}
		}
	})
}

// relate adds a word to a list of another, if they are not forms of one.
func (b *builder) relate(word, to string, list func(*relations) *[]*Entry) {
	if other := b.entries[to]; b.entries[word].ID != other.ID {
		addOnce(list(b.related(word)), other)
	}
}

// addAlike takes verbs that may stand for one another. One that is not listed
// yet becomes a verb without a family.
func (b *builder) addAlike(verbs []string) {
	for i, verb := range verbs {
		verbs[i] = unmarked(verb)
		if b.entries[verbs[i]] == nil {
			b.addVerb(verb, NoFamily)
		}
	}
	b.later = append(b.later, func() {
		for _, verb := range verbs {
			for _, other := range verbs {
				if of := b.entries[other].ID; of != b.entries[verb].ID {
					addOnce(&b.related(verb).alike, of)
				}
			}
		}
	})
}

// addPhrasal adds verbs that have a sense of their own with a particle.
func (b *builder) addPhrasal(family Family, line string) error {
	for _, item := range strings.Split(line, ",") {
		parts := strings.Fields(item)
		if len(parts) != 2 {
			return fmt.Errorf("%q is not a verb and a particle", item)
		}
		verb, particle := b.entry(parts[0], parts[0]), b.entry(parts[1], parts[1])
		particle.Class |= Particle
		b.later = append(b.later, func() {
			of := b.related(verb.Word)
			at := slices.IndexFunc(of.phrasal, func(p phrasalVerb) bool { return p.particle == particle.ID })
			if at < 0 {
				at = len(of.phrasal)
				of.phrasal = append(of.phrasal, phrasalVerb{particle: particle.ID})
			}
			of.phrasal[at].families = of.phrasal[at].families.With(family)
		})
	}
	return nil
}

// addPhrases adds phrases that speak of a kind of a thing, as a word may.
func (b *builder) addPhrases(of, line string) error {
	b.mention(of)
	for _, item := range strings.Split(line, ",") {
		words := strings.Fields(item)
		if len(words) < 2 {
			return fmt.Errorf("%q is not a phrase", item)
		}
		b.mention(words...)
		b.later = append(b.later, func() { b.addPhrase(words, b.entries[of]) })
	}
	return nil
}

// addPhrase files a phrase under its last word. Phrases of the same words are
// one.
func (b *builder) addPhrase(words []string, of *Entry) {
	last := len(words) - 1
	var before []int32
	for _, word := range slices.Backward(words[:last]) {
		before = append(before, b.entries[word].ID)
	}
	phrases := &b.related(words[last]).phrases
	at := slices.IndexFunc(*phrases, func(p phraseKinds) bool { return slices.Equal(p.before, before) })
	if at < 0 {
		at = len(*phrases)
		*phrases = append(*phrases, phraseKinds{before: before})
	}
	(*phrases)[at].of = append((*phrases)[at].of, of)
}
