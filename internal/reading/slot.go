package reading

import (
	"bytes"
	"slices"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Rivals reports whether a clause has words in place of the one that an argument holds: a
// vegan diet, where "diet" is "regular", or closed won for "closed lost". The argument is
// one of a few small words. What its key names stands in the clause, is a state, or a
// part of the value does, which the clause goes on with in another way. The words that a
// clause has and no call are told by unmet, those that it or the user has by known.
func (t *Text) Rivals(c *Clause, key, value []byte, known func(word string) bool, unmet func(i int) bool) bool {
	from, to := c.From, t.Sentences[c.Sentence].To // "closed won" may be read as two clauses
	words := slotWords(value)
	if len(words) == 0 || !slices.ContainsFunc(words, func(w string) bool { return !known(w) }) {
		return false
	}
	names, whole := slices.Collect(runs(string(key))), !slices.ContainsFunc(words, known)
	state := t.reader.anyTrait(traitSlot, string(key))
	other := slices.ContainsFunc(words[1:], func(w string) bool { return !known(w) })
	for i := from; i < to; i++ {
		switch {
		case !t.small(i) || !unmet(i):
		case whole && (t.becomes(i) && (state || t.has(from, to, names)) || t.has(i+1, min(i+3, to), names)):
			return true
		case !whole && other && i > from && t.Says(i-1, words[0]):
			return true
		}
	}
	return false
}

const slotLetters = `abcdefghijklmnopqrstuvwxyz "_-`

// slotWords are the words of a value that is one of a few: small letters, at most three
// words. Of other values there are none.
func slotWords(value []byte) []string {
	const most = 3
	if len(value) > maxState || jsonspan.KindOf(value) != jsonspan.String || len(bytes.Trim(value, slotLetters)) > 0 {
		return nil
	}
	words := slices.Collect(runs(string(value)))
	if len(words) > most {
		return nil
	}
	return words
}

// becomes: "to vegan", "is now closed won", "as low".
func (t *Text) becomes(i int) bool {
	const near = 3
	for k := max(0, i-near); k < i; k++ {
		if t.Roles[k]&(RoleTo|RoleNow) != 0 || t.Says(k, "as") {
			return true
		}
	}
	return false
}

// has reports whether one of the words stands between two tokens.
func (t *Text) has(from, to int, words []string) bool {
	for i := from; i < to; i++ {
		if slices.ContainsFunc(words, func(word string) bool { return t.Says(i, word) }) {
			return true
		}
	}
	return false
}

// Joins reports whether a clause joins a small word of one kind to one of another by
// "and": "on staging and prod".
func (t *Text) Joins(c *Clause, one, other func(i int) bool) bool {
	for i := c.From + 1; i+1 < c.To; i++ {
		if t.Says(i, "and") && t.small(i-1) && t.small(i+1) && (one(i-1) && other(i+1) || other(i-1) && one(i+1)) {
			return true
		}
	}
	return false
}

// small reports whether a token is a word of small letters that says something.
func (t *Text) small(i int) bool {
	token := &t.Tokens[i]
	return token.Kind == lexicon.Word && !token.Has(lexicon.Capital) && token.Class()&FunctionWord == 0
}
