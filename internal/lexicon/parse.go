package lexicon

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/hashtable"
)

// Parse reads a language from the text of a data file; data/README.md beside
// the package describes the format. The error names the line.
func Parse(code, text string) (*Language, error) {
	b := &builder{
		Language: &Language{
			groups: []string{""}, cues: map[string]Cue{}, names: map[string]NameWord{},
			endings: map[Form][]rule{}, hashed: hashtable.New[*Entry](len(text) / 8),
		},
		ids: hashtable.New[int32](len(text) / 16), irregular: map[inflection][]string{},
	}
	section, number := "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			section = strings.Trim(line, "[]")
		default:
			if err := b.read(section, line); err != nil {
				return nil, fmt.Errorf("language %s, line %d: %w", code, number, err)
			}
		}
	}
	b.finish()
	return b.Language, nil
}

// builder collects a language.
type builder struct {
	*Language
	ids       hashtable.Table[int32] // of the lemmas + 1, by their hashes
	irregular map[inflection][]string
	related   []*Relations // by lemma; nil for one without any
	cued      [][2]uint64  // by lemma
	mentioned []string     // words that may be listed nowhere else
	expressed []string     // words of expressions
	// later relates words to others. What a word is may stand below what it
	// relates to, so all words are listed first.
	later []func()
}

// inflection is a form of a word.
type inflection struct {
	word string
	form Form
}

// item is a line, or one of the entries of a line that stand apart by commas.
type item struct {
	key    string
	number int // of the key among those of the section
	words  []string
}

func (i *item) family() Family { return Family(i.number) }

// section says how an item is read, and which keys it may have; any if none are given.
type section struct {
	read func(*builder, *item) error
	keys []string
}

var sections = map[string]section{
	"endings":       {(*builder).listEndings, formNames},
	"stems":         {(*builder).listStems, nil},
	"irregular":     {(*builder).listIrregular, nil},
	"abbreviations": {each(func(b *builder, _ *item, word string) { b.entry(word, word).abbreviation = true }), nil},
	"adjectives":    {each(func(b *builder, _ *item, word string) { b.entry(word, word).Form |= Adjective }), nil},
	"adverbs":       {each(func(b *builder, _ *item, word string) { b.entry(word, word).Form |= Adverb }), nil},
	"nouns":         {each((*builder).listNoun), nil},
	"actions":       {each(func(b *builder, i *item, word string) { b.noun(word, 0, i.family()) }), familyNames},
	"verbs":         {each(func(b *builder, i *item, word string) { b.verb(word, i.family()) }), familyNames},
	"words":         {each((*builder).listFunctionWord), classNames},
	"tool names":    {(*builder).listNameWords, nil},
	"cues":          {(*builder).listCue, nil},
	"phrasal verbs": {(*builder).listPhrasal, familyNames},
	"alike":         {(*builder).listAlike, nil},
	"synonyms":      {(*builder).listSynonyms, nil},
	"kinds":         {(*builder).listKinds, nil},
	"phrases":       {(*builder).listPhrase, nil},
	"expressions":   {(*builder).listExpression, classNames},
}

// each reads an item word by word.
func each(list func(b *builder, i *item, word string)) func(*builder, *item) error {
	return func(b *builder, i *item) error {
		for _, word := range i.words {
			list(b, i, word)
		}
		return nil
	}
}

// read reads a line of a section.
func (b *builder) read(name, line string) error {
	section, known := sections[name]
	if !known {
		return fmt.Errorf("there is no section %q", name)
	}
	key, words, found := strings.Cut(line, ": ")
	if !found {
		key, words = "", line
	}
	key = strings.TrimSpace(key)
	number := slices.Index(section.keys, key)
	if number < 0 && section.keys != nil {
		return fmt.Errorf("%q is no key of the section %q", key, name)
	}
	for part := range strings.SplitSeq(words, ",") {
		if err := section.read(b, &item{key, number, strings.Fields(part)}); err != nil {
			return err
		}
	}
	return nil
}

// finish lists the words that nothing says more of, relates all words, and gives
// every form what is known of its lemma.
func (b *builder) finish() {
	for _, word := range b.mentioned {
		// A cue may have listed it without saying what it is.
		if entry := b.Lookup(word); entry == nil || entry.Form == 0 && entry.Class == 0 {
			b.noun(word, 0, NoFamily)
		}
	}
	for _, word := range b.expressed {
		b.entry(word, word)
	}
	for _, relate := range b.later {
		relate()
	}
	for _, entry := range b.entries {
		entry.cues, entry.relations = b.cued[entry.ID], b.related[entry.ID]
	}
	b.lemmas = b.ids.Len()
}

