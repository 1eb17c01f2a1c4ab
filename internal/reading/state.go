package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// State is the word by which a clause tells the state of a thing: "is locked", "are all
// off", "was given". It is -1 where there is none.
func (t *Text) State(c *Clause) int {
	if t.Says(c.From, "none") {
		return -1
	}
	switch c.Shape {
	case PassivePresent, PassivePast, PassivePerfect, Progressive:
		return c.Verb
	case Copula:
		for i := c.Verb + 1; i < c.To; i++ {
			if t.Roles[i]&(RoleAdverb|RoleNow|RoleNegative|RoleAll) != 0 {
				continue
			}
			leads := t.Tokens[i].Class().Has(lexicon.Preposition) && i+1 < c.To && t.Tokens[i+1].IsWord()
			if leads { // "on the high side"
				return -1
			}
			return i
		}
	}
	return -1
}

// Topics are the words and ids among the values between two that say what a clause is
// about, but for the token at.
func (t *Text) Topics(from, to, at int) (topics []string) {
	for i := from; i < to; i++ {
		v := &t.Values[i]
		says := v.Kind == ID || v.Kind == Word && v.End-v.Start > 2 && (v.Entry == nil || v.Entry.Class&FunctionWord == 0)
		if says && !v.Has(Merged) && (at < 0 || v.Start != t.Tokens[at].Start) {
			topics = append(topics, t.Source[v.Start:v.End])
		}
	}
	return topics
}

// Opposite reports whether two states exclude each other: on and off, locked and unlocked.
func (r *Reader) Opposite(one, other string) bool {
	for _, prefix := range [...]string{"un", "in", "dis", "not ", "not_"} {
		if rest, found := strings.CutPrefix(one, prefix); found && rest == other {
			return true
		}
		if rest, found := strings.CutPrefix(other, prefix); found && rest == one {
			return true
		}
	}
	return slices.Contains(r.opposites, one+"="+other) || slices.Contains(r.opposites, other+"="+one)
}

// SpeaksOf reports whether a result may say something of a state: it holds the word, or
// one that excludes it. Most results do not, and need not be read.
func (r *Reader) SpeaksOf(result []byte, state string) bool {
	if holds(result, state) {
		return true
	}
	for _, prefix := range [...]string{"un", "in", "dis"} {
		if rest, found := strings.CutPrefix(state, prefix); found && len(rest) > 1 && holds(result, rest) {
			return true
		}
	}
	return slices.ContainsFunc(r.opposites, func(pair string) bool {
		one, other, _ := strings.Cut(pair, "=")
		return one == state && holds(result, other) || other == state && holds(result, one)
	})
}

// holds reports whether data holds a word in any letter case.
func holds(data []byte, word string) bool {
	for i := 0; i+len(word) <= len(data); i++ {
		if data[i]|0x20 == word[0]|0x20 && jsonspan.EqualFoldASCII(data[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// Standing is what a result says of a state.
type Standing int8

const (
	// StateOpposed is a state that a thing is not in.
	StateOpposed Standing = iota - 1
	// StateUnsaid is one that the result does not speak of.
	StateUnsaid
	// StateConfirmed is the state that it is in.
	StateConfirmed
)

// Standing is what a result says of a state of the things that words speak of: those
// entries that have most of the words. Several must agree, but where all of them are told
// to be in the state, one that is not says no.
func (r *Reader) Standing(result []byte, about []string, state string, all bool) Standing {
	const depth = 5
	entries := objects(result, depth)
	most, opposed, confirmed := 0, false, false
	for _, entry := range entries {
		text, n := strings.ToLower(string(entry)), 0
		for _, word := range about {
			n += min(1, strings.Count(text, strings.TrimSuffix(strings.ToLower(word), "s")))
		}
		if n < most {
			continue
		}
		if n > most {
			most, opposed, confirmed = n, false, false
		}
		says := r.standing(entry, state)
		opposed, confirmed = opposed || says == StateOpposed, confirmed || says == StateConfirmed
	}
	switch {
	case most == 0 && len(entries) > 1:
		return StateUnsaid
	case opposed && (all || !confirmed):
		return StateOpposed
	case confirmed:
		return StateConfirmed
	}
	return StateUnsaid
}

// standing is what an object of a result says of a state, by its members: "state":
// "unlocked", "given": false.
func (r *Reader) standing(object []byte, state string) Standing {
	says := StateUnsaid
	for key, value := range jsonspan.Members(object) {
		switch kind := jsonspan.KindOf(value); {
		case kind == jsonspan.String:
			text, _ := jsonspan.Text(value)
			if text = strings.ToLower(text); text == state {
				return StateConfirmed
			} else if r.Opposite(text, state) {
				says = StateOpposed
			}
		case string(value) == "true" || string(value) == "false":
			names := runs(string(jsonspan.Key(key)))
			if len(names) == 0 {
				continue
			}
			is, name := string(value) == "true", names[len(names)-1] // is_locked
			if name != state && !r.Opposite(name, state) {
				continue
			}
			if is == (name == state) {
				return StateConfirmed
			}
			says = StateOpposed
		}
	}
	return says
}

// objects are the objects of a result that hold none themselves, as the entries of a
// list, down to some depth.
func objects(result []byte, depth int) (found [][]byte) {
	if depth == 0 {
		return nil
	}
	for _, member := range jsonspan.Members(result) {
		found = append(found, objects(member, depth-1)...)
	}
	for element := range jsonspan.Elements(result) {
		found = append(found, objects(element, depth-1)...)
	}
	if len(found) == 0 && jsonspan.KindOf(result) == jsonspan.Object {
		found = append(found, result)
	}
	return found
}
