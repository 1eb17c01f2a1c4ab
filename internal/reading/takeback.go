package reading

import "slices"

// mistakes are words by which a speaker owns up to one.
var mistakes = []string{"mistaken", "mistake", "incorrect", "premature", "wrong", "apologies", "apologize"}

// TakesBack reports whether a text only takes something back: it says that something was
// not done, or did not happen, and beside that no more than that this was a mistake, and
// what could be done instead. "Sorry, that was wrong: I have not sent it. Shall I?" Who
// does not understand takes nothing back.
func TakesBack(text string) bool {
	t := English().ReadClauses(nil, text)
	denied := false
	for i := range t.Sentences {
		first, last := t.Sentences[i].First, t.Sentences[i].Last
		for j := first; j < last; j++ {
			switch c := &t.Clauses[j]; {
			case c.Mood == Asked, c.Mood == Conditional, c.Mood == Possible && !c.Negated:
			case t.saysNotSo(c):
				denied = denied || c.Mood == Stated && t.Roles[max(c.Verb, c.From)]&(RoleTalk|RoleThink) == 0
			case t.ownsMistake(c), j+1 < last && t.quotesItself(t.Clauses[first:last]):
			default:
				return false
			}
		}
	}
	return denied
}

// saysNotSo reports whether a clause says that something was not done, or is not so: "I made
// no call", but not "it is booked, no problem".
func (t *Text) saysNotSo(c *Clause) bool {
	told := c.Mood == Stated || c.Mood == Possible // "I can't confirm it"
	object := c.Verb + 1
	return told && c.Actor != You && (c.Negated || c.Verb >= 0 && object < c.To && t.Roles[object]&RoleNegative != 0)
}

// ownsMistake reports whether a clause is an apology, or says that something was wrong.
func (t *Text) ownsMistake(c *Clause) bool {
	if c.Roles&RoleSorry != 0 && (c.Verb < 0 || c.Shape >= Copula) {
		return true
	}
	for i := c.From; i < c.To; i++ {
		if slices.ContainsFunc(mistakes, func(word string) bool { return t.Says(i, word) }) {
			return c.Verb < 0 || c.Shape >= Copula || c.Actor == Us
		}
	}
	return false
}

// quotesItself reports whether a sentence tells what the speaker said before, and that it
// is not so: "I said that it was done, but it was not".
func (t *Text) quotesItself(clauses []Clause) bool {
	said, denied := false, false
	for i := range clauses {
		c := &clauses[i]
		said = said || c.Actor == Us && c.Verb >= 0 && t.Roles[c.Verb]&RoleTalk != 0 || t.saidBy(c)
		denied = denied || said && t.saysNotSo(c)
	}
	return denied
}

// saidBy reports whether a clause begins with "I said", which may be no clause of its own.
func (t *Text) saidBy(c *Clause) bool { return t.Says(c.From, "i") && t.Says(c.From+1, "said") }
