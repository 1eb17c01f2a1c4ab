package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// group is a verb with its auxiliaries.
type group struct {
	from, verb int
	shape      Shape
	negated    bool
	mood       Mood
}

const auxiliary = RoleHave | RoleBe | RoleWas | RoleWill | RoleModal | RoleDo

// group reads the verb group that begins at token i, which may begin one; next is i where none does.
func (t *Text) group(s *Sentence, i int) (g group, next int) {
	role := t.Roles[i]
	switch {
	case role&auxiliary != 0 && !t.possessive(i):
		return t.auxiliary(s, i)
	case role&(RoleGet|RoleTo) != 0:
		if g, next = t.introduced(s, i); next > i {
			return g, next
		}
	}
	form := t.form(i)
	switch {
	case form&(lexicon.Past|lexicon.Participle) != 0:
		return t.past(s, i, form)
	case form&lexicon.Third != 0 && i > s.From && form&(lexicon.Plural|lexicon.Noun) == 0 && !t.afterNounMark(i) &&
		!t.isPlural(s, i):
		return group{from: i, verb: i, shape: Present}, i + 1
	case form&lexicon.Base != 0:
		return t.base(s, i, form)
	}
	return g, i
}

// introduced reads a verb after "get" or "to": "gets deleted", "to be moved", "to move".
func (t *Text) introduced(s *Sentence, i int) (g group, next int) {
	role := t.Roles[i]
	if i+1 >= s.To {
		return g, i
	}
	form := t.form(i + 1)
	switch {
	case role&RoleGet != 0 && form&lexicon.Participle != 0 && form&lexicon.Base == 0:
		g = group{from: i, verb: i + 1, shape: PassivePresent}
		if t.form(i)&lexicon.Past != 0 {
			g.shape = PassivePast
		}
		return g, i + 2
	case role&RoleTo == 0:
		return g, i
	case i+2 < s.To && t.Word(i+1) == "be" && t.form(i+2)&lexicon.Participle != 0:
		return group{from: i, verb: i + 2, shape: Bare, mood: Possible}, i + 3
	case form&lexicon.Base != 0:
		return group{from: i, verb: i + 1, shape: Bare, mood: Possible}, i + 2
	}
	return g, i
}

// base reads a base form: an order, or a present with "I", "you" or a plural before it.
func (t *Text) base(s *Sentence, i int, form lexicon.Form) (g group, next int) {
	switch {
	case t.orders(s, i):
		return group{from: i, verb: i, shape: Bare, mood: Ordered}, i + 1
	case i > s.From && t.Roles[i-1]&(RoleUs|RoleYou) != 0,
		form&(lexicon.Noun|lexicon.Adjective) == 0 && t.afterPlural(s, i) && i+1 < s.To && t.Tokens[i+1].IsWord():
		return group{from: i, verb: i, shape: Present}, i + 1
	}
	return g, i
}

// orders: "Move the booking", but not "Delete done", nor "Order 551 is cancelled".
func (t *Text) orders(s *Sentence, i int) bool {
	return t.begins(s, i) && t.takesObject(s, i) && t.form(i+1)&(lexicon.Past|lexicon.Participle) == 0 &&
		t.Roles[i+1]&RoleDone == 0 && !t.headsSubject(s, i, 0) && !t.deems(s, i)
}

// deems: "Consider it done" is no order to the reader.
func (t *Text) deems(s *Sentence, i int) bool {
	return t.Roles[i]&RoleThink != 0 && i+2 < s.To && t.Roles[i+1]&RoleOther != 0 && t.Roles[i+2]&RoleDone != 0
}

// headsSubject reports whether a word that could be an order belongs to the subject of what follows: "Order 551 is
// cancelled", "Type hints are in", "Transfer of 50 EUR: made". An order has its object there, and a subject of
// another verb comes with a mark of its own: "Check the order is open", "Check if 551 is open". Only what is
// checked or thought may do without: "Check lights are off".
func (t *Text) headsSubject(s *Sentence, i int, stops Role) bool {
	const farthest = 12
	const finite = auxiliary &^ RoleDo
	stops |= RoleRelative | RoleCondition | RoleBut | RoleQuestion | RoleUs | RoleYou | RoleOther
	const marks = lexicon.Determiner | lexicon.Possessive | lexicon.Quantity
	const takesClause = RoleCheck | RoleVerify | RoleThink | RoleReport | RoleLook | RoleTalk
	if i+1 >= s.To || t.Roles[i]&takesClause != 0 && t.Roles[i+1]&finite == 0 && t.form(i)&lexicon.Noun == 0 ||
		t.Tokens[i+1].Class().Has(lexicon.Affirmation) { // "Make sure lights are off"
		return false
	}
	inPhrase := false // after a preposition: a mark begins no other subject
	for k := i + 1; k < s.To && k < i+farthest; k++ {
		token, role := &t.Tokens[k], t.Roles[k]
		switch {
		case role&finite != 0 && !t.possessive(k):
			return true
		case t.Source[token.Start] == ':':
			return k+1 < s.To && t.form(k+1)&lexicon.Participle != 0
		case token.Kind == lexicon.Comma, role&stops != 0, role&RoleTo != 0 && t.infinitive(s, k+1):
			return false
		case token.Class().Has(marks) && !inPhrase:
			return false
		case token.Class().Has(lexicon.Preposition):
			inPhrase = true
		}
	}
	return false
}

