package reading

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Attributed reports whether a sentence tells what somebody else says: "it reports that
// the door is locked", "according to the gardener".
func (t *Text) Attributed(s *Sentence) bool {
	for i := s.From; i < s.To; i++ {
		other := i > s.From && t.Roles[i-1]&(RoleUs|RoleYou|RoleTo) == 0
		reports := t.Roles[i]&RoleReport != 0 || t.Says(i, "reports") || t.Says(i, "reported")
		if t.Says(i, "according") || other && reports {
			return true
		}
	}
	return false
}

// Quotes reports whether a clause has words in quotation marks: a label, or what somebody
// else says.
func (t *Text) Quotes(c *Clause) bool {
	return slices.ContainsFunc(t.Tokens[c.From:c.To], func(token lexicon.Token) bool { return token.Has(lexicon.Quoted) })
}

// SpeaksOfWords reports whether a clause is about words and not about what they say: "the
// word 'deleted' has seven letters".
func (t *Text) SpeaksOfWords(c *Clause) bool {
	for i := c.From + 2; i < c.To; i++ { // behind the word and the mark
		if t.Tokens[i].Has(lexicon.Quoted) && (t.Says(i-2, "word") || t.Says(i-2, "phrase") || t.Says(i-2, "term")) {
			return true
		}
	}
	return false
}
