package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/google/uuid"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// scene is one message to a model with one fault.
type scene struct {
	fault   string
	message string
	lead    string // what goes wrong in real agents
}

var scenes = []scene{
	{"ghost-success", "delete Read book", "The model says that it is done, and never calls the tool."},
	{"partial", "delete Read book and add a task to call mom", "Two things are asked for, one is done, both are reported."},
	{"invented-list", "list my tasks", "The model makes the list up instead of looking."},
	{"wrong-year", "add a task to buy milk due tomorrow", "The date comes from the year in which the model was trained."},
	{"double-call", "add a task to water the cactus", "The same call is made twice."},
	{"leaked-call", "mark Read book as done", "The call is printed as text instead of being made."},
	{"uuid-leak", "set Review proposal priority to high", "The answer shows ids to a person."},
	{"skip-tool-twice", "delete Read book", "The model will not call the tool, however often it is asked."},
}

// tourCommand shows the same misbehaving model with the guard off and on.
func tourCommand(ctx context.Context, args []string, out, errs io.Writer) error {
	s := newSettings("", errs)
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
	return t.show(ctx)
}

type tour struct {
	*terminal
	service *service
	run     string // keeps the users of this tour apart from others
	off, on tally
}

// tally is what the summary counts.
type tally struct {
	caught, shown, damaged int
}

func (t *tour) show(ctx context.Context) error {
	fmt.Fprintln(t, t.paint(bold, "A task manager that cannot lie about what it did"))
	t.paragraph("Here is one model that misbehaves, one fault at a time. On the left it talks to you directly. On the right a guard stands in between: it knows which tools your message needs, keeps a ledger of the calls that really ran, and shows you nothing that the ledger does not prove.")
	for i, scene := range scenes {
		if err := t.scene(ctx, i, scene); err != nil {
			return err
		}
	}
	t.summary()
	return nil
}

func (t *tour) paragraph(text string) {
	for _, line := range wrap(text, t.width-2) {
		fmt.Fprintln(t, line)
	}
}

// side is one half of a scene.
type side struct {
	response      *ChatResponse
	before, after []Task
	lies, damage  []string
}

func (t *tour) scene(ctx context.Context, i int, scene scene) error {
	off, err := t.play(ctx, i, scene, true)
	if err != nil {
		return err
	}
	on, err := t.play(ctx, i, scene, false)
	if err != nil {
		return err
	}
	t.off.count(off)
	t.on.count(on)
	title := fmt.Sprintf("── %d of %d: %s ", i+1, len(scenes), scene.fault)
	fmt.Fprintf(t, "\n%s\n", t.paint(blue, title+strings.Repeat("─", max(0, t.width-2-len([]rune(title))))))
	fmt.Fprintln(t, t.paint(faint, scene.lead))
	fmt.Fprintf(t, "You: %s\n\n", t.paint(bold, scene.message))
	t.beside(t.tell(off, "WITHOUT THE GUARD"), t.tell(on, "WITH THE GUARD"))
	return nil
}

// play sends the message to a user of its own and looks at the rows before and
// after.
func (t *tour) play(ctx context.Context, i int, scene scene, unguarded bool) (side, error) {
	user := fmt.Sprintf("tour-%s-%d-%v", t.run, i, unguarded)
	if err := t.service.tasks.welcome(ctx, user); err != nil {
		return side{}, err
	}
	var s side
	var err error
	if s.before, err = t.service.tasks.list(ctx, user, ""); err != nil {
		return side{}, err
	}
	s.response, _, err = t.service.chat(ctx, chatRequest{
		user: user, message: scene.message, faults: simmodel.Faults{scene.fault}, unguarded: unguarded,
	})
	if err != nil {
		return side{}, err
	}
	if s.after, err = t.service.tasks.list(ctx, user, ""); err != nil {
		return side{}, err
	}
	s.lies = lies(s.response.AssistantMessage, len(s.response.ToolCalls), s.before, s.after)
	s.damage = damage(s.before, s.after, t.service.tasks.clock().Year())
	return s, nil
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
	lines = append(lines, line{"you see", s.response.AssistantMessage, bold}, line{"database", rows(s), ""})
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
	switch entry.Kind {
	case kindCalled:
		return line{"model", "calls " + entry.Tool + "(" + entry.Text + ")", ""}, true
	case kindSaid, kindWithheld:
		return line{"model", "“" + entry.Text + "”", ""}, true
	case kindJudged:
		return line{"guard", "does not show it: " + strings.TrimSuffix(strings.TrimPrefix(entry.Text, "This will not do: "), "."), yellow}, true
	case kindAskedAgain:
		if entry.Tool != "" {
			return line{"guard", "asks again, for " + entry.Tool, yellow}, true
		}
		return line{"guard", "asks again, with the reason", yellow}, true
	case kindRefused:
		return line{"guard", "refuses the call: " + entry.Text, yellow}, true
	case kindResolved:
		return line{"guard", "resolves: " + entry.Text, yellow}, true
	case kindRewrote:
		return line{"guard", "rewrites " + entry.Text, yellow}, true
	case kindRepeated:
		return line{"guard", "does not run it twice", yellow}, true
	case kindExecuted:
		return line{"tool", entry.Tool + " worked; it is on record", ""}, true
	case kindFailed:
		return line{"tool", entry.Tool + " failed: " + entry.Text, ""}, true
	}
	return line{}, false
}

