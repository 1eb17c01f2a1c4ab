package intent

import (
	"github.com/bonafide-go/bonafide/intent/lexicon"
)

// vocabulary finds the tools that a word speaks of. A word is looked for by
// its lemma, by its written form if the lexicon does not list it, by its group
// of nouns ("film" for "movie"), and by its root ("discoverer" for "discover").
type vocabulary struct {
	language  *lexicon.Language
	lemmas    []int32     // by lemma; 0 is unknown, else the word's number + 1
	groups    []int32     // by group of nouns
	forms     table       // by hash of the written form, for words not listed
	roots     table       // by hash of the first letters
	topics    [][]posting // by field
	reminder  int32       // the noun of what reminds, if a tool keeps it
	extra     int32       // the lemma of the host's own verbs, which is no word of any tool
	words     []word
	postings  []posting
	contrasts [][]contrast // by set of words that exclude one another
	pairs     table        // by two words that stand side by side: where their tools are, + 1
	paired    [][]int32
}

// word is one word of the tools.
type word struct {
	from, to  int32 // its postings
	was, own  int32 // where they began before they were widened, -1 until then, and how many they were
	attribute bool  // something that a tool's subject has
	kind      bool  // something that a tool's subject is
	container bool
}

// posting is what a word says about one tool.
type posting struct {
	tool   int32
	weight float32
	named  bool
	target bool // of what the tool delivers
	first  bool // of the name before a preposition
	kind   bool // the word is a kind of one of the tool's
	lent   bool // the tool has another word of its group, or for what it is a kind of
}

// contrast is a word of a tool that excludes others.
type contrast struct {
	tool  int32
	lemma int32
}

// table is a small hash table without deletion; its zero value is empty.
type table struct {
	keys   []uint64
	values []int32
}

func newTable(n int) table {
	size := 8
	for size < 3*n {
		size *= 2
	}
	return table{make([]uint64, size), make([]int32, size)}
}

func (t *table) find(key uint64) int32 {
	if len(t.keys) == 0 {
		return 0
	}
	mask := uint64(len(t.keys) - 1)
	for i := key >> 20 & mask; ; i = (i + 1) & mask {
		if t.values[i] == 0 || t.keys[i] == key {
			return t.values[i]
		}
	}
}

// put keeps the first value of a key.
func (t *table) put(key uint64, value int32) {
	mask := uint64(len(t.keys) - 1)
	i := key >> 20 & mask
	for ; t.values[i] != 0; i = (i + 1) & mask {
		if t.keys[i] == key {
			return
		}
	}
	t.keys[i], t.values[i] = key, value
}

// rootLength is the number of letters that words of one root share.
const rootLength = 6

// rootOf is the hash of a word's first letters; 0 for words too short to have
// an ending behind them.
func rootOf(word string) uint64 {
	if len(word) < rootLength {
		return 0
	}
	return lexicon.Hash(word[:rootLength])
}

// newVocabulary joins the words of all tools.
func newVocabulary(language *lexicon.Language, profiles []*profile) *vocabulary {
	v := &vocabulary{language: language, lemmas: make([]int32, language.Lemmas()+1), extra: int32(language.Lemmas())}
	numbers := map[string]int32{}
	var stems []string
	uses := map[string][]posting{}
	for tool, p := range profiles {
		for _, stem := range p.sortedWords() {
			if numbers[stem] == 0 {
				stems = append(stems, stem)
				numbers[stem] = int32(len(stems))
			}
			uses[stem] = append(uses[stem], posting{int32(tool), p.words[stem], p.named[stem], p.target[stem], p.first[stem], false, false})
		}
	}
	v.forms, v.roots = newTable(16*len(stems)), newTable(len(stems))
	groups := map[uint16]*word{}
	members := map[uint16][]posting{}
	for _, stem := range stems {
		v.add(stem, numbers[stem], uses[stem], profiles, groups, members)
	}
	v.addContrasts(profiles)
	v.addPairs(profiles, numbers)
	v.addGroups(groups, members)
	v.widen(stems)
	v.addTopics(profiles)
	return v
}

