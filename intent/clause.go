package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// mood is how a clause is meant.
type mood uint8

const (
	// statement tells something and asks for nothing.
	statement mood = iota
	// command asks for an act: "delete it", "could you delete it", "I want it
	// deleted".
	command
	// suggestion asks less plainly: "calendar delete lunch", "can I see it".
	suggestion
	// asking wants to know something.
	asking
	// fragment is a noun phrase: "my list please", "new appointment".
	fragment
	// wanting names a thing and no act: "I need a reminder".
	wanting
	// barred asks for nothing to be done though it holds the words: negated,
	// hypothetical, how to do it, whether it can be done.
	barred
	// pondering asks for thought: why, explain.
	pondering
	// learning asks how something is done: "how do I", "how to".
	learning
)

// clause is one request or statement of a message.
type clause struct {
	from, to int // its tokens
	mood     mood
	verb     int // the token of its main verb, -1 if there is none
	body     int // where what is asked for begins
	families lexicon.Families
	phrasal  bool // with its particle the verb means something else: "get rid of"
	you      bool // its subject is the assistant
	me       bool // its subject is the user
	past     bool // it asks about the past
	able     bool // "can you": may ask for ability rather than for the act
	sure     bool // "make sure that"
	duty     bool // asks what the user has to do
	polite   bool
	question bool // ends in a question mark
}

// reader cuts a message into clauses.
type reader struct {
	language *lexicon.Language
	text     string
	tokens   []lexicon.Token
	words    []*lexicon.Entry // see index
	cues     [numCues]lexicon.Cue
	sets     [numSets]lexicon.CueSet
	quotes   bool // quoted tokens are skipped
	joins    bool // there may be a "to do"
}

func newReader(language *lexicon.Language) reader {
	r := reader{language: language, cues: cuesOf(language), tokens: make([]lexicon.Token, 0, 64), words: make([]*lexicon.Entry, 0, 64)}
	r.sets = setsOf(&r.cues)
	return r
}

// maxClauses bounds the work on one message; what follows is read as one.
const maxClauses = 64

// clauses appends the clauses of the message to dst.
func (r *reader) clauses(dst []clause) []clause {
	if r.joins {
		r.join()
	}
	for i := 0; i < len(r.tokens); {
		if !r.wordy(i) {
			i++
			continue
		}
		last := len(dst) >= maxClauses
		dst = append(dst, clause{})
		c := &dst[len(dst)-1]
		c.from, c.verb, c.body = i, -1, i
		r.head(c)
		c.to = r.end(c, last)
		r.tail(c)
		i = max(c.to, i+1)
	}
	return dst
}

// join makes one word of "to do" where it is a noun: behind a determiner or a
// verb, before a list, or alone.
func (r *reader) join() {
	for i := 0; i+1 < len(r.words); i++ {
		if !r.class(i+1).Has(lexicon.Auxiliary) || !r.is(i, cueTo) || !r.is(i+1, cueDo) || r.words[i+1].Word != "do" {
			continue
		}
		before, after := r.class(i-1), i+2 < len(r.tokens) && r.class(i+2).Has(lexicon.Container)
		noun := before.Has(lexicon.Determiner|lexicon.Possessive) && !before.Has(lexicon.Pronoun) || i == 0 || r.acting(i-1) && !r.is(i-1, cueGetHave)
		if after || noun {
			r.tokens[i].Entry = r.language.Lookup("to-do")
			r.tokens[i].End = r.tokens[i+1].End
			r.tokens[i+1].Kind, r.tokens[i+1].Entry = lexicon.Symbol, nil
			r.words[i], r.words[i+1] = r.tokens[i].Entry, &blank
			if r.words[i] == nil {
				r.words[i] = &blank
			}
		}
	}
}

// index notes for each token (as glance does on its way) what can be read of it:
// blank for what is no word or stands in a quotation, and unlisted for a word
// that is not listed. All questions of the grammar are answered from there.
func (r *reader) index() {
	r.words = r.words[:0]
	for i := range r.tokens {
		token := &r.tokens[i]
		entry := token.Entry
		if !token.IsWord() || r.quotes && token.Has(lexicon.Quoted) {
			entry = &blank
		} else if entry == nil {
			entry = &unlisted
		}
		r.words = append(r.words, entry)
	}
}

// maxRespelt bounds how many words of a message are taken for misspelt ones.
const maxRespelt = 8

// respell reads words that neither the language nor the tools know, and that are
// written small, as those that they are a slip away from.
func (r *reader) respell(v *vocabulary) {
	n := 0
	for i, entry := range r.words {
		if entry != &unlisted || r.tokens[i].Kind != lexicon.Word || r.tokens[i].Has(lexicon.Capital) || v.forms.find(r.tokens[i].Hash) != 0 {
			continue
		}
		if near := r.language.Nearest(r.text[r.tokens[i].Start:r.tokens[i].End]); near != nil {
			r.tokens[i].Entry, r.words[i] = near, near
		}
		if n++; n == maxRespelt {
			return
		}
	}
}

