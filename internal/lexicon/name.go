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

// nameKeys are the keys of the data file that are no families.
var nameKeys = map[string]func(*NameWord) *bool{
	"answer":   func(w *NameWord) *bool { return &w.Answer }, // not the family of that name
	"thing":    func(w *NameWord) *bool { return &w.Thing },
	"people":   func(w *NameWord) *bool { return &w.People },
	"light":    func(w *NameWord) *bool { return &w.Light },
	"deed":     func(w *NameWord) *bool { return &w.Deed },
	"again":    func(w *NameWord) *bool { return &w.Again },
	"reads":    func(w *NameWord) *bool { return &w.Reads },
	"verifies": func(w *NameWord) *bool { return &w.Verifies },
}

// NameWord is what a word in lower case means in the name of a tool.
func (l *Language) NameWord(word string) NameWord { return l.names[word] }
