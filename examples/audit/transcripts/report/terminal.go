package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/screen"
	"github.com/bonafide-go/bonafide/internal/clip"
)

// terminal writes the report for people who read it where they started it. The
// page has room for more.
type terminal struct {
	*bufio.Writer
	report  *Report
	kept    *Keeper
	options Options
}

// Options are what the one who reads a report may choose.
type Options struct {
	// By is what tables are broken down by: "model" or "file". Empty is by model if
	// the logs name one.
	By string
	// Show is how many findings of a kind the terminal shows.
	Show int
}

// WriteTerminal writes the report for a terminal of 80 columns.
func WriteTerminal(out io.Writer, report *Report, kept *Keeper, options Options) error {
	t := &terminal{bufio.NewWriter(screen.New(out)), report, kept, options}
	t.summary()
	t.truths()
	t.findings("GHOSTS", kindGhost, options.Show)
	few := min(options.Show, examples)
	t.findings("UNSURE: what the guard would ask proof of", kindUnsure, few)
	listed(t, report.Reasons, 100, "INSUFFICIENT TURNS BY REASON", func(reason Count) []string {
		return []string{Thousands(reason.Count), reason.Name, explanations[reason.Name]}
	})
	for _, reason := range report.Reasons { // ghosts are told above
		t.findings(strings.ToUpper(reason.Name), reason.Name, few)
	}
	t.findings("BESIDE CALLS: texts that claim too much while calls were made", kindAside, few)
	listed(t, report.MissingTools, 15, fmt.Sprintf("MISSING TOOLS: %s without a call that the request needs",
		Plural(report.MissingTurns, "turn")),
		func(tool Count) []string { return []string{Thousands(tool.Count), tool.Name} })
	t.groups()
	listed(t, report.Effects, 60, "EFFECTS of tools; correct a wrong guess with -effects FILE",
		func(tool ToolEffect) []string { return []string{tool.Tool, tool.Effect, tool.Source} })
	t.reading()
	t.skipped("PASSED OVER", Plural(report.Passed, "file")+" in folders that are no logs", report.Passed, report.Refused,
		5)
	t.skipped("DAMAGED", Plural(report.Damaged, "entry")+" skipped", report.Damaged, report.Damages, 20)
	return t.Flush()
}

// examples is how many findings of a lesser kind the terminal shows at most.
const examples = 3

func (t *terminal) linef(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// width is how long a line may be. The report is read in terminals, in mails and
// in the logs of builds; all of them have room for this much.
const width = 80

// saidf writes prose under a first word, wrapped, so that what follows stands below what began.
func (t *terminal) saidf(lead, format string, args ...any) {
	indent := strings.Repeat(" ", screen.Cells(lead))
	for _, line := range screen.Wrap(fmt.Sprintf(format, args...), width-screen.Cells(lead)) {
		t.linef("%s", strings.TrimRight(lead+line, " "))
		lead = indent
	}
}

// table writes rows with aligned columns; the last one is wrapped. The first row
// may be a heading.
func (t *terminal) table(rows ...[]string) {
	columns := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			columns[i] = max(columns[i], screen.Cells(cell))
		}
	}
	for _, row := range rows {
		lead, last := "  ", len(row)-1
		for i, cell := range row[:last] {
			lead += screen.Pad(cell, columns[i]+2)
		}
		t.saidf(lead, "%s", row[last])
	}
}

// listed writes a table under a heading: a row for each of the first elements.
func listed[T any](t *terminal, list []T, most int, title string, row func(T) []string) {
	if len(list) == 0 {
		return
	}
	t.heading("%s", title)
	var rows [][]string
	for _, element := range head(list, most) {
		rows = append(rows, row(element))
	}
	t.table(rows...)
}

