package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Fails reports whether the output of a command or a check tells that something went
// wrong: "error: …", "undefined: x", "[rejected]", "FAIL", "2 failed", "exit status 1".
// What is counted as none ("0 failed") did not.
func (r *Reader) Fails(output string) bool {
	for i := 0; i < len(output); {
		if !letters[output[i]] {
			i++
			continue
		}
		from := i
		for i < len(output) && letters[output[i]] {
			i++
		}
		if wordFails(r.facts.Find(lexicon.Hash(output[from:i])).traits, output, from, i) {
			return true
		}
	}
	return false
}

// wordFails is the same for the word between two places, with its traits.
func wordFails(traits trait, output string, from, to int) bool {
	word, rest := output[from:to], output[to:]
	switch {
	case word == "FAIL", word == "FAILED":
		return !isNone(rest)
	case word == "Traceback", word == "ERR" && strings.HasPrefix(rest, "!"):
		return true
	case strings.EqualFold(word, "exit"):
		return exitsBadly(rest)
	case traits&traitBroken != 0 && strings.HasPrefix(rest, ": "), traits&traitBroken != 0 && strings.HasPrefix(rest, "]"):
		return !isNone(rest[1:])
	case traits&traitFlaw != 0:
		return counts(output[:from])
	}
	return false
}

// counts reports whether a text ends in a number that is not zero.
func counts(before string) bool {
	before = strings.TrimRight(before, " ")
	number := before[len(strings.TrimRight(before, "0123456789")):]
	return strings.Trim(number, "0") != ""
}

// exitsBadly reports whether what follows "exit" is a code that is not zero: " status 1".
func exitsBadly(rest string) bool {
	rest = strings.TrimLeft(rest, " _-")
	for _, word := range [...]string{"code", "status"} {
		rest = strings.TrimPrefix(rest, word)
	}
	rest = strings.TrimLeft(rest, "\": =")
	return rest != "" && rest[0] >= '1' && rest[0] <= '9'
}

// OwnsTrouble reports whether a text says that something did not work, or is not so.
func (t *Text) OwnsTrouble() bool {
	const fails = RoleError | RoleTrouble | RoleFail
	return slices.ContainsFunc(t.Clauses, func(c Clause) bool {
		return (c.Roles&fails != 0) != c.Negated // "no errors" is none
	})
}
