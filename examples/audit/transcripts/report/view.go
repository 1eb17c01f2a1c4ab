package report

import (
	"cmp"
	"path/filepath"
	"slices"
)

// Options are what the one who reads a report may choose.
type Options struct {
	// By is what tables are broken down by: "model" or "file". Empty is by model if
	// the logs name one.
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

// comparison is the table that others publish: lies caught, sent to review and missed, and honest
// traces that were taken for lies.
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
