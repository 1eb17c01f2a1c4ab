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
	direction  direction
	article    bool // an indefinite article stands before
	whole      bool // words are counted, whatever is said of them
}

// direction is what the last preposition says.
type direction uint8

const (
	direct  direction = iota // no preposition yet
	aside                    // at, with, on
	inward                   // to, into
	outward                  // from, off
)

// survey reads what a clause says beside its verb, and counts for each tool the
// words that speak of it. Words that come again count once.
func (s *scratch) survey(c *Classifier, cl *reading.Request, o *object) {
	o.lastStrange = -1
	w := surveyor{scratch: s, classifier: c, clause: cl, object: o, whole: cl.From < 0}
	w.opening()
	w.implied()
	tokens := s.reader.Tokens[:cl.To]
	for i := cl.Body; i < len(tokens); i++ {
		token, entry := &tokens[i], s.reader.At(i)
		switch {
		case token.Kind == lexicon.Symbol: // "$5" speaks of money
			w.kinds(c.language.Lookup(s.reader.Text[token.Start:token.End]), 0, false)
		case !token.IsWord():
		case len(s.reader.PhraseKinds(i)) > 0 && s.reader.Wordy(i) && w.said(i):
		case i == cl.Verb:
		case s.reader.Quotes && token.Has(lexicon.Quoted):
			o.quoted = true
		case token.Kind == lexicon.Number || isFunctionWord(entry):
			if !w.whole {
				w.grammar(i, token, entry)
			}
		case entry.Class.Has(lexicon.Time):
			o.times++
		case token.Kind == lexicon.Name:
			w.kinds(c.shape(s.reader.Text[token.Start:token.End]), 0, false)
			w.content(i, token, entry)
		default:
			w.article = w.article || entry.Is(s.reader.cues[cueNew])
			if hasMeaning(token, entry) || len(entry.Related().Kinds) > 0 {
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
}

// overall counts the words of a whole text for the tools.
func (s *scratch) overall(c *Classifier) {
	s.begin()
	s.survey(c, &reading.Request{From: -1, To: len(s.reader.Tokens), Verb: -1}, &object{})
}

// hasMeaning reports whether a word says something by itself: not go, happen or
// want, and no single letter.
func hasMeaning(token *lexicon.Token, entry *lexicon.Entry) bool {
	const named = lexicon.Noun | lexicon.Plural | lexicon.Adjective
	empty := entry.Form.Has(lexicon.Verb) && entry.Families.Empty() && !entry.Form.Has(named)
	return token.End-token.Start > 1 && !empty
}

// opening reads how the object begins.
func (w *surveyor) opening() {
	r, cl, o := &w.reader, w.clause, w.object
	first, form := r.Class(cl.Body), r.Form(cl.Body)
	o.title = r.hasTitleObject(cl) ||
		cl.Verb >= 0 && form.Has(lexicon.Base) && !form.Has(lexicon.Noun) && !isFunctionWord(r.Tokens[cl.Body].Entry)
	o.pronounFirst = first.Has(lexicon.Pronoun) && !r.Form(cl.Body+1).Has(lexicon.Noun|lexicon.Adjective)
	o.definite = first.Has(lexicon.Possessive) || r.is(cl.Body, cueTheThis)
}

// hasTitleObject reports whether what a verb is used on begins with a verb in capitals, as
// only a title does: "delete Paint the fence".
func (r *reader) hasTitleObject(cl *reading.Request) bool {
	if cl.Verb < 0 || cl.Body <= cl.Verb || cl.Body >= cl.To || r.Shouts {
		return false
	}
	token := &r.Tokens[cl.Body]
	return token.Has(lexicon.Capital) && !token.Has(lexicon.SentenceStart) && token.Form().Has(lexicon.Base) &&
		!isFunctionWord(token.Entry)
}

// content takes a word with a meaning of its own.
func (w *surveyor) content(i int, token *lexicon.Token, entry *lexicon.Entry) {
	o, v := w.object, w.classifier.vocabulary
	number := v.find(token)
	if !w.reader.Shouts && token.Has(lexicon.Capital) && !token.Has(lexicon.SentenceStart) {
		if number == 0 && entry.ID < 0 {
			o.names++
			return
		}
	}
	rare := rarity(entry)
	o.content++
	o.weight += rare
	leading := w.isInFirstPhrase(i)
	if leading {
		o.phrase += rare
		o.head = number
		o.solid = o.solid || !entry.Class.Has(lexicon.Boilerplate)
	}
	if number == 0 {
		w.strange(i, entry)
		w.kinds(entry, rare, leading)
		return
	}
	o.hits++
	o.firstHit = o.firstHit || o.content == 1
	o.compound = o.compound || w.article && v.words[number-1].kind && w.reader.Compounds(i) &&
		v.find(&w.reader.Tokens[i+1]) == 0 // "an event handler", and no tool knows of handlers
	w.known(i, entry, &v.words[number-1])
	w.count(v, number, 1, rare, leading)
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

// said takes a phrase that ends at i. It is read like the word that it stands
// for, if some tool knows that.
func (w *surveyor) said(i int) (known bool) {
	o, v := w.object, w.classifier.vocabulary
	for _, of := range w.reader.PhraseKinds(i) {
		number := v.thing(of)
		if number == 0 {
			continue
		}
		leading, rare := w.isInFirstPhrase(i), float32(0)
		if !known {
			known, rare = true, phraseRarity
			o.content++
			o.hits++
			o.weight += rare
			o.firstHit = o.firstHit || o.content == 1
			if leading {
				o.phrase += rare
				o.head, o.solid = number, true
			}
		}
		w.count(v, number, 1, phraseRarity, leading)
	}
	return known
}

// kinds counts a word or sign that no tool knows for the things that it is a kind
// of.
func (w *surveyor) kinds(entry *lexicon.Entry, rare float32, leading bool) {
	for _, of := range entry.Related().Kinds {
		number := w.classifier.vocabulary.thing(of)
		if number == 0 {
			continue
		}
		if leading && w.object.head == 0 {
			w.object.head = number
		}
		w.count(w.classifier.vocabulary, number, ofKind, rare, leading)
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

// isInFirstPhrase reports whether token i belongs to the first phrase, the one that
// says what is asked for.
func (w *surveyor) isInFirstPhrase(i int) bool {
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
	number := v.find(token)
	if cl.Families.Has(lexicon.Remind) && v.reminder != 0 {
		number = v.reminder
	}
	if number == 0 {
		w.kinds(token.Entry, 0, false)
		return
	}
	w.count(v, number, 1, 0, false)
	if (cl.Families.Has(lexicon.Remind) || cl.Families.Has(lexicon.Remember)) && v.words[number-1].kind {
		w.object.directKind, w.object.indefinite = true, true
	}
}

// grammar takes a word that only serves the grammar, or a number.
func (w *surveyor) grammar(i int, token *lexicon.Token, entry *lexicon.Entry) {
	const counted = lexicon.Ordinal | lexicon.Time | lexicon.Pronoun | lexicon.Quantity | lexicon.FirstPerson |
		lexicon.SecondPerson | lexicon.Determiner | lexicon.Preposition
	o, class := w.object, entry.Class
	switch {
	case token.Kind == lexicon.Number:
		w.number(i, class)
	case !class.Has(counted):
		w.article = w.article || entry.Is(w.reader.cues[cueArticle])
		return
	case class.Has(lexicon.Time) && !class.Has(lexicon.Modal):
		o.times++
	}
	o.pronoun = o.pronoun || class.Has(lexicon.Pronoun|lexicon.Quantity)
	o.mine = o.mine || class.Has(lexicon.FirstPerson) && class.Has(lexicon.Possessive)
	if class.Has(lexicon.SecondPerson) && class.Has(lexicon.Possessive) { // what is the assistant's is not ours
		o.foreign++
	}
	w.article = w.article && !class.Has(lexicon.Determiner) || entry.Is(w.reader.cues[cueArticle])
	if class.Has(lexicon.Preposition) && !w.isParticle(i) {
		w.direction = aside
		if entry.Is(w.reader.cues[cueInto]) {
			w.direction = inward
		} else if entry.Is(w.reader.cues[cueFromOff]) {
			w.direction = outward
		}
	}
}

// number takes a number: which one, a time, or how many.
func (w *surveyor) number(i int, class lexicon.Class) {
	o := w.object
	o.numbers++
	switch {
	case class.Has(lexicon.Ordinal):
		o.pronoun = true
	case w.reader.Clock(i), class.Has(lexicon.Time) && !class.Has(lexicon.Modal):
		o.times++
	}
}

// isParticle reports whether the word at i belongs to the verb before it: "clear
// off the appointment" takes nothing off an appointment.
func (w *surveyor) isParticle(i int) bool {
	verb := w.clause.Verb
	return verb >= 0 && i == verb+1 && !w.classifier.language.Phrasal(w.reader.Tokens[verb].Entry, w.reader.At(i)).Empty()
}

// strange takes a word that no tool knows.
func (w *surveyor) strange(i int, entry *lexicon.Entry) {
	o := w.object
	o.target = o.target || w.direction == inward
	if entry.Group == 0 || !entry.Form.Has(lexicon.Noun|lexicon.Plural) {
		return
	}
	o.foreign++
	o.lastStrange = i
}

// known takes a word that some tool knows, by the place it stands in.
func (w *surveyor) known(i int, entry *lexicon.Entry, known *word) {
	o := w.object
	o.attribute = o.attribute || known.attribute && !known.kind
	if !known.kind || entry.ID >= 0 && !entry.Form.Has(lexicon.Noun|lexicon.Plural) {
		return
	}
	if w.reader.Modifies(i) {
		return
	}
	container := entry.Class.Has(lexicon.Container)
	if container && w.isListOfOthers(i) {
		return
	}
	o.attribute = o.attribute || known.attribute
	plural := entry.Form.Has(lexicon.Plural)
	switch {
	case container && w.direction != direct:
		o.prepHolder = true
	case container:
		o.directHolder = true
	case w.direction != direct:
		o.prepKind = true
		o.into = o.into || !plural && w.direction == inward
		o.from = o.from || !plural && w.direction == outward
	default:
		o.directKind, o.plural = true, plural
		o.indefinite = o.indefinite || w.article
	}
}

// isListOfOthers reports whether the list at i holds things that are not ours: "a list
// of recipes", "the contact list".
func (w *surveyor) isListOfOthers(i int) bool {
	o, r := w.object, &w.reader
	return r.is(i+1, cueOf) && !o.mine && !r.Class(i+2).Has(lexicon.Possessive) || i > 0 && o.lastStrange == i-1
}

// ofKind is how much a word counts that is but a kind of what a tool names.
const ofKind = 0.7

// count adds a word's postings to the tallies of the tools, each by a factor.
func (s *scratch) count(v *vocabulary, number int32, factor, rare float32, leading bool) {
	if s.seen[number-1] == s.round {
		return
	}
	s.seen[number-1] = s.round
	w := &v.words[number-1]
	for _, p := range v.postings[w.from:w.to] {
		t := s.tally(p.tool)
		t.hits++
		t.weight += rare
		if leading {
			t.phrase += rare
		}
		if p.named {
			t.named += p.weight * factor
			t.nameRare += p.weight * factor * w.rare
			t.namedHits++
			if w.tools() == 1 {
				t.exclusive++
			}
		} else {
			t.told += p.weight * factor
			t.toldRare += p.weight * factor * w.rare
		}
	}
}
