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
		language: &Language{
			groups: []string{""}, topics: []string{""}, cues: map[string]Cue{}, names: map[string]NameWord{},
			rules: rules{endings: map[Form][]rule{}},
		},
		entries: map[string]*Entry{}, lemmas: map[string]int32{}, irregular: map[string]map[Form][]string{},
		cues: map[int32]CueSet{},
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
	language    *Language
	entries     map[string]*Entry
	lemmas      map[string]int32
	irregular   map[string]map[Form][]string
	cues        map[int32]CueSet // by lemma
	contrasts   uint16           // the number of sets so far
	expressions []expressionWords
	mentioned   []string // words that may be listed nowhere else
	// later says how words relate. It waits until all are listed: what a word is
	// may stand below what it relates to.
	later []func()
}

type expressionWords struct {
	words []string
	class Class
}

func (b *builder) add(section, key, line string) error {
	words := strings.Fields(line)
	switch section {
	case "endings":
		return b.language.rules.addEndings(key, words)
	case "stems":
		return b.language.rules.addStems(words)
	case "abbreviations":
		for _, word := range words {
			b.entry(word, word).abbreviation = true
		}
	case "irregular":
		return b.addIrregular(key, words)
	case "nouns":
		b.addNouns(key, words)
	case "cues":
		return b.addCue(key, words)
	case "topics":
		b.addTopic(key, words)
	case "contrasts":
		b.addContrasts(words)
	case "kinds":
		b.addKinds(key, words)
	case "synonyms":
		b.addSynonyms(words)
	case "alike":
		b.addAlike(words)
	case "phrases":
		return b.addPhrases(key, line)
	case "adjectives":
		b.addForm(Adjective, words)
	case "adverbs":
		b.addForm(Adverb, words)
	case "words", "expressions":
		return b.addClass(section, key, line)
	case "tool names":
		return b.addNameWords(key, words)
	case "actions", "verbs", "phrasal verbs":
		return b.addFamily(section, key, line)
	default:
		return fmt.Errorf("there is no section %q", section)
	}
	return nil
}

func (b *builder) addFamily(section, key, line string) error {
	family, known := ParseFamily(key)
	if !known && key != "none" {
		return fmt.Errorf("there is no verb family %q", key)
	}
	if section == "phrasal verbs" {
		return b.addPhrasal(family, line)
	}
	for _, word := range strings.Fields(line) {
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
	for _, word := range words {
		as := b.language.names[word]
		switch key {
		case "answer": // not the family of that name
			as.Answer = true
		case "thing":
			as.Thing = true
		case "people":
			as.People = true
		case "light":
			as.Light = true
		case "deed":
			as.Deed = true
		case "again":
			as.Again = true
		case "reads":
			as.Reads = true
		case "verifies":
			as.Verifies = true
		default:
			family, known := ParseFamily(key)
			if !known {
				return fmt.Errorf("%q is no verb family and none of the other keys of tool names", key)
			}
			as.Families = as.Families.With(family)
		}
		b.language.names[word] = as
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

func (b *builder) addForm(form Form, words []string) {
	for _, word := range words {
		b.entry(word, word).Form |= form
	}
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
		number = numberOf(&b.language.groups, group)
	}
	for _, word := range words {
		b.addNoun(word, number, NoFamily)
	}
}

// numberOf is the number of a name in a list, to which it is added if need be.
func numberOf(names *[]string, name string) uint16 {
	number := slices.Index(*names, name)
	if number < 0 {
		number = len(*names)
		*names = append(*names, name)
	}
	return uint16(number)
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
	word := unmarked(marked)
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

// unmarked is a verb without the sign that says whether it doubles its last
// letter.
func unmarked(verb string) string { return strings.TrimRight(verb, "+~") }

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
		number = int32(len(b.lemmas))
		b.lemmas[lemma] = number
	}
	made := &Entry{Word: word, Lemma: lemma, ID: number}
	b.entries[word] = made
	return made
}

// addClass adds function words, and expressions that stand for such.
func (b *builder) addClass(section, key, line string) error {
	class, known := classNames[key]
	if !known {
		return fmt.Errorf("there is no class of words %q", key)
	}
	if section == "expressions" {
		for _, item := range strings.Split(line, ",") {
			b.expressions = append(b.expressions, expressionWords{strings.Fields(item), class})
		}
		return nil
	}
	for _, field := range strings.Fields(line) {
		word, lemma, given := strings.Cut(field, "=")
		if !given {
			lemma = word
		}
		b.entry(word, lemma).Class |= class
	}
	return nil
}

// finish makes the tables. Expressions come last, since they are read with the
// tokenizer and the words it knows.
func (b *builder) finish() *Language {
	l := b.language
	for _, word := range b.mentioned { // a cue may have listed the word without saying what it is
		if entry := b.entries[word]; entry == nil || entry.Form == 0 && entry.Class == 0 {
			b.addNoun(word, 0, NoFamily)
		}
	}
	for _, e := range b.expressions {
		for _, word := range e.words {
			b.entry(word, word)
		}
	}
	l.lemmas = make([]*relations, len(b.lemmas))
	for _, relate := range b.later {
		relate()
	}
	l.hashed = newTable(len(b.entries))
	for _, word := range slices.Sorted(maps.Keys(b.entries)) {
		entry := b.entries[word]
		entry.cues, entry.relations = b.cues[entry.ID], l.lemmas[entry.ID]
		entry.Number = int32(len(l.entries))
		l.entries = append(l.entries, entry)
		l.hashed.put(Hash(word), entry)
	}
	l.slips = newSlips(l.entries)
	for _, e := range b.expressions {
		l.addExpression(e.words, e.class)
	}
	return l
}

func (l *Language) addExpression(words []string, class Class) {
	tokens := l.Tokenize(nil, strings.Join(words, " "))
	if len(tokens) == 0 || tokens[0].Entry == nil {
		return
	}
	var rest []uint64
	for _, token := range tokens[1:] {
		rest = append(rest, token.Hash)
	}
	first := tokens[0].Entry
	first.expressions = append(first.expressions, expression{rest, class})
}
