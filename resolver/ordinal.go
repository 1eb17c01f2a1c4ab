package resolver

import (
	"errors"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon/wordlist"
)

// ErrNotOrdinal means that a reference names no place in a listing.
var ErrNotOrdinal = errors.New("the reference names no place in a listing")

// Ordinal finds the entry that a reference names by its place in the listing
// that was shown last: "2", "#2", "number two", "the second one", "the last
// one", "second to last", or "Buy milk (2)" where a listing numbers equal
// titles. Ask it before [Resolve] wherever a listing was shown:
//
//	match, err := resolver.Ordinal(reference, listed, nil)
//	if errors.Is(err, resolver.ErrNotOrdinal) {
//		match, err = index.Resolve(reference)
//	}
//
// A reference that is the title of a listed entry is no ordinal. A place
// beyond the end is a [*NotFoundError].
func Ordinal(reference string, listed []Entry, o *Options) (Match, error) {
	if len(reference) > MaxReference {
		return Match{}, ErrReferenceTooLong
	}
	rules := newRules(o)
	var q query
	q.prepare(reference, &rules)
	if isTitle(&q.phrase, listed) {
		return Match{}, ErrNotOrdinal
	}
	if i := numbered(&q.phrase, listed); i >= 0 {
		return newMatch(listed[i], rank{tier: ByOrdinal}), nil
	}
	place, ok := q.place()
	if !ok {
		return Match{}, ErrNotOrdinal
	}
	if place < 0 {
		place += len(listed) + 1
	}
	if place < 1 || place > len(listed) {
		return Match{}, &NotFoundError{Reference: reference, Noun: rules.label}
	}
	return newMatch(listed[place-1], rank{tier: ByOrdinal}), nil
}

// isTitle reports whether an entry has the reference as its title.
func isTitle(reference *phrase, listed []Entry) bool {
	var title phrase
	for _, entry := range listed {
		title.analyse(entry.Title)
		if string(title.folded) == string(reference.folded) {
			return true
		}
	}
	return false
}

// numbered finds the entry that a listing prints as "Buy milk (2)", or -1.
func numbered(reference *phrase, listed []Entry) int {
	text, number, ok := strings.Cut(string(reference.folded), " (")
	number, closed := strings.CutSuffix(number, ")")
	n, err := strconv.Atoi(number)
	if !ok || !closed || err != nil {
		return -1
	}
	var title phrase
	seen := make(map[string]int)
	for i, entry := range listed {
		printed := oneLine(entry.Title)
		seen[printed]++
		if title.analyse(printed); n > 1 && seen[printed] == n && string(title.folded) == text {
			return i
		}
	}
	return -1
}

// place reads the reference as a place in a listing: 1 for the first entry, -1
// for the last.
func (q *query) place() (int, bool) {
	words := make([]string, 0, 4)
	for i := range q.tokens {
		t := &q.tokens[i]
		if t.class&(leading|polite) == 0 && !q.isGeneric(i) {
			words = append(words, string(q.text(t)))
		}
		if len(words) > 4 {
			return 0, false
		}
	}
	if len(words) > 1 && (words[0] == "number" || words[0] == "no" || words[0] == "nr") {
		words = words[1:]
		if n := wordlist.Cardinal(words[0]); len(words) == 1 && n > 0 {
			return n, true
		}
	}
	switch len(words) {
	case 0: // "the one": a pronoun
		return 0, false
	case 1:
		return placeOf(words[0])
	}
	tail := strings.Join(words[1:], " ")
	if tail == "last" || tail == "to last" || tail == "from last" {
		if n, ok := placeOf(words[0]); ok && n > 0 {
			return -n, true
		}
	}
	return 0, false
}

// placeOf reads one word: "2", "2nd", "second", "last".
func placeOf(word string) (int, bool) {
	switch word {
	case "last", "final", "bottom":
		return -1, true
	case "top":
		return 1, true
	case "penultimate":
		return -2, true
	}
	if n := wordlist.Ordinal(word); n > 0 {
		return n, true
	}
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		if cut, ok := strings.CutSuffix(word, suffix); ok {
			word = cut
			break
		}
	}
	if len(word) > 6 {
		return 0, false
	}
	n, err := strconv.ParseUint(word, 10, 31)
	return int(n), err == nil && n > 0
}
