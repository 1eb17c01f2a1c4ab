package resolver

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The kinds of errors, for errors.Is. The struct errors below carry the
// details.
var (
	// ErrAmbiguous is the kind of [*AmbiguousError].
	ErrAmbiguous = errors.New("the reference is ambiguous")
	// ErrNotFound is the kind of [*NotFoundError].
	ErrNotFound = errors.New("nothing matches the reference")
	// ErrReferenceTooLong means that a reference has more than MaxReference
	// bytes and was not looked at.
	ErrReferenceTooLong = fmt.Errorf("the reference has more than %d bytes; refer to the title alone", MaxReference)
	// ErrNoOwner means that a Directory was asked without an owner.
	ErrNoOwner = errors.New("the owner is empty; entries are looked up for one owner only")
)

// MaxReference is the longest reference that is looked at, in bytes.
const MaxReference = 1 << 16

// How many titles a message names, and how much of each.
const (
	namedCandidates  = 5
	namedSuggestions = 3
	shownRunes       = 80
)

// An AmbiguousError says that several entries are meant equally well. Its
// message is written for the model or the person who gave the reference.
type AmbiguousError struct {
	// Reference is what was looked for, and Noun what messages call an entry.
	Reference string
	Noun      string
	// Candidates are all entries of the deciding tier, the best first; equals
	// stand in the order of the entries.
	Candidates []Match
}

// Error names the candidates, in words that a user may read.
func (e *AmbiguousError) Error() string {
	titles := make([]string, len(e.Candidates))
	for i, candidate := range e.Candidates {
		titles[i] = candidate.Title
	}
	return fmt.Sprintf("Multiple %s match %s. Please be more specific: %s",
		plural(e.Noun), quote(e.Reference), enumerate(titles, namedCandidates))
}

// Unwrap makes the error an ErrAmbiguous.
func (e *AmbiguousError) Unwrap() error { return ErrAmbiguous }

// A NotFoundError says that no entry is meant. Its message is written for the
// model or the person who gave the reference.
type NotFoundError struct {
	// Reference is what was looked for, and Noun what messages call an entry.
	Reference string
	Noun      string
	// Suggestions are entries that come close, the closest first. They are for
	// asking back, never for picking.
	Suggestions []Entry
}

// Error names the suggestions, in words that a user may read.
func (e *NotFoundError) Error() string {
	message := fmt.Sprintf("No %s matching %s found", e.Noun, quote(e.Reference))
	if len(e.Suggestions) == 0 {
		return message
	}
	titles := make([]string, len(e.Suggestions))
	for i, suggestion := range e.Suggestions {
		titles[i] = suggestion.Title
	}
	return message + ". Close titles: " + enumerate(titles, namedSuggestions)
}

// Unwrap makes the error an ErrNotFound.
func (e *NotFoundError) Unwrap() error { return ErrNotFound }

// enumerate names the first titles and counts the rest. Equal titles are
// numbered as in a listing.
func enumerate(titles []string, most int) string {
	var b strings.Builder
	seen := make(map[string]int, most)
	for i, title := range titles {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(titles)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(oneLine(clip(title)))
		if seen[title]++; seen[title] > 1 {
			fmt.Fprintf(&b, " (%d)", seen[title])
		}
	}
	return b.String()
}

// quote shows a short, escaped piece of a reference.
func quote(s string) string { return strconv.QuoteToGraphic(clip(s)) }

// clip cuts a text that would flood a message.
func clip(s string) string {
	n := 0
	for i := range s {
		if n++; n > shownRunes {
			return s[:i] + "…"
		}
	}
	return s
}

// oneLine keeps a title from breaking out of its line: titles are data that
// strangers may have written, and models read them.
func oneLine(s string) string {
	if !strings.ContainsFunc(s, isLineBreak) && utf8.ValidString(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), isLineBreak), " ")
}

func isLineBreak(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029'
}

// plural is good enough for the nouns that hosts use: task, category, box.
func plural(noun string) string {
	n := len(noun)
	switch {
	case n == 0:
		return noun
	case n > 1 && noun[n-1] == 'y' && !isVowel(noun[n-2]):
		return noun[:n-1] + "ies"
	case isSibilant([]byte(noun)):
		return noun + "es"
	}
	return noun + "s"
}
