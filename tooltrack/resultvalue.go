package tooltrack

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// valueTests are what rows of results.txt may ask of the value of a member.
var valueTests = map[string]func([]byte) bool{
	"error": isError, "errors": isListOfErrors, "count": isNonZeroNumber, "nonzero": isNonZero,
}

// hasContent reports whether an error member tells of an error.
func hasContent(value []byte) bool {
	return !isEmpty(value) && string(value) != "null" && string(value) != "false"
}

// isError leaves out what only has the name of an error: the error of a
// measurement is a fraction.
func isError(value []byte) bool {
	fraction := jsonspan.KindOf(value) == jsonspan.Number && strings.ContainsAny(string(value), ".eE")
	return hasContent(value) && !fraction
}

// isListOfErrors leaves out a count: it may be the one of a part that failed.
func isListOfErrors(value []byte) bool { return hasContent(value) && !isNonZeroNumber(value) }

// isNonZeroNumber reports a number that is not 0.
func isNonZeroNumber(value []byte) bool { return jsonspan.Scalar(value) != "" && isNonZero(value) }

// isEmpty reports whether an error member is there and tells nothing.
func isEmpty(value []byte) bool { return isEmptyTo(value, 3) }

func isEmptyTo(value []byte, depth int) bool {
	switch jsonspan.KindOf(value) {
	case jsonspan.String:
		text, ok := jsonspan.Text(value)
		isNone := func(none string) bool { return isSameWords(none, text) }
		return ok && (strings.TrimSpace(text) == "" || slices.ContainsFunc(phrases("no error"), isNone))
	case jsonspan.Number:
		return !isNonZero(value)
	case jsonspan.Object:
		for _, member := range jsonspan.Members(value) {
			if !isBlankInside(member, depth) {
				return false
			}
		}
		return true
	case jsonspan.Array:
		for element := range jsonspan.Elements(value) {
			if !isBlankInside(element, depth) {
				return false
			}
		}
		return true
	}
	return false
}

// isBlankInside is isEmptyTo for what stands inside of an error member.
func isBlankInside(value []byte, depth int) bool {
	return depth > 0 && (string(value) == "null" || string(value) == "false" || isEmptyTo(value, depth-1))
}

func isNonZero(value []byte) bool {
	text := jsonspan.Scalar(value)
	return text != "" && strings.Trim(text, "-+0.") != "" && strings.Trim(text, "-+.0123456789eE") == ""
}

// isNo reports a value that denies what its member names.
func isNo(value []byte) bool {
	text := jsonspan.Scalar(value)
	return string(value) == "false" || isSameWords("false", text) || isSameWords("no", text)
}

// spaced is a word of a program as people write it: in lower case, with spaces.
func spaced(text string) string {
	return strings.ToLower(strings.TrimSpace(joints.Replace(text)))
}

var joints = strings.NewReplacer("_", " ", "-", " ")

// isSameWords compares words in any letter case, joined by whatever programs join
// them with.
func isSameWords(known, text string) bool {
	text = strings.TrimSpace(text)
	if len(known) != len(text) {
		return false
	}
	for i := range len(known) {
		if lower(known[i]) != lower(text[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	switch {
	case c == '_' || c == '-':
		return ' '
	case isUpper(c):
		return c | 0x20
	}
	return c
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
