package reading

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Commands reports whether a message begins with a verb that is no noun:
// "delete Read book", where the title has a verb of its own.
func (t *Text) Commands() bool {
	if len(t.Tokens) == 0 {
		return false
	}
	first := &t.Tokens[0]
	return first.Form().Has(lexicon.Base) && !first.Form().Has(lexicon.Noun) && !first.Families().Empty()
}

// OrdersPolitely: "Can you move it?" and "Could we have it moved?" ask for an act, not
// for an answer.
func (t *Text) OrdersPolitely(s *Sentence) bool {
	first := t.FirstWord(s)
	const whom = RoleYou | RoleUs
	const may = RoleModal | RoleWill
	if first+2 >= s.To || t.Roles[first]&may == 0 || t.Roles[first+1]&whom == 0 {
		return false
	}
	return slices.ContainsFunc(t.Tokens[first+2:min(first+5, s.To)], func(token lexicon.Token) bool {
		return token.Form().Has(lexicon.Base) && !token.Families().Without(LookFamilies).Empty()
	})
}

// Agrees reports whether a message begins with a yes.
func (t *Text) Agrees() bool {
	return len(t.Tokens) > 0 && t.Tokens[0].Class().Has(lexicon.Affirmation)
}

// OnlyLooks reports whether acts are known, and change nothing.
func OnlyLooks(acts lexicon.Families) bool {
	return !acts.Empty() && acts.Without(LookFamilies).Empty()
}

// TellsFacts reports whether a clause tells how things are or what was done, as one who
// orders nothing does.
func (t *Text) TellsFacts() bool {
	return slices.ContainsFunc(t.Clauses, func(k Clause) bool {
		past := k.Shape == ActivePast || k.Shape == ActivePerfect
		return k.Mood == Stated && (past || k.Shape == Copula)
	})
}
