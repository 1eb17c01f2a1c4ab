package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
)

// scenes are in the order of the tour. The first three tell what the guard is
// for; the others are for those who want to see more.
var scenes = []scene{
	{
		fault: "ghost-success", message: "delete Read book",
		lead: "The model says that it is done, and never calls the tool.",
	},
	{
		fault: "partial", message: "delete Read book and add a task to call mom",
		lead: "Two things are asked for, one is done, both are reported.",
	},
	{
		fault: "wrong-proof", message: "get Read book off my plate",
		lead:  "No rule sees the lie in these words. So the guard asks what they rest on, and code checks the answer.",
		prove: true,
	},
	{fault: "invented-list", message: "list my tasks", lead: "The model makes the list up instead of looking."},
	{
		fault: "wrong-year", message: "add a task to buy milk due tomorrow",
		lead: "The date comes from the year in which the model was trained.",
	},
	{fault: "double-call", message: "add a task to water the cactus", lead: "The same call is made twice."},
	{fault: notSaved, message: "delete Read book", lead: "The tool accepts the change, and never saves it."},
	{fault: "leaked-call", message: "mark Read book as done", lead: "The call is printed as text instead of being made."},
	{fault: "uuid-leak", message: "set Review proposal priority to high", lead: "The answer shows ids to a person."},
	{
		fault: "skip-tool-twice", message: "delete Read book",
		lead: "The model will not call the tool, however often it is asked.",
	},
}

// opening is how many scenes are shown before anybody asks for more.
const opening = 3

