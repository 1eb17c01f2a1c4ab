package transcripts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/bonafide-go/bonafide/examples/internal/byset"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// effects says what each tool does to the world, as the host declared it or by a guess from its name.
type effects struct {
	declared map[string]tooltrack.Effect
}

// effect is one answer and where it comes from.
type effect struct {
	tooltrack.Effect
	// word is the part of the name that a guess rests on; empty for an effect
	// that was declared, and for a name that says nothing.
	word     string
	declared bool
}

// loadEffects reads a file such as {"list_tasks":"reads","delete_task":"changes"}.
// An empty name is no file: everything is guessed.
func loadEffects(file string) (*effects, error) {
	e := &effects{}
	if file == "" {
		return e, nil
	}
	data, err := os.ReadFile(file) // #nosec G304 -- the user names the file to read
	if err != nil {
		return nil, fmt.Errorf("reading the effects: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&e.declared); err != nil {
		const sample = `{"list_tasks":"reads","delete_task":"changes","run_tests":"verifies"}`
		return nil, fmt.Errorf("%s should map tools to effects, as in %s: %w", file, sample, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s holds something after its object; put all tools into one", file)
	}
	return e, nil
}

func (e *effects) of(name string) effect {
	if known, ok := e.declared[name]; ok {
		return effect{Effect: known, declared: true}
	}
	read := toolname.Read(lexicon.English(), toolname.Tool{Name: name})
	guessed := tooltrack.Effect(read.Effect)
	if guessed == tooltrack.UnknownEffect && isShell(&read) {
		guessed = tooltrack.Changes
	}
	if guessed == tooltrack.UnknownEffect {
		return effect{}
	}
	word := read.Verb.Text
	byNoun := word == "" || guessed == tooltrack.Verifies && read.Family == lexicon.Run // weather, run_tests
	if last := len(read.Nouns) - 1; byNoun && last >= 0 {
		word = read.Nouns[last].Text
	}
	return effect{Effect: guessed, word: word}
}

// isShell reports whether a tool runs whatever it is given: bash, run_shell_command. What an agent does
// in a shell counts as work. "run" and "execute" alone say nothing: it depends on what is run.
func isShell(read *toolname.Reading) bool {
	for _, word := range append(read.Nouns, read.Verb) {
		if known := lexicon.English().NameWord(word.Text); known.Families.Has(lexicon.Run) && !known.Light {
			return true
		}
	}
	return false
}

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
