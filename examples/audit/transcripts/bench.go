package transcripts

import (
	"slices"

	"github.com/bonafide-go/bonafide/examples/internal/byset"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// bench is the court for one set of tools.
type bench struct {
	key     byset.Key
	tools   []tooltrack.Tool
	effects []effect // of each tool
	guard   *guard.Guard
}

// maxBenches bounds the sets of tools that are kept. Most logs have a handful.
const maxBenches = 64

// bench builds the guard for some tools. A schema that cannot be read is no reason to judge
// nothing: only calls would be refused by it, and those of a log have run.
func (e *effects) bench(key byset.Key, logged []tooltrack.Tool) (made *bench, err error) {
	made = &bench{key: key, tools: slices.Clone(logged)}
	for i := range made.tools {
		found := e.of(made.tools[i].Name)
		made.tools[i].Effect = found.Effect
		made.effects = append(made.effects, found)
	}
	// Who the user is, the host knows and a log does not: identity is not judged.
	made.guard, err = guard.New(made.tools,
		&guard.Options{Observe: true, Policy: &policy.Options{Identity: []policy.Identity{}}})
	return made, err
}