// entry is the entry of a form; the first lemma it is given stays.
func (b *builder) entry(word, lemma string) *Entry {
	if known := b.Lookup(word); known != nil {
		return known
	}
	id := b.ids.Find(Hash(lemma))
	if id == 0 {
		id = int32(b.ids.Len() + 1)
		b.ids.Put(Hash(lemma), id)
		b.related, b.cued = append(b.related, nil), append(b.cued, [2]uint64{})
	}
	made := &Entry{Word: word, Lemma: lemma, ID: id - 1, Number: int32(len(b.entries))}
	b.entries = append(b.entries, made)
	b.hashed.Put(Hash(word), made)
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

// noun lists a noun with its plurals.
func (b *builder) noun(word string, group uint16, family Family) {
	for _, written := range b.inflected(word, Plural, false) {
		b.extend(written, word, Plural, group, family)
	}
	b.extend(word, word, Noun, group, family)
}

// verb lists a verb with all its forms. Its mark says how it is spelled.
func (b *builder) verb(marked string, family Family) {
	word := unmarked(marked)
	b.extend(word, word, Base, 0, family)
	for _, doubled := range []bool{false, true} {
		if last := marked[len(marked)-1]; last != '~' && doubled != (last == '+') {
			continue
		}
		for _, form := range []Form{Third, Past, Participle, Gerund} {
			for _, written := range b.inflected(word, form, doubled) {
				b.extend(written, word, form, 0, family)
			}
		}
	}
}

// unmarked is a verb without the sign that says whether it doubles its last letter.
func unmarked(verb string) string { return strings.TrimRight(verb, "+~") }

// inflected is a form of a word: as listed for irregular ones, else regular.
func (b *builder) inflected(word string, form Form, doubled bool) []string {
	if listed := b.irregular[inflection{word, form}]; listed != nil {
		return listed
	}
	if regular := b.inflect(word, form, doubled); regular != "" {
		return []string{regular}
	}
	return nil
}

func (b *builder) listIrregular(i *item) error {
	for _, field := range i.words {
		name, words, _ := strings.Cut(field, "=")
		form := slices.Index(formNames, name)
		if form < 0 || words == "" {
			return fmt.Errorf("%q is not of the kind form=word/word", field)
		}
		b.irregular[inflection{i.key, 1 << form}] = strings.Split(words, "/")
	}
	return nil
}

func (b *builder) listNoun(i *item, word string) {
	group := i.key
	switch i.key {
	case "*":
		group = word
	case "-":
		group = "" // number 0
	}
	b.noun(word, uint16(addOnce(&b.groups, group)), NoFamily)
}

func (b *builder) listFunctionWord(i *item, field string) {
	word, lemma, given := strings.Cut(field, "=")
	if !given {
		lemma = word
	}
	b.entry(word, lemma).Class |= 1 << i.number
}

// listNameWords lists words by what they mean in the name of a tool.
func (b *builder) listNameWords(i *item) error {
	flag, family := slices.Index(nameKeys, i.key), slices.Index(familyNames, i.key)
	if flag < 0 && family < 0 {
		return fmt.Errorf("there is no verb family %q, and no other key of tool names of that name", i.key)
	}
	for _, word := range i.words {
		known := b.names[word]
		if flag >= 0 {
			*known.flags()[flag] = true
		} else {
			known.Families = known.Families.With(Family(family))
		}
		b.names[word] = known
	}
	return nil
}

// listCue adds a named set of words. Number 0 stays free: it is no cue.
func (b *builder) listCue(i *item) error {
	number := Cue(len(b.cues) + 1)
	if number > maxCues {
		return fmt.Errorf("cue %q is one too many; at most %d are allowed", i.key, maxCues)
	}
	if b.cues[i.key] != 0 {
		return fmt.Errorf("cue %q is given twice", i.key)
	}
	b.cues[i.key] = number
	for _, word := range i.words {
		b.cued[b.entry(word, word).ID][number>>6] |= 1 << (number & 63)
	}
	return nil
}