// isPlural: "Rain sounds are playing" holds no verb "sounds".
func (t *Text) isPlural(s *Sentence, i int) bool {
	return t.Roles[i-1]&(RoleUs|RoleYou|RoleOther|RoleAnd) == 0 && t.headsSubject(s, i, RoleAnd|RoleModal|RoleFactive) &&
		t.Roles[i]&RoleRefrain == 0 // "it remains as it is"
}

// infinitive: "to have", "to move".
func (t *Text) infinitive(s *Sentence, i int) bool {
	return i < s.To && (t.Roles[i]&(RoleHave|RoleBe|RoleDo) != 0 || t.form(i)&lexicon.Base != 0)
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
	const marks = lexicon.Determiner | lexicon.Possessive | lexicon.Preposition | lexicon.Quantity | lexicon.Ordinal
	return before.Class().Has(marks) || before.Kind == lexicon.Number || before.Form().Has(lexicon.Adjective)
}

// possessive: "Anna's task" is no "Anna is".
func (t *Text) possessive(i int) bool {
	token := &t.Tokens[i]
	if i == 0 || !token.Has(lexicon.Glued) || token.End-token.Start > 4 || t.Word(i) == "'re" {
		return false
	}
	owner := &t.Tokens[i-1]
	return owner.IsWord() && t.Roles[i-1]&(RoleUs|RoleYou|RoleOther|RoleQuestion|RoleLet) == 0 &&
		!owner.Class().Has(lexicon.ThirdPerson|lexicon.Existence) &&
		t.Roles[i]&(RoleWill|RoleHave) == 0 && !t.beforeVerb(i)
}

// beforeVerb: "the order's been moved", "the door's locked now".
func (t *Text) beforeVerb(i int) bool {
	if i+1 >= len(t.Tokens) {
		return false
	}
	form := t.form(i + 1)
	return t.Roles[i+1]&(RoleBeen|RoleNow|RoleNegative|RoleAdverb) != 0 ||
		form&(lexicon.Participle|lexicon.Gerund) != 0 && form&(lexicon.Noun|lexicon.Adjective) == 0
}

// auxiliary reads on from an auxiliary to the main verb.
func (t *Text) auxiliary(s *Sentence, i int) (group, int) {
	const longest = 10 // so many words may stand between the two
	g := group{from: i, verb: i, shape: Copula}
	chain := t.Roles[i]
	g.negated = chain&RoleNegative != 0
	k := i + 1
	for ; k < s.To && k < i+longest; k++ {
		role := t.Roles[k]
		switch {
		case role&RoleNegative != 0 && t.Word(k) != "no":
			g.negated = true
		case t.isEmphasis(k):
		case k+2 < s.To && t.Roles[k+1]&RoleLonger != 0: // "is no longer blocked"
			k++
		case t.hyphenated(k) && t.form(k+1)&lexicon.Participle != 0: // "have double-checked"
		case role&(RoleBeen|RoleBeing|RoleHave|RoleBe) != 0 && role&RoleUs == 0:
			chain |= role & (RoleBeen | RoleBeing | RoleHave | RoleBe)
		case t.isAdverbial(k):
		case k == i+1 && role&(RoleUs|RoleYou|RoleOther) != 0 && t.begins(s, i): // "Have you moved it?"
		default:
			return t.main(s, g, chain, i, k)
		}
	}
	return t.main(s, g, chain, i, k)
}

// isEmphasis: "is **not** locked".
func (t *Text) isEmphasis(i int) bool {
	return t.Tokens[i].Kind == lexicon.Symbol && (t.Word(i) == "*" || t.Word(i) == "_")
}

