package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// command reads a clause that begins with the bare verb at i; false if the word
// is a noun after all.
func (r *reader) command(c *clause, i int) bool {
	if r.nominal(i) {
		return false
	}
	switch {
	case r.is(i, cueHelpAssistEtc) && r.delegate(c, i):
		return true
	case r.is(i, cueStopQuitEtc) && (r.form(i+1).Has(lexicon.Gerund) || r.is(i+1, cueFrom)):
		r.act(c, i, barred) // unless there is a tool that stops things
		return true
	case r.is(i, cueForget):
		c.mood = barred
		return true
	case r.is(i, cueMakeEnsure) && (r.is(i+1, cueSure) || r.is(i, cueEnsure)):
		r.act(c, i, command)
		c.families, c.sure = lexicon.FamiliesOf(lexicon.Verify, lexicon.Create), true
		return true
	case r.is(i, cueExplainDescribeEtc):
		r.act(c, i, pondering)
		return true
	}
	r.act(c, i, command)
	if r.is(i, cueGetHave) && !r.is(i+1, cueMe) && r.passive(c, i) {
		return true
	}
	r.telling(c, i)
	return true
}

// passive reads "get milk removed"; the object stands before the verb.
func (r *reader) passive(c *clause, i int) bool {
	before := *c
	if r.participle(c, i+1, command) {
		return true
	}
	*c = before
	return false
}

// nominal reports whether the word at i, which may be a verb or a noun, stands
// as a noun: "list of", "order status?", "schedule for Monday".
func (r *reader) nominal(i int) bool {
	if !r.form(i).Has(lexicon.Noun) {
		return false
	}
	if i+1 >= len(r.tokens) {
		return i > 0 || !r.tokens[i].Form().Has(lexicon.Base)
	}
	next := r.class(i + 1)
	if !r.language.Phrasal(r.tokens[i].Entry, r.tokens[i+1].Entry).Empty() {
		return false
	}
	return r.is(i+1, cueOfFrom) || r.is(i+1, cueForWithEtc) && r.tokens[i].Entry.Primary == lexicon.NoFamily ||
		next.Has(lexicon.Auxiliary|lexicon.Modal) && !next.Has(lexicon.Time) || r.is(i+1, cueFor) && r.class(i).Has(lexicon.Container)
}

// delegate reads "help me find", "go ahead and delete", "try to add".
func (r *reader) delegate(c *clause, i int) bool {
	for j := i + 1; j < i+5 && r.wordy(j); j++ {
		if r.acting(j) || r.verbal(j) && !r.class(j).Has(lexicon.Auxiliary|lexicon.Modal) && !r.form(j).Has(lexicon.Noun) {
			return r.command(c, j)
		}
		if r.form(j).Has(lexicon.Gerund) && !r.tokens[j].Families().Empty() {
			r.act(c, j, command)
			return true
		}
		if !(r.class(j).Has(lexicon.FirstPerson|lexicon.Conjunction|lexicon.Politeness) || r.form(j).Has(lexicon.Adverb) || r.is(j, cueToWithEtc)) {
			return false
		}
	}
	return false
}

// telling reads verbs that ask to be told: "tell me what", "remind me when",
// "give me a list". The request is then a question.
func (r *reader) telling(c *clause, i int) {
	j := i + 1
	if r.class(j).Has(lexicon.FirstPerson) && !r.class(j).Has(lexicon.Possessive) || r.is(j, cueUs) {
		j++
	}
	switch {
	case r.is(i, cueUpdate) && j == i+2 && r.is(j, cueOnAbout):
		c.families, c.body = lexicon.FamiliesOf(lexicon.Read), j
	case r.is(i, cueRemind) && (r.class(i+1).Has(lexicon.Quantity|lexicon.ThirdPerson) || r.form(i+1).Has(lexicon.Plural)):
		c.families = lexicon.FamiliesOf(lexicon.Send)
	case r.is(i, cueRemind):
		for r.is(j, cueAgainOfEtc) {
			j++
		}
		of := r.is(j-1, cueOf) && (r.is(j, cueThe) || r.class(j).Has(lexicon.Possessive))
		if r.class(j).Has(lexicon.Question) || r.is(j, cueIfWhether) && !r.class(j+1).Has(lexicon.FirstPerson) || of {
			c.mood, c.body = asking, j
			c.families = lexicon.FamiliesOf(lexicon.Read)
			r.howTo(c, j)
		}
	case r.is(i, cueTellInformEtc) && j == i+1 && !r.class(j).Has(lexicon.Question):
		c.families = lexicon.FamiliesOf(lexicon.Send)
	case r.is(i, cueTellShowEtc):
		c.body = j
		c.families = c.families.With(lexicon.Read)
		r.howTo(c, j)
		r.duty(c, j)
		if r.is(i, cueTell) {
			r.tellLater(c, j)
		}
	}
}

// tellLater reads "tell me on Monday to call": a reminder.
func (r *reader) tellLater(c *clause, i int) {
	for j := i; j < i+4 && r.wordy(j); j++ {
		if r.class(j).Has(lexicon.Question) {
			return
		}
		if r.is(j, cueTo) && r.verbal(j+1) {
			c.families = lexicon.FamiliesOf(lexicon.Remind)
			return
		}
	}
}

