package intent

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// tally is what a clause says about one tool.
type tally struct {
	named, told float32 // weights of the words found in its name and in the rest
	weight      float32 // weights of the message's words it knows
	phrase      float32 // the same in the first phrase
	head        bool    // it knows the head of the first phrase
	headNamed   bool    // from its name
	first       int32   // words of its name before a preposition
	hits        int32
	namedHits   int32
	exclusive   int32   // words of its name that no other tool has
	nameRare    float32 // words of its name, by how few tools have them
	toldRare    float32 // and of its description
}

// surveyor walks the words of a clause.
type surveyor struct {
	*scratch
	classifier *Classifier
	clause     *reading.Request
	object     *object
}

// survey reads what a clause says beside its verb, and counts for each tool the
// words that speak of it. Words that come again count once.
// The object is that of the scratch, good until the next survey.
func (s *scratch) survey(c *Classifier, cl *reading.Request) *object {
	o := &s.object
	*o = object{}
	w := surveyor{scratch: s, classifier: c, clause: cl, object: o}
	w.opening()
	w.implied()
	tokens := s.reader.Tokens[:cl.To]
	for i := cl.Body; i < len(tokens); i++ {
		token, entry := &tokens[i], s.reader.At(i)
		switch {
		case !token.IsWord():
			w.mark(token)
		case token.EndsPhrase() && s.reader.Wordy(i) && w.said(i):
		case i == cl.Verb:
		case s.reader.Quotes && token.Has(lexicon.Quoted):
			o.quoted = true
		case token.Kind == lexicon.Number || functional(entry):
			w.grammar(i, token, entry)
		case entry.Class.Has(lexicon.Time):
			o.times++
		case token.Kind == lexicon.Name:
			w.sign(c.shape(s.reader.Text[token.Start:token.End]))
			w.content(i, token, entry)
		default:
			if meaningful(token, entry) || len(entry.Related().Kinds) > 0 {
				w.content(i, token, entry)
			}
		}
	}
	if o.head > 0 {
		head := &c.vocabulary.words[o.head-1]
		for _, p := range c.vocabulary.postings[head.from:head.to] {
			t := s.tally(p.tool)
			t.head, t.headNamed = true, p.named
		}
	}
	return o
}

// mark takes what is no word.
func (w *surveyor) mark(token *lexicon.Token) {
	if token.Kind == lexicon.Symbol {
		w.sign(w.classifier.language.Lookup(w.reader.Text[token.Start:token.End]))
	}
}

// meaningful reports whether a word says something by itself: not go, happen or
// want, and no single letter.
func meaningful(token *lexicon.Token, entry *lexicon.Entry) bool {
	const named = lexicon.Noun | lexicon.Plural | lexicon.Adjective
	empty := entry.Form.Has(lexicon.Verb) && entry.Families.Empty() && !entry.Form.Has(named)
	return token.End-token.Start > 1 && !empty
}

// opening reads how the object begins.
func (w *surveyor) opening() {
	r, cl, o := &w.reader, w.clause, w.object
	first, form := r.Class(cl.Body), r.Form(cl.Body)
	o.title = cl.Verb >= 0 && form.Has(lexicon.Base) && !form.Has(lexicon.Noun) && !functional(r.Tokens[cl.Body].Entry)
	o.definite = first.Has(lexicon.Possessive) || r.is(cl.Body, cueTheThis)
}

// content takes a word with a meaning of its own.
func (w *surveyor) content(i int, token *lexicon.Token, entry *lexicon.Entry) {
	o, v := w.object, w.classifier.vocabulary
	number, how := v.find(token, w.reader.Text)
	if !w.reader.Shouts && token.Has(lexicon.Capital) && !token.Has(lexicon.SentenceStart) {
		if number == 0 && entry.ID < 0 {
			o.names++
			return
		}
	}
	rare := rarity(entry)
	o.content++
	o.weight += rare
	leading := w.leading(i)
	if leading {
		o.phrase += rare
		o.head = number
		o.solid = o.solid || !entry.Class.Has(lexicon.Boilerplate)
	}
	if number == 0 {
		if entry.Group != 0 && entry.Form.Has(lexicon.Noun|lexicon.Plural) {
			o.foreign++
		}
		w.kinds(entry.Related().Kinds, rare, leading)
		return
	}
	o.hits++
	w.known(i, entry, &v.words[number-1])
	w.count(v, number, how, rare, leading)
}

// shape is the sign that a name is written with: that of a web address, a mail
// address or a path; nil if the language knows none.
func (c *Classifier) shape(name string) *lexicon.Entry {
	switch {
	case strings.Contains(name, "://"):
		return c.language.Lookup("://")
	case strings.Contains(name, "@"):
		return c.language.Lookup("@")
	default:
		return c.language.Lookup("./")
	}
}

// sign takes a sign that stands for a word: "$5" speaks of money.
func (w *surveyor) sign(entry *lexicon.Entry) {
	for _, of := range entry.Related().Kinds {
		if number := w.classifier.vocabulary.thing(of); number != 0 {
			w.count(w.classifier.vocabulary, number, byKind, 0, false)
		}
	}
}

// said takes a phrase that ends at i. It is read like the word that it stands
// for, if some tool knows that.
func (w *surveyor) said(i int) (known bool) {
	o, v := w.object, w.classifier.vocabulary
	for _, of := range w.classifier.language.PhraseKinds(w.reader.Tokens[:i+1]) {
		number := v.thing(of)
		if number == 0 {
			continue
		}
		leading, rare := w.leading(i), float32(0)
		if !known {
			known, rare = true, phraseRarity
			o.content++
			o.hits++
			o.weight += rare
			if leading {
				o.phrase += rare
				o.head, o.solid = number, true
			}
		}
		w.count(v, number, byGroup, phraseRarity, leading)
	}
	return known
}

