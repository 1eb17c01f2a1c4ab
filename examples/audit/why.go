package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
)

// runWhy prints how recorded turns are judged, for people: all of them, or those whose ids
// are given.
func runWhy(call invocation) (status int, err error) {
	guards, found := guardsFor(nil), 0
	var faults []error
	err = answerLines(call.in, io.Discard, func(line []byte) (any, error) {
		recorded, err := decode[turnCase](line)
		if err == nil && (len(call.args) == 0 || slices.Contains(call.args, recorded.ID)) {
			var g *guard.Guard
			if g, err = guards.Of(recorded.Tools); err == nil {
				err = recorded.explain(g, call.out)
			}
			found++
		}
		if err != nil {
			faults = append(faults, err)
		}
		return nil, nil
	})
	if err = errors.Join(append(faults, err)...); err == nil && found == 0 {
		err = errors.New("no turn has such an id; usage: audit why [ID...] < cases.jsonl")
	}
	if err != nil {
		status = 1
	}
	return status, err
}

// explain prints a turn, what the guard makes of it, and how the evaluator came to that.
func (c *turnCase) explain(g *guard.Guard, out io.Writer) error {
	seen := c.recorded()
	judged, err := g.Judge(context.Background(), seen)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s\n", c.ID, c.User)
	for _, made := range c.Calls {
		fmt.Fprintf(out, "  called %s %s: %v %s\n", made.Tool, made.Arguments, made.Status, made.Result)
	}
	fmt.Fprintf(out, "  said %q\nThe guard is %v of a fault. %d doubts:\n", c.Text, judged.Tier, len(judged.Doubts))
	for _, doubt := range judged.Doubts {
		fmt.Fprintf(out, "  %s %s%q, %.2f\n", doubt.Kind(), doubt.Tool, doubt.Words, doubt.Probability)
	}
	_, err = fmt.Fprintln(out, completion.New(nil).Explain(completion.Case{
		User: c.User, Previous: c.Previous, Text: c.Text, Tools: c.Tools, Records: seen.Records, Earlier: seen.Earlier,
	}))
	return err
}
