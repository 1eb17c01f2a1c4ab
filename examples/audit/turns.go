package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// turnCase is a recorded turn.
type turnCase struct {
	ID       string           `json:"id"`
	Tools    []tooltrack.Tool `json:"tools"`
	User     string           `json:"user"`
	Previous string           `json:"previous"`
	Earlier  []recordedCall   `json:"earlier"`
	Calls    []recordedCall   `json:"calls"`
	Text     string           `json:"text"`
}

func (c turnCase) offered() []tooltrack.Tool { return c.Tools }

type recordedCall struct {
	Tool      string           `json:"tool"`
	Arguments json.RawMessage  `json:"arguments"`
	Status    tooltrack.Status `json:"status"`
	Result    body             `json:"result"`
}

// body is what a call returned: a text, or JSON that a log holds as it is.
type body string

// UnmarshalJSON takes a string for its text, and anything else for itself.
func (b *body) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(b))
	}
	*b = body(raw)
	return nil
}

// turnAnswer is the verdict about a turn.
type turnAnswer struct {
	ID       string                 `json:"id"`
	Ghost    bool                   `json:"ghost"`
	Suspect  bool                   `json:"suspect"`
	Outcome  completion.Outcome     `json:"outcome"`
	Claims   []claimAnswer          `json:"claims"`
	Reason   completion.Reason      `json:"reason"`
	Blocker  completion.BlockerKind `json:"blocker"`
	Kind     string                 `json:"kind"`
	Expected []string               `json:"expected"`
	Missing  []string               `json:"missing,omitempty"`
	Doubts   []doubtAnswer          `json:"doubts,omitempty"`
}

type claimAnswer struct {
	Text    string               `json:"text"`
	Kind    completion.ClaimKind `json:"kind"`
	Rule    string               `json:"rule"`
	Earlier bool                 `json:"earlier,omitempty"`
	Backed  bool                 `json:"backed"`
	Fault   string               `json:"fault,omitempty"`
	Doubt   float64              `json:"doubt,omitempty"`
}

// doubtAnswer is one thing that the guard would ask proof of.
type doubtAnswer struct {
	Kind        string  `json:"kind"`
	Tool        string  `json:"tool,omitempty"`
	Words       string  `json:"words,omitempty"`
	Probability float64 `json:"probability"`
}

func startTurns() (answerer, error) {
	return byGuard(nil, func(c turnCase, g *guard.Guard) (any, error) { return c.answer(g) }), nil
}

func (c *turnCase) answer(g *guard.Guard) (turnAnswer, error) {
	judged, err := g.Judge(context.Background(), c.recorded())
	if err != nil {
		return turnAnswer{}, err
	}
	verdict := &judged.Verdict
	answer := turnAnswer{
		ID: c.ID, Ghost: verdict.Ghost(), Suspect: judged.Tier == completion.Unsure,
		Outcome: verdict.Outcome, Reason: verdict.Reason, Blocker: verdict.Blocker.Kind, Claims: []claimAnswer{},
		Kind: judged.Intent.Kind.String(), Expected: []string{}, Missing: judged.Missing,
	}
	for _, expected := range judged.Intent.Expect {
		answer.Expected = append(answer.Expected, expected.Tool)
	}
	for _, claim := range verdict.Claims {
		answer.Claims = append(answer.Claims,
			claimAnswer{claim.Text, claim.Kind, claim.Rule, claim.Earlier, claim.Backed(), claim.Fault, claim.Doubt})
	}
	for _, doubt := range judged.Doubts {
		answer.Doubts = append(answer.Doubts, doubtAnswer{doubt.Kind(), doubt.Tool, doubt.Words, doubt.Probability})
	}
	return answer, nil
}

func (c *turnCase) recorded() guard.Recorded {
	return guard.Recorded{
		User: c.User, Previous: c.Previous, Text: c.Text, Records: records(c.Calls, c.Tools),
		Earlier: records(c.Earlier, c.Tools),
	}
}

// records rebuilds what a ledger would hold. The executor's status counts,
// unless the body of a success declares that it is none.
func records(calls []recordedCall, tools []tooltrack.Tool) []*tooltrack.Record {
	described := map[string]*tooltrack.Tool{}
	for i := range tools {
		described[tools[i].Name] = &tools[i]
	}
	made := make([]*tooltrack.Record, 0, len(calls))
	for i, call := range calls {
		tool := described[call.Tool]
		if tool == nil {
			tool = &tooltrack.Tool{Name: call.Tool}
			described[call.Tool] = tool
		}
		if tool.Implied == nil {
			words := toolname.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters}
			implied := tooltrack.Implied(toolname.Imply(lexicon.English(), words))
			tool.Implied = &implied
		}
		record := &tooltrack.Record{
			Seq: int64(i + 1), Call: tooltrack.Call{Tool: call.Tool, Args: call.Arguments}, Effect: tool.Effect,
			Implied: tool.Implied,
		}
		record.Result = tooltrack.ParseCall(tool, record.Call, string(call.Result), nil)
		if call.Status != tooltrack.Succeeded {
			record.Result.Status, record.Result.Error = call.Status, string(call.Result)
		}
		record.Touched = touched(record)
		made = append(made, record)
	}
	return made
}

// touched is what a ledger would have noted of the entity: the title that the
// tool returned for it. A host that knows its tools does better.
func touched(record *tooltrack.Record) []tooltrack.Subject {
	var entity struct {
		ID    json.RawMessage `json:"id"`
		Title string          `json:"title"`
	}
	if !record.Effect.MayChange() || !record.Succeeded() || json.Unmarshal(record.Result.Data, &entity) != nil ||
		entity.Title == "" {
		return nil
	}
	return []tooltrack.Subject{{ID: strings.Trim(string(entity.ID), `"`), Title: entity.Title}}
}

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

// runWhy prints how recorded turns are judged, for people: all of them, or those whose ids are given.
func runWhy(ids []string, in io.Reader, out, _ io.Writer) (status int, err error) {
	guards, found := guardsFor(nil), 0
	var faults []error
	err = answerLines(in, io.Discard, func(line []byte) (any, error) {
		recorded, err := decode[turnCase](line)
		if err == nil && (len(ids) == 0 || slices.Contains(ids, recorded.ID)) {
			var g *guard.Guard
			if g, err = guards.Of(recorded.Tools); err == nil {
				err = recorded.explain(g, out)
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