// isAdverbial reports whether a word may stand between an auxiliary and its verb.
func (t *Text) isAdverbial(i int) bool {
	adverb := t.Roles[i]&(RoleAdverb|RoleNow|RoleEarlier) != 0 || isAdverb(t.Word(i)) ||
		t.Tokens[i].Form() == lexicon.Adverb
	return adverb && t.form(i)&lexicon.Verb == 0
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
	participle := form&lexicon.Participle != 0 && !t.isAdjective(k)
	switch {
	case k+1 < s.To && t.Word(k) == "going" && t.Roles[k+1]&RoleTo != 0:
		g.verb, g.shape, g.mood = min(k+2, s.To-1), Bare, Future
		return g, min(k+3, s.To)
	case chain&(RoleBe|RoleWas|RoleBeen|RoleBeing) != 0:
		return t.afterBe(g, chain, form, participle, k)
	case chain&RoleHave != 0 && participle:
		g.verb, g.shape = k, ActivePerfect
		return g, k + 1
	case chain&RoleHave != 0 && chain&(RoleWill|RoleModal|RoleDo) == 0:
		g.shape = Present
		return g, i + 1
	case form&(lexicon.Base|lexicon.Verb) != 0:
		g.verb, g.shape = k, Bare
		if chain&RoleDo != 0 && g.mood == Stated {
			g.shape = t.afterDo(i)
		}
		return g, k + 1
	}
	g.shape = Bare
	return g, i + 1
}

// afterDo: "did not move" is past, "do see" present.
func (t *Text) afterDo(i int) Shape {
	if t.saysAny(i, "did", "didn't") {
		return ActivePast
	}
	return Present
}

// afterBe decides what a form of "to be" and the word after it make together.
func (t *Text) afterBe(g group, chain Role, form lexicon.Form, participle bool, k int) (group, int) {
	switch {
	case participle:
		g.verb, g.shape = k, PassivePresent
		switch {
		case chain&RoleBeing != 0:
			g.shape = Progressive
		case chain&RoleBeen != 0:
			g.shape = PassivePerfect
		case chain&RoleWas != 0:
			g.shape = PassivePast
		}
		return g, k + 1
	case form&lexicon.Gerund != 0:
		g.verb, g.shape = k, Progressive
		return g, k + 1
	case chain&RoleBeen != 0:
		g.shape = PassivePerfect
	case chain&RoleWas != 0:
		g.shape = CopulaPast
	}
	return g, max(k, g.from+1)
}

// isAdjective: words that are participles by their form only.
func (t *Text) isAdjective(i int) bool {
	return t.Tokens[i].Form()&(lexicon.Adjective|lexicon.Past) == lexicon.Adjective
}

// past reads a past tense or a participle without an auxiliary.
func (t *Text) past(s *Sentence, i int, form lexicon.Form) (group, int) {
	g := group{from: i, verb: i, shape: Fragment}
	before := t.beforeAdverbs(s, i)
	switch {
	case t.stays(s, before), form&lexicon.Base != 0 && t.allDone(s, i): // "stays shared", "all set"
		return g, i
	case before > s.From && t.closesName(before) && t.endsPhrase(s, i) && form&lexicon.Base == 0:
		return g, i + 1 // "Backup of `crm` taken"
	case before < s.From || !t.Tokens[before].IsWord():
		return t.opening(s, g, before, form)
	case t.Roles[before]&(RoleUs|RoleYou|RoleOther) != 0 && form&lexicon.Past != 0:
		g.shape, g.verb = ActivePast, t.proceeds(s, i)
		return g, g.verb + 1
	case t.Roles[before]&RoleAnd != 0:
		return t.joined(g)
	case form&(lexicon.Base|lexicon.Noun|lexicon.Adjective) != 0,
		t.Tokens[before].Class().Has(lexicon.Determiner | lexicon.Preposition | lexicon.Possessive): // "the updated list"
		return g, i
	case form&lexicon.Past != 0 && t.objectFollows(s, i):
		g.shape = ActivePast // "the system sent a mail"
		return g, i + 1
	case t.endsPhrase(s, i) || t.Tokens[i+1].Class().Has(lexicon.Conjunction) || t.Roles[i+1]&(RoleNow|RoleAdverb) != 0:
		return g, i + 1 // "Order cancelled", "Two tasks moved to Friday"
	}
	return g, i
}

