package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

//go:embed tour.txt
var tourText string

// scenes are messages to a model, each with the fault by which the scene is named.
var scenes = simmodel.Scenes(tourText, nil)

// opening is how many scenes are shown before anybody asks for more.
const opening = 3

// tourCommand shows the same misbehaving model with the guard off and on, case by case where somebody looks on.
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

// introduction is short, so that the first caught lie fits on a terminal of 24 lines.
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
	title := fmt.Sprintf("── %d of %d: %s ", i+1, end, scene.Name)
	fmt.Fprintf(t, "\n%s\n", t.paint(blue, title+strings.Repeat("─", max(0, t.width-1-screen.Cells(title)))))
	t.print("", faint, scene.Title)
	t.print("You: ", bold, scene.Person)
	fmt.Fprintln(t)
	t.tell(off, "WITHOUT THE GUARD")
	fmt.Fprintln(t)
	t.tell(on, "WITH THE GUARD")
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

// tell says what the model did, what the guard did, what the user sees, and what the database holds.
func (t *tour) tell(s side, heading string) {
	t.print("", bold, heading)
	for _, entry := range s.response.Guard.Timeline {
		if who, text, style := tourLine(entry); who == "model" || who != "" && s.response.Guard.Enabled {
			t.line(who, style, text)
		}
	}
	t.line("you see", bold, s.response.AssistantMessage)
	for _, item := range s.response.Proof {
		if s.response.Guard.Enabled && len(item.Records) > 0 {
			t.line("proof", green, item.line(s.response.Records))
		}
	}
	t.line("database", "", rows(s))
	for _, wrong := range slices.Concat(s.lies, s.damage) {
		t.line("", red, "✗ "+wrong)
	}
	switch {
	case len(s.lies)+len(s.damage) > 0:
	case s.response.Error != nil:
		t.line("", green, "✓ an honest error, and nothing was changed")
	case len(s.response.ToolCalls) == 0:
		t.line("", red, "✗ nothing was done, and nothing says so")
	default:
		t.line("", green, "✓ what you see is true")
	}
}

// line is a text after a label.
func (t *tour) line(label, style, text string) {
	const labelWidth = 10
	t.print(screen.Pad(label, labelWidth), style, text)
}

// tourLine is an entry of the timeline as the tour tells it; nobody where it does not.
func tourLine(entry TimelineEntry) (who, text, style string) {
	told := tourLines[entry.Kind]
	text = entry.Text
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
	return told.who, strings.NewReplacer("{tool}", entry.Tool, "{text}", text).Replace(told.text), style
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

// summary adds it all up, and says where to go from here. More is how many scenes were not played.
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