// Entries of which nothing is known, and that are no lemma.
var blank, unlisted = lexicon.Entry{ID: -1}, lexicon.Entry{ID: -1}

// at is what can be read of token i; blank outside the message, too.
func (r *reader) at(i int) *lexicon.Entry {
	if uint(i) < uint(len(r.words)) {
		return r.words[i]
	}
	return &blank
}

// wordy reports whether token i can be read: a word outside quotations.
func (r *reader) wordy(i int) bool { return r.at(i) != &blank }

func (r *reader) class(i int) lexicon.Class { return r.at(i).Class }

func (r *reader) form(i int) lexicon.Form { return r.at(i).Form }

// is reports whether token i is a word of the cue, in any form.
func (r *reader) is(i int, c cue) bool { return r.at(i).Is(r.cues[c]) }

// verbal reports whether token i can be a verb in its base form.
func (r *reader) verbal(i int) bool { return r.form(i).Has(lexicon.Base) }

// acting is a base verb that belongs to a family.
func (r *reader) acting(i int) bool {
	entry := r.at(i)
	return entry.Form.Has(lexicon.Base) && !entry.Families.Empty()
}

const filler = lexicon.Politeness | lexicon.Affirmation | lexicon.Greeting | lexicon.Interjection | lexicon.Conjunction | lexicon.Sequence | lexicon.Hedge

// maxLead bounds how many words may lead in, so that a message of nothing else
// is read in linear time.
const maxLead = 16

// skip passes words that only lead in.
func (r *reader) skip(i int) int {
	start := i
	for last := i + maxLead; i < last && (r.wordy(i) || i < len(r.tokens) && (r.tokens[i].Kind == lexicon.Symbol || r.tokens[i].Kind == lexicon.Comma && i > start && r.wordy(i+1))); {
		if r.tokens[i].BeginsExpression() {
			if class, n := r.language.Expression(r.tokens[i:]); n > 0 && class.Has(lexicon.Politeness|lexicon.Greeting) {
				i += n
				continue
			}
		}
		class := r.class(i)
		switch {
		case !r.wordy(i):
		case class.Has(filler) && !class.Has(lexicon.Question|lexicon.Condition) && !(class.Has(lexicon.Ordinal|lexicon.Time) && i > 0):
		case class.Has(lexicon.Refusal) && !r.form(i+1).Has(lexicon.Noun|lexicon.Plural):
		case r.form(i).Has(lexicon.Adverb) && !class.Has(lexicon.Existence):
		case r.vocative(i):
		default:
			return i
		}
		i++
	}
	return i
}

// vocative is an unknown word at the beginning that a request follows at once:
// "Robo, can you", "Robo add".
func (r *reader) vocative(i int) bool {
	if i != 0 || r.tokens[i].Entry != nil || r.tokens[i].Kind != lexicon.Word {
		return false
	}
	return r.class(i+1).Has(lexicon.Modal|lexicon.Politeness|lexicon.Question) && !r.class(i+1).Has(lexicon.Time) || r.acting(i+1) && (!r.form(i+1).Has(lexicon.Noun) || r.plainVerb(i+1)) ||
		r.class(i+1).Has(lexicon.FirstPerson) && r.tokens[i+1].Entry.Word == "i"
}

// boundary are the classes of the words that a clause can end before.
const boundary = lexicon.Conjunction | lexicon.Question | lexicon.Modal | lexicon.Politeness | lexicon.Condition | lexicon.FirstPerson

// end finds where the clause ends: at the end of the sentence, or where the
// next request begins.
func (r *reader) end(c *clause, last bool) int {
	i := c.from
	if c.verb >= i {
		i = c.verb
	}
	for i++; i < len(r.tokens); i++ {
		if entry := r.words[i]; entry != &blank && !entry.Class.Has(boundary) {
			continue
		}
		token := &r.tokens[i]
		switch {
		case token.Kind == lexicon.End || token.Kind == lexicon.Break:
			c.question = c.question || token.Has(lexicon.Asking)
			return i + 1
		case last || r.quotes && token.Has(lexicon.Quoted):
		case token.Kind == lexicon.Comma && r.begins(i+1, c, true):
			return i + 1
		case token.Class().Has(lexicon.Conjunction) && r.begins(i+1, c, false):
			return i + 1
		case tells(c.mood) && r.class(i).Has(lexicon.Question) && !r.class(i).Has(lexicon.Determiner|lexicon.Preposition) && r.class(i+1).Has(lexicon.Auxiliary) && i > c.from+1:
			return i
		case tells(c.mood) && i > c.from+2 && token.Class().Has(lexicon.FirstPerson) && r.subject(i) && r.runsOn(i):
			return i
		case tells(c.mood) && i > c.from+1 && token.Class().Has(lexicon.Modal) && r.is(i+1, cueYou) && !r.class(i-1).Has(lexicon.Question|lexicon.Pronoun):
			return i
		case i > c.from+2 && token.Class().Has(lexicon.Politeness) && r.acting(i+1) && (!r.form(i+1).Has(lexicon.Noun) || r.plainVerb(i+1)):
			return i
		case token.Class().Has(lexicon.Condition) && c.verb >= 0 && !r.complement(i):
			return i
		}
	}
	return i
}

