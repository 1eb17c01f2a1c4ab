package reading

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// What a sentence asks of the user.

// AsksUser: a question, or a request for something that the user has to give.
func (t *Text) AsksUser(s *Sentence, called bool) bool {
	const condition = RoleCondition | RoleYou | RoleUs // "I will book it once you confirm"
	may := s.Roles&(RoleWill|RoleModal) != 0
	if s.Asking || s.Roles&condition == condition && may {
		return true
	}
	from := t.FirstWord(s)
	if from+1 < s.To && t.Roles[from]&inverts != 0 && t.Says(from+1, "you") { // "Are you leaving on Friday"
		return true
	}
	if last := t.lastWord(s); t.Roles[last]&RolePlease != 0 && last > s.From { // "Your order number, please."
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
			bids && word && t.goesOn(i+1, s.To),
			role&RoleWait != 0 && t.Yours(i, min(i+4, s.To)):
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
	return i < len(t.Tokens) && (t.traitAt(i)&traitRelease != 0 || t.Says(i, "confirm") || t.Says(i, "confirmation") ||
		t.Tokens[i].Class().Has(lexicon.Affirmation))
}

// goesOn reports whether "to" and a verb come after a place: "to go ahead".
func (t *Text) goesOn(from, to int) bool {
	for i := from; i+1 < to; i++ {
		if t.Roles[i]&RoleTo != 0 && t.Tokens[i+1].Form().Has(lexicon.Base) {
			return true
		}
	}
	return false
}

// lastWord is the last token of a sentence that is a word.
func (t *Text) lastWord(s *Sentence) int {
	last := s.To - 1
	for last > s.From && !t.Tokens[last].IsWord() {
		last--
	}
	return last
}

// Closes: "Anything else?", "How can I help?", "Let me know if you need further help". It
// offers, and asks for nothing; "Which order do you need help with?" does.
func (t *Text) Closes(s *Sentence) bool {
	if s.Roles&RoleClosing == 0 || !s.Asking && s.Roles&RoleLet == 0 {
		return false
	}
	more := s.Asking
	for i := s.From; i < s.To; i++ {
		switch {
		case !s.Asking: // "Let me know the number, so that I can help" asks for it
			more = more || t.Says(i, "if") || t.Says(i, "anything")
		case t.Says(i, "which"), t.Says(i, "who"), t.Says(i, "whose"), t.Says(i, "when"), t.Says(i, "where"),
			t.Says(i, "or") && t.Says(i+1, "something") && t.Says(i+2, "else"): // or is that meant
			return false
		}
	}
	return more
}

// inverts are the roles of words that a question may begin with.
const inverts = RoleBe | RoleDo | RoleHave | RoleWill | RoleModal

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

// within reports whether a word of the roles stands at most n tokens after i.
func (t *Text) within(i, to, n int, roles Role) bool {
	after := t.Roles[i+1 : max(i+1, min(to, i+1+n))]
	return slices.ContainsFunc(after, func(r Role) bool { return r&roles != 0 })
}

// Yours reports whether the words after i are about something of the user's.
func (t *Text) Yours(i, to int) bool {
	return slices.ContainsFunc(t.Tokens[i+1:max(i+1, min(to, i+8))], func(token lexicon.Token) bool {
		return token.Class().Has(lexicon.SecondPerson)
	})
}

// AsksWhether: "Shall I go ahead?", "Would you like me to book it?", "Please
// confirm that I should book it."
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
