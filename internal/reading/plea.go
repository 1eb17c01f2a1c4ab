package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// open reads the beginning of a clause: who is to do what, and how it is asked.
func (m *Message) open(c *Request) {
	i, polite := m.skip(c.From)
	c.Polite = polite
	if !m.Wordy(i) {
		c.Plea, c.Body = Named, i
		return
	}
	l := m.lead(i)
	c.Body, c.You, c.Me = l.next, l.you, l.me
	c.Past, c.Able = l.past, l.able || l.can && l.you && l.inverted || m.Proposed && len(m.Requests) == 1
	switch {
	case l.conditional:
		c.Plea, c.Body = Barred, i
	case l.next == i && m.nounFirst(c, i):
	case m.verb(c, &l):
		c.Plea = m.pleaOfVerb(c, &l)
	default:
		c.Plea = l.plea()
	}
}

// plea is how a clause asks that has no verb of its own.
func (l *lead) plea() Plea {
	switch {
	case l.why:
		return Pondered
	case l.asks, l.wonders:
		return Inquired
	case l.negated && !l.inverted:
		return Barred
	case l.wants:
		return Wished
	case l.inverted, l.auxiliary && !l.me && !l.you, l.modal && !l.me && !l.you:
		return Inquired
	case l.me, l.you, l.let:
		return Told
	}
	return Named
}

// pleaOfVerb is how a clause with a verb asks.
func (m *Message) pleaOfVerb(c *Request, l *lead) Plea {
	switch v := c.Verb; {
	case m.is(v, cueForget) && l.negated:
		return m.notForgotten(c)
	case m.bars(l, v):
		return Barred
	case l.urges():
		return Suggested
	case l.why, m.is(v, cueExplains), l.should && l.me && l.inverted:
		return Pondered
	case l.how:
		return Learned
	case l.asks && !l.wonders, l.auxiliary && l.inverted && !l.modal && !l.able:
		c.Verb, c.Families = -1, lexicon.Families{} // what is asked about need not be done
		return Inquired
	case m.Form(v).Has(lexicon.Gerund): // only some of them are read as verbs
		if m.is(v, cueSeeks) {
			c.Families = c.Families.With(lexicon.Search)
		}
		return Commanded
	case !l.wants && m.did(l, v):
		return m.narrated(c)
	}
	return m.pleaOfAct(c, l)
}

// urges is "why don't you"; "why didn't you" asks for a reason.
func (l *lead) urges() bool { return l.why && l.negated && l.you && l.inverted && !l.past }

// notForgotten reads "don't forget", which asks for the opposite of what it denies: for
// the act that is not to be forgotten, or for something that keeps it in mind. A word
// that is not listed names no act: "don't forget to deburr it".
func (m *Message) notForgotten(c *Request) Plea {
	kept := lexicon.FamiliesOf(lexicon.Remember, lexicon.Remind)
	if c.Families = kept; m.is(c.Verb+1, cueTo) && m.Form(c.Verb+2).Has(lexicon.Base) {
		m.act(c, c.Verb+2)
		c.Families = c.Families.Union(kept)
	}
	return Commanded
}

// bars reports whether a clause says not to do what its verb says: "don't
// delete", "forget it", "stop sending"; "couldn't you delete it" asks for it.
func (m *Message) bars(l *lead, v int) bool {
	return l.negated && !(l.inverted && l.you) || m.is(v, cueForget) ||
		m.is(v, cueStops) && m.Form(v+1).Has(lexicon.Gerund)
}

// did reports whether the verb at i says what the user did: "I deleted".
func (m *Message) did(l *lead, i int) bool {
	return l.me && m.Form(i).Has(lexicon.Past) && !m.Form(i).Has(lexicon.Base)
}

// pleaOfAct is how a clause asks whose verb is an act to come: "I want you to
// delete", "can I see", "I delete".
func (m *Message) pleaOfAct(c *Request, l *lead) Plea {
	plea := Commanded
	switch {
	case l.wants, l.minds, l.helps, l.let, l.wonders:
	case l.suggests():
		plea = Suggested
	case l.me, l.you && !l.inverted:
		c.Verb, c.Families = -1, lexicon.Families{}
		return Told
	}
	return m.telling(c, plea, l.let)
}

// suggests reports whether an act is asked for less plainly: "can I see", "I
// should call", "I have to call", "you may delete".
func (l *lead) suggests() bool {
	return l.me && l.modal && l.inverted || l.me && (l.should || l.auxiliary && l.to) ||
		l.you && l.modal && !l.inverted
}

// narrated reads what the user did: "I deleted some tasks yesterday". What the
// user finished may be for the assistant to tick off.
func (m *Message) narrated(c *Request) Plea {
	families := c.Families
	if m.is(c.Verb, cueFinish) {
		c.Families = lexicon.FamiliesOf(lexicon.Complete)
		return Suggested
	}
	c.Verb, c.Families = -1, lexicon.Families{}
	if c.Past = true; families.Empty() {
		return Told
	}
	return Barred
}

// verb finds the verb of a clause after its lead.
func (m *Message) verb(c *Request, l *lead) bool {
	switch i := l.next; {
	case !m.Wordy(i):
		return false
	case m.haveDone(c, l):
		return true
	case m.doing(c, l):
		m.act(c, i)
		return true
	case (l.wants || l.should) && !l.to && m.toBe(c, i):
		return true
	case !l.wants && !l.asks && m.did(l, i), m.plainAct(l):
		m.act(c, i)
		return true
	}
	return false
}

