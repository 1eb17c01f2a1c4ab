package guard

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// ranBefore reports whether a change has succeeded in this turn that equals a call.
func (t *Turn) ranBefore(call tooltrack.Call) bool {
	return slices.ContainsFunc(t.records, func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Succeeded() && r.Effect.MayChange() && sameArgs(r.Args, call.Args)
	})
}

// ranAlike reports whether a change has succeeded in this turn that differs from a call
// in the wording of texts only. Asked what a report rests on, a model may make the call
// again with a full stop more, and page the doctor twice.
func (t *Turn) ranAlike(call tooltrack.Call) bool {
	return slices.ContainsFunc(t.records, func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Succeeded() && r.Effect.MayChange() && alike(r.Args, call.Args)
	})
}

// alike reports whether two calls have the same arguments but for the wording of texts,
// and at least one such text.
func alike(a, b []byte) bool {
	one, faultA := policy.Decode(a)
	other, faultB := policy.Decode(b)
	if faultA != nil || faultB != nil || one.Len() != other.Len() {
		return false
	}
	reworded := false
	for i := range one.Len() {
		name := one.Name(i)
		first, second := one.Value(name).Raw(), other.Value(name).Raw()
		if sameArgs(first, second) {
			continue
		}
		if len(second) == 0 || !sameWords(string(first), string(second)) {
			return false
		}
		reworded = true
	}
	return reworded
}

// sameWords reports whether two texts of several words share most of them. Numbers must
// be the same: another amount is another thing.
func sameWords(a, b string) bool {
	const several = 3
	words, numbers := wordsOf(a)
	others, otherNumbers := wordsOf(b)
	if len(words) < several || len(others) < several || !maps.Equal(numbers, otherNumbers) {
		return false
	}
	shared := 0
	for word := range words {
		if others[word] {
			shared++
		}
	}
	return 4*shared >= 3*max(len(words), len(others))
}

// wordsOf are the words and the numbers of a text.
func wordsOf(text string) (words, numbers map[string]bool) {
	words, numbers = map[string]bool{}, map[string]bool{}
	for _, word := range wordsIn(text) {
		if strings.ContainsFunc(word, unicode.IsDigit) {
			numbers[word] = true
		}
		words[word] = true
	}
	return words, numbers
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
