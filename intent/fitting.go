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

func (f *fitted) Words(user, previous string) (words []string) {
	s := f.newScratch()
	r := &s.reader
	note := func(of, word string) {
		if b := of + " " + word; word != "" && !slices.Contains(words, b) {
			words = append(words, b)
		}
	}
	if previous != "" {
		f.before(s, previous)
		for i := range r.Tokens {
			if r.Tokens[i].Kind == lexicon.Word {
				note("previous", r.wordAt(i))
			}
		}
	}
	r.Tokenize(user)
	r.Glance()
	if r.Foreign {
		return nil
	}
	r.Respell(f.known)
	r.Read()
	before := ""
	for i := range r.asking {
		word := r.wordAt(i)
		note("word", word)
		if before != "" && word != "" {
			note("pair", before+" "+word)
		}
		before = word
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

func (f *fitted) Read(user, previous string) (read fitting.MessageReading) {
	s := f.newScratch()
	f.before(s, previous)
	f.Classifier.read(s, user)
	if read.Foreign = s.reader.Foreign || s.reader.Courteous; read.Foreign {
		return read
	}
	f.phrasing(s, func(hash uint64) { read.Phrases = append(read.Phrases, phraseKey(hash)) })
	// What the present trees say of it would give away what they were fitted to.
	clear(s.message[eScore:])
	read.Message = slices.Clone(s.message[:])
	for _, k := range s.contenders {
		clear(s.evidence[k.at][eScore:])
		read.Tools, read.Views = append(read.Tools, int(k.tool)), append(read.Views, k.view)
		read.Evidence = append(read.Evidence, slices.Clone(s.evidence[k.at][:]))
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
