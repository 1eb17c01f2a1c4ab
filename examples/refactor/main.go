// Command refactor is an agent that resolves refactoring findings in a small Go
// tree, and only after the analysis that each kind of finding needs. A model
// that takes short cuts is driven through the analysis, attempt by attempt.
//
//	go run ./examples/refactor               # a simulated model, offline
//	go run ./examples/refactor -model NAME   # a real one, with OPENAI_API_KEY
//
// It exits with 0 when nothing was resolved without its analysis, and every
// finding that should be resolved is.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
)

func main() { stage.Main(play) }

// play resolves the findings and returns an error if the promise did not hold.
func play(ctx context.Context, out io.Writer, model string) error {
	source, err := stage.Open(model, played.behave, nil)
	if err != nil {
		return err
	}
	defer source.Close()
	w, err := newWorkshop(shop, findings.duplicate, findings.integration, findings.complexity)
	if err != nil {
		return err
	}
	defer w.Close()
	g, err := newGuard()
	if err != nil {
		return err
	}
	printer := stage.NewPrinter(out)
	printer.Prompt = checklistIn
	a := &agent{guard: g, workshop: w, source: source, printer: printer}
	for _, scene := range []struct {
		finding finding
		part    string
		want    func(*agent, []attempt) error
	}{
		{findings.duplicate, "lazy", lazyIsDriven},
		{findings.integration, "integration", nil},
		{findings.complexity, "complexity", nil},
	} {
		attempts, err := a.resolve(ctx, scene.finding, scene.part)
		if err != nil && (source.Simulated() || !errors.Is(err, errUnresolved)) {
			return fmt.Errorf("%s: %w", scene.finding.id, err)
		}
		if err := a.audit(ctx, scene.finding); err != nil {
			return err
		}
		if scene.want != nil && source.Simulated() {
			if err := scene.want(a, attempts); err != nil {
				return fmt.Errorf("%s: %w", scene.finding.id, err)
			}
		}
	}
	if printed, err := w.tree.Test(ctx); err != nil {
		return fmt.Errorf("the tree does not pass its tests any more:\n%s", printed)
	}
	fmt.Fprintln(out, "\nThe promise held: nothing was resolved without its analysis, and the tree compiles and passes "+
		"its tests.")
	return nil
}

// checklistIn is the part of a prompt that says where the finding stands.
func checklistIn(system string) string {
	_, list, found := strings.Cut(system, "MANDATORY")
	if !found {
		return ""
	}
	return "MANDATORY" + list
}

// lazyIsDriven is what must come of the lazy model: two refused reports, one
// attempt that only reads, and a merge that leaves one file.
func lazyIsDriven(a *agent, attempts []attempt) error {
	if len(attempts) != 4 {
		return fmt.Errorf("it took %d attempts, want 4", len(attempts))
	}
	for i, want := range []string{"read the target files", "read ARCHITECTURE.md", "", "is no longer allowed"} {
		if got := refusals(attempts[i].reply); !strings.Contains(got, want) || (want == "") != (got == "") {
			return fmt.Errorf("in attempt %d the refusals were %q, want %q in them", i+1, got, want)
		}
	}
	files, err := a.workshop.tree.Files()
	if err != nil {
		return err
	}
	if !slices.Contains(files, "pricing/total.go") || slices.Contains(files, "pricing/sum.go") {
		return fmt.Errorf("the files are %v, want pricing/total.go alone in the place of two", files)
	}
	return nil
}

// refusals are the reasons of the calls that a turn was denied.
func refusals(reply *guard.Reply) string {
	var reasons []string
	for _, record := range reply.Records {
		if record.Ruling.Denied {
			reasons = append(reasons, record.Ruling.Reason)
		}
	}
	return strings.Join(reasons, "; ")
}
