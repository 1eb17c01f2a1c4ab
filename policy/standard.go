package policy

import (
	"context"
	"fmt"
)

// Standard are rules for tools that many agents have: web_access, web_search,
// memory_query, memory_write and retrieve_context by name, and the arguments of
// a task (title, priority, status, due_date) whatever the tool is called. Nil
// is [DefaultLimits]. Add your own with [Rules.With].
func Standard(limits *Limits) (Rules, error) {
	if limits == nil {
		defaults := DefaultLimits()
		limits = &defaults
	}
	if err := limits.Validate(); err != nil {
		return Rules{}, err
	}
	return Rules{
		Tools: map[string][]Argument{
			"web_access":       {Arg("url", Required(), PublicURL(nil))},
			"web_search":       limits.webSearch(),
			"memory_query":     limits.memoryQuery(),
			"memory_write":     limits.memoryWrite(),
			"retrieve_context": {Arg("chunk_id", Required(), Length(1, limits.RetrieveContextMaxChunkIDLength), Charset("a-zA-Z0-9_-"))},
		},
		Named: []Argument{
			Arg("title", NotBlank(), Length(1, limits.TaskMaxTitleLength)),
			Arg("priority", OneOf(limits.TaskPriorities...)),
			Arg("status", OneOf(limits.TaskStatuses...)),
			Arg("due_date", Date(limits.DueDates())),
		},
		Optional: []string{"web_access", "web_search", "memory_query", "memory_write", "retrieve_context"},
	}, nil
}

func (l *Limits) webSearch() []Argument {
	long := Truncate(l.WebSearchMaxQueryLength)
	if l.WebSearchRefuseLongQuery {
		long = Length(0, l.WebSearchMaxQueryLength)
	}
	most := int64(l.WebSearchMaxResults)
	return []Argument{
		Arg("query", Required(), AtLeast(l.WebSearchMinQueryLength), long),
		Arg("max_results", lowerTo(most), Range(1, most)),
	}
}

// lowerTo is a cap that leaves the telling to the range behind it.
func lowerTo(most int64) Check {
	check := Cap(most)
	check.text = ""
	return check
}

func (l *Limits) memoryQuery() []Argument {
	most := int64(l.MemoryQueryMaxTopK)
	topK := Range(1, most)
	topK.text += fmt.Sprintf(" (%d if left out)", l.MemoryQueryDefaultTopK)
	return []Argument{
		Arg("query", Required(), NotBlank()),
		Arg("top_k", lowerTo(most), topK),
	}
}

func (l *Limits) memoryWrite() []Argument {
	return []Argument{
		Arg("content", Required(), NotBlank(), Bytes(1, l.MemoryWriteMaxContentSize)),
		Arg("namespace", l.namespaces()),
		Arg("metadata", Type(Object)),
	}
}

func (l *Limits) namespaces() Check {
	allowed := l.NamespaceAllowed
	if allowed == nil {
		return OneOf(l.MemoryWriteAllowedNamespaces...)
	}
	check := Func("namespace", func(ctx context.Context, in Input) (Verdict, error) {
		ok, err := allowed(ctx, in.Owner, in.Value.Text())
		if ok || err != nil {
			return Pass(), err
		}
		return Refuse(in.Arg + " " + in.Value.shown() + " is not one you may write to"), nil
	})
	check.kinds = kindsOf(String)
	return check
}
