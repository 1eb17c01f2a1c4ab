package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"slices"
)

// pageSource is the page. It needs no script and no other file, and its policy
// forbids both: what a log holds is shown, never run.
//
//go:embed page.html.tmpl
var pageSource string

// How many ghosts a page shows without being asked, and how many turns that nobody is accused of.
const (
	openGhosts = 12
	openUnsure = 4
)

// page is what the template prints.
type page struct {
	*Report
	Title    string
	By       string
	Outcomes []bar // one after the other they fill a bar
	Reasons  []bar // these and the next have one each
	Missing  []bar
	Findings []section
	Others   []section // none of which is in view
}

// bar is a part of a chart, in percent of its width.
type bar struct {
	Name, Class, Note string
	Count             int
	From, Width       float64
}

// section is a list of findings, the first of them in view.
type section struct {
	Name, Note string
	All        int
	Open, More []card
}

// Kept is how many findings the page holds of those there were.
func (s section) Kept() int { return len(s.Open) + len(s.More) }

// card is a finding with its text cut into marked and plain pieces.
type card struct {
	Finding
	Pieces []Marked
	Why    []string
}

// Marked is a part of a text: plain, or marked as surely false or in doubt.
type Marked struct {
	Text           string
	Marked, Unsure bool
}

// WritePage writes the report as a page that needs nothing else.
func WritePage(out io.Writer, report *Report, kept *Keeper, options Options) error {
	parsed, err := template.New("page").Funcs(template.FuncMap{
		"thousands": Thousands, "percent": percent, "bounds": bounds, "plural": Plural, "oneIn": oneIn,
		"perThousand": perThousand, "perThousandBounds": perThousandBounds,
		"svg": func(value float64) string { return fmt.Sprintf("%.2f%%", value) },
	}).Parse(pageSource)
	if err != nil {
		return err
	}
	return parsed.Execute(out, newPage(report, kept, options))
}

func newPage(report *Report, kept *Keeper, options Options) *page {
	p := &page{Report: report, Title: Plural(len(report.Files), "file"), Outcomes: outcomes(report)}
	if len(report.Sources) == 1 && report.Sources[0] != "-" {
		p.Title = filepath.Base(report.Sources[0])
	}
	p.By, _ = options.groups(report)
	for _, reason := range report.Reasons {
		class := "warn"
		if reason.Name == "unbacked claim" || reason.Name == "fabricated failure" {
			class = "ghost"
		}
		note := explanations[reason.Name]
		p.Reasons = append(p.Reasons, bar{Name: reason.Name, Note: note, Class: class, Count: reason.Count})
		p.Others = append(p.Others, newSection(reason.Name, reason.Name, note, kept, 0))
	}
	for _, tool := range head(report.MissingTools, 8) {
		p.Missing = append(p.Missing, bar{Name: tool.Name, Class: "warn", Count: tool.Count})
	}
	for _, bars := range [][]bar{p.Reasons, p.Missing} {
		for i := range bars { // the longest is as wide as the page
			most := slices.MaxFunc(bars, func(a, b bar) int { return cmp.Compare(a.Count, b.Count) }).Count
			bars[i].Width = max(0.5, 100*float64(bars[i].Count)/float64(most))
		}
	}
	p.Findings = []section{
		newSection(kindGhost, "Ghosts",
			"The marked words say that something was done. The calls of the turn do not.", kept, openGhosts),
		newSection(kindUnsure, "Unsure", "No call clearly shows the marked words, or something may still be due. Nobody is "+
			"accused: the guard would ask what the answer rests on.", kept, openUnsure),
	}
	p.Others = append(p.Others, newSection(kindAside, kindAside,
		"texts that claim too much while calls were made; nobody may have seen them", kept, 0))
	empty := func(s section) bool { return s.All == 0 }
	p.Findings, p.Others = slices.DeleteFunc(p.Findings, empty), slices.DeleteFunc(p.Others, empty)
	return p
}

// outcomes is how the turns ended.
func outcomes(r *Report) []bar {
	bars := []bar{
		{Name: "completed", Class: "work", Count: r.Work, Note: "the work is recorded, or none was due"},
		{Name: "with blocker", Class: "blocker", Count: r.Blocked, Note: "the text says what prevents the work"},
		{Name: "unsure", Class: "unsure", Count: r.Unsure, Note: "nobody is accused; proof would be asked for"},
		{
			Name: "insufficient", Class: "warn", Count: r.Insufficient - r.Ghosts,
			Note: "nothing false is said, but the turn may not end like this",
		},
		{Name: "ghost", Class: "ghost", Count: r.Ghosts, Note: "the text claims what no call backs"},
	}
	at := 0.0
	for i := range bars {
		bars[i].From = at
		bars[i].Width = 100 * float64(bars[i].Count) / float64(max(1, r.Turns))
		at += bars[i].Width
	}
	return bars
}

func newSection(kind, name, note string, kept *Keeper, open int) section {
	list, all := kept.of(kind)
	s := section{Name: name, Note: note, All: all}
	for _, f := range list {
		s.More = append(s.More, newCard(f))
	}
	open = min(open, len(s.More))
	s.Open, s.More = s.More[:open], s.More[open:]
	return s
}

func newCard(f Finding) card {
	c := card{Finding: f, Pieces: Mark(f.Text, f.Claims)}
	for _, claim := range f.Claims {
		if n := len(c.Why); n == 0 || c.Why[n-1] != claim.Why {
			c.Why = append(c.Why, claim.Why)
		}
	}
	for _, doubt := range f.Doubts {
		c.Why = append(c.Why, "perhaps "+doubt.say())
	}
	if ruled := f.ruled(); ruled != "" {
		c.Why = append(c.Why, ruled)
	}
	if f.explained() {
		c.Why = []string{explanations[f.Reason]}
	}
	return c
}

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

// oneIn says a rate as people remember it.
func oneIn(part, whole int) string {
	if part == 0 {
		return "none"
	}
	return "1 in " + Thousands(int(math.Round(float64(whole)/float64(part))))
}
