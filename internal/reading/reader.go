package reading

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

//go:embed data/en.txt
var english string

// Reader reads texts of one language. It is immutable and safe for concurrent
// use.
type Reader struct {
	language *lexicon.Language
	words    []wordFacts // by the numbers of the lexicon's entries
	roles    map[uint64]Role
	table    []rolesOf // the same by hash, open addressing
	numerals map[uint64]uint8
	calendar map[uint64]calendarWord
	// longestDay is the length of the longest word of the calendar.
	longestDay int
	// currencies are the codes that make a number money.
	currencies []string
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
	r := &Reader{
		language: language, roles: map[uint64]Role{}, numerals: map[uint64]uint8{}, calendar: map[uint64]calendarWord{},
	}
	r.words = make([]wordFacts, len(language.Entries()))
	for i, entry := range language.Entries() {
		r.words[i].key = lexicon.Hash(stem(entry.Lemma))
	}
	for number, line := range strings.Split(roles, "\n") {
		if err := r.add(strings.TrimSpace(line)); err != nil {
			return nil, fmt.Errorf("line %d of the roles of words: %w", number+1, err)
		}
	}
	r.layOut()
	for i, entry := range language.Entries() {
		known := &r.words[i]
		known.calendar, known.numeral, known.roles = r.calendar[known.key], r.numeral(entry.Word), r.RolesOf(entry.Word)
	}
	return r, nil
}

// rolesOf is the roles of a word by its hash.
type rolesOf struct {
	hash  uint64
	roles Role
}

// layOut makes the table that readings look words up in: every word of every
// text is.
func (r *Reader) layOut() {
	size := 1024
	for size < 4*len(r.roles) {
		size *= 2
	}
	r.table = make([]rolesOf, size)
	for hash, roles := range r.roles {
		i := hash >> 32
		for r.table[i&uint64(size-1)].roles != 0 {
			i++
		}
		r.table[i&uint64(size-1)] = rolesOf{hash, roles}
	}
}

// rolesAt is the roles of the word with a hash.
func (r *Reader) rolesAt(hash uint64) Role {
	mask := uint64(len(r.table) - 1)
	for i := hash >> 32; ; i++ {
		switch known := &r.table[i&mask]; {
		case known.roles == 0:
			return 0
		case known.hash == hash:
			return known.roles
		}
	}
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
			r.numerals[lexicon.Hash(word)] = uint8(number)
		}
		return nil
	}
	for i, name := range roleNames {
		if key == name {
			for _, word := range strings.Fields(words) {
				r.roles[lexicon.Hash(word)] |= 1 << i
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
		for _, word := range spellings {
			r.calendar[r.StemKey(word)] = calendarWord(number)
			r.longestDay = max(r.longestDay, len(word)+1) // "Saturdays"
		}
	}
	return nil
}

func (r *Reader) numeral(word string) uint8 {
	if len(word) > 6 {
		return 0
	}
	return r.numerals[lexicon.Hash(word)]
}
