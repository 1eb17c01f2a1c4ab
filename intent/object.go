package intent

import (
	"github.com/bonafide-go/bonafide/intent/lexicon"
)

// object is what a clause says beside its verb, as far as the tools are
// concerned.
type object struct {
	content int     // words with a meaning of their own
	weight  float32 // the same, common words counting less
	phrase  float32 // the same in the first phrase
	topical float32 // the same, of words that belong to a field
	hits    int     // those that some tool knows
	foreign int     // things of a kind that no tool knows: "credit card"
	times   int     // today, Monday, 3:30
	// The things of the tools, by where they stand: right behind the verb, or
	// behind a preposition ("to the meeting"); lists and calendars apart.
	directKind, prepKind, directHolder, prepHolder bool
	attribute                                      bool // title, date, participants
	indefinite                                     bool // a/an/new before a thing of ours
	pronoun                                        bool // it, that one, the first
	mine                                           bool // my, our
	foreignHead                                    bool // the first thing named is foreign
	quoted                                         bool
	plural                                         bool // only bare plurals of ours: "tasks"
	firstHit                                       bool // the first content word is known to a tool
	into, from                                     bool // a thing of ours behind "to" or "from"
	foreignHolder                                  bool // a list that is not ours: "playlist"
	title                                          bool // begins with a verb: "buy milk"
	when                                           bool // asks for a time
	lastStrange                                    int
	definite                                       bool  // the first phrase is definite: the, my, this
	names                                          int   // capitalised words that nobody knows
	closed                                         bool  // the first phrase is over
	head                                           int32 // the word that the first phrase ends in
	ordinal                                        bool  // the first, the last
	target                                         bool  // goes to something that no tool knows
	pronounFirst                                   bool  // it stands for the object: "make it"
}

// generic reports whether the object is only a kind of thing: "can you delete
// tasks?" asks for the ability.
func (o *object) generic(cl *clause) bool {
	return o.directKind && o.plural && o.content <= 1 && !o.mine && !o.definite && !o.pronoun && !o.quoted && !o.prepHolder && o.times == 0 && o.names == 0 && !cl.polite
}

// retrospect reports whether a clause asks what the assistant did: "did you
// delete it?", "what have you changed?".
func (r *reader) retrospect(cl *clause) bool {
	if cl.mood != asking || !cl.you || !cl.past {
		return false
	}
	for i := cl.from; i < cl.to; i++ {
		if r.class(i).Has(lexicon.FirstPerson) {
			return false
		}
	}
	return true
}

// tally is what a clause says about one tool.
type tally struct {
	named, told float32 // weights of the words found in its name and in the rest
	weight      float32 // weights of the message's words it knows
	phrase      float32 // the same in the first phrase
	topic       float32 // weights of the words of its fields
	head        bool    // it knows the head of the first phrase
	target      int32   // words of what it delivers
	first       int32   // words of its name before a preposition
	akin        int32   // words of its fields that it does not know itself
	hits        int32
	namedHits   int32
}

