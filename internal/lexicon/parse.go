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
			groups: []string{""}, topics: []string{""}, cues: map[string]Cue{}, names: map[string]NameWord{},
			endings: map[Form][]rule{}, hashed: hashtable.New[int32](0), slips: hashtable.New[int32](0),
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
	ids       hashtable.Table[int32] // of the lemmas + 1, by their hashes
	irregular map[string]map[Form][]string
	cued      [][2]uint64 // by lemma
	contrasts uint16      // the number of sets so far
	mentioned []string    // words that may be listed nowhere else
	expressed []string    // words of expressions
}

// section says how a section is read. Its lines are read twice: what a word is
// may stand below what it relates to, so all words are listed first.
type section struct{ list, relate step }

// step reads a line, or one of the entries of a line that stand apart by commas.
type step func(b *builder, key string, words []string) error

var sections = map[string]section{
	"endings":       {list: (*builder).listEndings},
	"stems":         {list: (*builder).listStems},
	"abbreviations": {list: eachWord(func(e *Entry) { e.abbreviation = true })},
	"adjectives":    {list: eachWord(func(e *Entry) { e.Form |= Adjective })},
	"adverbs":       {list: eachWord(func(e *Entry) { e.Form |= Adverb })},
	"irregular":     {list: (*builder).listIrregular},
	"nouns":         {list: (*builder).listNouns},
	"actions":       {list: byFamily(func(b *builder, word string, family Family) { b.noun(word, 0, family) })},
	"verbs":         {list: byFamily((*builder).verb)},
	"phrasal verbs": {list: (*builder).listPhrasal, relate: (*builder).relatePhrasal},
	"alike":         {list: (*builder).listAlike, relate: (*builder).relateAlike},
	"topics":        {list: (*builder).mention, relate: (*builder).relateTopic},
	"contrasts":     {list: (*builder).mention, relate: (*builder).relateContrasts},
	"synonyms":      {list: (*builder).mention, relate: (*builder).relateSynonyms},
	"kinds":         {list: (*builder).mentionAll, relate: (*builder).relateKinds},
	"phrases":       {list: (*builder).mentionAll, relate: (*builder).relatePhrase},
	"tool names":    {list: (*builder).listNameWords},
	"words":         {list: (*builder).listFunctionWords},
	"cues":          {list: (*builder).listCue},
	"expressions":   {list: (*builder).listExpression, relate: (*builder).relateExpression},
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
		section, known := sections[name]
		if !known {
			return fmt.Errorf("line %d: there is no section %q", number, name)
		}
		take := []step{section.list, section.relate}[pass]
		if take == nil {
			continue
		}
		key, words, found := strings.Cut(line, ": ")
		if !found {
			key, words = "", line
		}
		for item := range strings.SplitSeq(words, ",") {
			if err := take(b, strings.TrimSpace(key), strings.Fields(item)); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
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
	b.entries = slices.Clone(b.entries) // from here on they stay where they are
}

func eachWord(do func(*Entry)) step {
	return func(b *builder, _ string, words []string) error {
		for _, word := range words {
			do(b.entry(word, word))
		}
		return nil
	}
}

func byFamily(list func(b *builder, word string, family Family)) step {
	return func(b *builder, key string, words []string) error {
		family, err := familyOf(key)
		for _, word := range words {
			list(b, word, family)
		}
		return err
	}
}

// familyOf finds a family by its name, classOf a class, formOf a form.
func familyOf(name string) (Family, error) {
	number, err := find(familyNames, "verb family", name)
	return Family(number), err
}

func classOf(name string) (Class, error) {
	number, err := find(classNames, "class of words", name)
	return 1 << number, err
}

func formOf(name string) (Form, error) {
	number, err := find(formNames, "form", name)
	return 1 << number, err
}

func find(names []string, what, name string) (int, error) {
	number := slices.Index(names, name)
	if number < 0 {
		return 0, fmt.Errorf("there is no %s %q", what, name)
	}
	return number, nil
}

// listNameWords lists words by what they mean in the name of a tool.
func (b *builder) listNameWords(key string, words []string) error {
	family := NoFamily
	if nameKeys[key] == nil {
		var err error
		if family, err = familyOf(key); err != nil {
			return fmt.Errorf("%w, and no other key of tool names of that name", err)
		}
	}
	for _, word := range words {
		as := b.names[word]
		if of := nameKeys[key]; of != nil {
			*of(&as) = true
		}
		as.Families = as.Families.With(family)
		b.names[word] = as
	}
	return nil
}

func (b *builder) listIrregular(key string, fields []string) error {
	forms := map[Form][]string{}
	for _, field := range fields {
		name, words, _ := strings.Cut(field, "=")
		form, err := formOf(name)
		if err != nil || words == "" {
			return fmt.Errorf("%q is not of the kind form=word/word", field)
		}
		forms[form] = strings.Split(words, "/")
	}
	b.irregular[key] = forms
	return nil
}

func (b *builder) listNouns(group string, words []string) error {
	number := uint16(0)
	if group != "-" && group != "*" {
		number = numberOf(&b.groups, group)
	}
	for _, word := range words {
		if group == "*" {
			number = numberOf(&b.groups, word)
		}
		b.noun(word, number, NoFamily)
	}
	return nil
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

// entry is the entry of a form; the first lemma it is given stays. It is good until
// the next one is made.
func (b *builder) entry(word, lemma string) *Entry {
	if known := b.Lookup(word); known != nil {
		return known
	}
	next := b.ids.Add(Hash(lemma))
	if *next == 0 {
		b.lemmas, b.cued = append(b.lemmas, nil), append(b.cued, [2]uint64{})
		*next = int32(len(b.lemmas))
	}
	b.entries = append(b.entries, Entry{Word: word, Lemma: lemma, ID: *next - 1, Number: int32(len(b.entries))})
	b.hashed.Put(Hash(word), int32(len(b.entries)))
	return &b.entries[len(b.entries)-1]
}

func (b *builder) listFunctionWords(key string, words []string) error {
	class, err := classOf(key)
	for _, field := range words {
		word, lemma, given := strings.Cut(field, "=")
		if !given {
			lemma = word
		}
		b.entry(word, lemma).Class |= class
	}
	return err
}

// listCue adds a named set of words. Number 0 stays free: it is no cue.
func (b *builder) listCue(name string, words []string) error {
	number := Cue(len(b.cues) + 1)
	if number > maxCues {
		return fmt.Errorf("cue %q is one too many; at most %d are allowed", name, maxCues)
	}
	if b.cues[name] != 0 {
		return fmt.Errorf("cue %q is given twice", name)
	}
	b.cues[name] = number
	for _, word := range words {
		b.cued[b.entry(word, word).ID][number>>6] |= 1 << (number & 63)
	}
	return nil
}

// finish gives every form what is known of its lemma.
func (b *builder) finish() {
	for i := range b.entries {
		entry := &b.entries[i]
		entry.cues, entry.relations = b.cued[entry.ID], b.lemmas[entry.ID]
	}
	b.listSlips()
}
