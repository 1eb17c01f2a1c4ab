package lexicon

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Parse reads a language from the text of a data file; data/README.md beside
// the package describes the format. The error names the line.
func Parse(code, text string) (*Language, error) {
	b := &builder{
		language: &Language{code: code, groups: []string{""}, topics: []string{""}, cues: map[string]Cue{}, names: map[string]NameWord{}},
		entries:  map[string]*Entry{}, lemmas: map[string]int32{}, irregular: map[string]map[Form][]string{}, groups: map[string]uint16{}, topics: map[string][]uint16{},
	}
	section := ""
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			section = strings.Trim(line, "[]")
			continue
		}
		key, words, found := strings.Cut(line, ": ")
		if !found {
			key, words = "", line
		}
		if err := b.add(section, strings.TrimSpace(key), strings.TrimSpace(words)); err != nil {
			return nil, fmt.Errorf("language %s, line %d: %w", code, number+1, err)
		}
	}
	return b.finish(), nil
}

// builder collects a language.
type builder struct {
	language  *Language
	entries   map[string]*Entry
	lemmas    map[string]int32
	groups    map[string]uint16
	irregular map[string]map[Form][]string
	phrases   []phrase
	topics    map[string][]uint16
	kinds     []kind
	sayings   []saying
	synonyms  [][]string
	alike     [][]string
	contrasts [][]string
	cued      []cued
	topical   []string // words that may be listed nowhere else
}

type phrase struct {
	words []string
	class Class
}

func (b *builder) add(section, key, words string) error {
	fields := strings.Fields(words)
	switch section {
	case "endings":
		return b.language.rules.addEndings(key, fields)
	case "stems":
		return b.language.rules.addStems(fields)
	case "abbreviations":
		for _, word := range fields {
			b.entry(word, word).traits |= abbreviation
		}
	case "irregular":
		return b.addIrregular(key, fields)
	case "nouns":
		b.addNouns(key, fields)
	case "cues":
		return b.addCue(key, fields)
	case "topics":
		b.addTopic(key, fields)
	case "contrasts":
		b.addContrasts(fields)
	case "kinds":
		b.addKinds(key, fields)
	case "synonyms":
		b.addSynonyms(fields)
	case "alike":
		return b.addAlike(fields)
	case "phrases":
		return b.addSayings(key, words)
	case "adjectives", "adverbs":
		form := map[string]Form{"adjectives": Adjective, "adverbs": Adverb}[section]
		for _, word := range fields {
			b.entry(word, word).Form |= form
		}
	case "words":
		return b.addWords(key, fields)
	case "expressions":
		return b.addExpressions(key, words)
	case "tool names":
		return b.addNameWords(key, fields)
	case "actions", "verbs", "phrasal verbs":
		return b.addFamily(section, key, words)
	default:
		return fmt.Errorf("there is no section %q", section)
	}
	return nil
}

func (b *builder) addFamily(section, key, words string) error {
	family, known := ParseFamily(key)
	if !known && key != "none" {
		return fmt.Errorf("there is no verb family %q", key)
	}
	if section == "phrasal verbs" {
		return b.addPhrasal(family, words)
	}
	for _, word := range strings.Fields(words) {
		if section == "actions" {
			b.addNoun(word, 0, family)
		} else {
			b.addVerb(word, family)
		}
	}
	return nil
}

// addNameWords adds words by what they mean in the name of a tool.
func (b *builder) addNameWords(key string, words []string) error {
	var known NameWord
	switch key {
	case "answer":
		known.Answer = true
	case "thing":
		known.Thing = true
	case "people":
		known.People = true
	case "light":
		known.Light = true
	case "deed":
		known.Deed = true
	case "again":
		known.Again = true
	default:
		family, ok := ParseFamily(key)
		if !ok {
			return fmt.Errorf("%q is no verb family, nor answer, thing, people, light, deed or again", key)
		}
		known.Families = FamiliesOf(family)
	}
	for _, word := range words {
		b.language.names[word] = b.language.names[word].and(known)
	}
	return nil
}

func (b *builder) addIrregular(key string, fields []string) error {
	forms := map[Form][]string{}
	for _, field := range fields {
		name, words, _ := strings.Cut(field, "=")
		form, known := formNames[name]
		if !known || words == "" {
			return fmt.Errorf("%q is not of the kind form=word,word", field)
		}
		forms[form] = strings.Split(words, ",")
	}
	b.irregular[key] = forms
	return nil
}

