package match

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// shownDeed relates a claim of a change: only a change that succeeded shows it.
func (t *Turn) shownDeed(c *Claim, cited []*record) Finding {
	for _, r := range cited {
		if r.Succeeded() && strings.Contains(c.text.Source, r.Tool) {
			return Finding{Relation: Backs, By: "act"} // "I called get_order"
		}
	}
	changes := keep(cited, (*record).changes)
	if len(changes) == 0 {
		if len(cited) == 0 {
			return Finding{}
		}
		if ran := keep(cited, func(r *record) bool { return isNamedFor(r, c) }); len(ran) > 0 {
			return t.shownState(c, ran) // "I ran the tests", by run_tests, which changes nothing
		}
		if c.clause.Actor != reading.Us && t.tellsState(c, cited) && t.idsHeld(c, cited) {
			return t.shownState(c, cited)
		}
		return contradicts("act", c.Text(), "only looked something up")
	}
	if over := keep(changes, (*record).isOver); len(over) > 0 {
		return t.shownBy(c, over, cited)
	}
	if pending := keep(changes, (*record).isPending); len(pending) > 0 {
		if !c.tellsPending() {
			return contradicts("state", c.Text(), pending[0].state())
		}
		return t.shownBy(c, pending, cited)
	}
	return contradicts("outcome", c.Text(), changes[0].fate())
}

// isNamedFor reports whether the verb of a claim is that of the tool of a call.
func isNamedFor(r *record, c *Claim) bool {
	named := r.tool != nil && !r.tool.polls && r.tool.Verb.Text != ""
	return named && reading.English().StemKey(r.tool.Verb.Text) == c.verb
}

// idsHeld reports whether records hold all ids of a claim, or link them to what they hold.
func (t *Turn) idsHeld(c *Claim, records []*record) bool {
	for _, v := range c.news() {
		if !strings.ContainsAny(v.String(), "0123456789") || v.Kind == reading.Date || t.isLinked(v, records) {
			continue
		}
		held := func(r *record) bool { return r.holds(v) }
		if len(keep(records, held)) == 0 {
			return false
		}
	}
	return true
}

// shownBy relates a claim of a change to changes that may be it.
func (t *Turn) shownBy(c *Claim, changes, cited []*record) Finding {
	var fitting []*record
	var other Finding
	shares := c.isBare()
	for _, r := range changes {
		switch f := t.compareActs(c, r); f.Relation {
		case Contradicts:
			other = f
		case Backs:
			shares = true
			fitting = append(fitting, r)
		default:
			fitting = append(fitting, r)
		}
	}
	if len(fitting) == 0 {
		return other
	}
	if f := t.compareExtent(c, fitting); f.Relation == Contradicts {
		return f
	}
	if c.isBare() && t.words.Acting { // "It's set": what the user asked for
		if f := t.compareRequest(fitting); f.Relation == Contradicts {
			return f
		}
	}
	if f := t.triedInVain(c, fitting); f.Relation == Contradicts {
		return f
	}
	if f := c.compareOpen(fitting, shares); f.Relation == Contradicts {
		return f
	}
	compared := t.compareValues(c, fitting, cited)
	if compared.Relation != Contradicts && t.isOfAnother(c, fitting) {
		return Finding{}
	}
	if compared.Relation == Silent && shares && !t.isElsewhere(c) {
		compared.Relation = Backs
	}
	return compared
}

// isOfAnother reports whether a claim whose act alone records share names a thing, and they
// name another: "I've deleted Call mom", where Read book was.
func (t *Turn) isOfAnother(c *Claim, records []*record) bool {
	things, said := 0, saidIn(c)
	for _, v := range c.content() {
		if v.Entry != nil && v.Entry.Class != 0 {
			continue
		}
		if anyHas(records, v) || t.isLinked(v, records) {
			return false
		}
		things++
	}
	named := func(l *leaf) bool {
		return l.given && len(l.values) <= maxStateWords && l.isOfWords() && !l.saysAny(said)
	}
	for _, r := range records {
		other := false
		for i := range r.leaves {
			other = other || named(&r.leaves[i])
		}
		if !other {
			return false
		}
	}
	return things > 0
}

// isOfWords reports whether a leaf has a word that means something by itself.
func (l *leaf) isOfWords() bool {
	return slices.ContainsFunc(l.values, func(v reading.Value) bool { return v.IsContent() })
}

// isElsewhere reports whether a claim whose act alone a record shares is about something that
// nobody has spoken of: "I've arranged a bottle of sparkling wine".
func (t *Turn) isElsewhere(c *Claim) bool {
	things := 0
	for _, v := range c.content() {
		if isVerb(v) || v.Entry != nil && v.Entry.Class != 0 {
			continue
		}
		if t.isSaid(v) {
			return false
		}
		things++
	}
	return things > 0
}

// triedInVain finds a thing that a claim tells as done while only a call that did not succeed
// has it.
func (t *Turn) triedInVain(c *Claim, changes []*record) Finding {
	if c.isHedged() {
		return Finding{}
	}
	first := 1
	if t.words.Acting {
		first = t.earlier + 1
	}
	for number := first; number <= len(t.source); number++ {
		r := t.record(number)
		if r.Tool != changes[0].Tool || r.isOver() || r.isPending() || t.isMendedLater(number) {
			continue
		}
		for _, v := range append(c.content(), c.news()...) {
			word := v.String()
			if len(word) > 3 && r.hasArg(word) && !anyHasText(changes, word) {
				return contradicts("outcome", word, "#"+strconv.Itoa(number)+" "+r.fate())
			}
		}
	}
	return Finding{}
}

func anyHasText(records []*record, word string) bool {
	return slices.ContainsFunc(records, func(r *record) bool { return r.hasText(word) })
}

// hasArg reports whether an argument holds a piece of text.
func (r *record) hasArg(piece string) bool {
	return strings.Contains(lowered(r, true), strings.ToLower(piece))
}
