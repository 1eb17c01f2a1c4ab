package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// A verdict must not depend on how a text is dressed. So what dresses it is taken
// off before anything is counted: what stands around it as a whole, signs of emphasis,
// greetings and headings, and of the user's message letters that shout.

// undress is a text as it is read: without what it is dressed in as a whole, a greeting
// before it, signs of emphasis and disguises, and as prose.
func (c *conversation) undress(text string) string {
	text = c.ungreet(text)
	if bare := reading.Undress(text); bare != text && !c.isContent(bare) {
		text = c.ungreet(bare)
	}
	c.raw = text
	return reading.Unwrap(reading.Plain(c.raw))
}

// ungreet is a text without a greeting before it.
func (c *conversation) ungreet(text string) (bare string) {
	bare, c.tokens = c.reader.Ungreet(text, c.tokens)
	return bare
}

// isContent reports whether what stands inside the dress of a text is what was asked for:
// a draft, or a piece of what was read.
func (c *conversation) isContent(bare string) bool {
	if c.about.composes() && c.sum.changed+c.sum.changedBefore == 0 { // else it may be a report
		return true
	}
	line, _, _ := strings.Cut(strings.TrimSpace(bare), "\n")
	return slices.ContainsFunc(c.made, func(f fact) bool {
		return f.fate == fateRead && strings.Contains(clip.Text(f.record.Result.Text(), maxRead), line)
	})
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

// piece is what stands between two places of the text that is read, as it was written where that can be told.
func (c *conversation) piece(start, end int) string {
	if len(c.raw) == len(c.text.Source) {
		return c.raw[start:end]
	}
	return c.text.Source[start:end]
}
