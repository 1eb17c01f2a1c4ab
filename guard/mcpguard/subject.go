package mcpguard

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// making are the families whose tools name what does not exist yet: their
// arguments refer to nothing that could be looked up.
var making = lexicon.FamiliesOf(lexicon.Create, lexicon.Build, lexicon.Generate, lexicon.Send, lexicon.Register,
	lexicon.Schedule, lexicon.Remind, lexicon.Search, lexicon.Upload)

// guessSubject finds the argument that says which entity a tool works on: the
// id of the noun in the tool's name, an id, the noun itself, its name or title,
// in that order. Where two arguments are as good, and for tools that make
// something new, there is no guess: a wrong one would be worse.
func guessSubject(tool toolname.Tool) tooltrack.SubjectArg {
	reading := toolname.Read(lexicon.English(), tool)
	if len(reading.Nouns) == 0 || reading.Verb.Text == "" || reading.Families.Overlaps(making) {
		return tooltrack.SubjectArg{}
	}
	kind := toolname.Singular(reading.Nouns[len(reading.Nouns)-1].Text)
	required, optional := referring(tool.Parameters)
	tiers := [][]string{{kind + "_id"}, {"id"}, {kind}, {kind + "_name", kind + "_title"}, {"title", "name"}}
	for _, forms := range tiers {
		fits := func(arg string) bool { return slices.Contains(forms, snake(arg)) }
		first := slices.IndexFunc(required, fits)
		switch {
		case first >= 0 && !slices.ContainsFunc(required[first+1:], fits):
			return tooltrack.SubjectArg{Arg: required[first], Kind: kind}
		case first >= 0, slices.ContainsFunc(optional, fits):
			return tooltrack.SubjectArg{} // it may be named in more than one way
		}
	}
	return tooltrack.SubjectArg{}
}

// referring are the arguments that could name an entity: strings and whole
// numbers, required ones and others, sorted.
func referring(schema json.RawMessage) (required, optional []string) {
	var known struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	if len(schema) == 0 || json.Unmarshal(schema, &known) != nil {
		return nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(known.Properties)) {
		switch kind := known.Properties[name].Type; {
		case kind != "string" && kind != "integer":
		case slices.Contains(known.Required, name):
			required = append(required, name)
		default:
			optional = append(optional, name)
		}
	}
	return required, optional
}

// snake is a name in the style of task_id, whatever style it came in.
func snake(name string) string { return strings.Join(toolname.Words(name), "_") }
