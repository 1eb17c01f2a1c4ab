package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// group is a verb with its auxiliaries.
type group struct {
	from, verb int
	shape      Shape
	negated    bool
	mood       Mood
}

// cutClauses finds the verb groups of a sentence and makes a clause of each.
func (t *Text) cutClauses(in int) {
	s := &t.Sentences[in]
	t.groups = t.groups[:0]
	for i := s.From; i < s.To; {
		g, next := t.group(s, i)
		if next > i {
			t.groups = append(t.groups, g)
			i = next
			continue
		}
		i++
	}
	if len(t.groups) == 0 {
		t.addClause(in, s.From, s.To, group{from: s.From, verb: -1})
		return
	}
	from := s.From
	for k := range t.groups {
		to := s.To
		if k+1 < len(t.groups) {
			to = t.boundary(t.groups[k].verb+1, t.groups[k+1].from)
		}
		t.addClause(in, from, to, t.groups[k])
		from = to
	}
}

// boundary is where one clause ends and the next begins, between a verb and the
// next verb group: at a conjunction or mark, the last one before the group.
func (t *Text) boundary(after, group int) int {
	for i := group - 1; i >= after; i-- {
		token := &t.Tokens[i]
		if token.Kind == lexicon.Comma || t.Roles[i]&(RoleAnd|RoleBut|RoleRelative|RoleCondition) != 0 || t.Roles[i]&(RoleFactive|RoleNow) == RoleFactive || token.Kind == lexicon.Symbol && t.Word(i) == "(" {
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

// addClause adds the clause of the tokens from, to.
func (t *Text) addClause(in, from, to int, g group) {
	if to <= from {
		return
	}
	s := &t.Sentences[in]
	c := Clause{
		Sentence: in, From: from, To: to, Start: int(t.Tokens[from].Start), End: int(t.Tokens[to-1].End), Verb: g.verb, Group: g.from,
		Shape: g.shape, Negated: g.negated, Mood: g.mood,
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

// deniedBefore: "nothing was changed", "no order was placed", "none of them is".
func (t *Text) deniedBefore(c *Clause) bool {
	for i := c.Group - 1; i >= c.From && i >= c.Group-6; i-- {
		if t.Roles[i]&RoleNegative != 0 && !t.Tokens[i].Class().Has(lexicon.Modal) && !t.Tokens[i].Has(lexicon.Quoted) {
			return t.Tokens[i].Kind == lexicon.Word
		}
		if t.Tokens[i].Kind == lexicon.Comma {
			return false
		}
	}
	return false
}

// deniedAfter: "I have changed nothing", "this makes no difference".
func (t *Text) deniedAfter(c *Clause) bool {
	next := c.Verb + 1
	return next < c.To && t.Roles[next]&RoleNegative != 0 && t.Tokens[next].Class().Has(lexicon.Quantity|lexicon.Pronoun|lexicon.Determiner) && !t.Tokens[next].Has(lexicon.Quoted)
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
		case role&RoleYou != 0 && t.Word(i) != "your":
			return You
		case role&(RoleAdverb|RoleNow|RoleEarlier|RoleAnd|RoleBut|RoleAgain) != 0, !t.Tokens[i].IsWord(), t.hyphenated(i): // "I double-checked"
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
	return Unnamed
}

// mood is how a clause is meant, from its sentence and the words before its
// verb.
func (t *Text) mood(s *Sentence, c *Clause) Mood {
	limit := c.Group
	if c.Verb < 0 {
		limit = c.To
	}
	for i := c.From; i < limit; i++ {
		if t.Tokens[i].Has(lexicon.Quoted) {
			continue
		}
		role := t.Roles[i]
		switch {
		case role&RoleFactive != 0 && i+1 < limit && c.Mood == Stated && t.factive(i, limit):
			return Presupposed
		case role&RoleCondition != 0:
			return Conditional
		case role&RoleReport != 0 && i+1 < limit && t.Roles[i+1]&RoleRelative != 0 && c.Actor != Us && i != c.Group: // "the page claims that"
			return Reported
		}
	}
	if before := len(t.Clauses) - 1; before >= 0 && t.Clauses[before].Sentence == c.Sentence {
		if mood := t.depends(&t.Clauses[before], c); mood != Stated {
			return mood
		}
	}
	if t.restricts(s, c) {
		return Reported
	}
	if s.Asking && (c.To >= s.To || t.inverted(s)) {
		return Asked
	}
	if c.Mood != Stated {
		return c.Mood
	}
	if k := len(t.Clauses) - 1; k >= 0 && t.Clauses[k].Sentence == c.Sentence && c.Actor == Unnamed && c.Shape >= Bare { // "I will move it and tell Bob"
		return t.Clauses[k].Mood
	}
	return Stated
}

// depends is the mood that a clause has from the one before it: what follows
// from a condition or an order, what is said by others or only thought.
func (t *Text) depends(before, c *Clause) Mood {
	present := c.Shape == PassivePresent || c.Shape == Copula || c.Shape == Present || c.Shape >= Progressive
	joined := c.From < c.To && (t.Tokens[c.From].Kind == lexicon.Comma || t.Roles[c.From]&(RoleAnd|RoleBut) != 0)
	switch {
	case before.Mood == Conditional && present && c.Actor != Us:
		return Conditional
	case before.Mood == Ordered && present && (joined && t.Roles[c.From]&RoleBut == 0 || !joined):
		return Conditional // "press Delete, and the task is deleted", "make sure it is deleted"
	case joined || before.Verb < 0:
		return Stated
	case before.Roles&RoleThink != 0 && (t.Roles[before.Verb]&RoleThink != 0 || before.Shape == Copula), // "I think", "I'm glad"
		t.Roles[before.Verb]&RoleReport != 0 && before.Actor != Us,
		before.Negated && t.Roles[c.From]&RoleRelative != 0,
		before.Mood == Reported:
		return Reported
	}
	return Stated
}

// restricts: "tasks that have been deleted" says which ones, and the sentence
// goes on about them.
func (t *Text) restricts(s *Sentence, c *Clause) bool {
	if c.Verb < 0 || c.Actor == Us || c.To >= s.To || c.Group-1 <= c.From || t.Roles[c.Group-1]&RoleRelative == 0 {
		return false
	}
	before := &t.Tokens[c.Group-2]
	return before.IsWord() && t.Roles[c.Group-2]&(RoleOther|RoleNow) == 0
}

// inverted: a question that begins with its verb or with a question word asks
// as a whole; others ask with their last clause.
func (t *Text) inverted(s *Sentence) bool {
	for i := s.From; i < s.To; i++ {
		if t.Tokens[i].IsWord() {
			return t.Roles[i]&(RoleQuestion|RoleHave|RoleBe|RoleWas|RoleWill|RoleModal|RoleDo) != 0
		}
	}
	return true
}

// factive: "now that it is open", "since it was moved", "after moving it".
func (t *Text) factive(i, limit int) bool {
	if t.Roles[i]&RoleNow != 0 {
		return t.Roles[i+1]&RoleRelative != 0
	}
	return t.Roles[i]&RoleEarlier == 0 && i+1 < limit
}

// group reads the verb group that begins at token i; next is i where none does.
func (t *Text) group(s *Sentence, i int) (g group, next int) {
	token := &t.Tokens[i]
	if !token.IsWord() || token.Has(lexicon.Quoted) {
		return g, i
	}
	role := t.Roles[i]
	switch {
	case role&(RoleHave|RoleBe|RoleWas|RoleWill|RoleModal|RoleDo) != 0 && !t.possessive(i):
		return t.auxiliary(s, i)
	case role&RoleGet != 0 && i+1 < s.To && t.form(i+1)&lexicon.Participle != 0 && t.form(i+1)&lexicon.Base == 0: // "gets deleted"
		g = group{from: i, verb: i + 1, shape: PassivePresent}
		if t.form(i)&lexicon.Past != 0 {
			g.shape = PassivePast
		}
		return g, i + 2
	case role&RoleTo != 0 && i+2 < s.To && t.Word(i+1) == "be" && t.form(i+2)&lexicon.Participle != 0: // "the items to be exchanged"
		return group{from: i, verb: i + 2, shape: Bare, mood: Possible}, i + 3
	case role&RoleTo != 0 && i+1 < s.To && t.form(i+1)&lexicon.Base != 0:
		return group{from: i, verb: i + 1, shape: Bare, mood: Possible}, i + 2
	}
	form := t.form(i)
	switch {
	case form&(lexicon.Past|lexicon.Participle) != 0:
		return t.past(s, i, form)
	case form&lexicon.Third != 0 && i > s.From && form&(lexicon.Plural|lexicon.Noun) == 0 && !t.afterNounMark(i):
		return group{from: i, verb: i, shape: Present}, i + 1
	case form&lexicon.Base != 0 && t.begins(s, i) && t.takesObject(s, i) && t.form(i+1)&(lexicon.Past|lexicon.Participle) == 0 && t.Roles[i+1]&RoleDone == 0:
		return group{from: i, verb: i, shape: Bare, mood: Ordered}, i + 1
	case form&lexicon.Base != 0 && i > s.From && t.Roles[i-1]&(RoleUs|RoleYou) != 0:
		return group{from: i, verb: i, shape: Present}, i + 1
	case form&lexicon.Base != 0 && form&(lexicon.Noun|lexicon.Adjective) == 0 && t.afterPlural(s, i) && i+1 < s.To && t.Tokens[i+1].IsWord():
		return group{from: i, verb: i, shape: Present}, i + 1
	}
	return g, i
}

// hyphenated reports whether a hyphen joins a word to the next one.
func (t *Text) hyphenated(i int) bool {
	return i+1 < len(t.Tokens) && t.Tokens[i+1].Start == t.Tokens[i].End+1 && t.Source[t.Tokens[i].End] == '-'
}

// afterPlural: "both flights now include", "the messages carry".
func (t *Text) afterPlural(s *Sentence, i int) bool {
	before := i - 1
	for before > s.From && t.Roles[before]&(RoleAdverb|RoleNow) != 0 {
		before--
	}
	return before >= s.From && t.Tokens[before].Form().Has(lexicon.Plural) && !t.Tokens[before].Has(lexicon.Quoted)
}

// afterNounMark: "your drafts", "tonight's picks", "three attempts".
func (t *Text) afterNounMark(i int) bool {
	before := &t.Tokens[i-1]
	return before.Class().Has(lexicon.Determiner|lexicon.Possessive|lexicon.Preposition|lexicon.Quantity|lexicon.Ordinal) || before.Kind == lexicon.Number ||
		before.Form().Has(lexicon.Adjective)
}

// possessive: "Anna's task" is no "Anna is".
func (t *Text) possessive(i int) bool {
	return t.Tokens[i].Has(lexicon.Glued) && t.Word(i) != "'re" && t.Tokens[i].End-t.Tokens[i].Start <= 4 && i > 0 &&
		t.Tokens[i-1].IsWord() && t.Roles[i-1]&(RoleUs|RoleYou|RoleOther|RoleQuestion|RoleLet) == 0 && !t.Tokens[i-1].Class().Has(lexicon.ThirdPerson|lexicon.Existence) &&
		t.Roles[i]&(RoleWill|RoleHave) == 0 && !t.beforeVerb(i)
}

// beforeVerb: "the order's been moved", "the door's locked now".
func (t *Text) beforeVerb(i int) bool {
	return i+1 < len(t.Tokens) && (t.Roles[i+1]&(RoleBeen|RoleNow|RoleNegative|RoleAdverb) != 0 || t.form(i+1)&(lexicon.Participle|lexicon.Gerund) != 0 && t.form(i+1)&(lexicon.Noun|lexicon.Adjective) == 0)
}

// auxiliary reads on from an auxiliary to the main verb.
func (t *Text) auxiliary(s *Sentence, i int) (group, int) {
	g := group{from: i, verb: i, shape: Copula}
	chain := t.Roles[i]
	g.negated = chain&RoleNegative != 0
	k := i + 1
	for ; k < s.To && k < i+10; k++ {
		role := t.Roles[k]
		token := &t.Tokens[k]
		if role&RoleNegative != 0 && t.Word(k) != "no" {
			g.negated = true
			continue
		}
		if token.Kind == lexicon.Symbol && (t.Word(k) == "*" || t.Word(k) == "_") { // "is **not** locked"
			continue
		}
		if k+2 < s.To && t.Roles[k+1]&RoleLonger != 0 { // "is no longer blocked"
			k++
			continue
		}
		if t.hyphenated(k) && t.form(k+1)&lexicon.Participle != 0 { // "have double-checked"
			continue
		}
		if role&(RoleBeen|RoleBeing|RoleHave|RoleBe) != 0 && chain&(RoleHave|RoleWill|RoleModal|RoleBe|RoleWas|RoleDo) != 0 && role&RoleUs == 0 {
			chain |= role & (RoleBeen | RoleBeing | RoleHave | RoleBe)
			continue
		}
		if (role&(RoleAdverb|RoleNow|RoleEarlier) != 0 || isAdverb(t.Word(k)) || token.Form() == lexicon.Adverb) && t.form(k)&lexicon.Verb == 0 {
			continue
		}
		if k == i+1 && role&(RoleUs|RoleYou|RoleOther) != 0 && t.begins(s, i) { // "Have you moved it?"
			continue
		}
		break
	}
	return t.main(s, g, chain, i, k)
}

// main decides what an auxiliary chain and the word after it make together.
func (t *Text) main(s *Sentence, g group, chain Role, i, k int) (group, int) {
	var form lexicon.Form
	if k < s.To && t.Tokens[k].IsWord() && !t.Tokens[k].Has(lexicon.Quoted) {
		form = t.form(k)
	}
	switch {
	case chain&RoleWill != 0:
		g.mood = Future
	case chain&RoleModal != 0:
		g.mood = Possible
	}
	be := chain&(RoleBe|RoleWas|RoleBeen|RoleBeing) != 0
	switch {
	case k < s.To && t.Word(k) == "going" && k+1 < s.To && t.Roles[k+1]&RoleTo != 0:
		g.verb, g.shape, g.mood = min(k+2, s.To-1), Bare, Future
		return g, min(k+3, s.To)
	case be && form&lexicon.Participle != 0 && !t.isAdjective(k):
		g.verb = k
		switch {
		case chain&RoleBeing != 0:
			g.shape = Progressive
		case chain&RoleBeen != 0:
			g.shape = PassivePerfect
		case chain&RoleWas != 0:
			g.shape = PassivePast
		default:
			g.shape = PassivePresent
		}
		return g, k + 1
	case be && form&lexicon.Gerund != 0:
		g.verb, g.shape = k, Progressive
		return g, k + 1
	case be:
		if chain&RoleWas != 0 {
			g.shape = CopulaPast
		}
		if chain&RoleBeen != 0 {
			g.shape = PassivePerfect
		}
		return g, max(k, i+1)
	case chain&RoleHave != 0 && form&lexicon.Participle != 0 && !t.isAdjective(k):
		g.verb, g.shape = k, ActivePerfect
		return g, k + 1
	case chain&RoleHave != 0 && chain&(RoleWill|RoleModal|RoleDo) == 0:
		g.shape = Present
		return g, i + 1
	case form&(lexicon.Base|lexicon.Verb) != 0:
		g.verb, g.shape = k, Bare
		if chain&RoleDo != 0 && g.mood == Stated { // "did not move", "do see"
			g.shape = ActivePast
			if t.Word(i) != "did" && t.Word(i) != "didn't" && t.Word(i) != "Did" {
				g.shape = Present
			}
		}
		return g, k + 1
	}
	g.shape = Bare
	return g, i + 1
}

// isAdjective: words that are participles by their form only.
func (t *Text) isAdjective(i int) bool {
	return t.Tokens[i].Entry != nil && t.Tokens[i].Entry.Form.Has(lexicon.Adjective) && !t.Tokens[i].Entry.Form.Has(lexicon.Past)
}

// past reads a past tense or a participle without an auxiliary.
func (t *Text) past(s *Sentence, i int, form lexicon.Form) (group, int) {
	g := group{from: i, verb: i, shape: Fragment}
	before := t.beforeAdverbs(s, i)
	switch {
	case t.stays(s, before), form&lexicon.Base != 0 && t.Roles[i]&RoleDone != 0 && i > s.From && t.Roles[i-1]&RoleAll != 0: // "stays shared", "all set"
		return g, i
	case before > s.From && t.closesName(before) && t.endsPhrase(s, i) && form&lexicon.Base == 0: // "Backup of `crm` taken"
		return g, i + 1
	case before < s.From || !t.Tokens[before].IsWord():
		return t.opening(s, g, before, form)
	case t.Roles[before]&(RoleUs|RoleYou|RoleOther) != 0 && form&lexicon.Past != 0:
		g.shape = ActivePast
		return g, i + 1
	case t.Roles[before]&RoleAnd != 0:
		return t.joined(g)
	case form&(lexicon.Base|lexicon.Noun|lexicon.Adjective) != 0:
		return g, i
	case t.Tokens[before].Class().Has(lexicon.Determiner | lexicon.Preposition | lexicon.Possessive):
		return g, i // "the updated list"
	case form&lexicon.Past != 0 && t.objectFollows(s, i):
		g.shape = ActivePast // "the system sent a mail"
		return g, i + 1
	case t.endsPhrase(s, i) || t.Tokens[i+1].Class().Has(lexicon.Conjunction) || t.Roles[i+1]&(RoleNow|RoleAdverb) != 0:
		return g, i + 1 // "Order cancelled", "Two tasks moved to Friday"
	}
	return g, i
}

// beforeAdverbs is the token before a verb and its adverbs.
func (t *Text) beforeAdverbs(s *Sentence, i int) int {
	before := i - 1
	for before >= s.From && t.Tokens[before].IsWord() &&
		(t.Roles[before]&(RoleAdverb|RoleNow|RoleEarlier|RoleAgain) != 0 || isAdverb(t.Word(before)) || t.hyphenated(before)) {
		before--
	}
	return before
}

// endsPhrase reports whether nothing or a preposition follows a word.
func (t *Text) endsPhrase(s *Sentence, i int) bool {
	return i+1 >= s.To || !t.Tokens[i+1].IsWord() || t.Tokens[i+1].Class().Has(lexicon.Preposition)
}

// opening reads a past tense or participle with no word before it.
func (t *Text) opening(s *Sentence, g group, before int, form lexicon.Form) (group, int) {
	i := g.verb
	if !t.begins(s, i) && t.Tokens[max(before, s.From)].Kind != lexicon.Comma && !t.afterAnd(before) || t.attribute(s, i) {
		return g, i
	}
	if form&lexicon.Base != 0 && form&lexicon.Participle != 0 && t.takesObject(s, i) &&
		(t.Tokens[i+1].Class().Has(lexicon.Determiner|lexicon.Possessive|lexicon.FirstPerson) || t.Tokens[i+1].Kind == lexicon.Quote || t.followsOrder()) {
		g.shape, g.mood = Bare, Ordered // "Set the table": an order as likely as a report
	}
	return g, i + 1
}

// joined reads a verb after "and": "has been moved and renamed".
func (t *Text) joined(g group) (group, int) {
	last := len(t.groups) - 1
	if last < 0 {
		return g, g.verb
	}
	switch first := &t.groups[last]; first.shape {
	case ActivePerfect, ActivePast, PassivePerfect, PassivePast, PassivePresent, Fragment:
		g.shape, g.mood, g.negated = first.shape, first.mood, first.negated
		return g, g.verb + 1
	}
	return g, g.verb
}

// stays: a participle after "stays", "remains" or "leave it" says that nothing
// was done.
func (t *Text) stays(s *Sentence, before int) bool {
	if before > s.From && t.Roles[before]&RoleOther != 0 {
		before--
	}
	return before >= s.From && t.Roles[before]&RoleRefrain != 0 && t.form(before)&lexicon.Verb != 0
}

// closesName reports whether a mark ends a name or a quotation.
func (t *Text) closesName(i int) bool {
	switch t.Source[t.Tokens[i].Start] {
	case '`', '"', ')', '*':
		return true
	}
	return false
}

// followsOrder reports whether the verb group before is an order: "switch it
// off, put on your vest".
func (t *Text) followsOrder() bool {
	last := len(t.groups) - 1
	return last >= 0 && t.groups[last].mood == Ordered
}

// attribute: "Deleted tasks cannot be restored", "Run **904** is under way".
func (t *Text) attribute(s *Sentence, i int) bool {
	const finite = RoleBe | RoleWas | RoleModal | RoleWill | RoleHave | RoleDo
	if t.form(i)&lexicon.Base != 0 {
		k := i + 1
		for k < s.To && (!t.Tokens[k].IsWord() || t.Tokens[k].Kind != lexicon.Word) && t.Tokens[k].Kind != lexicon.Comma {
			k++
		}
		if k > i+1 && k < s.To && t.Roles[k]&finite != 0 {
			return true
		}
	}
	return i+2 < s.To && t.Tokens[i+1].Form().Has(lexicon.Noun|lexicon.Plural) && t.Roles[i+2]&finite != 0
}

func (t *Text) afterAnd(before int) bool {
	return before >= 0 && t.Roles[before]&RoleAnd != 0
}

// objectFollows: a determiner, a name or a number after the verb.
func (t *Text) objectFollows(s *Sentence, i int) bool {
	if i+1 >= s.To {
		return false
	}
	next := &t.Tokens[i+1]
	return next.Class().Has(lexicon.Determiner|lexicon.Possessive|lexicon.Pronoun) || next.Kind == lexicon.Number || next.Kind == lexicon.Quote
}

// takesObject: an order goes on with something.
func (t *Text) takesObject(s *Sentence, i int) bool {
	return i+1 < s.To && (t.Tokens[i+1].IsWord() || t.Tokens[i+1].Kind == lexicon.Quote)
}

// begins reports whether only marks, greetings and adverbs stand before a token
// of its sentence.
func (t *Text) begins(s *Sentence, i int) bool {
	for k := s.From; k < i; k++ {
		if !t.Tokens[k].IsWord() || t.Tokens[k].Kind == lexicon.Number && k == s.From {
			continue
		}
		if t.Roles[k]&(RoleAdverb|RoleNow|RoleAgain|RolePlease|RoleAnd|RoleTick) != 0 || t.Tokens[k].Class().Has(lexicon.Affirmation|lexicon.Interjection|lexicon.Greeting|lexicon.Sequence|lexicon.Politeness) || isAdverb(t.Word(k)) {
			continue
		}
		return false
	}
	return true
}

// form is the forms of a word; unlisted ones are judged by their ending.
func (t *Text) form(i int) lexicon.Form {
	token := &t.Tokens[i]
	if token.Kind != lexicon.Word {
		return 0
	}
	if token.Entry != nil {
		return token.Entry.Form
	}
	word := t.Word(i)
	if n := len(word); n > 4 && token.Flags&lexicon.Upper == 0 {
		switch {
		case word[n-2:] == "ed" && word[n-3:] != "eed":
			return lexicon.Past | lexicon.Participle
		case word[n-3:] == "ing" && n > 5:
			return lexicon.Gerund
		}
	}
	return 0
}

func isAdverb(word string) bool {
	return len(word) > 4 && word[len(word)-2:] == "ly"
}
