package main

import (
	"encoding/json"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// tools are described once. Those that resolve a finding are the only ones that
// change something.
func tools() []tooltrack.Tool {
	const path = `{"type":"object","properties":{"path":{"type":"string","minLength":1}},"required":["path"],"additionalProperties":false}`
	read := func(name, description string) tooltrack.Tool {
		return tooltrack.Tool{
			Name: name, Description: description, Effect: tooltrack.Reads, Parameters: json.RawMessage(path),
		}
	}
	return []tooltrack.Tool{
		read("read_file", "Read a file of the tree."),
		{
			Name: "compare_file_implementations", Effect: tooltrack.Reads,
			Description: "Compare the functions of two Go files: which bodies are the same, and which functions are in one " +
				"file only.",
			Parameters: json.RawMessage(
				`{"type":"object","properties":{"paths":{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":2}},"required":["paths"],"additionalProperties":false}`),
		},
		read("analyze_import_impact",
			"Find the files that import the package of a Go file, and which of its names they use."),
		read("analyze_complexity", "Measure the functions of a Go file: cyclomatic complexity, nesting, lines."),
		{
			Name: "merge_file_implementations", Effect: tooltrack.Changes,
			Words: tooltrack.Words{Verbs: []string{"merge"}, Nouns: []string{"file"}},
			Description: "Resolve a duplicate: replace the target file by the merged content and remove the source file. It " +
				"is undone if the tree does not compile or a test fails.",
			Parameters: json.RawMessage(
				`{"type":"object","properties":{"target":{"type":"string"},"source":{"type":"string"},"content":{"type":"string","minLength":1}},"required":["target","source","content"],"additionalProperties":false}`),
		},
		{
			Name: "create_issue_report", Effect: tooltrack.Changes,
			Words:       tooltrack.Words{Verbs: []string{"report", "file"}, Nouns: []string{"report", "issue"}},
			Description: "Resolve a finding by a report for the backlog.",
			Parameters: json.RawMessage(
				`{"type":"object","properties":{"title":{"type":"string","minLength":1},"severity":{"enum":["low","medium","high"]},"body":{"type":"string","minLength":1}},"required":["title","severity","body"],"additionalProperties":false}`),
		},
		{
			Name: "request_developer_review", Effect: tooltrack.Changes,
			Words:       tooltrack.Words{Verbs: []string{"request", "ask"}, Nouns: []string{"review"}},
			Description: "Resolve a finding by handing it to a developer, with the question that only a person can answer.",
			Parameters: json.RawMessage(
				`{"type":"object","properties":{"question":{"type":"string","minLength":1}},"required":["question"],"additionalProperties":false}`),
		},
	}
}
