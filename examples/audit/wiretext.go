package main

import (
	"encoding/json"
	"strconv"
	"unicode/utf16"
)

// wireText is a text of a case as the bytes that a provider sent. A case can spell half of a surrogate pair,
// for which encoding/json would put a replacement character, and so another text. Here it becomes the three
// bytes that a careless encoder sends: no UTF-8, as whoever reads them will find.
type wireText []byte

// UnmarshalJSON reads a JSON string.
func (w *wireText) UnmarshalJSON(data []byte) error {
	var text string
	err := json.Unmarshal(data, &text)
	at, unit := halfPair(data, 0)
	if err != nil || at < 0 {
		*w = wireText(text)
		return err
	}
	*w = nil
	from := 1 // after the quote
	for ; at >= 0; at, unit = halfPair(data, from) {
		if err := w.add(data[from:at]); err != nil {
			return err
		}
		*w = append(*w, 0xE0|byte(unit>>12), 0x80|byte(unit>>6&0x3F), 0x80|byte(unit&0x3F))
		from = at + escapeLength
	}
	return w.add(data[from : len(data)-1])
}

// add appends a piece of a JSON string that holds whole characters only.
func (w *wireText) add(piece []byte) error {
	var text string
	err := json.Unmarshal(append(append([]byte{'"'}, piece...), '"'), &text)
	*w = append(*w, text...)
	return err
}

// escapeLength is that of \u and four digits.
const escapeLength = 6

// halfPair finds the next escape of a JSON string that is half of a surrogate pair, or -1.
func halfPair(quoted []byte, i int) (at int, unit rune) {
	for i < len(quoted) {
		unit := escapedUnit(quoted, i)
		switch {
		case quoted[i] != '\\':
			i++
		case unit < 0:
			i += 2
		case !utf16.IsSurrogate(unit):
			i += escapeLength
		case utf16.DecodeRune(unit, escapedUnit(quoted, i+escapeLength)) == '\uFFFD':
			return i, unit
		default:
			i += 2 * escapeLength
		}
	}
	return -1, 0
}

// escapedUnit is the value of a \u escape at i, or -1.
func escapedUnit(quoted []byte, i int) rune {
	if i+escapeLength > len(quoted) || quoted[i] != '\\' || quoted[i+1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(quoted[i+2:i+escapeLength]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}