func (v *vocabulary) add(stem string, number int32, uses []posting, profiles []*profile, groups map[uint16]*word, members map[uint16][]posting) {
	w := word{from: int32(len(v.postings)), to: int32(len(v.postings) + len(uses)), was: -1, own: int32(len(uses))}
	for _, use := range uses {
		w.attribute = w.attribute || profiles[use.tool].attrs[stem]
		w.kind = w.kind || profiles[use.tool].kinds[stem]
	}
	v.postings = append(v.postings, uses...)
	entry := v.language.Lookup(stem)
	if entry != nil {
		v.lemmas[entry.ID] = number
		if entry.Families.Has(lexicon.Remind) && entry.Form.Has(lexicon.Noun) && w.kind {
			v.reminder = number
		}
		w.container = entry.Class.Has(lexicon.Container)
		if entry.Group != 0 {
			members[entry.Group] = append(members[entry.Group], uses...)
			if groups[entry.Group] == nil {
				groups[entry.Group] = &word{}
			}
			groups[entry.Group].kind = groups[entry.Group].kind || w.kind
			groups[entry.Group].attribute = groups[entry.Group].attribute || w.attribute
		}
	} else {
		for _, use := range uses {
			v.addForms(profiles[use.tool].forms[stem], number)
		}
	}
	if root := rootOf(stem); root != 0 {
		v.roots.put(root, number)
	}
	v.words = append(v.words, w)
}

// addContrasts lists the words of the tools that exclude others.
func (v *vocabulary) addContrasts(profiles []*profile) {
	for tool, p := range profiles {
		for _, stem := range p.sortedWords() {
			entry := v.language.Lookup(stem)
			if entry == nil || !p.named[stem] && !p.target[stem] && p.words[stem] < weightDescription {
				continue
			}
			for _, set := range v.language.Contrasts(entry) {
				for int(set) >= len(v.contrasts) {
					v.contrasts = append(v.contrasts, nil)
				}
				v.contrasts[set] = append(v.contrasts[set], contrast{int32(tool), entry.ID})
			}
		}
	}
}

// addPairs lists the tools by two words that stand side by side.
func (v *vocabulary) addPairs(profiles []*profile, numbers map[string]int32) {
	n := 0
	for _, p := range profiles {
		n += len(p.pairs)
	}
	v.pairs = newTable(n)
	for tool, p := range profiles {
		for _, pair := range p.pairs {
			key := pairOf(numbers[pair[0]], numbers[pair[1]])
			at := v.pairs.find(key)
			if at == 0 {
				v.paired = append(v.paired, nil)
				at = int32(len(v.paired))
				v.pairs.put(key, at)
			}
			if tools := v.paired[at-1]; len(tools) == 0 || tools[len(tools)-1] != int32(tool) {
				v.paired[at-1] = append(tools, int32(tool))
			}
		}
	}
}

// pairOf is the key of two words.
func pairOf(first, second int32) uint64 {
	return (uint64(first)<<32 | uint64(second)) * traitWord
}

// addForms lists every form that a word of no lexicon can take.
func (v *vocabulary) addForms(written []string, number int32) {
	for _, word := range written {
		if v.forms.find(lexicon.Hash(word)) == number { // another tool has it, too
			continue
		}
		for _, form := range v.language.Inflect(nil, word) {
			v.forms.put(lexicon.Hash(form), number)
		}
		// A plural is asked for in the singular, too; the stem may have lost an e.
		if stem := v.language.Stem(word); stem != word {
			v.forms.put(lexicon.Hash(stem), number)
			v.forms.put(lexicon.Hash(stem+"e"), number)
		}
	}
}