// kinds counts a word that no tool knows for the things that it is a kind of.
func (w *surveyor) kinds(things []*lexicon.Entry, rare float32, leading bool) {
	for _, of := range things {
		number := w.classifier.vocabulary.thing(of)
		if number == 0 {
			continue
		}
		if leading && w.object.head == 0 {
			w.object.head = number
		}
		w.count(w.classifier.vocabulary, number, byKind, rare, leading)
	}
}

// phraseRarity is how much a phrase says.
const phraseRarity = 0.9

// rarity is how much a word of a message says: words that stand in no list are
// rare and say most.
func rarity(entry *lexicon.Entry) float32 {
	switch {
	case entry.ID < 0:
		return 1
	case entry.Class.Has(lexicon.Boilerplate):
		return 0.3
	case entry.Group != 0 || len(entry.Word) > 7:
		return 0.9
	default:
		return 0.6
	}
}

// leading reports whether token i belongs to the first phrase, the one that
// says what is asked for.
func (w *surveyor) leading(i int) bool {
	const closing = lexicon.Preposition | lexicon.Conjunction | lexicon.Auxiliary
	o, r := w.object, &w.reader
	if o.solid && !o.closed && i > 0 && (!r.Wordy(i-1) || r.Class(i-1).Has(closing)) {
		o.closed = true
	}
	return !o.closed
}

// implied lets the verb name its own object: "remind" speaks of a reminder,
// "order" of an order.
func (w *surveyor) implied() {
	cl, v := w.clause, w.classifier.vocabulary
	if cl.Verb < 0 || w.reader.Tokens[cl.Verb].Class().Has(lexicon.Container) {
		return
	}
	token := &w.reader.Tokens[cl.Verb]
	number, how := v.find(token, w.reader.Text)
	if cl.Families.Has(lexicon.Remind) && v.reminder != 0 {
		number, how = v.reminder, exactly
	}
	if number == 0 {
		number, how = v.roots.find(rootOf(token.Entry.Lemma)), byRoot
	}
	if number == 0 {
		w.kinds(token.Entry.Related().Kinds, 0, false)
		return
	}
	w.count(v, number, how, 0, false)
	if (cl.Families.Has(lexicon.Remind) || cl.Families.Has(lexicon.Remember)) && v.words[number-1].kind {
		w.object.kind = true
	}
}

// grammar takes a word that only serves the grammar, or a number.
func (w *surveyor) grammar(i int, token *lexicon.Token, entry *lexicon.Entry) {
	o, class := w.object, entry.Class
	switch {
	case token.Kind == lexicon.Number:
		w.number(i, class)
	case class.Has(lexicon.Time) && !class.Has(lexicon.Modal):
		o.times++
	}
	o.pronoun = o.pronoun || class.Has(lexicon.Pronoun|lexicon.Quantity)
	o.mine = o.mine || class.Has(lexicon.FirstPerson) && class.Has(lexicon.Possessive)
	if class.Has(lexicon.SecondPerson) && class.Has(lexicon.Possessive) { // what is the assistant's is not ours
		o.foreign++
	}
	o.aside = o.aside || class.Has(lexicon.Preposition)
}

// number takes a number: which one, a time, or how many.
func (w *surveyor) number(i int, class lexicon.Class) {
	o := w.object
	o.numbers++
	switch {
	case class.Has(lexicon.Ordinal):
		o.pronoun = true
	case w.reader.clock(i), class.Has(lexicon.Time) && !class.Has(lexicon.Modal):
		o.times++
	}
}

// clock reports whether the number at i is a time of day or a date.
func (r *reader) clock(i int) bool {
	const near = lexicon.Preposition | lexicon.Time
	token := &r.Tokens[i]
	for _, c := range []byte(r.Text[token.Start:token.End]) {
		if c == ':' || c == '/' {
			return true
		}
	}
	return r.Class(i-1).Has(near) || r.Class(i+1).Has(lexicon.Time)
}

// known takes a word that some tool knows: the kind of thing that the tools are
// about, unless another noun follows ("task title" speaks of a title).
func (w *surveyor) known(i int, entry *lexicon.Entry, known *word) {
	const noun = lexicon.Noun | lexicon.Plural
	next := w.reader.At(i + 1)
	modifies := next.Form.Has(noun) && !next.Form.Has(lexicon.Base) && !next.Class.Has(lexicon.Time)
	if !known.kind || entry.ID >= 0 && !entry.Form.Has(noun) || modifies {
		return
	}
	w.object.plural = !w.object.kind && !w.object.aside && entry.Form.Has(lexicon.Plural)
	w.object.kind = true
}

// count adds a word's postings to the tallies of the tools.
func (s *scratch) count(v *vocabulary, number int32, how match, rare float32, leading bool) {
	if s.seen[number-1] == s.round {
		return
	}
	s.seen[number-1] = s.round
	s.matched = append(s.matched, number)
	w := &v.words[number-1]
	factor := float32(1)
	if how >= byRoot {
		factor = 0.7
	}
	for _, p := range v.postings[w.from:w.to] {
		t := s.tally(p.tool)
		t.hits++
		t.weight += rare
		if leading {
			t.phrase += rare
		}
		if p.first {
			t.first++
		}
		if p.named {
			t.named += p.weight * factor
			t.nameRare += p.weight * factor * w.rare
			t.namedHits++
			if w.own == 1 && !p.lent {
				t.exclusive++
			}
		} else {
			t.told += p.weight * factor
			t.toldRare += p.weight * factor * w.rare
		}
	}
}
