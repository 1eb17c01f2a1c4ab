// Package assistant holds the rules for the arguments of a research assistant's tools. The research
// example enforces them, and the audit replays recorded cases against them.
package assistant

import (
	"context"
	"fmt"

	"github.com/bonafide-go/bonafide/policy"
)

// Limits that the tools themselves need, too.
const (
	MaxResults = 20 // of web_search
	MostHits   = 50 // of memory_query
	UsualHits  = 5  // of memory_query, where the call leaves it open
)

// Namespaces are those that memory_write may use where nothing else is said.
var Namespaces = []string{"default", "personal", "research", "argo_reading_history", "argo_notes_journal"}

// Rules are those of web_access, web_search, memory_query, memory_write and retrieve_context, by name,
// and of the arguments of a task, whatever the tool is called. Web may be nil.
func Rules(web *policy.Web, namespace ...policy.Check) policy.Rules {
	query := policy.Arg("query", policy.Required(), policy.AtLeast(2), policy.Truncate(500))
	hits := fmt.Sprintf("1 to %d (%d if left out)", MostHits, UsualHits)
	return policy.Rules{
		Tools: map[string][]policy.Argument{
			"web_access": {policy.Arg("url", policy.Required(), policy.PublicURL(web))},
			"web_search": {query, policy.Arg("max_results", lowerTo(MaxResults), policy.Range(1, MaxResults))},
			"memory_query": {
				policy.Arg("query", policy.Required(), policy.NotBlank()),
				policy.Arg("top_k", lowerTo(MostHits), policy.Range(1, MostHits).Saying(hits)),
			},
			"memory_write": {
				policy.Arg("content", policy.Required(), policy.NotBlank(), policy.Bytes(1, 50_000)),
				// What a call leaves to the tool is on no list.
				policy.Arg("namespace", append([]policy.Check{policy.Required()}, namespace...)...),
				policy.Arg("metadata", policy.Type(policy.Object)),
			},
			"retrieve_context": {
				policy.Arg("chunk_id", policy.Required(), policy.Length(1, 200), policy.Charset("a-zA-Z0-9_-")),
			},
		},
		Named: []policy.Argument{
			policy.Arg("title", policy.NotBlank(), policy.Length(1, 500)),
			policy.Arg("priority", policy.OneOf("low", "medium", "high")),
			policy.Arg("status", policy.OneOf("pending", "in_progress", "completed", "cancelled")),
			policy.Arg("due_date", policy.Date(policy.DateWindow{YearsBack: 1, YearsAhead: 10})),
		},
		Optional: []string{
			"web_access", "web_search", "memory_query", "memory_write", "retrieve_context",
			"title", "priority", "status", "due_date",
		},
	}
}

// lowerTo is a cap that leaves the telling to the range after it.
func lowerTo(most int64) policy.Check { return policy.Cap(most).Saying("") }

// MayWrite asks the host where an owner may write.
func MayWrite(allowed func(owner, namespace string) bool) []policy.Check {
	ask := func(_ context.Context, in policy.CheckInput) (policy.CheckResult, error) {
		if allowed(in.Owner, in.Value.Text()) {
			return policy.Pass(), nil
		}
		return policy.Refuse(fmt.Sprintf("%s %.60q is not one you may write to", in.Arg, in.Value.Text())), nil
	}
	return []policy.Check{policy.Type(policy.String), policy.Func("namespace", ask)}
}
