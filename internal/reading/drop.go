package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// dropping are verbs of not going on.
var dropping = lexicon.FamiliesOf(lexicon.Stop, lexicon.Drop)

// Drops reports whether a text says no more than that the one who speaks has stopped or
// dropped something, without a name of it: "Okay, I've dropped it". It tells what the
// verb means, too.
func (t *Text) Drops() (act lexicon.Families, dropped bool) {
	for i := range t.Clauses {
		clause := &t.Clauses[i]
		if clause.Verb < 0 {
			continue
		}
		act = t.Tokens[clause.Verb].Families()
		told := clause.Shape == ActivePerfect || clause.Shape == ActivePast
		if dropped || !told || clause.Actor != Us || clause.Negated || !act.Overlaps(dropping) {
			return act, false
		}
		for _, token := range t.Tokens[clause.Verb+1 : clause.To] {
			if token.IsWord() && !token.Class().Has(lexicon.Pronoun|lexicon.ThirdPerson) {
				return act, false
			}
		}
		dropped = true
	}
	return act, dropped
}

// NothingDone reports whether a text says no more than that nothing was done or changed.
func (t *Text) NothingDone() bool {
	found := false
	for i := range t.Clauses {
		clause := &t.Clauses[i]
		if clause.Verb < 0 {
			continue
		}
		first := t.FirstWord(&t.Sentences[clause.Sentence])
		passive := clause.Shape == PassivePast || clause.Shape == PassivePerfect || clause.Shape == CopulaPast
		acted := t.Roles[clause.Verb]&(RoleDone|RoleWas|RoleBeen) != 0 || t.Tokens[clause.Verb].Families().Has(lexicon.Update)
		if found || !passive || !acted || !t.Says(first, "nothing") {
			return false
		}
		rest := t.Roles[clause.Verb+1 : clause.To]
		for j := range rest { // "nothing was done wrong"
			if word := &t.Tokens[clause.Verb+1+j]; word.IsWord() && rest[j]&(RoleDone|RoleNow|RoleAdverb|RoleEarlier) == 0 {
				return false
			}
		}
		found = true
	}
	return found
}

// Refrains reports whether a text says that something was left alone, or not done.
func (t *Text) Refrains() bool {
	for i := range t.Clauses {
		if t.LeavesUndone(&t.Clauses[i]) {
			return true
		}
	}
	return false
}

// TellsDone reports whether a clause of a text tells, in whatever voice, that something
// was done.
func (t *Text) TellsDone() bool {
	for i := range t.Clauses {
		switch clause := &t.Clauses[i]; clause.Shape {
		case ActivePerfect, ActivePast, PassivePerfect, PassivePast:
			if !clause.Negated && !t.LeavesAlone(clause) {
				return true
			}
		}
	}
	return false
}
