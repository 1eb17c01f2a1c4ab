package match

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// tellsPending reports whether a claim leaves open whether something is over: it was begun or
// handed in, or it waits.
func (c *Claim) tellsPending() bool {
	if c.whole.underWay == nil {
		going := c.says(reading.RoleWait|reading.RoleHold|reading.RoleLonger) || hasPhrase("going", c.text.Source) ||
			c.says(reading.RoleNegative) && hasPhrase("waiting", c.text.Source) || strings.HasPrefix(c.text.Source, "Should ")
		c.whole.underWay = &going
	}
	if *c.whole.underWay {
		return true
	}
	going := func(one reading.Clause) bool { return one.Shape == reading.Progressive }
	if going(*c.clause) || c.clause.Actor == reading.Unnamed && slices.ContainsFunc(c.text.Clauses, going) {
		return true // its own, or one that it goes on with: "is running and stops at 7:40"
	}
	if c.clause.Roles&reading.RoleDone != 0 {
		return false
	}
	begins := c.acts.Has(lexicon.Start) && !c.acts.Has(lexicon.Run)
	return begins || isListed("handed", strings.ToLower(c.word()))
}

// compareDraft finds that what a claim tells has reached somebody is a draft.
func compareDraft(h *held) Finding {
	reached := h.Kind == Did && h.acts.Overlaps(lexicon.FamiliesOf(lexicon.Send, lexicon.Contact))
	drafts := len(keep(h.calls, func(r *record) bool { return r.draft }))
	if !reached || drafts == 0 || drafts < len(h.calls) || h.tellsPending() {
		return Finding{}
	}
	return contradicts("state", h.Text(), "draft")
}

// compareUnset finds a member of a record with the name of what a claim tells as done, and which
// is false or null: "signed_by".
func compareUnset(h *held) Finding {
	for _, r := range h.calls {
		if r.unset[h.verb] && !r.words[h.verb] && !r.results[h.verb] && !h.clause.Negated {
			return contradicts("state", h.word(), "false")
		}
	}
	return Finding{}
}

// compareOpposite finds a state of a claim whose opposite a record has: on and off.
func compareOpposite(h *held) Finding {
	for i := range h.Claim.values {
		v := &h.Claim.values[i]
		if v.Kind != reading.Word || v.Has(reading.Derived|reading.Merged) {
			continue
		}
		for _, r := range h.calls {
			if r.keys[v.Key] {
				continue
			}
			h.turn.spend(len(r.leaves))
			for k := range r.leaves {
				l := &r.leaves[k]
				short := l.text != "" && len(l.text) < 24 && !strings.Contains(l.text, " ")
				if short && reading.English().Opposite(v.String(), l.text) && l.isOfSubject(h.Claim) {
					return contradicts("state", v.String(), l.text)
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

// state is how the result of a pending call says that it stands.
func (r *record) state() string {
	for i := range r.leaves {
		l := &r.leaves[i]
		if !l.given && isStateName(l.name) && l.text != "" && (waits(l.text) || hasListed("open", strings.ToLower(l.text))) {
			return l.text
		}
	}
	return "pending"
}

// fate is how a call that did not succeed ended.
func (r *record) fate() string {
	switch {
	case r.Ruling.Denied, r.Result.Status == tooltrack.Denied:
		return NotAllowed
	case r.Result.Status == tooltrack.Failed:
		return HasFailed
	case r.Result.Status == tooltrack.Pending:
		return "is not over"
	case r.Succeeded() && r.Result.Doubtful != "":
		return r.Result.Doubtful
	case r.Succeeded():
		return "is in doubt"
	}
	return "is of unknown outcome"
}

// compareExtent relates how much a claim says was done to how much was: all of it, where a
// call of the same kind did not succeed, or more than a result counts.
func compareExtent(h *held) Finding {
	if h.clause == nil || !hasChange(h.calls) {
		return Finding{}
	}
	failed := h.turn.failedBeside(h.calls)
	fate := func() string { return "#" + strconv.Itoa(failed) + " " + h.turn.record(failed).fate() }
	if h.clause.Roles&reading.RoleAll != 0 && failed > 0 {
		return contradicts("count", h.Text(), fate())
	}
	for _, v := range h.content() {
		const least = 4 // letters
		word, tried := strings.ToLower(v.String()), h.turn.record(failed)
		has := func(r *record) bool { return r.hasText(word) }
		vain := tried != nil && len(word) >= least && strings.Contains(lowered(tried, true), word)
		if vain && !slices.ContainsFunc(h.calls, has) {
			return contradicts("outcome", v.String(), fate())
		}
	}
	for i := range h.values {
		v := h.values[i].value
		if h.values[i].slot != count || v.Number < 2 {
			continue
		}
		if failed > 0 && !h.values[i].matched && v.Number > float64(len(h.calls)) {
			return contradicts("count", v.String(), fate())
		}
		if n, counted := h.calls[0].countOf(h.acts); counted && n < v.Number && len(h.calls) == 1 {
			return contradicts("count", v.String(), strconv.FormatFloat(n, 'f', -1, 64))
		}
	}
	return Finding{}
}

// failedBeside is the number of a call of this turn that is like some changes, did not succeed,
// and was not mended; 0 if there is none.
func (t *Turn) failedBeside(changes []*record) int {
	for number := 1; number <= len(t.source); number++ {
		r := t.record(number)
		past := r.earlier && t.words.Acting
		if !past && r.Tool == changes[0].Tool && r.isUndone() && !t.isMendedLater(number) && !slices.Contains(changes, r) {
			return number
		}
	}
	return 0
}

// isMendedLater reports whether the tool of a call that did not succeed was called again for
// the same thing, and did.
func (t *Turn) isMendedLater(number int) bool {
	mended, known := t.mended[number]
	for later := number + 1; later <= len(t.source) && !known && !mended; later++ {
		r := t.record(later)
		mended = r.Tool == t.source[number-1].Tool && r.isOver() && !t.record(number).namesOther(r)
	}
	if t.mended == nil {
		t.mended = map[int]bool{}
	}
	t.mended[number] = mended
	return mended
}

// namesOther reports whether a call names a thing by an id or a name that another lacks.
func (r *record) namesOther(other *record) bool {
	for i := range r.leaves {
		l := &r.leaves[i]
		if !l.given || len(l.values) == 0 || len(l.values) > maxStateWords {
			continue
		}
		for k := range l.values {
			v := &l.values[k]
			names := v.Kind == reading.ID || isName(v) || v.Kind == reading.Number && isIdentifierName(l.name)
			if names && !hasValue(other.given, v) {
				return true
			}
		}
	}
	return false
}

// countOf is how many things the result of a call says that it did: "removed": 2.
func (r *record) countOf(acts lexicon.Families) (n float64, counted bool) {
	for i := range r.leaves {
		l := &r.leaves[i]
		if l.given || len(l.values) != 1 || l.values[0].Kind != reading.Number {
			continue
		}
		tokens := lexicon.English().Tokenize(nil, l.name)
		if len(tokens) == 1 && tokens[0].Form().Has(lexicon.Participle) && tokens[0].Families().Overlaps(acts) {
			return l.values[0].Number, true
		}
	}
	return 0, false
}
