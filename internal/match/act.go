package match

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
)

// plainActs are told of nearly every change: that it was made, set or updated.
var plainActs = lexicon.FamiliesOf(
	lexicon.Update, lexicon.Set, lexicon.Complete, lexicon.Apply, lexicon.Save, lexicon.Record, lexicon.Run,
	lexicon.Write, lexicon.Implement, lexicon.Fix,
)

// sameActs are told for one another.
var sameActs = [...]lexicon.Families{
	lexicon.FamiliesOf(lexicon.Move, lexicon.Transfer), lexicon.FamiliesOf(lexicon.Transfer, lexicon.Send),
	lexicon.FamiliesOf(lexicon.Transfer, lexicon.Pay),
}

// withSame adds to some acts those that are told for them.
func withSame(acts lexicon.Families) lexicon.Families {
	all := acts
	for _, same := range sameActs {
		if acts.Overlaps(same) {
			all = all.Union(same)
		}
	}
	return all
}

// compareActs relates what a claim says was done to what a change did.
func (t *Turn) compareActs(c *Claim, r *record) Finding {
	if c.verb == 0 {
		return Finding{}
	}
	undoes := c.acts.Overlaps(toolname.Opposites(r.made())) && !c.acts.Overlaps(r.made()) && !c.acts.Overlaps(r.told)
	does := r.tool == nil || r.words[c.verb] || r.tool.Families.Union(r.tool.described).Overlaps(c.acts)
	kin := r.acts().Overlaps(c.acts.Without(plainActs)) || r.made().Overlaps(c.acts) // order_cancel orders nothing
	asks := c.at >= 0 && isListed("asked", strings.ToLower(c.word())) && hasListed("asking", strings.ToLower(r.Tool))
	switch {
	case !undoes && (does || !t.isVerbOfAnother(c, r)) && (r.words[c.verb] || asks || kin),
		!undoes && isPlainlyOf(c, r):
		return Finding{Relation: Backs, By: "act"}
	case r.runs: // a command may do anything
		return Finding{}
	case undoes, t.isOwnedByAnother(c, r):
		return contradicts("act", c.word(), toolname.InWords(r.Tool))
	case c.isOutward() && !r.made().Without(plainActs).Empty():
		return contradicts("act", c.word(), toolname.InWords(r.Tool))
	}
	return Finding{}
}

// isPlainlyOf reports whether a claim tells by a plain verb, which many tools have, figures that
// are all the record's: "the lobby is set to 20.5 °C until Friday", by setpoint_change.
func isPlainlyOf(c *Claim, r *record) bool {
	figures, plain := c.figures(), !c.acts.Empty() && c.acts.Without(plainActs).Empty()
	return len(figures) > 0 && plain && !r.runs && allOf(figures, r.holds) &&
		slices.ContainsFunc(figures, func(v *reading.Value) bool { return v.Kind != reading.ID })
}

// isVerbOfAnother reports whether the verb of a claim is in the name of another offered tool that
// changes something.
func (t *Turn) isVerbOfAnother(c *Claim, r *record) bool {
	return t.tools.any(func(one *tool) bool { return one != r.tool && one.effect.MayChange() && one.words[c.verb] })
}

// made are the acts of the tool itself.
func (r *record) made() lexicon.Families {
	if r.tool == nil {
		return lexicon.Families{}
	}
	acts := r.tool.Families
	for _, noun := range r.tool.Nouns {
		if noun.Entry != nil && acts.Has(lexicon.Create) {
			acts = acts.Union(noun.Entry.Families) // create_transfer transfers
		}
	}
	return withSame(acts)
}

// word is the verb of a claim, as it is written.
func (c *Claim) word() string {
	if c.clause == nil || c.at < 0 {
		return c.Text()
	}
	return c.text.Word(c.at)
}

// outwardActs reach somebody else, or move what is worth something: no other act is told for
// them.
var outwardActs = lexicon.FamiliesOf(
	lexicon.Cancel, lexicon.Refund, lexicon.Pay, lexicon.Transfer, lexicon.Book, lexicon.Order, lexicon.Delete,
	lexicon.Send, lexicon.Contact, lexicon.Assign, lexicon.Approve, lexicon.Reject, lexicon.Invite, lexicon.Deploy,
	lexicon.Merge, lexicon.Subscribe, lexicon.Unsubscribe, lexicon.Open, lexicon.Close,
)

// isOutward reports whether all that a verb means is outward: "sent", and not "sent back".
func (c *Claim) isOutward() bool {
	if c.acts.Empty() || !c.acts.Without(outwardActs).Without(lexicon.FamiliesOf(lexicon.Remind, lexicon.Report)).Empty() {
		return false
	}
	return c.at < 0 || c.at+1 >= len(c.text.Tokens) || !c.text.Says(c.at+1, "back")
}

// isOwnedByAnother reports whether an act plainly belongs to another offered tool that
// changes something: its name has the verb or, beside an act of the kind, what the claim is
// about.
func (t *Turn) isOwnedByAnother(c *Claim, r *record) bool {
	return t.isVerbOfAnother(c, r) || t.tools.any(func(other *tool) bool {
		owns := other.Families.Overlaps(c.acts.Without(plainActs)) && c.namesObjectOf(other)
		return owns && other != r.tool && other.effect.MayChange()
	})
}

