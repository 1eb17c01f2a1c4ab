package policy

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
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

var kindNames = [...]string{"missing", "null", "true or false", "a number", "a string", "an array", "an object", "a whole number"}

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
		return appendString(make([]byte, 0, len(v.body)+2), v.body)
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
		return quote(v.body)
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
}

// parseInteger reads a validated JSON number.
func parseInteger(raw []byte) integer {
	if len(raw) < 18 { // the common spelling: digits only, no overflow possible
		i, negative := 0, raw[0] == '-'
		if negative {
			i++
		}
		n := int64(0)
		for ; i < len(raw) && raw[i]-'0' <= 9; i++ {
			n = n*10 + int64(raw[i]-'0')
		}
		if i == len(raw) {
			if negative {
				n = -n
			}
			return integer{value: n, whole: true}
		}
	}
	return parseDecimal(raw)
}

// parseDecimal reads any spelling: digits with a point and an exponent.
func parseDecimal(raw []byte) integer {
	sign, limit := "", int64(1<<63-1)
	if raw[0] == '-' {
		sign, limit, raw = "-", -1<<63, raw[1:]
	}
	digits, exponent := significant(raw)
	switch {
	case len(digits) == 0:
		return integer{whole: true}
	case exponent < 0:
		return integer{}
	case len(digits)+exponent > 19:
		return integer{value: limit, whole: true, huge: true}
	}
	for range exponent {
		digits = append(digits, '0')
	}
	n, err := strconv.ParseInt(sign+string(digits), 10, 64)
	return integer{value: n, whole: true, huge: err != nil}
}

// significant reduces a number without its sign to digits that neither begin
// nor end with a zero, times a power of ten.
func significant(raw []byte) (digits []byte, exponent int) {
	mantissa, exponent := splitExponent(raw)
	digits = make([]byte, 0, 32)
	for i, c := range mantissa {
		if c == '.' {
			exponent -= len(mantissa) - i - 1
		} else if len(digits) > 0 || c != '0' {
			digits = append(digits, c)
		}
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		exponent++
	}
	return digits, exponent
}

// splitExponent cuts the exponent off. One that is too long to count is as good
// as any other of its sign.
func splitExponent(raw []byte) (mantissa []byte, exponent int) {
	const enough = 1 << 30
	for i, c := range raw {
		if c|0x20 != 'e' {
			continue
		}
		n, err := strconv.Atoi(string(raw[i+1:]))
		switch {
		case err != nil && raw[i+1] == '-', n < -enough:
			n = -enough
		case err != nil, n > enough:
			n = enough
		}
		return raw[:i], n
	}
	return raw, 0
}