// haveDone looks for what is to be done to a thing that is named before: "I want
// it deleted", "have the report sent", "get the task deleted".
func (m *Message) haveDone(c *Request, l *lead) bool {
	i := l.next
	return (l.wants && !l.to || l.should || l.has) && m.participle(c, i) ||
		m.is(i, cuePassive) && !l.asks && (!l.me || l.wants) && m.participle(c, i+1)
}

// doing reports whether the word after a lead is a gerund that says the act:
// "looking for", "would you mind deleting".
func (m *Message) doing(c *Request, l *lead) bool {
	entry := m.At(l.next)
	if !entry.Form.Has(lexicon.Gerund) {
		return false
	}
	return m.is(l.next, cueSeeks) || !entry.Families.Empty() && !entry.Form.Has(lexicon.Noun) &&
		(l.minds || l.helps || l.wants || c.Polite)
}

// plainAct reports whether the word after a lead is a verb, where it may be a
// noun as well: not in "I need help", "what time is it".
func (m *Message) plainAct(l *lead) bool {
	form := m.Form(l.next)
	switch {
	case !form.Has(lexicon.Base):
		return false
	case l.wants && !l.to && form.Has(lexicon.Noun), l.asks && !l.how && !l.me && !l.you:
		return false
	}
	return true
}

// toBe looks for what is to be done to a thing: "I want all events of March to be
// cleared".
func (m *Message) toBe(c *Request, i int) bool {
	for j := i; j < i+24 && m.Wordy(j); j++ {
		if m.is(j, cueTo) && m.Class(j+1).Has(lexicon.Auxiliary) && m.Form(j+2).Has(lexicon.Participle) &&
			!m.At(j+2).Families.Empty() {
			m.act(c, j+2)
			c.Body = i
			return true
		}
	}
	return false
}

func (m *Message) act(c *Request, i int) {
	c.Verb, c.Body, c.Families = i, i+1, m.At(i).Families
}

// participle looks for "… added", "to be added" within the clause.
func (m *Message) participle(c *Request, i int) bool {
	for j := i; j < i+14 && m.Wordy(j); j++ {
		if m.Class(j).Has(lexicon.Conjunction) && j > i+4 {
			return false
		}
		form := m.Form(j)
		if !form.Has(lexicon.Participle) || form.Has(lexicon.Adjective|lexicon.Noun) ||
			m.Class(j).Has(lexicon.Boilerplate) || m.Class(j-1).Has(lexicon.FirstPerson) ||
			m.Class(j-1).Has(lexicon.Determiner|lexicon.Possessive) && !m.Class(j-1).Has(lexicon.Pronoun) {
			continue
		}
		phrasal := j+1 < len(m.Tokens) && !m.language.Phrasal(m.Tokens[j].Entry, m.Tokens[j+1].Entry).Empty()
		if phrasal || !m.At(j).Families.Empty() {
			m.act(c, j)
			c.Body = i
			return true
		}
	}
	return false
}

// telling reads verbs that ask to be told: "tell me what", "let me know", "remind
// me when". The request is then a question.
func (m *Message) telling(c *Request, plea Plea, let bool) Plea {
	v := c.Verb
	j := v + 1
	if m.Class(j).Has(lexicon.FirstPerson) && !m.Class(j).Has(lexicon.Possessive) {
		j++
	}
	switch {
	case m.is(v, cueKnows):
		c.Families = lexicon.FamiliesOf(lexicon.Read)
		if let && m.sometime(j) {
			return Barred // "let me know once it's done"
		}
		return m.howTo(Inquired, j)
	case m.is(v, cueMakes) && m.is(v+1, cueSure), m.is(v, cueEnsures):
		c.Families, c.Ensures = lexicon.FamiliesOf(lexicon.Verify, lexicon.Create), true
	case m.is(v, cueRemind) && (m.Class(j).Has(lexicon.Question) ||
		m.is(j, cueOf) && (m.is(j+1, cueThe) || m.Class(j+1).Has(lexicon.Possessive))):
		c.Body, c.Families = j, lexicon.FamiliesOf(lexicon.Read)
		return m.howTo(Inquired, j)
	case m.is(v, cueTells) && j == v+1 && !m.Class(j).Has(lexicon.Question): // somebody else
		c.Families = lexicon.FamiliesOf(lexicon.Send)
	case m.is(v, cueTells), m.is(v, cueGives):
		c.Body, c.Families = j, c.Families.With(lexicon.Read)
		return m.howTo(plea, j)
	}
	return plea
}

// sometime reports whether words from i on say when something will be so, instead
// of asking when: "if it rains", "when it is done", and not "when is it done".
func (m *Message) sometime(i int) bool {
	return m.Class(i).Has(lexicon.Condition) ||
		m.is(i, cueWhen) && !m.Class(i+1).Has(lexicon.Auxiliary|lexicon.Modal)
}

// howTo reads "tell me how to", "show me how I can".
func (m *Message) howTo(plea Plea, i int) Plea {
	if m.is(i, cueHow) && (m.is(i+1, cueTo) || m.Class(i+1).Has(lexicon.Modal|lexicon.FirstPerson|lexicon.SecondPerson)) {
		return Learned
	}
	return plea
}
