package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// Asserts reports whether a clause states how things are, or says that
// something could not be done.
func (t *Text) Asserts(clause *Clause, sentence *Sentence) bool {
	if sentence.Quoted || t.wordless(clause) {
		return false
	}
	switch clause.Mood {
	case Stated, Presupposed:
		return (clause.Shape != Bare || clause.Negated) && !t.hangs(clause, sentence)
	case Possible:
		return clause.Negated
	case Future:
		return clause.Roles&RoleLonger != 0
	}
	return false
}

// wordless reports whether a clause has no word at all: "👍" is a nod.
func (t *Text) wordless(c *Clause) bool {
	if c.Verb >= 0 {
		return false
	}
	for i := c.From; i < c.To; i++ {
		if t.Tokens[i].Kind <= lexicon.Name {
			return false
		}
	}
	return true
}

// hangs reports whether a clause is a part of another one and states nothing
// by itself: "I can help | you change it", "to get | started", "the orders |
// linked to your account", "the address | you gave".
func (t *Text) hangs(clause *Clause, sentence *Sentence) bool {
	if clause.Verb < 0 {
		return false
	}
	if clause.Actor == You && t.Roles[clause.Verb]&(RoleReport|RoleWant) != 0 {
		return true
	}
	if clause.From == sentence.From {
		return false
	}
	before := t.Roles[clause.From-1]
	if sentence.Asking && before&(RoleModal|RoleWill) != 0 { // "Should | I set it?"
		return true
	}
	switch clause.Shape {
	case Present:
		return before&(RoleClosing|RoleLet) != 0
	case Fragment, ActivePast:
		const apart = 5 // words between "get" and what is got done
		for i := clause.Verb - 1; i >= max(sentence.From, clause.Verb-apart); i-- {
			if t.Roles[i]&RoleGet != 0 && t.Tokens[i].Form().Has(lexicon.Base) {
				return true
			}
		}
		begins := clause.Shape == Fragment && clause.Verb == clause.From
		return begins && t.Tokens[clause.From-1].Form().Has(lexicon.Noun|lexicon.Plural)
	}
	return false
}

// SaysAll reports whether a clause speaks of more than one thing or act without a
// number: "both", "every one", "twice".
func (t *Text) SaysAll(c *Clause) bool {
	if c.Roles&RoleAll != 0 {
		return true
	}
	for i := c.From; i < c.To && c.Actor == Us; i++ {
		if t.Says(i, "twice") {
			return true
		}
	}
	return false
}
