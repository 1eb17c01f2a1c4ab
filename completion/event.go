package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// event is a verb, or a word in its place, that may report work.
type event struct {
	verb  int // token
	chain int // the first auxiliary, or the verb
	from  int // where its clause begins
	to    int // where its object ends
	in    int // sentence
	shape shape
	aux   role
	subj  int // the last token of the subject, or from-1
	act   act
	void  void
	host  *phrase  // of a hosted event
	noun  [2]int32 // where its head noun phrase begins and ends, once somebody asked
}

// shape is the grammar of an event.
type shape uint8

const (
	activePerfect  shape = iota + 1 // I have cancelled it
	activePast                      // I cancelled it
	passivePerfect                  // it has been cancelled
	passivePast                     // it was cancelled
	passivePresent                  // it is (now) cancelled
	inProgress                      // you are being transferred
	fragment                        // Order cancelled. Deleted: milk
	state                           // the change is complete
	present                         // your list now contains it
	exclaimed                       // Done!
	called                          // delete_task returned success
	hosted                          // a phrase of the host's own
)

// void says why an event is no claim; the zero value is one that may be.
type void uint8

const (
	voidNegated void = iota + 1
	voidFuture
	voidCondition
	voidQuestion
	voidQuotation
	voidOther // somebody else did it
	voidReported
	voidAttitude
)

const verbGroup = roleHave | roleBe | roleWas | roleBeen | roleBeing | roleWill | roleModal | roleDo | roleTo | roleNegative | roleNow | roleEarlier | roleAdverb

// readSentence finds the events of one sentence.
func (r *reading) readSentence(in int) {
	s := &r.sentences[in]
	if r.silent(s) {
		return
	}
	for k, w := range r.words[s.from:s.to] {
		i := s.from + k
		if w.trigger == 0 {
			if w == noWord && r.tokens[i].Kind == lexicon.Word {
				r.foreign(in, i)
			}
			continue
		}
		switch {
		case w.role&roleAble != 0:
			r.ableEvent(in, i)
		case w.form&(lexicon.Past|lexicon.Participle) != 0 || w.role&(roleComplete|rolePhrase) != 0:
			r.readVerb(in, i)
		case w.role&roleNow != 0:
			r.nowEvent(in, i)
		case w.role&roleLonger != 0:
			r.longerEvent(in, i)
		case w.role&roleYours != 0:
			r.onYoursEvent(in, i)
		}
	}
	r.limit(in)
}

// silent reports whether no word of a sentence can begin a report.
func (r *reading) silent(s *sentence) bool {
	if s.triggers&triggerVerb != 0 || r.thorough {
		return false
	}
	return s.triggers == 0 || s.roles&(roleBe|roleHolding) == 0
}

// foreign looks at a word that the vocabulary lacks: it may be the participle
// of a tool's own verb ("refuelled"), or a tool's name.
func (r *reading) foreign(in, i int) {
	if r.looksPast(i) {
		r.verbEvent(in, i)
	}
}

// looksPast reports whether a word ends as a regular participle does.
func (r *reading) looksPast(i int) bool {
	t := &r.tokens[i]
	return t.End-t.Start > 4 && r.text[t.End-2:t.End] == "ed"
}

// readVerb makes an event of a listed word.
func (r *reading) readVerb(in, i int) {
	w := r.words[i]
	if w.role&rolePhrase != 0 && r.readPhrase(in, i) {
		return
	}
	if w.role&roleDo != 0 && (i+1 >= r.sentences[in].to || r.words[i+1].role&(roleThis|roleAll) == 0) {
		return // "I did not delete it"
	}
	if w.form&(lexicon.Past|lexicon.Participle) != 0 {
		r.verbEvent(in, i)
	} else if w.role&roleComplete != 0 {
		r.stateEvent(in, i)
	}
}

