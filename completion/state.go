package completion

import (
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// ableEvent: "I was able to delete it", "I managed to delete it".
func (r *reading) ableEvent(in, i int) {
	s := &r.sentences[in]
	if i+2 >= s.to || r.words[i+1].role&roleTo == 0 || r.words[i+2].form&lexicon.Base == 0 || r.words[i+2].act == 0 {
		return
	}
	e := event{verb: i + 2, chain: i, from: s.from, in: in, act: r.words[i+2].act, shape: activePast}
	j := i - 1
	for ; j >= s.from && r.words[j].role&verbGroup != 0; j-- {
		e.aux |= r.words[j].role & verbGroup
		e.chain = j
	}
	e.subj = j
	past := e.aux&(roleWas|roleBeen|roleHave) != 0 || r.words[i].form&lexicon.Past != 0
	if past && e.aux&(roleWill|roleModal|roleTo|roleDo) == 0 && j >= s.from && r.words[j].role&roleFirst != 0 {
		r.addEvent(e)
	}
}

// nowEvent: "it is now on your list", "your list now contains it".
func (r *reading) nowEvent(in, i int) {
	s := &r.sentences[in]
	if i == s.first || i+1 >= s.to {
		return
	}
	on := r.words[i-1].role&roleBe != 0 && (r.onContainer(i+1, s.to) || i-2 >= s.from && (r.tokens[i-2].Kind == lexicon.Quote || r.holds(i-2)))
	if on || r.words[i+1].role&roleHolding != 0 && r.holds(i-1) {
		r.addEvent(event{verb: i, chain: i - 1, subj: i - 2, from: s.from, in: in, act: actGeneric, shape: present, aux: roleNow})
	}
}

// longerEvent: "it is no longer on your list", "your list no longer holds it".
func (r *reading) longerEvent(in, i int) {
	s := &r.sentences[in]
	if i < s.first+2 || i+1 >= s.to || r.words[i-1].role&roleNegative == 0 || s.asking {
		return
	}
	if r.words[i-2].role&roleBe != 0 && r.onContainer(i+1, s.to) || r.words[i+1].role&roleHolding != 0 && r.holds(i-2) {
		r.addEvent(event{verb: i, chain: i, subj: i - 2, from: i, in: in, act: actRemove, shape: present})
	}
}

// onYoursEvent: "it is on your list", "it is off your list".
func (r *reading) onYoursEvent(in, i int) {
	s := &r.sentences[in]
	if i-2 > s.first && i+1 < s.to && r.words[i-2].role&roleBe != 0 && r.tokens[i+1].Class().Has(lexicon.Container) {
		e := event{verb: i, chain: i - 2, subj: i - 3, from: s.from, in: in, act: actCreate, shape: passivePresent}
		switch {
		case r.token(i-1) == "off":
			e.act, e.shape = actRemove, present
			r.addEvent(e)
		case r.tokens[i-1].Class().Has(lexicon.Preposition):
			r.addEvent(e)
		}
	}
	if i+4 < s.to && r.confirms(i+1) && r.words[i+3].role&roleBe != 0 {
		r.addEvent(event{verb: i + 3, chain: i + 3, subj: i + 2, from: i, in: in, act: actCreate, shape: present})
	}
}

// confirms: "confirmation number", "booking code": what a call returns, and
// what is invented to look like one.
func (r *reading) confirms(i int) bool {
	if r.words[i].role&roleEffect == 0 && r.words[i].noun&actCreate == 0 {
		return false
	}
	switch strings.ToLower(r.token(i + 1)) {
	case "number", "code", "id", "reference":
		return true
	}
	return false
}

// onContainer: "on your list", "in the calendar".
func (r *reading) onContainer(i, to int) bool {
	if !r.tokens[i].Class().Has(lexicon.Preposition) {
		return false
	}
	for k := i + 1; k < min(to, i+5); k++ {
		if r.tokens[k].Class().Has(lexicon.Container) {
			return true
		}
	}
	return false
}

// holds reports whether the word is a thing that holds others, or one that a
// tool changes.
func (r *reading) holds(i int) bool {
	return r.tokens[i].Class().Has(lexicon.Container) || r.tools.names(&r.tokens[i], r.token(i))
}

// stateEvent reads "is complete", "are done", "Done!".
func (r *reading) stateEvent(in, i int) {
	s := &r.sentences[in]
	e := event{verb: i, chain: i, in: in, from: s.from, act: actGeneric}
	if gone := r.words[i].noun; gone != 0 {
		e.act = gone
	}
	j := i - 1
	for ; j >= s.from && (r.words[j].role&verbGroup != 0 || r.skippable(j) || r.words[j].form == lexicon.Adverb); j-- {
		e.aux |= r.words[j].role & verbGroup
		e.chain = j
	}
	e.subj = j
	switch {
	case e.aux&(roleWill|roleModal|roleTo|roleDo) != 0:
		return
	case e.aux&(roleBe|roleWas) != 0 && j >= s.from, j >= s.from && e.aux == 0 && r.endsReport(i, s.to) && r.namesAct(j, s):
		e.shape = state
	case r.success(i, s.to):
		e.shape = exclaimed
	case i == s.first && (i+1 == s.to || r.tokens[i+1].Kind > lexicon.Name || r.words[i+1].role&(roleNow|roleAnd) != 0):
		e.shape = exclaimed
	default:
		return
	}
	r.addEvent(e)
}

// endsReport reports whether a headline ends behind the word at i: with its
// line, a colon, or a sign of joy.
func (r *reading) endsReport(i, to int) bool {
	return i+1 == to || r.tokens[i+1].Kind == lexicon.Symbol && r.text[r.tokens[i+1].Start] >= utf8.RuneSelf || r.token(i+1) == ":"
}

// namesAct: "deletion", or the gerund or bare verb that begins a headline:
// "Refactoring complete", "Export complete".
func (r *reading) namesAct(i int, s *sentence) bool {
	w := r.words[i]
	return w.noun&^(actGeneric|actMoney) != 0 || i == s.first && w.form&(lexicon.Gerund|lexicon.Base) != 0 && w.act&changing&^(actGeneric|actMoney) != 0
}

// success: "success: true", as tools write it.
func (r *reading) success(i, to int) bool {
	if r.words[i].role&roleSucceed == 0 {
		return false
	}
	for k := i + 1; k < min(to, i+5); k++ {
		if r.tokens[k].IsWord() {
			return k > i+1 && r.token(k) == "true"
		}
	}
	return false
}
