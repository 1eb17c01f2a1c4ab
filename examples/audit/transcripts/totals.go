package transcripts

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
	"github.com/bonafide-go/bonafide/examples/internal/byset"
	"github.com/bonafide-go/bonafide/internal/clip"
)

// Bounds on what a report names one by one. What is beyond them is counted.
const (
	maxNames   = 500
	maxTools   = 1000
	maxDamages = 100
	others     = "(all others)"
)

// totals sums judged conversations up, in the order in which they were read.
type totals struct {
	report  report.Report
	reasons map[string]int
	missing map[string]int
	unseen  map[string]int
	formats map[string]int
	models  map[string]*report.Group
	files   map[string]*report.Group
	effects map[string]effect
	seen    map[byset.Key]bool
	truths  map[string]*report.Truth
}

func newTotals() *totals {
	return &totals{
		report:  report.Report{Sources: []string{}, Damages: []report.Damage{}},
		reasons: map[string]int{}, missing: map[string]int{}, unseen: map[string]int{}, formats: map[string]int{},
		models: map[string]*report.Group{}, files: map[string]*report.Group{}, effects: map[string]effect{},
		seen: map[byset.Key]bool{}, truths: map[string]*report.Truth{},
	}
}

func (t *totals) damage(at place, fault error) {
	t.report.Damaged++
	t.report.Damages = noted(t.report.Damages, at, fault)
}

func (t *totals) add(at place, c *judged) {
	r := &t.report
	if c.steps > 0 && len(c.turns) == 0 {
		r.Steps += c.steps // its turn is counted where it ends
		return
	}
	t.formats[c.format]++
	if c.lastTurnOnly {
		r.Exchanges++
	}
	if !c.toolsLogged {
		r.ToolsUnlogged++
	}
	t.addBench(c.bench)
	t.addTruth(c)
	parts := []*report.Group{group(t.models, cmp.Or(c.model, report.NoModel)), group(t.files, at.file)}
	readAs(parts[1], c.format)
	counts := []*report.Counts{&r.Counts, &parts[0].Counts, &parts[1].Counts}
	for _, each := range counts {
		each.Conversations++
		each.Open += c.open
		for _, n := range c.unseen {
			each.NotJudged += n
		}
	}
	for reason, n := range c.unseen {
		t.unseen[bounded(t.unseen, reason)] += n
	}
	for i := range c.turns {
		t.addTurn(&c.turns[i], counts)
	}
}

// readAs takes note of a format that a file was read as.
func readAs(g *report.Group, format string) {
	switch {
	case g.Format == "":
		g.Format = format
	case !strings.Contains(g.Format, format):
		g.Format += ", " + format
	}
}

// refuse takes note of a file that was found in a folder and is no log.
func (t *totals) refuse(at place, why error) {
	t.report.Passed++
	t.report.Refused = noted(t.report.Refused, at, why)
}

// noted adds one of the first damages to a list.
func noted(list []report.Damage, at place, fault error) []report.Damage {
	if len(list) >= maxDamages {
		return list
	}
	return append(list, report.Damage{File: at.file, Line: at.line, Fault: clip.Text(report.OneLine(fault.Error()), 400)})
}

func group(groups map[string]*report.Group, name string) *report.Group {
	name = clip.Text(report.OneLine(name), 200)
	if groups[name] == nil && len(groups) >= report.MaxGroups {
		name = others
	}
	if groups[name] == nil {
		groups[name] = &report.Group{Name: name}
	}
	return groups[name]
}

// addBench takes note of what tools were taken for. Benches are many only if
// every conversation has tools of its own; then names tell enough.
func (t *totals) addBench(b *bench) {
	if b == nil || t.seen[b.key] {
		return
	}
	if len(t.seen) < 4*maxBenches {
		t.seen[b.key] = true
	}
	for i, tool := range b.tools {
		if _, known := t.effects[tool.Name]; known || len(t.effects) < maxTools {
			t.effects[tool.Name] = b.effects[i]
		}
	}
}