// actAt is the act of the verb at a token: with its particle, by its family,
// or as the verb of one of the tools.
func (r *reading) actAt(in, i int) act {
	w := r.words[i]
	if phrasal := r.phrasal(in, i); phrasal != 0 {
		return phrasal
	}
	if r.happens(in, i) {
		return 0
	}
	if w.act != 0 && (w.role&roleSaying == 0 || r.notes(i)) {
		return w.act
	}
	if r.informsOthers(in, i) {
		return actSend
	}
	if r.leavesSome(in, i) {
		return actCreate
	}
	return r.tools.verb(&r.tokens[i], r.token(i))
}

// happens: one runs out of time or into an error, and does nothing by it.
func (r *reading) happens(in, i int) bool {
	entry := r.tokens[i].Entry
	if entry == nil || entry.Lemma != "run" || i+1 >= r.sentences[in].to {
		return false
	}
	switch r.token(i + 1) {
	case "out", "into", "low", "short", "late":
		return true
	}
	return false
}

// informsOthers: "I've informed the warehouse" is no talk with the user.
func (r *reading) informsOthers(in, i int) bool {
	entry := r.tokens[i].Entry
	if entry == nil || entry.Lemma != "inform" || i+2 >= r.sentences[in].to || r.words[i+2].role&(roleThird|roleSecond) != 0 {
		return false
	}
	return r.tokens[i+1].Class().Has(lexicon.Determiner) || r.words[i+1].role&(roleMine|roleYours) != 0
}

// leavesSome: "I've left a note on it", not "I've left it as it is".
func (r *reading) leavesSome(in, i int) bool {
	entry := r.tokens[i].Entry
	return entry != nil && entry.Lemma == "leave" && i+2 < r.sentences[in].to && (r.token(i+1) == "a" || r.token(i+1) == "an") && r.tools.names(&r.tokens[i+2], r.token(i+2))
}

// notes: "I've noted that" is an act where there is a tool for notes.
func (r *reading) notes(i int) bool {
	entry := r.tokens[i].Entry
	if entry == nil || !entry.Families.Has(lexicon.Remember) {
		return false
	}
	infos := r.tools.all()
	for k := range infos {
		for n := range infos[k].count {
			if noun := infos[k].nouns[n].entry; !infos[k].reads && noun != nil && (noun.Lemma == "memory" || noun.Lemma == "note") {
				return true
			}
		}
	}
	return false
}

// phrasal is the act of a verb and the particle behind it: took … off.
func (r *reading) phrasal(in, i int) act {
	entry := r.tokens[i].Entry
	if entry == nil {
		return 0
	}
	for k := i + 1; k < min(i+8, r.sentences[in].to); k++ {
		if particle := r.tokens[k].Entry; particle != nil && particle.Class.Has(lexicon.Particle) && !r.isQuoted(k) {
			if families := r.vocabulary.language.Phrasal(entry, particle); !families.Empty() {
				return actsOf(families)
			}
		}
	}
	return 0
}

// verbEvent reads the verb group to the left of a participle or past form.
func (r *reading) verbEvent(in, i int) {
	s := &r.sentences[in]
	e := event{verb: i, chain: i, in: in, from: s.from}
	j := i - 1
	for ; j >= s.from; j-- {
		w := r.words[j]
		if r.skippable(j) {
			continue
		}
		if w.role&verbGroup == 0 && !(w.form == lexicon.Adverb || w == noWord && strings.HasSuffix(r.token(j), "ly")) {
			break
		}
		if w.role&roleAnd != 0 && w.role&roleAdverb == 0 {
			break
		}
		e.aux |= w.role & verbGroup
		e.chain = j
	}
	e.subj = j
	if i+1 < s.to {
		e.aux |= r.words[i+1].role & (roleNow | roleEarlier)
	}
	if !r.shape(&e) {
		return
	}
	if e.shape == passivePresent && r.words[i].role&roleComplete != 0 && e.void == 0 { // "it is done"
		r.stateEvent(in, i)
		return
	}
	if e.act = r.actAt(in, i); e.act != 0 && (e.shape != fragment || e.act&actMoney == 0 || r.headline(s)) {
		r.addEvent(e)
	} else if r.words[i].role&roleComplete != 0 && e.act == 0 {
		r.stateEvent(in, i)
	}
}

