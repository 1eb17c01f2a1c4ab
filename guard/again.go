package guard

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// doneBefore reports whether a change that follows a message of the guard was made
// already: its tool has succeeded, or was accepted, and the call names nothing further
// that the user's message speaks of. "Petra" is paid once, whether she is called by her
// surname or not. What failed may be tried again, and what the user wants once more is no
// repetition.
func (t *Turn) doneBefore(call tooltrack.Call) bool {
	made := func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Effect.MayChange() && (r.Succeeded() || r.Result.Status == tooltrack.Pending)
	}
	failed := func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Result.Status == tooltrack.Failed && sameArgs(r.Args, call.Args)
	}
	if slices.ContainsFunc(t.records, failed) || reading.OnceMore(t.wanted) {
		return false
	}
	same := func(r *tooltrack.Record) bool {
		return made(r) && !t.namesFurther(call.Args, r) && !namesDifference(t.wanted, call.Args, r.Args, strings.EqualFold)
	}
	if slices.ContainsFunc(t.records, same) {
		return true
	}
	at := slices.IndexFunc(t.asked.expected, func(e intent.Expectation) bool { return e.Tool == call.Tool })
	if at >= 0 && t.asked.sure[at] {
		return false // it is ordered anew
	}
	return slices.ContainsFunc(t.earlier, same)
}

// namesFurther reports whether a call names something of the user's message that an
// earlier call does not name, or, where the message speaks of several things, anything
// else. A figure that the user tells, and the earlier call does not have, is what that call got
// wrong; one that the user does not tell is an amount.
func (r *userRequest) namesFurther(args []byte, earlier *tooltrack.Record) bool {
	const longest = 3 // of a name
	said, given := valuesIn(r.wanted).keys(), valuesIn(string(earlier.Args))
	known := given.keys()
	for _, subject := range earlier.Touched {
		known.add(valuesIn(subject.Title)) // its id may be all that the arguments have
	}
	isKnown := func(v reading.Value) bool { return known[v.Key] }
	isTold := func(v reading.Value) bool { return v.Kind == reading.Number && said[v.Key] }
	tellsFigure, several := slices.ContainsFunc(given, isTold), reading.SpeaksOfSeveral(r.wanted)
	for _, text := range scalarsIn(args, nil) {
		values := valuesIn(text)
		for _, v := range values {
			figure := v.Kind == reading.Number
			switch {
			case len(values) > longest, known[v.Key], figure && !tellsFigure && given.comeTo(v.Number):
			case said[v.Key], several && !figure && !slices.ContainsFunc(values, isKnown):
				return true
			}
		}
	}
	return false
}

// comeTo reports whether one of some figures is another one some times: two visits at 90
// were paid by 180.
func (values tellingValues) comeTo(once float64) bool {
	return once > 0 && slices.ContainsFunc(values, func(v reading.Value) bool {
		return v.Kind == reading.Number && v.Number >= once && math.Mod(v.Number, once) == 0
	})
}

// sameArgs compares arguments by what they mean, however they are spelled.
func sameArgs(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	first, faultA := jsonspan.AppendCanonical(nil, a)
	second, faultB := jsonspan.AppendCanonical(nil, b)
	return faultA == nil && faultB == nil && bytes.Equal(first, second)
}

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
