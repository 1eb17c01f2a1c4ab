package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// mood is how a clause is meant, from its sentence and the words before its verb.
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

// clauseBefore is the clause before one that is about to be added, if it stands in the same sentence.
func (t *Text) clauseBefore(c *Clause) *Clause {
	if last := len(t.Clauses) - 1; last >= 0 && t.Clauses[last].Sentence == c.Sentence {
		return &t.Clauses[last]
	}
	return nil
}

// moodOfWords is the mood that the words before the verb give a clause: "if", "since", "the page claims that".
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
	case before.Mood == Conditional && c.Shape.In(ongoing) && c.Actor != Us:
		return Conditional
	case before.Mood == Ordered && c.Group == c.From && t.isThingWithID(before): // "Order A-11 is cancelled"
		return Stated
	case before.Mood == Ordered && c.Shape.In(ongoing) && (!joined || t.Roles[c.From]&RoleBut == 0):
		return Conditional // "press Delete, and the task is deleted", "make sure it is deleted"
	case before.Shape == Copula && t.Roles[c.Group]&RoleTo != 0: // "I'm happy to tell you that it is open"
		return Stated
	case !joined && before.Verb >= 0 && t.reports(before, c):
		return Reported
	}
	return Stated
}

// isThingWithID reports whether a clause that looks like an order names a thing: a word that may be a noun, and
// after it only what no word list has, "order A-17".
func (t *Text) isThingWithID(c *Clause) bool {
	if c.To-c.From < 2 || c.Verb != c.From || !t.Tokens[c.Verb].Form().Has(lexicon.Noun) {
		return false
	}
	return !slices.ContainsFunc(t.Tokens[c.From+1:c.To], func(token lexicon.Token) bool {
		return token.IsWord() && token.Entry != nil && token.End-token.Start > 1
	})
}

// reports reports whether a clause only says what the next one is: somebody's words or thoughts, or not so.
func (t *Text) reports(c, next *Clause) bool {
	verb := t.Roles[c.Verb]
	return c.Mood == Reported ||
		c.Roles&RoleThink != 0 && (verb&RoleThink != 0 || c.Shape == Copula) || // "I think", "I'm glad"
		verb&RoleReport != 0 && c.Actor != Us ||
		c.Negated && t.Roles[next.From]&RoleRelative != 0
}

// restricts: "tasks that have been deleted" says which ones, and the sentence goes on about them.
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
		done := c.Shape.In(Passives &^ (1 << PassivePast))
		if c.Mood != Presupposed || !done || c.Actor == Us || !t.has(c.From, c.Group, "after") {
			continue
		}
		for j := s.First; j < s.Last; j++ {
			main := &t.Clauses[j]
			ahead := main.Mood == Future || main.Mood == Possible || main.Mood == Stated && main.Shape.In(ongoing)
			if j != i && main.Actor != Us && ahead {
				c.Mood = Conditional
			}
		}
	}
}

// inverted: a question that begins with its verb or with a question word asks
// as a whole; others ask with their last clause.
func (t *Text) inverted(s *Sentence) bool {
	first := t.FirstWord(s)
	return first >= s.To || t.Roles[first]&(RoleQuestion|auxiliary) != 0
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

// cutClauses finds the verb groups of a sentence and makes a clause of each.
func (t *Text) cutClauses(in int) {
	s := &t.Sentences[in]
	t.groups = t.groups[:0]
	for i := s.From; i < s.To; {
		if t.Tokens[i].IsWord() && !t.Tokens[i].Has(lexicon.Quoted) {
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

// doneBefore is the comma after which a sentence goes on that begins with something said to be done: "All set, the
// room is yours", "Consider it done, you won't hear from them". It is s.From where none does.
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

// joins reports whether a token may begin a clause: a comma, a bracket, "and", "that", "if", "since".
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
	if c.Shape.In(Passives) {
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
	if c.Shape.In(Deeds | 1<<Progressive) { // "I moved it and told Bob"
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