// survey walks the clause and counts. Words that come again count once.
func (s *scratch) survey(c *Classifier, cl *clause) object {
	o := object{lastStrange: -1}
	r := &s.reader
	preposition, article := "", false
	o.title = r.verbal(cl.body) && cl.verb >= 0 && !r.form(cl.body).Has(lexicon.Noun) && !functional(r.tokens[cl.body].Entry)
	o.when = r.when(cl)
	first := r.class(cl.body)
	o.pronounFirst = first.Has(lexicon.Pronoun) && !r.form(cl.body+1).Has(lexicon.Noun|lexicon.Adjective)
	o.definite = first.Has(lexicon.Possessive) || r.is(cl.body, cueTheThisEtc)
	o.implied(c, s, cl)
	for i := cl.body; i < cl.to; i++ {
		token := &r.tokens[i]
		if !token.IsWord() {
			continue
		}
		if r.quotes && token.Has(lexicon.Quoted) {
			o.quoted = true
			continue
		}
		if i == cl.verb {
			continue
		}
		class := token.Class()
		if functional(token.Entry) || token.Kind == lexicon.Number {
			o.grammar(token, class, r, i)
			if class.Has(lexicon.Preposition) {
				preposition = token.Entry.Word
			}
			article = article && !class.Has(lexicon.Determiner) || token.Entry != nil && (token.Entry.Word == "a" || token.Entry.Word == "an" || token.Entry.Word == "another")
			continue
		}
		if class.Has(lexicon.Time) {
			o.times++
			continue
		}
		article = article || token.Entry != nil && token.Entry.Word == "new"
		if token.Form().Has(lexicon.Verb) && token.Families().Empty() && !token.Form().Has(lexicon.Noun|lexicon.Plural|lexicon.Adjective) {
			continue // go, happen, want
		}
		if token.End-token.Start == 1 {
			continue
		}
		number, how := c.vocabulary.find(token, r.text)
		if number == 0 && !s.shouts && token.Has(lexicon.Capital) && !token.Has(lexicon.SentenceStart) && token.Entry == nil {
			o.names++
			continue
		}
		o.content++
		rare := rarity(token)
		o.weight += rare
		if topics := c.language.Topics(token.Entry); len(topics) > 0 {
			o.topical += rare
			s.relate(c, topics, rare, number)
		}
		leading := o.leading(r, i, cl)
		if leading {
			o.phrase += rare
			o.head = number
		}
		if number == 0 {
			o.strange(token, r, i)
			o.target = o.target || preposition == "to" || preposition == "onto" || preposition == "into"
			continue
		}
		o.hits++
		o.firstHit = o.firstHit || o.content == 1
		o.known(&c.vocabulary.words[number-1], token, r, i, preposition, article)
		s.count(c, number, how, rare, leading)
	}
	if o.head > 0 {
		w := &c.vocabulary.words[o.head-1]
		for _, p := range c.vocabulary.postings[w.from:w.to] {
			s.tallies[p.tool].head = true
		}
	}
	return o
}

// rarity is how much a word of a message says: words that stand in no list are
// rare and say most.
func rarity(token *lexicon.Token) float32 {
	switch {
	case token.Entry == nil:
		return 1
	case token.Class().Has(lexicon.Boilerplate):
		return 0.3
	case token.Entry.Group != 0 || len(token.Entry.Word) > 7:
		return 0.9
	default:
		return 0.6
	}
}

// leading reports whether token i belongs to the first phrase, the one that
// says what is asked for.
func (o *object) leading(r *reader, i int, cl *clause) bool {
	if o.closed {
		return false
	}
	if o.phrase > 0 && i > 0 && (!r.wordy(i-1) || r.class(i-1).Has(lexicon.Preposition|lexicon.Conjunction|lexicon.Auxiliary)) {
		o.closed = true
		return false
	}
	return true
}

// implied lets the verb name its own object: "remind" speaks of a reminder,
// "order" of an order.
func (o *object) implied(c *Classifier, s *scratch, cl *clause) {
	if cl.verb < 0 {
		return
	}
	number, how := c.vocabulary.find(&s.reader.tokens[cl.verb], s.reader.text)
	if cl.families.Has(lexicon.Remind) && c.vocabulary.reminder != 0 {
		number, how = c.vocabulary.reminder, exactly
	}
	if number == 0 {
		number, how = c.vocabulary.roots.find(rootOf(s.reader.tokens[cl.verb].Entry.Lemma)), byRoot
	}
	if number == 0 || s.reader.tokens[cl.verb].Class().Has(lexicon.Container) {
		return
	}
	s.count(c, number, how, 0, false)
	if (cl.families.Has(lexicon.Remind) || cl.families.Has(lexicon.Remember)) && c.vocabulary.words[number-1].kind {
		o.directKind, o.indefinite = true, true
	}
}

// when reports whether the clause asks for a time: "when is", "what time".
func (r *reader) when(c *clause) bool {
	for i := c.from; i < c.body && i < c.to; i++ {
		if r.is(i, cueWhen) || r.is(i, cueWhatWhich) && r.is(i+1, cueTimeDayEtc) {
			return true
		}
	}
	return false
}