func (b *builder) addNouns(group string, words []string) {
	if group == "*" {
		for _, word := range words {
			b.addNouns(word, []string{word})
		}
		return
	}
	number := uint16(0)
	if group != "-" {
		number = b.groups[group]
		if number == 0 {
			number = uint16(len(b.language.groups))
			b.groups[group] = number
			b.language.groups = append(b.language.groups, group)
		}
	}
	for _, word := range words {
		b.addNoun(word, number, NoFamily)
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
		b.cued = append(b.cued, cued{b.entry(word, word).ID, Cue(number)})
	}
	return nil
}

// cued is a lemma that belongs to a cue.
type cued struct {
	lemma int32
	cue   Cue
}

// addTopic adds words of one field, as nouns where nothing else is known of
// them.
func (b *builder) addTopic(topic string, words []string) {
	number := slices.Index(b.language.topics, topic)
	if number < 0 {
		number = len(b.language.topics)
		b.language.topics = append(b.language.topics, topic)
	}
	for _, word := range words {
		b.mention(word)
		b.topics[word] = append(b.topics[word], uint16(number))
	}
}

func (b *builder) addContrasts(words []string) {
	for _, word := range words {
		b.mention(word)
	}
	b.contrasts = append(b.contrasts, words)
}

// kind is a word that speaks of a kind of a thing.
type kind struct{ word, of string }

func (b *builder) addKinds(of string, words []string) {
	for _, word := range append(words, of) {
		b.mention(word)
		if word != of {
			b.kinds = append(b.kinds, kind{word, of})
		}
	}
}

func (b *builder) addSynonyms(words []string) {
	for _, word := range words {
		b.mention(word)
	}
	b.synonyms = append(b.synonyms, words)
}

// addAlike takes verbs that may stand for one another. One that is not listed
// under [verbs] becomes a verb without a family.
func (b *builder) addAlike(verbs []string) error {
	for i, verb := range verbs {
		if b.entries[strings.TrimRight(verb, "+~")] == nil {
			if err := b.addFamily("verbs", "none", verb); err != nil {
				return err
			}
		}
		verbs[i] = strings.TrimRight(verb, "+~")
	}
	b.alike = append(b.alike, verbs)
	return nil
}

// mention makes sure that a word is listed, as a noun if nothing else says what
// it is.
func (b *builder) mention(word string) {
	if b.entries[word] == nil {
		b.topical = append(b.topical, word)
	}
}

// saying is a phrase that speaks of a kind of a thing, as a word may.
type saying struct {
	words []string
	of    string
}

func (b *builder) addSayings(of, phrases string) error {
	b.mention(of)
	for _, item := range strings.Split(phrases, ",") {
		words := strings.Fields(item)
		if len(words) < 2 {
			return fmt.Errorf("%q is not a phrase", item)
		}
		for _, word := range words {
			b.mention(word)
		}
		b.sayings = append(b.sayings, saying{words, of})
	}
	return nil
}

func (b *builder) addNoun(word string, group uint16, family Family) {
	for form, written := range b.inflected(word, false, Plural) {
		for _, w := range written {
			b.extend(w, word, form, group, family)
		}
	}
	b.extend(word, word, Noun, group, family)
}

// addVerb adds a verb with all its forms. Its mark says how it is spelled.
func (b *builder) addVerb(marked string, family Family) {
	word := strings.TrimRight(marked, "+~")
	b.extend(word, word, Base, 0, family)
	spellings := []bool{strings.HasSuffix(marked, "+")}
	if strings.HasSuffix(marked, "~") {
		spellings = []bool{false, true}
	}
	for _, doubled := range spellings {
		for form, written := range b.inflected(word, doubled, Third, Past, Participle, Gerund) {
			for _, w := range written {
				b.extend(w, word, form, 0, family)
			}
		}
	}
}

// inflected are the forms of a word: those listed as irregular, else regular.
func (b *builder) inflected(word string, doubled bool, forms ...Form) map[Form][]string {
	made := map[Form][]string{}
	for _, form := range forms {
		if listed, ok := b.irregular[word][form]; ok {
			made[form] = listed
		} else if regular, ok := b.language.rules.inflect(word, form, doubled); ok {
			made[form] = []string{regular}
		}
	}
	return made
}

