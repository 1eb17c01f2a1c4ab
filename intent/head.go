package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// head reads the beginning of a clause: who is to do what, and in which mood.
func (r *reader) head(c *clause) {
	i := r.skip(c.from)
	c.polite = i > c.from && r.politeBetween(c.from, i)
	c.body = i
	class := r.class(i)
	if n := r.condition(i); n > 0 {
		c.mood = barred
		return
	}
	switch {
	case !r.wordy(i):
		c.mood = fragment
	case r.is(i, cueFor) && r.thanks(c.from, i), r.described(i):
		c.mood = barred
	case r.is(i, cueLet):
		r.let(c, i)
	case class.Has(lexicon.Question):
		r.questionWord(c, i)
	case class.Has(lexicon.Modal) && r.desiring(i+1): // "… and would like to"
		c.me = true
		r.desire(c, i+1)
	case class.Has(lexicon.Modal) && !r.form(i).Has(lexicon.Noun):
		r.modal(c, i)
	case class.Has(lexicon.Auxiliary) && !(r.is(i, cueHave) && r.have(c, i)):
		r.auxiliary(c, i)
	case class.Has(lexicon.FirstPerson) && r.subject(i):
		c.me = true
		r.first(c, i)
	case class.Has(lexicon.SecondPerson):
		r.second(c, i)
	case class.Has(lexicon.Negation):
		c.mood = barred
	case class.Has(lexicon.Desire):
		r.desire(c, i)
	case r.verbal(i) && r.command(c, i):
	case r.form(i).Has(lexicon.Gerund) && !r.form(i).Has(lexicon.Noun):
		r.seeking(c, i)
	default:
		r.nounFirst(c, i)
	}
}

func (r *reader) politeBetween(from, to int) bool {
	for i := from; i < to; i++ {
		if r.class(i).Has(lexicon.Politeness) {
			return true
		}
	}
	return false
}

// thanks reports whether the words between thank the assistant for something.
func (r *reader) thanks(from, to int) bool {
	for i := from; i < to; i++ {
		if r.is(i, cueThank) {
			return true
		}
	}
	return false
}

// described reports whether the clause at i only says what something is: "that
// is the right order", "it's perfect".
func (r *reader) described(i int) bool {
	return r.class(i).Has(lexicon.Pronoun) && r.is(i, cueItThatEtc) && r.is(i+1, cueBe) && !r.class(i+2).Has(lexicon.Question) && !r.completionAhead(i+2)
}

// condition is the number of tokens of a condition at i.
func (r *reader) condition(i int) int {
	if class, n := r.expression(i); n > 0 && class.Has(lexicon.Condition) {
		return n
	}
	if r.class(i).Has(lexicon.Condition) {
		return 1
	}
	return 0
}

func (r *reader) expression(i int) (lexicon.Class, int) {
	if !r.wordy(i) || !r.tokens[i].BeginsExpression() {
		return 0, 0
	}
	return r.language.Expression(r.tokens[i:])
}

// act sets the main verb.
func (r *reader) act(c *clause, i int, m mood) {
	c.verb, c.body, c.mood = i, i+1, m
	c.families = r.tokens[i].Families()
}

// let reads "let's", "let me know", "let me see".
func (r *reader) let(c *clause, i int) {
	i++
	if r.class(i).Has(lexicon.FirstPerson|lexicon.Auxiliary|lexicon.Possessive) || r.is(i, cueUs) {
		i++
	}
	if r.is(i, cueKnowSeeEtc) {
		r.act(c, i, asking)
		c.families = lexicon.FamiliesOf(lexicon.Read)
		r.howTo(c, i+1)
		if r.class(i+1).Has(lexicon.Condition) || r.is(i+1, cueWhen) && !r.class(i+2).Has(lexicon.Auxiliary|lexicon.Modal) || r.lacks(i+1) {
			c.mood = barred // "let me know once it's done", "what you need from me"
		}
		return
	}
	if r.verbal(i) {
		r.command(c, i)
		return
	}
	for j := i; j < i+8 && r.wordy(j); j++ {
		if r.is(j, cueKnowSeeEtc) && j > i { // "let the ward know"
			r.act(c, j, command)
			c.families, c.body = lexicon.FamiliesOf(lexicon.Send), i
			return
		}
	}
	c.mood = statement
}