// namesObjectOf reports whether a claim speaks of what a tool works on, if that is known.
func (c *Claim) namesObjectOf(other *tool) bool {
	for _, noun := range other.Nouns {
		key := reading.English().StemKey(noun.Text)
		for i := range c.values {
			if c.values[i].Key == key {
				return true
			}
		}
	}
	return len(other.Nouns) == 0
}

// tellsState reports whether the results of reads say of something what a claim says was
// done to it: "it was put on hold by Mona Reyes", where the result has "on_hold".
func (t *Turn) tellsState(c *Claim, reads []*record) bool {
	words, found := 0, 0
	for i := c.clause.From; i < c.clause.To; i++ {
		token := &c.text.Tokens[i]
		state := i == c.clause.Verb || token.Form().Has(lexicon.Participle) && !token.Form().Has(lexicon.Base)
		if !state || token.Class().Has(lexicon.Auxiliary) {
			continue
		}
		if token.Families().Overlaps(plainActs) && i == c.clause.Verb {
			continue // "marked as paid": what it is marked as counts
		}
		words++
		key := reading.English().StemKey(c.text.Word(i))
		if slices.ContainsFunc(reads, func(r *record) bool {
			return r.Succeeded() && (r.results[key] || r.shown.Overlaps(token.Families().Without(plainActs)))
		}) {
			found++
		}
	}
	if words == 0 {
		return t.predicateIn(c, reads)
	}
	return found == words
}

// predicateIn reports whether what a clause says after its verb stands in a result.
func (t *Turn) predicateIn(c *Claim, reads []*record) bool {
	if c.hasWord("empty", max(c.clause.Verb, c.clause.From)) && anyEmpty(reads) {
		return true
	}
	return c.clause.Verb >= 0 && slices.ContainsFunc(c.content(), func(v *reading.Value) bool {
		if v.Start() < int(c.text.Tokens[c.clause.Verb].End) || c.Kind == Did && t.words.Acting && t.isAsked(v) {
			return false // who is to be added is named by the request
		}
		return slices.ContainsFunc(reads, func(r *record) bool { return r.Succeeded() && r.results[v.Key] })
	})
}

// anyEmpty reports whether a record has a member or a list without content.
func anyEmpty(records []*record) bool {
	empty := func(l leaf) bool { return !l.given && (l.text == "" || l.text == "null" || l.text == "0") }
	return slices.ContainsFunc(records, func(r *record) bool {
		return slices.ContainsFunc(r.leaves, empty) || slices.Contains(r.lengths, 0)
	})
}

// unsetMember finds a member of a record with the name of what a claim tells as done, and which
// is false or null: "signed_by".
func unsetMember(c *Claim, records []*record) Finding {
	for _, r := range records {
		if r.unset[c.verb] && !r.words[c.verb] && !r.results[c.verb] && !c.isHedged() && !c.clause.Negated {
			return contradicts("state", c.word(), "false")
		}
	}
	return Finding{}
}

// opposedState finds a state of a claim whose opposite a record has: on and off.
func opposedState(c *Claim, records []*record) Finding {
	reader := reading.English()

	for i := 0; i < len(c.values) && !c.isHedged(); i++ {
		v := &c.values[i]
		if v.Kind != reading.Word || v.Has(reading.Derived|reading.Merged) {
			continue
		}
		word := v.String()
		for _, r := range records {
			if r.keys[v.Key] {
				continue
			}
			r.turn.spend(len(r.leaves))
			for k := range r.leaves {
				l := &r.leaves[k]
				short := l.text != "" && len(l.text) < 24 && !strings.Contains(l.text, " ")
				if short && reader.Opposite(word, l.text) && l.isOfSubject(c) {
					return contradicts("state", word, l.text)
				}
			}
		}
	}
	return Finding{}
}

// isOfSubject reports whether a member tells how the thing as a whole stands, or what the claim
// speaks of: that captions are off does not speak against "the show is on".
func (l *leaf) isOfSubject(c *Claim) bool {
	if l.given || l.name == "" || isStateName(l.name) {
		return true
	}
	said := saidIn(c)
	named := func(word string) bool { return said[reading.English().StemKey(word)] }
	return slices.ContainsFunc(toolname.Words(l.name), named)
}

// compareParticiples relates what a claim says beside its verb to what the records do:
// "is in sprint 32 and assigned to you" tells of two acts.
func (t *Turn) compareParticiples(c *Claim, records []*record) Finding {
	for i := c.clause0(); i < c.end(); i++ {
		token := &c.text.Tokens[i]
		acts := token.Families().Without(plainActs)
		participle := token.Form().Has(lexicon.Participle) && !token.Form().Has(lexicon.Base)
		if acts.Empty() || !participle || i == c.at && c.Kind == Did {
			continue
		}
		key, done, any := reading.English().StemKey(c.text.Word(i)), false, false
		for _, r := range records {
			done = done || r.words[key] || r.keys[key] || r.acts().Overlaps(acts) || r.runs
			any = any || r.made().Empty() || r.made().Overlaps(plainActs)
		}
		told := Claim{text: c.text, clause: c.clause, acts: acts, verb: key, at: i}
		asked := t.conversation()[key] && !any
		if !done && (asked || t.isOwnedByAnother(&told, records[0])) {
			return contradicts("act", c.text.Word(i), toolname.InWords(records[0].Tool))
		}
	}
	return Finding{}
}
