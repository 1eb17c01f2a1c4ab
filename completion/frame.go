package completion

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// A verdict must not depend on how a text is dressed. So what dresses it is taken
// off before anything is counted: signs of emphasis, greetings and headings, and
// of the user's message letters that shout.

// undress is a text as it is read: without a greeting before it, signs of emphasis and
// disguises, and as prose.
func (c *conversation) undress(text string) string {
	c.raw = c.ungreet(text)
	return unwrap(fold(c.raw))
}

// piece is what stands between two places of the text that is read, as it was
// written where that can be told.
func (c *conversation) piece(start, end int) string {
	if len(c.raw) == len(c.text.Source) {
		return c.raw[start:end]
	}
	return c.text.Source[start:end]
}

// ungreet cuts the greetings that begin a text, so that they hide no list, call or
// JSON after them.
func (c *conversation) ungreet(text string) string {
	const longest = 40
	for {
		text = strings.TrimLeft(text, " \n\t")
		end := strings.IndexAny(text[:min(len(text), longest)], "!.")
		quoted := strings.HasPrefix(text, `"`) || strings.HasPrefix(text, "“") // it is no greeting of ours
		if quoted || end < 0 || end+1 >= len(text) || text[end+1] != ' ' {
			return text
		}
		c.tokens = c.language.Tokenize(c.tokens[:0], text[:end])
		if !greets(c.tokens) {
			return text
		}
		text = text[end+2:]
	}
}

// isFrame reports whether a sentence is a greeting or a heading: what stands around
// an answer says nothing, and the answer is the same without it.
func isFrame(t *reading.Text, s *reading.Sentence) bool {
	if s.Asking || s.Roles&turned != 0 {
		return false
	}
	if s.Place != reading.Heading {
		return greets(t.Tokens[s.From:s.To])
	}
	acts := func(k reading.Clause) bool { return k.Shape != reading.Verbless }
	return !slices.ContainsFunc(t.Clauses[s.First:s.Last], acts)
}

// greets reports whether all words of tokens are those of a greeting.
func greets(tokens []lexicon.Token) bool {
	const greeting = lexicon.Greeting | lexicon.Interjection | lexicon.Politeness | lexicon.Affirmation
	words := 0
	for i := 0; i < len(tokens); i++ {
		token := &tokens[i]
		if !token.IsWord() {
			continue
		}
		words++
		if token.BeginsExpression() { // "good night"
			if class, n := lexicon.English().Expression(tokens[i:]); n > 0 && class.Has(greeting) {
				i += n - 1
				continue
			}
		}
		if !token.Class().Has(greeting) {
			return false
		}
	}
	return words > 0
}

// dropFrames takes the frames from the sentences of a text, and their clauses.
func dropFrames(t *reading.Text) {
	sentences, clauses := t.Sentences[:0], t.Clauses[:0]
	for i := range t.Sentences {
		s := t.Sentences[i]
		if isFrame(t, &s) {
			continue
		}
		first := len(clauses)
		for k := s.First; k < s.Last; k++ {
			clause := t.Clauses[k]
			clause.Sentence = len(sentences)
			clauses = append(clauses, clause)
		}
		s.First, s.Last = first, len(clauses)
		sentences = append(sentences, s)
	}
	t.Sentences, t.Clauses = sentences, clauses
}

// calm lowers the letters of a text that has no small one.
func calm(text string) string {
	if strings.ContainsFunc(text, unicode.IsLower) {
		return text
	}
	return strings.ToLower(text)
}

// unmark puts spaces for the signs of emphasis of a text; a line that is emphasized
// as a whole is a heading. Every word keeps its place. A single sign is none of
// emphasis, but of a pattern of file names.
func unmark(text string) string {
	if !strings.Contains(text, "**") {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	for line := range strings.Lines(text) {
		paired := strings.Count(line, "**")%2 == 0
		if emphasized(line) {
			line = strings.Replace(line, "**", "# ", 1)
		}
		if paired {
			_, _ = spaced.WriteString(&out, line) // a builder takes everything
		} else {
			out.WriteString(line)
		}
	}
	return out.String()
}

var spaced = strings.NewReplacer("**", "  ")

// emphasized reports whether a line is emphasized as a whole and is no sentence.
func emphasized(line string) bool {
	body, opened := strings.CutPrefix(strings.TrimSpace(line), "**")
	body, closed := strings.CutSuffix(strings.TrimSuffix(body, ":"), "**")
	return opened && closed && !strings.Contains(body, "**") && strings.TrimRight(body, ".!?") == body
}

func isAlphanumeric(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
