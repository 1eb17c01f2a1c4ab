package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/assistant"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// argsCase is a tool call whose arguments are the exact bytes that a provider sent.
type argsCase struct {
	ID     string   `json:"id"`
	Tool   string   `json:"tool"`
	Raw    wireText `json:"raw_arguments"`
	Base64 []byte   `json:"raw_arguments_b64"`
	Config struct {
		Now        time.Time `json:"now"`
		Namespaces []string  `json:"memory_namespaces"`
	} `json:"config"`
}

type argsAnswer struct {
	ID        string          `json:"id"`
	Decision  string          `json:"decision"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Reason    string          `json:"reason"`
}

// decisionNames are the words of the recorded cases.
var decisionNames = map[policy.DecisionKind]string{
	policy.Approve: "approve", policy.Rewrite: "rewrite", policy.Deny: "reject",
	policy.Hold: "hold",
}

func startArgs() (answerer, error) {
	sets := make(map[string]*policy.Set) // by their namespaces; an empty list is not the default one
	return func(line []byte) (any, error) {
		asked, err := decode[argsCase](line)
		if err != nil {
			return nil, err
		}
		key := fmt.Sprintf("%#v", asked.Config.Namespaces)
		if sets[key] == nil {
			if sets[key], err = standardSet(asked.Config.Namespaces); err != nil {
				return nil, err
			}
		}
		raw := asked.Base64
		if raw == nil {
			raw = []byte(asked.Raw)
		}
		decision, err := sets[key].Review(context.Background(), policy.Proposal{
			Owner: "audit", Now: asked.Config.Now, Call: tooltrack.Call{ID: asked.ID, Tool: asked.Tool, Args: raw},
		})
		if err != nil {
			return nil, err
		}
		return argsAnswer{asked.ID, decisionNames[decision.Kind], decision.Args, decision.Reason}, nil
	}, nil
}

// standardSet is the rules for the tools of the recorded cases, which are those of the research example.
func standardSet(namespaces []string) (*policy.Set, error) {
	checks := []policy.Check{policy.OneOf(assistant.Namespaces...)}
	switch {
	case len(namespaces) > 0:
		checks = []policy.Check{policy.OneOf(namespaces...)}
	case namespaces != nil: // nothing may be written anywhere
		checks = assistant.MayWrite(func(string, string) bool { return false })
	}
	return policy.New(recordedTools(), &policy.Options{Rules: assistant.Rules(nil, checks...), Strict: true})
}

// recordedTools are the tools of the recorded cases. Their schemas say which
// arguments they take; the rules say what those must be like.
func recordedTools() []tooltrack.Tool {
	schema := func(properties, required string) json.RawMessage {
		return json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":[` + required + `]}`)
	}
	return []tooltrack.Tool{
		{Name: "web_search", Effect: tooltrack.Reads,
			Parameters: schema(`"query":{"type":"string"},"max_results":{"type":"integer"}`, `"query"`)},
		{Name: "web_access", Effect: tooltrack.Reads, Parameters: schema(`"url":{"type":"string"}`, `"url"`)},
		{Name: "memory_query", Effect: tooltrack.Reads,
			Parameters: schema(`"query":{"type":"string"},"top_k":{"type":"integer"}`, `"query"`)},
		{Name: "memory_write", Effect: tooltrack.Changes,
			Parameters: schema(`"content":{"type":"string"},"namespace":{"type":"string"},"metadata":{"type":"object"}`,
				`"content","namespace"`)},
		{Name: "retrieve_context", Effect: tooltrack.Reads, Parameters: schema(`"chunk_id":{"type":"string"}`, `"chunk_id"`)},
		{Name: "list_tasks", Effect: tooltrack.Reads, Parameters: schema("", "")},
		{Name: "create_task", Effect: tooltrack.Changes,
			Parameters: schema(`"title":{"type":"string"},"due_date":{"type":"string"}`, `"title"`)},
		{Name: "delete_task", Effect: tooltrack.Changes, Parameters: schema(`"id":{"type":"string","minLength":1}`, `"id"`)},
	}
}
