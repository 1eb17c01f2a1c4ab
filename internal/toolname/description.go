package toolname

import "github.com/bonafide-go/bonafide/internal/lexicon"

// maxDescription bounds what is read of a description: what a tool does is said
// in its first sentence.
const maxDescription = 200

func cutText(text string) string {
	if len(text) > maxDescription {
		return text[:maxDescription]
	}
	return text
}

// lead is the first verb of a description.
type lead struct {
	word     Word
	families lexicon.Families // what it means, particles included
	first    string           // the very first word of the description
}

// effect is whether the description speaks of answering or of changing.
func (l *lead) effect() Effect {
	switch {
	case l.families.Empty() || open.Has(l.families.Next(lexicon.NoFamily)):
		return Unknown
	case l.families.Without(Answering).Empty():
		return Reads
	case l.families.Has(lexicon.Test):
		return Verifies
	default:
		return Changes
	}
}

// isInfo reports whether the description begins with a verb that only answers.
func (l *lead) isInfo() bool { return !l.families.Empty() && l.families.Without(Answering).Empty() }

// readLead finds the verb that a description begins with: "Cancels an order",
// "This tool cancels", "Use this to cancel", "A tool for cancelling".
func readLead(language *lexicon.Language, description string) (l lead) {
	description = cutText(description)
	tokens := language.Tokenize(nil, description)
	if at := leadAt(tokens); at >= 0 {
		l = newLead(language, description, tokens, at)
	}
	if len(tokens) > 0 && tokens[0].Kind == lexicon.Word {
		l.first = description[tokens[0].Start:tokens[0].End]
	}
	return l
}

// leadAt is where that verb stands; -1 if the first words have none.
func leadAt(tokens []lexicon.Token) int {
	for i := range tokens {
		switch token := &tokens[i]; {
		case token.Kind == lexicon.End && i > 0 || i > 9:
			return -1
		case token.IsWord() && isLeadAt(tokens, i):
			return i
		}
	}
	return -1
}

// isLeadAt reports whether the verb of the description stands at i: at its very
// beginning, or after words that only introduce it.
func isLeadAt(tokens []lexicon.Token, i int) bool {
	token := &tokens[i]
	if token.Entry == nil || token.Families().Empty() {
		return false
	}
	form := token.Form()
	if i == 0 {
		return form.Has(lexicon.Base | lexicon.Third)
	}
	before := &tokens[i-1]
	switch {
	case form.Has(lexicon.Gerund) && before.Class().Has(lexicon.Preposition):
		return true
	case form.Has(lexicon.Base) && before.Entry != nil && before.Entry.Word == "to":
		return true
	case form.Has(lexicon.Third) && !form.Has(lexicon.Plural):
		return true
	case form.Has(lexicon.Third): // "This function returns", and not "the orders"
		return !before.Class().Has(lexicon.Determiner|lexicon.Possessive|lexicon.Preposition) &&
			before.Class().Has(lexicon.Boilerplate)
	case form.Has(lexicon.Base):
		return before.Form().Has(lexicon.Adverb) || before.Kind == lexicon.Comma
	}
	return false
}

func newLead(language *lexicon.Language, text string, tokens []lexicon.Token, i int) lead {
	entry := tokens[i].Entry
	l := lead{word: Word{Text: text[tokens[i].Start:tokens[i].End], Entry: entry},
		families: language.NameWord(entry.Lemma).Families}
	if l.families.Empty() {
		l.families = lexicon.FamiliesOf(entry.Primary)
	}
	for k := i + 1; k < len(tokens) && k <= i+4 && tokens[k].Kind != lexicon.End; k++ {
		if phrasal := language.Phrasal(entry, tokens[k].Entry); !phrasal.Empty() &&
			tokens[k].Class().Has(lexicon.Particle) {
			l.families = phrasal
		}
	}
	if entry.Primary == lexicon.Return && entry.Families.Has(lexicon.Read) { // what a function returns it reads
		l.families = l.families.With(lexicon.Read)
		if entry.Form.Has(lexicon.Third) && tokens[i].Form().Has(lexicon.Third) {
			l.families = lexicon.FamiliesOf(lexicon.Read)
		}
	}
	return l
}
