package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/proof"
)

// proofCase is a recorded turn and the report that a model gave of it.
type proofCase struct {
	turnCase
	Report json.RawMessage `json:"report"`
}

// proofAnswer says whether the report passes, and what the user would read.
type proofAnswer struct {
	ID     string `json:"id"`
	Passes bool   `json:"passes"`
	Reason string `json:"reason"`
	Shown  string `json:"shown"`
}

func startProofs() (answerer, error) {
	return byGuard(nil, func(c proofCase, g *guard.Guard) (any, error) { return c.check(g) }), nil
}

func (c *proofCase) check(g *guard.Guard) (any, error) {
	answer := proofAnswer{ID: c.ID}
	ctx := context.Background()
	question, err := g.Question(ctx, c.recorded())
	if err != nil {
		return nil, err
	}
	given, err := proof.Read(string(c.Report), question.Letters, question.List)
	if err != nil {
		answer.Reason = err.Error()
		return answer, nil
	}
	shown, faults := question.Check(ctx, given)
	var reasons []string
	for _, fault := range faults {
		reasons = append(reasons, fault.Rule+": "+fault.Reason)
	}
	answer.Passes, answer.Reason, answer.Shown = len(faults) == 0, strings.Join(reasons, "; "), shown
	return answer, nil
}