// addGroups lets every noun of a group stand for those that the tools use, for
// a part of their weight.
func (v *vocabulary) addGroups(groups map[uint16]*word, members map[uint16][]posting) {
	for group := uint16(1); v.language.GroupName(group) != ""; group++ {
		v.groups = append(v.groups, 0)
		uses := members[group]
		if len(uses) == 0 {
			continue
		}
		best := map[int32]posting{}
		for _, use := range uses {
			if use.weight > best[use.tool].weight {
				best[use.tool] = use
			}
		}
		w := word{from: int32(len(v.postings)), was: -1, kind: groups[group].kind, attribute: groups[group].attribute}
		for _, use := range uses {
			if b, ok := best[use.tool]; ok {
				b.weight *= 0.8
				v.postings = append(v.postings, b)
				delete(best, use.tool)
			}
		}
		w.to = int32(len(v.postings))
		w.own = w.to - w.from
		v.words = append(v.words, w)
		v.groups[group-1] = int32(len(v.words))
	}
}

// widen lets the words of one tool speak of another, too, that has a word of
// the same group, or one for the thing that this is a kind of. So no tool hides
// what a word says about another.
func (v *vocabulary) widen(stems []string) {
	old := v.postings
	v.postings = make([]posting, 0, 2*len(old))
	known := map[int32]bool{}
	for i := range v.words {
		w := &v.words[i]
		from := int32(len(v.postings))
		clear(known)
		for _, p := range old[w.from:w.to] {
			v.postings = append(v.postings, p)
			known[p.tool] = true
		}
		if i < len(stems) {
			v.lend(old, v.language.Lookup(stems[i]), known)
		}
		w.was = w.from
		w.from, w.to = from, int32(len(v.postings))
	}
}

// lend adds what the group and the kinds of a word say about tools that do not
// know it.
func (v *vocabulary) lend(old []posting, entry *lexicon.Entry, known map[int32]bool) {
	if entry == nil {
		return
	}
	if entry.Group != 0 && v.groups[entry.Group-1] != 0 {
		v.borrow(old, v.groups[entry.Group-1], 1, false, known)
	}
	for _, of := range v.language.Kinds(entry) {
		if number := v.thing(of); number != 0 {
			v.borrow(old, number, 0.7, true, known)
		}
	}
}

func (v *vocabulary) borrow(old []posting, number int32, factor float32, kind bool, known map[int32]bool) {
	w := v.words[number-1]
	from, to := w.from, w.to
	if w.was >= 0 {
		from, to = w.was, w.was+w.own
	}
	for _, p := range old[from:to] {
		if !known[p.tool] {
			known[p.tool] = true
			p.weight *= factor
			p.kind, p.lent = kind, true
			v.postings = append(v.postings, p)
		}
	}
}

// addTopics lists the tools by the fields that their words belong to.
func (v *vocabulary) addTopics(profiles []*profile) {
	v.topics = append(v.topics, nil)
	for topic := uint16(1); v.language.TopicName(topic) != ""; topic++ {
		v.topics = append(v.topics, nil)
		for tool, p := range profiles {
			if weight := p.topics[topic]; weight > 0.2 {
				v.topics[topic] = append(v.topics[topic], posting{tool: int32(tool), weight: weight})
			}
		}
	}
}

// match says how a word of a message was found among those of the tools.
type match uint8

const (
	unknown match = iota
	exactly       // lemma or written form
	byGroup       // another noun of the same group
	byRoot        // the same beginning
	byKind        // a kind of what the word names
)

// thing finds a noun, itself or by its group; 0 if no tool knows it.
func (v *vocabulary) thing(noun *lexicon.Entry) int32 {
	if n := v.lemmas[noun.ID]; n != 0 || noun.Group == 0 {
		return n
	}
	return v.groups[noun.Group-1]
}

// find looks a token up; the number is that of the word + 1.
func (v *vocabulary) find(token *lexicon.Token, text string) (int32, match) {
	if entry := token.Entry; entry != nil {
		if n := v.lemmas[entry.ID]; n != 0 {
			return n, exactly
		}
		if entry.Group != 0 {
			if n := v.groups[entry.Group-1]; n != 0 {
				return n, byGroup
			}
		}
	} else if n := v.forms.find(token.Hash); n != 0 {
		return n, exactly
	}
	if token.End-token.Start >= rootLength+1 {
		if n := v.roots.find(rootOf(text[token.Start:token.End])); n != 0 {
			return n, byRoot
		}
	}
	return 0, unknown
}
