package reading

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// cutClauses finds the verb groups of a sentence and makes a clause of each.
func (t *Text) cutClauses(in int) {
	s := &t.Sentences[in]
	t.groups = t.groups[:0]
	for i := s.From; i < s.To; {
		if t.mayAct(i) {
			if g, next := t.group(s, i); next > i {
				t.groups = append(t.groups, g)
				i = next
				continue
			}
		}
		i++
	}
	if len(t.groups) == 0 {
		t.addClause(in, s.From, s.To, group{from: s.From, verb: -1})
		return
	}
	from := s.From
	if to := t.doneBefore(s, t.groups[0].from); to > from {
		t.addClause(in, from, to, group{from: from, verb: -1})
		from = to
	}
	for k := range t.groups {
		to := s.To
		if k+1 < len(t.groups) {
			to = t.boundary(t.groups[k].verb+1, t.groups[k+1].from)
		}
		t.addClause(in, from, to, t.groups[k])
		from = to
	}
}

// doneBefore is the comma after which a sentence goes on that begins with
// something said to be done: "All set, the room is yours", "Consider it done, you
// won't hear from them". It is s.From where none does.
func (t *Text) doneBefore(s *Sentence, group int) int {
	const farthest = 5
	for i := s.From + 1; i < group && i < s.From+farthest; i++ {
		if t.Tokens[i].Kind == lexicon.Comma && t.Roles[i-1]&RoleDone != 0 {
			return i
		}
	}
	return s.From
}

// boundary is where one clause ends and the next begins, between a verb and the
// next verb group: at a conjunction or mark, the last one before the group.
func (t *Text) boundary(after, group int) int {
	for i := group - 1; i >= after; i-- {
		if t.joins(i) {
			return i
		}
	}
	for i := group - 1; i >= after; i-- { // "the order I cancelled"
		if t.Roles[i]&(RoleUs|RoleYou) != 0 {
			return i
		}
	}
	return max(after, group)
}

// joins reports whether a token may begin a clause: a comma, a bracket, "and",
// "that", "if", "since".
func (t *Text) joins(i int) bool {
	token, role := &t.Tokens[i], t.Roles[i]
	return token.Kind == lexicon.Comma || token.Kind == lexicon.Symbol && t.Word(i) == "(" ||
		role&(RoleAnd|RoleBut|RoleRelative|RoleCondition) != 0 || role&(RoleFactive|RoleNow) == RoleFactive
}

// addClause adds the clause of the tokens from, to.
func (t *Text) addClause(in, from, to int, g group) {
	if to <= from {
		return
	}
	s := &t.Sentences[in]
	c := Clause{
		Sentence: in, From: from, To: to, Start: int(t.Tokens[from].Start), End: int(t.Tokens[to-1].End),
		Verb: g.verb, Group: g.from, Shape: g.shape, Negated: g.negated, Mood: g.mood,
	}
	c.Roles = sumOf(t.Roles[from:to])
	if g.verb < 0 {
		c.Negated = c.Roles&RoleNegative != 0
	} else {
		c.Actor = t.actor(&c)
		c.Negated = (c.Negated || t.deniedBefore(&c) || t.deniedAfter(&c)) && c.Roles&RoleLonger == 0
	}
	c.Mood = t.mood(s, &c)
	t.Clauses = append(t.Clauses, c)
}

// deniedBefore: "nothing was changed", "no order was placed", "none of them is". The first
// word denies all of a long subject: "no note for the night shift of Monday was saved".
func (t *Text) deniedBefore(c *Clause) bool {
	first := c.From
	for first < c.Group && t.Tokens[first].Kind != lexicon.Word {
		first++
	}
	for i := c.Group - 1; i >= c.From; i-- {
		near, negative := i >= c.Group-6 || i == first, t.Roles[i]&RoleNegative != 0
		if near && negative && !t.Tokens[i].Class().Has(lexicon.Modal) && !t.Tokens[i].Has(lexicon.Quoted) {
			return t.Tokens[i].Kind == lexicon.Word
		}
		if t.Tokens[i].Kind == lexicon.Comma {
			return false
		}
	}
	return false
}

// deniedAfter: "I have changed nothing", "I've told nobody", "this makes no difference".
func (t *Text) deniedAfter(c *Clause) bool {
	next := c.Verb + 1
	for next < c.To && (t.Roles[next]&RoleYou != 0 || // "I have sold you nothing", "I've sent it to nobody"
		t.Roles[next]&RoleNegative == 0 && t.Tokens[next].Class().Has(lexicon.Pronoun|lexicon.Preposition)) {
		next++
	}
	if next >= c.To || t.Roles[next]&RoleNegative == 0 || t.Tokens[next].Has(lexicon.Quoted) {
		return false
	}
	class := t.Tokens[next].Class()
	return class.Has(lexicon.Quantity|lexicon.Pronoun|lexicon.Determiner) || !class.Has(lexicon.Negation)
}

// actor is who acts: the pronoun before the verb group, or any other subject.
func (t *Text) actor(c *Clause) Actor {
	if c.Shape >= PassivePerfect && c.Shape <= PassivePresent {
		return t.agent(c)
	}
	for i := c.Group - 1; i >= c.From; i-- {
		switch role := t.Roles[i]; {
		case t.Tokens[i].Has(lexicon.Quoted):
			return Other
		case role&RoleUs != 0:
			return Us
		case role&RoleYou != 0 && !strings.EqualFold(t.Word(i), "your"):
			return You
		case role&(RoleAdverb|RoleNow|RoleEarlier|RoleAnd|RoleBut|RoleAgain) != 0, !t.Tokens[i].IsWord(),
			t.hyphenated(i): // "I double-checked"
			continue
		case t.Tokens[i].IsWord():
			return Other
		}
	}
	if c.Shape == ActivePerfect || c.Shape == ActivePast || c.Shape == Progressive { // "I moved it and told Bob"
		if k := len(t.Clauses) - 1; k >= 0 && t.Clauses[k].Sentence == c.Sentence {
			return t.Clauses[k].Actor
		}
	}
	return Unnamed
}

// agent is who acts in a passive: "was moved by you". Most do not say.
func (t *Text) agent(c *Clause) Actor {
	for i := c.Verb + 1; i+1 < min(c.To, c.Verb+5); i++ {
		if t.Word(i) != "by" || t.Tokens[i+1].Kind != lexicon.Word {
			continue
		}
		switch next := &t.Tokens[i+1]; {
		case t.Roles[i+1]&RoleYou != 0:
			return You
		case next.Class().Has(lexicon.FirstPerson):
			return Us
		case next.Class().Has(lexicon.Determiner|lexicon.Possessive|lexicon.ThirdPerson) || next.Has(lexicon.Capital):
			return Other
		}
	}
	if i := c.Group - 1; i >= c.From && t.Roles[i]&RoleUs != 0 { // "we are booked" tells nothing that we did
		return Other
	}
	return Unnamed
}
