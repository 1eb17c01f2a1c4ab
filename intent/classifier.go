package intent

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/internal/vector"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Classifier reads messages with the words of a set of tools. It is immutable
// and safe for concurrent use.
type Classifier struct {
	language   *lexicon.Language
	listener   *reading.Listener
	cues       [numCues]lexicon.Cue
	models     *models
	known      func(hash uint64) bool // words of the tools that the language does not list
	profiles   []*profile
	named      []uint64 // by lemma: the signs of the words of the tools' names
	vocabulary *vocabulary
	hosted
	trade     trade
	memory    *memory
	acts      lexicon.Families // of all tools
	vectors   *vector.Set      // nil for other languages
	workspace bool             // the tools work on files and code, where any change may be asked for
	mute      bool             // nothing is known of some tool, and any command may mean it
}

// MaxTools is the largest number of tools that one classifier takes.
const MaxTools = 4096

// FromTools builds a classifier from the tools themselves: their names and
// descriptions, the names of their arguments, and the host's words for them.
func FromTools(tools []tooltrack.Tool, options *Options) (*Classifier, error) {
	options = cmp.Or(options, &Options{})
	if len(tools) > MaxTools {
		return nil, fmt.Errorf("there are %d tools; at most %d are read", len(tools), MaxTools)
	}
	if err := tooltrack.ValidateTools(tools); err != nil {
		return nil, err
	}
	language, err := readLanguage(options.Language)
	if err != nil {
		return nil, err
	}
	c := &Classifier{language: language, models: standardModels(), listener: reading.NewListener(language)}
	for i, name := range cueNames {
		c.cues[i] = language.Cue(name) // one that the language does not have is never met
	}
	if language == lexicon.English() {
		c.vectors = c.models.vectors
	}
	c.readTools(tools)
	c.workspace = slices.ContainsFunc(c.profiles, func(p *profile) bool { return p.isOfWorkspace(language) })
	c.mute = slices.ContainsFunc(tools, func(t tooltrack.Tool) bool {
		return t.Description == "" && !toolname.Speaks(language, t.Name)
	})
	markEntities(c.profiles)
	c.vocabulary.join(c.profiles)
	c.named = namedWords(language, c.profiles)
	c.trade = c.newTrade()
	c.known = func(hash uint64) bool { return c.vocabulary.forms[hash] != nil }
	c.listener.Holds, c.listener.Known, c.listener.Localize = holds(), c.known, c.localize
	if err := c.readHost(tools, options); err != nil {
		return nil, err
	}
	c.memory = c.learn(options.Examples)
	return c, nil
}

// readLanguage reads the host's word list; without one it is English.
func readLanguage(list io.Reader) (*lexicon.Language, error) {
	if list == nil {
		return lexicon.English(), nil
	}
	const limit = 16 << 20 // the English list is a fiftieth of it
	text, err := io.ReadAll(io.LimitReader(list, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading Options.Language: %w", err)
	case len(text) > limit:
		return nil, fmt.Errorf("Options.Language has more than %d MiB; split it or leave rare words out", limit>>20)
	}
	language, err := lexicon.Parse("host", string(text))
	if err != nil {
		return nil, fmt.Errorf("Options.Language: %w", err)
	}
	return language, nil
}

// readTools makes the profiles of the tools.
func (c *Classifier) readTools(tools []tooltrack.Tool) {
	r := newProfiler(c.language, c.vectors)
	profiles := make([]profile, len(tools))
	c.profiles = make([]*profile, len(tools))
	for i, tool := range tools {
		p := &profiles[i]
		r.read(p, tool)
		p.number, c.profiles[i], c.acts = i, p, c.acts.Union(p.acts)
	}
	c.vocabulary = r.vocabulary
}

// entityActs are what one does to the things of a collection.
var entityActs = lexicon.FamiliesOf(lexicon.Create, lexicon.Update, lexicon.Delete, lexicon.Complete,
	lexicon.Cancel, lexicon.Return, lexicon.Exchange, lexicon.Move)

// markEntities finds the tools that together keep a collection: three or more
// with a noun of their names in common, and two different acts on it.
func markEntities(profiles []*profile) {
	acts, tools := map[*word]lexicon.Families{}, map[*word]int{}
	for _, p := range profiles {
		for i := range p.terms {
			if noun := p.terms[i].word; p.terms[i].is(inName) {
				tools[noun]++
				acts[noun] = acts[noun].Union(p.acts)
			}
		}
	}
	for _, p := range profiles {
		for i := range p.terms {
			if noun := p.terms[i].word; p.terms[i].is(inName) && tools[noun] >= 3 {
				change := acts[noun].Without(acts[noun].Without(entityActs))
				p.entity = p.entity || change.Len() >= 2
			}
		}
	}
}

// Classify reads a message. Its error is that of the context.
func (c *Classifier) Classify(ctx context.Context, request Utterance) (Intent, error) {
	if err := ctx.Err(); err != nil {
		return Intent{}, err
	}
	m := c.read(request)
	defer m.Return()
	return m.intent(), nil
}
