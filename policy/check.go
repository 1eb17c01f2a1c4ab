package policy

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Check is one rule on one argument. The constructors in this package make them; [Func]
// makes one of the host's own. A mistake in building one, such as a bad pattern, is reported
// by [New].
type Check struct {
	name     string
	text     string // for prompts
	required bool
	kinds    kindSet
	judge    func(*subject, Value) // says what is wrong, or changes it
	custom   bool                  // the host's own, which may look at other arguments
	err      error
}

// subject is the argument under judgement. A check calls fault, or replace, or does nothing,
// which means that the value passes.
type subject struct {
	*review
	arg     string
	secret  bool // the value must not be shown
	rule    string
	bad     bool
	changed bool
	value   Value // the new one, when changed
	schemas examination
}

func (s *subject) fault(format string, args ...any) {
	s.bad = true
	s.add(s.rule, s.arg, format, args...)
}

// replace gives the argument another value, with a note for the record.
func (s *subject) replace(raw []byte, note string) {
	s.value, s.changed = valueOf(raw), true
	s.setReplaced(s.arg, raw)
	s.notes = append(s.notes, Fault{Rule: s.rule, Arg: s.arg, Reason: note})
}

// shown names the value in a message, unless it could be a secret.
func (s *subject) shown(v Value) string {
	if s.secret {
		return redacted
	}
	return v.shown()
}

// Saying returns the check with another text for prompts. With an empty text the check is
// not mentioned there.
func (c Check) Saying(text string) Check {
	c.text = text
	return c
}

// Required refuses a call that lacks the argument or sends null.
func Required() Check { return Check{name: "required", required: true} }

// Type refuses values of any other kind. Nothing is coerced: "5" is no number.
func Type(kinds ...Kind) Check {
	return Check{name: "type", kinds: kindsOf(kinds...), err: oneOrMore("type has no kinds; name at least one", kinds)}
}

// ofText makes a rule on strings.
func ofText(name, text string, err error, judge func(*subject, Value)) Check {
	return Check{name: name, kinds: kindsOf(String), text: text, err: err, judge: judge}
}

// Length bounds a string's length in characters, not bytes.
func Length(least, most int) Check {
	return sized("length", order("length", least, most), least, most, "character", "characters", Value.runes)
}

// Bytes bounds a string's size in bytes of UTF-8, which is what storage counts.
func Bytes(least, most int) Check {
	size := func(v Value) int { return len(v.body) }
	return sized("size", order("bytes", least, most), least, most, "byte", "bytes", size)
}

func sized(name string, err error, least, most int, one, many string, size func(Value) int) Check {
	text := fmt.Sprintf("%d to %d %s", least, most, many)
	if least <= 0 {
		text = fmt.Sprintf("at most %d %s", most, many)
	}
	return ofText(name, text, err, func(s *subject, v Value) {
		switch n := size(v); {
		case n > most:
			s.fault("%s has %d %s; at most %d are allowed", s.arg, n, many, most)
		case n < least && !s.bad: // not besides "is blank"
			s.fault("%s has %s; at least %d are needed", s.arg, plural(n, one, many), least)
		}
	})
}

// AtLeast asks for a number of characters besides the white space and whatever else cannot
// be seen around them. Text of which nothing can be seen is empty.
func AtLeast(least int) Check {
	text := "at least " + plural(least, "character", "characters")
	return ofText("length", text, nil, func(s *subject, v Value) {
		switch n := utf8.RuneCount(trim(v.body)); {
		case n >= least:
		case n == 0:
			s.fault("%s is empty; at least %s needed", s.arg, plural(least, "character is", "characters are"))
		default:
			s.fault("%s has %s; at least %d are needed", s.arg, plural(n, "character", "characters"), least)
		}
	})
}

// NotBlank refuses a string of which nothing can be seen.
func NotBlank() Check {
	return ofText("blank", "not blank", nil, func(s *subject, v Value) {
		if len(trim(v.body)) == 0 {
			s.fault("%s is blank; send a text", s.arg)
		}
	})
}

