package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// ToldAsFound reports whether a text tells something as it was found, and not as done by
// the one who speaks: it says "already" or "still", would rather leave it, or tells in the
// past what somebody did.
func ToldAsFound(text string) bool {
	read := English().Borrow(text)
	defer read.Return()
	past := false
	for i := range read.Clauses {
		clause := &read.Clauses[i]
		done := clause.Shape == ActivePerfect || clause.Shape == ActivePast
		if clause.Actor == Us && done && !clause.Negated {
			return false
		}
		past = past || clause.Shape == PassivePast || done && clause.Actor == Other
	}
	return past || says(text, "already", "still", "rather", "leave", "would", "late")
}

// LooksShow reports whether a clause tells what a look brought to light, without saying
// who looked: "a quick search shows", "the search results show", "after searching the web".
func (t *Text) LooksShow(c *Clause) bool {
	const apart, before = 2, 8
	looked := -apart - 1
	for i := max(t.Sentences[c.Sentence].From, c.From-before); i < c.To; i++ {
		switch token := &t.Tokens[i]; {
		case (t.Says(i, "after") || t.Says(i, "by")) && i+1 < c.To && t.Tokens[i+1].Families().Overlaps(LookFamilies):
			return t.Tokens[i+1].Form().Has(lexicon.Gerund)
		case i-looked <= apart && (t.Says(i, "shows") || t.Says(i, "show") || t.Says(i, "showed") || t.Says(i, "returned")):
			return true
		case token.Form().Has(lexicon.Noun) && token.Families().Overlaps(LookFamilies):
			looked = i
		}
	}
	return false
}
