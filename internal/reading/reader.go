package reading

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

//go:embed data/en.txt
var english string

// Reader reads texts of one language. It is immutable and safe for concurrent
// use.
type Reader struct {
	*Listener                            // of the same language
	words     []wordFacts                // by the numbers of the lexicon's entries
	facts     hashtable.Table[wordFacts] // of those with a role and more, by their hashes
	// counting has, by their last letter, the lengths of the words that are numerals
	// or of the calendar: few others have one of both, and need be looked for.
	counting [256]uint64
	// currencies are the codes that make a number money.
	currencies []string
	// opposites are pairs of states, each as "on=off".
	opposites []string
}

// English reads English.
var English = sync.OnceValue(func() *Reader {
	r, err := New(lexicon.English(), english)
	if err != nil {
		panic(err) // the file is part of the program and covered by its tests
	}
	return r
})

// New builds a reader from a language and the roles of its words.
func New(language *lexicon.Language, roles string) (*Reader, error) {
	entries := language.Entries()
	r := &Reader{
		Listener: NewListener(language), words: make([]wordFacts, len(entries)), facts: hashtable.New[wordFacts](0),
	}
	for i, entry := range entries {
		r.words[i].key = lexicon.Hash(stem(entry.Lemma))
	}
	for number, line := range strings.Split(roles, "\n") {
		if err := r.add(strings.TrimSpace(line)); err != nil {
			return nil, fmt.Errorf("line %d of the roles of words: %w", number+1, err)
		}
	}
	for i, entry := range entries {
		word, known := &r.words[i], r.facts.Find(lexicon.Hash(entry.Word))
		word.calendar, word.numeral, word.roles = known.calendar, known.numeral, known.roles|r.shared(entry, known.roles)
		word.traits = known.traits
	}
	return r, nil
}

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

// learn is the place of what is known of a word.
func (r *Reader) learn(word string) *wordFacts { return r.facts.Add(lexicon.Hash(word)) }

// learnCounting is the same for a word that is a numeral or of the calendar.
func (r *Reader) learnCounting(word string) *wordFacts {
	r.counting[word[len(word)-1]|0x20] |= 1 << len(word)
	return r.learn(word)
}

// mayCount is false for words that are surely neither a numeral nor of the calendar.
func (r *Reader) mayCount(word string) bool {
	last := word[len(word)-1]
	return last >= utf8.RuneSelf || r.counting[last|0x20]>>len(word)&1 != 0
}

func (r *Reader) add(line string) error {
	if line == "" || line[0] == '#' {
		return nil
	}
	key, words, found := strings.Cut(line, ":")
	if !found {
		return fmt.Errorf("%q is not of the kind ROLE: WORDS", line)
	}
	if key == "currencies" {
		r.currencies = strings.Fields(words)
		return nil
	}
	if key == "months" || key == "weekdays" || key == "times" {
		return r.addCalendar(key, words)
	}
	if number, err := strconv.ParseUint(key, 10, 8); err == nil {
		for _, word := range strings.Fields(words) {
			r.learnCounting(word).numeral = uint8(number)
		}
		return nil
	}
	if key == "opposites" {
		r.opposites = strings.Fields(words)
		return nil
	}
	if name, isTrait := strings.CutSuffix(key, " trait"); isTrait {
		return r.addTrait(name, words)
	}
	for i, name := range roleNames {
		if key == name {
			for _, word := range strings.Fields(words) {
				r.learn(word).roles |= 1 << i
			}
			return nil
		}
	}
	return fmt.Errorf("there is no role %q", key)
}

// addCalendar reads months and weekdays in their order, spellings apart by "=",
// and times of day as NAME=MINUTES.
func (r *Reader) addCalendar(key, words string) error {
	for n, field := range strings.Fields(words) {
		spellings := strings.Split(field, "=")
		number := n + 1
		switch key {
		case "weekdays":
			number += weekdays
		case "times":
			minutes, err := strconv.Atoi(spellings[len(spellings)-1])
			if err != nil {
				return fmt.Errorf("%q is not of the kind NAME=MINUTES", field)
			}
			number, spellings = namedTimes+minutes, spellings[:len(spellings)-1]
		}
		for _, word := range spellings { // by their own letters: Jane and Mary are no months
			r.learnCounting(word).calendar = calendarWord(number)
			r.learnCounting(word + "s").calendar = calendarWord(number)
		}
	}
	return nil
}
