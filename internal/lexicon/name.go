package lexicon

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
	// Light is true for a verb that leaves the act to its object: "place" in
	// place_order.
	Light bool
	// Deed is true for an act that is done twice when it is called twice, where its
	// family does not say so: "sell". Again is true for one that is called again on
	// purpose, whatever its family says: "push".
	Deed, Again bool
	// Reads and Verifies are true for what only answers ("think") or checks earlier
	// work ("lint"), where its family does not say so.
	Reads, Verifies bool
}

// nameKeys are the keys of the data file that are no families, and what they say of
// a word.
var nameKeys = map[string]func(*NameWord){
	"answer":   func(w *NameWord) { w.Answer = true }, // not the family of that name
	"thing":    func(w *NameWord) { w.Thing = true },
	"people":   func(w *NameWord) { w.People = true },
	"light":    func(w *NameWord) { w.Light = true },
	"deed":     func(w *NameWord) { w.Deed = true },
	"again":    func(w *NameWord) { w.Again = true },
	"reads":    func(w *NameWord) { w.Reads = true },
	"verifies": func(w *NameWord) { w.Verifies = true },
}

// NameWord is what a word in lower case means in the name of a tool.
func (l *Language) NameWord(word string) NameWord { return l.names[word] }
