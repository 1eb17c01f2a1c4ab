package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// signals are what the sentences of a text say beside claims: that something
// is asked for, prevented, or about to be done. They are numbers of sentences;
// -1 is none.
type signals struct {
	asks     int // the last sentence that asks the user
	confirms int // the first that asks whether to go on
	prevents int // the first that says what cannot be done
	promises int // the last that announces work
	failures int // the first that speaks of an error
	awaits   int // the first that leaves the next word to the user without a question
}

// fails are the roles of words that speak of something that did not work.
const fails = reading.RoleError | reading.RoleTrouble | reading.RoleFail

// readSignals reads them off the sentences.
func (c *conversation) readSignals() {
	c.signals = signals{-1, -1, -1, -1, -1, -1}
	for i := range c.text.Sentences {
		s := &c.text.Sentences[i]
		if c.signals.awaits < 0 && c.text.Awaits(s) {
			c.signals.awaits = i
		}
		if s.Quoted {
			continue
		}
		switch {
		case c.text.Closes(s): // it offers more, whatever it tells beside that
		case c.text.BidsWait(s):
			c.signals.promises = i
		case c.text.AsksUser(s, c.calls() > 0):
			c.signals.asks = i
			if c.signals.confirms < 0 && c.text.AsksWhether(s) {
				c.signals.confirms = i
			}
		case c.text.Announces(s):
			c.signals.promises = i
		}
		if c.signals.prevents < 0 && c.text.Prevents(i) {
			c.signals.prevents = i
		}
		if c.signals.failures < 0 && s.Roles&fails != 0 && !s.Asking {
			c.signals.failures = i
		}
	}
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

// imminent reports whether what a text ends in is announced as the very next thing:
// "Let me look", "One moment". In 95 of 100 labelled turns nothing came of it.
func (c *conversation) imminent() bool {
	if !c.pendingPromise() {
		return false
	}
	s := &c.text.Sentences[c.signals.promises]
	return c.signals.asks < 0 && (s.Roles&reading.RoleNow != 0 || c.text.BidsWait(s) || c.text.LetsMe(s))
}

// blocker is what the text says prevents the work.
func (c *conversation) blocker() Blocker {
	f := &c.signals
	switch {
	case f.prevents >= 0:
		kind, next := c.preventedBy(f.prevents), c.sentence(c.nextStep())
		return Blocker{Kind: kind, Cause: c.sentence(f.prevents), Next: next, Rule: "prevented"}
	case f.confirms >= 0:
		return Blocker{Kind: NeedsConfirmation, Cause: c.sentence(f.confirms), Rule: "asks whether"}
	case f.asks >= 0:
		return Blocker{Kind: NeedsInput, Cause: c.sentence(f.asks), Rule: "asks"}
	}
	return Blocker{}
}

// awaited is a confirmation that is waited for without a question.
func (c *conversation) awaited() Blocker {
	for i := range c.text.Sentences {
		if c.text.AwaitsYes(&c.text.Sentences[i]) {
			return Blocker{Kind: NeedsConfirmation, Cause: c.sentence(i), Rule: "awaits"}
		}
	}
	return Blocker{}
}

// nextStep is the sentence that says what the user can do: a question, or an advice after the cause.
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
	if in+1 < len(c.text.Sentences) && c.text.Says(c.text.Sentences[in].To, ";") {
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
