package lexicon

import "strings"

// Entry is what the lexicon knows about one written form. Entries are shared
// and must not be modified.
type Entry struct {
	// What readers ask of every word stands first and together: one line of the
	// processor's cache holds it.

	// Families holds the verb families of the lemma; Primary is the one it was
	// listed under first, its plainest sense.
	Families Families
	cues     [2]uint64 // a bit for each
	// Class holds the classes of function words that it belongs to.
	Class Class
	// ID numbers the lemmas of a language from 0 without gaps, for tables.
	ID int32
	// Number numbers the written forms from 0 without gaps, for tables.
	Number int32
	// Form holds the inflections that this form may be.
	Form Form
	// Group numbers sets of nouns and adjectives that mean nearly the same
	// ("task", "to-do", "errand"); 0 is none. See [Language.Groups].
	Group        uint16
	Primary      Family
	abbreviation bool // a dot after it does not end the sentence

	// Word is the form itself, folded: "cancelled".
	Word string
	// Lemma is the dictionary word: "cancel".
	Lemma       string
	relations   *Relations   // of the lemma; nil if it has none
	expressions []expression // those that the word begins
}

// Relations are what a lemma has to do with other words. Lists hold nothing twice
// and must not be modified.
type Relations struct {
	// Kinds are the things that it names a kind of, or an act on ("sedan" of car,
	// "museum" of attraction).
	Kinds []*Entry
	// Synonyms are the words that it may stand for in one of its senses ("worth" for value).
	Synonyms []*Entry
	// Alike are the verbs that may stand for it in one of its senses: closer than a
	// family, and across families.
	Alike   []*Entry
	phrases []phraseKinds // those that end in it
	phrasal []phrasalVerb // those that begin with it
}

var unrelated Relations

// Related is what is known of the lemma, also for no entry.
func (e *Entry) Related() *Relations {
	if e == nil || e.relations == nil {
		return &unrelated
	}
	return e.relations
}

// phraseKinds is what a phrase speaks of. The lemmas before its last word stand
// from the right to the left.
type phraseKinds struct {
	before []int32
	of     []*Entry
}

// phrasalVerb is what a verb and a particle mean together.
type phrasalVerb struct {
	particle int32 // its lemma
	families Families
}

// expression is a fixed expression without its first word.
type expression struct {
	rest  []uint64 // hashes of the words
	class Class
}

// Is reports whether the word is one of a cue's, in any form.
func (e *Entry) Is(c Cue) bool { return e.cues[c>>6&1]>>(c&63)&1 == 1 }

// Form is a set of inflections and parts of speech. A form may be several at
// once: "cancelled" is Past and Participle, "list" is Base, Noun.
type Form uint16

const (
	Base       Form = 1 << iota // the bare verb: request, infinitive, and present but for the third person ("cancel")
	Third                       // third person singular ("cancels")
	Past                        // simple past ("cancelled", "went")
	Participle                  // past participle ("cancelled", "gone")
	Gerund                      // present participle ("cancelling")
	Noun                        // in the singular
	Plural                      // of a noun
	Adjective                   // listed as such
	Adverb                      // listed as such
)

// Verb is any form of a verb.
const Verb = Base | Third | Past | Participle | Gerund

// Has reports whether the set holds any of the given forms.
func (f Form) Has(any Form) bool { return f&any != 0 }

// formNames are the names that data files use, in the same order.
var formNames = strings.Fields("base third past participle gerund noun plural adjective adverb")

// Class is a set of classes of function words. Function words are what the
// grammar of requests and claims is read from.
type Class uint32

const (
	Negation     Class = 1 << iota // not, never, n't and words that hold it (don't, can't)
	Modal                          // can, could, will, would, should, must, may, might
	Auxiliary                      // be, have, do in all forms
	FirstPerson                    // pronouns, possessives included, as for the next two
	SecondPerson                   // you, your
	ThirdPerson                    // they, its
	Possessive                     // my, your, his, their, 's
	Determiner                     // the, a, this, that, all, each, no
	Preposition                    // in, on, to, from, for, with
	Particle                       // words that make phrasal verbs (off, up, out, away, down)
	Conjunction                    // and, or, but, then
	Question                       // what, when, who, which, how, why, whether
	Condition                      // if, unless, suppose, in case
	Politeness                     // please, kindly, thanks
	Affirmation                    // yes, sure, okay
	Refusal                        // no, nope
	Greeting                       // hello, hi, bye
	Interjection                   // wow, hmm, oops, well
	Time                           // today, tomorrow, monday, noon, week
	Quantity                       // all, some, number words
	Ordinal                        // first, second, last, next
	Hedge                          // maybe, perhaps, probably
	Desire                         // verbs by which people say what they want (want, need, would like)
	Existence                      // words that ask what there is (any, there, available, left)
	Pronoun                        // words that stand for a thing named elsewhere (it, that, them, one)
	Sequence                       // then, next, after, finally, also
	Container                      // nouns of things that hold others (list, calendar, folder, cart)
	Boilerplate                    // what tool descriptions are full of, whatever their matter (specified, based)
)

// Has reports whether the set holds any of the given classes.
func (c Class) Has(any Class) bool { return c&any != 0 }

// classNames are the names that data files use, in the same order.
var classNames = strings.Fields(`
	negation modal auxiliary first-person second-person third-person possessive determiner preposition particle
	conjunction question condition politeness affirmation refusal greeting interjection time quantity ordinal
	hedge desire existence pronoun sequence container boilerplate
`)