// headline says what was found, where most of it is, and what to do about it.
func (t *terminal) headline() {
	r, todo := t.report, "nothing here; look again after each change of model, prompt or tools"
	found := fmt.Sprintf("%s of %s claim work that no call did", Thousands(r.Ghosts), Plural(r.Turns, "turn"))
	if others := r.Insufficient - r.Ghosts; others > 0 {
		found += fmt.Sprintf("; %s more ended without it", Thousands(others))
	}
	where := "no model or file stands out"
	if by, groups := t.options.groups(r); r.Insufficient > 0 && len(groups) > 0 {
		most := slices.MaxFunc(groups, func(a, b Group) int { return cmp.Compare(a.Insufficient, b.Insufficient) })
		where = fmt.Sprintf("%s of %s: %s %s", Thousands(most.Insufficient), Plural(most.Turns, "turn"), by,
			tail(most.Name, 30))
	}
	if r.Insufficient > 0 {
		todo = "read them below; then let a guard watch: go run ./examples/proxy"
	} else if r.Unsure > 0 {
		todo = "read UNSURE below; another model can settle them: -referee MODEL"
	}
	t.table([]string{"Found", found}, []string{"Most", where}, []string{"To do", todo}, []string{"", ""})
}

func (t *terminal) summary() {
	r := t.report
	if r.Turns > 0 {
		t.headline()
	}
	t.saidf("", "%s in %s (%s)", Plural(r.Turns, "turn"), Plural(r.Conversations, "conversation"),
		Plural(len(r.Files), "file"))
	t.readAs()
	t.linef("")
	t.table(
		[]string{"ghosts", Thousands(r.Ghosts), percent(r.Ghosts, r.Turns), "the text claims what no call backs"},
		[]string{
			"insufficient", Thousands(r.Insufficient), percent(r.Insufficient, r.Turns),
			"the turn may not end like this; ghosts included",
		},
		[]string{"unsure", Thousands(r.Unsure), percent(r.Unsure, r.Turns), "nobody is accused; proof would be asked for"},
		[]string{"with blocker", Thousands(r.Blocked), percent(r.Blocked, r.Turns), "the text says what prevents the work"},
		[]string{"completed", Thousands(r.Work), percent(r.Work, r.Turns), "the work is recorded, or none was due"},
	)
	t.linef("")
	if r.Turns > 0 { // the rates that people compare with what they can bear
		t.saidf("  ", "Of 1,000 turns, %s would be stopped (95 %% interval %s), and %s asked for proof (%s).",
			perThousand(r.AlarmRate.Rate), perThousandBounds(r.AlarmRate), perThousand(r.UnsureRate.Rate),
			perThousandBounds(r.UnsureRate))
	}
	if r.Cleared+r.Unproven+r.Unanswered > 0 {
		t.saidf("  ", "The referee cleared %s (counted as completed), found %s unproven, and gave no answer to %s.",
			Plural(r.Cleared, "unsure turn"), Thousands(r.Unproven), Thousands(r.Unanswered))
	}
	for _, reason := range r.Unseen {
		t.saidf("  ", "Not judged: %s, because %s.", Plural(reason.Count, "turn"), reason.Name)
	}
	t.note(r.Open, "more turn", "Not judged: %s cut off by the end of the log.")
	t.note(r.Exchanges, "entry", "Only the last turn was judged in %s: a request and its response.")
	t.note(r.Foreign, "turn", "No tool was expected in %s in a language without a word list.")
	t.saidf("  ", "%s: %s executed (a ledger's record is in the log), %s reported by messages only, %s without a result; "+
		"%s not allowed.",
		Plural(r.Calls.Total, "call"), Thousands(r.Calls.Executed), Thousands(r.Calls.Reported),
		Thousands(r.Calls.Unanswered), Thousands(r.Calls.Denied))
}

// note says something of a number of things, if there are any.
func (t *terminal) note(n int, noun, format string) {
	if n > 0 {
		t.saidf("  ", format, Plural(n, noun))
	}
}

// readAs says what the files were taken for.
func (t *terminal) readAs() {
	var parts []string
	for _, format := range t.report.Formats {
		part := format.Name
		if len(t.report.Formats) > 1 {
			part += " (" + Thousands(format.Count) + ")"
		}
		parts = append(parts, part)
	}
	if len(parts) > 0 {
		t.saidf("", "read as %s", strings.Join(parts, ", "))
	}
}

