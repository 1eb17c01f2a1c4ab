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

// compareActs leaves those of the calls that may be what a claim says was done. Where none is, it
// finds the act of another one.
func (h *held) compareActs() (other Finding) {
	var fitting []*record
	h.did = h.isBare()
	for _, r := range h.calls {
		f := h.turn.actOf(h.Claim, r)
		if f.Relation == Contradicts || f.Relation == Silent && f.By != "" {
			other = f
			continue
		}
		h.did = h.did || f.Relation == Backs
		fitting = append(fitting, r)
	}
	if len(fitting) == 0 {
		return other
	}
	h.calls = fitting
	return Finding{}
}

// compareParticiples finds a participle of a claim whose act none of the calls does, but another offered tool, or
// which the conversation asks for by its verb: "is in sprint 32 and assigned to you" tells of two acts.
func compareParticiples(h *held) Finding {
	for i := h.clause0(); i < h.end() && hasChange(h.calls); i++ {
		token := &h.text.Tokens[i]
		participle := token.Form().Has(lexicon.Participle) && !token.Form().Has(lexicon.Base)
		if !participle || token.Families().Without(plainActs).Empty() || i == h.at && h.Kind == Did {
			continue
		}
		told := &Claim{text: h.text, clause: h.clause, values: h.Claim.values, acts: token.Families(), at: i}
		told.verb = reading.English().StemKey(h.text.Word(i))
		noneDoes := !slices.ContainsFunc(h.calls, func(r *record) bool {
			wanted := h.turn.conversation()[told.verb] && !r.made().Empty() && !r.made().Overlaps(plainActs)
			does := r.keys[told.verb] || r.runs || r.acts().Overlaps(told.acts.Without(plainActs))
			return does || !wanted && h.turn.actOf(told, r).Relation != Contradicts
		})
		if noneDoes {
			return contradicts("act", h.text.Word(i), toolname.InWords(h.calls[0].Tool))
		}
	}
	return Finding{}
}

// actOf relates what a claim says was done to what a call did.
func (t *Turn) actOf(c *Claim, r *record) Finding {
	if c.verb == 0 {
		return Finding{}
	}
	undoes := c.acts.Overlaps(toolname.Opposites(r.made())) && !c.acts.Overlaps(r.made()) && !c.acts.Overlaps(r.told)
	switch {
	case !undoes && t.does(r, c):
		return Finding{Relation: Backs, By: "act"}
	case r.runs, c.vague: // a command may do anything
		return Finding{}
	case undoes, t.isOwnedByAnother(c, r):
		return contradicts("act", c.word(), toolname.InWords(r.Tool))
	case t.isVerbOfAnother(c, r) && !c.isPlainlyOf(r), c.isOutward() && !r.made().Without(plainActs).Empty():
		return lacks("act", c.word())
	}
	return Finding{}
}

// isPlainlyOf reports whether a record has all figures of a claim, and not ids alone: "the lobby is set to
// 20.5 °C until Friday", by setpoint_change.
func (c *Claim) isPlainlyOf(r *record) bool {
	figures := c.figures()
	measures := func(v *reading.Value) bool { return v.Kind != reading.ID }
	return allOf(figures, r.holds) && slices.ContainsFunc(figures, measures)
}