// headline: "Refund issued ✅" is all that its line says, and no entry of a list.
func (r *reading) headline(s *sentence) bool {
	const most = 5 // words
	return !s.listed && s.words <= most
}

// shape decides the grammar of an event; false if it is none.
func (r *reading) shape(e *event) bool {
	w := r.words[e.verb]
	participle := w.form&lexicon.Participle != 0 || w == noWord || w.form == 0
	past := w.form&lexicon.Past != 0 || w.form == 0
	switch {
	case e.aux&(roleWill|roleModal|roleTo|roleDo) != 0:
		e.void = voidFuture
		e.shape = passivePerfect
		return e.aux&(roleBe|roleWas|roleBeen|roleHave) != 0
	case e.aux&roleBeing != 0:
		e.shape = inProgress
	case e.aux&roleBeen != 0 && e.aux&(roleHave|roleBe) != 0:
		e.shape = passivePerfect
	case e.aux&roleHave != 0:
		e.shape = activePerfect
	case e.aux&roleWas != 0:
		e.shape = passivePast
	case e.aux&roleBe != 0:
		e.shape = passivePresent
	default:
		return past && r.bare(e) || participle && r.fragment(e)
	}
	return participle
}

// bare is a past form without auxiliary: the subject must be we, or the verb
// goes on where the one before it left off.
func (r *reading) bare(e *event) bool {
	s := &r.sentences[e.in]
	if e.subj >= s.from && r.words[e.subj].role&roleFirst != 0 {
		e.shape = activePast
		return true
	}
	if e.subj < s.from || e.subj == s.first {
		return false
	}
	if r.wentAhead(e.subj, s.from) {
		e.shape, e.subj = activePast, s.from
		return true
	}
	if r.words[e.subj].role&roleAnd != 0 && r.words[s.first].role&roleFirst != 0 && r.lastIn(e.in) == nil && r.toldOf(s.first+1, e.subj) {
		e.shape, e.subj = activePast, s.first
		return true
	}
	joined := r.token(e.subj) == "," || r.words[e.subj].role&roleAnd != 0
	last := r.lastIn(e.in)
	if !joined || last == nil || last.shape == fragment || r.clauseBetween(last.verb+1, e.subj) {
		return false
	}
	e.shape, e.void, e.subj = last.shape, last.void, last.subj
	e.aux |= last.aux
	if last.shape == activePerfect || last.shape == activePast {
		e.from = last.verb + 1
	} else {
		e.from = last.from
	}
	return true
}

// toldOf reports whether a plain past stands between two tokens: "I went
// through your notes and found …".
func (r *reading) toldOf(from, to int) bool {
	for from < to && r.words[from].role&(roleHave|roleNow|roleAdverb) != 0 {
		from++
	}
	return from < to && r.words[from].form&lexicon.Past != 0 && !r.clauseBetween(from+1, to)
}

// wentAhead: "I went ahead and", "I've gone ahead and".
func (r *reading) wentAhead(and, from int) bool {
	return and-3 >= from && r.words[and].role&roleAnd != 0 && r.token(and-1) == "ahead" && r.words[and-2].role&roleWent != 0 &&
		r.words[and-3].role&(roleFirst|roleHave) != 0
}

// lastIn is the last event of a sentence; nil if there is none.
func (r *reading) lastIn(in int) *event {
	if n := len(r.events); n > 0 && r.events[n-1].in == in {
		return &r.events[n-1]
	}
	return nil
}

const finite = roleHave | roleBe | roleWas | roleBeen | roleWill | roleModal | roleDo | roleTo | roleSecond | roleSubordinate | roleRelative

