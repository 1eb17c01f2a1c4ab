package reading

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// mood is how a clause is meant, from its sentence and the words before its
// verb.
func (t *Text) mood(s *Sentence, c *Clause) Mood {
	if mood := t.moodOfWords(c); mood != Stated {
		return mood
	}
	before := t.clauseBefore(c)
	if before != nil {
		if mood := t.depends(before, c); mood != Stated {
			return mood
		}
	}
	switch {
	case t.restricts(s, c):
		return Reported
	case s.Asking && (c.To >= s.To && !t.tagged(c) || t.inverted(s)):
		return Asked
	case c.Mood == Stated && before != nil && c.Actor == Unnamed && c.Shape >= Bare: // "I will move it and tell Bob"
		return before.Mood
	}
	return c.Mood
}

// clauseBefore is the clause before one that is about to be added, if it stands
// in the same sentence.
func (t *Text) clauseBefore(c *Clause) *Clause {
	if last := len(t.Clauses) - 1; last >= 0 && t.Clauses[last].Sentence == c.Sentence {
		return &t.Clauses[last]
	}
	return nil
}

// moodOfWords is the mood that the words before the verb give a clause: "if",
// "since", "the page claims that".
func (t *Text) moodOfWords(c *Clause) Mood {
	limit := c.Group
	if c.Verb < 0 {
		limit = c.To
	}
	if t.dependsOnWord(t.Sentences[c.Sentence].From, limit) {
		return Conditional
	}
	if mood := t.opened(c); mood != Stated {
		return mood
	}
	for i := c.From; i < limit; i++ {
		role := t.Roles[i]
		if role&(RoleFactive|RoleCondition|RoleReport) == 0 || t.Tokens[i].Has(lexicon.Quoted) {
			continue
		}
		next := i+1 < limit
		switch {
		case role&RoleFactive != 0 && next && t.Roles[i+1]&RoleCondition != 0: // "as soon as"
			return Conditional
		case role&RoleFactive != 0 && next && c.Mood == Stated && t.factive(i, limit):
			return Presupposed
		case role&RoleCondition != 0:
			return Conditional
		case role&RoleReport != 0 && next && t.Roles[i+1]&RoleRelative != 0 && c.Actor != Us && i != c.Group:
			return Reported
		}
	}
	return Stated
}

// opened is the mood that the words just before a clause give it, where it begins in the
// midst of them: "as soon | as it is done", "in case | that", "now | that it is shut".
func (t *Text) opened(c *Clause) Mood {
	if c.From == 0 || c.From >= len(t.Tokens) {
		return Stated
	}
	before, opens := t.Roles[c.From-1], t.Roles[c.From]&(RoleFactive|RoleRelative) != 0
	switch {
	case opens && (before&RoleCondition != 0 || t.Says(c.From-1, "case")):
		return Conditional
	case c.Mood == Stated && t.Says(c.From-1, "now") && t.Says(c.From, "that"):
		return Presupposed
	}
	return Stated
}

// depends is the mood that a clause has from the one before it: what follows
// from a condition or an order, what is said by others or only thought.
func (t *Text) depends(before, c *Clause) Mood {
	joined := c.From < c.To && (t.Tokens[c.From].Kind == lexicon.Comma || t.Roles[c.From]&(RoleAnd|RoleBut) != 0)
	switch {
	case before.Mood == Conditional && c.isPresent() && c.Actor != Us:
		return Conditional
	case before.Mood == Ordered && c.Group == c.From && t.namesOne(before): // "Order A-11 is cancelled"
		return Stated
	case before.Mood == Ordered && c.isPresent() && (!joined || t.Roles[c.From]&RoleBut == 0):
		return Conditional // "press Delete, and the task is deleted", "make sure it is deleted"
	case before.Shape == Copula && t.Roles[c.Group]&RoleTo != 0: // "I'm happy to tell you that it is open"
		return Stated
	case !joined && before.Verb >= 0 && t.reports(before, c):
		return Reported
	}
	return Stated
}

