package main

import (
	"log/slog"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/assistant"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
)

const system = `You are a research assistant. Answer from what the tools return, and name the URLs that you rest on. Notes of the user are kept with memory_write in a namespace that exists.`

// The session modes. Their limits and their prompt texts are one definition.
const (
	quickLookup  = "quick_lookup"
	researchMode = "research"
)

// namespaces are where each user may write.
var namespaces = map[string]bool{"ann/research": true, "ann/personal": true, "bob/diary": true}

// newGuard is the agent beside its tools: their rules, the web of this example, and the two modes.
func newGuard(web *policy.Web, audit *slog.Logger) (*guard.Guard, error) {
	mayWrite := assistant.MayWrite(func(owner, namespace string) bool { return namespaces[owner+"/"+namespace] })
	stop := contract()
	return guard.New(tools(), &guard.Options{
		System: system,
		Policy: &policy.Options{Rules: assistant.Rules(web, mayWrite...), Strict: true, Logger: audit},
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
