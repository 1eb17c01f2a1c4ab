package report

import (
	_ "embed"
	"html/template"
	"io"
	"slices"
)

// pageSource is the page. It needs no script and no other file, and its policy
// forbids both: what a log holds is shown, never run.
//
//go:embed page.html.tmpl
var pageSource string

// WritePage writes the report as a page that needs nothing else.
func WritePage(out io.Writer, report *Report, kept *Keeper, options Options) error {
	parsed, err := template.New("page").Funcs(words).Parse(pageSource)
	if err != nil {
		return err
	}
	return parsed.Execute(out, &view{report, kept, options})
}

// Marked is a part of a text: plain, or marked as surely false or in doubt.
type Marked struct {
	Text           string
	Marked, Unsure bool
}

// Pieces are the text of a finding, cut at the clauses that claim too much.
func (f *Finding) Pieces() []Marked { return Mark(f.Text, f.Claims) }

// Mark cuts a text at the clauses that claim too much, and nowhere else.
func Mark(text string, claims []Claim) []Marked {
	marked := slices.DeleteFunc(slices.Clone(claims), func(c Claim) bool { return c.From < 0 || c.From >= c.To })
	slices.SortStableFunc(marked, func(a, b Claim) int { return a.From - b.From })
	var pieces []Marked
	at := 0
	for _, claim := range marked {
		from := max(claim.From, at) // clauses may share words
		if claim.To <= from {
			continue
		}
		if from > at {
			pieces = append(pieces, Marked{Text: text[at:from]})
		}
		pieces = append(pieces, Marked{text[from:claim.To], true, claim.Unsure})
		at = claim.To
	}
	if at < len(text) {
		pieces = append(pieces, Marked{Text: text[at:]})
	}
	return pieces
}

// Why says what is wrong with a finding, each reason once.
func (f *Finding) Why() (why []string) {
	for _, claim := range f.Claims {
		if n := len(why); n == 0 || why[n-1] != claim.Why {
			why = append(why, claim.Why)
		}
	}
	return why
}
