package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// voids says what keeps an event from being a claim: a report is only what is
// stated, by us, of our own work. The roles of the whole sentence tell which of
// the reasons need a look at its words.
func (r *reading) voids(e *event) void {
	roles := r.sentences[e.in].roles
	switch {
	case r.isCited(&r.sentences[e.in]):
		return voidQuotation
	case r.isQuoted(e.verb) && !(e.shape == exclaimed && r.success(e.verb, r.sentences[e.in].to)):
		return voidQuotation
	case e.aux&roleNegative != 0 || roles&roleNegative != 0 && (r.negatedSubject(e) || r.negatedObject(e)):
		return voidNegated
	case (e.shape == state || e.shape == passivePresent || e.shape == present) && (r.generic(e) || r.instructs(e)):
		return voidCondition
	case r.conditional(e):
		return voidCondition
	case r.asked(e):
		return voidQuestion
	case r.byOthers(e) || r.relative(e):
		return voidOther
	case roles&(roleAttitude|roleReport|roleSecond) != 0:
		return r.embedded(e)
	}
	return 0
}

// negatedSubject: "no changes have been made", "neither order was cancelled".
func (r *reading) negatedSubject(e *event) bool {
	for i := e.from; i < e.chain; i++ {
		if r.words[i].role&roleNegative != 0 && !r.isQuoted(i) {
			return true
		}
	}
	return false
}

// negatedObject: "I have changed nothing", "I made no changes".
func (r *reading) negatedObject(e *event) bool {
	next := e.verb + 1
	return (e.shape == activePerfect || e.shape == activePast) && next < r.sentences[e.in].to && r.words[next].role&roleNegative != 0 && !r.isQuoted(next)
}

// conditional: "once the order has been cancelled", "if it is done", "it is
// possible that it was placed", "so that we can see it is done".
func (r *reading) conditional(e *event) bool {
	s := &r.sentences[e.in]
	if s.roles&(roleSubordinate|roleHedge|rolePurpose|roleInstruct) != 0 && r.conditionBefore(e) {
		return true
	}
	if strings.EqualFold(r.token(s.first), "should") && e.from <= s.first { // "should it have been deleted, …"
		return true
	}
	if (e.shape == state || e.shape == passivePresent) && r.roleWithin(e.verb, s.to, roleSubordinate, 2) { // "it is deleted once …"
		return true
	}
	return (e.shape == state || e.shape == exclaimed || e.shape == passivePresent) && e.from > s.first && r.words[s.first].role&roleSubordinate != 0
}

// conditionBefore reports whether a condition stands before the verb group.
func (r *reading) conditionBefore(e *event) bool {
	purpose := false
	for i := e.from; i < e.chain; i++ {
		role := r.words[i].role
		switch {
		case r.isQuoted(i):
		case role&(roleSubordinate|roleHedge) != 0, purpose && role&(roleModal|roleWill) != 0:
			return true
		case role&rolePurpose != 0:
			purpose = true
		case role&roleInstruct != 0 && (e.shape == passivePresent || e.shape == state || e.shape == present) && !r.weDo(i):
			return true
		}
	}
	return false
}

// weDo reports whether the verb at i has the speaker as its subject.
func (r *reading) weDo(i int) bool {
	for k := i - 1; k >= max(0, i-3); k-- {
		if r.words[k].role&roleFirst != 0 {
			return true
		}
	}
	return false
}

// instructs: "open the task, press Delete, and it is deleted".
func (r *reading) instructs(e *event) bool {
	s := &r.sentences[e.in]
	form := r.tokens[s.first].Form()
	return !r.isQuoted(s.first) && e.aux != 0 && e.from <= e.chain && s.first < e.chain && form.Has(lexicon.Base) && !form.Has(lexicon.Past|lexicon.Noun) && r.words[s.first].role&(roleAffirm|roleBe|roleHave|roleDo) == 0
}

// generic: "a deleted task is gone" speaks of any.
func (r *reading) generic(e *event) bool {
	if e.from < e.chain && (r.token(e.from) == "A" || r.token(e.from) == "An" || r.token(e.from) == "a" || r.token(e.from) == "an") {
		return true
	}
	// "requests are logged with their duration" speaks of all
	first := r.sentences[e.in].first
	return e.shape == passivePresent && e.chain == first+1 && e.from <= first && r.plural(first) && !r.isQuoted(first) && e.aux&roleNow == 0 && e.verb+1 < r.sentences[e.in].to
}

