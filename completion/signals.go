package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// signals are what the sentences of a text say beside claims: that something
// is asked for, prevented, or about to be done. They are numbers of sentences;
// -1 is none.
type signals struct {
	asks     int // the last sentence that asks the user
	confirms int // the first that asks whether to go on
	offers   int // the last that offers more
	prevents int // the first that says what cannot be done
	promises int // the last that announces work
	failures int // the first that speaks of an error
}

// fails are the roles of words that speak of something that did not work.
const fails = reading.RoleError | reading.RoleTrouble | reading.RoleFail

// readSignals reads them off the sentences.
func (c *conversation) readSignals() {
	c.signals = signals{-1, -1, -1, -1, -1, -1}
	for i := range c.text.Sentences {
		s := &c.text.Sentences[i]
		if s.Quoted {
			continue
		}
		switch {
		case s.Roles&reading.RoleClosing != 0 && (s.Asking || s.Roles&reading.RoleLet != 0): // "Anything else?"
			c.signals.offers = i
		case s.Roles&reading.RoleHold != 0 && !s.Asking && c.announces(s):
			c.signals.promises = i
		case c.asksUser(s):
			c.signals.asks = i
			if c.signals.confirms < 0 && c.asksWhether(s) {
				c.signals.confirms = i
			}
		case c.announces(s):
			c.signals.promises = i
		}
		if c.signals.prevents < 0 && c.prevents(s) {
			c.signals.prevents = i
		}
		if c.signals.failures < 0 && s.Roles&fails != 0 && !s.Asking {
			c.signals.failures = i
		}
	}
}

// reads reports whether a word of the text is this one, in any letter case.
func (c *conversation) reads(i int, word string) bool {
	return i < len(c.text.Tokens) && strings.EqualFold(c.text.Word(i), word)
}

// asksUser: a question, or a request for something that the user has to give.
func (c *conversation) asksUser(s *reading.Sentence) bool {
	const condition = reading.RoleCondition | reading.RoleYou | reading.RoleUs // "I will book it once you confirm"
	may := s.Roles&(reading.RoleWill|reading.RoleModal) != 0
	if s.Asking || s.Roles&condition == condition && may {
		return true
	}
	for i := s.From; i+1 < s.To; i++ {
		role := c.text.Roles[i]
		switch {
		case role&reading.RolePlease != 0 && c.within(i, s.To, 3, reading.RoleAsk|reading.RoleLet),
			role&reading.RoleLet != 0 && c.reads(i+1, "me") && c.reads(i+2, "know"),
			role&reading.RoleAsk != 0 && i == s.From,
			role&reading.RoleWant != 0 && i > s.From && // "I need your email"
				c.text.Roles[i-1]&(reading.RoleUs|reading.RoleWill) != 0 && c.yours(i, s.To):
			return true
		}
	}
	return false
}

// within reports whether a word of the roles stands at most n tokens after i.
func (c *conversation) within(i, to, n int, roles reading.Role) bool {
	after := c.text.Roles[i+1 : max(i+1, min(to, i+1+n))]
	return slices.ContainsFunc(after, func(r reading.Role) bool { return r&roles != 0 })
}

// yours reports whether the words after i are about something of the user's.
func (c *conversation) yours(i, to int) bool {
	return slices.ContainsFunc(c.text.Tokens[i+1:max(i+1, min(to, i+8))], func(t lexicon.Token) bool {
		return t.Class().Has(lexicon.SecondPerson)
	})
}

// asksWhether: "Shall I go ahead?", "Would you like me to book it?", "Please
// confirm that I should book it."
func (c *conversation) asksWhether(s *reading.Sentence) bool {
	first := firstWord(&c.text, s)
	for i := first; i+1 < s.To; i++ {
		role, next := c.text.Roles[i], c.text.Roles[i+1]
		switch {
		case s.Asking && role&(reading.RoleWill|reading.RoleModal) != 0 && next&reading.RoleUs != 0, // "Shall I"
			s.Asking && role&(reading.RoleModal|reading.RoleDo) != 0 && next&reading.RoleYou != 0 && // "Do you want"
				c.within(i+1, s.To, 2, reading.RoleWant),
			role&reading.RolePlease != 0 && c.reads(i+1, "confirm"),
			i == first && role&reading.RoleBe != 0 && next&reading.RoleOther != 0:
			return true
		}
	}
	return false
}

// prevents: "I cannot …", "it is not possible", "our policy does not allow".
func (c *conversation) prevents(s *reading.Sentence) bool {
	if s.Asking {
		return false
	}
	for i := s.First; i < s.Last; i++ {
		k := &c.text.Clauses[i]
		if k.Mood == reading.Conditional || k.Mood == reading.Future {
			continue
		}
		denied := k.Negated && (k.Mood == reading.Possible || k.Shape != reading.Verbless)
		if denied || k.Roles&(reading.RoleUnable|fails) != 0 {
			return c.concrete(s)
		}
	}
	return false
}

// concrete reports whether a sentence says what it is about: "I can't do that
// right now" does not.
func (c *conversation) concrete(s *reading.Sentence) bool {
	const vague = reading.RoleNow | reading.RoleAdverb | reading.RoleUnable | reading.RoleSorry | reading.RoleTransient
	things := 0
	for i := s.From; i < s.To; i++ {
		t := &c.text.Tokens[i]
		content := t.IsWord() && t.Class()&functionWord == 0 && t.End-t.Start > 2
		if content && c.text.Roles[i]&vague == 0 {
			things++
		}
	}
	return things >= 2
}

