package tooltrack

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// valueTests are what rows of results.txt may ask of the value of a member.
var valueTests = map[string]func([]byte) bool{
	"error": isError, "count": isNonZeroNumber, "nonzero": isNonZero,
	// A count may be the one of a part that failed.
	"errors": func(value []byte) bool { return hasContent(value) && !isNonZeroNumber(value) },
}

// hasContent reports whether an error member tells of an error: nothing inside of an empty one
// does, as deep as is looked.
func hasContent(value []byte) bool { return hasContentWithin(value, 4) }

func hasContentWithin(value []byte, depth int) bool {
	if depth == 0 {
		return true
	}
	switch jsonspan.KindOf(value) {
	case jsonspan.Null, jsonspan.Bool:
		return string(value) != "null" && string(value) != "false" // one that is cut off may be anything
	case jsonspan.Number:
		return isNonZero(value)
	case jsonspan.String:
		text, ok := jsonspan.Text(value)
		return !ok || strings.TrimSpace(text) != "" && !slices.Contains(phrases("no error"), spaced(text))
	case jsonspan.Object, jsonspan.Array:
		for _, child := range jsonspan.Children(value) {
			if hasContentWithin(child, depth-1) {
				return true
			}
		}
		return false
	}
	return true
}

// hasValue reports whether a text stands as a value in JSON.
func hasValue(data []byte, text string, depth int) bool {
	for _, child := range jsonspan.Children(data) {
		if depth > 0 && hasValue(child, text, depth-1) {
			return true
		}
	}
	kind := jsonspan.KindOf(data)
	return (kind == jsonspan.String || kind == jsonspan.Number) && jsonspan.Scalar(data) == text
}

// isError leaves out what only has the name of an error: the error of a measurement is a fraction.
func isError(value []byte) bool {
	fraction := jsonspan.KindOf(value) == jsonspan.Number && strings.ContainsAny(string(value), ".eE")
	return hasContent(value) && !fraction
}

// isNonZeroNumber reports a number that is not 0.
func isNonZeroNumber(value []byte) bool { return jsonspan.Scalar(value) != "" && isNonZero(value) }

func isNonZero(value []byte) bool {
	text := jsonspan.Scalar(value)
	return text != "" && strings.Trim(text, "-+0.") != "" && strings.Trim(text, "-+.0123456789eE") == ""
}

// isNo reports a value that denies what its member names.
func isNo(value []byte) bool {
	text := spaced(jsonspan.Scalar(value))
	return string(value) == "false" || text == "false" || text == "no"
}

// spaced is a word of a program as people write it: in lower case, with spaces.
func spaced(text string) string { return strings.ToLower(strings.TrimSpace(joints.Replace(text))) }

var joints = strings.NewReplacer("_", " ", "-", " ")

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
