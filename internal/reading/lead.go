package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// lead is what the words say that a clause begins with, before its verb or its
// object: "could you please", "I would like to", "how do I".
type lead struct {
	next                                 int // the first word after it
	me, you                              bool
	modal, auxiliary, past, inverted     bool
	can, should, wants, to, negated      bool
	how, why, asks, wonders              bool
	let, helps, minds, able, conditional bool
	has                                  bool // "have the report sent"
}

// lead reads the beginning of a clause from i on.
func (m *Message) lead(i int) (l lead) {
	for l.next = i; l.next < i+maxLead && m.Wordy(l.next); l.next++ {
		if !m.leads(&l, l.next, l.next == i) {
			return l
		}
	}
	return l
}

// leads adds the word at i to a lead; false if it is no longer one.
func (m *Message) leads(l *lead, i int, first bool) bool {
	entry := m.At(i)
	class := entry.Class
	subject := l.me || l.you
	if expressed, n := m.expression(i); first && n > 0 && expressed.Has(lexicon.Condition) {
		class |= lexicon.Condition
	}
	switch {
	case class.Has(lexicon.Condition):
		l.conditional = first
		return l.wonders || l.minds
	case class.Has(lexicon.Question):
		if !first && !l.wonders {
			return false
		}
		l.how, l.why, l.asks = m.is(i, cueHow), m.is(i, cueWhy), true
		l.auxiliary = class.Has(lexicon.Auxiliary)
	case class.Has(lexicon.Negation) && !class.Has(lexicon.Preposition|lexicon.Conjunction):
		l.negated = true
		l.auxiliary, l.modal = l.auxiliary || class.Has(lexicon.Auxiliary), l.modal || class.Has(lexicon.Modal)
	case class.Has(lexicon.Modal) && !entry.Form.Has(lexicon.Noun):
		l.modal, l.can, l.should = true, m.is(i, cueCan), m.is(i, cueShould)
	case m.Subject(i):
		l.me, l.inverted = true, l.modal || l.auxiliary
		if class.Has(lexicon.Auxiliary) { // im, ive
			l.auxiliary, l.inverted = true, false
		}
		return !subject || l.wonders
	case class.Has(lexicon.SecondPerson) && !class.Has(lexicon.Possessive):
		if !subject {
			l.inverted = l.modal || l.auxiliary
		}
		l.you = true
	case class.Has(lexicon.FirstPerson) && !class.Has(lexicon.Possessive):
		return l.let || l.helps
	case class.Has(lexicon.Desire) && !class.Has(lexicon.Preposition), m.wishes(i):
		if l.you && l.inverted && !l.wants { // "do you need", "would you like"
			return false
		}
		l.wants = true
	case m.is(i, cueTo):
		l.to = true
		return l.wants || l.auxiliary || l.modal || l.helps || l.asks || l.able
	case l.let && class.Has(lexicon.Auxiliary|lexicon.Possessive): // let's
	case class.Has(lexicon.Auxiliary):
		if !first && !subject && !l.asks && !l.modal || l.wants || l.to {
			return false
		}
		have := m.is(i, cueHave)
		inverted := m.Subject(i+1) || m.Class(i+1).Has(lexicon.SecondPerson)
		l.auxiliary, l.has = true, l.has || first && have && !inverted
		l.past = l.past || entry.Form.Has(lexicon.Past) || have && (inverted || m.Form(i+1).Has(lexicon.Participle))
	default:
		return m.leadsOn(l, i, entry)
	}
	return true
}

// leadsOn adds a word of a lead that is no function word.
func (m *Message) leadsOn(l *lead, i int, entry *lexicon.Entry) bool {
	switch {
	case m.is(i, cueWonder):
		l.wonders = true
	case m.is(i, cueLet):
		l.let = true
	case m.is(i, cueMind) && l.you:
		l.minds = true
	case m.is(i, cueAble):
		l.able = true
	case m.is(i, cueTries) && (l.me && l.auxiliary || l.wonders): // "I'm trying to"
		l.wants = true
	case m.is(i, cueHelps) && m.helped(i+1):
		l.helps = true
	case l.wants && m.is(i, cueFor) && m.Class(i+1).Has(lexicon.SecondPerson): // "I need for you to"
	case l.helps && (m.is(i, cueHelping) || entry.Class.Has(lexicon.Conjunction)):
	case entry.Class.Has(filler) && !entry.Class.Has(lexicon.Conjunction|lexicon.Ordinal),
		entry.Form.Has(lexicon.Adverb) && !entry.Class.Has(lexicon.Existence):
	default:
		return false
	}
	return true
}

