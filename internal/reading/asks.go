package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

var (
	// LookFamilies are the acts that change nothing.
	LookFamilies = lexicon.FamiliesOf(
		lexicon.Read, lexicon.Search, lexicon.Verify, lexicon.Analyze, lexicon.Compare, lexicon.Review, lexicon.Count,
		lexicon.Calculate, lexicon.Track, lexicon.Predict, lexicon.Explain, lexicon.Recommend, lexicon.Answer,
		lexicon.Summarize,
	)
	// HandingIn are acts that are over for us once something is handed in, whoever has to
	// agree to it: "the laptop is ordered", "the report has been filed".
	HandingIn = lexicon.FamiliesOf(
		lexicon.Order, lexicon.Send, lexicon.Start, lexicon.Apply, lexicon.Escalate, lexicon.Report, lexicon.Record,
		lexicon.Share, lexicon.Invite,
	)
	// Outward are acts that no text can be: they reach somebody else, or move what is worth
	// something. What was read can be sorted, added up and moved to the top in the text itself.
	Outward = lexicon.FamiliesOf(
		lexicon.Cancel, lexicon.Refund, lexicon.Pay, lexicon.Transfer, lexicon.Book, lexicon.Send, lexicon.Contact,
		lexicon.Approve, lexicon.Escalate, lexicon.Deposit, lexicon.Exchange, lexicon.Close, lexicon.Register,
		lexicon.Invite, lexicon.Schedule, lexicon.Enable, lexicon.Disable, lexicon.Lock, lexicon.Unlock,
	)
	finding = lexicon.FamiliesOf(lexicon.Read, lexicon.Search, lexicon.Verify)
)

// AwaitsRelease reports whether the answer to a call that is not over says that somebody has to do something first:
// an approval, a second signature. A queue or a run goes on by itself.
func (r *Reader) AwaitsRelease(answer string) bool {
	return r.anyTrait(traitRelease|traitNeed|traitMust, answer)
}

// FirstWord is the first token of a sentence that is a word, its end if none is; lastWord the last one.
func (t *Text) FirstWord(s *Sentence) int {
	first := s.From
	for first < s.To && !t.Tokens[first].IsWord() {
		first++
	}
	return first
}

func (t *Text) lastWord(s *Sentence) int {
	last := s.To - 1
	for last > s.From && !t.Tokens[last].IsWord() {
		last--
	}
	return last
}

// Says reports whether a token is this word, in any letter case.
func (t *Text) Says(i int, word string) bool {
	if i < 0 || i >= len(t.Tokens) {
		return false
	}
	said := t.Word(i)
	if t.Tokens[i].Has(lexicon.Plain) && (len(said) != len(word) || (said[0]^word[0])&^0x20 != 0) {
		return false // most words are another one by their first letter
	}
	return strings.EqualFold(said, word)
}

// within reports whether a word of the roles stands at most n tokens after i.
func (t *Text) within(i, to, n int, roles Role) bool {
	return sumOf(t.Roles[i+1:max(i+1, min(to, i+1+n))])&roles != 0
}

// Yours reports whether the words after i are about something of the user's.
func (t *Text) Yours(i, to int) bool {
	return slices.ContainsFunc(t.Tokens[i+1:max(i+1, min(to, i+8))], func(token lexicon.Token) bool {
		return token.Class().Has(lexicon.SecondPerson)
	})
}

// Announces: "I will now check", "Let me look", "Please hold on", "Deleting it now…".
func (t *Text) Announces(s *Sentence) bool {
	const talk = RoleTalk | RoleBe | RoleHave | RoleWant | RoleRefrain | RoleHold // "I'll leave it", "I'll wait"
	for i := s.First; i < s.Last; i++ {
		c := &t.Clauses[i]
		going := c.Mood == Future || c.Shape == Progressive && c.Mood == Stated
		ours := c.Actor == Us || c.Actor == Unnamed && c.Group == t.FirstWord(s) // "Will do it"
		if going && !c.Negated && ours && c.Verb >= 0 && t.Roles[c.Verb]&talk == 0 && !t.fares(c) {
			return true
		}
	}
	return t.BidsWait(s) || t.LetsMe(s) || t.isUnderWay(s)
}

