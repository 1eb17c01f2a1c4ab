package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// object is what a clause says beside its verb, as far as the tools are
// concerned.
type object struct {
	content int     // words with a meaning of their own
	weight  float32 // the same, common words counting less
	phrase  float32 // the same in the first phrase
	hits    int     // those that some tool knows
	foreign int     // things of a kind that no tool knows: "credit card"
	times   int     // today, Monday, 3:30
	numbers int
	names   int   // capitalised words that nobody knows
	head    int32 // the word that the first phrase ends in

	kind     bool // a thing of the tools is named, or a list of theirs
	plural   bool // only a bare plural of them: "tasks"
	pronoun  bool // it, that one, the first
	mine     bool // my, our
	quoted   bool
	title    bool // begins with a verb: "buy milk"
	definite bool // the first phrase is definite: the, my, this
	aside    bool // a preposition was met
	solid    bool // the first phrase has a word of its own, not just "number of"
	closed   bool // the first phrase is over
}

// generic reports whether the object is only a kind of thing: "can you delete
// tasks?" asks for the ability.
func (o *object) generic(cl *reading.Request) bool {
	certain := o.mine || o.definite || o.pronoun || o.quoted || o.times > 0 || o.names > 0
	return o.kind && o.plural && o.content <= 1 && !certain && !cl.Polite
}

// enumerates reports whether the clause names several things.
func (r *reader) enumerates(c *reading.Request) bool {
	for i := c.Body; i < c.To; i++ {
		if r.Tokens[i].Kind == lexicon.Comma || r.Class(i).Has(lexicon.Conjunction) {
			return true
		}
	}
	return false
}
