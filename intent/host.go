package intent

import (
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// hosted is what the host said about its tools beside their descriptions.
type hosted struct {
	byName  map[string]int
	silent  []bool                    // tools that are never expected
	forced  []forced                  // phrases that settle the matter
	entries map[uint64]*lexicon.Entry // the host's own verbs, by form
}

// forced is a phrase that expects a tool.
type forced struct {
	tool  *profile
	words []uint64
}

func (c *Classifier) readHost(tools []tooltrack.Tool, options *Options) error {
	c.byName, c.entries = make(map[string]int, len(tools)), map[uint64]*lexicon.Entry{}
	for i, tool := range tools {
		c.byName[tool.Name] = i
		for _, verb := range tool.Words.Verbs {
			c.addVerb(lexicon.Fold(strings.TrimSpace(verb)), c.profiles[i])
		}
	}
	c.silent = make([]bool, len(tools))
	for _, name := range options.Silence {
		tool, known := c.byName[name]
		if !known {
			return fmt.Errorf("options.Silence names %q, which is not among the tools", name)
		}
		c.silent[tool] = true
	}
	for i, tool := range tools { // in the order of the tools, not of the map
		for _, phrase := range options.Force[tool.Name] {
			if words := c.phrase(phrase); len(words) > 0 {
				c.forced = append(c.forced, forced{c.profiles[i], words})
			}
		}
	}
	for name := range options.Force {
		if _, known := c.byName[name]; !known {
			return fmt.Errorf("options.Force names %q, which is not among the tools", name)
		}
	}
	return nil
}

func (c *Classifier) phrase(phrase string) []uint64 {
	var words []uint64
	for _, token := range c.language.Tokenize(nil, phrase) {
		if token.IsWord() {
			words = append(words, token.Hash)
		}
	}
	return words
}

// addVerb makes a word of the host's a verb of the tool's families, in all its
// forms. A word that the lexicon lists keeps what else it is.
func (c *Classifier) addVerb(verb string, p *profile) {
	if verb == "" || p.acts.Empty() {
		return
	}
	for i, word := range c.language.Inflect(nil, verb) {
		form := lexicon.Verb &^ lexicon.Base
		if i == 0 {
			form = lexicon.Base
		}
		entry := lexicon.Entry{Word: word, Lemma: verb, Form: form}
		if listed := c.language.Lookup(word); listed != nil {
			entry = *listed
			entry.Form |= form & lexicon.Base
		} else {
			entry.ID = int32(c.language.Lemmas()) // no word of any tool
		}
		entry.Families = entry.Families.Union(p.acts)
		if entry.Primary == lexicon.NoFamily {
			for f := p.acts.Next(lexicon.NoFamily); f != lexicon.NoFamily; f = p.acts.Next(f) {
				entry.Primary = f
			}
		}
		c.entries[lexicon.Hash(word)] = &entry
	}
}

// localize gives the tokens the host's own entries.
func (c *Classifier) localize(tokens []lexicon.Token) {
	if len(c.entries) == 0 {
		return
	}
	for i := range tokens {
		if entry := c.entries[tokens[i].Hash]; entry != nil && tokens[i].IsWord() {
			tokens[i].Entry = entry
		}
	}
}

// force expects the tools whose phrases the message holds, and is sure of those
// that are expected already.
func (m *message) force() {
	for _, f := range m.forced {
		from := m.find(f.words)
		if from < 0 {
			continue
		}
		at := m.position(f.tool)
		if at < 0 {
			m.expected = append(m.expected, found{tool: f.tool, from: from, to: from + len(f.words)})
			at = len(m.expected) - 1
		}
		m.expected[at].score = max(m.expected[at].score, ruleClip)
	}
}

// find finds a phrase among the words of the message, outside quotations; -1 if it is not there.
func (r *reader) find(words []uint64) int {
	for i := range max(0, len(r.Tokens)-len(words)+1) {
		k := 0
		for k < len(words) && r.Wordy(i+k) && r.Tokens[i+k].Hash == words[k] {
			k++
		}
		if k == len(words) {
			return i
		}
	}
	return -1
}
