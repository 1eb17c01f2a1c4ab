package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const system = `You resolve refactoring findings in a Go tree. Analyse first, by the checklist below, and then resolve the finding with exactly one resolving tool: merge what is a plain duplicate, report what needs work that can wait, and ask for a review where only a person can decide.
When the finding is resolved, say in a sentence how. If something prevents it, say exactly what.`

const owner = "refactoring"

// newGuard is the agent beside its tools. Every message is a finding to be
// resolved, so nothing has to be read out of its words; and an attempt that
// comes to nothing is followed by the next attempt rather than by a correction.
func newGuard() (*guard.Guard, error) {
	action := completion.Action()
	return guard.New(tools(), &guard.Options{
		System: system,
		Classifier: intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
			return intent.Intent{Kind: intent.Action}, nil
		}),
		Policy:  &policy.Options{Strict: true},
		Modes:   []guard.Mode{{Mode: policy.Mode{Name: "resolve", Calls: policy.Unlimited}, Contract: &action}},
		Budgets: guard.Budgets{MissingTool: -1, Progress: -1},
	})
}

// attempt is how one turn about a finding ended.
type attempt struct {
	number int
	reply  *guard.Reply
	err    error
}

// agent resolves findings, attempt by attempt.
type agent struct {
	guard    *guard.Guard
	workshop *workshop
	source   *stage.Source
	printer  *stage.Printer
}

// errUnresolved is a finding that the last attempt left open.
var errUnresolved = errors.New("the finding is not resolved")

// resolve asks the model until a resolving tool has succeeded or the attempts
// are over. What was read and analysed in one attempt counts in the next: the
// records belong to the finding.
func (a *agent) resolve(ctx context.Context, f finding, part string) ([]attempt, error) {
	var attempts []attempt
	for number := 1; number <= maxAttempts; number++ {
		a.printer.Title("%s, attempt %d", f.id, number)
		input := guard.Input{
			User: f.message(), Owner: owner, Task: f.id, Turn: fmt.Sprintf("%s/%d", f.id, number),
			Mode: "resolve", Checklist: f.checklist(), Attempt: number,
		}
		model := a.source.Model(input.User, fmt.Sprintf("%s/%d", part, number))
		reply, err := a.printer.Run(ctx, a.guard, model, a.workshop.toolbox(), input)
		if err != nil && !stage.Told(err) {
			return attempts, err // nobody was there to ask: that is no attempt
		}
		attempts = append(attempts, attempt{number, reply, err})
		if slices.ContainsFunc(reply.Records, resolves) {
			return attempts, nil
		}
	}
	return attempts, fmt.Errorf("%w after %d attempts", errUnresolved, maxAttempts)
}

func resolves(record *tooltrack.Record) bool {
	return record.Succeeded() && slices.Contains(resolving, record.Tool)
}

// audit is the promise, checked from the ledger: whenever a resolving tool
// succeeded, everything on the list had succeeded before it.
func (a *agent) audit(ctx context.Context, f finding) error {
	records, err := a.guard.Ledger().Records(ctx, tooltrack.Query{Scope: tooltrack.Scope{Owner: owner, Task: f.id}})
	if err != nil {
		return err
	}
	for i, record := range records {
		if !resolves(record) {
			continue
		}
		states, err := f.checklist().State(records[:i])
		if err != nil {
			return err
		}
		for _, state := range states {
			if !state.Done {
				return fmt.Errorf("%s: %s ran before the step %q was done", f.id, record.Tool, state.Step.Name)
			}
		}
	}
	return nil
}
