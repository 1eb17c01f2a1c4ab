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

// ContainsFold reports whether a word stands in a text, in any letter case.
func ContainsFold(text []byte, word string) bool {
	for i := 0; word != "" && i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0]|0x20 && jsonspan.EqualFoldASCII(text[i:i+len(word)], word) {
			return true
		}
	}
	return false
}