func (t *totals) addTurn(turn *judgedTurn, counts []*report.Counts) {
	clean := !turn.unsure()
	for _, each := range counts {
		each.Turns++
		each.Ghosts += count(turn.ghost())
		each.Insufficient += count(turn.insufficient())
		each.Unsure += count(turn.unsure())
		each.Work += count(clean && turn.verdict.Outcome == completion.CompletedWithWork)
		each.Blocked += count(clean && turn.verdict.Outcome == completion.CompletedWithBlocker)
		each.Cleared += count(turn.ruling.what == report.Cleared)
		each.Unproven += count(turn.ruling.what == report.Unproven)
		each.Unanswered += count(turn.ruling.what == report.Unanswered)
		each.MissingTurns += count(len(turn.missing) > 0)
	}
	t.report.Asides += count(len(turn.asides) > 0)
	t.report.Foreign += count(turn.foreign)
	for _, record := range turn.records {
		t.report.Calls.Add(record)
	}
	if turn.insufficient() {
		t.reasons[turn.reason()]++
	}
	for _, missing := range turn.missing {
		t.missing[bounded(t.missing, missing.Tool)]++
	}
}

// addTruth compares a conversation with what a benchmark says of it: its last turn, with what was
// read afterwards, and without.
func (t *totals) addTruth(c *judged) {
	if c.truth == nil || len(c.turns) == 0 || len(c.unprobed) == 0 {
		return
	}
	kind := bounded(t.truths, cmp.Or(c.truth.Kind, "unnamed"))
	if t.truths[kind] == nil {
		t.truths[kind] = &report.Truth{Kind: kind, Done: c.truth.Done}
	}
	row := t.truths[kind]
	row.Total++
	for turn, found := range map[*judgedTurn]*report.Held{
		&c.turns[len(c.turns)-1]: &row.Probed, &c.unprobed[len(c.unprobed)-1]: &row.Unprobed,
	} {
		found.Stopped += count(turn.insufficient())
		found.Asked += count(turn.unsure())
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// bounded is the name under which something is counted.
func bounded[T any](counts map[string]T, name string) string {
	if _, known := counts[name]; !known && len(counts) >= maxNames {
		return others
	}
	return name
}

// sum is the report, with everything in an order that does not depend on
// chance: the most frequent first, then by name.
func (t *totals) sum() *report.Report {
	r := t.report
	r.GhostRate = report.ShareOf(r.Ghosts, r.Turns)
	r.AlarmRate = report.ShareOf(r.Insufficient, r.Turns)
	r.UnsureRate = report.ShareOf(r.Unsure, r.Turns)
	r.Reasons, r.MissingTools = countList(t.reasons), countList(t.missing)
	r.Unseen, r.Formats = countList(t.unseen), countList(t.formats)
	for _, kind := range slices.Sorted(maps.Keys(t.truths)) {
		r.Truths = append(r.Truths, *t.truths[kind])
	}
	r.Models, r.Files, r.Effects = groupList(t.models), groupList(t.files), t.effectList()
	return &r
}

func countList(of map[string]int) []report.Count {
	counts := []report.Count{}
	for name, n := range of {
		counts = append(counts, report.Count{Name: name, Count: n})
	}
	slices.SortFunc(counts, func(a, b report.Count) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Name, b.Name))
	})
	return counts
}

// groupList puts the worst first: that is what people look for. One ghost in
// three turns is chance, so the lower end of the interval counts.
func groupList(groups map[string]*report.Group) []report.Group {
	list := []report.Group{}
	for _, g := range groups {
		g.GhostRate = report.ShareOf(g.Ghosts, g.Turns)
		list = append(list, *g)
	}
	slices.SortFunc(list, func(a, b report.Group) int {
		return cmp.Or(cmp.Compare(b.GhostRate.Low, a.GhostRate.Low), b.Turns-a.Turns, strings.Compare(a.Name, b.Name))
	})
	return list
}

func (t *totals) effectList() []report.ToolEffect {
	list := []report.ToolEffect{}
	for _, name := range slices.Sorted(maps.Keys(t.effects)) {
		known := t.effects[name]
		source := "the name says nothing"
		switch {
		case known.declared:
			source = "declared"
		case known.word != "":
			source = "guessed from “" + known.word + "”"
		}
		list = append(list, report.ToolEffect{Tool: name, Effect: known.String(), Source: source})
	}
	return list
}