// runsOn reports whether a wish begins at i without a mark before it: "I'm bored
// I want to go out".
func (r *reader) runsOn(i int) bool {
	const joins = lexicon.Conjunction | lexicon.Preposition | lexicon.Question | lexicon.Determiner | lexicon.Condition | lexicon.Pronoun | lexicon.Auxiliary | lexicon.Modal
	return r.wordy(i-1) && !r.class(i-1).Has(joins) && !r.form(i-1).Has(lexicon.Base|lexicon.Noun|lexicon.Plural) &&
		(r.class(i+1).Has(lexicon.Desire) && !r.class(i+1).Has(lexicon.Preposition) || r.desiring(i+2))
}

// tells reports whether a clause so far asks for nothing, so that a request
// may follow without a mark.
func tells(m mood) bool { return m == statement || m == fragment || m == barred || m == wanting }

// complement reports whether the "if" at i only opens what is to be found out:
// "check if", "let me know if".
func (r *reader) complement(i int) bool {
	if i == 0 {
		return false
	}
	return r.is(i-1, cueCheckSeeEtc)
}

// begins reports whether a new request begins at i.
func (r *reader) begins(i int, c *clause, comma bool) bool {
	i = r.skip(i)
	if !r.wordy(i) {
		return false
	}
	class := r.class(i)
	switch {
	case class.Has(lexicon.Condition):
		return true
	case class.Has(lexicon.Modal):
		return r.class(i+1).Has(lexicon.SecondPerson|lexicon.FirstPerson) || r.desiring(i+1) && c.me
	case class.Has(lexicon.Question):
		if comma && c.verb >= 0 && r.is(i, cueWhichWho) && !r.class(i-1).Has(lexicon.Conjunction) { // "my order, which is number 7"
			return false
		}
		return r.class(i+1).Has(lexicon.Auxiliary|lexicon.Modal) || r.is(i, cueHow) || c.mood == asking && r.is(i, cueWhatWhich) && r.form(i+1).Has(lexicon.Noun|lexicon.Plural|lexicon.Adjective)
	case class.Has(lexicon.FirstPerson) && r.subject(i):
		return true
	case class.Has(lexicon.Auxiliary):
		another := c.mood == asking && r.class(i-1).Has(lexicon.Conjunction) && r.class(i+1).Has(lexicon.Determiner|lexicon.Possessive|lexicon.Pronoun|lexicon.ThirdPerson)
		return another || r.class(i+1).Has(lexicon.FirstPerson|lexicon.SecondPerson) || class.Has(lexicon.Negation) || comma && r.is(i+1, cueThere)
	case r.is(i, cueLet):
		return true
	case r.form(i).Has(lexicon.Gerund) && r.is(i, cueLookSearchEtc):
		return true
	case class.Has(lexicon.Desire) && !class.Has(lexicon.Preposition):
		return r.plainVerb(i) || r.is(i+1, cueTo)
	case !r.acting(i):
		return r.is(i, cueTakeMarkEtc)
	}
	if r.reminding(c) && !r.plainVerb(i) {
		return false
	}
	if c.mood == asking && !r.wordy(i+1) {
		return false // "what's the difference between archive and delete?"
	}
	return !r.form(i).Has(lexicon.Noun) || r.plainVerb(i)
}

// reminding clauses carry a task in their own words: "remind me to call Ann
// and send flowers" is one request.
func (r *reader) reminding(c *clause) bool {
	return c.families.Has(lexicon.Remind) || c.families.Has(lexicon.Remember)
}

// plainVerb reports whether a word that may be a noun, too, stands where only
// a verb can: before a determiner, a pronoun or a possessive.
func (r *reader) plainVerb(i int) bool {
	if r.is(i, cueSearchLookEtc) && r.is(i+1, cueForOnEtc) {
		return true
	}
	return r.class(i + 1).Has(lexicon.Determiner | lexicon.Pronoun | lexicon.Possessive | lexicon.FirstPerson | lexicon.Quantity)
}

// subject reports whether the first-person word at i is a subject.
func (r *reader) subject(i int) bool {
	switch r.tokens[i].Entry.Word {
	case "i", "we", "im", "ive":
		return true
	}
	return false
}
