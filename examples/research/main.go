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
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// settings are what the command line says.
type settings struct {
	model, config string
	text          bool
}

func main() {
	var s settings
	flag.StringVar(&s.config, "config", "", "a TOML file with a table [security] (default: the one of this example)")
	flag.BoolVar(&s.text, "text", false, "the model knows no tool calls: tell it the tools in words")
	stage.Main(func(ctx context.Context, out io.Writer, model string) error {
		s.model = model
		return play(ctx, out, s, os.Environ())
	})
}

// play runs the scenes and returns an error if one did not end as it should.
func play(ctx context.Context, out io.Writer, s settings, environ []string) error {
	config := defaultConfig
	if s.config != "" {
		text, err := os.ReadFile(s.config)
		if err != nil {
			return err
		}
		config = string(text)
	}
	limits, err := loadLimits(config, environ)
	if err != nil {
		return err
	}
	source, err := stage.Open(s.model, behave, nil)
	if err != nil {
		return err
	}
	defer source.Close()
	source.Capabilities.NoTools = s.text
	printer := stage.NewPrinter(out)
	printer.Prompt = modeIn
	session, err := newSession(ctx, limits, source, printer)
	if err != nil {
		return err
	}
	failed := perform(ctx, session)
	if err := session.Close(); err != nil {
		return err
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d scenes did not end as they should: %s", len(failed), len(scenes),
			strings.Join(failed, ", "))
	}
	fmt.Fprintf(out, "\nThe promise held in %d of %d scenes: limits kept, no synthesis before its evidence.\n",
		len(scenes), len(scenes))
	return nil
}

// perform plays all scenes and names those that went wrong.
func perform(ctx context.Context, s *session) (failed []string) {
	for _, scene := range scenes {
		s.printer.Title("%s", scene.title)
		result := s.ask(ctx, scene.mode, scene.message, scene.name)
		if err := check(scene, result, s.source.Simulated()); err != nil {
			s.printer.Line("FAILED", err.Error())
			failed = append(failed, scene.name)
		}
	}
	if err := s.ingestedOnce(ctx); err != nil {
		s.printer.Line("FAILED", err.Error())
		failed = append(failed, "ingestion")
	}
	return failed
}

// check holds a turn to what the scene wants, and any model to the promise.
func check(scene scene, result outcome, simulated bool) error {
	if result.reply == nil {
		return result.err
	}
	if err := honest(scene.mode, result); err != nil || !simulated {
		return err
	}
	for _, want := range scene.want {
		if err := want(result); err != nil {
			return err
		}
	}
	return nil
}

// honest is the promise to any model: no synthesis without its evidence, no
// call beyond the limit, and a typed error where it came to nothing.
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

// ingestedOnce compares the pages that were taken in with those that were read:
// the tool and the ledger's observer have both offered each of them.
func (s *session) ingestedOnce(ctx context.Context) error {
	s.observing.Close() // when it returns, all was seen
	records, err := s.guard.Ledger().Records(ctx, tooltrack.Query{Scope: tooltrack.Scope{Owner: owner}})
	if err != nil {
		return err
	}
	taken, err := s.desk.library.ingested(ctx)
	if err != nil {
		return err
	}
	read, offers := len(tooltrack.EvidenceOf(records).Sources), s.desk.library.offers.Load()
	s.printer.Title("the library")
	s.printer.Line("pages", fmt.Sprintf("%d read, offered %d times by tool and observer, %d ingested", read, offers,
		taken))
	if taken != read {
		return fmt.Errorf("%d pages were read and %d ingested", read, taken)
	}
	return nil
}

// modeIn is the part of a prompt that belongs to the mode.
func modeIn(system string) string {
	_, text, _ := strings.Cut(system, "\n\n")
	text, _, _ = strings.Cut(text, "\n\nARGUMENT RULES")
	return text
}
