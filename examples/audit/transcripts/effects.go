package transcripts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// effects says what each tool does to the world: as the host declared it, or by
// a guess from the tool's name that the report shows.
type effects struct {
	declared map[string]tooltrack.Effect
	words    *lexicon.Language
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
	e := &effects{words: lexicon.English()}
	if file == "" {
		return e, nil
	}
	data, err := os.ReadFile(file) // #nosec G304 -- the user names the file to read
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&e.declared); err != nil {
		return nil, fmt.Errorf(`%s should map tools to effects, as in {"list_tasks":"reads","delete_task":"changes","run_tests":"verifies"}: %w`, file, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s holds something behind its object; put all tools into one", file)
	}
	return e, nil
}

// of is the effect of a tool.
func (e *effects) of(name string) effect {
	if known, ok := e.declared[name]; ok {
		return effect{Effect: known, declared: true}
	}
	words := lexicon.NameWords(name)
	// The verb leads ("delete_task"), or it comes last ("memory_write"). A name
	// space or a product in front is no verb.
	order := make([]string, 0, len(words)+1)
	if len(words) > 0 {
		order = append(append(order, words[0], words[len(words)-1]), words[1:]...)
	}
	for _, word := range order {
		if guessed := e.guess(word); guessed != tooltrack.UnknownEffect {
			return effect{Effect: guessed, word: word}
		}
	}
	return effect{}
}

// guess reads one word of a name.
func (e *effects) guess(word string) tooltrack.Effect {
	if guessed, known := toolWords[word]; known {
		return guessed
	}
	entry := e.words.Lookup(word)
	if entry == nil || !entry.Form.Has(lexicon.Base) || entry.Primary == lexicon.NoFamily {
		return tooltrack.UnknownEffect
	}
	if guessed, known := familyEffects[entry.Primary]; known {
		return guessed
	}
	return tooltrack.Changes
}

// toolWords are words that mean something else in a tool's name than in a
// sentence, or that say nothing there: what counts is what is run.
var toolWords = map[string]tooltrack.Effect{
	"think": tooltrack.Reads, "is": tooltrack.Reads, "has": tooltrack.Reads, "exists": tooltrack.Reads, "status": tooltrack.Reads,
	"select": tooltrack.Reads, "describe": tooltrack.Reads, "scan": tooltrack.Reads, "grep": tooltrack.Reads, "glob": tooltrack.Reads,
	"inspect": tooltrack.Reads, "peek": tooltrack.Reads, "info": tooltrack.Reads, "details": tooltrack.Reads, "weather": tooltrack.Reads,
	"lint": tooltrack.Verifies, "diff": tooltrack.Verifies, "typecheck": tooltrack.Verifies, "tests": tooltrack.Verifies,
	"bash": tooltrack.Changes, "shell": tooltrack.Changes, "exec": tooltrack.Changes, "insert": tooltrack.Changes, "upsert": tooltrack.Changes,
	"put": tooltrack.Changes, "post": tooltrack.Changes, "patch": tooltrack.Changes, "toggle": tooltrack.Changes, "push": tooltrack.Changes,
	"add": tooltrack.Changes, "run": tooltrack.UnknownEffect, "execute": tooltrack.UnknownEffect,
}

// familyEffects are the kinds of acts that leave the world as it is, or may. All
// others change it.
var familyEffects = map[lexicon.Family]tooltrack.Effect{
	lexicon.Read: tooltrack.Reads, lexicon.Search: tooltrack.Reads, lexicon.Verify: tooltrack.Reads, lexicon.Convert: tooltrack.Reads,
	lexicon.Calculate: tooltrack.Reads, lexicon.Analyze: tooltrack.Reads, lexicon.Compare: tooltrack.Reads, lexicon.Translate: tooltrack.Reads,
	lexicon.Summarize: tooltrack.Reads, lexicon.Explain: tooltrack.Reads, lexicon.Review: tooltrack.Reads, lexicon.Sort: tooltrack.Reads,
	lexicon.Filter: tooltrack.Reads, lexicon.Track: tooltrack.Reads, lexicon.Predict: tooltrack.Reads, lexicon.Recommend: tooltrack.Reads,
	lexicon.Count: tooltrack.Reads, lexicon.Classify: tooltrack.Reads, lexicon.Answer: tooltrack.Reads, lexicon.Remember: tooltrack.UnknownEffect,
	lexicon.Open: tooltrack.UnknownEffect, lexicon.Report: tooltrack.UnknownEffect, lexicon.Test: tooltrack.Verifies,
}
