package lexicon

import (
	"embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed data/*.txt
var data embed.FS

// English is the built-in English, parsed once.
func English() *Language { return english() }

var english = sync.OnceValue(func() *Language {
	english, err := Load("en")
	if err != nil {
		panic(err) // the file is part of the program and covered by its tests
	}
	return english
})

// Languages are the codes of the languages that have a data file.
func Languages() []string {
	files, _ := data.ReadDir("data")
	var codes []string
	for _, file := range files {
		codes = append(codes, strings.TrimSuffix(file.Name(), ".txt"))
	}
	return codes
}

// Load parses the data file of a language by its code. It is not cached: keep
// the result.
func Load(code string) (*Language, error) {
	text, err := data.ReadFile("data/" + code + ".txt")
	if err != nil {
		return nil, fmt.Errorf("there is no data file for language %q; use one of %s", code, strings.Join(Languages(), ", "))
	}
	return Parse(code, string(text))
}

// Language is the words of one language. It is immutable and safe for
// concurrent use.
type Language struct {
	code      string
	entries   []Entry  // sorted by word
	hashed    []uint32 // numbers of entries + 1 by their hashes; open addressing, a power of two
	spelled   []uint32 // the same by the keys of their spellings
	lemmas    []string
	groups    []string
	topics    []string
	cues      map[string]Cue
	names     map[string]NameWord // by word, in lower case
	fields    [][]uint16          // topics by lemma
	contrasts [][]uint16          // sets of words that exclude one another, by lemma
	kinds     [][]*Entry          // what a lemma is a kind of
	synonyms  [][]*Entry          // words that a lemma may stand for
	alike     [][]int32           // verbs that may stand for one, by lemma
	sayings   []sayings           // phrases by the lemma they end in
	phrasal   [][]phrasalVerb     // by the lemma of the verb
	rules     rules
	slips     slips
}

// Code is the language's code, such as "en".
func (l *Language) Code() string { return l.code }

// Lookup finds a word in any letter case; nil if it is not listed.
func (l *Language) Lookup(word string) *Entry {
	if len(word) <= maxSpelled {
		low, n := letters(eightAt(word, 0))
		high, m := letters(eightAt(word, 8))
		if n+m == len(word) {
			return l.findSpelled(spelling{low, high}.key())
		}
	}
	return l.find(Hash(word))
}

// find looks a word up by its hash. The word itself is not compared: two
// different words with one 64-bit hash will not be met by chance, and who
// constructs one could as well write the word.
func (l *Language) find(hash uint64) *Entry {
	mask := uint64(len(l.hashed) - 1)
	for i := hash >> 32; ; i++ {
		at := l.hashed[i&mask]
		if at == 0 {
			return nil
		}
		if entry := &l.entries[at-1]; entry.hash == hash {
			return entry
		}
	}
}

// findSpelled is find by the key of a spelling.
func (l *Language) findSpelled(key uint64) *Entry {
	mask := uint64(len(l.spelled) - 1)
	for i := key >> 32; ; i++ {
		at := l.spelled[i&mask]
		if at == 0 {
			return nil
		}
		if entry := &l.entries[at-1]; entry.key == key {
			return entry
		}
	}
}

// Lemmas is the number of lemmas: every [Entry.ID] is below it.
func (l *Language) Lemmas() int { return len(l.lemmas) }

// GroupName is the first word of a group of nouns, "" for 0 and beyond.
func (l *Language) GroupName(group uint16) string {
	if int(group) < len(l.groups) {
		return l.groups[group]
	}
	return ""
}

// Topics are the numbers of the fields that a word belongs to ("song" to music).
// They must not be modified; see [Language.TopicName].
func (l *Language) Topics(entry *Entry) []uint16 {
	if entry == nil || entry.traits&topical == 0 {
		return nil
	}
	return l.fields[entry.ID]
}

// Kinds are the things that a word names a kind of, or an act on ("sedan" of car,
// "museum" of attraction). They must not be modified.
func (l *Language) Kinds(entry *Entry) []*Entry {
	if entry == nil || entry.traits&special == 0 {
		return nil
	}
	return l.kinds[entry.ID]
}

// Synonyms are the words that a word may stand for in one of its senses ("worth"
// for value). They must not be modified.
func (l *Language) Synonyms(entry *Entry) []*Entry {
	if entry == nil || entry.traits&synonymous == 0 {
		return nil
	}
	return l.synonyms[entry.ID]
}

// Alike are the verbs that may stand for a verb in one of its senses, all by the
// IDs of their lemmas: closer than a family, and across families. They must not
// be modified.
func (l *Language) Alike(verb int32) []int32 {
	if verb < 0 || int(verb) >= len(l.alike) {
		return nil
	}
	return l.alike[verb]
}

// sayings are the phrases that end in a word. Most words before it begin none,
// which the signs of those that do tell at once.
type sayings struct {
	phrases []phraseKinds
	before  signs
}

// signs are a small sketch of a set: what is in it has its bit set.
type signs uint64

func (s signs) with(number uint64) signs   { return s | 1<<(number&63) }
func (s signs) mayHold(number uint64) bool { return s>>(number&63)&1 == 1 }

// phraseKinds is what a phrase speaks of. The lemmas before its last word stand
// from the right to the left.
type phraseKinds struct {
	before []int32
	of     []*Entry
}

// PhraseKinds are the things that the phrase speaks of in which the tokens end
// ("how fast" of speed), as [Language.Kinds] are those of a word; of several
// phrases the longest counts. They must not be modified.
func (l *Language) PhraseKinds(tokens []Token) []*Entry {
	if n := len(tokens); n > 1 && tokens[n-1].EndsPhrase() && tokens[n-2].Entry != nil {
		if known := &l.sayings[tokens[n-1].Entry.ID]; known.before.mayHold(uint64(tokens[n-2].Entry.ID)) {
			return l.phraseKinds(tokens, known.phrases)
		}
	}
	return nil
}

func (l *Language) phraseKinds(tokens []Token, phrases []phraseKinds) (of []*Entry) {
	length := 0
next:
	for _, phrase := range phrases {
		if len(phrase.before) >= len(tokens) || len(phrase.before) <= length {
			continue
		}
		for i, lemma := range phrase.before {
			if entry := tokens[len(tokens)-2-i].Entry; entry == nil || entry.ID != lemma {
				continue next
			}
		}
		of, length = phrase.of, len(phrase.before)
	}
	return of
}

// Contrasts are the numbers of the sets of words that exclude one another
// ("boiling", "freezing") to which a word belongs. They must not be modified.
func (l *Language) Contrasts(entry *Entry) []uint16 {
	if entry == nil || entry.traits&contrasting == 0 {
		return nil
	}
	return l.contrasts[entry.ID]
}

// TopicName is the name of a topic, "" for 0 and beyond.
func (l *Language) TopicName(topic uint16) string {
	if int(topic) < len(l.topics) {
		return l.topics[topic]
	}
	return ""
}

// Cue is the number of a named set of words that a reader of the language turns
// on; see [Entry.Is]. 0 is no cue, which no word is.
type Cue uint8

const maxCues = 127

// Cue finds a cue by its name; 0 if the language has none of that name.
func (l *Language) Cue(name string) Cue { return l.cues[name] }

// CueSet is a set of cues: one question for many. Its zero value is empty.
type CueSet [2]uint64

// With is the set with one more cue.
func (s CueSet) With(c Cue) CueSet {
	s[c>>6&1] |= 1 << (c & 63)
	return s
}

// Entries are all listed forms, sorted by word.
func (l *Language) Entries() []*Entry {
	all := make([]*Entry, len(l.entries))
	for i := range l.entries {
		all[i] = &l.entries[i]
	}
	return all
}

// phrasalVerb is what a verb and a particle mean together.
type phrasalVerb struct {
	particle int32 // its lemma
	families Families
}

// Phrasal is the families of a phrasal verb by its two parts, whatever their
// forms and whatever stands between them: take … off is Delete. It is empty
// when the two make none.
func (l *Language) Phrasal(verb, particle *Entry) Families {
	if verb == nil || particle == nil || verb.traits&phrasal == 0 {
		return Families{}
	}
	for i := range l.phrasal[verb.ID] {
		if known := &l.phrasal[verb.ID][i]; known.particle == particle.ID {
			return known.families
		}
	}
	return Families{}
}

type expression struct {
	rest  []uint64 // hashes of the words behind the first
	class Class
}

// Expression looks for a fixed expression ("go ahead", "no problem") that
// begins with tokens[0]. It returns its classes and number of tokens, the
// longest one if there are several, and 0 if there is none.
func (l *Language) Expression(tokens []Token) (Class, int) {
	if len(tokens) == 0 || !tokens[0].BeginsExpression() {
		return 0, 0
	}
	if len(tokens) > 1 && !tokens[0].Entry.next.mayHold(tokens[1].sign()) {
		return 0, 0
	}
	var class Class
	length := 0
next:
	for _, known := range tokens[0].Entry.expressions {
		if len(known.rest) >= len(tokens) || len(known.rest)+1 <= length {
			continue
		}
		for i, hash := range known.rest {
			if tokens[i+1].Hash != hash {
				continue next
			}
		}
		class, length = known.class, len(known.rest)+1
	}
	return class, length
}
