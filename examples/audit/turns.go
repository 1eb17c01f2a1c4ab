package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
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

type recordedCall struct {
	Tool      string           `json:"tool"`
	Arguments json.RawMessage  `json:"arguments"`
	Status    tooltrack.Status `json:"status"`
	Result    string           `json:"result"`
}

// turnAnswer is the verdict about a turn.
type turnAnswer struct {
	ID       string                 `json:"id"`
	Ghost    bool                   `json:"ghost"`
	Outcome  completion.Outcome     `json:"outcome"`
	Claims   []claimAnswer          `json:"claims"`
	Reason   completion.Reason      `json:"reason"`
	Blocker  completion.BlockerKind `json:"blocker"`
	Kind     string                 `json:"kind"`
	Expected []string               `json:"expected"`
}

type claimAnswer struct {
	Text    string               `json:"text"`
	Kind    completion.ClaimKind `json:"kind"`
	Rule    string               `json:"rule"`
	Earlier bool                 `json:"earlier,omitempty"`
	Backed  bool                 `json:"backed"`
	Fault   string               `json:"fault,omitempty"`
}

// contracts says what is due for each kind of request.
var contracts = map[intent.Kind]completion.Contract{
	intent.Chat:     completion.Chat(),
	intent.Question: completion.Question(),
	intent.Analysis: completion.Analysis(),
	intent.Action:   completion.Action(),
}

// startTurns judges recorded turns. The request's kind is found by intent;
// classifiers are kept, since thousands of turns share a tool set.
func startTurns(args []string) (answerer, error) {
	if len(args) > 0 {
		return nil, errors.New("turns takes no arguments")
	}
	evaluator := completion.New(nil)
	classifiers := map[string]*intent.Classifier{}
	return func(line []byte) (any, error) {
		recorded, err := decode[turnCase](line)
		if err != nil {
			return nil, err
		}
		key, err := json.Marshal(recorded.Tools)
		if err != nil {
			return nil, err
		}
		classifier := classifiers[string(key)]
		if classifier == nil {
			if classifier, err = intent.FromTools(recorded.Tools, nil); err != nil {
				return nil, err
			}
			classifiers[string(key)] = classifier
		}
		asked, err := classifier.Classify(context.Background(), intent.Request{User: recorded.User, Previous: recorded.Previous})
		if err != nil {
			return nil, err
		}
		return recorded.answer(evaluator, asked), nil
	}, nil
}

func (c *turnCase) answer(evaluator *completion.Evaluator, asked intent.Intent) turnAnswer {
	turn := c.turn(asked)
	verdict := evaluator.Evaluate(turn)
	answer := turnAnswer{
		ID: c.ID, Ghost: verdict.Ghost(), Outcome: verdict.Outcome, Reason: verdict.Reason, Blocker: verdict.Blocker.Kind,
		Claims: []claimAnswer{}, Kind: asked.Kind.String(), Expected: turn.Expected,
	}
	for _, claim := range verdict.Claims {
		answer.Claims = append(answer.Claims, claimAnswer{claim.Text, claim.Kind, claim.Rule, claim.Earlier, claim.Backed(), claim.Fault})
	}
	return answer
}

func (c *turnCase) turn(asked intent.Intent) completion.Turn {
	turn := completion.Turn{
		User: c.User, Previous: c.Previous, Text: c.Text, Tools: c.Tools,
		Records: records(c.Calls, c.Tools), Earlier: records(c.Earlier, c.Tools), Contract: contracts[asked.Kind],
	}
	for _, expected := range asked.Expect {
		turn.Expected = append(turn.Expected, expected.Tool)
	}
	return turn
}

// records rebuilds what a ledger would hold. The executor's status counts,
// unless the body of a success declares that it is none.
func records(calls []recordedCall, tools []tooltrack.Tool) []*tooltrack.Record {
	effects := map[string]tooltrack.Effect{}
	for _, tool := range tools {
		effects[tool.Name] = tool.Effect
	}
	made := make([]*tooltrack.Record, 0, len(calls))
	for i, call := range calls {
		record := &tooltrack.Record{Seq: int64(i + 1), Call: tooltrack.Call{Tool: call.Tool, Args: call.Arguments}, Effect: effects[call.Tool]}
		record.Result = tooltrack.ResultOf([]byte(call.Result), nil)
		if call.Status != tooltrack.Succeeded {
			record.Result.Status, record.Result.Error = call.Status, call.Result
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
	if !record.Effect.MayChange() || !record.Succeeded() || json.Unmarshal(record.Result.Data, &entity) != nil || entity.Title == "" {
		return nil
	}
	return []tooltrack.Subject{{ID: strings.Trim(string(entity.ID), `"`), Title: entity.Title}}
}