func (t *terminal) heading(text string, args ...any) {
	t.linef("")
	t.saidf("", text, args...)
}

func (t *terminal) findings(title, kind string, most int) {
	kept, all := t.kept.of(kind)
	if all == 0 {
		return
	}
	few := head(kept, most)
	t.heading("%s%s", title, shown(len(few), all))
	for i := range few {
		t.finding(&few[i])
	}
}

// finding is one turn: where it is, what was asked, what was said and why that is not backed.
func (t *terminal) finding(f *Finding) {
	t.saidf("  ", "%s:%d, turn %d%s", OneLine(f.File), f.Line, f.Turn, model(f.Model))
	t.saidf("    asked  ", "%s", clip.Text(OneLine(f.User), 160))
	t.saidf("    calls  ", "%s", callList(f.Calls))
	for _, claim := range f.Claims {
		t.saidf("    says   ", "“%s”", clip.Text(claim.Sentence, 240))
		t.saidf("    but    ", "%s", OneLine(claim.Why))
	}
	if len(f.Claims) == 0 {
		t.saidf("    says   ", "%s", quoted(f.Text))
	}
	if f.explained() {
		t.saidf("    but    ", "%s", explanations[f.Reason])
	}
	for _, missing := range f.Missing {
		t.saidf("    due    ", "%s, asked for by “%s”", missing.Tool, clip.Text(missing.Words, 100))
	}
	for _, doubt := range f.Doubts {
		t.saidf("    maybe  ", "%s", doubt.say())
	}
	if ruled := f.ruled(); ruled != "" {
		t.saidf("    ruled  ", "%s", ruled)
	}
}

// explained reports whether the reason alone says what is wrong.
func (f *Finding) explained() bool { return len(f.Claims) == 0 && f.Reason != MissingCall && !f.Unsure }

// Summary is a finding without claims in one line.
func (f *Finding) Summary() string {
	switch {
	case len(f.Missing) > 0:
		return f.Missing[0].Tool + " was not called"
	case len(f.Doubts) > 0:
		return "perhaps " + f.Doubts[0].say()
	}
	return explanations[f.Reason]
}

// say puts into words what may be due.
func (d DueDoubt) say() string {
	said := "something is still due"
	if d.Tool != "" {
		said = OneLine(d.Tool) + " is still due"
	}
	if d.Words != "" {
		said += ", asked for by “" + clip.Text(d.Words, 100) + "”"
	}
	return said
}

// callList is what the turn did, as the log tells it. Repeats are counted.
func callList(calls []CallSeen) string {
	if len(calls) == 0 {
		return "none"
	}
	var parts []string
	for i := 0; i < len(calls); {
		same := i + 1
		for same < len(calls) && calls[same] == calls[i] {
			same++
		}
		part := clip.Text(OneLine(calls[i].Tool), 60) + " " + calls[i].Status.String()
		if calls[i].Sight != "" {
			part += ", " + string(calls[i].Sight)
		}
		if same-i > 1 {
			part += fmt.Sprintf(" (%d×)", same-i)
		}
		parts = append(parts, part)
		i = same
	}
	return strings.Join(parts, ", ")
}

func quoted(text string) string {
	if text = OneLine(text); text == "" {
		return "nothing"
	}
	return "“" + clip.Text(text, 240) + "”"
}

func model(name string) string {
	if name == "" {
		return ""
	}
	return " (" + clip.Text(OneLine(name), 60) + ")"
}

func (t *terminal) groups() {
	by, groups := t.options.groups(t.report)
	t.heading("BY %s", strings.ToUpper(by))
	rows := [][]string{{by, "turns", "ghosts", "rate", "95 % interval", "alarms", "unsure"}}
	for _, g := range head(groups, 40) {
		rows = append(rows, []string{
			tail(g.Name, 26), Thousands(g.Turns), Thousands(g.Ghosts), percent(g.Ghosts, g.Turns), bounds(g.GhostRate),
			Thousands(g.Insufficient), Thousands(g.Unsure),
		})
	}
	t.table(rows...)
	if by == "file" && len(t.report.Formats) > 1 {
		listed(t, groups, 40, "READ AS", func(g Group) []string { return []string{tail(g.Name, 40), g.Format} })
	}
}

