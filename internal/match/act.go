package match

import (
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

// compareActs relates what a claim says was done to what a change did.
func (t *Turn) compareActs(c *Claim, r *record) Finding {
	if c.verb == 0 {
		return Finding{}
	}
	undoes := c.acts.Overlaps(toolname.Opposites(r.made())) && !c.acts.Overlaps(r.made())
	switch {
	case !undoes && (r.words[c.verb] || r.acts().Overlaps(c.acts)): // order_cancel orders nothing
		return Finding{Relation: Backs, By: "act"}
	case undoes, t.isOwnedByAnother(c, r):
		return contradicts("act", c.word(), toolname.InWords(r.Tool))
	case !r.made().Empty() && !c.acts.Empty() && !c.acts.Overlaps(plainActs) && !r.made().Overlaps(plainActs):
		return contradicts("act", c.word(), toolname.InWords(r.Tool))
	}
	return Finding{}
}

// made are the acts of the tool itself.
func (r *record) made() lexicon.Families {
	if r.tool == nil {
		return lexicon.Families{}
	}
	return r.tool.Families
}

// word is the verb of a claim, as it is written.
func (c *Claim) word() string {
	if c.clause == nil || c.at < 0 {
		return c.Text()
	}
	return c.text.Word(c.at)
}

// isOwnedByAnother reports whether an act plainly belongs to another offered tool that
// changes something.
func (t *Turn) isOwnedByAnother(c *Claim, r *record) bool {
	for name, other := range t.tools.byName {
		if name == r.Tool || !other.effect.MayChange() {
			continue
		}
		if other.words[c.verb] || !other.Families.Empty() && other.Families.Overlaps(c.acts.Without(plainActs)) {
			return true
		}
	}
	return false
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
		for _, r := range reads {
			if r.Succeeded() && (r.results[key] || r.shown.Overlaps(token.Families().Without(plainActs))) {
				found++
				break
			}
		}
	}
	if words == 0 {
		return t.predicateIn(c, reads)
	}
	return found == words
}

// predicateIn reports whether what a clause says after its verb stands in a result.
func (t *Turn) predicateIn(c *Claim, reads []*record) bool {
	for _, v := range c.content() {
		if c.clause.Verb < 0 || v.Start() < int(c.text.Tokens[c.clause.Verb].End) {
			continue
		}
		for _, r := range reads {
			if r.Succeeded() && r.results[v.Key] {
				return true
			}
		}
	}
	return false
}

// opposedState finds a state of a claim whose opposite a record has: on and off.
func opposedState(c *Claim, records []*record) Finding {
	reader := reading.English()
	for i := range c.values {
		v := &c.values[i]
		if v.Kind != reading.Word || v.Has(reading.Derived|reading.Merged) {
			continue
		}
		word := c.span(v).String()
		for _, r := range records {
			if r.keys[v.Key] || c.isHedged() {
				continue
			}
			for k := range r.leaves {
				l := &r.leaves[k]
				if l.text != "" && len(l.text) < 24 && !strings.Contains(l.text, " ") && reader.Opposite(word, l.text) {
					return contradicts("state", word, l.text)
				}
			}
		}
	}
	return Finding{}
}
