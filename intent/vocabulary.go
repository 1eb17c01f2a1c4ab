package intent

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// vocabulary are the words of the tools, and finds those that a word of a message speaks
// of: by its lemma, by its written form if the lexicon does not list it, and by its group
// of nouns ("film" for "movie").
type vocabulary struct {
	language *lexicon.Language
	words    []*word
	stems    map[string]*word
	lemmas   map[int32]*word
	groups   map[uint16]*word
	forms    map[uint64]*word // by hash of the written form, for words not listed
	reminder *word            // the noun of what reminds, if a tool keeps it
}

// word is a word of the tools, in all its forms; or a group of nouns, in all its words.
type word struct {
	number    int
	stem      string         // see [lexicon.Language.Stem]
	entry     *lexicon.Entry // of the stem, nil if it is not listed
	uses      []use
	attribute bool    // something that a tool's subject has
	kind      bool    // something that a tool's subject is
	named     bool    // of a tool's name
	rare      float32 // 1 for a word of one tool, near 0 for one of all
}

// use is what a word says about one tool.
type use struct {
	tool   *profile
	weight float32
	named  bool
}

// term is a word of one tool.
type term struct {
	*word
	roles  role
	weight float32  // how much it says
	forms  []string // how it is written, where the lexicon does not list it
}

// role is a set of the parts that a word plays for a tool.
type role uint8

const (
	inName    role = 1 << iota // a word of its name
	ofSubject                  // a noun of what its subject has: title, date
	isSubject                  // a noun of what its subject is: task, event
)

func (t *term) is(any role) bool { return t.roles&any != 0 }

func newVocabulary(language *lexicon.Language) *vocabulary {
	return &vocabulary{language: language, stems: map[string]*word{}, lemmas: map[int32]*word{},
		groups: map[uint16]*word{}, forms: map[uint64]*word{}}
}

// wordOf is the word of the tools that a word of a text is a form of; it is added if there is none.
func (v *vocabulary) wordOf(text string) *word {
	entry, stem := v.language.Lookup(text), ""
	if entry == nil {
		stem = v.language.Stem(text)
	} else if stem = entry.Lemma; v.lemmas[entry.ID] != nil {
		return v.lemmas[entry.ID]
	}
	w := v.stems[stem]
	if w == nil {
		w = &word{stem: stem, entry: v.language.Lookup(stem)}
		v.stems[stem] = w
	}
	if entry != nil {
		v.lemmas[entry.ID] = w
	}
	return w
}

// join joins the words of all tools, once they are read.
func (v *vocabulary) join(profiles []*profile) {
	clear(v.lemmas) // from here on only the stems are found, not all that the tools have of them
	for _, p := range profiles {
		for i := range p.terms {
			t := &p.terms[i]
			if len(t.uses) == 0 {
				t.number, v.words = len(v.words), append(v.words, t.word)
			}
			t.uses = append(t.uses, use{tool: p, weight: t.weight, named: t.is(inName)})
			t.attribute = t.attribute || t.is(ofSubject)
			t.kind = t.kind || t.is(isSubject)
			t.named = t.named || t.is(inName)
			v.addForms(t.forms, t.word)
		}
	}
	for _, w := range slices.Clone(v.words) {
		if w.attribute && !w.named { // an argument that no tool is named for is no thing: a priority
			w.kind = false
		}
		if w.entry != nil {
			v.list(w)
		}
	}
	scale := math.Log(float64(len(profiles) + 1))
	for _, w := range v.words {
		w.rare = float32(1 - math.Log(float64(max(len(w.uses), 1)))/scale)
	}
}