// lacks reports whether a clause asks what the assistant needs.
func (r *reader) lacks(i int) bool {
	for j := i; j < i+6 && r.wordy(j); j++ {
		if r.is(j, cueYou) && (r.is(j+1, cueNeed) || r.class(j+1).Has(lexicon.Desire) && !r.class(j+1).Has(lexicon.Preposition)) {
			return true
		}
	}
	return false
}

// questionWord reads what, when, how …
func (r *reader) questionWord(c *clause, i int) {
	c.mood, c.body = asking, i+1
	switch {
	case r.is(i, cueWhy):
		c.mood = pondering
	case r.is(i, cueHow):
		r.howTo(c, i)
	}
	// The subject stands behind the auxiliary: "what can you do".
	for j := i + 1; j < i+6 && r.wordy(j); j++ {
		class := r.class(j)
		if !class.Has(lexicon.Modal | lexicon.Auxiliary) {
			continue
		}
		c.past = r.form(j).Has(lexicon.Past)
		c.you = r.class(j+1).Has(lexicon.SecondPerson) && !r.class(j+1).Has(lexicon.Possessive)
		c.me = r.class(j+1).Has(lexicon.FirstPerson) && r.subject(j+1)
		if c.you && class.Has(lexicon.Modal) && r.acting(j+2) && r.tokens[j+2].Families().Overlaps(infoFamilies) {
			c.families = r.tokens[j+2].Families() // "which trains can you find"
		}
		break
	}
	for j := i + 1; j < i+9 && r.wordy(j); j++ {
		if r.is(j, cueYou) && r.class(j+1).Has(lexicon.Modal|lexicon.Auxiliary) {
			c.you = true
		}
	}
	r.duty(c, i+1)
}

// duty notes a question about what the user has to do, or has on: "what do I
// need to buy", "what did I want to remember", "what do I have next".
func (r *reader) duty(c *clause, i int) {
	for j := i; j < i+8 && r.wordy(j); j++ {
		if !r.class(j).Has(lexicon.FirstPerson) || !r.subject(j) {
			continue
		}
		c.me = true
		for k := j + 1; k < j+9 && r.wordy(k); k++ {
			c.duty = c.duty || r.is(k, cueRememberRemindEtc)
		}
		for k := j + 1; k < j+4 && r.wordy(k); k++ {
			if r.is(k, cueNeedHaveEtc) && (r.is(k+1, cueTo) || r.is(k+2, cueTo) && r.is(k+1, cueHave)) && r.verbal(k+2) || r.is(k, cueFreeBusyEtc) {
				c.duty = true
			}
			if r.is(k, cueHaveDoEtc) && (!r.wordy(k+1) || r.class(k+1).Has(lexicon.Time|lexicon.Ordinal) || r.is(k+1, cueOnAtEtc)) {
				c.duty = true
			}
		}
		return
	}
}

// howTo bars a clause that asks how something is done: "how do I", "how to",
// "how can I", "how would one".
func (r *reader) howTo(c *clause, i int) {
	for j := i; j < i+3; j++ {
		if !r.is(j, cueHow) {
			continue
		}
		if r.is(j+1, cueTo) || r.class(j+1).Has(lexicon.Modal|lexicon.Auxiliary) && !r.is(j+1, cueBe) && r.class(j+2).Has(lexicon.FirstPerson|lexicon.SecondPerson|lexicon.Pronoun) {
			c.mood = learning
			r.learned(c, j+1)
			if r.is(j+1, cueDo) && r.is(j+3, cueLook) || r.is(j+2, cueItThatEtc) {
				c.mood = asking
			}
		}
		return
	}
}

// learned notes the verb of what the user wants to learn: "how to assess", "how
// can I convert".
func (r *reader) learned(c *clause, i int) {
	for j := i; j < i+4 && r.wordy(j); j++ {
		if r.acting(j) && !r.class(j).Has(lexicon.Auxiliary|lexicon.Modal) {
			c.verb, c.body = j, j+1
			c.families = r.tokens[j].Families()
			return
		}
	}
}

