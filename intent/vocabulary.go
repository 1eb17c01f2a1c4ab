package intent

import (
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// vocabulary finds the tools that a word speaks of. A word is looked for by
// its lemma, by its written form if the lexicon does not list it, and by its group
// of nouns ("film" for "movie").
type vocabulary struct {
	language *lexicon.Language
	lemmas   []int32                // by lemma; 0 is unknown, else the word's number + 1
	groups   []int32                // by group of nouns
	forms    hashtable.Table[int32] // by hash of the written form, for words not listed
	reminder int32                  // the noun of what reminds, if a tool keeps it
	extra    int32                  // the lemma of the host's own verbs, which is no word of any tool
	words    []word
	postings []posting
}

// word is one word of the tools.
type word struct {
	from, to  int32   // its postings
	attribute bool    // something that a tool's subject has
	kind      bool    // something that a tool's subject is
	named     bool    // of a tool's name
	rare      float32 // 1 for a word of one tool, near 0 for one of all
}

// tools is how many tools have it.
func (w *word) tools() int32 { return w.to - w.from }

// posting is what a word says about one tool.
type posting struct {
	tool   int32
	weight float32
	named  bool
}

// newVocabulary joins the words of all tools.
func newVocabulary(all *stems, profiles []*profile) *vocabulary {
	language := all.language
	v := &vocabulary{language: language, lemmas: make([]int32, language.Lemmas()+1), extra: int32(language.Lemmas())}
	b := &vocabularyBuilder{
		vocabulary: v, stems: all, profiles: profiles,
		numbers: make([]int32, len(all.all)), places: make([]int32, len(profiles)),
	}
	b.number()
	b.post()
	b.addWords()
	b.addGroups()
	b.rarities()
	return v
}

// vocabularyBuilder is what is needed only while a vocabulary is made.
type vocabularyBuilder struct {
	*vocabulary
	stems     *stems
	profiles  []*profile
	numbers   []int32   // of words, by their stems
	order     []int32   // the stems of the words
	members   [][]int32 // the words of the groups
	places    []int32   // where the last posting of a group about a tool stands, + 1
	inflected []string
}

// number numbers the words in the order in which the tools have them, and makes
// room for what they say.
func (b *vocabularyBuilder) number() {
	uses := make([]int32, len(b.numbers))
	total, unlisted := int32(0), 0
	for _, p := range b.profiles {
		for i := range p.terms {
			t := &p.terms[i]
			if b.numbers[t.stem] == 0 {
				b.order = append(b.order, t.stem)
				b.numbers[t.stem] = int32(len(b.order))
			}
			uses[t.stem]++
			unlisted += len(t.forms)
		}
	}
	b.words = make([]word, len(b.order), 2*len(b.order)+8)
	for i, stem := range b.order {
		b.words[i].from, b.words[i].to = total, total
		total += uses[stem]
	}
	b.postings = make([]posting, total)
	b.forms = hashtable.New[int32](formsOfWord * unlisted)
}

// post lists for each word what it says about the tools.
func (b *vocabularyBuilder) post() {
	for tool, p := range b.profiles {
		for i := range p.terms {
			t := &p.terms[i]
			number := b.numbers[t.stem]
			w := &b.words[number-1]
			b.postings[w.to] = posting{tool: int32(tool), weight: t.weight, named: t.is(inName)}
			w.to++
			w.attribute = w.attribute || t.is(ofSubject)
			w.kind = w.kind || t.is(isSubject)
			w.named = w.named || t.is(inName)
			b.addForms(t.forms, number)
		}
	}
}

// addWords lets the listed words be found.
func (b *vocabularyBuilder) addWords() {
	for i, stem := range b.order {
		w := &b.words[i]
		if w.attribute && !w.named { // an argument that no tool is named for is no thing: a priority
			w.kind = false
		}
		if entry := b.stems.all[stem].entry; entry != nil {
			b.addListed(entry, w, int32(i+1))
		}
	}
}

func (b *vocabularyBuilder) addListed(entry *lexicon.Entry, w *word, number int32) {
	b.lemmas[entry.ID] = number
	if entry.Families.Has(lexicon.Remind) && entry.Form.Has(lexicon.Noun) && w.kind {
		b.reminder = number
	}
	if entry.Group != 0 {
		for int(entry.Group) >= len(b.members) {
			b.members = append(b.members, nil)
		}
		b.members[entry.Group] = append(b.members[entry.Group], number)
	}
}

// formsOfWord is how many forms a word of no lexicon has, at most.
const formsOfWord = 12

// addForms lists every form that a word of no lexicon can take.
func (b *vocabularyBuilder) addForms(written []string, number int32) {
	for _, word := range written {
		if b.forms.Find(lexicon.Hash(word)) == number { // another tool has it, too
			continue
		}
		b.inflected = b.language.Inflect(b.inflected[:0], word)
		for _, form := range b.inflected {
			b.forms.Put(lexicon.Hash(form), number)
		}
		// A plural is asked for in the singular, too; the stem may have lost an e.
		if stem := b.language.Stem(word); stem != word {
			b.forms.Put(lexicon.Hash(stem), number)
			b.forms.Put(lexicon.Hash(stem+"e"), number)
		}
	}
}

// addGroups lets every noun of a group stand for those that the tools use, for
// a part of their weight.
func (b *vocabularyBuilder) addGroups() {
	v := b.vocabulary
	for group := 1; group < len(v.language.Groups()); group++ {
		v.groups = append(v.groups, 0)
		if group < len(b.members) && len(b.members[group]) > 0 {
			b.addGroup(b.members[group])
			v.groups[group-1] = int32(len(v.words))
		}
	}
}

// addGroup adds a word that stands for several: for each tool, the one that says
// the most about it.
func (b *vocabularyBuilder) addGroup(members []int32) {
	w := word{from: int32(len(b.postings))}
	for _, number := range members {
		m := &b.words[number-1]
		w.kind, w.attribute = w.kind || m.kind, w.attribute || m.attribute
		for _, use := range b.postings[m.from:m.to] {
			use.weight *= 0.8
			place := &b.places[use.tool]
			switch {
			case *place <= w.from: // of an earlier group
				b.postings = append(b.postings, use)
				*place = int32(len(b.postings))
			case use.weight > b.postings[*place-1].weight:
				b.postings[*place-1] = use
			}
		}
	}
	w.to = int32(len(b.postings))
	b.words = append(b.words, w)
}

// rarities notes how few tools have each word.
func (b *vocabularyBuilder) rarities() {
	scale := math.Log(float64(len(b.profiles) + 1))
	for i := range b.words {
		b.words[i].rare = float32(1 - math.Log(float64(max(b.words[i].tools(), 1)))/scale)
	}
}

// thing finds a noun, itself or by its group; 0 if no tool knows it.
func (v *vocabulary) thing(noun *lexicon.Entry) int32 {
	if n := v.lemmas[noun.ID]; n != 0 || noun.Group == 0 {
		return n
	}
	return v.groups[noun.Group-1]
}

// find looks a token up; the number is that of the word + 1.
func (v *vocabulary) find(token *lexicon.Token) int32 {
	if entry := token.Entry; entry != nil {
		if n := v.lemmas[entry.ID]; n != 0 {
			return n
		}
	}
	return v.search(token)
}

// search finds a token that is no lemma of the tools.
func (v *vocabulary) search(token *lexicon.Token) int32 {
	if entry := token.Entry; entry != nil {
		if entry.Group != 0 {
			if n := v.groups[entry.Group-1]; n != 0 {
				return n
			}
		}
		for _, other := range entry.Related().Synonyms {
			if n := v.thing(other); n != 0 {
				return n
			}
		}
		return 0
	}
	return v.forms.Find(token.Hash)
}

// isNamed reports whether a noun stands for one of a tool's name.
func (v *vocabulary) isNamed(token *lexicon.Token) bool {
	if !token.Entry.Form.Has(lexicon.Noun|lexicon.Plural) || isFunctionWord(token.Entry) {
		return false
	}
	number := v.search(token)
	if number == 0 {
		return false
	}
	return slices.ContainsFunc(v.uses(number), func(p posting) bool { return p.named })
}

// uses are what a word says about the tools.
func (v *vocabulary) uses(number int32) []posting {
	w := &v.words[number-1]
	return v.postings[w.from:w.to]
}

// of is what a word says about one tool; nothing if it is none of its words.
func (v *vocabulary) of(number int32, tool int) posting {
	for _, p := range v.uses(number) {
		if int(p.tool) == tool {
			return p
		}
	}
	return posting{}
}