// helped reports whether the act follows a verb that only leads to it: "help me
// find", "go ahead and delete", "try to add".
func (m *Message) helped(i int) bool {
	for j := i; j < i+4 && m.Wordy(j); j++ {
		if m.acting(j) || m.Form(j).Has(lexicon.Gerund) && !m.At(j).Families.Empty() {
			return true
		}
		if !m.Class(j).Has(lexicon.FirstPerson|lexicon.Conjunction|lexicon.Politeness) &&
			!m.Form(j).Has(lexicon.Adverb) && !m.is(j, cueHelping) {
			return false
		}
	}
	return false
}

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
	c.Past, c.Able = l.past, l.able || l.can && l.you && l.inverted
	switch {
	case l.conditional:
		c.Plea, c.Body = Barred, i
	case l.next == i && m.nounFirst(c, i):
	case m.verb(c, &l):
		c.Plea = m.pleaOfVerb(c, &l)
	default:
		c.Plea = l.plea()
	}
	if l.asks || l.inverted || c.Families.Has(lexicon.Read) {
		m.duty(c, i)
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
	v := c.Verb
	switch {
	case m.is(v, cueForget) && l.negated: // asks for the opposite of what it denies
		c.Families = lexicon.FamiliesOf(lexicon.Remember, lexicon.Remind)
		return Commanded
	case l.negated && !(l.inverted && l.you) || m.is(v, cueForget) || m.is(v, cueStops) && m.Form(v+1).Has(lexicon.Gerund):
		return Barred
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
	case l.me && !l.wants && m.Form(v).Has(lexicon.Past) && !m.Form(v).Has(lexicon.Base):
		return m.narrated(c)
	}
	plea := Commanded
	switch {
	case l.wants, l.minds, l.helps, l.let, l.wonders:
	case l.me && l.modal && l.inverted, l.me && (l.should || l.auxiliary && l.to), l.you && l.modal && !l.inverted:
		plea = Suggested
	case l.me, l.you && !l.inverted:
		c.Verb, c.Families = -1, lexicon.Families{}
		return Told
	}
	return m.telling(c, plea, l.let)
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
	i := l.next
	entry := m.At(i)
	switch {
	case !m.Wordy(i):
		return false
	case (l.wants && !l.to || l.should || l.has) && m.participle(c, i):
		return true
	case m.is(i, cuePassive) && !l.asks && (!l.me || l.wants) && m.participle(c, i+1):
		return true
	case entry.Form.Has(lexicon.Gerund) && (m.is(i, cueSeeks) || !entry.Families.Empty() && !entry.Form.Has(lexicon.Noun) &&
		(l.minds || l.helps || l.wants || c.Polite)):
	case (l.wants || l.should) && !l.to && m.toBe(c, i):
		return true
	case l.me && !l.wants && !l.asks && entry.Form.Has(lexicon.Past) && !entry.Form.Has(lexicon.Base):
	case !entry.Form.Has(lexicon.Base) || !l.to && m.nominal(i):
		return false
	case l.wants && !l.to && entry.Form.Has(lexicon.Noun), l.asks && !l.how && !l.me && !l.you:
		return false // "I need help"; "what time is it"
	}
	m.act(c, i)
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

// nominal reports whether the word at i, which may be a verb or a noun, stands as
// a noun: "list of", "order status?", "schedule for Monday".
func (m *Message) nominal(i int) bool {
	entry := m.At(i)
	if !entry.Form.Has(lexicon.Noun) {
		return false
	}
	if i+1 >= len(m.Tokens) {
		return i > 0
	}
	if !m.language.Phrasal(m.Tokens[i].Entry, m.Tokens[i+1].Entry).Empty() {
		return false
	}
	next := m.Class(i + 1)
	return m.is(i+1, cueOf) || next.Has(lexicon.Preposition) && entry.Primary == lexicon.NoFamily ||
		next.Has(lexicon.Auxiliary|lexicon.Modal) && !next.Has(lexicon.Time) ||
		m.is(i+1, cueFor) && entry.Class.Has(lexicon.Container)
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
		if let && (m.Class(j).Has(lexicon.Condition) || m.is(j, cueWhen) && !m.Class(j+1).Has(lexicon.Auxiliary|lexicon.Modal)) {
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

// howTo reads "tell me how to", "show me how I can".
func (m *Message) howTo(plea Plea, i int) Plea {
	if m.is(i, cueHow) && (m.is(i+1, cueTo) || m.Class(i+1).Has(lexicon.Modal|lexicon.FirstPerson|lexicon.SecondPerson)) {
		return Learned
	}
	return plea
}

// nounFirst reads clauses that begin with a noun: "calendar delete lunch", "milk
// should be taken off", "the task is done", "my list please"; false if the clause
// begins with its verb.
func (m *Message) nounFirst(c *Request, i int) bool {
	if m.Form(i).Has(lexicon.Base) && !m.nominal(i) || m.Form(i).Has(lexicon.Gerund) && (c.Polite || m.is(i, cueSeeks)) {
		return false
	}
	c.Plea, c.Body = Named, i
	for j := i; j < len(m.Tokens) && j < i+20; j++ {
		if kind := m.Tokens[j].Kind; kind == lexicon.End || kind == lexicon.Break ||
			kind == lexicon.Comma && m.begins(j+1, c, true) {
			return true
		}
		entry := m.At(j)
		class := entry.Class
		switch {
		case class.Has(lexicon.Question) && (!class.Has(lexicon.Determiner) || m.Class(j+1).Has(lexicon.Auxiliary|lexicon.Modal)):
			c.Plea = Inquired
			m.duty(c, j)
			return true
		case j > i && m.is(j, cueFinish) && entry.Form.Has(lexicon.Participle):
			m.act(c, j)
			c.Plea, c.Body, c.Families = Suggested, i, lexicon.FamiliesOf(lexicon.Complete)
			return true
		case class.Has(lexicon.Auxiliary|lexicon.Modal) && !class.Has(lexicon.Possessive):
			return m.stated(c, i, j)
		case j > i && m.acting(j) && !entry.Form.Has(lexicon.Noun) && m.detached(j-1):
			m.act(c, j)
			c.Plea, c.Body = Suggested, i
			return true
		}
	}
	return true
}

// stated reads what follows a subject from its auxiliary at j on.
func (m *Message) stated(c *Request, i, j int) bool {
	c.Plea = Told
	switch {
	case m.Subject(j + 1): // "which tasks do I have"
		c.Plea, c.Me = Inquired, true
		m.duty(c, j)
	case m.is(j, cueShould) || m.is(j+1, cueNeed): // "milk should be taken off"
		switch {
		case m.participle(c, j+1):
			c.Plea, c.Body = Commanded, i
		case m.Class(j + 1).Has(lexicon.Auxiliary): // "the drain must be unclogged"
			c.Plea = Wished
		}
	case m.is(j+1, cueFinish) && m.Form(j+1).Has(lexicon.Participle):
		m.act(c, j+1)
		c.Plea, c.Body, c.Families = Suggested, i, lexicon.FamiliesOf(lexicon.Complete)
	default:
		for k := j + 1; k < j+4 && m.Wordy(k); k++ {
			if m.Class(k).Has(lexicon.Question) && !m.Wordy(k+1) { // "my next meeting is when"
				c.Plea = Inquired
			}
		}
	}
	return true
}

// detached reports whether a verb after token i can be a command: not after "to",
// a determiner, or a preposition.
func (m *Message) detached(i int) bool {
	const attached = lexicon.Determiner | lexicon.Preposition | lexicon.Possessive | lexicon.Auxiliary |
		lexicon.Modal | lexicon.SecondPerson | lexicon.Negation | lexicon.FirstPerson | lexicon.ThirdPerson
	return !m.Class(i).Has(attached) && (!m.Class(i).Has(lexicon.Pronoun) || m.is(i, cueOne))
}

// duty notes a question about what the user has to do, or has on: "what do I
// need to buy", "what did I want to remember", "what do I have next".
func (m *Message) duty(c *Request, i int) {
	for j := i; j < i+8 && m.Wordy(j); j++ {
		if !m.Subject(j) {
			continue
		}
		c.Me = true
		for k := j + 1; k < j+9 && m.Wordy(k); k++ {
			near, after := k < j+4, m.Class(k+1)
			c.Duty = c.Duty || m.is(k, cueRemember) || near && (m.is(k, cueFree) ||
				m.is(k, cueMust) && (m.is(k+1, cueTo) || m.is(k+2, cueTo)) ||
				m.is(k, cueHas) && (!m.Wordy(k+1) || after.Has(lexicon.Time|lexicon.Ordinal|lexicon.Preposition) ||
					after.Has(lexicon.Determiner) && m.Class(k+2).Has(lexicon.Time)))
		}
		return
	}
}
