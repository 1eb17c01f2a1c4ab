package telling

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Subject is what a call is about: the name of an argument and its value.
type Subject struct{ Arg, Value string }

// SubjectOf finds it in the arguments: the one that is declared, one that is called as what
// the tool works on, an id or a name, or else the first. It is empty where there is none.
func SubjectOf(args []byte, declared *tooltrack.Tool, tool *toolname.Reading) (best Subject) {
	rank, subject := 0, ""
	if declared != nil {
		subject = declared.Subject.Arg
	}
	for name, value := range jsonspan.Members(args) {
		key, kind := strings.ToLower(string(jsonspan.Key(name))), jsonspan.KindOf(value)
		if kind != jsonspan.String && kind != jsonspan.Number {
			continue
		}
		if r := rankOf(key, subject, tool); best.Arg == "" || r > rank {
			best, rank = Subject{key, strings.ToLower(strings.TrimSpace(jsonspan.Scalar(value)))}, r
		}
	}
	return best
}

// rankOf is how plainly an argument says what a call is about.
func rankOf(key, declared string, tool *toolname.Reading) int {
	if declared != "" && strings.EqualFold(key, declared) {
		return 4
	}
	stem := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(key, "id"), "name"), "_")
	for _, noun := range tool.Nouns {
		if stem == noun.Text || stem == toolname.Singular(noun.Text) {
			return 3
		}
	}
	switch key {
	case "id":
		return 2
	case "name", "title":
		return 1
	}
	return 0
}

// Is reports whether two subjects are one: either may be the other in full.
func (s Subject) Is(other Subject) bool {
	return s.Value != "" && other.Value != "" &&
		(strings.Contains(s.Value, other.Value) || strings.Contains(other.Value, s.Value))
}

// IsNot reports whether two subjects are called in the same way and are not one. A text
// speaks of both, or they are numbered and all texts together do: else one may be a slip
// that the other puts right, as a name that was misspelt.
func (s Subject) IsNot(other Subject, texts ...string) bool {
	if s.Arg != other.Arg || s.Value == "" || other.Value == "" || s.Is(other) {
		return false
	}
	if numbered := strings.ContainsAny(s.Value, digits) && strings.ContainsAny(other.Value, digits); numbered {
		texts = append(texts, strings.Join(texts, "\n"))
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		spoken := strings.ToLower(text)
		return hasWords(spoken, s.Value) && hasWords(spoken, other.Value)
	})
}

const digits = "0123456789"

// hasWords reports whether a text has some words, with nothing of a word around them.
func hasWords(text, words string) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	before, after, found := strings.Cut(text, words)
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return found && words != "" && (!inWord(last) && !inWord(first) || hasWords(after, words))
}
