package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// Bars reports whether a sentence says why a thing is not done, without a "cannot": what
// it takes ("that needs a second signature"), who may do it ("only the nurse can"), a
// rule, a limit, a danger, or a plain refusal. What the user spoke of, given by said, is
// the matter itself and no reason: "the limit is 50".
func (t *Text) Bars(s *Sentence, said func(word int) bool) bool {
	if s.Asking || s.Quoted {
		return false
	}
	if s.Roles&(RoleWill|RoleBe) != 0 && t.Declines(s) && !t.Concrete(s) {
		return true // "I won't."
	}
	if t.ruledOut(s) {
		return true
	}
	for i := s.From; i < s.To; i++ {
		m := t.traitAt(i)
		if m == 0 && t.Roles[i]&RoleHave != 0 && i+1 < s.To && t.Roles[i+1]&RoleTo != 0 && t.obliges(s, i, i+2) {
			return true // "it has to stay"
		}
		if m != 0 && t.barsAt(s, i, m, said) {
			return true
		}
	}
	return false
}

// ruledOut: "it can't be done on weekends". What was tried and could not be done is told
// as an attempt.
func (t *Text) ruledOut(s *Sentence) bool {
	for k := s.First; k < s.Last; k++ {
		c := &t.Clauses[k]
		passive := c.Negated && c.Mood == Possible && c.Actor != Us && c.Shape != Bare
		if passive && !t.has(c.From, c.To, []string{"could", "couldn't"}) && t.things(s) > 0 {
			return true
		}
	}
	return false
}

// barsAt is the same for one word and its traits.
func (t *Text) barsAt(s *Sentence, i int, m trait, said func(word int) bool) bool {
	k := t.clauseAt(s, i)
	switch {
	case k == nil || k.Mood == Conditional:
		return false
	case m&traitMust != 0:
		return t.obliges(s, i, i+1)
	case m&traitRefuse != 0:
		return i > s.From && t.Roles[i-1]&RoleUs != 0 // "I refuse to open it"
	case m&traitRight != 0:
		return t.lacks(s, i)
	case t.tellsDone(k, i):
		return false
	case m&traitNeed != 0:
		return t.needs(s, i)
	case m&traitOnly != 0:
		return k.Mood == Possible && !k.Negated || k.Roles&RolePolicy != 0 || t.within(i, s.To, 8, RoleModal)
	case m&traitAgainst != 0:
		return k.Roles&RolePolicy != 0
	case m&traitBeyond != 0: // "outside of what I can do"
		return t.within(i, s.To, 3, RoleUs) || i+1 < s.To && t.Tokens[i+1].Class().Has(lexicon.FirstPerson)
	}
	return t.reasons(k, i, m) && !said(i)
}

// reasons: "the maximum is 18", "there is a freeze", "it would be dangerous". Not "with a
// limit of 5".
func (t *Text) reasons(c *Clause, i int, m trait) bool {
	if m&traitLimit != 0 && i > c.Verb {
		return false
	}
	return m&(traitLimit|traitBan|traitDanger) != 0 && !c.Negated && c.Roles&RoleNow == 0
}

// clauseAt is the clause of a sentence that has a token; nil if none does.
func (t *Text) clauseAt(s *Sentence, i int) *Clause {
	for k := s.First; k < s.Last; k++ {
		if c := &t.Clauses[k]; i >= c.From && i < c.To {
			return c
		}
	}
	return nil
}

// tellsDone reports whether a clause tells of an act as done by another word than the one
// at i: "I've set the limit", but not "a signature is required".
func (t *Text) tellsDone(c *Clause, i int) bool {
	switch c.Shape {
	case ActivePerfect, ActivePast: // "only the nurse who gave it may"
		return c.Actor != Other
	case PassivePerfect, PassivePast, Fragment:
		return true
	case PassivePresent:
		return c.Verb != i && c.Mood != Possible
	}
	return false
}

// Requires reports whether the verb of a clause says what is needed or allowed, and so
// tells of no act: "a signature is required".
func (t *Text) Requires(c *Clause) bool {
	return c.Shape == PassivePresent && t.traitAt(c.Verb)&(traitNeed|traitLimit) != 0
}

// needs: "that needs a signature", "an adult is required". Not "no need", "as needed"
// or "I need to look".
func (t *Text) needs(s *Sentence, i int) bool {
	if i == s.From || t.Roles[i-1]&(RoleFactive|RoleCondition|RoleNegative) != 0 || t.traitAt(i-1)&traitLack != 0 {
		return false
	}
	const noun = lexicon.Determiner | lexicon.Preposition | lexicon.Possessive
	if t.Tokens[i-1].Class()&noun != 0 && t.Roles[i-1]&RoleOther == 0 {
		return false
	}
	switch subject := t.subjectOf(s, i); {
	case subject&RoleUs != 0:
		return false
	case subject&RoleYou != 0:
		return t.byYou(s)
	}
	return true
}

// subjectOf is the roles of the word before a verb that may be its subject, auxiliaries
// and adverbs apart.
func (t *Text) subjectOf(s *Sentence, verb int) Role {
	const between = RoleModal | RoleWill | RoleAdverb | RoleHave | RoleDo | RoleNegative
	i := verb - 1
	for i > s.From && t.Roles[i]&between != 0 && t.Roles[i]&(RoleUs|RoleYou) == 0 {
		i--
	}
	if i < s.From {
		return 0
	}
	return t.Roles[i]
}

// byYou: what the user needs or has to do is a reason where the user is to do it instead
// of us, or before: "you'll have to do that yourself".
func (t *Text) byYou(s *Sentence) bool {
	for i := s.From; i < s.To; i++ {
		if t.traitAt(i)&traitSelf != 0 {
			return true
		}
	}
	return t.Says(s.To-1, "first")
}

// obliges: "records must be kept", "the lime has to stay". Not "it must have been".
func (t *Text) obliges(s *Sentence, must, verb int) bool {
	if verb >= s.To {
		return false
	}
	switch subject := t.subjectOf(s, must); {
	case subject&RoleUs != 0:
		return t.traitAt(verb)&traitRefuse != 0
	case subject&RoleYou != 0:
		return t.byYou(s)
	}
	if t.Says(verb, "be") { // "it has to be kept", but not "to be patient"
		return verb+1 < s.To && t.Tokens[verb+1].Form().Has(lexicon.Participle)
	}
	return t.Roles[verb]&RoleNegative != 0 || t.traitAt(verb)&traitStay != 0
}

// lacks: "I don't have the rights", "we lack the authority", "no access".
func (t *Text) lacks(s *Sentence, right int) bool {
	const near = 5
	for i := max(s.From, right-near); i < right && s.Roles&RoleLonger == 0; i++ {
		if t.Roles[i]&RoleNegative != 0 || t.traitAt(i)&traitLack != 0 {
			return true
		}
	}
	return false
}