// namesOne reports whether a clause that looks like an order names a thing: a noun and an
// id, without any other word.
func (t *Text) namesOne(c *Clause) bool {
	if c.To-c.From < 2 || c.Verb != c.From || !t.Tokens[c.Verb].Form().Has(lexicon.Noun) {
		return false
	}
	return !slices.ContainsFunc(t.Tokens[c.From+1:c.To], func(token lexicon.Token) bool {
		return token.IsWord() && token.Entry != nil && token.End-token.Start > 1
	})
}

// isPresent reports whether a clause tells how things are, or what is to be done.
func (c *Clause) isPresent() bool {
	return c.Shape == PassivePresent || c.Shape == Copula || c.Shape == Present || c.Shape >= Progressive
}

// reports reports whether a clause only says what the next one is: somebody's
// words or thoughts, or not so.
func (t *Text) reports(c, next *Clause) bool {
	verb := t.Roles[c.Verb]
	return c.Mood == Reported ||
		c.Roles&RoleThink != 0 && (verb&RoleThink != 0 || c.Shape == Copula) || // "I think", "I'm glad"
		verb&RoleReport != 0 && c.Actor != Us ||
		c.Negated && t.Roles[next.From]&RoleRelative != 0
}

// restricts: "tasks that have been deleted" says which ones, and the sentence
// goes on about them.
func (t *Text) restricts(s *Sentence, c *Clause) bool {
	if c.Verb < 0 || c.Actor == Us || c.Group-1 <= c.From || t.Roles[c.Group-1]&RoleRelative == 0 {
		return false
	}
	if c.To >= s.To {
		return false
	}
	before := &t.Tokens[c.Group-2]
	return before.IsWord() && t.Roles[c.Group-2]&(RoleOther|RoleNow) == 0
}

// generalize finds what a sentence tells in general: what is so after something has been
// done, whenever that may be. "It takes three days after the form has been sent" tells of
// no form; "after I sent it" and "after it was sent" do.
func (t *Text) generalize(s *Sentence) {
	for i := s.First; i < s.Last; i++ {
		c := &t.Clauses[i]
		done := c.Shape == PassivePerfect || c.Shape == PassivePresent
		if c.Mood != Presupposed || !done || c.Actor == Us || !t.saysAfter(c) {
			continue
		}
		for j := s.First; j < s.Last; j++ {
			main := &t.Clauses[j]
			ahead := main.Mood == Future || main.Mood == Possible || main.Mood == Stated && main.isPresent()
			if j != i && main.Actor != Us && ahead {
				c.Mood = Conditional
			}
		}
	}
}

func (t *Text) saysAfter(c *Clause) bool {
	for i := c.From; i < c.Group; i++ {
		if t.Says(i, "after") {
			return true
		}
	}
	return false
}

// inverted: a question that begins with its verb or with a question word asks
// as a whole; others ask with their last clause.
func (t *Text) inverted(s *Sentence) bool {
	for i := s.From; i < s.To; i++ {
		if t.Tokens[i].IsWord() {
			return t.Roles[i]&(RoleQuestion|auxiliary) != 0
		}
	}
	return true
}

// tagged: "I have moved it, anything else?" states, and asks only by what is hung on.
func (t *Text) tagged(c *Clause) bool {
	comma := false
	for i := max(c.Verb, c.From); i < c.To; i++ {
		comma = comma || t.Tokens[i].Kind == lexicon.Comma
		if comma && t.Roles[i]&RoleClosing != 0 {
			return true
		}
	}
	return false
}

// factive: "now that it is open", "since it was moved", "after moving it". A comma
// before the verb ends what is only a phrase: "as requested, it is open".
func (t *Text) factive(i, limit int) bool {
	for k := i + 1; k < limit; k++ {
		if t.Tokens[k].Kind == lexicon.Comma {
			return false
		}
	}
	if t.Roles[i]&RoleNow != 0 {
		return t.Roles[i+1]&RoleRelative != 0
	}
	return t.Roles[i]&RoleEarlier == 0 && i+1 < limit
}