func (o *object) grammar(token *lexicon.Token, class lexicon.Class, r *reader, i int) {
	if token.Kind == lexicon.Number {
		if class.Has(lexicon.Ordinal) {
			o.pronoun, o.ordinal = true, true
		} else if r.clock(i) {
			o.times++
		}
	}
	if class.Has(lexicon.Time) && !class.Has(lexicon.Modal) {
		o.times++
	}
	o.ordinal = o.ordinal || class.Has(lexicon.Ordinal)
	o.pronoun = o.pronoun || class.Has(lexicon.Pronoun|lexicon.Quantity)
	o.mine = o.mine || class.Has(lexicon.FirstPerson) && class.Has(lexicon.Possessive)
	if class.Has(lexicon.SecondPerson) && class.Has(lexicon.Possessive) { // what is the assistant's is not ours
		o.foreign++
	}
}

// clock reports whether the number at i is a time of day or a date.
func (r *reader) clock(i int) bool {
	const near = lexicon.Preposition | lexicon.Time
	token := &r.tokens[i]
	for _, c := range []byte(r.text[token.Start:token.End]) {
		if c == ':' || c == '/' {
			return true
		}
	}
	return r.class(i-1).Has(near) || r.class(i+1).Has(lexicon.Time)
}

// strange notes a word that no tool knows.
func (o *object) strange(token *lexicon.Token, r *reader, i int) {
	if token.Entry == nil || token.Entry.Group == 0 || !token.Form().Has(lexicon.Noun|lexicon.Plural) {
		return
	}
	o.foreign++
	o.lastStrange = i
	if token.Class().Has(lexicon.Container) {
		o.foreignHolder = true
	}
	if o.foreign == 1 && o.hits == 0 {
		o.foreignHead = true
	}
}

// known notes a word that some tool knows, by the place it stands in.
func (o *object) known(w *word, token *lexicon.Token, r *reader, i int, preposition string, article bool) {
	if w.attribute && !w.kind {
		o.attribute = true
		return
	}
	if !w.kind || !token.Form().Has(lexicon.Noun|lexicon.Plural) {
		return
	}
	if next := r.form(i + 1); next.Has(lexicon.Noun|lexicon.Plural) && !next.Has(lexicon.Base) && !r.class(i+1).Has(lexicon.Time) { // the head of the phrase follows
		return
	}
	container := token.Class().Has(lexicon.Container)
	if container && o.others(r, i) {
		return
	}
	single := !token.Form().Has(lexicon.Plural)
	switch {
	case container && preposition != "":
		o.prepHolder = true
	case container:
		o.directHolder = true
	case preposition != "":
		o.prepKind = true
		o.into = o.into || single && (preposition == "to" || preposition == "into")
		o.from = o.from || single && (preposition == "from" || preposition == "off")
	default:
		o.directKind = true
		o.indefinite = o.indefinite || article
		o.plural = token.Form().Has(lexicon.Plural)
	}
	if w.attribute {
		o.attribute = true
	}
}

// others reports whether the list at i holds things that are not ours: "a list
// of recipes", "the contact list".
func (o *object) others(r *reader, i int) bool {
	if r.is(i+1, cueOf) && !o.mine && !r.class(i+2).Has(lexicon.Possessive) {
		return true
	}
	if i > 0 && o.lastStrange == i-1 {
		o.foreignHolder = true
		return true
	}
	return false
}

// relate adds a word to the tools of its fields.
func (s *scratch) relate(c *Classifier, topics []uint16, rare float32, number int32) {
	for _, topic := range topics {
		for _, p := range c.vocabulary.topics[topic] {
			t := &s.tallies[p.tool]
			t.topic += rare * p.weight
			t.akin++
		}
	}
}

// count adds a word's postings to the tallies of the tools.
func (s *scratch) count(c *Classifier, number int32, how match, rare float32, leading bool) {
	if s.seen[number-1] == s.round {
		return
	}
	s.seen[number-1] = s.round
	s.matched = append(s.matched, number)
	w := &c.vocabulary.words[number-1]
	factor := float32(1)
	if how == byRoot {
		factor = 0.7
	}
	for _, p := range c.vocabulary.postings[w.from:w.to] {
		t := &s.tallies[p.tool]
		t.hits++
		t.weight += rare
		if leading {
			t.phrase += rare
		}
		if p.target {
			t.target++
		}
		if p.first {
			t.first++
		}
		if p.named {
			t.named += p.weight * factor
			t.namedHits++
		} else {
			t.told += p.weight * factor
		}
	}
}
