package toolname

import (
	"encoding/json"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Tool is a tool's own words.
type Tool struct {
	Name, Description string
	// Parameters is the JSON schema of its arguments. It is consulted only where
	// the name has no verb.
	Parameters json.RawMessage
}

// Reading is what a tool's words say that it does.
type Reading struct {
	// Verb is the verb of the name; its Text is "" if there is none.
	Verb Word
	// Phrasal is true where a particle belongs to the verb: check_in_guest.
	Phrasal bool
	// Families are what the verb means here; of a name without a verb, what the
	// description or the noun of an act says ("order_cancellation").
	Families lexicon.Families
	// Family is the plainest of them.
	Family lexicon.Family
	// Opposites are the families that undo or exclude what the tool does.
	Opposites lexicon.Families
	// Nouns are the other words of the name that mean something, in their order: what the tool
	// works on. The words of a service before the name proper ("github" in github__create_issue)
	// are among them only if the name has no other.
	Nouns []Word
	// Effect is whether it reads or changes, as far as words tell.
	Effect Effect
	// HandsOver is true for a tool that brings in a person.
	HandsOver bool
	// Deed is true for a tool that sends, creates, pays or deletes: called twice, it does so twice.
	Deed bool
}

// Word is one word of a name.
type Word struct {
	// Text is the word in lower case, as written in the name.
	Text string
	// Entry is what the language knows of it; nil if it is not listed.
	Entry *lexicon.Entry
	name  lexicon.NameWord // what it means in names
}

// lemma is the dictionary word, as far as known.
func (w Word) lemma() string {
	if w.Entry != nil {
		return w.Entry.Lemma
	}
	return w.Text
}

// Read reads a tool.
func Read(language *lexicon.Language, tool Tool) Reading {
	r := reader{language: language}
	r.cut(Speaking(language, tool.Name, tool.Description))
	r.lead = readLead(language, tool.Description)
	var reading Reading
	reading.Verb, reading.Families = r.verb()
	if reading.Families.Empty() && reading.Verb.Text == "" {
		reading.Families = r.act(tool.Parameters)
	}
	reading.Phrasal = r.to-r.at > 1
	reading.Nouns = r.nouns()
	reading.Family = plainest(reading.Verb, reading.Families)
	reading.Opposites = Opposites(reading.Families)
	reading.Effect = r.effect(&reading)
	reading.Deed = r.isDeed(&reading)
	reading.HandsOver = r.isHandover(&reading, tool.Description)
	return reading
}

// plainest is the family that a verb is listed under first, if it means that here.
func plainest(verb Word, families lexicon.Families) lexicon.Family {
	if verb.Entry != nil && families.Has(verb.Entry.Primary) {
		return verb.Entry.Primary
	}
	return families.Next(lexicon.NoFamily)
}

// SameVerb reports whether two tools do the same kind of thing: one verb, or
// verbs of one plainest family. Toolmakers write, edit, set and patch one thing.
func (r *Reading) SameVerb(other *Reading) bool {
	if r.Verb.Text != "" && r.Verb.lemma() == other.Verb.lemma() {
		return true
	}
	if r.Family != lexicon.NoFamily && r.Family == other.Family {
		return true
	}
	return r.Families.Overlaps(editing) && other.Families.Overlaps(editing) && !r.Families.Overlaps(making) &&
		!other.Families.Overlaps(making)
}

var (
	// editing families bring new content into something that is there.
	editing = lexicon.FamiliesOf(lexicon.Update, lexicon.Write, lexicon.Set, lexicon.Fix)
	// making families bring something about that was not there.
	making = lexicon.FamiliesOf(lexicon.Create, lexicon.Build, lexicon.Generate)
)

// SameObject reports whether two tools share a noun, in whatever form.
func (r *Reading) SameObject(other *Reading) bool {
	for _, noun := range r.Nouns {
		for _, theirs := range other.Nouns {
			if noun.Same(theirs) {
				return true
			}
		}
	}
	return false
}

// Same reports whether two nouns name one kind of thing: one lemma, one group
// of nouns, or the same but for the s of a plural.
func (w Word) Same(other Word) bool {
	if w.Entry != nil && other.Entry != nil {
		return w.Entry.ID == other.Entry.ID || w.Entry.Group != 0 && w.Entry.Group == other.Entry.Group
	}
	return Singular(w.Text) == Singular(other.Text)
}

// Singular is a word that is not listed without the ending of a plural.
func Singular(word string) string {
	switch n := len(word); {
	case n > 4 && word[n-3:] == "ies":
		return word[:n-3] + "y"
	case n > 3 && word[n-1] == 's' && word[n-2] != 's' && word[n-2] != 'u' && word[n-2] != 'i':
		return word[:n-1]
	}
	return word
}
