package main

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/research/limits"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const system = `You are a research assistant. Answer from what the tools return, and name the URLs that you rest on. Notes of the user are kept with memory_write in a namespace that exists.`

// The session modes. Their limits and their prompt texts are one definition.
const (
	quickLookup  = "quick_lookup"
	researchMode = "research"
)

// newGuard is the agent beside its tools: the rules of its tools with the limits of
// the configuration, the web of this example, and the two modes.
func newGuard(bounds limits.Limits, web *policy.Web, library *library, audit *slog.Logger) (*guard.Guard, error) {
	bounds.NamespaceAllowed = library.allowed
	rules, err := bounds.Rules()
	if err != nil {
		return nil, err
	}
	rules = rules.With(policy.Rules{Tools: map[string][]policy.Argument{
		toolAccess: {policy.Arg("url", policy.Required(), policy.PublicURL(web))},
	}})
	stop := contract()
	return guard.New(tools(), &guard.Options{
		System: system,
		Policy: &policy.Options{Rules: rules, Strict: true, Logger: audit},
		Completion: &completion.Options{Wording: map[string]completion.Wording{
			toolAccess:   {Done: "Opened a page"},
			"web_search": {Done: "Searched the web"},
		}},
		Modes: []guard.Mode{
			{Mode: policy.QuickLookup()},
			{Mode: policy.Research(), Contract: &stop, Instructions: stoppingText()},
		},
	})
}

// synthesise is what the model is told when it has enough.
const synthesise = "The plan is recorded and three distinct sources are read. Do not search any further: " +
	"write the synthesis now, with every sub-question under its number."

// director is a model that is told once in a turn when it has enough. What it
// has, the ledger says.
type director struct {
	guard.Model
	ledger *tooltrack.Ledger
	say    func(text string) // shows it to people

	mu   sync.Mutex
	told map[string]bool // by turn
}

func newDirector(model guard.Model, ledger *tooltrack.Ledger, say func(string)) *director {
	return &director{Model: model, ledger: ledger, say: say, told: map[string]bool{}}
}

// Capabilities are those of the model.
func (d *director) Capabilities() guard.Capabilities {
	if capable, is := d.Model.(guard.Capable); is {
		return capable.Capabilities()
	}
	return guard.Capabilities{}
}

// Generate asks the model.
func (d *director) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	due, err := d.due(ctx)
	if err != nil {
		return guard.Response{}, err
	}
	if due {
		d.say(synthesise)
		request.Messages = append(slices.Clip(request.Messages),
			guard.Message{Role: guard.RoleUser, Text: synthesise, Internal: true})
	}
	return d.Model.Generate(ctx, request)
}

// due reports whether the model is to be told now, and not again.
func (d *director) due(ctx context.Context) (bool, error) {
	input, known := guard.FromContext(ctx)
	if !known || input.Mode != researchMode {
		return false, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.told[input.Turn] {
		return false, nil
	}
	scope := tooltrack.Scope{Owner: input.Owner, Conversation: input.Conversation}
	if scope.Conversation == "" {
		scope.Turn = input.Turn
	}
	records, err := d.ledger.Records(ctx, tooltrack.Query{Scope: scope})
	if err != nil {
		return false, err
	}
	d.told[input.Turn] = enough(records)
	return d.told[input.Turn], nil
}
