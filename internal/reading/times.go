package reading

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Repeats reports whether arguments say themselves how often, or how many: "repeat": 3.
func Repeats(args []byte) bool {
	for _, value := range jsonspan.Members(args) {
		if jsonspan.KindOf(value) == jsonspan.Number && string(value) != "0" && string(value) != "1" {
			return true
		}
	}
	return false
}

// MostTimes is how often a text says at most that something is or was to be done.
func (t *Text) MostTimes() (most int) {
	for i := range t.Clauses {
		most = max(most, t.Times(&t.Clauses[i]))
	}
	return most
}

// Times is how often a clause says that its act was done: "twice", "three times"; 0 if it
// does not say.
func (t *Text) Times(c *Clause) int {
	for i := c.From; i < c.To; i++ {
		switch {
		case t.Says(i, "twice"):
			return 2
		case t.Says(i, "thrice"):
			return 3
		case t.Says(i, "times") && i > c.From:
			return int(t.reader.facts.Find(t.Tokens[i-1].Hash).numeral) | digit(t.Word(i-1))
		}
	}
	return 0
}

// digit is the number that a figure of one digit is; 0 for anything else.
func digit(word string) int {
	if len(word) != 1 {
		return 0
	}
	return max(0, strings.IndexByte("0123456789", word[0]))
}

// TellsWhen reports whether the word at a byte only says that something was before, or up
// to now: "earlier", "so far".
func (t *Text) TellsWhen(start int) bool {
	for i := range t.Tokens {
		if int(t.Tokens[i].Start) == start {
			return t.Roles[i]&(RoleEarlier|RoleNow) != 0 || t.Says(i, "far") && t.Says(i-1, "so")
		}
	}
	return false
}