// fares: "I'm doing great", "I'm working hard as always": it tells how it goes, and of
// nothing that is worked on. "I'm working on it" and "I'm doing it" do.
func (t *Text) fares(c *Clause) bool {
	aspires := t.Says(c.Verb+1, "forward")
	general := t.Tokens[c.Verb].Families().Empty() || t.Roles[c.Verb]&RoleDo != 0 || t.Says(c.Verb, "working")
	if c.Shape != Progressive || !aspires && !general {
		return false
	}
	const thing = lexicon.Determiner | lexicon.Pronoun | lexicon.Preposition
	for i := c.Verb + 1; i < c.To && !aspires && t.Tokens[i].Kind != lexicon.Comma; i++ {
		token := &t.Tokens[i]
		names := token.Class().Has(thing) || t.Roles[i]&(RoleNow|RoleOther) != 0
		if token.IsWord() && names && !t.saysAny(i, "as", "at") || token.Kind == lexicon.Number {
			return false
		}
	}
	return true
}

// BidsWait: "One moment, please", "Give me a second, I'll look", "Please wait": not
// "none at the moment" or "a second one".
func (t *Text) BidsWait(s *Sentence) bool {
	const goesOn = RoleTo | RolePlease | RoleAnd
	from := t.FirstWord(s)
	for i := s.From; i < s.To && s.Roles&RoleHold != 0 && !s.Asking; i++ {
		if t.Roles[i]&RoleHold == 0 {
			continue
		}
		ends := i+1 >= s.To || !t.Tokens[i+1].IsWord() || t.Roles[i+1]&goesOn != 0
		leads := i > from && i-from <= 4 || i-2 > s.From && t.Tokens[i-2].Kind == lexicon.Comma
		at := i-s.From >= 2 && t.Tokens[i-2].Class().Has(lexicon.Preposition)    // "for a second"
		verb := i >= from && i-from <= 1 && t.Tokens[i].Form().Has(lexicon.Base) // "Hold on", "Please wait"
		if t.saysAny(i-1, "a", "one") && ends && leads && !at || verb && (t.Says(i+1, "on") || s.Roles&RolePlease != 0) {
			return true
		}
	}
	return false
}

// LetsMe: "Let me look", but not "Let me explain", "Let me know" or "it won't let me in".
func (t *Text) LetsMe(s *Sentence) bool {
	for i := s.From; i+2 < s.To; i++ {
		if t.Roles[i]&RoleLet != 0 && t.Says(i+1, "me") && !t.Says(i+2, "know") {
			denied := i > s.From && t.Roles[i-1]&RoleNegative != 0
			return !denied && (t.Roles[i+2]&RoleTalk == 0 || t.Tokens[i+2].Families().Overlaps(finding))
		}
	}
	return false
}

// isUnderWay: "Deleting it now…".
func (t *Text) isUnderWay(s *Sentence) bool {
	first := s.From
	for first < s.To && (!t.Tokens[first].IsWord() || t.Roles[first]&(RoleNow|RoleAdverb) != 0) {
		first++
	}
	if first >= s.To || s.Last-s.First > 1 || s.Words > 8 || s.Roles&RoleDone != 0 {
		return false
	}
	act := t.Tokens[first].Form().Has(lexicon.Gerund) && !t.Tokens[first].Families().Empty()
	return act && t.Clauses[s.First].Shape == Verbless
}

// AsksUser: a question, or a request for something that the user has to give.
func (t *Text) AsksUser(s *Sentence, called bool) bool {
	const condition = RoleCondition | RoleYou | RoleUs // "I will book it once you confirm"
	// What a question may begin with: "Are you leaving on Friday"
	const inverts = RoleBe | RoleDo | RoleHave | RoleWill | RoleModal
	from, last := t.FirstWord(s), t.lastWord(s)
	switch {
	case s.Asking, s.Roles&condition == condition && s.Roles&(RoleWill|RoleModal) != 0,
		from+1 < s.To && t.Roles[from]&inverts != 0 && t.Says(from+1, "you"),
		t.Roles[last]&RolePlease != 0 && last > s.From: // "Your order number, please."
		return true
	}
	const asks = RolePlease | RoleLet | RoleAsk | RoleWant
	for i := s.From; i+1 < s.To && s.Roles&asks != 0; i++ {
		role := t.Roles[i]
		switch {
		case role&RolePlease != 0 && t.within(i, s.To, 3, RoleAsk|RoleLet),
			role&RoleLet != 0 && t.Says(i+1, "me") && t.Says(i+2, "know"),
			role&RoleAsk != 0 && (i == s.From || i == s.From+1 && t.Roles[s.From]&RoleTo != 0),
			role&RoleWant != 0 && i > s.From && t.wants(s, i, called):
			return true
		}
	}
	return false
}

