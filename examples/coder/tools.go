package main

import (
	_ "embed"

	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/tooltrack"
)

//go:embed tools.json
var toolsText []byte

// tools are described once: what the model may call, what a success proves, and
// which argument names the file that was touched. A look at the diff proves no more
// than that there is one: only tests verify.
func tools() []tooltrack.Tool {
	tools := stage.Tools(toolsText)
	for i := range tools {
		if tools[i].Effect == tooltrack.Changes {
			tools[i].Words = editing
		}
	}
	return tools
}

// editing are the words by which models report an edit, whichever tool made it.
var editing = tooltrack.Words{
	Verbs: []string{"implement", "add", "write", "fix", "edit", "change", "update", "rename", "refactor"},
	Nouns: []string{"function", "test", "code", "bug"},
}