// modal reads "can you delete", "will it rain", "should I change".
func (r *reader) modal(c *clause, i int) {
	j := i + 1
	if r.class(j).Has(lexicon.Negation) {
		j++
	}
	subject := r.class(j)
	switch {
	case subject.Has(lexicon.SecondPerson) && !subject.Has(lexicon.Possessive):
		c.able = r.is(i, cueCan)
		if r.request(c, j+1, command) {
			return
		}
		c.mood, c.you = asking, true
	case subject.Has(lexicon.FirstPerson) && r.subject(j):
		c.me = true
		if r.is(i, cueShouldShall) { // asks for advice
			c.mood, c.body = pondering, j
		} else if r.is(i, cueMustWouldEtc) || !r.request(c, j+1, suggestion) {
			c.mood, c.body = asking, j
		}
	default:
		c.mood, c.body = asking, i+1
	}
}

// request looks for the verb of a polite request from i on, a few words ahead:
// "you please just", "you help me".
func (r *reader) request(c *clause, i int, m mood) bool {
	for j := i; j < i+4 && r.wordy(j); j++ {
		if n := r.condition(j); n > 0 {
			return false
		}
		if r.class(j).Has(lexicon.Negation) {
			c.mood = barred
			return true
		}
		if r.verbal(j) && !r.form(j).Has(lexicon.Adverb) && !r.class(j).Has(lexicon.Politeness) {
			if r.is(j, cueBe) { // "be so kind to find"
				for k := j + 1; k < j+5 && r.wordy(k); k++ {
					if (r.is(k, cueTo) || r.is(k, cueAnd)) && r.acting(k+1) {
						return r.command(c, k+1)
					}
				}
				return false
			}
			if !r.command(c, j) {
				r.act(c, j, m)
			}
			if c.mood == command && m == suggestion {
				c.mood = m
			}
			return true
		}
	}
	return false
}

// have reads "have milk added to my list"; false if it is no such clause.
func (r *reader) have(c *clause, i int) bool {
	if r.tokens[i].Entry.Word != "have" || r.class(i+1).Has(lexicon.FirstPerson|lexicon.SecondPerson) {
		return false
	}
	return r.participle(c, i+1, command)
}

// participle looks for "… added", "to be added" within the clause.
func (r *reader) participle(c *clause, i int, m mood) bool {
	for j := i; j < i+14 && r.wordy(j); j++ {
		if r.class(j).Has(lexicon.Conjunction) && j > i+4 {
			return false
		}
		if form := r.form(j); !form.Has(lexicon.Participle) || form.Has(lexicon.Adjective|lexicon.Noun) || r.class(j).Has(lexicon.Boilerplate) {
			continue
		}
		phrase := j+1 < len(r.tokens) && !r.language.Phrasal(r.tokens[j].Entry, r.tokens[j+1].Entry).Empty()
		if phrase || !r.tokens[j].Families().Empty() {
			if r.class(j-1).Has(lexicon.Determiner|lexicon.Possessive) && !r.class(j-1).Has(lexicon.Pronoun) || r.class(j-1).Has(lexicon.FirstPerson) {
				continue
			}
			r.act(c, j, m)
			c.body = i
			return true
		}
	}
	return false
}

// auxiliary reads yes/no questions and "don't".
func (r *reader) auxiliary(c *clause, i int) {
	class := r.class(i)
	word := r.tokens[i].Entry.Word
	next := r.class(i + 1)
	switch {
	case class.Has(lexicon.Negation) && !next.Has(lexicon.FirstPerson|lexicon.ThirdPerson|lexicon.SecondPerson), next.Has(lexicon.Negation) && r.is(i, cueDo):
		r.dont(c, i+1)
	case word == "do" && (next.Has(lexicon.Determiner|lexicon.Pronoun) || r.is(i+1, cueMe)) && !next.Has(lexicon.FirstPerson&^lexicon.Possessive):
		r.act(c, i, command)
	case word == "do" && r.acting(i+1) && !r.form(i+1).Has(lexicon.Noun):
		r.command(c, i+1)
	case word == "be" || word == "done" && r.completion(c, i):
		if word == "be" {
			c.mood = statement
		}
	case next.Has(lexicon.SecondPerson) && r.is(i+2, cueAble):
		c.able = true
		if !r.request(c, i+3, command) {
			c.mood = barred
		}
	default:
		c.mood, c.body = asking, i+1
		if r.nested(c, i+1) {
			return
		}
		c.past = r.form(i).Has(lexicon.Past) || r.is(i, cueHave)
		c.you = next.Has(lexicon.SecondPerson) && !next.Has(lexicon.Possessive)
		c.me = next.Has(lexicon.FirstPerson)
		r.duty(c, i+1)
		if r.is(i+2, cuePossibleWayEtc) || r.is(i+3, cueWay) {
			c.mood = barred
		}
	}
}

