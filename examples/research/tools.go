package main

import (
	"encoding/json"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// The names of the tools that the agent's own rules speak of.
const (
	toolPlan   = "record_plan"
	toolAccess = "web_access"
)

// tools are described once. What their arguments must look like beyond the
// schemas is said by the rules of package limits.
func tools() []tooltrack.Tool {
	schema := func(text string) json.RawMessage { return json.RawMessage(text) }
	return []tooltrack.Tool{{
		Name: toolPlan, Effect: tooltrack.Changes,
		Description: "Record the plan of a research: the sub-questions that the synthesis will answer, in order.",
		Parameters:  schema(`{"type":"object","properties":{"sub_questions":{"type":"array","items":{"type":"string","minLength":3},"minItems":1,"maxItems":10}},"required":["sub_questions"],"additionalProperties":false}`),
	}, {
		Name: "web_search", Effect: tooltrack.Reads,
		Description: "Search the web. It returns titles and URLs; open them with web_access.",
		Parameters:  schema(`{"type":"object","properties":{"query":{"type":"string"},"max_results":{"type":"integer"}},"required":["query"],"additionalProperties":false}`),
	}, {
		Name: toolAccess, Effect: tooltrack.Reads,
		Description: "Open a web page by its URL.",
		Parameters:  schema(`{"type":"object","properties":{"url":{"type":"string"}},"required":["url"],"additionalProperties":false}`),
	}, {
		Name: "memory_query", Effect: tooltrack.Reads,
		Description: "Look through the notes of the user and the pages that were read before.",
		Parameters:  schema(`{"type":"object","properties":{"query":{"type":"string"},"top_k":{"type":"integer"}},"required":["query"],"additionalProperties":false}`),
	}, {
		Name: "memory_write", Effect: tooltrack.Changes,
		Words:       tooltrack.Words{Verbs: []string{"remember", "note", "save"}, Nouns: []string{"note", "memory"}},
		Description: "Write a note into the memory of the user.",
		Parameters:  schema(`{"type":"object","properties":{"content":{"type":"string"},"namespace":{"type":"string"},"metadata":{"type":["object","null"]}},"required":["content","namespace"],"additionalProperties":false}`),
	}, {
		Name: "retrieve_context", Effect: tooltrack.Reads,
		Description: "Fetch one chunk of a page that was read before, by its id.",
		Parameters:  schema(`{"type":"object","properties":{"chunk_id":{"type":"string"}},"required":["chunk_id"],"additionalProperties":false}`),
	}}
}
