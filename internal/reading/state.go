package reading

import (
	"bytes"
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
			next := i + 1 // "on the high side", but not "on now"
			leads := next < c.To && t.Tokens[next].IsWord() && t.Roles[next]&(RoleNow|RoleAdverb) == 0
			if leads && t.Tokens[i].Class().Has(lexicon.Preposition) {
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
		says := v.Kind == ID || v.Kind == Word && v.end-v.start > 2 && (v.Entry == nil || v.Entry.Class&FunctionWord == 0)
		if says && !v.Has(Merged) && (at < 0 || v.start != t.Tokens[at].Start) {
			topics = append(topics, v.String())
		}
	}
	return topics
}

// Opposite reports whether two states exclude each other: on and off, locked and unlocked.
func (r *Reader) Opposite(one, other string) bool {
	return denies(one, other) || denies(other, one) || slices.ContainsFunc(r.opposites, func(pair string) bool {
		return len(pair) == len(one)+len("=")+len(other) && (pair == one+"="+other || pair == other+"="+one)
	})
}

// OppositeNames reports whether two names are the same but for a word and its opposite:
// lamp_on and lamp_off, hood_bird and unhood_bird.
func (r *Reader) OppositeNames(one, other string) bool {
	words, others := slices.Collect(runs(strings.ToLower(one))), slices.Collect(runs(strings.ToLower(other)))
	if len(words) != len(others) {
		return false
	}
	differ := 0
	for i := range words {
		if words[i] != others[i] {
			if differ++; !r.Opposite(words[i], others[i]) {
				return false
			}
		}
	}
	return differ == 1
}

// denies reports whether a word is another one with a prefix that denies it.
func denies(word, state string) bool {
	rest, found := strings.CutSuffix(word, state)
	return found && slices.Contains([]string{"un", "in", "dis", "not ", "not_"}, rest)
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

// Standing is what a result says of a state of the things that words speak of: those entries that have most of
// the words. Several must agree, but where all of them are told to be in the state, one that is not says no.
func (r *Reader) Standing(result []byte, about []string, state string, all bool) Standing {
	n, most, opposed, confirmed := 0, 0, false, false
	entries(result, maxNested, func(entry []byte) {
		n++
		fit := 0
		for _, word := range about {
			if ContainsFold(entry, strings.TrimSuffix(word, "s")) {
				fit++
			}
		}
		if fit < most {
			return
		}
		if fit > most {
			most, opposed, confirmed = fit, false, false
		}
		says := r.standing(entry, state)
		opposed, confirmed = opposed || says == StateOpposed, confirmed || says == StateConfirmed
	})
	switch {
	case most == 0 && n > 1:
		return StateUnsaid
	case opposed && (all || !confirmed):
		return StateOpposed
	case confirmed:
		return StateConfirmed
	}
	return StateUnsaid
}

// maxNested is how deep entries are looked for: each level walks its text again.
const maxNested = 5

// Disputes reports whether an entry of a result says that a thing is not in a state, or
// that it is, where that is denied. Most results say nothing of it.
func (r *Reader) Disputes(result []byte, state string, denied bool) (disputes bool) {
	if !r.speaksOf(result, state) {
		return false
	}
	against := StateOpposed
	if denied {
		against = StateConfirmed
	}
	entries(result, maxNested, func(entry []byte) { disputes = disputes || r.standing(entry, state) == against })
	return disputes
}

// speaksOf reports whether a result has a state, or its opposite, anywhere. It is there to
// be fast: long lists are walked only for what they may hold.
func (r *Reader) speaksOf(result []byte, state string) bool {
	root := state
	for _, prefix := range [...]string{"un", "in", "dis"} {
		root = strings.TrimPrefix(root, prefix)
	}
	return inSmallOrCapital(result, root) || slices.ContainsFunc(r.opposites, func(pair string) bool {
		left, right, _ := strings.Cut(pair, "=")
		return left == state && inSmallOrCapital(result, right) || right == state && inSmallOrCapital(result, left)
	})
}

// inSmallOrCapital reports whether a text has a word in small letters, but for the first, or in capitals.
func inSmallOrCapital(text []byte, word string) bool {
	var capitals [maxState]byte
	if len(word) < 2 || len(word) > maxState {
		return false
	}
	for i := range len(word) {
		capitals[i] = word[i] &^ 0x20
	}
	return bytes.Contains(text, []byte(word[1:])) || bytes.Contains(text, capitals[1:len(word)])
}

// ContainsFold reports whether a word stands in a text, in any letter case.
func ContainsFold(text []byte, word string) bool {
	for i := 0; word != "" && i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0]|0x20 && jsonspan.EqualFoldASCII(text[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// standing is what an object of a result says of a state, by its members: "state": "unlocked", "given": false.
func (r *Reader) standing(object []byte, state string) Standing {
	says := StateUnsaid
	for key, value := range jsonspan.Members(object) {
		is, name := true, value
		switch {
		case len(value) <= maxState && jsonspan.KindOf(value) == jsonspan.String:
			name = value[1 : len(value)-1]
		case string(value) == "true" || string(value) == "false":
			is, name = string(value) == "true", lastRun(key) // is_locked
		default:
			continue
		}
		same := len(name) == len(state) && jsonspan.EqualFoldASCII(name, state)
		if !same && (len(name) == 0 || len(name) > maxState || !r.Opposite(string(name), state)) {
			continue
		}
		if is == same {
			return StateConfirmed
		}
		says = StateOpposed
	}
	return says
}

// maxState is the length of the longest value that is taken for a state.
const maxState = 24

// lastRun is the last word of a name.
func lastRun(name []byte) []byte {
	from := len(name)
	for from > 0 && letters[name[from-1]] && name[from-1] != '_' {
		from--
	}
	return name[from:]
}

// entries visits the objects of a result that hold none themselves, as the entries of a
// list, down to some depth, and reports whether there are any.
func entries(result []byte, depth int, visit func(entry []byte)) (found bool) {
	if depth == 0 {
		return false
	}
	for _, member := range jsonspan.Members(result) {
		found = entries(member, depth-1, visit) || found
	}
	for element := range jsonspan.Elements(result) {
		found = entries(element, depth-1, visit) || found
	}
	if !found && jsonspan.KindOf(result) == jsonspan.Object {
		visit(result)
		return true
	}
	return found
}
