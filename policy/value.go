package policy

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Kind is the JSON type of a value. The zero value is a value that is not
// there.
type Kind uint8

const (
	// Missing is an argument that was not sent.
	Missing Kind = iota
	// Null is null, which rules take for absent.
	Null
	// Bool is true or false.
	Bool
	// Number is any number, whole or not.
	Number
	// String is a text.
	String
	// Array is a list.
	Array
	// Object is an object.
	Object
	// Integer never is the kind of a value: it is asked for with [Type] and
	// holds for a [Number] without a fraction, so for 20, 20.0 and 2e1.
	Integer
)

var kindNames = [...]string{
	"missing", "null", "true or false", "a number", "a string", "an array", "an object", "a whole number",
}

// String names the kind as a sentence needs it: "a string".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "kind(" + strconv.Itoa(int(k)) + ")"
}

// Value is one argument, strictly decoded. Inside a review it shares memory with
// it and must not be kept.
type Value struct {
	kind Kind
	body []byte // the content of a string, the JSON of anything else
}

// Kind is the value's JSON type.
func (v Value) Kind() Kind { return v.kind }

// Raw is the value as JSON; the escapes of a string may differ from those sent.
func (v Value) Raw() json.RawMessage {
	if v.kind == String {
		return jsonspan.AppendQuoted(make([]byte, 0, len(v.body)+2), v.body)
	}
	return v.body
}

// Text is the content of a string, and empty for any other kind.
func (v Value) Text() string {
	if v.kind != String {
		return ""
	}
	return string(v.body)
}

// Int is the value of a whole number; false for anything else and for numbers
// that do not fit 64 bits.
func (v Value) Int() (int64, bool) {
	if v.kind != Number {
		return 0, false
	}
	n := parseInteger(v.body)
	return n.value, n.whole && !n.huge
}

// Float is the value of a number; false for anything else and for numbers that
// a float64 cannot hold.
func (v Value) Float() (float64, bool) {
	if v.kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.body), 64)
	return f, err == nil
}

// Decode reads the value into a Go value, as json.Unmarshal does.
func (v Value) Decode(into any) error { return json.Unmarshal(v.Raw(), into) }

// runes is the length of the text in characters.
func (v Value) runes() int { return utf8.RuneCount(v.body) }

// shown is how a message names the value.
func (v Value) shown() string {
	switch v.kind {
	case String:
		return jsonspan.Quote(v.body)
	case Number, Bool, Null:
		if len(v.body) <= 40 {
			return string(v.body)
		}
		return string(v.body[:40]) + "…"
	default:
		return v.kind.String()
	}
}

// integer is a JSON number read exactly, never through a float.
type integer struct {
	value int64 // the nearest that fits when huge
	whole bool  // without a fraction
	huge  bool  // does not fit 64 bits
	// endless is beyond what any float64 holds: a decoder makes infinity of it, or
	// an error.
	endless bool
}

// isCountable reports whether a tool that asks for a whole number can read it.
func (n integer) isCountable() bool { return n.whole && !n.endless }

// parseInteger reads a validated JSON number in any spelling: digits with a point and an
// exponent.
func parseInteger(raw []byte) integer {
	var room [40]byte
	d := jsonspan.ParseDecimal(room[:0], raw)
	switch {
	case len(d.Digits) == 0:
		return integer{whole: true}
	case d.Exponent < 0:
		return integer{}
	}
	const enough = 20 // digits; 64 bits hold less
	digits := string(d.Digits[:min(len(d.Digits), enough)]) + strings.Repeat("0", min(d.Exponent, enough))
	if d.Negative {
		digits = "-" + digits
	}
	n := integer{whole: true}
	var err error
	if n.value, err = strconv.ParseInt(digits, 10, 64); err != nil { // the value is the nearest
		_, err = strconv.ParseFloat(string(raw), 64)
		n.huge, n.endless = true, err != nil
	}
	return n
}