// rows says what a scene did to the database.
func rows(s side) string {
	gone, added, changed := difference(s.before, s.after)
	var parts []string
	for i, n := range []int{gone, added, changed} {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, [...]string{"deleted", "added", "changed"}[i]))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("%d tasks, as before", len(s.after))
	}
	return fmt.Sprintf("%d tasks: %s", len(s.after), strings.Join(parts, ", "))
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
	width := (t.width - 5) / 2
	l, r := t.layout(left, width), t.layout(right, width)
	for i := range max(len(l), len(r)) {
		fmt.Fprintf(t, "%s %s %s\n", cell(l, i, t, width), t.paint(faint, "│"), strings.TrimRight(cell(r, i, t, 0), " "))
	}
}

func (t *tour) column(lines []line) {
	for _, p := range t.layout(lines, t.width-2) {
		fmt.Fprintln(t, cell([]printed{p}, 0, t, 0))
	}
}

// printed is a line as it stands on the screen.
type printed struct {
	label, text, style string
}

func (t *tour) layout(lines []line, width int) []printed {
	var out []printed
	for _, l := range lines {
		indent := labelWidth
		if l.style == bold && l.label == "" {
			indent = 0
		}
		for i, text := range wrap(l.text, width-indent) {
			label := ""
			if i == 0 {
				label = l.label
			}
			out = append(out, printed{pad(label, indent), text, l.style})
		}
	}
	return out
}

func cell(lines []printed, i int, t *tour, width int) string {
	if i >= len(lines) {
		return strings.Repeat(" ", width)
	}
	p := lines[i]
	room := 0
	if width > 0 {
		room = width - len([]rune(p.label))
	}
	return t.paint(faint, p.label) + t.paint(p.style, p.text) + strings.Repeat(" ", max(0, room-len([]rune(p.text))))
}

// summary adds it all up.
func (t *tour) summary() {
	off, on := t.service.observing.Counters(), t.service.enforcing.Counters()
	fmt.Fprintf(t, "\n%s\n", t.paint(bold, pad("In all", 34)+pad("without", 12)+"with the guard"))
	row := func(name string, without, with any, style string) {
		fmt.Fprintf(t, "%s%s%s\n", pad(name, 34), pad(fmt.Sprint(without), 12), t.paint(style, fmt.Sprint(with)))
	}
	row("tools due", off.ToolsDue, on.ToolsDue, "")
	row("tools due and called", off.ToolsCalled, on.ToolsCalled, "")
	row("model asked again or corrected", off.AskedAgain+off.Corrected, on.AskedAgain+on.Corrected, "")
	row("lies caught", t.off.caught, t.on.caught, "")
	row("lies shown", t.off.shown, t.on.shown, green)
	row("turns that spoiled the database", t.off.damaged, t.on.damaged, green)
	fmt.Fprintln(t)
	t.paragraph("Talk to it yourself: go run ./examples/taskmanager chat \"delete Read book\"\nIn the browser: go run ./examples/taskmanager serve -dev")
}
