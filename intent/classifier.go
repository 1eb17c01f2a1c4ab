package intent

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/bonafide-go/bonafide/internal/forest"
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
	models     *models
	known      func(hash uint64) bool // words of the tools that the language does not list
	profiles   []*profile
	named      []uint64 // by lemma: the signs of the words of the tools' names
	vocabulary *vocabulary
	hosted
	trade  trade
	memory *memory
	*candidacy
	vectors   *vector.Set // nil for other languages
	workspace bool        // the tools work on files and code, where any change may be asked for
	mute      bool        // nothing is known of some tool, and any command may mean it
	scratches sync.Pool
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
	c := &Classifier{language: language, models: standardModels()}
	if language == lexicon.English() {
		c.vectors = c.models.vectors
	}
	words := c.readTools(tools)
	c.workspace = slices.ContainsFunc(c.profiles, func(p *profile) bool { return p.isOfWorkspace(words) })
	c.mute = slices.ContainsFunc(tools, func(t tooltrack.Tool) bool {
		return t.Description == "" && !toolname.Speaks(language, t.Name)
	})
	markEntities(c.profiles, words)
	c.candidacy = newCandidacy(c.profiles)
	c.vocabulary = newVocabulary(words, c.profiles)
	c.named = namedWords(language, c.profiles)
	c.trade = c.newTrade()
	c.listener = reading.NewListener(language)
	c.known = func(hash uint64) bool { return c.vocabulary.forms.Find(hash) != 0 }
	c.scratches.New = func() any { return c.newScratch() }
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
func (c *Classifier) readTools(tools []tooltrack.Tool) *stems {
	r := newProfiler(c.language, c.vectors)
	profiles := make([]profile, len(tools))
	c.profiles = make([]*profile, len(tools))
	for i, tool := range tools {
		r.read(&profiles[i], tool)
		c.profiles[i] = &profiles[i]
	}
	return r.stems
}

// entityActs are what one does to the things of a collection.
var entityActs = lexicon.FamiliesOf(lexicon.Create, lexicon.Update, lexicon.Delete, lexicon.Complete,
	lexicon.Cancel, lexicon.Return, lexicon.Exchange, lexicon.Move)

// markEntities finds the tools that together keep a collection: three or more
// with a noun of their names in common, and two different acts on it.
func markEntities(profiles []*profile, words *stems) {
	acts, tools := make([]lexicon.Families, len(words.all)), make([]int32, len(words.all))
	for _, p := range profiles {
		for i := range p.terms {
			if noun := p.terms[i].stem; p.terms[i].is(inName) {
				tools[noun]++
				acts[noun] = acts[noun].Union(p.acts)
			}
		}
	}
	for _, p := range profiles {
		for i := range p.terms {
			if noun := p.terms[i].stem; p.terms[i].is(inName) && tools[noun] >= 3 {
				change := acts[noun].Without(acts[noun].Without(entityActs))
				p.entity = p.entity || change.Len() >= 2
			}
		}
	}
}

// scratch is the memory of one Classify, used again and again.
type scratch struct {
	reader   reader
	tallies  []tally          // of the clause
	touched  toolSet          // tools that have one
	totals   []tally          // of the whole message
	heard    toolSet          // tools that have one
	open     toolSet          // tools that the clause may mean
	whole    bool             // there are totals
	found    []uint64         // marks of the message
	common   []float32        // what it has in common with the host's examples
	words    []uint64         // of the message, held against examples
	said     lexicon.Families // all verbs of the message
	seen     []uint32
	round    uint32
	expected []found
	settled  []found // room for what is kept of the expected
	// What is kept of the clauses until the whole message has been read.
	views       []view
	sights      []sight
	sighted     toolSet // tools that have one
	signals     signals
	given       slots            // what the message gives for arguments
	prefixes    []reading.Prefix // of the ids in it
	deeds       []deed
	heading     *vector.Heading
	recalled    vector.Sum       // of the assistant's text before
	point       vector.Vector    // where the words point
	done        lexicon.Families // of the deeds
	priors      []prior          // what the assistant's text before says of the tools
	hasPrevious bool
	strange     bool // it is in a language without a word list
	hold        Hold
	hearing     reading.Hearing
	contenders  []contender
	message     evidence // whatever the tool
	evidence    [maxContenders]evidence
	ranks       [maxContenders]forest.Ranks // of the evidence
	due         float32
	asked       bool // the assistant asked something
	factual     bool // and it was about what is so,
	past        bool // or was
	asking      bool // some clause asks for something, or names a thing
	talk        bool // the message has no clause, only words: "thanks", "hello there"
	corrects    bool // the message says that it was another one
	replies     bool // the message only answers what the assistant said
}