// plural reports whether a word is a noun in the plural, by its ending where
// nobody listed it as one.
func (r *reading) plural(i int) bool {
	form := r.tokens[i].Form()
	return form.Has(lexicon.Plural) || (form == 0 || form.Has(lexicon.Third)) && r.text[r.tokens[i].End-1] == 's'
}

// asked: the event stands in the part of the sentence that asks.
func (r *reading) asked(e *event) bool {
	s := &r.sentences[e.in]
	if !s.asking || r.presupposed(e) {
		return false
	}
	opening := r.words[s.first].role
	if opening&(roleHave|roleBe|roleWas|roleWill|roleModal|roleDo|roleQuestion) != 0 && opening&roleFirst == 0 {
		return true
	}
	for i := e.verb + 1; i < s.to; i++ {
		if r.tokens[i].Kind == lexicon.Comma {
			return false
		}
	}
	return true
}

// presupposed: "anything else, now that it has been deleted?".
func (r *reading) presupposed(e *event) bool {
	for i := e.from; i+1 < e.chain; i++ {
		if r.words[i].role&roleNow != 0 && r.words[i+1].role&roleRelative != 0 {
			return true
		}
	}
	return false
}

// byOthers: "you have added", "the airline cancelled", "cancelled by you".
func (r *reading) byOthers(e *event) bool {
	if e.shape == activePerfect {
		return !r.ours(e)
	}
	s := &r.sentences[e.in]
	if s.roles&roleBy == 0 {
		return false
	}
	for i := e.verb + 1; i < min(e.verb+8, s.to); i++ {
		if r.words[i].role&roleBy != 0 && i+1 < s.to {
			return r.agent(i+1, s.to)
		}
	}
	return false
}

// agent reports whether somebody else is named behind "by": "by the airline",
// not "by mistake", "by two hours", "by us".
func (r *reading) agent(i, to int) bool {
	if r.words[i].role&(roleSecond|roleThird|roleYours) != 0 {
		return true
	}
	if !r.tokens[i].Class().Has(lexicon.Determiner|lexicon.Possessive) || r.words[i].role&roleMine != 0 {
		return false
	}
	for k := i + 1; k < min(to, i+4); k++ {
		if r.tokens[k].Kind == lexicon.Number || r.tokens[k].Class().Has(lexicon.Time) {
			return false
		}
	}
	return true
}

// relative: "orders that have been delivered" tells which ones, not what was
// done.
func (r *reading) relative(e *event) bool {
	return e.subj > r.sentences[e.in].first && r.words[e.subj].role&roleRelative != 0 && e.aux&roleNow == 0 &&
		e.shape >= passivePerfect && e.shape <= passivePresent
}

// ours reports whether the subject of an active verb is the speaker, or the
// system that acts for the speaker.
func (r *reading) ours(e *event) bool {
	s := &r.sentences[e.in]
	if e.subj < s.from {
		return r.words[e.chain].role&roleHave != 0 && r.words[e.chain].form&lexicon.Gerund != 0 && s.roles&roleFirst != 0 // "Having deleted it, I …"
	}
	w := r.words[e.subj]
	return w.role&roleFirst != 0 || w.role&roleSystem != 0 && w.role&roleThis == 0
}

// embedded: what somebody else said, and what is merely welcomed.
func (r *reading) embedded(e *event) void {
	for i := e.from; i < e.chain; i++ {
		w := r.words[i]
		switch {
		case w.role&roleAttitude != 0 && !r.informs(i, e.chain):
			return voidAttitude
		case w.role&roleReport != 0 && i > e.from && r.words[i-1].role&(roleFirst|roleModal|roleTo) == 0:
			return voidReported
		case w.role&roleSecond != 0 && i+1 < e.chain && !(i > 0 && r.words[i-1].cue&cueLet != 0) && r.words[i+1].act == 0 && r.words[i+1].role&verbGroup == 0 && r.words[i+1].form&(lexicon.Past|lexicon.Base) != 0:
			return voidReported
		}
	}
	return 0
}

// informs: "happy to confirm that …" reports what follows.
func (r *reading) informs(from, to int) bool {
	for i := from + 1; i < to; i++ {
		if r.words[i].role&roleInforming != 0 {
			return true
		}
	}
	return false
}
