package intent

import (
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/vector"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func init() {
	fitting.Intent.NearShare, fitting.Intent.MaxJudged, fitting.Intent.EarlyTrees = nearShare, maxJudged, earlyTrees
	fitting.Intent.Tools = readToFit
	fitting.Intent.Use = useModels
}

// readToFit reads tools for those who fit models to their messages.
func readToFit(tools []tooltrack.Tool) (fitting.ToolsReading, error) {
	c, err := FromTools(tools, nil)
	if err != nil {
		return nil, err
	}
	f := &fitted{c, nil}
	r := newProfiler(c.language, c.models.vectors)
	for _, tool := range tools {
		r.read(&profile{}, tool)
		f.bearings = append(f.bearings, slices.Clone(r.bearings))
	}
	return f, nil
}

// fitted is a classifier whose models are fitted.
type fitted struct {
	*Classifier
	bearings []vector.Bearings
}

func (f *fitted) Bearings() []vector.Bearings { return f.bearings }

func (f *fitted) Point(set *vector.Set) {
	if f.vectors == set {
		return
	}
	f.vectors = set
	for i, p := range f.profiles {
		p.toward = set.Toward(f.bearings[i])
	}
}

func (f *fitted) Words(user, before string) (words []string) {
	note := func(of, word string) {
		if b := of + " " + word; word != "" && !slices.Contains(words, b) {
			words = append(words, b)
		}
	}
	if before != "" {
		r := reader{f.listener.Skim(before[max(0, len(before)-maxPrevious):]), f.Classifier}
		for i := range r.Tokens {
			if r.Tokens[i].Kind == lexicon.Word {
				note("previous", r.wordAt(i))
			}
		}
	}
	r := reader{f.listener.Read(user), f.Classifier}
	if r.Foreign {
		return nil
	}
	last := ""
	for i := range r.asking {
		word := r.wordAt(i)
		note("word", word)
		if last != "" && word != "" {
			note("pair", last+" "+word)
		}
		last = word
	}
	return words
}

// wordAt is the token at i as vectors name it, empty if none can be of it.
func (r *reader) wordAt(i int) string {
	token := &r.Tokens[i]
	if token.Entry != nil {
		return lemmaTexts()[token.Entry.ID]
	}
	word := lexicon.Fold(r.Text[token.Start:token.End])
	if lexicon.Hash(word) != token.Hash || strings.ContainsAny(word, " \t") {
		return ""
	}
	return word
}

// lemmaTexts are the lemmas by their numbers.
var lemmaTexts = sync.OnceValue(func() map[int32]string {
	names := map[int32]string{}
	for _, entry := range lexicon.English().Entries() {
		if lemma := lexicon.English().Lookup(entry.Lemma); entry.ID >= 0 && lemma != nil && lemma.ID == entry.ID {
			names[entry.ID] = entry.Lemma
		}
	}
	return names
})

func (f *fitted) Read(user, before string) (read fitting.MessageReading) {
	m := f.read(Utterance{User: user, Previous: before})
	if read.Foreign = m.Foreign || m.Courteous; read.Foreign {
		return read
	}
	for hash := range m.phrasing(m.all[eBars] > 0 && m.all[eCommands] > 0) {
		read.Phrases = append(read.Phrases, phraseKey(hash))
	}
	read.Message = m.all[:]
	for _, k := range m.contenders {
		// What the present trees say of it would give away what they were fitted to.
		clear(k.evidence[eScore:])
		read.Tools, read.Evidence = append(read.Tools, k.tool.number), append(read.Evidence, k.evidence[:])
		read.Views = append(read.Views, int32(slices.Index(m.clauses, k.clause)))
	}
	return read
}

// useModels puts other models in the place of those that are shipped.
func useModels(trees, wording []byte, vectors *vector.Set) error {
	m := shippedModels()
	if trees != nil {
		var err error
		if m, err = parseModels(trees, wording); err != nil {
			return err
		}
		m.vectors = vectors
	}
	standardModels = func() *models { return m }
	return nil
}
