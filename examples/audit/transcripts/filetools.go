package transcripts

import (
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/formats"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// fileTools are the tools seen anywhere in a file: listed by any conversation, or
// called in one. They stand in for the lists that conversations lack. The file is
// read once more for them, and only if one asks.
type fileTools struct {
	name  string // empty for what can be read only once
	once  sync.Once
	tools []tooltrack.Tool
}

func newFileTools(name string) *fileTools {
	if info, err := os.Stat(name); name == logfile.Stdin || err != nil || !info.Mode().IsRegular() {
		name = ""
	}
	return &fileTools{name: name}
}

func (f *fileTools) all() []tooltrack.Tool {
	f.once.Do(func() {
		if f.name != "" {
			f.tools = f.scan()
		}
	})
	return f.tools
}

// scan reads the file for its tools. What cannot be read is told when the file is judged.
func (f *fileTools) scan() []tooltrack.Tool {
	known := toolSet{}
	_ = collect(f.name, func(take func(logfile.Piece) bool) error { return readFile(f.name, nil, take) }, known.add)
	return known.list()
}

// toolSet gathers tools by their names.
type toolSet map[string]tooltrack.Tool

// add takes the tools of a conversation: a definition says more than a name.
func (s toolSet) add(c *formats.Conversation) {
	for _, tool := range c.Tools {
		if known, ok := s[tool.Name]; (!ok || known.Description == "" && known.Parameters == nil) && len(s) < maxTools {
			s[tool.Name] = tool
		}
	}
	for i := range c.Messages {
		for _, call := range c.Messages[i].Calls {
			s.name(call.Tool)
		}
	}
}

// name takes a tool of which no more is known.
func (s toolSet) name(name string) {
	if _, ok := s[name]; ok || len(s) >= maxTools {
		return
	}
	if tool := (tooltrack.Tool{Name: name}); tool.Validate() == nil {
		s[name] = tool
	}
}

func (s toolSet) list() []tooltrack.Tool {
	tools := slices.Collect(maps.Values(s))
	slices.SortFunc(tools, func(a, b tooltrack.Tool) int { return strings.Compare(a.Name, b.Name) })
	return tools
}
