package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"
	texttemplate "text/template"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
	"github.com/bonafide-go/bonafide/internal/clip"
)

// Options are what the one who reads a report may choose.
type Options struct {
	// By is what tables are broken down by: "model" or "file". Empty is by model if the logs name one.
	By string
	// Show is how many findings of a kind the terminal shows.
	Show int
}

// view is what both templates print: the report, and what follows from it.
type view struct {
	*Report
	kept    *Keeper
	options Options
}

// Title is what was read.
func (v *view) Title() string {
	if len(v.Sources) == 1 && v.Sources[0] != "-" {
		return filepath.Base(v.Sources[0])
	}
	return plural(len(v.Report.Files), "file")
}

// By says into which parts the report is broken down, and Groups are these.
func (v *view) By() string {
	named := len(v.Models) > 1 || len(v.Models) == 1 && v.Models[0].Name != NoModel
	if v.options.By == "model" || v.options.By == "" && named {
		return "model"
	}
	return "file"
}

func (v *view) Groups() []Group {
	if v.By() == "model" {
		return v.Models
	}
	return v.Report.Files
}

// Worst is the group with most insufficient turns; nil where there are none.
func (v *view) Worst() *Group {
	groups := v.Groups()
	if v.Insufficient == 0 || len(groups) == 0 {
		return nil
	}
	most := slices.MaxFunc(groups, func(a, b Group) int { return cmp.Compare(a.Insufficient, b.Insufficient) })
	return &most
}

// Show is how many findings the terminal shows, and Few of a lesser kind.
func (v *view) Show() int { return v.options.Show }
func (v *view) Few() int  { return min(v.options.Show, 3) }

// outcome is how some of the turns ended: a part of a bar, in percent of its width.
type outcome struct {
	Name, Class, Note string
	Count             int
	From, Width       float64
}

// Outcomes are how the turns ended. One after the other they fill a bar.
func (v *view) Outcomes() []outcome {
	all := []outcome{
		{Name: "completed", Class: "work", Count: v.Work, Note: "the work is recorded, or none was due"},
		{Name: "with blocker", Class: "blocker", Count: v.Blocked, Note: "the text says what prevents the work"},
		{Name: "unsure", Class: "unsure", Count: v.Unsure, Note: "nobody is accused; proof would be asked for"},
		{Name: "insufficient", Class: "warn", Count: v.Insufficient - v.Ghosts,
			Note: "nothing false is said, but the turn may not end like this"},
		{Name: "ghost", Class: "ghost", Count: v.Ghosts, Note: "the text claims what no call backs"},
	}
	at := 0.0
	for i := range all {
		all[i].From, all[i].Width = at, 100*float64(all[i].Count)/float64(max(1, v.Turns))
		at += all[i].Width
	}
	return all
}

// section is a list of findings of a kind, the first of them in view.
type section struct {
	Name, Kind string
	All        int // how many there were
	Open, More []*Finding
}

// Kept is how many findings the report holds of those there were.
func (s section) Kept() int { return len(s.Open) + len(s.More) }

// Section is the findings of a kind, of which some are in view.
func (v *view) Section(name, kind string, open int) section {
	s := section{Name: name, Kind: kind, All: v.kept.kinds[kind]}
	for i := range v.kept.list {
		if f := &v.kept.list[i]; f.kind() == kind && len(s.Open) < open {
			s.Open = append(s.Open, f)
		} else if f.kind() == kind {
			s.More = append(s.More, f)
		}
	}
	return s
}

// Others are the sections of lesser kinds, none of which is in view.
func (v *view) Others() (others []section) {
	for _, reason := range append(slices.Clone(v.Reasons), Count{Name: kindAside}) {
		if s := v.Section(reason.Name, reason.Name, 0); s.All > 0 {
			others = append(others, s)
		}
	}
	return others
}

// comparison is the table that others publish: lies caught, reviewed and missed, and honest traces taken for lies.
type comparison struct {
	How    string
	Rows   []compared // the last one sums up the lies
	Honest compared
}

type compared struct {
	Kind  string
	Total int
	Held
}

func (c compared) Missed() int { return c.Total - c.Stopped - c.Asked }
func (c compared) Rate() Share { return ShareOf(c.Stopped, c.Total) }

func (c *compared) add(other compared) {
	c.Total, c.Stopped, c.Asked = c.Total+other.Total, c.Stopped+other.Stopped, c.Asked+other.Asked
}

// Against compares the report with the truth, where a benchmark tells it.
func (v *view) Against() (both []comparison) {
	if len(v.Truths) == 0 {
		return nil
	}
	for _, how := range []string{"with what was read afterwards", "by the calls alone"} {
		c, lies := comparison{How: how}, compared{Kind: "all lies"}
		for _, truth := range v.Truths {
			row := compared{truth.Kind, truth.Total, truth.Probed}
			if how == "by the calls alone" {
				row.Held = truth.Unprobed
			}
			if truth.Done {
				c.Honest.add(row)
				continue
			}
			lies.add(row)
			c.Rows = append(c.Rows, row)
		}
		c.Rows = append(c.Rows, lies)
		both = append(both, c)
	}
	return both
}

// pageSource is the page. It needs no other file, and its policy forbids scripts: a log is shown, never run.
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

//go:embed terminal.tmpl
var terminalSource string

// width is how long a line may be. Terminals, mails and the logs of builds all have room for this much.
const width = 80

// WriteTerminal writes the report for people who read it where they started it. The page has room for more.
func WriteTerminal(out io.Writer, report *Report, kept *Keeper, options Options) error {
	parsed, err := texttemplate.New("terminal").Funcs(words).Parse(terminalSource)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := parsed.Execute(&text, &view{report, kept, options}); err != nil {
		return err
	}
	_, err = io.WriteString(screen.New(out), screen.Layout(text.String(), width))
	return err
}

// Called is what the turn did, as the log tells it. Repeats are counted.
func (f *Finding) Called() string {
	if len(f.Calls) == 0 {
		return "none"
	}
	var parts []string
	for i := 0; i < len(f.Calls); {
		call, same := f.Calls[i], i+1
		for same < len(f.Calls) && f.Calls[same] == call {
			same++
		}
		part := clip.Text(OneLine(call.Tool), 60) + " " + call.Status.String()
		if call.Sight != "" {
			part += ", " + string(call.Sight)
		}
		if same-i > 1 {
			part += fmt.Sprintf(" (%d×)", same-i)
		}
		parts = append(parts, part)
		i = same
	}
	return strings.Join(parts, ", ")
}