// extend adds what is said of a form to its entry, which it makes if need be.
func (b *builder) extend(word, lemma string, form Form, group uint16, family Family) {
	entry := b.entry(word, lemma)
	entry.Form |= form
	entry.Families = entry.Families.With(family)
	if entry.Primary == NoFamily {
		entry.Primary = family
	}
	if entry.Group == 0 {
		entry.Group = group
	}
}

// entry is the entry of a form; the first lemma it is given stays.
func (b *builder) entry(word, lemma string) *Entry {
	if known := b.entries[word]; known != nil {
		return known
	}
	number, known := b.lemmas[lemma]
	if !known {
		number = int32(len(b.language.lemmas))
		b.lemmas[lemma] = number
		b.language.lemmas = append(b.language.lemmas, lemma)
	}
	made := &Entry{Word: word, Lemma: lemma, ID: number}
	b.entries[word] = made
	return made
}

func (b *builder) addWords(key string, fields []string) error {
	class, known := classNames[key]
	if !known {
		return fmt.Errorf("there is no class of words %q", key)
	}
	for _, field := range fields {
		word, lemma, given := strings.Cut(field, "=")
		if !given {
			lemma = word
		}
		b.entry(word, lemma).Class |= class
	}
	return nil
}

func (b *builder) addPhrasal(family Family, words string) error {
	for _, item := range strings.Split(words, ",") {
		parts := strings.Fields(item)
		if len(parts) != 2 {
			return fmt.Errorf("%q is not a verb and a particle", item)
		}
		verb, particle := b.entry(parts[0], parts[0]), b.entry(parts[1], parts[1])
		particle.Class |= Particle
		b.language.addPhrasal(verb.ID, particle.ID, family)
	}
	return nil
}

func (l *Language) addPhrasal(verb, particle int32, family Family) {
	for int(verb) >= len(l.phrasal) {
		l.phrasal = append(l.phrasal, nil)
	}
	for i := range l.phrasal[verb] {
		if known := &l.phrasal[verb][i]; known.particle == particle {
			known.families = known.families.With(family)
			return
		}
	}
	l.phrasal[verb] = append(l.phrasal[verb], phrasalVerb{particle, FamiliesOf(family)})
}

func (b *builder) addExpressions(key, words string) error {
	class, known := classNames[key]
	if !known {
		return fmt.Errorf("there is no class of words %q", key)
	}
	for _, item := range strings.Split(words, ",") {
		b.phrases = append(b.phrases, phrase{strings.Fields(item), class})
	}
	return nil
}

// finish makes the tables. Expressions come last, since they are read with the
// tokenizer and the words it knows.
func (b *builder) finish() *Language {
	l := b.language
	for _, word := range b.topical { // a cue may have listed the word without saying what it is
		if entry := b.entries[word]; entry == nil || entry.Form == 0 && entry.Class == 0 {
			b.addNoun(word, 0, NoFamily)
		}
	}
	for _, p := range b.phrases {
		for _, word := range p.words {
			b.entry(word, word)
		}
	}
	b.layOut()
	l.slips = newSlips(l.entries)
	b.relate()
	b.mark()
	for _, p := range b.phrases {
		l.addExpression(p)
	}
	return l
}

// layOut puts the entries side by side, and their numbers into the tables.
func (b *builder) layOut() {
	l := b.language
	size := 16
	for size < 2*len(b.entries) {
		size *= 2
	}
	l.entries, l.hashed, l.spelled = make([]Entry, 0, len(b.entries)), make([]uint32, size), make([]uint32, size)
	for _, word := range slices.Sorted(maps.Keys(b.entries)) {
		entry := *b.entries[word]
		entry.hash = Hash(word)
		if s, plain := spell(word); plain {
			entry.key = s.key()
			insert(l.spelled, entry.key, len(l.entries)+1)
		}
		insert(l.hashed, entry.hash, len(l.entries)+1)
		l.entries = append(l.entries, entry)
		b.entries[word] = &l.entries[len(l.entries)-1]
	}
}

// insert puts a number where the probes for its key will meet it.
func insert(table []uint32, key uint64, number int) {
	i, mask := key>>32, uint64(len(table)-1)
	for table[i&mask] != 0 {
		i++
	}
	table[i&mask] = uint32(number)
}

