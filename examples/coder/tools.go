package main

import (
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// tools are described once: what the model may call, what a success proves, and
// which argument names the file that was touched.
func tools() []tooltrack.Tool {
	file := tooltrack.SubjectArg{Arg: "path", Kind: "file"}
	return []tooltrack.Tool{{
		Name: "read_file", Description: "Read a file of the repository.", Effect: tooltrack.Reads, Subject: file,
		Parameters: stage.Schema(`"path":{"type":"string","minLength":1}`, "path"),
	}, {
		Name: "search", Description: "Find the lines of the repository that contain a text.", Effect: tooltrack.Reads,
		Parameters: stage.Schema(`"text":{"type":"string","minLength":1}`, "text"),
	}, {
		Name: "write_file", Description: "Write a file of the repository: create it, or replace all of its content.",
		Effect: tooltrack.Changes, Subject: file,
		Parameters: stage.Schema(`"path":{"type":"string","minLength":1},"content":{"type":"string"}`, "path", "content"),
		Words:      editing,
		Confirm: &tooltrack.Confirm{
			Read: "read_file(path = $args.path)", Expect: "content = $args.content", When: "always"},
	}, {
		Name: "apply_patch", Description: "Apply a unified diff to one file of the repository.", Effect: tooltrack.Changes,
		Subject: file,
		Parameters: stage.Schema(`"path":{"type":"string","minLength":1},"patch":{"type":"string","minLength":1}`, "path",
			"patch"),
		Words: editing,
	}, {
		Name: "run_tests", Description: "Run all tests of the repository with go test.", Effect: tooltrack.Verifies,
		Parameters: stage.Schema(``),
	}, {
		// A look at the diff proves no more than that there is one: only tests verify.
		Name: "git_diff", Description: "Show what was changed since the last commit.", Effect: tooltrack.Reads,
		Parameters: stage.Schema(``),
	}}
}

// editing are the words by which models report an edit, whichever tool made it.
var editing = tooltrack.Words{
	Verbs: []string{"implement", "add", "write", "fix", "edit", "change", "update", "rename", "refactor"},
	Nouns: []string{"function", "test", "code", "bug"},
}
