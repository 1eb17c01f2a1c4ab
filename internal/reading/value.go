package reading

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Kind is what a [Value] is a value of.
type Kind uint8

const (
	// Word is a word, known by its stem.
	Word Kind = iota
	// Number is a figure: an amount, a count, a measure.
	Number
	// ID is a name that programs give: BK-5590, pl_51, parse.go, a mail address.
	ID
	// Date is a day of a month, Weekday a day of the week, Clock a time of day.
	Date
	Weekday
	Clock
)

// Flags say how a value stands in its text.
type Flags uint8

const (
	// Capital begins with an upper-case letter.
	Capital Flags = 1 << iota
	// Money has a currency beside it, Percent a percent sign.
	Money
	Percent
	// Worded is a number that is written as a word.
	Worded
	// Derived is a value that the text does not spell out, such as the weekday of a date or the digits of an id.
	Derived
	// Merged is a piece of another value, such as the day of a date.
	Merged
	// Ordinal is a number that says which one: 2nd.
	Ordinal
)

// Value is one thing that a text names.
type Value struct {
	Span
	Kind  Kind
	Flags Flags
	// Key is equal for equal values of a kind, however they are written.
	Key uint64
	// Number is the value of a number, the minutes of a clock, month*100+day of a date.
	Number float64
	// Entry is what the lexicon knows of a word; nil if it does not list it.
	Entry *lexicon.Entry
}

// Has reports whether any of the flags is set.
func (v *Value) Has(any Flags) bool { return v.Flags&any != 0 }

// IsContent reports whether a word says something by itself.
func (v *Value) IsContent() bool {
	if v.Kind != Word || v.Has(Merged) || v.end-v.start < 3 {
		return false
	}
	return v.Entry == nil || v.Entry.Class&FunctionWord == 0
}

// KeyOf is the key of a number, a date, a weekday or a clock.
func KeyOf(kind Kind, number float64) uint64 {
	return (math.Float64bits(number)^uint64(kind)<<56)*0x9E3779B97F4A7C15 ^ uint64(kind)
}

// Resembles reports whether one of two values of a kind, as they are written, may be told for the other.
func (v *Value) Resembles(other *Value) bool {
	const apart = 10
	one, another := v.String(), other.String()
	switch v.Kind {
	case Number:
		return v.Number*apart >= other.Number && v.Number <= other.Number*apart
	case ID:
		return strings.EqualFold(BeforeDigits(one), BeforeDigits(another)) ||
			strings.Contains(one, "@") && strings.Contains(another, "@")
	}
	return v.Kind != Weekday
}

// StandFor reports whether one of some values is a figure that may be told for another
// one: a price is not told for a long number.
func StandFor(values []Value, figure float64) bool {
	const apart = 10
	return slices.ContainsFunc(values, func(v Value) bool {
		written := v.Kind == Number && !v.Has(Derived|Merged|Worded)
		return written && v.Number*apart >= figure && v.Number <= figure*apart
	})
}

// Counted reports whether a number before the value counts things: "orders", "of them"; and not weeks.
func (v *Value) Counted() bool {
	return v.Entry != nil && !v.Entry.Class.Has(lexicon.Time) &&
		(v.Entry.Form.Has(lexicon.Plural) || v.Entry.Lemma == "of")
}

// TellsApart reports whether a value of a text can tell calls apart: it is a figure, a
// name, or a word that says something by itself. "The other two" counts calls.
func (v *Value) TellsApart() bool {
	letter := v.Has(Capital) && v.end-v.start == 1 // "row K"
	idle := v.Kind == Word && v.Entry != nil && !letter && !v.IsContent()
	return !idle && !v.Has(Derived|Merged|Worded)
}

// Span is a piece of a text. It holds the text itself, so that a position can only be
// applied to the bytes that it was taken from: results and arguments are scanned without
// their escapes, and a place in such a copy is none in the original.
type Span struct {
	source     string
	start, end int32
}

// SpanOf is the piece of a text between two of its bytes.
func SpanOf(text string, start, end int) Span {
	_ = text[start:end] // a place outside of the text is a fault of the caller, here and not later
	return Span{source: text, start: int32(start), end: int32(end)}
}

// Start and End are where the piece begins and ends in its source.
func (s *Span) Start() int { return int(s.start) }
func (s *Span) End() int   { return int(s.end) }

// Source is the text that the piece is of.
func (s *Span) Source() string { return s.source }

// String is the piece as it is written.
func (s *Span) String() string { return s.source[s.start:s.end] }

// Before and After are what stands before the piece and after it.
func (s *Span) Before() string { return s.source[:s.start] }
func (s *Span) After() string  { return s.source[s.end:] }
