package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/examples/research/limits"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// argsCase is a tool call whose arguments are the exact bytes that a provider
// sent.
type argsCase struct {
	ID     string          `json:"id"`
	Tool   string          `json:"tool"`
	Raw    json.RawMessage `json:"raw_arguments"` // a JSON string
	Base64 []byte          `json:"raw_arguments_b64"`
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
}

// startArgs answers what the standard rules say to a call.
func startArgs([]string) (answerer, error) {
	sets := make(map[string]*policy.Set) // by their namespaces
	return func(line []byte) (any, error) {
		asked, err := decode[argsCase](line)
		if err != nil {
			return nil, err
		}
		key := strings.Join(asked.Config.Namespaces, "\x00")
		if sets[key] == nil {
			if sets[key], err = standardSet(asked.Config.Namespaces); err != nil {
				return nil, err
			}
		}
		raw, err := asked.arguments()
		var fault *policy.DecodeError
		if errors.As(err, &fault) {
			return argsAnswer{ID: asked.ID, Decision: "reject", Reason: fault.Reason}, nil
		}
		if err != nil {
			return nil, err
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

// arguments are the bytes that the provider sent. Half a surrogate pair, which
// the line may spell as an escape, is a [policy.DecodeError]: encoding/json
// would put a replacement character in its place.
func (c *argsCase) arguments() ([]byte, error) {
	if c.Base64 != nil || c.Raw == nil {
		return c.Base64, nil
	}
	var text string
	if err := json.Unmarshal(c.Raw, &text); err != nil {
		return nil, fmt.Errorf("raw_arguments: %w", err)
	}
	wrapped := append(append([]byte(`{"":`), c.Raw...), '}')
	var fault *policy.DecodeError
	if _, err := policy.Decode(wrapped); errors.As(err, &fault) && fault.Rule == "utf8" {
		return nil, fault
	}
	return []byte(text), nil
}

// standardSet is the rules for the tools of the recorded cases, which are those
// of the research example.
func standardSet(namespaces []string) (*policy.Set, error) {
	bounds := limits.Defaults()
	if namespaces != nil {
		bounds.MemoryWriteAllowedNamespaces = namespaces
	}
	rules, err := bounds.Rules()
	if err != nil {
		return nil, err
	}
	return policy.New(recordedTools(), &policy.Options{Rules: rules, Strict: true})
}

// recordedTools are the tools of the recorded cases. Those that the standard
// rules know by name need no schema.
func recordedTools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "web_search", Effect: tooltrack.Reads},
		{Name: "web_access", Effect: tooltrack.Reads},
		{Name: "memory_query", Effect: tooltrack.Reads},
		{Name: "memory_write", Effect: tooltrack.Changes},
		{Name: "retrieve_context", Effect: tooltrack.Reads},
		{Name: "list_tasks", Effect: tooltrack.Reads, Parameters: json.RawMessage(`{"type":"object","properties":{}}`)},
		{
			Name: "create_task", Effect: tooltrack.Changes,
			Parameters: json.RawMessage(
				`{"type":"object","properties":{"title":{"type":"string"},"due_date":{"type":"string"}},"required":["title"]}`),
		},
		{
			Name: "delete_task", Effect: tooltrack.Changes,
			Parameters: json.RawMessage(
				`{"type":"object","properties":{"id":{"type":"string","minLength":1}},"required":["id"]}`),
		},
	}
}