// does reports whether a call may be told as what a claim says: by its tool's name and description, or
// by what it returned, unless another tool is named for that. order_cancel orders nothing.
func (t *Turn) does(r *record, c *Claim) bool {
	if r.words[c.verb] {
		return true
	}
	asks := c.at >= 0 && isListed("asked", strings.ToLower(c.word())) && hasListed("asking", strings.ToLower(r.Tool))
	kin := r.acts().Overlaps(c.acts.Without(plainActs)) || r.made().Overlaps(c.acts)
	own := r.tool == nil || r.tool.Families.Union(r.tool.described).Overlaps(c.acts)
	return (asks || kin) && (own || !t.isVerbOfAnother(c, r))
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

// isVerbOfAnother reports whether the verb of a claim is in the name of another offered tool that
// changes something.
func (t *Turn) isVerbOfAnother(c *Claim, r *record) bool {
	return t.tools.any(func(one *tool) bool { return one != r.tool && one.effect.MayChange() && one.words[c.verb] })
}

// isOwnedByAnother reports whether an act plainly belongs to another offered tool that
// changes something: its name has the verb or, beside an act of the kind, what the claim is
// about.
func (t *Turn) isOwnedByAnother(c *Claim, r *record) bool {
	plain := !c.acts.Empty() && c.acts.Without(plainActs).Empty() // many tools have it
	return t.tools.any(func(other *tool) bool {
		if other == r.tool || !other.effect.MayChange() {
			return false
		}
		named := other.words[c.verb]
		kin := named || !plain && other.Families.Overlaps(c.acts.Without(plainActs))
		return named && !plain || kin && c.namesObjectOf(other)
	})
}

// namesObjectOf reports whether a claim speaks of what a tool works on, if that is known.
func (c *Claim) namesObjectOf(other *tool) bool {
	for _, noun := range other.Nouns {
		key := reading.English().StemKey(noun.Text)
		if slices.ContainsFunc(c.values, func(v reading.Value) bool { return v.Key == key }) {
			return true
		}
	}
	return len(other.Nouns) == 0
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

// states are the words of a claim that say how something is by what was done to it: its verb,
// where that is not plain, and its participles.
func (c *Claim) states(plain bool) (at []int) {
	for i := c.clause.From; i < c.clause.To; i++ {
		token := &c.text.Tokens[i]
		state := i == c.clause.Verb || token.Form().Has(lexicon.Participle) && !token.Form().Has(lexicon.Base)
		marks := !plain && i == c.clause.Verb && token.Families().Overlaps(plainActs) // "marked as paid"
		if state && !marks && !token.Class().Has(lexicon.Auxiliary) {
			at = append(at, i)
		}
	}
	return at
}

// isIn reports whether the results of calls say what a claim does: "deposit still blocked".
func (c *Claim) isIn(records []*record) bool {
	return slices.ContainsFunc(c.states(true), func(i int) bool {
		key := reading.English().StemKey(c.text.Word(i))
		return i >= c.clause.Verb && slices.ContainsFunc(records, func(r *record) bool { return r.results[key] })
	})
}

// tellsState reports whether the results of reads say of something what a claim says was
// done to it: "it was put on hold by Mona Reyes", where the result has "on_hold".
func (h *held) tellsState(reads []*record) bool {
	states := h.states(false)
	if len(states) == 0 {
		return h.predicateIn(reads)
	}
	return !slices.ContainsFunc(states, func(i int) bool {
		key, acts := reading.English().StemKey(h.text.Word(i)), h.text.Tokens[i].Families().Without(plainActs)
		return !slices.ContainsFunc(reads, func(r *record) bool {
			return r.Succeeded() && (r.results[key] || r.shown.Overlaps(acts))
		})
	})
}

// predicateIn reports whether what a clause says after its verb stands in a result.
func (h *held) predicateIn(reads []*record) bool {
	if h.hasWord("empty", max(h.clause.Verb, h.clause.From)) && findsNothing(reads) {
		return true
	}
	return h.clause.Verb >= 0 && slices.ContainsFunc(h.content(), func(v *reading.Value) bool {
		if v.Start() < int(h.text.Tokens[h.clause.Verb].End) || h.Kind == Did && h.turn.words.Acting && h.turn.isAsked(v) {
			return false // who is to be added is named by the request
		}
		return slices.ContainsFunc(reads, func(r *record) bool { return r.Succeeded() && r.results[v.Key] })
	})
}

// findsNothing reports whether a result has a member that is empty, null or 0, or an empty list.
func findsNothing(records []*record) bool {
	empty := func(l leaf) bool { return !l.given && (l.text == "" || l.text == "null" || l.text == "0") }
	return slices.ContainsFunc(records, func(r *record) bool {
		return slices.ContainsFunc(r.leaves, empty) || slices.Contains(r.lengths, 0)
	})
}

// isUntold reports whether look-ups hold what a claim is about, and nothing of what it says of
// it: "Read book is off your plate", or that something was done, which no result says.
func (h *held) isUntold() bool {
	if h.Kind != Found || hasChange(h.calls) {
		return false
	}
	fresh := slices.ContainsFunc(h.news(), func(v *reading.Value) bool {
		subject := v.Kind == reading.Word && h.clause.Verb >= 0 && v.Start() < int(h.text.Tokens[h.clause.Verb].Start)
		reckoned := v.Kind == reading.Number && reckons(h.turn, v, h.calls)
		return !subject && (reckoned || anyHolds(h.calls, v)) && !h.turn.isAsked(v)
	})
	if figures := h.figures(); h.deedLike && h.verb != 0 && !h.clause.Negated && !h.tellsState(h.calls) &&
		(len(figures) == 0 || !h.turn.allInReads(h.Claim)) {
		return true
	}
	about := h.turn.words.Acting && h.turn.isAboutRequest(h.Claim)
	return !fresh && (h.clause.Verb >= 0 || about) && !h.predicateIn(h.calls)
}