// Truncate cuts a string to a number of characters. White space and whatever else cannot be
// seen around it goes first.
func Truncate(most int) Check {
	var err error
	if most < 1 {
		err = fmt.Errorf("truncate is %d; at least 1 is needed", most)
	}
	return ofText("truncate", fmt.Sprintf("at most %d characters", most), err, func(s *subject, v Value) {
		if n := v.runes(); n > most {
			kept, _ := firstRunes(trim(v.body), most)
			s.replace(jsonspan.AppendQuoted(make([]byte, 0, len(kept)+2), kept),
				fmt.Sprintf("%s had %d characters and was cut to %d", s.arg, n, utf8.RuneCount(kept)))
		}
	})
}

// Range bounds a whole number.
func Range(least, most int64) Check {
	return ofNumber(Integer, least, most, "%d", func(v Value) (below, above, strange bool) {
		n := parseInteger(v.body)
		below = n.value < least || n.huge && n.value < 0
		return below, !below && (n.value > most || n.huge), false
	})
}

// Between bounds any number.
func Between(least, most float64) Check {
	return ofNumber(Number, least, most, "%v", func(v Value) (below, above, strange bool) {
		f, known := v.Float()
		return known && f < least, known && f > most, !known
	})
}

func ofNumber[T int64 | float64](
	kind Kind, least, most T, verb string, where func(Value) (below, above, strange bool),
) Check {
	low, high := fmt.Sprintf(verb, least), fmt.Sprintf(verb, most)
	return Check{
		name: "range", kinds: kindsOf(kind), text: low + " to " + high, err: order("range", least, most),
		judge: func(s *subject, v Value) {
			switch below, above, strange := where(v); {
			case strange:
				s.fault("%s is %s; a number of ordinary size is needed", s.arg, s.shown(v))
			case below:
				s.fault("%s is %s; at least %s is needed", s.arg, s.shown(v), low)
			case above:
				s.fault("%s is %s; at most %s is allowed", s.arg, s.shown(v), high)
			}
		},
	}
}

// Cap lowers a whole number that is too large.
func Cap(most int64) Check {
	limit := strconv.FormatInt(most, 10)
	raw := []byte(limit)
	return Check{name: "cap", kinds: kindsOf(Integer), text: "at most " + limit, judge: func(s *subject, v Value) {
		if parseInteger(v.body).value > most {
			s.replace(raw, s.arg+" was "+s.shown(v)+" and was lowered to "+limit)
		}
	}}
}

// OneOf lists the strings that are allowed, exactly as spelled.
func OneOf(values ...string) Check {
	err := oneOrMore("one-of has no values; list at least one", values)
	return ofText("one_of", "one of "+list(values), err, func(s *subject, v Value) {
		if !slices.Contains(values, string(v.body)) {
			s.fault("%s is %s; use one of %s", s.arg, s.shown(v), list(values))
		}
	})
}

// Charset allows only the characters of a list such as "a-zA-Z0-9_-". A hyphen at the end
// stands for itself.
func Charset(allowed string) Check {
	class := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `^`, `\^`).Replace(allowed)
	stranger, err := regexp.Compile("[^" + class + "]")
	switch {
	case allowed == "":
		err = errors.New("charset is empty; list at least one character")
	case err != nil:
		err = fmt.Errorf("charset %q has a bad range; list characters and ranges such as a-z", allowed)
	}
	return ofText("charset", "only the characters "+allowed, err, func(s *subject, v Value) {
		if found := stranger.Find(v.body); found != nil {
			r, _ := utf8.DecodeRune(found)
			s.fault("%s holds %s (U+%04X); only the characters %s are allowed", s.arg, jsonspan.Quote(found), r, allowed)
		}
	})
}

// Pattern asks that the whole string matches a regular expression, anchored or not: a
// forgotten anchor must not open a hole.
func Pattern(expression string) Check {
	pattern, err := regexp.Compile(`\A(?:` + expression + `)\z`)
	return ofText("pattern", "matching "+expression, err, func(s *subject, v Value) {
		if !pattern.Match(v.body) {
			s.fault("%s is %s; it must match %s", s.arg, s.shown(v), expression)
		}
	})
}

// order is the error of bounds of which the greater stands first, or one is no number.
func order[T int | int64 | float64](name string, least, most T) error {
	if !(least <= most) {
		return fmt.Errorf("%s %v to %v is empty; give the smaller number first", name, least, most)
	}
	return nil
}

func oneOrMore[T any](fault string, list []T) error {
	if len(list) == 0 {
		return errors.New(fault)
	}
	return nil
}