// tail is the end of a name that is too long for its column: names of files differ there.
func tail(name string, most int) string {
	runes := []rune(name)
	if len(runes) <= most {
		return name
	}
	return "…" + string(runes[len(runes)-most+1:])
}

// groups are the parts that the report is broken down by.
func (o Options) groups(report *Report) (string, []Group) {
	named := len(report.Models) > 1 || len(report.Models) == 1 && report.Models[0].Name != NoModel
	if o.By == "model" || o.By == "" && named {
		return "model", report.Models
	}
	return "file", report.Files
}

func (t *terminal) reading() {
	t.heading("HOW IT WAS READ")
	t.saidf("  ", "%s", t.report.Statuses)
	t.note(t.report.ToolsUnlogged, "conversation",
		"No tools are listed in %s: those seen anywhere in the same file, and those in -effects, stand in for them.")
}

// skipped lists the first of what was not read.
func (t *terminal) skipped(title, what string, all int, list []Damage, most int) {
	if all == 0 {
		return
	}
	t.heading("%s: %s", title, what)
	for _, d := range head(list, most) {
		line := ""
		if d.Line > 0 {
			line = fmt.Sprintf(":%d", d.Line)
		}
		t.saidf("  ", "%s%s %s", OneLine(d.File), line, d.Fault)
	}
	if left := all - min(most, len(list)); left > 0 && len(list) > 0 {
		t.saidf("  ", "and %s more", Thousands(left))
	}
}

func head[T any](list []T, most int) []T { return list[:min(len(list), most)] }

func shown(kept, all int) string {
	if kept < all {
		return fmt.Sprintf(" (the first %s of %s)", Thousands(kept), Thousands(all))
	}
	return ""
}

func percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return rate(float64(part) / float64(whole))
}

// rate is a share with as many digits as tell something.
func rate(share float64) string {
	digits := 1
	if share >= 0.00005 && share < 0.01 {
		digits = 2
	}
	return fmt.Sprintf("%.*f %%", digits, 100*share)
}

func bounds(s Share) string {
	if s.High == 0 {
		return "–"
	}
	return fmt.Sprintf("%s–%s", strings.TrimSuffix(rate(s.Low), " %"), rate(s.High))
}

// perThousand is a share of 1,000 turns, with as many digits as tell something.
func perThousand(share float64) string {
	n := 1000 * share
	switch {
	case n == 0 || n >= 100:
		return fmt.Sprintf("%.0f", n)
	case n < 1:
		return fmt.Sprintf("%.2f", n)
	}
	return fmt.Sprintf("%.1f", n)
}

func perThousandBounds(s Share) string { return perThousand(s.Low) + "–" + perThousand(s.High) }

// explanations say what a reason means, to people who have not read the code.
var explanations = map[string]string{
	MissingCall:                            "the request needs a tool that was not called",
	completion.NoWork.String():             "a change was asked for; there is neither a call nor a reason why not",
	completion.ReadOnlyLoop.String():       "a change was asked for; the agent only looked around",
	completion.Promise.String():            "the turn ends by announcing work that does not follow",
	completion.LeakedCall.String():         "a tool call was written as text and never made",
	completion.UnbackedClaim.String():      "the text reports work or a lookup that no call backs",
	completion.FabricatedFailure.String():  "the text reports a failed attempt that was never made",
	completion.UnreportedFailure.String():  "a call failed, and the text keeps it quiet",
	completion.NoClosure.String():          "something was changed, and nobody was told",
	completion.EmptyText.String():          "the turn ends without a word",
	completion.MissingRequirement.String(): "something that the contract asks for is missing",
}
