package turnfit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/fitting"
)

// A text in a language without a word list is judged by what all languages share: values and
// where they stand, names, marks, and what became of the calls. What that is worth is learned
// from turns that are put into no language at all.

// foreignSet are the turns in no language.
const foreignSet = "foreign"

// foreignTwin is a turn whose words nobody knows. Names, figures and what stands in its records
// stay as they are.
func foreignTwin(id, group string, turn fitting.Turn, as *Sample) *Sample {
	known := map[string]bool{}
	for _, record := range append(turn.Earlier[:len(turn.Earlier):len(turn.Earlier)], turn.Records...) {
		for _, text := range []string{string(record.Args), record.Result.Text()} {
			for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
				known[word] = true
			}
		}
	}
	turn.User, turn.Previous = estranged(turn.User, known), estranged(turn.Previous, known)
	turn.Text = estranged(turn.Text, known)
	s := newSample(id+" foreign", turn)
	s.Set, s.Group, s.weight = foreignSet, group, twinWeight
	s.False, s.Kind, s.Outcome = as.False, as.Kind, as.Outcome
	return s
}

// estranged are the words of a text in another spelling, each the same everywhere.
func estranged(text string, known map[string]bool) string {
	var out strings.Builder
	starts := true // a sentence
	for len(text) > 0 {
		end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' })
		if end < 0 {
			end = len(text)
		}
		if end == 0 {
			r, size := utf8.DecodeRuneInString(text)
			starts = starts && unicode.IsSpace(r) || strings.ContainsRune(".!?:\n-*|", r)
			out.WriteString(text[:size])
			text = text[size:]
			continue
		}
		word := text[:end]
		if first, _ := utf8.DecodeRuneInString(word); known[word] || unicode.IsUpper(first) && !starts {
			out.WriteString(word)
		} else {
			out.WriteString(strings.Map(estrange, word))
		}
		starts, text = false, text[end:]
	}
	return out.String()
}

func estrange(r rune) rune {
	const from, to = "aeioubcdfghjklmnpqrstvwxyz", "öauéidfgbjklmhnprstvkwzszm"
	if r == '\'' || r == '’' {
		return -1
	}
	at := strings.IndexRune(from, unicode.ToLower(r))
	if at < 0 {
		return r
	}
	strange := []rune(to)[at]
	if unicode.IsUpper(r) {
		return unicode.ToUpper(strange)
	}
	return strange
}
