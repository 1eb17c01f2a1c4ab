package limits

import (
	"context"
	"fmt"

	"github.com/bonafide-go/bonafide/policy"
)

// Rules are those of the research assistant's tools (web_access, web_search,
// memory_query, memory_write and retrieve_context, by name) and of the arguments
// of a task (title, priority, status, due_date), whatever the tool is called.
func (l Limits) Rules() (policy.Rules, error) {
	if err := l.Validate(); err != nil {
		return policy.Rules{}, err
	}
	return policy.Rules{
		Tools: map[string][]policy.Argument{
			"web_access":   {policy.Arg("url", policy.Required(), policy.PublicURL(nil))},
			"web_search":   l.webSearch(),
			"memory_query": l.memoryQuery(),
			"memory_write": l.memoryWrite(),
			"retrieve_context": {policy.Arg("chunk_id", policy.Required(), policy.Length(1, l.RetrieveContextMaxChunkIDLength),
				policy.Charset("a-zA-Z0-9_-"))},
		},
		Named: []policy.Argument{
			policy.Arg("title", policy.NotBlank(), policy.Length(1, l.TaskMaxTitleLength)),
			policy.Arg("priority", policy.OneOf(l.TaskPriorities...)),
			policy.Arg("status", policy.OneOf(l.TaskStatuses...)),
			policy.Arg("due_date", policy.Date(l.DueDates())),
		},
		Optional: []string{
			"web_access", "web_search", "memory_query", "memory_write", "retrieve_context",
			"title", "priority", "status", "due_date",
		},
	}, nil
}

func (l Limits) webSearch() []policy.Argument {
	long := policy.Truncate(l.WebSearchMaxQueryLength)
	if l.WebSearchRefuseLongQuery {
		long = policy.Length(0, l.WebSearchMaxQueryLength)
	}
	most := int64(l.WebSearchMaxResults)
	return []policy.Argument{
		policy.Arg("query", policy.Required(), policy.AtLeast(l.WebSearchMinQueryLength), long),
		policy.Arg("max_results", lowerTo(most), policy.Range(1, most)),
	}
}

// lowerTo is a cap that leaves the telling to the range after it.
func lowerTo(most int64) policy.Check { return policy.Cap(most).Saying("") }

func (l Limits) memoryQuery() []policy.Argument {
	most := int64(l.MemoryQueryMaxTopK)
	told := fmt.Sprintf("1 to %d (%d if left out)", most, l.MemoryQueryDefaultTopK)
	return []policy.Argument{
		policy.Arg("query", policy.Required(), policy.NotBlank()),
		policy.Arg("top_k", lowerTo(most), policy.Range(1, most).Saying(told)),
	}
}

func (l Limits) memoryWrite() []policy.Argument {
	return []policy.Argument{
		policy.Arg("content", policy.Required(), policy.NotBlank(), policy.Bytes(1, l.MemoryWriteMaxContentSize)),
		policy.Arg("namespace", l.namespaces()...),
		policy.Arg("metadata", policy.Type(policy.Object)),
	}
}

// namespaces asks for one of the list: what a call leaves to the tool is on no
// list.
func (l Limits) namespaces() []policy.Check {
	allowed := l.NamespaceAllowed
	if allowed == nil {
		return []policy.Check{policy.Required(), policy.OneOf(l.MemoryWriteAllowedNamespaces...)}
	}
	mayWrite := func(ctx context.Context, in policy.CheckInput) (policy.CheckResult, error) {
		ok, err := allowed(ctx, in.Owner, in.Value.Text())
		if ok || err != nil {
			return policy.Pass(), err
		}
		return policy.Refuse(fmt.Sprintf("%s %.60q is not one you may write to", in.Arg, in.Value.Text())), nil
	}
	return []policy.Check{policy.Required(), policy.Type(policy.String), policy.Func("namespace", mayWrite)}
}
