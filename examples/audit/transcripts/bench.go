package transcripts

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// bench is the court for one set of tools.
type bench struct {
	key      toolsKey
	tools    []tooltrack.Tool
	effects  []effect // of each tool
	guard    *guard.Guard
	policy   *policy.Set
	unusable string // why the schemas of the tools are not looked at; empty if they are
}

// toolsKey identifies a set of tools.
type toolsKey [sha256.Size]byte

// maxBenches bounds the sets of tools that are kept. Most logs have a handful.
const maxBenches = 64

// benches builds a bench once for the many conversations that share it. It is
// safe for concurrent use.
type benches struct {
	effects *effects
	mu      sync.Mutex
	byTools map[toolsKey]func() (*bench, error)
}

// of is the bench for a set of tools.
func (b *benches) of(tools []tooltrack.Tool) (*bench, error) {
	key := keyOf(tools)
	b.mu.Lock()
	build, known := b.byTools[key]
	if !known {
		if len(b.byTools) >= maxBenches || b.byTools == nil {
			b.byTools = map[toolsKey]func() (*bench, error){}
		}
		build = sync.OnceValues(func() (*bench, error) { return b.build(tools) })
		b.byTools[key] = build
	}
	b.mu.Unlock()
	return build() // others with the same tools wait for it, and nobody else
}

func keyOf(tools []tooltrack.Tool) (key toolsKey) {
	hash := sha256.New()
	for i := range tools {
		fmt.Fprintf(hash, "%d %s %d %s %d ", len(tools[i].Name), tools[i].Name, len(tools[i].Description),
			tools[i].Description, len(tools[i].Parameters))
		hash.Write(tools[i].Parameters)
	}
	hash.Sum(key[:0])
	return key
}

// build makes the guard. A schema that cannot be read is no reason to judge nothing, or to call a
// call blocked that ran: its tool is judged without it, and the report says so.
func (b *benches) build(logged []tooltrack.Tool) (*bench, error) {
	made := &bench{key: keyOf(logged), tools: slices.Clone(logged)}
	for i := range made.tools {
		found := b.effects.of(made.tools[i].Name)
		made.tools[i].Effect = found.Effect
		made.effects = append(made.effects, found)
	}
	err := made.compile()
	if err == nil && len(made.policy.Unreadable()) == 0 {
		return made, nil
	}
	return made, made.dropSchemas(err)
}

// dropSchemas leaves out the schemas that cannot be read, or all of them if nobody can say which.
func (b *bench) dropSchemas(err error) error {
	var unreadable map[string]error
	if err == nil {
		unreadable = b.policy.Unreadable()
		first := slices.Min(slices.Collect(maps.Keys(unreadable)))
		b.unusable = first + ": " + unreadable[first].Error()
	} else {
		b.unusable = err.Error()
	}
	for i := range b.tools {
		if _, broken := unreadable[b.tools[i].Name]; broken || err != nil {
			b.tools[i].Parameters = nil
		}
	}
	return b.compile()
}

func (b *bench) compile() (err error) {
	// Who the user is, the host knows and a log does not: identity is not judged.
	rules := &policy.Options{Identity: []policy.Identity{}}
	if b.policy, err = policy.New(b.tools, rules); err != nil {
		return err
	}
	b.guard, err = guard.New(b.tools, &guard.Options{Observe: true, Policy: rules})
	return err
}