// relate lists the topics, contrasts, kinds and phrases of the lemmas.
func (b *builder) relate() {
	l := b.language
	l.fields = make([][]uint16, len(l.lemmas))
	for _, word := range slices.Sorted(maps.Keys(b.topics)) {
		for _, topic := range b.topics[word] { // forms of one lemma share their topics
			if id := b.entries[word].ID; !slices.Contains(l.fields[id], topic) {
				l.fields[id] = append(l.fields[id], topic)
			}
		}
	}
	l.contrasts = make([][]uint16, len(l.lemmas))
	for number, words := range b.contrasts {
		for _, word := range words {
			id := b.entries[word].ID
			l.contrasts[id] = append(l.contrasts[id], uint16(number))
		}
	}
	l.kinds = make([][]*Entry, len(l.lemmas))
	for _, k := range b.kinds {
		word, of := b.entries[k.word], b.entries[k.of]
		if word.ID != of.ID && !slices.Contains(l.kinds[word.ID], of) {
			l.kinds[word.ID] = append(l.kinds[word.ID], of)
		}
	}
	l.synonyms = make([][]*Entry, len(l.lemmas))
	for _, words := range b.synonyms {
		for _, word := range words {
			id := b.entries[word].ID
			for _, other := range words {
				if of := b.entries[other]; of.ID != id && !slices.Contains(l.synonyms[id], of) {
					l.synonyms[id] = append(l.synonyms[id], of)
				}
			}
		}
	}
	l.alike = make([][]int32, len(l.lemmas))
	for _, verbs := range b.alike {
		for _, verb := range verbs {
			id := b.entries[verb].ID
			for _, other := range verbs {
				if of := b.entries[other].ID; of != id && !slices.Contains(l.alike[id], of) {
					l.alike[id] = append(l.alike[id], of)
				}
			}
		}
	}
	l.sayings = make([]sayings, len(l.lemmas))
	for _, p := range b.sayings {
		l.addSaying(p, b.entries)
	}
}

// mark notes in the entries what is said of their lemmas.
func (b *builder) mark() {
	l := b.language
	cues, traits := make([]CueSet, len(l.lemmas)), make([]trait, len(l.lemmas))
	for _, c := range b.cued {
		cues[c.lemma] = cues[c.lemma].With(c.cue)
	}
	for verb, particles := range l.phrasal {
		if len(particles) > 0 {
			traits[verb] |= phrasal
		}
	}
	for id := range traits {
		if len(l.fields[id]) > 0 {
			traits[id] |= topical
		}
		if len(l.contrasts[id]) > 0 {
			traits[id] |= contrasting
		}
		if len(l.kinds[id]) > 0 {
			traits[id] |= special
		}
		if len(l.synonyms[id]) > 0 {
			traits[id] |= synonymous
		}
		if len(l.sayings[id].phrases) > 0 {
			traits[id] |= closing
		}
	}
	for i := range l.entries {
		entry := &l.entries[i]
		entry.cues = cues[entry.ID]
		entry.traits |= traits[entry.ID]
	}
}

// addSaying files a phrase under its last word. Phrases of the same words are
// one.
func (l *Language) addSaying(p saying, entries map[string]*Entry) {
	n := len(p.words) - 1
	last, of := entries[p.words[n]], entries[p.of]
	var before []int32
	for _, word := range slices.Backward(p.words[:n]) {
		before = append(before, entries[word].ID)
	}
	known := &l.sayings[last.ID]
	known.before = known.before.with(uint64(before[0]))
	for i := range known.phrases {
		if phrase := &known.phrases[i]; slices.Equal(phrase.before, before) {
			phrase.of = append(phrase.of, of)
			return
		}
	}
	known.phrases = append(known.phrases, phraseKinds{before, []*Entry{of}})
}

func (l *Language) addExpression(p phrase) {
	tokens := l.Tokenize(nil, strings.Join(p.words, " "))
	if len(tokens) == 0 || tokens[0].Entry == nil {
		return
	}
	var rest []uint64
	for _, token := range tokens[1:] {
		rest = append(rest, token.Hash)
	}
	first := tokens[0].Entry
	first.traits |= expressive
	if len(rest) > 0 {
		first.next = first.next.with(tokens[1].sign())
	} else {
		first.next = ^signs(0) // whatever follows
	}
	first.expressions = append(first.expressions, expression{rest, p.class})
}
