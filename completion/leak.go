package completion

import (
	"github.com/bonafide-go/bonafide/internal/leak"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Leak is a tool call that a model wrote as text instead of making it. The
// zero value is none.
type Leak struct {
	// Tool is the tool's name, where one can be read.
	Tool string
	// Rule names the pattern that found it.
	Rule string
}

// Found reports whether there is a leak.
func (l Leak) Found() bool { return l.Rule != "" }

// FindLeak looks for a tool call in a text: fenced or bare JSON, tags and
// special tokens of the common chat templates, tool_code blocks, lines that
// are a call of one of the tools. A text that speaks about calls, or shows one
// inside a sentence, is none: a call that is meant to run begins a line.
func FindLeak(text string, tools []tooltrack.Tool) Leak {
	if !leak.May(text) {
		return Leak{}
	}
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	return Leak(leak.Find(text, names))
}