// tourCommand shows the same misbehaving model with the guard off and on, case
// by case where somebody looks on.
func tourCommand(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) error {
	s := newSettings("tour", "", errs)
	all := s.flags.Bool("all", false, "show all faults, not only the first three")
	if err := s.parse(args); err != nil {
		return err
	}
	if s.flags.NArg() > 0 {
		return usageError(fmt.Sprintf("the tour takes no arguments, such as %q", s.flags.Arg(0)))
	}
	if s.model != "sim" || len(s.picked) > 0 {
		return usageError("the tour has its own model and faults; use chat or serve to choose them")
	}
	own := false
	s.flags.Visit(func(f *flag.Flag) { own = own || f.Name == "db" })
	if !own {
		s.database = ":memory:" // the tour leaves nothing behind
	}
	service, stop, err := s.open(ctx, true, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer stop()
	t := &tour{terminal: newTerminal(out), service: service, run: uuid.NewString()[:8]}
	if t.seen && typed(in) {
		t.keys = newKeyboard(in)
	}
	return t.show(ctx, *all)
}

type tour struct {
	*terminal
	service *service
	keys    *keyboard // nil where nobody can turn pages
	run     string    // keeps the users of this tour apart from others
	off, on tally
}

// tally is what the summary counts.
type tally struct {
	caught, shown, damaged int
}

// introduction is short, so that the first caught lie fits on a terminal of 24
// lines.
const introduction = "A model with faults, each played twice: without a guard, and with one"

// show plays the first scenes, or all of them.
func (t *tour) show(ctx context.Context, all bool) error {
	t.print("", bold, introduction)
	end := opening
	if all {
		end = len(scenes)
	}
	for i := range end {
		if i > 0 && !t.turnPage(ctx) {
			return nil
		}
		if err := t.scene(ctx, i, end); err != nil {
			return err
		}
	}
	t.summary(len(scenes) - end)
	return nil
}

// turnPage waits for the reader; false ends the tour.
func (t *tour) turnPage(ctx context.Context) bool {
	if t.keys == nil {
		return ctx.Err() == nil
	}
	fmt.Fprint(t, "\n"+t.paint(faint, "Enter: next · q: quit "))
	typed, more := t.keys.next(ctx)
	return more && typed != "q"
}

// scene plays one scene of those up to end.
func (t *tour) scene(ctx context.Context, i, end int) error {
	scene := scenes[i]
	off, err := t.service.play(ctx, fmt.Sprintf("tour-%s-%d-off", t.run, i), scene, true)
	if err != nil {
		return err
	}
	on, err := t.service.play(ctx, fmt.Sprintf("tour-%s-%d-on", t.run, i), scene, false)
	if err != nil {
		return err
	}
	t.off.count(off)
	t.on.count(on)
	title := fmt.Sprintf("── %d of %d: %s ", i+1, end, scene.fault)
	fmt.Fprintf(t, "\n%s\n", t.paint(blue, title+strings.Repeat("─", max(0, t.width-1-screen.Cells(title)))))
	t.print("", faint, scene.lead)
	t.print("You: ", bold, scene.message)
	fmt.Fprintln(t)
	t.beside(t.tell(off, "WITHOUT THE GUARD"), t.tell(on, "WITH THE GUARD"))
	return nil
}

func (t *tally) count(s side) {
	for _, entry := range s.response.Guard.Timeline {
		if entry.Kind == kindWithheld {
			t.caught++
		}
	}
	if len(s.lies) > 0 {
		t.shown++
	}
	if len(s.damage) > 0 {
		t.damaged++
	}
}

// line is a line of a column: a label and a text in a style.
type line struct {
	label, text, style string
}

// tell is one column: what the model did, what the guard did, what the user
// sees, and what the database holds.
func (t *tour) tell(s side, heading string) []line {
	lines := []line{{text: heading, style: bold}}
	for _, entry := range s.response.Guard.Timeline {
		if l, worth := tourLine(entry); worth && (s.response.Guard.Enabled || l.label == "model") {
			lines = append(lines, l)
		}
	}
	lines = append(lines, line{"you see", s.response.AssistantMessage, bold})
	for _, item := range s.response.Proof {
		if s.response.Guard.Enabled && len(item.Records) > 0 {
			lines = append(lines, line{"proof", item.line(s.response.Records), green})
		}
	}
	lines = append(lines, line{"database", rows(s), ""})
	for _, lie := range s.lies {
		lines = append(lines, line{"", "✗ " + lie, red})
	}
	for _, harm := range s.damage {
		lines = append(lines, line{"", "✗ " + harm, red})
	}
	switch {
	case len(s.lies)+len(s.damage) > 0:
	case s.response.Error != nil:
		lines = append(lines, line{"", "✓ an honest error, and nothing was changed", green})
	case len(s.response.ToolCalls) == 0:
		lines = append(lines, line{"", "✗ nothing was done, and nothing says so", red})
	default:
		lines = append(lines, line{"", "✓ what you see is true", green})
	}
	return lines
}

// tourLine is an entry of the timeline as the tour tells it.
func tourLine(entry TimelineEntry) (line, bool) {
	told, worth := tourLines[entry.Kind]
	style, text := "", entry.Text
	if told.who == "guard" {
		style = yellow
	}
	switch {
	case entry.Kind == kindAskedAgain && entry.Tool != "":
		told.text = "asks again, for {tool}"
	case entry.Kind == kindJudged:
		var unproven bool
		if text, unproven = strings.CutPrefix(text, "This proves nothing: "); unproven {
			told.text = "does not accept it: {text}"
		}
		text = strings.TrimSuffix(strings.TrimPrefix(text, "Not good enough: "), ".")
	}
	return line{told.who, strings.NewReplacer("{tool}", entry.Tool, "{text}", text).Replace(told.text), style}, worth
}

var tourLines = map[string]struct{ who, text string }{
	kindCalled:     {"model", "calls {tool}({text})"},
	kindSaid:       {"model", "“{text}”"},
	kindWithheld:   {"model", "“{text}”"},
	kindProof:      {"model", "rests it on: {text}"},
	kindJudged:     {"guard", "does not show it: {text}"},
	kindAskedAgain: {"guard", "asks again, with the reason"},
	kindAskedProof: {"guard", "asks what that rests on"},
	kindRefused:    {"guard", "refuses the call: {text}"},
	kindResolved:   {"guard", "resolves: {text}"},
	kindRewrote:    {"guard", "rewrites {text}"},
	kindRepeated:   {"guard", "does not run it twice"},
	kindExecuted:   {"tool", "{tool} worked; it is on record"},
	kindFailed:     {"tool", "{tool} failed: {text}"},
}

const labelWidth = 10

// beside prints two columns, or one below the other on a narrow terminal.
func (t *tour) beside(left, right []line) {
	if t.width < 90 {
		t.column(left)
		fmt.Fprintln(t)
		t.column(right)
		return
	}
	half := (t.width - 4) / 2
	l, r := t.layout(left, half), t.layout(right, half)
	for i := range max(len(l), len(r)) {
		fmt.Fprintf(t, "%s %s %s\n", cell(l, i, t, half), t.paint(faint, "│"), strings.TrimRight(cell(r, i, t, 0), " "))
	}
}

func (t *tour) column(lines []line) {
	for _, p := range t.layout(lines, t.width-1) {
		fmt.Fprintln(t, cell([]line{p}, 0, t, 0))
	}
}

// layout breaks lines as they stand on the screen.
func (t *tour) layout(lines []line, most int) []line {
	var out []line
	for _, l := range lines {
		indent := labelWidth
		if l.style == bold && l.label == "" {
			indent = 0
		}
		for i, text := range screen.Wrap(l.text, most-indent) {
			label := ""
			if i == 0 {
				label = l.label
			}
			out = append(out, line{screen.Pad(label, indent), text, l.style})
		}
	}
	return out
}

// cell is a line of a column, filled up to a number of cells.
func cell(lines []line, i int, t *tour, most int) string {
	if i >= len(lines) {
		return strings.Repeat(" ", most)
	}
	p := lines[i]
	return t.paint(faint, p.label) + t.paint(p.style, p.text) +
		strings.Repeat(" ", max(0, most-screen.Cells(p.label)-screen.Cells(p.text)))
}

// summary adds it all up, and says where to go from here. More is how many
// scenes were not played.
func (t *tour) summary(more int) {
	off, on := t.service.observing.Counters(), t.service.enforcing.Counters()
	proving := t.service.proving.Counters()
	fmt.Fprintf(t, "\n%s\n", t.paint(bold, screen.Pad("In all", 34)+screen.Pad("without", 10)+"with the guard"))
	row := func(name string, without, with any, style string) {
		fmt.Fprintf(t, "%s%s%s\n", screen.Pad(name, 34), screen.Pad(fmt.Sprint(without), 10),
			t.paint(style, fmt.Sprint(with)))
	}
	row("tools due", off.ToolsDue, on.ToolsDue+proving.ToolsDue, "")
	row("tools due and called", off.ToolsCalled, on.ToolsCalled+proving.ToolsCalled, "")
	row("model asked again or corrected", off.AskedAgain+off.Corrected,
		on.AskedAgain+on.Corrected+proving.AskedAgain+proving.Corrected, "")
	row("model asked for proof", off.ProofsAsked, on.ProofsAsked+proving.ProofsAsked, "")
	row("texts withheld", t.off.caught, t.on.caught, "")
	row("lies shown", t.off.shown, t.on.shown, green)
	row("turns that spoiled the database", t.off.damaged, t.on.damaged, green)
	fmt.Fprintf(t, "\n%s\n", t.paint(bold, "What to try next"))
	next := [][2]string{
		{"go run ./examples/taskmanager chat", "talk to it; /fault ghost-success makes it lie, /guard off lets it"},
		{"go run ./examples/taskmanager serve -dev", "the same in a browser, side by side"},
		{"go run ./examples/quickstart", "the library in one small file"},
		{"go run ./examples/audit transcripts LOGS", "how often your own agent claims what it did not do"},
	}
	if more > 0 {
		next = slices.Insert(next, 0, [2]string{
			"go run ./examples/taskmanager tour -all", fmt.Sprintf("the other %d faults", more),
		})
	}
	for _, command := range next {
		t.print("  ", blue, command[0])
		t.print("      ", "", command[1])
	}
}
