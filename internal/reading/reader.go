package reading

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

//go:embed data/en.txt
var english string

// Role is a set of the parts that a word may play in a sentence. The names are
// those of the data file.
type Role uint64

// The roles.
const (
	RoleHave Role = 1 << iota
	RoleBe
	RoleWas
	RoleBeen
	RoleBeing
	RoleGet
	RoleDo
	RoleWill
	RoleModal
	RoleTo
	RoleUs
	RoleYou
	RoleOther
	RoleNegative
	RoleCondition
	RoleFactive
	RoleRelative
	RoleEarlier
	RoleNow
	RoleAgain
	RoleAdverb
	RoleAnd
	RoleBut
	RoleAll
	RoleQuestion
	RoleHedge
	RolePlease
	RoleWant
	RoleLet
	RoleError
	RoleTrouble
	RoleUnable
	RoleFail
	RoleWait
	RoleHold
	RoleVerify
	RoleLook
	RolePass
	RoleAttempt
	RoleDone
	RoleTick
	RoleMoney
	RoleSorry
	RoleAsk
	RoleOffer
	RoleLight
	RoleLonger
	RoleTalk
	RoleRefrain
	RoleSystem
	RoleTransient
	RoleMore
	RoleWords
	RolePart
	RoleNoChange
	RoleClosing
	RolePolicy
	RolePermission
	RoleMissing
	RoleEnvironment
	RoleCheck
	RoleReport
	RoleThink
	numRoles = iota
)

var roleNames = [numRoles]string{
	"have", "be", "was", "been", "being", "get", "do", "will", "modal", "to", "us", "you", "other", "negative", "condition", "factive",
	"relative", "earlier", "now", "again", "adverb", "and", "but", "all", "question", "hedge", "please", "want", "let", "error", "trouble",
	"unable", "fail", "wait", "hold", "verify", "look", "pass", "attempt", "done", "tick", "money", "sorry", "ask", "offer", "light",
	"longer", "talk", "refrain", "system", "transient", "more", "words", "part", "unchanged",
	"closing", "policy", "permission", "missing", "environment", "check", "report", "think",
}

// numerals are the roles of the data file that are numbers.
var numerals = [...]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// Reader reads texts of one language. It is immutable and safe for concurrent
// use.
type Reader struct {
	language  *lexicon.Language
	lemmaKeys []uint64
	roles     map[uint64]Role
	table     []rolesOf // the same by hash, open addressing
	numerals  map[uint64]uint8
	calendar  map[uint64]calendarWord
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
	r := &Reader{language: language, roles: map[uint64]Role{}, numerals: map[uint64]uint8{}, calendar: map[uint64]calendarWord{}}
	r.lemmaKeys = make([]uint64, language.Lemmas())
	for _, entry := range language.Entries() {
		r.lemmaKeys[entry.ID] = lexicon.Hash(stem(entry.Lemma))
	}
	for number, line := range strings.Split(roles, "\n") {
		if err := r.add(strings.TrimSpace(line)); err != nil {
			return nil, fmt.Errorf("line %d of the roles of words: %w", number+1, err)
		}
	}
	r.layOut()
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
	for n, name := range numerals {
		if key == name {
			for _, word := range strings.Fields(words) {
				r.numerals[lexicon.Hash(word)] = uint8(n + 1)
			}
			return nil
		}
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
			number += 100
		case "times":
			minutes, err := strconv.Atoi(spellings[len(spellings)-1])
			if err != nil {
				return fmt.Errorf("%q is not of the kind NAME=MINUTES", field)
			}
			number, spellings = 1000+minutes, spellings[:len(spellings)-1]
		}
		for _, word := range spellings {
			r.calendar[r.stemKey(word, r.language.Lookup(word))] = calendarWord(number)
		}
	}
	return nil
}

func (r *Reader) numeral(word string) int {
	if len(word) > 6 {
		return 0
	}
	return int(r.numerals[lexicon.Hash(word)])
}

// unescape undoes the escapes of JSON strings, as far as words are concerned.
func unescape(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 >= len(text) {
			out.WriteByte(text[i])
			continue
		}
		i++
		if text[i] == 'u' && i+4 < len(text) {
			if code, err := strconv.ParseUint(text[i+1:i+5], 16, 32); err == nil && utf8.ValidRune(rune(code)) {
				out.WriteRune(rune(code))
				i += 4
				continue
			}
		}
		if text[i] == '/' {
			out.WriteByte('/')
			continue
		}
		out.WriteByte(' ')
	}
	return out.String()
}
