package stage

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard"
)

// Printer shows turns as they happen, a line for each message.
type Printer struct {
	// Prompt picks what is shown of the system prompt of each turn. Default: nothing.
	Prompt func(system string) string

	out *screen.Screen
}

// NewPrinter returns a printer that writes to out.
func NewPrinter(out io.Writer) *Printer { return &Printer{out: screen.New(out)} }

// Title begins a scene.
func (p *Printer) Title(format string, args ...any) {
	fmt.Fprintf(p.out, "\n== %s\n", fmt.Sprintf(format, args...))
}

// Line prints what somebody says. Long texts are cut, and continued lines are set under the first.
func (p *Printer) Line(who, text string) {
	const width, most, lead = 118, 12, 9
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > most {
		lines = append(lines[:most-1], fmt.Sprintf("… (%d more lines)", len(lines)-most+1))
	}
	for i, line := range lines {
		if runes := []rune(line); len(runes) > 3*width {
			line = string(runes[:3*width]) + "…"
		}
		if i > 0 {
			who = ""
		}
		for _, piece := range p.fitting(line, lead) {
			fmt.Fprintf(p.out, "%-*s%s\n", lead, who, piece)
			who = ""
		}
	}
}

// fitting breaks a line that the terminal is too narrow for, after a lead.
func (p *Printer) fitting(line string, lead int) []string {
	columns := p.out.Columns()
	if columns == 0 || screen.Cells(line) < columns-lead {
		return []string{line}
	}
	return screen.Wrap(line, columns-lead-1)
}

// Play performs scenes under their titles. Its error names those that did not end as they should.
func (p *Printer) Play(noun, promise string, scenes []simmodel.Scene, perform func(simmodel.Scene) error) error {
	var failed []string
	for _, scene := range scenes {
		p.Title("%s", scene.Title)
		if err := perform(scene); err != nil {
			p.Line("FAILED", err.Error())
			failed = append(failed, scene.Name)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d %s did not end as they should: %s", len(failed), len(scenes), noun,
			strings.Join(failed, ", "))
	}
	fmt.Fprintf(p.out, "\nThe promise held in %d of %d %s: %s.\n", len(scenes), len(scenes), noun, promise)
	return nil
}

// Run runs a turn and prints it: what the person asks, what the model answers,
// what the guard tells it, what the tools return, and how the turn ended.
func (p *Printer) Run(
	ctx context.Context, g *guard.Guard, model guard.Model, executor guard.Executor, input guard.Input,
) (*guard.Reply, error) {
	p.Line("person", input.User)
	heard := &overheard{Model: model, printer: p}
	reply, err := g.Run(ctx, heard, executor, input)
	if reply == nil {
		p.Line("end", "no turn: "+err.Error())
		return nil, err
	}
	verdict := fmt.Sprintf("%s (%s), %s", reply.Verdict.Outcome, reply.Verdict.Reason,
		count(reply.Execution.ModelCalls, "answer"))
	if err != nil {
		p.Line("end", fmt.Sprintf("%s: %v", verdict, err))
		p.told(heard.said, reply.Account)
		return reply, err
	}
	p.Line("end", verdict)
	p.told(heard.said, reply.Text)
	if next := reply.Verdict.Blocker.Next; next != "" {
		p.Line("next", next)
	}
	return reply, nil
}

// told prints what the person sees in the end, and what was kept from them.
func (p *Printer) told(said []string, shown string) {
	p.Line("sees", shown)
	var kept []string
	for _, text := range said {
		if text != shown {
			kept = append(kept, text)
		}
	}
	if len(kept) > 0 {
		first, _, _ := strings.Cut(kept[0], "\n")
		p.Line("caught", fmt.Sprintf("%s of the model not shown, the first: “%s”", count(len(kept), "text"), first))
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// overheard prints what passes between the guard and a model.
type overheard struct {
	guard.Model
	printer *Printer
	seen    int // messages printed before
	said    []string
}

func (o *overheard) Capabilities() guard.Capabilities {
	if capable, is := o.Model.(guard.Capable); is {
		return capable.Capabilities()
	}
	return guard.Capabilities{}
}

func (o *overheard) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	if o.seen == 0 && o.printer.Prompt != nil && request.Messages[0].Role == guard.RoleSystem {
		o.printer.Line("prompt", o.printer.Prompt(request.Messages[0].Text))
	}
	if o.seen > 0 {
		for _, message := range request.Messages[min(o.seen, len(request.Messages)):] {
			// A model without tool calls gets results as plain messages.
			result := message.Role == guard.RoleTool || o.Capabilities().NoTools && strings.HasPrefix(message.Text, "RESULT of ")
			switch {
			case result:
				o.printer.Line("  tool", message.Text)
			case message.Role == guard.RoleUser || message.Role == guard.RoleSystem:
				o.printer.Line("guard", message.Text)
			}
		}
	}
	o.seen = len(request.Messages)
	response, err := o.Model.Generate(ctx, request)
	if err != nil {
		return response, err
	}
	if response.Message.Text != "" {
		o.printer.Line("model", response.Message.Text)
		if len(response.Message.Calls) == 0 {
			o.said = append(o.said, response.Message.Text)
		}
	}
	for _, call := range response.Message.Calls {
		o.printer.Line("  call", call.Tool+" "+string(call.Args))
	}
	return response, nil
}

// Wants are what a scene may want of a result, by their first words. Each says what is wrong; nil is nothing.
type Wants[R any] map[string]func(result R, rest string) error

// Hold is the first thing that a result lacks.
func (w Wants[R]) Hold(result R, wants []string) error {
	for _, want := range wants {
		word, rest, _ := strings.Cut(want, " ")
		if err := w[word](result, rest); err != nil {
			return err
		}
	}
	return nil
}

// Ended is an error unless a turn ended well and in this way.
func Ended(reply *guard.Reply, err error, want string) error {
	if err != nil || reply.Verdict.Outcome.String() != want {
		return fmt.Errorf("the outcome is %v (error %v), want %v", reply.Verdict.Outcome, err, want)
	}
	return nil
}

// Corrected is an error unless the model was corrected so many times.
func Corrected(reply *guard.Reply, want string) error {
	return Count("corrections", reply.Execution.Corrected, want)
}

// Count is an error unless there are so many of something.
func Count(what string, n int, want string) error {
	if strconv.Itoa(n) != want {
		return fmt.Errorf("there are %d %s, want %s", n, what, want)
	}
	return nil
}