// wants: "I need your email", "I'll need the order's number". What the user wants, said
// again, waits for a yes: "I understand you want it sent to Bob".
func (t *Text) wants(s *Sentence, i int, called bool) bool {
	before, next := t.Roles[i-1], &t.Tokens[i+1]
	switch {
	case before&(RoleUs|RoleWill) != 0:
		return t.Yours(i, s.To) || t.Says(i, "need") && next.Class().Has(lexicon.Determiner)
	case t.Says(i-1, "you") || before&RoleModal != 0 && t.Says(i-2, "you"):
		return !called && s.Roles&(RoleCondition|RoleClosing) == 0
	}
	return false
}

// AsksWhether: "Shall I go ahead?", "Would you like me to book it?", "Please confirm that I should book it."
func (t *Text) AsksWhether(s *Sentence) bool {
	const opens = RoleWill | RoleModal | RoleDo | RolePlease
	first := t.FirstWord(s)
	for i := first; i+1 < s.To; i++ {
		role, next := t.Roles[i], t.Roles[i+1]
		switch {
		case i > first && role&opens == 0: // as most words are
		case s.Asking && role&(RoleWill|RoleModal) != 0 && next&RoleUs != 0, // "Shall I"
			s.Asking && role&(RoleModal|RoleDo) != 0 && next&RoleYou != 0 && // "Do you want"
				t.within(i+1, s.To, 2, RoleWant),
			role&RolePlease != 0 && t.Says(i+1, "confirm"),
			i == first && role&RoleBe != 0 && next&RoleOther != 0:
			return true
		}
	}
	return false
}

// Awaits: "Just say yes and I'll do it", "Type confirm to go ahead", "Awaiting your
// confirmation". It puts no question, and leaves the next word to the user.
func (t *Text) Awaits(s *Sentence) bool {
	if s.Quoted || s.Roles&RoleHold != 0 || t.Closes(s) { // "Give me a moment to look"
		return false
	}
	from := t.FirstWord(s)
	for from+1 < s.To && t.Roles[from]&(RoleAdverb|RolePlease) != 0 && !t.Tokens[from].Form().Has(lexicon.Base) {
		from++
	}
	if from >= s.To || t.dependsOnWord(from, s.To) {
		return from < s.To
	}
	bids := t.Tokens[from].Form().Has(lexicon.Base) && t.Roles[from]&(RoleUs|RoleYou|RoleDo|RoleBe|RoleLet) == 0
	const says = RoleAsk | RoleReport
	for i := from; i+1 < s.To; i++ {
		role := t.Roles[i]
		word := i <= from+2 && (role&says != 0 || t.Tokens[i].Class().Has(lexicon.Affirmation))
		switch {
		case bids && role&RoleAnd != 0 && t.within(i, s.To, 2, RoleUs) && s.Roles&RoleWill != 0,
			bids && word && goesOn(t, i+1, s.To),
			role&RoleWait != 0 && t.Yours(i, min(i+4, s.To)):
			return true
		}
	}
	return false
}

// goesOn reports whether "to" and a verb come after a place: "to go ahead".
func goesOn(t *Text, from, to int) bool {
	for i := from; i+1 < to; i++ {
		if t.Roles[i]&RoleTo != 0 && t.Tokens[i+1].Form().Has(lexicon.Base) {
			return true
		}
	}
	return false
}

