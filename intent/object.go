package intent

import "github.com/bonafide-go/bonafide/internal/reading"

// object is what a clause says beside its verb, as far as the tools are
// concerned.
type object struct {
	content int     // words with a meaning of their own
	weight  float32 // the same, common words counting less
	phrase  float32 // the same in the first phrase
	hits    int     // those that some tool knows
	foreign int     // things of a kind that no tool knows: "credit card"
	times   int     // today, Monday, 3:30
	// The things of the tools, by where they stand: right behind the verb, or
	// behind a preposition ("to the meeting"); lists and calendars apart.
	directKind, prepKind, directHolder, prepHolder bool
	attribute                                      bool // title, date, participants
	indefinite                                     bool // a/an/new before a thing of ours
	compound                                       bool // which only names another thing: "an event handler"
	pronoun                                        bool // it, that one, the first
	mine                                           bool // my, our
	quoted                                         bool
	plural                                         bool // only bare plurals of ours: "tasks"
	firstHit                                       bool // the first content word is known to a tool
	into, from                                     bool // a thing of ours behind "to" or "from"
	title                                          bool // begins with a verb: "buy milk"
	lastStrange                                    int
	definite                                       bool // the first phrase is definite: the, my, this
	numbers                                        int
	names                                          int   // capitalised words that nobody knows
	solid                                          bool  // the first phrase has a word of its own, not just "number of"
	closed                                         bool  // the first phrase is over
	head                                           int32 // the word that the first phrase ends in
	target                                         bool  // goes to something that no tool knows
	pronounFirst                                   bool  // it stands for the object: "make it"
}

// isGeneric reports whether the object is only a kind of thing: "can you delete
// tasks?" asks for the ability.
func (o *object) isGeneric(cl *reading.Request) bool {
	certain := o.mine || o.definite || o.pronoun || o.quoted || o.prepHolder || o.times > 0 || o.names > 0
	return o.directKind && o.plural && o.content <= 1 && !certain && !cl.Polite
}
