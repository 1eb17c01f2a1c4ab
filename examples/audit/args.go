package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/assistant"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
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

//go:embed tools.json
var recordedToolsText []byte

// recordedTools are the tools of the recorded cases: their schemas say which arguments they take, the rules the rest.
func recordedTools() []tooltrack.Tool { return stage.Tools(recordedToolsText) }