// list lets a listed word be found.
func (v *vocabulary) list(w *word) {
	v.lemmas[w.entry.ID] = w
	if w.entry.Families.Has(lexicon.Remind) && w.entry.Form.Has(lexicon.Noun) && w.kind {
		v.reminder = w
	}
	if w.entry.Group == 0 {
		return
	}
	g := v.groups[w.entry.Group]
	if g == nil {
		g = &word{number: len(v.words)}
		v.groups[w.entry.Group], v.words = g, append(v.words, g)
	}
	// The group stands for the word that says the most about a tool.
	g.kind, g.attribute = g.kind || w.kind, g.attribute || w.attribute
	for _, u := range w.uses {
		u.weight *= 0.8
		at := slices.IndexFunc(g.uses, func(known use) bool { return known.tool == u.tool })
		if at < 0 {
			g.uses = append(g.uses, u)
		} else if u.weight > g.uses[at].weight {
			g.uses[at] = u
		}
	}
}

// addForms lists every form that a word of no lexicon can take.
func (v *vocabulary) addForms(written []string, w *word) {
	for _, text := range written {
		if v.forms[lexicon.Hash(text)] == w { // another tool has it, too
			continue
		}
		forms := v.language.Inflect(nil, text)
		// A plural is asked for in the singular, too; the stem may have lost an e.
		if stem := v.language.Stem(text); stem != text {
			forms = append(forms, stem, stem+"e")
		}
		for _, form := range forms {
			v.forms[lexicon.Hash(form)] = w
		}
	}
}

// thing finds a noun, itself or by its group; nil if no tool knows it.
func (v *vocabulary) thing(noun *lexicon.Entry) *word {
	if w := v.lemmas[noun.ID]; w != nil {
		return w
	}
	return v.groups[noun.Group]
}

// find looks a token up; nil if no tool knows it.
func (v *vocabulary) find(token *lexicon.Token) *word {
	if entry := token.Entry; entry != nil && v.lemmas[entry.ID] != nil {
		return v.lemmas[entry.ID]
	}
	return v.search(token)
}

// search finds a token that is no lemma of the tools.
func (v *vocabulary) search(token *lexicon.Token) *word {
	entry := token.Entry
	if entry == nil {
		return v.forms[token.Hash]
	}
	if w := v.groups[entry.Group]; w != nil {
		return w
	}
	for _, other := range entry.Related().Synonyms {
		if w := v.thing(other); w != nil {
			return w
		}
	}
	return nil
}

// isNamed reports whether a noun stands for one of a tool's name.
func (v *vocabulary) isNamed(token *lexicon.Token) bool {
	if !token.Entry.Form.Has(lexicon.Noun|lexicon.Plural) || isFunctionWord(token.Entry) {
		return false
	}
	w := v.search(token)
	return w != nil && slices.ContainsFunc(w.uses, func(u use) bool { return u.named })
}

// of is what a word says about one tool; nothing if it is none of its words.
func (w *word) of(tool *profile) use {
	if w != nil {
		for _, u := range w.uses {
			if u.tool == tool {
				return u
			}
		}
	}
	return use{}
}

// term is the current tool's term of a word; it adds one if there is none.
func (r *profiler) term(w *word) *term {
	p := r.profile
	at, known := r.places[w]
	if !known {
		at, r.places[w] = len(p.terms), len(p.terms)
		p.terms = append(p.terms, term{word: w})
	}
	return &p.terms[at]
}

// hasAny reports whether one of some words is among those of the current tool.
func (r *profiler) hasAny(words ...string) bool {
	return slices.ContainsFunc(words, func(text string) bool {
		_, known := r.places[r.vocabulary.stems[text]]
		return known
	})
}

// finish sorts and sums up the words of the current tool.
func (r *profiler) finish() {
	p := r.profile
	slices.SortFunc(p.terms, func(a, b term) int { return strings.Compare(a.stem, b.stem) })
	for i := range p.terms { // in order, so that the sum is always the same
		t := &p.terms[i]
		if t.is(inName) {
			p.weight += t.weight
		}
		p.repeats = p.repeats || t.entry != nil && t.entry.Is(r.repeating)
	}
}