// AwaitsYes: what a sentence leaves to the user is a yes. "Your table is waiting for you" and
// "Ask Tom to look" leave something else.
func (t *Text) AwaitsYes(s *Sentence) bool {
	ours := s.Roles&(RoleUs|RoleWill) == RoleUs|RoleWill // "say the word and I'll send it"
	for i := s.From; i < s.To && !ours; i++ {
		ours = t.releases(i)
	}
	return t.Awaits(s) && (ours || t.dependsOnWord(s.From, s.To))
}

// releases reports whether a word is what somebody gives so that a thing is done.
func (t *Text) releases(i int) bool {
	return i < len(t.Tokens) && (t.traitAt(i)&traitRelease != 0 || t.saysAny(i, "confirm", "confirmation") ||
		t.Tokens[i].Class().Has(lexicon.Affirmation))
}

// dependsOnWord: "One word from you and it is sent": what a word, a nod or a click is offered for is not done yet.
func (t *Text) dependsOnWord(from, limit int) bool {
	const long = 6
	limit = min(limit, from+2*long)
	for from < limit && (!t.Tokens[from].IsWord() || t.saysAny(from, "just", "only")) {
		from++
	}
	for i := from + 2; i+1 < min(limit, from+long) && t.saysAny(from, "a", "an", "one"); i++ {
		sign := t.releases(i-2) || t.saysAny(i-2, "word", "nod", "click", "signal")
		if sign && t.Says(i-1, "from") && t.Says(i, "you") {
			return t.Roles[i+1]&RoleAnd != 0 || !t.Tokens[i+1].IsWord() && i+2 < limit && t.Roles[i+2]&RoleAnd != 0
		}
	}
	return false
}

// Closes: "Anything else?", "How can I help?", "Let me know if you need further help". It
// offers, and asks for nothing; "Which order do you need help with?" does.
func (t *Text) Closes(s *Sentence) bool {
	switch {
	case s.Roles&RoleClosing == 0:
		return false
	case !s.Asking: // "Let me know the number, so that I can help" asks for it
		return s.Roles&RoleLet != 0 && t.has(s.From, s.To, "if", "anything")
	}
	for i := s.From; i < s.To; i++ {
		if t.Says(i, "or") && t.Says(i+1, "something") && t.Says(i+2, "else") { // or is that meant
			return false
		}
	}
	return !t.has(s.From, s.To, "which", "who", "whose", "when", "where")
}

// Asserts reports whether a clause states how things are, or says that something could not be done.
func (t *Text) Asserts(c *Clause, s *Sentence) bool {
	wordless := c.Verb < 0 && !slices.ContainsFunc(t.Tokens[c.From:c.To], func(token lexicon.Token) bool {
		return token.Kind <= lexicon.Name // "👍" is a nod
	})
	if s.Quoted || wordless {
		return false
	}
	switch c.Mood {
	case Stated, Presupposed:
		return (c.Shape != Bare || c.Negated) && !t.hangs(c, s)
	case Possible:
		return c.Negated
	case Future:
		return c.Roles&RoleLonger != 0
	}
	return false
}

// hangs reports whether a clause is a part of another one and states nothing by itself: "I can help | you change
// it", "to get | started", "the orders | linked to your account", "the address | you gave".
func (t *Text) hangs(c *Clause, s *Sentence) bool {
	switch {
	case c.Verb < 0:
		return false
	case c.Actor == You && t.Roles[c.Verb]&(RoleReport|RoleWant) != 0:
		return true
	case c.From == s.From:
		return false
	}
	before := t.Roles[c.From-1]
	switch {
	case s.Asking && before&(RoleModal|RoleWill) != 0: // "Should | I set it?"
		return true
	case c.Shape == Present:
		return before&(RoleClosing|RoleLet) != 0
	case c.Shape != Fragment && c.Shape != ActivePast:
		return false
	}
	const apart = 5 // words between "get" and what is got done
	for i := c.Verb - 1; i >= max(s.From, c.Verb-apart); i-- {
		if t.Roles[i]&RoleGet != 0 && t.Tokens[i].Form().Has(lexicon.Base) {
			return true
		}
	}
	begins := c.Shape == Fragment && c.Verb == c.From
	return begins && t.Tokens[c.From-1].Form().Has(lexicon.Noun|lexicon.Plural)
}
