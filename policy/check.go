package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Check is one rule on one argument. The constructors in this package make
// them; [Func] makes one of the host's own. A mistake in building one, such as
// a bad pattern, is reported by [New].
type Check struct {
	name     string
	text     string // for prompts
	required bool
	kinds    kindSet
	judge    func(*subject, Value) // says what is wrong, or changes it
	custom   bool                  // the host's own, which may look at other arguments
	err      error
}

// subject is the argument under judgement. A check either calls fault, or
// replace, or does nothing, which means that the value passes.
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
	check := Check{name: "type", kinds: kindsOf(kinds...)}
	if check.kinds == 0 {
		check.err = fmt.Errorf("type has no kinds; name at least one")
	}
	return check
}

// Length bounds a string's length in characters, not bytes.
func Length(least, most int) Check {
	return sized("length", least, most, "character", "characters", Value.runes)
}

// Bytes bounds a string's size in bytes of UTF-8, which is what storage counts.
func Bytes(least, most int) Check {
	check := sized("size", least, most, "byte", "bytes", func(v Value) int { return len(v.body) })
	check.err = order("bytes", least, most)
	return check
}

func sized(name string, least, most int, one, many string, size func(Value) int) Check {
	text := fmt.Sprintf("%d to %d %s", least, most, many)
	if least <= 0 {
		text = fmt.Sprintf("at most %d %s", most, many)
	}
	return Check{
		name: name, kinds: kindsOf(String), text: text, err: order(name, least, most),
		judge: func(s *subject, v Value) {
			switch n := size(v); {
			case n > most:
				s.fault("%s has %d %s; at most %d are allowed", s.arg, n, many, most)
			case n < least && !s.bad: // not besides "is blank"
				s.fault("%s has %s; at least %d are needed", s.arg, plural(n, one, many), least)
			}
		},
	}
}

// AtLeast asks for a number of characters besides the white space and whatever
// else cannot be seen around them. Text of which nothing can be seen is empty.
func AtLeast(least int) Check {
	return Check{
		name: "length", kinds: kindsOf(String),
		text: fmt.Sprintf("at least %s", plural(least, "character", "characters")),
		judge: func(s *subject, v Value) {
			switch n := utf8.RuneCount(trim(v.body)); {
			case n >= least:
			case n == 0:
				s.fault("%s is empty; at least %s needed", s.arg, plural(least, "character is", "characters are"))
			default:
				s.fault("%s has %s; at least %d are needed", s.arg, plural(n, "character", "characters"), least)
			}
		},
	}
}

// NotBlank refuses a string of which nothing can be seen.
func NotBlank() Check {
	return Check{
		name: "blank", kinds: kindsOf(String), text: "not blank",
		judge: func(s *subject, v Value) {
			if isBlank(v.body) {
				s.fault("%s is blank; send a text", s.arg)
			}
		},
	}
}

// Truncate cuts a string to a number of characters. White space and whatever
// else cannot be seen around it goes first.
func Truncate(most int) Check {
	return Check{
		name: "truncate", kinds: kindsOf(String), text: fmt.Sprintf("at most %d characters", most),
		err: positive("truncate", most),
		judge: func(s *subject, v Value) {
			if v.runes() <= most {
				return
			}
			kept, _ := firstRunes(trim(v.body), most)
			note := s.arg + " had " + strconv.Itoa(v.runes()) + " characters and was cut to " +
				strconv.Itoa(utf8.RuneCount(kept))
			s.replace(jsonspan.AppendQuoted(make([]byte, 0, len(kept)+2), kept), note)
		},
	}
}

// Range bounds a whole number.
func Range(least, most int64) Check {
	return Check{
		name: "range", kinds: kindsOf(Integer), text: fmt.Sprintf("%d to %d", least, most),
		err: order("range", least, most),
		judge: func(s *subject, v Value) {
			switch n := parseInteger(v.body); {
			case n.value < least || n.huge && n.value < 0:
				s.fault("%s is %s; at least %d is needed", s.arg, s.shown(v), least)
			case n.value > most || n.huge:
				s.fault("%s is %s; at most %d is allowed", s.arg, s.shown(v), most)
			}
		},
	}
}

// Cap lowers a whole number that is too large.
func Cap(most int64) Check {
	limit := strconv.FormatInt(most, 10)
	raw := []byte(limit)
	return Check{
		name: "cap", kinds: kindsOf(Integer), text: "at most " + limit,
		judge: func(s *subject, v Value) {
			if parseInteger(v.body).value > most {
				s.replace(raw, s.arg+" was "+s.shown(v)+" and was lowered to "+limit)
			}
		},
	}
}

// Between bounds any number.
func Between(least, most float64) Check {
	return Check{
		name: "range", kinds: kindsOf(Number), text: fmt.Sprintf("%v to %v", least, most),
		err: order("range", least, most),
		judge: func(s *subject, v Value) {
			switch f, ok := v.Float(); {
			case !ok:
				s.fault("%s is %s; a number of ordinary size is needed", s.arg, s.shown(v))
			case f < least:
				s.fault("%s is %s; at least %v is needed", s.arg, s.shown(v), least)
			case f > most:
				s.fault("%s is %s; at most %v is allowed", s.arg, s.shown(v), most)
			}
		},
	}
}

// OneOf lists the strings that are allowed, exactly as spelled.
func OneOf(values ...string) Check {
	check := Check{
		name: "one_of", kinds: kindsOf(String), text: "one of " + list(values),
		judge: func(s *subject, v Value) {
			if !slices.Contains(values, string(v.body)) {
				s.fault("%s is %s; use one of %s", s.arg, s.shown(v), list(values))
			}
		}}
	if len(values) == 0 {
		check.err = fmt.Errorf("one-of has no values; list at least one")
	}
	return check
}

// Charset allows only the characters of a list such as "a-zA-Z0-9_-". A hyphen at
// the end stands for itself.
func Charset(allowed string) Check {
	class := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `^`, `\^`).Replace(allowed)
	stranger, err := regexp.Compile("[^" + class + "]")
	switch {
	case allowed == "":
		err = fmt.Errorf("charset is empty; list at least one character")
	case err != nil:
		err = fmt.Errorf("charset %q has a bad range; list characters and ranges such as a-z", allowed)
	}
	return Check{
		name: "charset", kinds: kindsOf(String), text: "only the characters " + allowed, err: err,
		judge: func(s *subject, v Value) {
			if !stranger.Match(v.body) {
				return
			}
			found := stranger.Find(v.body)
			r, _ := utf8.DecodeRune(found)
			s.fault("%s holds %s (U+%04X); only the characters %s are allowed", s.arg, jsonspan.Quote(found), r, allowed)
		},
	}
}

// Pattern asks that the whole string matches a regular expression, anchored or
// not: a forgotten anchor must not open a hole.
func Pattern(expression string) Check {
	pattern, err := regexp.Compile(`\A(?:` + expression + `)\z`)
	return Check{
		name: "pattern", kinds: kindsOf(String), text: "matching " + expression, err: err,
		judge: func(s *subject, v Value) {
			if !pattern.Match(v.body) {
				s.fault("%s is %s; it must match %s", s.arg, s.shown(v), expression)
			}
		},
	}
}

// order is the error of bounds of which the greater stands first, or one is no number.
func order[T int | int64 | float64](name string, least, most T) error {
	if !(least <= most) {
		return fmt.Errorf("%s %v to %v is empty; give the smaller number first", name, least, most)
	}
	return nil
}

func positive(name string, n int) error {
	if n <= 0 {
		return fmt.Errorf("%s is %d; at least 1 is needed", name, n)
	}
	return nil
}
