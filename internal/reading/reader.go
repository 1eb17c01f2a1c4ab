package reading

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

//go:embed data/en.txt
var english string

// Reader reads texts of one language. It is immutable and safe for concurrent use.
type Reader struct {
	*Listener                            // of the same language
	words     []wordFacts                // by the numbers of the lexicon's entries
	facts     hashtable.Table[wordFacts] // of those with a role and more, by their hashes
	// currencies are the codes that make a number money.
	currencies []string
	// opposites are pairs of states, each as "on=off".
	opposites []string
}

// English reads English. A word of the data file has no other key than a role, a trait, a number
// that it is a word for, or one of the calendar: the file is part of the program.
var English = sync.OnceValue(func() *Reader {
	language := lexicon.English()
	entries := language.Entries()
	r := &Reader{
		Listener: NewListener(language), words: make([]wordFacts, len(entries)), facts: hashtable.New[wordFacts](0),
	}
	for line := range strings.Lines(english) {
		if key, words, found := strings.Cut(strings.TrimSpace(line), ":"); found && key[0] != '#' {
			r.learn(key, strings.Fields(words))
		}
	}
	for i, entry := range entries {
		known := r.facts.Find(lexicon.Hash(entry.Word))
		known.roles |= r.shared(entry, known.roles)
		known.key = lexicon.Hash(stem(entry.Lemma))
		r.words[i] = known
	}
	return r
})

// shared is the roles of a word that the lexicon tells: what requests are read by,
// reports are, too. The data file has told the others.
func (r *Reader) shared(entry *lexicon.Entry, told Role) (roles Role) {
	add := func(role Role, plays bool) {
		if plays {
			roles |= role
		}
	}
	add(RoleUs, r.subject(entry))
	add(RoleNegative, entry.Class.Has(lexicon.Negation))
	add(RoleModal, entry.Class.Has(lexicon.Modal) && told&RoleWill == 0)
	add(RoleHave, entry.Is(r.cues[cueHave]))
	add(RoleDo, entry.Is(r.cues[cueDo]) && !entry.Form.Has(lexicon.Gerund|lexicon.Participle))
	add(RoleTo, entry.Is(r.cues[cueTo]))
	return roles
}

// learn reads what a row of the data file says of some words. Months and weekdays stand in their
// order, spellings apart by "=", times of day as NAME=MINUTES.
func (r *Reader) learn(key string, words []string) {
	role, trait := slices.Index(roleNames, key), slices.Index(traitNames, strings.TrimSuffix(key, " trait"))
	number, _ := strconv.ParseUint(key, 10, 8)
	switch key {
	case "currencies":
		r.currencies = words
	case "opposites":
		r.opposites = words
	}
	for n, word := range words {
		hash := lexicon.Hash(word)
		switch {
		case role >= 0:
			r.facts.Add(hash).roles |= 1 << role
		case trait >= 0:
			r.facts.Add(hash).traits |= 1 << trait
		case number > 0:
			r.facts.Add(hash).numeral = uint8(number)
		case key == "months":
			r.learnDay(word, n+1)
		case key == "weekdays":
			r.learnDay(word, weekdays+n+1)
		case key == "times":
			name, minutes, _ := strings.Cut(word, "=")
			at, _ := strconv.Atoi(minutes)
			r.learnDay(name, namedTimes+at)
		}
	}
}

// learnDay learns the spellings of a word of the calendar by their own letters: Jane and Mary are no months.
func (r *Reader) learnDay(spellings string, number int) {
	for word := range strings.SplitSeq(spellings, "=") {
		r.facts.Add(lexicon.Hash(word)).calendar = calendarWord(number)
		r.facts.Add(lexicon.Hash(word + "s")).calendar = calendarWord(number)
	}
}

// rolesOf is the roles that the data file gives a word, whatever stands around it:
// a piece of a name, or a member of a result.
func (r *Reader) rolesOf(word string) Role { return r.facts.Find(lexicon.Hash(word)).roles }

const maxWord = 64

func startsUpper(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// wordFacts is what is known of a word.
type wordFacts struct {
	roles    Role
	traits   trait
	key      uint64 // of its lemma, or its stem
	calendar calendarWord
	numeral  uint8 // the number that it is a word for
}

// known is what is known of a word; of one that the lexicon does not list, all but its roles.
func (r *Reader) known(word string, entry *lexicon.Entry) wordFacts {
	if entry != nil {
		return r.words[entry.Number]
	}
	known := r.facts.Find(lexicon.Hash(word))
	return wordFacts{key: stemKey(word), numeral: known.numeral, calendar: known.calendar}
}

// stemKey is the key of a word that the lexicon does not list.
func stemKey(word string) uint64 {
	folded := make([]byte, 0, maxWord)
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return lexicon.Hash(word)
		}
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		folded = append(folded, c)
	}
	return lexicon.Hash(stem(string(folded)))
}

// stem cuts the endings that an unlisted word most often has.
func stem(word string) string {
	if word == "" || strings.IndexByte("gsde", word[len(word)-1]) < 0 {
		return strings.TrimSuffix(word, "y")
	}
	for _, ending := range [...]string{"ings", "ing", "ies", "ied", "ed", "es", "s", "e"} {
		if kept, found := strings.CutSuffix(word, ending); found && len(kept) >= 3 {
			if ending == "s" && strings.HasSuffix(kept, "s") {
				return word
			}
			if n := len(kept); n > 3 && kept[n-1] == kept[n-2] && ending != "s" && ending != "e" {
				kept = kept[:n-1]
			}
			return strings.TrimSuffix(kept, "y")
		}
	}
	return word
}

// StemKey is the key that a word has as a value.
func (r *Reader) StemKey(word string) uint64 {
	if entry := r.language.Lookup(word); entry != nil {
		return r.words[entry.Number].key
	}
	return stemKey(word)
}