// nested reads a request inside a question: "do you think you could find",
// "is it possible for you to find", "would it be possible to find".
func (r *reader) nested(c *clause, i int) bool {
	for j := i; j < i+7 && r.wordy(j); j++ {
		if r.is(j, cueYou) && r.class(j+1).Has(lexicon.Modal) && !r.class(j+1).Has(lexicon.Negation) || r.is(j, cueYou) && r.is(j-1, cueFor) && r.is(j+1, cueTo) {
			return r.request(c, j+2, command)
		}
	}
	return false
}

// dont reads a negated command; "don't forget" and "don't let me forget" ask
// for the opposite of what they deny.
func (r *reader) dont(c *clause, i int) {
	c.mood = barred
	for j := i; j < i+4 && r.wordy(j); j++ {
		if r.is(j, cueForget) {
			r.act(c, j, command)
			c.families = lexicon.FamiliesOf(lexicon.Remember, lexicon.Remind)
			return
		}
	}
}

// completion reads "done with the task", "finished the report".
func (r *reader) completion(c *clause, i int) bool {
	if !r.is(i, cueDoFinishEtc) || !r.form(i).Has(lexicon.Participle) {
		return false
	}
	r.act(c, i, suggestion)
	c.families = lexicon.FamiliesOf(lexicon.Complete)
	return true
}

// first reads clauses whose subject is the user.
func (r *reader) first(c *clause, i int) {
	if r.is(i, cueBe) { // im
		i--
	}
	for j := i + 1; j < i+6 && r.wordy(j); j++ {
		entry := r.at(j)
		class := entry.Class
		switch {
		case !class.Has(lexicon.Negation|lexicon.Desire|lexicon.SecondPerson) && !entry.Form.Has(lexicon.Gerund|lexicon.Past|lexicon.Base) && !entry.IsAny(r.sets[setSubject]):
			// it plays no part in what follows
		case class.Has(lexicon.Negation):
			c.mood = barred
			return
		case class.Has(lexicon.Desire) && (!class.Has(lexicon.Preposition) || r.is(j+1, cueTo) && j == i+1) || r.desiring(j):
			r.desire(c, j)
			return
		case r.is(j, cueMustShouldEtc) && (r.is(j, cueMustShould) && r.verbal(j+1) || r.is(j+1, cueTo)):
			k := j + 1
			if r.is(k, cueTo) {
				k++
			}
			if r.acting(k) {
				r.act(c, k, suggestion)
				return
			}
		case r.form(j).Has(lexicon.Gerund):
			r.seeking(c, j)
			return
		case r.is(j, cueInterestMoodEtc), r.is(j, cueNeed) && r.is(j+1, cueOfFor), j == i+2 && r.is(j-1, cueBe) && r.is(j, cueAfter):
			c.mood, c.body = wanting, j+1 // "I'm in the mood for", "in need of", "after"
			return
		case r.is(j, cueWonderForgetEtc):
			c.mood, c.body = asking, j+1
			return
		case class.Has(lexicon.SecondPerson):
			c.mood, c.you = statement, true
			return
		case r.is(j, cueThinkGuessEtc) && r.class(j+1).Has(lexicon.SecondPerson):
			c.mood, c.you = statement, true
			return
		case r.form(j).Has(lexicon.Past | lexicon.Base):
			if !class.Has(lexicon.Auxiliary | lexicon.Modal) {
				c.mood, c.body = statement, j
				if r.narrates(j) {
					c.mood = barred
				}
				return
			}
		}
	}
	c.mood = statement
	r.wish(c, i+1)
}

