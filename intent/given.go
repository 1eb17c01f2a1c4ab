package intent

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// A message gives what a call needs: numbers, dates, addresses, the id of the
// thing that is meant. Which of them a tool takes, its schema says.

// slots are sorts of arguments.
type slots uint16

const (
	place slots = 1 << iota
	moment
	amount
	person
	mail
	link
	wording // a text
	money
	identity // which thing is meant
)

func (s slots) len() float32 { return float32(bits.OnesCount16(uint16(s))) }

// slotCues are the words by which the name of an argument says what it is, in the
// order of the slots.
type slotCues [9]lexicon.Cue

func newSlotCues(language *lexicon.Language) (c slotCues) {
	for i, name := range []string{"place-words", "time-words", "number-words", "person-words", "mail-words",
		"link-words", "text-words", "money-words", "id-words"} {
		c[i] = language.Cue(name)
	}
	return c
}

// of is what a word says that an argument is.
func (c *slotCues) of(entry *lexicon.Entry) (s slots) {
	for i, cue := range c {
		if entry != nil && entry.Is(cue) {
			s |= 1 << i
		}
	}
	return s
}

// arguments is what the schema of a tool takes.
type arguments struct {
	takes, requires slots
	handles         []handle
	shown           []reading.Prefix // of ids that the schema gives as examples
	any             bool             // there is a schema that takes something
}

// handle is a word of an argument's name. Ids are often written with the
// beginning of what they name: "iv-318" is an interview, "T-40" a ticket.
type handle struct {
	word string
	id   bool // the argument is an id
}

// slotOf is what a type or format of a schema takes.
func slotOf(format string) slots {
	switch format {
	case "number", "integer":
		return amount
	case "date", "date-time", "time":
		return moment
	case "email":
		return mail
	case "uri", "url":
		return link
	case "uuid":
		return identity
	}
	return 0
}

// show notes an id that the schema gives as an example, or a pattern of it.
func (a *arguments) show(id string) {
	if p := reading.PrefixOf(id); p[0] != 0 && reading.LooksLikeID(id) && !slices.Contains(a.shown, p) {
		a.shown = append(a.shown, p)
	}
}

// fits is how well an id fits a tool: 2 if it is written like one that the tool
// takes, 1 if only its first letter is that of one.
func (p *profile) fits(ids []reading.Prefix) (best float32) {
	for i := range ids {
		if slices.Contains(p.arguments.shown, ids[i]) {
			return 2
		}
		for k := range p.arguments.handles {
			h := &p.arguments.handles[k]
			fit := ids[i].Abbreviates(h.word)
			if !h.id {
				fit /= 2
			}
			best = max(best, fit)
		}
	}
	return best
}

// give notes what the token at i gives. It reports whether that is an id.
func (s *scratch) give(i int, entry *lexicon.Entry) (id bool) {
	r := &s.reader
	token := &r.Tokens[i]
	word := r.Text[token.Start:token.End]
	switch {
	case token.Has(lexicon.Quoted):
		s.given |= wording
		return false
	case token.Kind == lexicon.Name:
		switch {
		case strings.Contains(word, "://"):
			s.given |= link
		case strings.Contains(word, "@"):
			s.given |= mail
		}
		return false
	case token.Kind == lexicon.Number:
		s.given |= amount
		if r.Clock(i) {
			s.given |= moment
		}
		// "iv-318" is read as two words.
		if joint := token.Start - 1; i > 0 && r.Tokens[i-1].End == joint &&
			(r.Text[joint] == '-' || r.Text[joint] == '_') && r.Tokens[i-1].Kind == lexicon.Word &&
			joint-r.Tokens[i-1].Start <= 4 {
			return s.identify(r.Text[r.Tokens[i-1].Start:joint])
		}
		if reading.Digits(word) >= 5 {
			return s.identify("")
		}
		return false
	case entry.Class.Has(lexicon.Time):
		s.given |= moment
	case !token.Has(lexicon.Plain) && reading.LooksLikeID(word):
		return s.identify(word)
	case token.Entry == nil && token.Has(lexicon.Capital) && !token.Has(lexicon.SentenceStart):
		s.given |= place
	}
	return false
}

// identify notes an id by the letters that it begins with.
func (s *scratch) identify(word string) bool {
	s.given |= identity
	if p := reading.PrefixOf(word); p[0] != 0 && len(s.prefixes) < maxPrefixes {
		s.prefixes = append(s.prefixes, p)
	}
	return true
}

// maxPrefixes bounds how many ids of a message are compared with the tools.
const maxPrefixes = 4
