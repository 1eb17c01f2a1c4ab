package report

import (
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

// openFindings is how many ghosts a page shows without being asked.
const openFindings = 12

// openUnsure is the same for turns that nobody is accused of.
const openUnsure = 4

// page is what the template prints.
type page struct {
	*Report
	Title       string
	Outcomes    []band
	ReasonBars  []bar
	MissingBars []bar
	By          string
	Groups      []Group
	Ranges      []rangeRow
	Ticks       []tick
	GhostCards  section
	UnsureCards section
	Sections    []section
}

// band is a part of a stacked bar, in percent of its width.
type band struct {
	Name, Class, Note string
	Count             int
	From, Width       float64
}

// bar is a row of a bar chart, in percent of the longest.
type bar struct {
	Name, Note, Class string
	Count             int
	Width             float64
}

// rangeRow is a rate with its interval, in percent of the axis.
type rangeRow struct {
	Group
	Low, Rate, High float64
}

type tick struct {
	At    float64
	Label string
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
		"thousands": Thousands, "percent": percent, "bounds": bounds, "plural": Plural, "rate": rate, "oneIn": oneIn,
		"perThousand": perThousand, "perThousandBounds": perThousandBounds,
		"svg": func(value float64) string { return fmt.Sprintf("%.2f%%", value) },
	}).Parse(pageSource)
	if err != nil {
		return err
	}
	return parsed.Execute(out, newPage(report, kept, options))
}

func newPage(report *Report, kept *Keeper, options Options) *page {
	p := &page{Report: report, Title: titleOf(report), Outcomes: outcomes(report)}
	p.By, p.Groups = options.groups(report)
	for _, reason := range report.Reasons {
		class := "warn"
		if reason.Name == "unbacked claim" || reason.Name == "fabricated failure" {
			class = "ghost"
		}
		p.ReasonBars = append(p.ReasonBars,
			bar{Name: reason.Name, Note: explanations[reason.Name], Class: class, Count: reason.Count})
	}
	for _, tool := range head(report.MissingTools, 8) {
		p.MissingBars = append(p.MissingBars, bar{Name: tool.Name, Class: "warn", Count: tool.Count})
	}
	scale(p.ReasonBars)
	scale(p.MissingBars)
	p.Ranges, p.Ticks = ranges(head(p.Groups, 25))
	p.GhostCards = newSection(kindGhost, "", kept, openFindings)
	p.UnsureCards = newSection(kindUnsure, "", kept, openUnsure)
	for _, reason := range report.Reasons {
		if s := newSection(reason.Name, explanations[reason.Name], kept, 0); s.All > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	if s := newSection(kindAside, "texts that claim too much while calls were made; nobody may have seen them", kept,
		0); s.All > 0 {
		p.Sections = append(p.Sections, s)
	}
	return p
}

func titleOf(report *Report) string {
	if len(report.Sources) == 1 && report.Sources[0] != "-" {
		return filepath.Base(report.Sources[0])
	}
	return Plural(len(report.Files), "file")
}

// outcomes is how the turns ended, as bands that fill a bar.
func outcomes(r *Report) []band {
	bands := []band{
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
	for i := range bands {
		bands[i].From = at
		if r.Turns > 0 {
			bands[i].Width = 100 * float64(bands[i].Count) / float64(r.Turns)
		}
		at += bands[i].Width
	}
	return bands
}

func scale(bars []bar) {
	most := 0
	for _, b := range bars {
		most = max(most, b.Count)
	}
	for i := range bars {
		bars[i].Width = max(0.5, 100*float64(bars[i].Count)/float64(most))
	}
}

// ranges puts rates with their intervals on one axis. Groups of a few turns have
// intervals that say nothing; they do not stretch the axis for the others.
func ranges(groups []Group) ([]rangeRow, []tick) {
	end := 0.0
	for _, g := range groups {
		end = max(end, g.GhostRate.Rate, min(g.GhostRate.High, 2.5*g.GhostRate.Rate))
	}
	step, end := axis(100 * max(end, 0.01))
	var rows []rangeRow
	for _, g := range groups {
		place := func(share float64) float64 { return min(100, 100*100*share/end) }
		rows = append(rows, rangeRow{g, place(g.GhostRate.Low), place(g.GhostRate.Rate), place(g.GhostRate.High)})
	}
	var ticks []tick
	for value := 0.0; value <= end+step/2; value += step {
		ticks = append(ticks, tick{100 * value / end, fmt.Sprintf("%g %%", math.Round(1000*value)/1000)})
	}
	return rows, ticks
}

// axis is an axis of three to five round steps that reaches a value.
func axis(value float64) (step, end float64) {
	size := math.Pow(10, math.Floor(math.Log10(value/4)))
	for _, factor := range []float64{1, 2, 5, 10} {
		if step = factor * size; step*5 >= value {
			break
		}
	}
	return step, step * math.Ceil(value/step-1e-9)
}

func newSection(kind, note string, kept *Keeper, open int) section {
	list, all := kept.of(kind)
	s := section{Name: kind, Note: note, All: all}
	for i, f := range list {
		if c := newCard(f); i < open {
			s.Open = append(s.Open, c)
		} else {
			s.More = append(s.More, c)
		}
	}
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
	if len(f.Claims) == 0 && f.Reason != MissingCall && !f.Unsure {
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

// part is a table of groups.
type part struct {
	By   string
	List []Group
}

// Part is for the template, which cannot put two values together.
func (p *page) Part(by string, groups []Group) part { return part{by, groups} }
