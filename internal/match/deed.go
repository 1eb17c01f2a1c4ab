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
	if c.clause.Roles&reading.RoleAttempt != 0 || tellsWhy(t, c, changes) {
		return Finding{Relation: Backs, By: "outcome"} // "I tried", "DHL's counter turned it away"
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
	return allOf(c.news(), func(v *reading.Value) bool {
		isID := strings.ContainsAny(v.String(), "0123456789") && v.Kind != reading.Date
		return !isID || t.isLinked(v, records) || anyHolds(records, v)
	})
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
	f := contradiction(
		func() Finding { return t.compareExtent(c, fitting) },
		func() Finding { return t.compareRequest(c, fitting) },
		func() Finding { return unsetMember(c, fitting) },
		func() Finding { return t.triedInVain(c, fitting) },
		func() Finding { return compareDraft(c, fitting) },
		func() Finding { return c.compareOpen(fitting, shares) })
	if f.Relation == Contradicts {
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
// name another: "I've deleted Call mom", where Read book was. What it calls "it", where calls of
// earlier turns are to show it, is what the user asks about.
func (t *Turn) isOfAnother(c *Claim, records []*record) bool {
	things, said, words := 0, saidIn(c), c.content()
	if !t.words.Acting && records[len(records)-1].earlier && c.hasWord("it", max(c.at, c.clause.From)) {
		asked := &Claim{values: reading.English().Values(nil, t.words.User), verb: c.verb}
		words, said = asked.content(), keysIn(t.words.User)
	}
	counted := len(records) > 1 && slices.ContainsFunc(c.figures(), func(v *reading.Value) bool {
		return c.slotOf(v) == count && v.Number == float64(len(records))
	})
	for _, v := range words {
		if v.Entry != nil && v.Entry.Class != 0 || counted && !isName(v) && !t.isAsked(v) {
			continue // "two of your three wishes"
		}
		if anyHas(records, v) || t.isLinked(v, records) {
			return false
		}
		things++
	}
	return things > 0 && allName(records, func(l leaf) bool {
		return len(l.values) <= maxStateWords && l.isOfWords() && !l.saysAny(said)
	})
}

// allName reports whether each record has an argument that fits.
func allName(records []*record, fits func(leaf) bool) bool {
	given := func(l leaf) bool { return l.given && fits(l) }
	return !slices.ContainsFunc(records, func(r *record) bool { return !slices.ContainsFunc(r.leaves, given) })
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
	for number := 1; number <= len(t.source); number++ {
		r := t.record(number)
		past := r.earlier && t.words.Acting
		if past || r.Tool != changes[0].Tool || r.isOver() || r.isPending() || t.isMendedLater(number) {
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
