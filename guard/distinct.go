package guard

import (
	"bytes"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// isNamedApart reports whether the user's words tell a call from an earlier one of this
// turn that says the same in other letters: they hold both spellings ("first 100, then
// 100.00"), or name an argument that only one of the two has ("and clear the due date").
func (t *Turn) isNamedApart(call tooltrack.Call) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	user := t.input.User
	return slices.ContainsFunc(t.records, func(earlier *tooltrack.Record) bool {
		return earlier.Tool == call.Tool && !sameArgs(earlier.Args, call.Args) &&
			(namesDifference(user, earlier.Args, call.Args, nil) || namesDifference(user, call.Args, earlier.Args, nil))
	})
}

// namesDifference reports whether words name what one call has and the other has not, or
// has in another spelling: of a kind, or any.
func namesDifference(words string, one, other []byte, spelled func(one, other string) bool) bool {
	for key, value := range jsonspan.Members(one) {
		name, text := jsonspan.Key(key), strings.TrimSpace(jsonspan.Scalar(value))
		var twin []byte
		for otherKey, otherValue := range jsonspan.Members(other) {
			if bytes.Equal(name, jsonspan.Key(otherKey)) {
				twin = otherValue
			}
		}
		theirs := strings.TrimSpace(jsonspan.Scalar(twin))
		respelled := text != "" && theirs != "" && text != theirs && (spelled == nil || spelled(text, theirs))
		switch {
		case bytes.Equal(value, twin):
		case twin == nil && text == "" && namesArgument(words, string(name)),
			respelled && standsIn(words, text) && standsIn(words, theirs):
			return true
		}
	}
	return false
}

// namesArgument reports whether a longer word of an argument's name stands in a text.
func namesArgument(words, name string) bool {
	return slices.ContainsFunc(strings.Fields(inWords(name)), func(word string) bool {
		return len(word) > 2 && standsIn(strings.ToLower(words), word)
	})
}

// standsIn reports whether a text holds a piece that nothing continues: "100" does not
// stand in "100.00".
func standsIn(text, piece string) bool {
	divides := func(r rune) bool { return strings.ContainsRune(" \t\n\"'“”‘’(),;!?", r) }
	for _, field := range strings.FieldsFunc(text, divides) {
		if strings.TrimRight(field, ".:") == piece {
			return true
		}
	}
	return strings.Contains(piece, " ") && strings.Contains(text, piece)
}
