package telling

import (
	"bytes"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Given reports whether a call was given a value, written as JSON, as the argument of this
// name, or of a path of names through objects and lists: "guests.name". A list gives each of
// its elements, also where it is written as one text; a value that is a list needs all of its own.
func Given(args []byte, name string, value []byte) bool {
	if jsonspan.KindOf(value) == jsonspan.Array {
		for element := range jsonspan.Elements(value) {
			if !Given(args, name, element) {
				return false
			}
		}
		return true
	}
	outer, inner, nested := strings.Cut(name, ".")
	for key, child := range jsonspan.Children(args) {
		isElement, key := key == nil, string(jsonspan.Key(key))
		switch {
		case isElement && Given(child, name, value), !isElement && key == name && gives(child, value),
			!isElement && nested && key == outer && Given(child, inner, value):
			return true
		}
	}
	return false
}

// gives reports whether an argument is a value, or a list with it.
func gives(argument, value []byte) bool {
	for element := range jsonspan.Elements(argument) {
		if gives(element, value) {
			return true
		}
	}
	text, isText := jsonspan.Text(argument)
	wanted, wantsText := jsonspan.Text(value)
	if !wantsText {
		wanted = string(value)
	}
	return isText && inParts(text, wanted) || sameValue(argument, value)
}

// Holds reports whether a value is one of the arguments, at any depth and by any name.
func Holds(args []byte, value string) bool {
	for _, child := range jsonspan.Children(args) {
		if Holds(child, value) {
			return true
		}
	}
	return sameValue(args, jsonspan.AppendQuoted(nil, value))
}

// sameValue compares two values; texts without regard to letter case, and what reads as a
// number or as true or false by its value, in quotes or not.
func sameValue(a, b []byte) bool {
	one, two := bare(a), bare(b)
	if bytes.EqualFold(one, two) {
		return true
	}
	x, fault := jsonspan.AppendCanonical(nil, one) // 7 and 7.0 are the same argument
	y, fault2 := jsonspan.AppendCanonical(nil, two)
	return fault == nil && fault2 == nil && bytes.Equal(x, y)
}

func bare(value []byte) []byte {
	if text, isText := jsonspan.Text(value); isText {
		return []byte(text)
	}
	return value
}

// inParts reports whether a text is a list in words with this entry: "Ann Poole
// <ann@example.com>, Bob". A comma between digits belongs to a number.
func inParts(text, entry string) bool {
	from := 0
	for i := range len(text) + 1 {
		ends := i == len(text) || strings.IndexByte(",;<>\n", text[i]) >= 0
		if ends && i < len(text)-1 && text[i] == ',' && i > 0 {
			ends = !isDigit(text[i-1]) || !isDigit(text[i+1])
		}
		if !ends {
			continue
		}
		if part := strings.TrimSpace(text[from:i]); part != "" && strings.EqualFold(part, entry) {
			return true
		}
		from = i + 1
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