// nounFirst reads clauses that begin with a noun: "calendar delete lunch",
// "milk should be taken off", "the task is done", "my list please".
func (r *reader) nounFirst(c *clause, i int) {
	c.mood = fragment
	for j := i; j < len(r.tokens) && j < i+20; j++ {
		token := &r.tokens[j]
		if token.Kind == lexicon.End || token.Kind == lexicon.Break || token.Kind == lexicon.Comma && r.begins(j+1, c, true) {
			return
		}
		entry := r.at(j)
		class := entry.Class
		if !class.Has(lexicon.Question|lexicon.Auxiliary|lexicon.Modal) && !entry.Form.Has(lexicon.Participle|lexicon.Base) {
			continue
		}
		switch {
		case class.Has(lexicon.Question) && !class.Has(lexicon.Determiner) || class.Has(lexicon.Question) && r.class(j+1).Has(lexicon.Auxiliary|lexicon.Modal):
			r.questionWord(c, j)
			c.body = i
			return
		case r.form(j).Has(lexicon.Participle) && j > i && r.completion(c, j):
			c.body = i
			return
		case class.Has(lexicon.Auxiliary) && !class.Has(lexicon.Possessive) && (r.is(j+1, cueThere) || r.class(j+1).Has(lexicon.FirstPerson) && r.subject(j+1)):
			r.auxiliary(c, j)
			c.body = i
			return
		case class.Has(lexicon.Auxiliary | lexicon.Modal):
			if class.Has(lexicon.Possessive) && r.form(j+1).Has(lexicon.Noun|lexicon.Plural|lexicon.Adjective) {
				continue
			}
			c.mood = statement
			if r.is(j, cueBe) && r.is(j+1, cueNeed) && r.form(j+1).Has(lexicon.Participle) { // "a ride is needed"
				c.mood, c.body = wanting, i
				return
			}
			if r.is(j, cueShouldMustEtc) || r.is(j+1, cueNeed) {
				if r.participle(c, j+1, command) {
					c.body = i
				}
				return
			}
			if r.is(j, cueBe) && r.completionAhead(j+1) {
				r.completion(c, j+1)
				c.body = i
			}
			if j > i && !class.Has(lexicon.Possessive) {
				for k := j + 1; k < j+4 && r.wordy(k); k++ {
					if r.class(k).Has(lexicon.Question) && !r.wordy(k+1) || r.is(k, cueWhat) && r.class(k+1).Has(lexicon.Preposition) {
						c.mood, c.body = asking, i
					}
				}
				return
			}
		case j > i && r.acting(j) && !r.form(j).Has(lexicon.Noun) && r.detached(j-1):
			r.act(c, j, suggestion)
			c.body = i
			return
		}
	}
}

func (r *reader) completionAhead(j int) bool {
	return r.is(j, cueDoFinishEtc) && r.form(j).Has(lexicon.Participle)
}

// detached reports whether a verb behind token i can be a command: not behind
// "to", a determiner, or a preposition.
func (r *reader) detached(i int) bool {
	return !r.class(i).Has(lexicon.Determiner|lexicon.Preposition|lexicon.Possessive|lexicon.Auxiliary|lexicon.Modal|lexicon.SecondPerson|lexicon.Negation) &&
		!(r.class(i).Has(lexicon.FirstPerson|lexicon.Pronoun|lexicon.ThirdPerson) && !r.is(i, cueOne))
}

// tail completes a clause whose end is known: particles of its verb, and what
// bars it.
func (r *reader) tail(c *clause) {
	if c.mood == fragment && c.question {
		c.mood = asking
	}
	if c.verb < 0 {
		return
	}
	verb := r.tokens[c.verb].Entry
	if r.light(c) {
		return
	}
	for j := c.verb + 1; j < c.to; j++ {
		if entry := r.at(j); !entry.Class.Has(lexicon.Particle) {
			if entry.Is(r.cues[cueToThat]) {
				return
			}
			continue
		}
		if families := r.language.Phrasal(verb, r.tokens[j].Entry); !families.Empty() && !r.ordinary(j, c) {
			c.families, c.phrasal = families, !families.Overlaps(verb.Families)
			return
		}
	}
}

// light reads a verb that leaves the act to its object: "make a change to",
// "make a payment", "take a note".
func (r *reader) light(c *clause) bool {
	if !r.is(c.verb, cueMakeDoEtc) {
		return false
	}
	for j := c.verb + 1; j < c.verb+4 && j < c.to && r.wordy(j); j++ {
		if r.form(j).Has(lexicon.Noun|lexicon.Plural) && !r.tokens[j].Families().Empty() && !r.form(j+1).Has(lexicon.Noun|lexicon.Plural) && r.tokens[j].Entry.Group == 0 {
			c.families = r.tokens[j].Families()
			return true
		}
		if !r.class(j).Has(lexicon.Determiner|lexicon.Quantity) && !r.form(j).Has(lexicon.Adjective) {
			return false
		}
	}
	return false
}

// ordinary reports whether the particle at j is a plain preposition of another
// phrase rather than part of the verb: "put milk on my list" keeps "put".
func (r *reader) ordinary(j int, c *clause) bool {
	return j > c.verb+1 && r.is(j, cueOnInEtc) && r.class(j+1).Has(lexicon.Determiner|lexicon.Possessive|lexicon.Time)
}
