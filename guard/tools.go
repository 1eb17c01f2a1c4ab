package guard

import (
	"slices"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// withWords is a tool with what its words imply for the ledger, which reads none.
func withWords(tool tooltrack.Tool) tooltrack.Tool {
	if tool.Implied == nil {
		words := toolname.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters}
		implied := tooltrack.Implied(toolname.Imply(lexicon.English(), words))
		tool.Implied = &implied
	}
	return tool
}

// informed are records with what the words of their tools imply: stores do not keep
// it. Records are shared, so those that lack it are copied.
func (g *Guard) informed(records []*tooltrack.Record) []*tooltrack.Record {
	if !slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return r.Implied == nil }) {
		return records
	}
	records = slices.Clone(records)
	for i, record := range records {
		if tool := toolNamed(g.tools, record.Tool); record.Implied == nil && tool != nil {
			known := *record
			known.Implied = tool.Implied
			records[i] = &known
		}
	}
	return records
}

func toolNamed(tools []tooltrack.Tool, name string) *tooltrack.Tool {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
	}
	return nil
}

func names(tools []tooltrack.Tool) []string {
	list := make([]string, len(tools))
	for i, tool := range tools {
		list[i] = tool.Name
	}
	return list
}

// readsOnly reports whether a tool changes nothing, as declared or else by its words.
func readsOnly(tool *tooltrack.Tool) bool {
	if tool.Effect != tooltrack.UnknownEffect {
		return !tool.Effect.MayChange()
	}
	return readingOf(tool).Effect == toolname.Reads
}

// readingOf is what a tool does, by its own words.
func readingOf(tool *tooltrack.Tool) toolname.Reading {
	return toolname.Read(lexicon.English(), toolname.Tool{
		Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters,
	})
}

func readsAlone(expected intent.Expectation, tools []tooltrack.Tool) bool {
	tool := toolNamed(tools, expected.Tool)
	return tool != nil && !tool.Effect.MayChange()
}