// narrates reports whether the verb at j tells what the user did: "I deleted some
// tasks yesterday". What the user finished may be for us to tick off.
func (r *reader) narrates(j int) bool {
	families := r.tokens[j].Families()
	return r.form(j).Has(lexicon.Past) && !r.form(j).Has(lexicon.Base|lexicon.Noun) && !families.Empty() && !families.Has(lexicon.Complete)
}

// wish finds what a statement leads up to: "I have 50 euros that I would like
// to convert".
func (r *reader) wish(c *clause, i int) {
	for j := i; j < i+14 && r.wordy(j); j++ {
		if r.class(j).Has(lexicon.FirstPerson) && r.subject(j) && (r.desiring(j+2) || r.class(j+1).Has(lexicon.Desire)) && !r.class(j+1).Has(lexicon.Negation) {
			r.desire(c, j+1)
			if r.desiring(j + 2) {
				r.desire(c, j+2)
			}
			return
		}
	}
}

// desiring reads "would like", "'d love".
func (r *reader) desiring(j int) bool {
	return r.is(j, cueLikeLoveEtc) && j > 0 && r.class(j-1).Has(lexicon.Modal)
}

// seeking reads "I'm looking for", "I'm trying to".
func (r *reader) seeking(c *clause, j int) {
	c.body = j + 1
	switch {
	case r.is(j, cueLookSearchSeekEtc):
		r.act(c, j, command)
		c.families = lexicon.FamiliesOf(lexicon.Search)
	case r.is(j, cueTryWantEtc):
		r.desire(c, j)
	case r.is(j, cueWonder):
		c.mood = asking
	case r.is(j, cueCraveFeel):
		c.mood = wanting
	case r.is(j-1, cueMind) && !r.tokens[j].Families().Empty(): // "would you mind cancelling"
		r.act(c, j, command)
	default:
		c.mood = statement
	}
}

// desire reads what follows "want", "need", "would like".
func (r *reader) desire(c *clause, i int) {
	c.mood, c.body = wanting, i+1
	j := i + 1
	for r.wordy(j) && (r.class(j).Has(lexicon.Politeness) || r.form(j).Has(lexicon.Adverb) || r.is(j, cueForYouEtc)) {
		j++
	}
	if r.class(j).Has(lexicon.Negation) {
		c.mood = barred
		return
	}
	if k := j; r.is(k, cueHelpNoun) || r.class(k).Has(lexicon.Determiner|lexicon.Quantity) && r.is(k+1, cueHelpNoun) {
		for r.wordy(k) && !r.form(k).Has(lexicon.Gerund) && k < j+4 {
			k++
		}
		if !r.form(k).Has(lexicon.Gerund) { // with what, the user has not said yet
			c.mood = barred
			return
		}
	}
	if r.is(j, cueTo) {
		j++
		for r.form(j).Has(lexicon.Adverb) {
			j++
		}
	}
	switch {
	case r.is(j, cueKnowSeeHearEtc) && !r.is(j, cueFind):
		r.act(c, j, asking)
		c.families = lexicon.FamiliesOf(lexicon.Read)
		r.howTo(c, j+1)
		r.duty(c, j+1)
	case r.is(j, cueBeGetEtc) && r.participle(c, j+1, command):
	case r.is(j-1, cueTo) && r.verbal(j):
		if !r.command(c, j) {
			r.act(c, j, command)
		}
	case r.form(j).Has(lexicon.Gerund) && !r.tokens[j].Families().Empty() && !r.form(j).Has(lexicon.Noun):
		r.act(c, j, command)
	case r.participle(c, j, command):
	case r.acting(j) && !r.form(j).Has(lexicon.Noun):
		r.act(c, j, command)
	}
}

// second reads clauses whose subject is the assistant: "you should add".
func (r *reader) second(c *clause, i int) {
	c.mood, c.you = statement, !r.class(i).Has(lexicon.Possessive)
	if r.is(i+1, cueCanShouldEtc) && !r.class(i+1).Has(lexicon.Negation) {
		j := i + 2
		if r.is(j, cueTo) {
			j++
		}
		if r.acting(j) {
			r.act(c, j, suggestion)
		}
	}
}
