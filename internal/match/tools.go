package match

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// tool is what a tool does, by its words.
type tool struct {
	toolname.Reading
	effect tooltrack.Effect
	// described are the acts of which the description speaks: a tool that creates pull
	// requests opens them.
	described lexicon.Families
	words     keys // of the name
	polls     bool // its name says that it only asks how something stands
}

// does are all acts that a call of the tool may be told as.
func (t *tool) does() lexicon.Families {
	return toolname.Kin(t.Families).Union(t.described)
}

// Tools are what a set of tools does, read once for many turns. They are immutable and
// safe for concurrent use; nil holds none.
type Tools struct {
	byName map[string]*tool
}

// NewTools reads tools.
func NewTools(tools []tooltrack.Tool) *Tools {
	read := &Tools{byName: make(map[string]*tool, len(tools))}
	for i := range tools {
		read.byName[tools[i].Name] = readTool(&tools[i])
	}
	return read
}

func readTool(declared *tooltrack.Tool) *tool {
	reader := reading.English()
	read := &tool{effect: declared.Effect, words: keys{}}
	read.Reading = toolname.Read(lexicon.English(), toolname.Tool{
		Name: declared.Name, Description: declared.Description, Parameters: declared.Parameters,
	})
	for _, word := range toolname.Words(declared.Name) {
		read.words[reader.StemKey(word)] = true
		read.polls = read.polls || isListed("polling", word)
	}
	text := reader.ReadClauses(nil, declared.Description)
	for i := range text.Clauses {
		if clause := &text.Clauses[i]; clause.Verb >= 0 && !clause.Negated {
			read.described = read.described.Union(text.Tokens[clause.Verb].Families())
		}
	}
	return read
}

// of are the readings of the offered tools: these, or new ones where a tool is not among
// them.
func (t *Tools) of(offered []tooltrack.Tool) *Tools {
	for i := range offered {
		if t == nil || t.byName[offered[i].Name] == nil {
			return NewTools(offered)
		}
	}
	if t == nil {
		return &Tools{}
	}
	return t
}

// any reports whether a tool fits.
func (t *Tools) any(fits func(*tool) bool) bool {
	for _, one := range t.byName {
		if fits(one) {
			return true
		}
	}
	return false
}

// isNamed reports whether a word is part of a tool's name.
func (t *Tools) isNamed(v *reading.Value) bool {
	return t.any(func(one *tool) bool { return one.words[v.Key] })
}

// keys are values by what they mean.
type keys map[uint64]bool

// keysIn are those of a text.
func keysIn(text string) keys {
	held := keys{}
	held.add(reading.English().Values(nil, text))
	return held
}

func (k keys) add(values []reading.Value) {
	for i := range values {
		k[values[i].Key] = true
	}
}