// found is an expectation in the making.
type found struct {
	tool  int32
	score float32
	from  int // tokens
	to    int
	own   bool // its own verb was said
}

func (c *Classifier) newScratch() *scratch {
	n := len(c.profiles)
	s := &scratch{
		reader:  newReader(c.language, c.listener),
		tallies: make([]tally, n), totals: make([]tally, n), seen: make([]uint32, len(c.vocabulary.words)),
		touched: newToolSet(n), heard: newToolSet(n), open: newToolSet(n),
	}
	s.sights, s.sighted, s.priors = make([]sight, n), newToolSet(n), make([]prior, n)
	s.heading = vector.NewHeading(c.vectors)
	return s
}

// Classify reads a message. Its error is that of the context.
func (c *Classifier) Classify(ctx context.Context, request Utterance) (Intent, error) {
	if err := ctx.Err(); err != nil {
		return Intent{}, err
	}
	s := c.scratches.Get().(*scratch)
	defer c.scratches.Put(s)
	return c.answer(s, request), nil
}

// maxMessage bounds what is read of a message. Of a longer one its beginning
// and its end are read: that is where people ask, before or behind what they
// pasted.
const maxMessage = 16 << 10

// read fills the scratch with what the message asks for.
func (c *Classifier) read(s *scratch, text string) {
	if len(text) > maxMessage {
		text = text[:maxMessage/2] + "\n" + text[len(text)-maxMessage/2:]
	}
	for kept := 1; kept > 0; kept = s.hearing.Kept { // without what was withdrawn and replaced
		s.reader.Hear(text)
		c.localize(s.reader.Tokens)
		s.hold = Hold(s.hearing.Hear(holds(), s.reader.Text, s.reader.Tokens))
		text = s.reader.Text[s.hearing.Kept:]
	}
	s.reader.Glance()
	s.views = s.views[:0]
	clear(s.sighted)
	s.expected = s.expected[:0]
	s.reader.Foreign = s.reader.Foreign || s.strange && s.asked && s.reader.Unheard()
	if s.reader.Foreign { // not if it commands a tool by the words of its name
		tool, _, _ := c.called(s)
		s.reader.Foreign = tool < 0
	}
	if s.reader.Foreign || s.reader.Courteous {
		s.due, s.signals, s.contenders, s.replies = courteousDue, signals{}, s.contenders[:0], false
		s.message = evidence{}
		c.hostsSay(s)
		return
	}
	s.reader.Respell(c.known)
	s.reader.Read()
	s.said = lexicon.Families{}
	for i := range s.reader.Requests {
		s.said = s.said.Union(s.reader.Requests[i].Families)
	}
	c.overview(s)
	for i := range s.reader.Requests {
		c.judge(s, &s.reader.Requests[i])
	}
	s.signal()
	agrees, corrects := s.reply()
	s.corrects = corrects && !s.asked
	s.replies = agrees || s.corrects
	c.decide(s)
	c.expectations(s)
	c.callByName(s)
	c.hostsSay(s)
}

// hostsSay lets the host's examples and phrases have their say, in whatever language.
func (c *Classifier) hostsSay(s *scratch) {
	if c.memory != nil && !s.hearing.Over {
		c.recollect(s)
	}
	if len(c.forced) > 0 {
		c.force(s)
	}
}

// overview counts the words of the whole message, for clauses that lean on
// what others said.
func (c *Classifier) overview(s *scratch) {
	s.whole = len(s.reader.Requests) > 1
	if !s.whole {
		return
	}
	s.overall(c)
	s.tallies, s.totals = s.totals, s.tallies
	s.touched, s.heard = s.heard, s.touched
	s.forget()
}
