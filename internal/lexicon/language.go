package lexicon

import (
	"sync"

	"github.com/bonafide-go/bonafide/internal/hashtable"
)

// English is the built-in English, read once.
func English() *Language { return english() }

var english = sync.OnceValue(func() *Language { return readSnapshot(snapshot) })

// Language is the words of one language. It is immutable and safe for concurrent use.
type Language struct {
	entries []*Entry
	hashed  hashtable.Table[*Entry] // by their hashes
	slips   slips
	lemmas  int
	groups  []string
	cues    map[string]Cue
	names   map[string]NameWord // by word, in lower case
	endings map[Form][]rule     // regular ones
}

// Lookup finds a word in any letter case; nil if it is not listed.
func (l *Language) Lookup(word string) *Entry { return l.LookupHash(Hash(word)) }

// LookupHash finds a word by its [Hash]. The word itself is not compared: two different words with
// one 64-bit hash will not be met by chance, and who constructs one could as well write the word.
func (l *Language) LookupHash(hash uint64) *Entry { return l.hashed.Find(hash) }

// Lemmas is the number of lemmas: every [Entry.ID] is below it.
func (l *Language) Lemmas() int { return l.lemmas }

// Entries are all listed forms, by their numbers. They must not be modified.
func (l *Language) Entries() []*Entry { return l.entries }

// Groups are the first words of the groups of nouns, by their numbers; "" is that
// of none. They must not be modified.
func (l *Language) Groups() []string { return l.groups }

// Phrasal is the families of a phrasal verb by its two parts, whatever their forms and whatever
// stands between them: take … off is Delete. It is empty when the two make none.
func (l *Language) Phrasal(verb, particle *Entry) Families {
	if particle != nil {
		for _, known := range verb.Related().phrasal {
			if known.particle == particle.ID {
				return known.families
			}
		}
	}
	return Families{}
}

// PhraseKinds are the things that the phrase speaks of in which the tokens end
// ("how fast" of speed), as [Relations.Kinds] are those of a word; of several
// phrases the longest counts. They must not be modified.
func (l *Language) PhraseKinds(tokens []Token) (of []*Entry) {
	if len(tokens) == 0 {
		return nil
	}
	length, last := 0, len(tokens)-1
next:
	for _, phrase := range tokens[last].Entry.Related().phrases {
		if len(phrase.before) > last || len(phrase.before) <= length {
			continue
		}
		for i, lemma := range phrase.before {
			if entry := tokens[last-1-i].Entry; entry == nil || entry.ID != lemma {
				continue next
			}
		}
		of, length = phrase.of, len(phrase.before)
	}
	return of
}

// Expression looks for a fixed expression ("go ahead", "no problem") that
// begins with tokens[0]. It returns its classes and number of tokens, the
// longest one if there are several, and 0 if there is none.
func (l *Language) Expression(tokens []Token) (class Class, length int) {
	if len(tokens) == 0 || tokens[0].Entry == nil {
		return 0, 0
	}
next:
	for _, known := range tokens[0].Entry.expressions {
		if len(known.rest) >= len(tokens) || len(known.rest) < length {
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

// Cue is the number of a named set of words that a reader of the language turns
// on; see [Entry.Is]. 0 is no cue, which no word is.
type Cue uint8

const maxCues = 127

// Cue finds a cue by its name; 0 if the language has none of that name.
func (l *Language) Cue(name string) Cue { return l.cues[name] }
