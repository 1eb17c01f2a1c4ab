package completion

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// rivals are the calls of one tool in a turn.
type rivals struct {
	reading.Rivals
	tool   *toolFacts
	worked uint64  // those that did what they should, a set
	facts  []*fact // in their order
}

// maxTold is the number of calls of a turn whose text tells what each of them did.
const maxTold = 12

// readRivals gathers the calls of tools that the text tells apart.
func (c *conversation) readRivals() {
	for _, t := range c.used {
		if len(c.made) > maxTold || t == &c.nameless || !c.toldApart(t) {
			continue
		}
		r := &rivals{tool: t}
		r.Begin(c.reader, &c.known)
		for i := range c.made {
			if f := &c.made[i]; f.tool == t {
				r.worked |= uint64(is(f.worked())) << r.Len()
				r.facts = append(r.facts, f)
				r.Add(f.itself, f.record.Args, f.record.Result.Data)
			}
		}
		c.rivals = append(c.rivals, r)
	}
}

// toldApart reports whether the text has values that some calls of a tool hold and others
// do not: two that may be mixed up, or one where the calls did not end alike.
func (c *conversation) toldApart(t *toolFacts) bool {
	n := int(is(t.grounds&(1<<fateFailed) != 0))
	for k := range c.text.Values {
		held, not := false, false
		for i := range c.made {
			if f := &c.made[i]; f.tool == t {
				holds := c.known.Holds(f.itself, &c.text.Values[k])
				held, not = held || holds, not || !holds
			}
		}
		n += int(is(held && not && c.text.Values[k].TellsApart()))
	}
	return n >= 2
}

// mixed: a clause, its sentence or a list tells values of several calls as those of one.
func (c *conversation) mixed(a *assertion) bool {
	return len(c.rivals) > 0 && (c.mixedIn(a.clause.FirstValue, a.clause.LastValue, 1) ||
		c.mixedSentence(&c.text.Sentences[a.clause.Sentence]) || c.mixedIn(0, len(c.text.Values), 2))
}

func (c *conversation) mixedSentence(s *reading.Sentence) bool {
	return c.mixedIn(c.text.Clauses[s.First].FirstValue, c.text.Clauses[s.Last-1].LastValue, 1)
}

// mixedUnsaid reports the same of sentences that state nothing else: "you'll find A on 2".
func (c *conversation) mixedUnsaid() bool {
	return len(c.rivals) > 0 && slices.ContainsFunc(c.text.Sentences, func(s reading.Sentence) bool {
		return !s.Asking && c.mixedSentence(&s)
	})
}

func (c *conversation) mixedIn(from, to, entries int) bool {
	return slices.ContainsFunc(c.rivals, func(r *rivals) bool {
		return r.Crossed(c.text.Values[from:to], r.worked, entries)
	})
}

// exchanged: a clause tells as done what a call failed to do, or as failed what one did,
// while another call of the tool ended the other way.
func (c *conversation) exchanged(a *assertion) bool {
	const failing, open = fails | reading.RoleUnable, reading.RoleWait | reading.RoleAttempt | reading.RoleEarlier
	roles, closes := a.clause.Roles, a.clause.Roles&(reading.RoleDone|reading.RoleTick) != 0
	for _, r := range c.rivals {
		does := c.fits(a, r.tool) >= 0.9
		won := !a.clause.Negated && roles&(failing|open) == 0 && (closes || does && a.told())
		lost := roles&failing != 0 || a.clause.Negated && does && a.clause.Mood != reading.Possible
		if !won && !lost || r.tool.grounds&(1<<fateFailed) == 0 || r.worked == 0 {
			continue
		}
		calls := r.Of(c.text.Values[a.clause.FirstValue:a.clause.LastValue])
		if lost && c.ended(a, r, calls, fateChanged) || won && c.ended(a, r, calls, fateFailed) {
			return true
		}
	}
	return false
}

// ended reports whether there are calls in a set, all of them ended in one way, and none
// has the word for how they are told to have ended.
func (c *conversation) ended(a *assertion, r *rivals, calls uint64, as fate) bool {
	verb := c.known.Row(a.verbKey)
	for i, f := range r.facts {
		told := calls>>i&1 != 0
		if told && (f.fate != as || a.clause.Verb >= 0 && as == fateChanged && c.known.In(verb, f.itself)) {
			return false
		}
	}
	return calls != 0
}
