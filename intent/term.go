package intent

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// term is a word of a tool.
type term struct {
	stem   int32 // its number among the stems
	roles  role
	weight float32  // how much it says
	forms  []string // how it is written, where the lexicon does not list the stem
}

// role is a set of the parts that a word plays for a tool.
type role uint8

const (
	inName    role = 1 << iota // a word of its name
	ofSubject                  // a noun of what its subject has: title, date
	isSubject                  // a noun of what its subject is: task, event
)

func (t *term) is(any role) bool { return t.roles&any != 0 }

// stem is what the forms of a word have in common; see [lexicon.Language.Stem].
type stem struct {
	text  string
	entry *lexicon.Entry // nil if it is not listed
	place int32          // where it stands among the terms of the tool that is read, + 1
}

// stems numbers the words of all tools, so that each is looked up once. Number 0
// is no stem.
type stems struct {
	language *lexicon.Language
	all      []stem
	numbers  map[string]int32
	lemmas   []int32 // by the ID of a lemma
}

func newStems(language *lexicon.Language) *stems {
	return &stems{
		language: language, all: make([]stem, 1, 64),
		numbers: make(map[string]int32, 64), lemmas: make([]int32, language.Lemmas()),
	}
}

// number is the number of a stem.
func (s *stems) number(text string) int32 {
	number, known := s.numbers[text]
	if !known {
		number = int32(len(s.all))
		s.numbers[text] = number
		s.all = append(s.all, stem{text: text, entry: s.language.Lookup(text)})
	}
	return number
}

// ofEntry is the stem of a listed form.
func (s *stems) ofEntry(entry *lexicon.Entry) int32 {
	number := s.lemmas[entry.ID]
	if number == 0 {
		number = s.number(entry.Lemma)
		s.lemmas[entry.ID] = number
	}
	return number
}

// of is the stem of a folded word.
func (s *stems) of(word string) int32 {
	if entry := s.language.Lookup(word); entry != nil {
		return s.ofEntry(entry)
	}
	return s.number(s.language.Stem(word))
}

// ofToken is the stem of a word of a text.
func (s *stems) ofToken(word string, token *lexicon.Token) int32 {
	if token.Entry != nil && len(word) == len(token.Entry.Word) { // no invisible letter in it
		return s.ofEntry(token.Entry)
	}
	return s.of(lexicon.Fold(word))
}

// term is the current tool's term of a stem; it adds one if there is none.
func (r *profiler) term(number int32) *term {
	stem, p := &r.stems.all[number], r.profile
	if stem.place == 0 {
		p.terms = append(p.terms, term{stem: number})
		stem.place = int32(len(p.terms))
	}
	return &p.terms[stem.place-1]
}

// hasAnyStem reports whether one of the stems is among the words of the current tool.
func (r *profiler) hasAnyStem(stems ...string) bool {
	return slices.ContainsFunc(stems, func(text string) bool { return r.stems.all[r.stems.numbers[text]].place != 0 })
}

// finish sorts and sums up the words of the current tool, gives them a place of
// their own, and makes stems and memory ready for the next one.
func (r *profiler) finish() {
	p := r.profile
	slices.SortFunc(p.terms, func(a, b term) int {
		return strings.Compare(r.stems.all[a.stem].text, r.stems.all[b.stem].text)
	})
	for i := range p.terms { // in order, so that the sum is always the same
		t := &p.terms[i]
		stem := &r.stems.all[t.stem]
		stem.place = 0
		if t.is(inName) {
			p.weight += t.weight
		}
		p.repeats = p.repeats || stem.entry != nil && stem.entry.Is(r.repeating)
	}
	r.terms = p.terms[:0]
	p.terms = slices.Clone(p.terms)
}