// fragment is a report without a finite verb: "Task deleted.", "Added: milk".
// Forms that may also be the base ("set", "run") are instructions as often.
func (r *reading) fragment(e *event) bool {
	s := &r.sentences[e.in]
	w := r.words[e.verb]
	if r.json || w.form&lexicon.Base != 0 && !r.afterNoun(e.verb, s.first) || e.aux&roleTo != 0 {
		return false
	}
	leads := r.leads(e)
	if !leads && (s.roles&roleFirst != 0 || s.cues&cuePlease != 0) {
		return false
	}
	if s.roles&(finite&^roleTo) != 0 && !(leads && r.closed(e.verb, s.to)) {
		return false
	}
	e.shape = fragment
	switch {
	case e.verb+1 < s.to && r.words[e.verb+1].role&roleBy != 0: // "ordered by mistake"
		return false
	case leads:
		return !r.modifies(e.verb, s.to)
	}
	return r.endsPhrase(e.verb, s.to)
}

// afterNoun: "Reminder set for Friday".
func (r *reading) afterNoun(verb, first int) bool {
	return verb == first+1 && r.words[verb].role&roleComplete != 0 && r.tokens[first].Form().Has(lexicon.Noun) && !r.tokens[first].Form().Has(lexicon.Base)
}

// closed reports whether a comma ends the fragment before a finite verb:
// "Deleted, as you can see".
func (r *reading) closed(from, to int) bool {
	for i := from; i < to; i++ {
		if r.tokens[i].Kind == lexicon.Comma {
			return true
		}
		if r.words[i].role&(finite&^roleTo) != 0 {
			return false
		}
	}
	return true
}

// leads reports whether only adverbs and marks stand before the verb.
func (r *reading) leads(e *event) bool {
	s := &r.sentences[e.in]
	for i := s.first; i < e.verb; i++ {
		if r.tokens[i].Kind == lexicon.Number && i == s.first || r.words[i].role&(roleNow|roleAdverb) != 0 || r.tokens[i].Kind > lexicon.Name {
			continue
		}
		return false
	}
	return true
}

// modifies reports whether the participle belongs to a heading's noun:
// "Updated Reservation Details:".
func (r *reading) modifies(verb, to int) bool {
	for i := verb + 1; i < to; i++ {
		if r.tokens[i].Kind == lexicon.Comma {
			return i > verb+1 && r.token(i) == ":"
		}
	}
	return false
}

// endsPhrase reports whether a participle behind a noun closes the phrase.
func (r *reading) endsPhrase(verb, to int) bool {
	for i := verb + 1; i < to; i++ {
		switch {
		case r.tokens[i].Kind > lexicon.Name:
			if r.tokens[i].Kind == lexicon.Comma {
				return true
			}
		case r.words[i].role&roleNow != 0:
		default:
			return r.tokens[i].Class().Has(lexicon.Preposition) || r.words[i].role&roleAnd != 0
		}
	}
	return true
}

// addEvent finds where the clause of an event begins, and what voids it.
func (r *reading) addEvent(e event) {
	s := &r.sentences[e.in]
	last := r.lastIn(e.in)
	if last != nil && last.chain == e.chain && last.verb == e.verb {
		return
	}
	if last != nil && e.from <= last.verb && e.from != last.from {
		e.from = last.verb + 1
	}
	inherited := e.void != 0 && e.void != voidFuture
	if e.from <= s.from && last != nil && e.subj != last.subj {
		e.from = r.afterAnd(last.verb+1, e.chain)
	}
	e.from = r.clauseStart(min(e.from, e.chain), e.chain) // the event before may end behind this one's verb
	if last != nil && e.from > s.from && r.words[e.from].role&roleAnd != 0 || last != nil && r.joins(e.from) {
		e.aux |= last.aux & roleEarlier
		if last.void != 0 && r.roleWithin(last.from-1, last.chain, roleSubordinate, last.chain-last.from+1) && e.shape != activePerfect && e.shape != activePast {
			e.void = voidCondition // "until it is processed and the label is created"
		}
	}
	if !inherited && e.void == 0 {
		e.void = r.voids(&e)
	}
	r.events = append(r.events, e)
}
