package lexicon

import "strings"

// NameWord is what a word means in the name of a tool, beyond what it means in
// a sentence. The zero value is a word of which nothing is known there.
type NameWord struct {
	// Families are the acts that it stands for: "rm" deletes.
	Families Families
	// Answer is true for what a tool without a verb hands out: "status".
	Answer bool
	// Thing is true for a noun that might be a verb: "order" in order_cancel.
	Thing bool
	// People is true for those who take over from a machine.
	People bool
	// Light is true for a verb that leaves the act to its object: "place" in place_order.
	Light bool
	// Deed is true for an act that is done twice when it is called twice, where its
	// family does not say so: "sell". Again is true for one that is called again on
	// purpose, whatever its family says: "push".
	Deed, Again bool
	// Reads and Verifies are true for what only answers ("think") or checks earlier
	// work ("lint"), where its family does not say so.
	Reads, Verifies bool
}

// flags are what a word is or is not, in the order of nameKeys and of the snapshot.
func (w *NameWord) flags() []*bool {
	return []*bool{&w.Answer, &w.Thing, &w.People, &w.Light, &w.Deed, &w.Again, &w.Reads, &w.Verifies}
}

// nameKeys are the keys of the data file that are no families. One of a family's name stands
// above it.
var nameKeys = strings.Fields("answer thing people light deed again reads verifies")

// NameWord is what a word in lower case means in the name of a tool.
func (l *Language) NameWord(word string) NameWord { return l.names[word] }
