package transcripts

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
)

// Bounds on what a report names one by one. What is beyond them is counted.
const (
	maxGroups  = 500
	maxNames   = 500
	maxTools   = 1000
	maxDamages = 100
	maxSchemas = 5
	others     = "(all others)"
	noModel    = "(no model named)"
)

// totals sums judged conversations up, in the order in which they were read.
type totals struct {
	report  Report
	reasons map[string]int
	missing map[string]int
	unseen  map[string]int
	formats map[string]int
	blocks  map[blockKey]*BlockedCalls
	calls   callCount
	models  map[string]*Group
	files   map[string]*Group
	effects map[string]effect
	seen    map[toolsKey]bool
}

type blockKey struct{ tool, rule string }

func newTotals() *totals {
	return &totals{
		report: Report{Sources: []string{}, Damages: []Damage{}}, reasons: map[string]int{}, missing: map[string]int{}, unseen: map[string]int{}, formats: map[string]int{},
		blocks: map[blockKey]*BlockedCalls{}, models: map[string]*Group{}, files: map[string]*Group{}, effects: map[string]effect{}, seen: map[toolsKey]bool{},
	}
}

func (t *totals) damage(at place, fault error) {
	t.report.Damaged++
	if len(t.report.Damages) < maxDamages {
		t.report.Damages = append(t.report.Damages, Damage{at.file, at.line, clip(oneLine(fault.Error()), 300)})
	}
}

func (t *totals) add(at place, c *judged) {
	r := &t.report
	r.Conversations++
	r.Open += c.open
	r.Steps += c.steps
	t.formats[c.format]++
	if c.lastTurnOnly {
		r.Exchanges++
	}
	if !c.toolsLogged {
		r.ToolsUnlogged++
	}
	t.addBench(c.bench)
	parts := []*Group{group(t.models, cmp.Or(c.model, noModel)), group(t.files, at.file)}
	parts[1].readAs(c.format)
	for reason, n := range c.unseen {
		t.unseen[bounded(t.unseen, reason)] += n
		r.NotJudged += n
		parts[0].NotJudged += n
		parts[1].NotJudged += n
	}
	for _, part := range parts {
		part.Conversations++
	}
	for i := range c.turns {
		t.addTurn(&c.turns[i], parts)
	}
}

// readAs takes note of a format that a file was read as.
func (g *Group) readAs(format string) {
	switch {
	case g.Format == "":
		g.Format = format
	case !strings.Contains(g.Format, format):
		g.Format += ", " + format
	}
}

// refuse takes note of a file that was found in a folder and is no log.
func (t *totals) refuse(u *unread) {
	t.report.Passed++
	if len(t.report.Refused) < maxDamages {
		t.report.Refused = append(t.report.Refused, Damage{File: u.file, Fault: clip(oneLine(u.err.Error()), 400)})
	}
}

func group(groups map[string]*Group, name string) *Group {
	name = clip(oneLine(name), 200)
	if groups[name] == nil && len(groups) >= maxGroups {
		name = others
	}
	if groups[name] == nil {
		groups[name] = &Group{Name: name}
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
	if b.unusable != "" && len(t.report.Schemas) < maxSchemas {
		if fault := clip(oneLine(b.unusable), 300); !slices.Contains(t.report.Schemas, fault) {
			t.report.Schemas = append(t.report.Schemas, fault)
		}
	}
}

func (t *totals) addTurn(turn *judgedTurn, parts []*Group) {
	r := &t.report
	ghost, missing := count(turn.ghost()), count(len(turn.missing) > 0)
	insufficient, unsure := count(turn.insufficient()), count(turn.unsure())
	clean := !turn.unsure()
	work, blocker := count(clean && turn.verdict.Outcome == completion.CompletedWithWork), count(clean && turn.verdict.Outcome == completion.CompletedWithBlocker)
	r.Turns++
	r.Ghosts += ghost
	r.Insufficient += insufficient
	r.Unsure += unsure
	r.Work += work
	r.Blocked += blocker
	r.MissingTurns += missing
	r.BlockedCalls += len(turn.blocked)
	r.Asides += count(len(turn.asides) > 0)
	r.Foreign += count(turn.foreign)
	for _, part := range parts {
		part.Turns++
		part.Ghosts += ghost
		part.Insufficient += insufficient
		part.Unsure += unsure
		part.Work += work
		part.Blocked += blocker
		part.Missing += missing
		part.BlockedCalls += len(turn.blocked)
	}
	t.calls.addAll(turn.calls)
	if turn.insufficient() {
		t.reasons[turn.reason()]++
	}
	for _, missing := range turn.missing {
		t.missing[bounded(t.missing, missing.Tool)]++
	}
	for _, call := range turn.blocked {
		t.addBlocked(call)
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// bounded is the name under which something is counted.
func bounded(counts map[string]int, name string) string {
	if _, known := counts[name]; !known && len(counts) >= maxNames {
		return others
	}
	return name
}

func (t *totals) addBlocked(call blockedCall) {
	key := blockKey{clip(oneLine(call.tool), 200), call.rule}
	if t.blocks[key] == nil && len(t.blocks) >= maxNames {
		key = blockKey{others, ""}
	}
	if t.blocks[key] == nil {
		t.blocks[key] = &BlockedCalls{Tool: key.tool, Rule: key.rule, Reason: clip(oneLine(call.reason), 300)}
	}
	t.blocks[key].Count++
}

// sum is the report, with everything in an order that does not depend on
// chance: the most frequent first, then by name.
func (t *totals) sum() *Report {
	r := t.report
	r.GhostRate, r.AlarmRate, r.UnsureRate = shareOf(r.Ghosts, r.Turns), shareOf(r.Insufficient, r.Turns), shareOf(r.Unsure, r.Turns)
	r.Reasons, r.MissingTools, r.Unseen, r.Formats = countList(t.reasons), countList(t.missing), countList(t.unseen), countList(t.formats)
	r.Blocks = []BlockedCalls{}
	for _, block := range t.blocks {
		r.Blocks = append(r.Blocks, *block)
	}
	slices.SortFunc(r.Blocks, func(a, b BlockedCalls) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Tool, b.Tool), strings.Compare(a.Rule, b.Rule))
	})
	r.Models, r.Files, r.Effects = groupList(t.models), groupList(t.files), t.effectList()
	c := t.calls
	r.Calls = Calls{c.total(), c.executed, c.reported, c.unanswered, c.succeeded, c.failed, c.denied, c.pending, c.unknown}
	return &r
}

func countList(of map[string]int) []Count {
	counts := []Count{}
	for name, n := range of {
		counts = append(counts, Count{name, n})
	}
	slices.SortFunc(counts, func(a, b Count) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Name, b.Name)) })
	return counts
}

// groupList puts the worst first: that is what people look for. One ghost in
// three turns is chance, so the lower end of the interval counts.
func groupList(groups map[string]*Group) []Group {
	list := []Group{}
	for _, g := range groups {
		g.GhostRate = shareOf(g.Ghosts, g.Turns)
		list = append(list, *g)
	}
	slices.SortFunc(list, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.GhostRate.Low, a.GhostRate.Low), b.Turns-a.Turns, strings.Compare(a.Name, b.Name))
	})
	return list
}

func (t *totals) effectList() []ToolEffect {
	list := []ToolEffect{}
	for _, name := range slices.Sorted(maps.Keys(t.effects)) {
		known := t.effects[name]
		source := "the name says nothing"
		switch {
		case known.declared:
			source = "declared"
		case known.word != "":
			source = "guessed from “" + known.word + "”"
		}
		list = append(list, ToolEffect{name, known.String(), source})
	}
	return list
}
