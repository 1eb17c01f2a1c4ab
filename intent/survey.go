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

// rare is how much a tool's words say that few other tools have.
func (t *tally) rare() float32 { return t.nameRare + t.toldRare }

// surveyor walks the words of a clause.
type surveyor struct {
	*reader
	*object
	clause    *reading.Request
	tallies   []tally
	counted   []bool // words of the tools that were met
	direction direction
	article   bool // an indefinite article stands before
	bare      bool // words are counted, whatever is said of them
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
func (r *reader) survey(q *reading.Request, o *object) []tally {
	o.lastStrange = -1
	w := surveyor{reader: r, object: o, clause: q, bare: q.From < 0,
		tallies: make([]tally, len(r.profiles)), counted: make([]bool, len(r.vocabulary.words))}
	w.opening()
	w.implied()
	for i := q.Body; i < q.To; i++ {
		token, entry := &r.Tokens[i], r.At(i)
		switch {
		case token.Kind == lexicon.Symbol: // "$5" speaks of money
			w.readKinds(r.language.Lookup(r.Word(i)), 0, false)
		case !token.IsWord():
		case len(r.PhraseKinds(i)) > 0 && r.Wordy(i) && w.readPhrase(i):
		case i == q.Verb:
		case r.Quotes && token.Has(lexicon.Quoted):
			w.quoted = true
		case token.Kind == lexicon.Number || isFunctionWord(entry):
			if !w.bare {
				w.readGrammar(i, token, entry)
			}
		case entry.Class.Has(lexicon.Time):
			w.times++
		case token.Kind == lexicon.Name:
			w.readKinds(r.shape(r.Word(i)), 0, false)
			w.readWord(i, token, entry)
		default:
			w.article = w.article || entry.Is(r.cues[cueNew])
			if hasMeaning(token, entry) || len(entry.Related().Kinds) > 0 {
				w.readWord(i, token, entry)
			}
		}
	}
	if w.head != nil {
		for _, u := range w.head.uses {
			t := &w.tallies[u.tool.number]
			t.head, t.headNamed = true, u.named
		}
	}
	return w.tallies
}

// tallyAll counts the words of a whole text for the tools.
func (r *reader) tallyAll() []tally {
	return r.survey(&reading.Request{From: -1, To: len(r.Tokens), Verb: -1}, &object{})
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
	q := w.clause
	first, form := w.Class(q.Body), w.Form(q.Body)
	w.title = w.hasTitleObject(q) ||
		q.Verb >= 0 && form.Has(lexicon.Base) && !form.Has(lexicon.Noun) && !isFunctionWord(w.Tokens[q.Body].Entry)
	w.pronounFirst = first.Has(lexicon.Pronoun) && !w.Form(q.Body+1).Has(lexicon.Noun|lexicon.Adjective)
	w.definite = first.Has(lexicon.Possessive) || w.is(q.Body, cueTheThis)
}

// readWord takes a word with a meaning of its own.
func (w *surveyor) readWord(i int, token *lexicon.Token, entry *lexicon.Entry) {
	known := w.vocabulary.find(token)
	if !w.Shouts && token.Has(lexicon.Capital) && !token.Has(lexicon.SentenceStart) {
		if known == nil && entry.ID < 0 {
			w.names++
			return
		}
	}
	rare := rarity(entry)
	w.content++
	w.weight += rare
	leading := w.isInFirstPhrase(i)
	if leading {
		w.phrase += rare
		w.head = known
		w.solid = w.solid || !entry.Class.Has(lexicon.Boilerplate)
	}
	if known == nil {
		w.readStrange(i, entry)
		w.readKinds(entry, rare, leading)
		return
	}
	w.hits++
	w.firstHit = w.firstHit || w.content == 1
	w.compound = w.compound || w.article && known.kind && w.Compounds(i) &&
		w.vocabulary.find(&w.Tokens[i+1]) == nil // "an event handler", and no tool knows of handlers
	w.readKnown(i, entry, known)
	w.count(known, 1, rare, leading)
}

// shape is the sign that a name is written with: that of a web address, a mail
// address or a path; nil if the language knows none.
func (r *reader) shape(name string) *lexicon.Entry {
	switch {
	case strings.Contains(name, "://"):
		return r.language.Lookup("://")
	case strings.Contains(name, "@"):
		return r.language.Lookup("@")
	default:
		return r.language.Lookup("./")
	}
}

// readPhrase takes a phrase that ends at i. It is read like the word that it stands
// for, if some tool knows that.
func (w *surveyor) readPhrase(i int) (known bool) {
	for _, of := range w.PhraseKinds(i) {
		word := w.vocabulary.thing(of)
		if word == nil {
			continue
		}
		leading, rare := w.isInFirstPhrase(i), float32(0)
		if !known {
			known, rare = true, phraseRarity
			w.content++
			w.hits++
			w.weight += rare
			w.firstHit = w.firstHit || w.content == 1
			if leading {
				w.phrase += rare
				w.head, w.solid = word, true
			}
		}
		w.count(word, 1, phraseRarity, leading)
	}
	return known
}

// readKinds counts a word or sign that no tool knows for the things that it is a kind
// of.
func (w *surveyor) readKinds(entry *lexicon.Entry, rare float32, leading bool) {
	for _, of := range entry.Related().Kinds {
		word := w.vocabulary.thing(of)
		if word == nil {
			continue
		}
		if leading && w.head == nil {
			w.head = word
		}
		w.count(word, ofKind, rare, leading)
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
	if w.solid && !w.closed && i > 0 && (!w.Wordy(i-1) || w.Class(i-1).Has(closing)) {
		w.closed = true
	}
	return !w.closed
}

// implied lets the verb name its own object: "remind" speaks of a reminder,
// "order" of an order.
func (w *surveyor) implied() {
	q, v := w.clause, w.vocabulary
	if q.Verb < 0 || w.Tokens[q.Verb].Class().Has(lexicon.Container) {
		return
	}
	token := &w.Tokens[q.Verb]
	word := v.find(token)
	if q.Families.Has(lexicon.Remind) && v.reminder != nil {
		word = v.reminder
	}
	if word == nil {
		w.readKinds(token.Entry, 0, false)
		return
	}
	w.count(word, 1, 0, false)
	if (q.Families.Has(lexicon.Remind) || q.Families.Has(lexicon.Remember)) && word.kind {
		w.directKind, w.indefinite = true, true
	}
}

// readGrammar takes a word that only serves the grammar, or a number.
func (w *surveyor) readGrammar(i int, token *lexicon.Token, entry *lexicon.Entry) {
	const counted = lexicon.Ordinal | lexicon.Time | lexicon.Pronoun | lexicon.Quantity | lexicon.FirstPerson |
		lexicon.SecondPerson | lexicon.Determiner | lexicon.Preposition
	class := entry.Class
	switch {
	case token.Kind == lexicon.Number:
		w.readNumber(i, class)
	case !class.Has(counted):
		w.article = w.article || entry.Is(w.cues[cueArticle])
		return
	case class.Has(lexicon.Time) && !class.Has(lexicon.Modal):
		w.times++
	}
	w.pronoun = w.pronoun || class.Has(lexicon.Pronoun|lexicon.Quantity)
	w.mine = w.mine || class.Has(lexicon.FirstPerson) && class.Has(lexicon.Possessive)
	if class.Has(lexicon.SecondPerson) && class.Has(lexicon.Possessive) { // what is the assistant's is not ours
		w.foreign++
	}
	w.article = w.article && !class.Has(lexicon.Determiner) || entry.Is(w.cues[cueArticle])
	if class.Has(lexicon.Preposition) && !w.isParticle(i) {
		w.direction = aside
		if entry.Is(w.cues[cueInto]) {
			w.direction = inward
		} else if entry.Is(w.cues[cueFromOff]) {
			w.direction = outward
		}
	}
}

// readNumber takes a number: which one, a time, or how many.
func (w *surveyor) readNumber(i int, class lexicon.Class) {
	w.numbers++
	switch {
	case class.Has(lexicon.Ordinal):
		w.pronoun = true
	case w.Clock(i), class.Has(lexicon.Time) && !class.Has(lexicon.Modal):
		w.times++
	}
}

// isParticle reports whether the word at i belongs to the verb before it: "clear
// off the appointment" takes nothing off an appointment.
func (w *surveyor) isParticle(i int) bool {
	verb := w.clause.Verb
	return verb >= 0 && i == verb+1 && !w.language.Phrasal(w.Tokens[verb].Entry, w.At(i)).Empty()
}

// readStrange takes a word that no tool knows.
func (w *surveyor) readStrange(i int, entry *lexicon.Entry) {
	w.target = w.target || w.direction == inward
	if entry.Group == 0 || !entry.Form.Has(lexicon.Noun|lexicon.Plural) {
		return
	}
	w.foreign++
	w.lastStrange = i
}

// readKnown takes a word that some tool knows, by the place it stands in.
func (w *surveyor) readKnown(i int, entry *lexicon.Entry, known *word) {
	w.attribute = w.attribute || known.attribute && !known.kind
	if !known.kind || entry.ID >= 0 && !entry.Form.Has(lexicon.Noun|lexicon.Plural) {
		return
	}
	if w.Modifies(i) {
		return
	}
	container := entry.Class.Has(lexicon.Container)
	if container && w.isListOfOthers(i) {
		return
	}
	w.attribute = w.attribute || known.attribute
	plural := entry.Form.Has(lexicon.Plural)
	switch {
	case container && w.direction != direct:
		w.prepHolder = true
	case container:
		w.directHolder = true
	case w.direction != direct:
		w.prepKind = true
		w.into = w.into || !plural && w.direction == inward
		w.from = w.from || !plural && w.direction == outward
	default:
		w.directKind, w.plural = true, plural
		w.indefinite = w.indefinite || w.article
	}
}

// isListOfOthers reports whether the list at i holds things that are not ours: "a list
// of recipes", "the contact list".
func (w *surveyor) isListOfOthers(i int) bool {
	return w.is(i+1, cueOf) && !w.mine && !w.Class(i+2).Has(lexicon.Possessive) || i > 0 && w.lastStrange == i-1
}

// ofKind is how much a word counts that is but a kind of what a tool names.
const ofKind = 0.7

// count adds what a word says to the tallies of the tools, each by a factor.
func (w *surveyor) count(word *word, factor, rare float32, leading bool) {
	if w.counted[word.number] {
		return
	}
	w.counted[word.number] = true
	for _, p := range word.uses {
		t := &w.tallies[p.tool.number]
		t.hits++
		t.weight += rare
		if leading {
			t.phrase += rare
		}
		if !p.named {
			t.told += p.weight * factor
			t.toldRare += p.weight * factor * word.rare
			continue
		}
		t.named += p.weight * factor
		t.nameRare += p.weight * factor * word.rare
		t.namedHits++
		if len(word.uses) == 1 {
			t.exclusive++
		}
	}
}
