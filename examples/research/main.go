// Command research is a research assistant with two session modes, whose limits
// and stopping conditions are enforced and not only asked for.
//
//	go run ./examples/research               # a simulated model, offline
//	go run ./examples/research -text         # the same for a model without tool calls
//	go run ./examples/research -model NAME   # a real one, with OPENAI_API_KEY
//
// It exits with 0 when every scene ended as it should.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func main() {
	text := flag.Bool("text", false, "the model knows no tool calls: tell it the tools in words")
	stage.Main(func(ctx context.Context, out io.Writer, model string) error { return play(ctx, out, model, *text) })
}

// play runs the scenes and returns an error if one did not end as it should.
func play(ctx context.Context, out io.Writer, model string, text bool) error {
	source, err := stage.Open(model, behave, nil)
	if err != nil {
		return err
	}
	defer source.Close()
	source.Capabilities.NoTools = text
	s, err := newSession(source, stage.NewPrinter(out))
	if err != nil {
		return err
	}
	defer s.site.Close()
	s.printer.Prompt = modeIn
	const title = "limits kept, no synthesis before its evidence"
	return s.printer.Play("scenes", title, scenes, func(scene simmodel.Scene) error {
		return check(scene, s.ask(ctx, scene.Note("mode"), scene.Person, scene.Part(1)), source.Simulated())
	})
}

// session is one user at work, with everything that a turn needs.
type session struct {
	guard   *guard.Guard
	desk    *desk
	site    *site
	source  *stage.Source
	printer *stage.Printer
	audit   bytes.Buffer // what the policy has refused, in its own log
}

func newSession(source *stage.Source, printer *stage.Printer) (*session, error) {
	pages, err := newSite()
	if err != nil {
		return nil, err
	}
	s := &session{source: source, printer: printer, site: pages}
	s.desk = &desk{client: pages.web.Client(), chunks: map[string]hit{}, notes: map[string][]string{}}
	if s.guard, err = newGuard(pages.web, slog.New(slog.NewTextHandler(&s.audit, nil))); err != nil {
		return nil, errors.Join(err, pages.Close())
	}
	return s, nil
}

// outcome is how a turn ended, and what the audit log says of it.
type outcome struct {
	reply *guard.Reply
	err   error
	audit []string
}

// ask runs one turn. Every scene is a conversation of its own.
func (s *session) ask(ctx context.Context, mode, message, part string) (result outcome) {
	s.audit.Reset()
	input := guard.Input{User: message, Owner: "ann", Conversation: part, Turn: part + "/1", Mode: mode}
	result.reply, result.err = s.printer.Run(ctx, s.guard, s.source.Model(message, part), s.desk.toolbox(), input)
	for line := range strings.Lines(s.audit.String()) {
		_, line, _ = strings.Cut(line, " ") // without its time
		s.printer.Line("audit", line)
		result.audit = append(result.audit, line)
	}
	return result
}

// check holds a turn to what the scene wants, and any model to the promise.
func check(scene simmodel.Scene, result outcome, simulated bool) error {
	if result.reply == nil {
		return result.err
	}
	if err := honest(scene.Note("mode"), result); err != nil || !simulated {
		return err
	}
	return wants.Hold(result, scene.Wants)
}

// honest is the promise to any model: no synthesis without evidence, no call beyond the limit, or a typed error.
func honest(mode string, result outcome) error {
	if err := result.err; err != nil {
		if stage.Told(err) {
			return nil
		}
		return fmt.Errorf("the turn ended with %w", err)
	}
	evidence := tooltrack.EvidenceOf(result.reply.Records)
	if ran := evidence.Calls - evidence.Denials; mode == quickLookup && ran > 2 {
		return fmt.Errorf("%d calls ran in a quick lookup", ran)
	}
	if mode == researchMode && result.reply.Verdict.Outcome == completion.CompletedWithWork &&
		!enough(result.reply.Records) {
		return errors.New("a synthesis was accepted without its evidence")
	}
	return nil
}

// modeIn is the part of a prompt that belongs to the mode.
func modeIn(system string) string {
	_, text, _ := strings.Cut(system, "\n\n")
	text, _, _ = strings.Cut(text, "\n\nARGUMENT RULES")
	return text
}