// announces: "I will now check", "Let me look", "Please hold on", "Deleting it
// now…". What depends on the user is no announcement.
func (c *conversation) announces(s *reading.Sentence) bool {
	if s.Roles&reading.RoleCondition != 0 && s.Roles&reading.RoleHold == 0 {
		return false
	}
	if s.Roles&reading.RoleHold != 0 && s.Roles&(reading.RoleTransient|reading.RolePlease) != 0 && s.Words <= 9 {
		return true // "One moment, please"
	}
	const talk = reading.RoleTalk | reading.RoleBe | reading.RoleHave | reading.RoleWant | reading.RoleRefrain
	for i := s.First; i < s.Last; i++ {
		k := &c.text.Clauses[i]
		going := k.Mood == reading.Future || k.Shape == reading.Progressive && k.Mood == reading.Stated
		if going && !k.Negated && k.Actor == reading.Us && k.Verb >= 0 && c.text.Roles[k.Verb]&talk == 0 {
			return true
		}
	}
	return c.letsMe(s) || c.isUnderWay(s)
}

// letsMe: "Let me look", but not "Let me explain" or "Let me know".
func (c *conversation) letsMe(s *reading.Sentence) bool {
	for i := s.From; i+2 < s.To; i++ {
		if c.text.Roles[i]&reading.RoleLet != 0 && c.reads(i+1, "me") && !c.reads(i+2, "know") {
			return c.text.Tokens[i+2].Entry == nil || c.text.Roles[i+2]&reading.RoleTalk == 0
		}
	}
	return false
}

// isUnderWay: "Deleting it now…".
func (c *conversation) isUnderWay(s *reading.Sentence) bool {
	first := s.From
	for first < s.To && (!c.text.Tokens[first].IsWord() || c.text.Roles[first]&(reading.RoleNow|reading.RoleAdverb) != 0) {
		first++
	}
	if first >= s.To || s.Last-s.First > 1 || s.Words > 8 || s.Roles&reading.RoleDone != 0 {
		return false
	}
	token := &c.text.Tokens[first]
	act := token.Form().Has(lexicon.Gerund) && !token.Families().Empty()
	return act && c.text.Clauses[s.First].Shape == reading.Verbless
}

// pendingPromise reports whether the text ends by announcing work, with
// nothing asked of the user after it or just before.
func (c *conversation) pendingPromise() bool {
	const (
		tail  = 3 // sentences that may follow: an apology, a thank-you
		apart = 2 // "Could you send me the id? I will check it then."
	)
	p := c.signals.promises
	return p >= 0 && (c.signals.asks < 0 || p-c.signals.asks > apart) && p >= len(c.text.Sentences)-tail
}

// blocker is what the text says prevents the work.
func (c *conversation) blocker() Blocker {
	f := &c.signals
	switch {
	case f.prevents >= 0:
		return Blocker{
			Kind:  c.preventedBy(f.prevents),
			Cause: c.sentence(f.prevents),
			Next:  c.sentence(c.nextStep()),
			Rule:  "prevented",
		}
	case f.confirms >= 0:
		return Blocker{Kind: NeedsConfirmation, Cause: c.sentence(f.confirms), Rule: "asks whether"}
	case f.asks >= 0:
		return Blocker{Kind: NeedsInput, Cause: c.sentence(f.asks), Rule: "asks"}
	}
	return Blocker{}
}

// nextStep is the sentence that says what the user can do: a question, or an
// advice after the cause.
func (c *conversation) nextStep() int {
	if c.signals.asks >= 0 {
		return c.signals.asks
	}
	for i := c.signals.prevents + 1; i < len(c.text.Sentences); i++ {
		s := &c.text.Sentences[i]
		if s.Roles&reading.RolePlease != 0 || c.text.Clauses[s.First].Mood == reading.Ordered {
			return i
		}
	}
	return -1
}

// sentence is the text of a sentence; empty for none.
func (c *conversation) sentence(i int) string {
	if i < 0 {
		return ""
	}
	s := &c.text.Sentences[i]
	return strings.TrimSpace(c.piece(s.Start, int(c.text.Tokens[s.To-1].End)))
}

// preventedBy is the kind of a blocker by its words.
func (c *conversation) preventedBy(in int) BlockerKind {
	roles := c.text.Sentences[in].Roles
	end := c.text.Sentences[in].To
	goesOn := end < len(c.text.Tokens) && c.text.Word(end) == ";"
	if goesOn && in+1 < len(c.text.Sentences) {
		roles |= c.text.Sentences[in+1].Roles & reading.RolePolicy
	}
	switch {
	case roles&(reading.RoleFail|reading.RoleTrouble) != 0,
		roles&reading.RoleError != 0 && roles&reading.RolePermission == 0:
		return ToolError
	case roles&reading.RolePermission != 0:
		return Permission
	case roles&reading.RolePolicy != 0:
		return Policy
	case roles&reading.RoleMissing != 0:
		return NotFound
	case roles&reading.RoleEnvironment != 0:
		return Environment
	}
	return Refusal
}
