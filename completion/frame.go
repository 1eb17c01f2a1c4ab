package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
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
	return reading.Unwrap(reading.Plain(c.raw))
}

// recase gives a text that shouts the letters that the turn has elsewhere.
func (c *conversation) recase(text string) string {
	if !reading.Shouts(text) {
		return text
	}
	others := []string{c.turn.User, c.turn.Previous}
	for _, f := range c.facts {
		others = append(others, string(f.record.Args), clip.Text(f.record.Result.Text(), maxRead))
		for _, subject := range f.record.Touched {
			others = append(others, subject.Title)
		}
	}
	return reading.Recase(text, others...)
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
		word, entry := c.language.PlainWord(text, 0) // that of most texts is none of a greeting
		first := [1]lexicon.Token{{Entry: entry}}
		if word > 0 && text[word] == ' ' && !first[0].BeginsExpression() && !greets(first[:]) {
			return text
		}
		if c.tokens = c.language.Tokenize(c.tokens[:0], text[:end]); !greets(c.tokens) {
			return text
		}
		text = text[end+2:]
	}
}

// greets reports whether all words of tokens are those of a greeting.
func greets(tokens []lexicon.Token) bool { return reading.English().Greets(tokens) }