// proceeds is the verb of "I went ahead and deleted it": to go and do something is to do it, and no act of its own.
func (t *Text) proceeds(s *Sentence, i int) int {
	if t.Word(i) != "went" {
		return i
	}
	k := i + 1
	for k < s.To && (t.Tokens[k].Class().Has(lexicon.Particle) || t.Roles[k]&RoleAdverb != 0) {
		k++
	}
	if k >= s.To || t.Roles[k]&RoleAnd == 0 {
		return i
	}
	for k++; k+1 < s.To && isAdverb(t.Word(k)); k++ {
	}
	if k < s.To && t.form(k)&lexicon.Past != 0 {
		return k
	}
	return i
}

// allDone: "all set".
func (t *Text) allDone(s *Sentence, i int) bool {
	return t.Roles[i]&RoleDone != 0 && i > s.From && t.Roles[i-1]&RoleAll != 0
}

// beforeAdverbs is the token before a verb and its adverbs.
func (t *Text) beforeAdverbs(s *Sentence, i int) int {
	before := i - 1
	const skipped = RoleAdverb | RoleNow | RoleEarlier | RoleAgain
	for before >= s.From && t.Tokens[before].IsWord() &&
		(t.Roles[before]&skipped != 0 || isAdverb(t.Word(before)) || t.hyphenated(before)) {
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
	follows := t.begins(s, i) || t.afterAnd(before) || t.Tokens[max(before, s.From)].Kind == lexicon.Comma
	if !follows || t.attribute(s, i) {
		return g, i
	}
	if form&lexicon.Base != 0 && form&lexicon.Participle != 0 && t.mayOrder(s, i) {
		g.shape, g.mood = Bare, Ordered // "Set the table": an order as likely as a report
	}
	return g, i + 1
}

// mayOrder reports whether a word goes on as an order does: "set the table".
func (t *Text) mayOrder(s *Sentence, i int) bool {
	return t.takesObject(s, i) && (t.Tokens[i+1].Kind == lexicon.Quote || t.followsOrder() ||
		t.Tokens[i+1].Class().Has(lexicon.Determiner|lexicon.Possessive|lexicon.FirstPerson))
}

// joined reads a verb after "and": "has been moved and renamed".
func (t *Text) joined(g group) (group, int) {
	last := len(t.groups) - 1
	if last < 0 {
		return g, g.verb
	}
	first := &t.groups[last]
	if !first.shape.In(Deeds | Passives | 1<<Fragment) {
		return g, g.verb
	}
	g.shape, g.mood, g.negated = first.shape, first.mood, first.negated
	return g, g.verb + 1
}

// stays: a participle after "stays", "remains" or "leave it" says that nothing was done.
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

// followsOrder reports whether the verb group before is an order: "switch it off, put on your vest".
func (t *Text) followsOrder() bool {
	last := len(t.groups) - 1
	return last >= 0 && t.groups[last].mood == Ordered
}

// attribute: "Deleted tasks cannot be restored", "Run **904** is under way".
func (t *Text) attribute(s *Sentence, i int) bool {
	if t.form(i)&lexicon.Base != 0 {
		k := i + 1
		for k < s.To && (!t.Tokens[k].IsWord() || t.Tokens[k].Kind != lexicon.Word) && t.Tokens[k].Kind != lexicon.Comma {
			k++
		}
		if k > i+1 && k < s.To && t.Roles[k]&auxiliary != 0 {
			return true
		}
	}
	return i+2 < s.To && t.Tokens[i+1].Form().Has(lexicon.Noun|lexicon.Plural) && t.Roles[i+2]&auxiliary != 0
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
	return next.Class().Has(lexicon.Determiner|lexicon.Possessive|lexicon.Pronoun) ||
		next.Kind == lexicon.Number || next.Kind == lexicon.Quote
}

// takesObject: an order goes on with something.
func (t *Text) takesObject(s *Sentence, i int) bool {
	return i+1 < s.To && (t.Tokens[i+1].IsWord() || t.Tokens[i+1].Kind == lexicon.Quote)
}

// begins reports whether only marks, greetings and adverbs stand before a token of its sentence.
func (t *Text) begins(s *Sentence, i int) bool {
	const opens = lexicon.Affirmation | lexicon.Interjection | lexicon.Greeting | lexicon.Sequence | lexicon.Politeness
	for k := s.From; k < i; k++ {
		switch {
		case !t.Tokens[k].IsWord(), t.Tokens[k].Kind == lexicon.Number && k == s.From,
			t.Roles[k]&(RoleAdverb|RoleNow|RoleAgain|RolePlease|RoleAnd|RoleTick) != 0,
			t.Tokens[k].Class().Has(opens), isAdverb(t.Word(k)):
		default:
			return false
		}
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
