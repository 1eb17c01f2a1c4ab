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
			endings: map[Form][]rule{}, hashed: hashtable.New[*Entry](0), slips: hashtable.New[int32](0),
		},
		irregular: map[string]map[Form][]string{},
	}
	for pass, finish := range []func(){b.listRest, b.finish} {
		if err := b.read(text, pass); err != nil {
			return nil, fmt.Errorf("language %s, %w", code, err)
		}
		finish()
	}
	return b.Language, nil
}

// builder collects a language.
type builder struct {
	*Language
	room      []Entry                // for those to come
	ids       hashtable.Table[int32] // of the lemmas + 1, by their hashes
	irregular map[string]map[Form][]string
	cued      [][2]uint64 // by lemma
	mentioned []string    // words that may be listed nowhere else
	expressed []string    // words of expressions
}

// item is a line, or one of the entries of a line that stand apart by commas.
type item struct {
	key    string
	number int // of the key among the names of the section
	words  []string
}

func (i *item) family() Family { return Family(i.number) }

// A step takes an item.
type step func(*builder, *item) error

// each takes an item word by word.
func each(take func(b *builder, i *item, word string)) step {
	return func(b *builder, i *item) error {
		for _, word := range i.words {
			take(b, i, word)
		}
		return nil
	}
}

// section says how a section is read. Its lines are read twice: what a word is
// may stand below what it relates to, so all words are listed first.
type section struct {
	list, relate step
	names        []string // those that a key may have; any if there are none
}

var sections = map[string]section{
	"endings":       {list: (*builder).listEndings, names: formNames},
	"stems":         {list: (*builder).listStems},
	"irregular":     {list: (*builder).listIrregular},
	"abbreviations": {list: each(func(b *builder, _ *item, word string) { b.entry(word, word).abbreviation = true })},
	"adjectives":    {list: each(func(b *builder, _ *item, word string) { b.entry(word, word).Form |= Adjective })},
	"adverbs":       {list: each(func(b *builder, _ *item, word string) { b.entry(word, word).Form |= Adverb })},
	"nouns":         {list: each((*builder).listNoun)},
	"actions":       {each(func(b *builder, i *item, word string) { b.noun(word, 0, i.family()) }), nil, familyNames},
	"verbs":         {each(func(b *builder, i *item, word string) { b.verb(word, i.family()) }), nil, familyNames},
	"words":         {each((*builder).listFunctionWord), nil, classNames},
	"tool names":    {list: (*builder).listNameWords},
	"cues":          {list: (*builder).listCue},
	"phrasal verbs": {(*builder).listPhrasal, (*builder).relatePhrasal, familyNames},
	"alike":         {list: each((*builder).listAlike), relate: each((*builder).relateAlike)},
	"synonyms":      {list: each((*builder).mention), relate: each((*builder).relateSynonyms)},
	"kinds":         {list: (*builder).mentionAll, relate: each((*builder).relateKind)},
	"phrases":       {list: (*builder).mentionAll, relate: (*builder).relatePhrase},
	"expressions":   {each((*builder).express), (*builder).relateExpression, classNames},
}

// read takes a step for every line.
func (b *builder) read(text string, pass int) error {
	name, number := "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			name = strings.Trim(line, "[]")
			continue
		}
		if err := b.readLine(name, line, pass); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return nil
}

func (b *builder) readLine(name, line string, pass int) error {
	section, known := sections[name]
	if !known {
		return fmt.Errorf("there is no section %q", name)
	}
	key, words, found := strings.Cut(line, ": ")
	if !found {
		key, words = "", line
	}
	read := item{key: strings.TrimSpace(key)}
	if read.number = slices.Index(section.names, read.key); read.number < 0 && section.names != nil {
		return fmt.Errorf("%q is no key of the section %q", read.key, name)
	}
	take := []step{section.list, section.relate}[pass]
	for part := range strings.SplitSeq(words, ",") {
		if take == nil {
			break
		}
		read.words = strings.Fields(part)
		if err := take(b, &read); err != nil {
			return err
		}
	}
	return nil
}

// listRest lists the words that nothing says more of. A cue may have listed one
// without saying what it is.
func (b *builder) listRest() {
	for _, word := range b.mentioned {
		if entry := b.Lookup(word); entry == nil || entry.Form == 0 && entry.Class == 0 {
			b.noun(word, 0, NoFamily)
		}
	}
	for _, word := range b.expressed {
		b.entry(word, word)
	}
}

// finish gives every form what is known of its lemma.
func (b *builder) finish() {
	for _, entry := range b.entries {
		entry.cues, entry.relations = b.cued[entry.ID], b.lemmas[entry.ID]
	}
	b.listSlips()
}

// entry is the entry of a form; the first lemma it is given stays.
func (b *builder) entry(word, lemma string) *Entry {
	if known := b.Lookup(word); known != nil {
		return known
	}
	next := b.ids.Add(Hash(lemma))
	if *next == 0 {
		b.lemmas, b.cued = append(b.lemmas, nil), append(b.cued, [2]uint64{})
		*next = int32(len(b.lemmas))
	}
	if len(b.room) == 0 {
		b.room = make([]Entry, 256) // side by side: there are thousands
	}
	made := &b.room[0]
	b.room = b.room[1:]
	*made = Entry{Word: word, Lemma: lemma, ID: *next - 1, Number: int32(len(b.entries))}
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

// unmarked is a verb without the sign that says whether it doubles its last
// letter.
func unmarked(verb string) string { return strings.TrimRight(verb, "+~") }

// inflected is a form of a word: as listed for irregular ones, else regular.
func (b *builder) inflected(word string, form Form, doubled bool) []string {
	if listed := b.irregular[word][form]; listed != nil {
		return listed
	}
	if regular, ok := b.inflect(word, form, doubled); ok {
		return []string{regular}
	}
	return nil
}

func (b *builder) listIrregular(i *item) error {
	forms := map[Form][]string{}
	for _, field := range i.words {
		name, words, _ := strings.Cut(field, "=")
		form := slices.Index(formNames, name)
		if form < 0 || words == "" {
			return fmt.Errorf("%q is not of the kind form=word/word", field)
		}
		forms[1<<form] = strings.Split(words, "/")
	}
	b.irregular[i.key] = forms
	return nil
}

func (b *builder) listNoun(i *item, word string) {
	group := i.key
	if group == "*" {
		group = word
	}
	number := uint16(0)
	if group != "-" {
		number = uint16(addOnce(&b.groups, group))
	}
	b.noun(word, number, NoFamily)
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
	mark := nameKeys[i.key]
	family, err := FamilyNamed(i.key)
	if mark == nil && err != nil {
		return fmt.Errorf("%w, and no other key of tool names of that name", err)
	}
	for _, word := range i.words {
		as := b.names[word]
		if mark != nil {
			*mark(&as) = true
		} else {
			as.Families = as.Families.With(family)
		}
		b.names[word] = as
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
