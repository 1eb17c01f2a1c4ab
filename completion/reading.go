package completion

import (
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/intent/lexicon"
)

// reading is a text cut into sentences, and what its verbs report. It is
// reused from one text to the next, so that reading allocates nothing once
// its slices have grown.
type reading struct {
	vocabulary *vocabulary
	text       string
	tokens     []lexicon.Token
	words      []*word // of each token; never nil
	sentences  []sentence
	events     []event
	json       bool // the text was unwrapped: its lines are fields, not headlines
	quoted     bool // the whole text is one quotation, so quotation says nothing
	tools      *toolWords
}

// sentence is a stretch of tokens up to a full stop or the end of a line.
type sentence struct {
	from, to int // tokens [from,to), the stop not included
	first    int // the first word; to if there is none
	asking   bool
	listed   bool // a line that begins with a bullet, a number or a tick
	ticked   bool // … with a tick
	roles    role // all roles of its words
	cues     cue
	words    int // how many there are
	unknown  int // … that nobody listed
	wide     int // … with letters beyond ASCII
}

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
	host  *phrase // of a hosted event
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

// read cuts the text and finds its events.
func (r *reading) read(text string) {
	r.cut(text)
	for i := range r.sentences {
		r.readSentence(i)
	}
}

// wholeQuotation reports whether the text is put in quotation marks as a whole.
func (r *reading) wholeQuotation() bool {
	n := len(r.tokens)
	return n > 2 && r.tokens[0].Kind == lexicon.Quote && r.tokens[n-1].Kind == lexicon.Quote && !r.tokens[0].Has(lexicon.Quoted) &&
		r.tokens[1].Has(lexicon.Quoted) && r.tokens[n-2].Has(lexicon.Quoted)
}

// cut looks up the words of a text and finds its sentences, in one pass.
func (r *reading) cut(text string) {
	r.text = text
	r.tokens = r.vocabulary.language.Tokenize(r.tokens[:0], text)
	r.words, r.sentences, r.events = r.words[:0], r.sentences[:0], r.events[:0]
	r.quoted = r.wholeQuotation()
	s := sentence{first: -1}
	line := 0
	for i := range r.tokens {
		t := &r.tokens[i]
		w := noWord
		if t.Kind <= lexicon.Name {
			w = r.vocabulary.find(t.Hash)
			r.count(&s, i, t, w)
		}
		r.words = append(r.words, w)
		const limit = 300 // tokens; what is longer is no sentence, and reading must stay linear
		switch {
		case t.Kind == lexicon.End:
			if s.from == line && r.numbering(&s, i) {
				continue
			}
			s.asking = t.Has(lexicon.Asking)
		case t.Kind == lexicon.Break:
			line = i + 1
		case i-s.from < limit:
			continue
		}
		r.addSentence(&s, i)
		s = sentence{from: i + 1, first: -1}
	}
	r.addSentence(&s, len(r.tokens))
}

// count adds a word to its sentence.
func (r *reading) count(s *sentence, i int, t *lexicon.Token, w *word) {
	if s.first < 0 {
		s.first = i
	}
	s.roles |= w.role
	s.cues |= w.cue
	if t.Kind != lexicon.Word || r.isQuoted(i) {
		return
	}
	s.words++
	if t.Entry == nil && w == noWord {
		s.unknown++
		if r.text[t.Start] >= utf8.RuneSelf {
			s.wide++
		}
	}
}

// numbering reports whether a line has nothing but a number so far: "1.".
func (r *reading) numbering(s *sentence, to int) bool {
	return s.first >= 0 && s.words == 0 && to > s.from && r.tokens[s.first].Kind == lexicon.Number
}

func (r *reading) addSentence(s *sentence, to int) {
	if s.to = to; s.first >= 0 {
		r.mark(s)
		r.sentences = append(r.sentences, *s)
	}
}

// mark looks for a bullet or a tick before the first word.
func (r *reading) mark(s *sentence) {
	for i := s.from; i < s.first; i++ {
		if r.tokens[i].Kind != lexicon.Symbol {
			continue
		}
		switch symbol := r.token(i); symbol {
		case "-", "*", "•", "·", "–":
			s.listed = true
		case "✅", "✓", "✔", "☑", "🎉":
			s.listed, s.ticked = true, true
		}
	}
	if r.tokens[s.first].Kind == lexicon.Number && s.first+1 < s.to && r.tokens[s.first+1].Kind > lexicon.Name {
		s.listed = true
		for s.first++; s.first+1 < s.to && !r.tokens[s.first].IsWord(); s.first++ {
		}
	}
}

func (r *reading) token(i int) string { return r.text[r.tokens[i].Start:r.tokens[i].End] }

// slice is the text from one token to the end of another, exclusive.
func (r *reading) slice(from, to int) string {
	if from >= to {
		return ""
	}
	return strings.TrimSpace(r.text[r.tokens[from].Start:r.tokens[to-1].End])
}

// isQuoted reports whether the token stands in a quotation.
func (r *reading) isQuoted(i int) bool { return !r.quoted && r.tokens[i].Has(lexicon.Quoted) }

// skippable marks stand between the words of a verb group: **, _, emoji.
func (r *reading) skippable(i int) bool { return r.tokens[i].Kind == lexicon.Symbol }

const verbGroup = roleHave | roleBe | roleWas | roleBeen | roleBeing | roleWill | roleModal | roleDo | roleTo | roleNegative | roleNow | roleEarlier | roleAdverb

// readSentence finds the events of one sentence.
func (r *reading) readSentence(in int) {
	s := &r.sentences[in]
	for i := s.from; i < s.to; i++ {
		w := r.words[i]
		if !w.trigger {
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
	on := r.words[i-1].role&roleBe != 0 && r.onContainer(i+1, s.to)
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

// onYoursEvent: "it is on your list".
func (r *reading) onYoursEvent(in, i int) {
	s := &r.sentences[in]
	if i-2 > s.first && i+1 < s.to && r.words[i-2].role&roleBe != 0 && r.tokens[i-1].Class().Has(lexicon.Preposition) && r.tokens[i+1].Class().Has(lexicon.Container) {
		r.addEvent(event{verb: i, chain: i - 2, subj: i - 3, from: s.from, in: in, act: actCreate, shape: passivePresent})
	}
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
	if r.tokens[i].Class().Has(lexicon.Container) {
		return true
	}
	for k := range r.tools.all() {
		if info := &r.tools.infos[k]; !info.reads && info.names(&r.tokens[i], r.token(i), r.vocabulary) {
			return true
		}
	}
	return false
}

// foreign looks at a word that the vocabulary lacks: it may be the participle
// of a tool's own verb ("refuelled"), or a tool's name.
func (r *reading) foreign(in, i int) {
	if token := r.token(i); len(token) > 4 && token[len(token)-2:] == "ed" {
		r.verbEvent(in, i)
	}
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
	if w.act != 0 && w.role&roleSaying == 0 {
		return w.act
	}
	return r.tools.verb(&r.tokens[i], r.token(i))
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
	if e.act = r.actAt(in, i); e.act != 0 && (e.shape != fragment || e.act&actMoney == 0) {
		r.addEvent(e)
	} else if r.words[i].role&roleComplete != 0 && e.act == 0 {
		r.stateEvent(in, i)
	}
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

// wentAhead: "I went ahead and", "I've gone ahead and".
func (r *reading) wentAhead(and, from int) bool {
	return and-3 >= from && r.words[and].role&roleAnd != 0 && r.token(and-1) == "ahead" && r.words[and-2].role&roleWent != 0 &&
		r.words[and-3].role&(roleFirst|roleHave) != 0
}

// clauseBetween reports whether another clause begins between two verbs.
func (r *reading) clauseBetween(from, to int) bool {
	for i := from; i < to; i++ {
		if r.words[i].role&(roleBe|roleWas|roleHave|roleWill|roleFirst|roleSecond) != 0 && !r.isQuoted(i) {
			return true
		}
	}
	return false
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
	if r.json || w.form&lexicon.Base != 0 && !r.afterNoun(e.verb, s.first) || s.listed && !s.ticked || e.aux&roleTo != 0 {
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
	if leads {
		return !r.modifies(e.verb, s.to) && !(e.verb+1 < s.to && r.words[e.verb+1].role&roleBy != 0)
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
			return r.tokens[i].Class().Has(lexicon.Preposition)
		}
	}
	return true
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
	case e.aux&(roleBe|roleWas) != 0 && j >= s.from, j >= s.from && e.aux == 0 && i+1 == s.to && r.words[j].noun&^(actGeneric|actMoney) != 0:
		e.shape = state
	case i == s.first && (i+1 == s.to || r.tokens[i+1].Kind > lexicon.Name || r.words[i+1].role&(roleNow|roleAnd) != 0):
		e.shape = exclaimed
	default:
		return
	}
	r.addEvent(e)
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
	e.from = r.clauseStart(e.from, e.chain)
	if last != nil && e.from > s.from && r.words[e.from].role&roleAnd != 0 || last != nil && r.joins(e.from) {
		e.aux |= last.aux & roleEarlier
	}
	if !inherited && e.void == 0 {
		e.void = r.voids(&e)
	}
	r.events = append(r.events, e)
}

// joins reports whether the clause at from goes on with "and".
func (r *reading) joins(from int) bool {
	return from > 0 && r.words[from-1].role&roleAnd != 0
}

// afterAnd is the place behind the first "and" between two tokens.
func (r *reading) afterAnd(from, to int) int {
	for i := from; i < to; i++ {
		if r.words[i].role&(roleAnd|roleBut) != 0 || r.tokens[i].Kind == lexicon.Comma {
			return i + 1
		}
	}
	return from
}

// clauseStart is the place behind the last comma before a verb group, unless
// the comma only separates the members of a list.
func (r *reading) clauseStart(from, chain int) int {
	depth := 0
	for i := chain - 1; i >= from; i-- {
		switch r.tokens[i].Kind {
		case lexicon.Symbol:
			switch r.text[r.tokens[i].Start] {
			case ')':
				depth++
			case '(':
				depth--
			}
		case lexicon.Comma:
			if depth <= 0 && !r.listComma(i, from, chain) {
				return i + 1
			}
		}
		if depth < 0 || depth == 0 && r.words[i].role&roleBut != 0 && !r.isQuoted(i) {
			return i + 1
		}
	}
	return from
}

// listComma reports whether a comma stands between the members of a list that
// is the subject: "A, B, and C have been cancelled".
func (r *reading) listComma(comma, from, chain int) bool {
	if r.token(comma) != "," {
		return false
	}
	for i := comma + 1; i < chain; i++ {
		switch {
		case r.words[i].role&roleAnd != 0:
			return comma > from && r.opens(from, comma)
		case r.words[i].role&(roleFirst|roleSecond|roleMine|roleYours|roleThis) != 0:
			return false
		}
	}
	return false
}

// opens reports whether a noun phrase begins at from: nothing before the comma
// is a verb or a subordinate clause.
func (r *reading) opens(from, comma int) bool {
	for i := from; i < comma; i++ {
		w := r.words[i]
		if w.role&(roleSubordinate|roleFactive|roleFirst|roleSecond|roleBe|roleHave|roleAffirm) != 0 {
			return false
		}
	}
	return true
}

// limit says where the object of each event of a sentence ends: where the
// clause of the next one begins.
func (r *reading) limit(in int) {
	end := r.sentences[in].to
	for i := len(r.events) - 1; i >= 0 && r.events[i].in == in; i-- {
		e := &r.events[i]
		e.to = end
		end = max(e.from, 0)
		if e.from <= e.verb && i > 0 && r.events[i-1].in == in && r.events[i-1].verb < e.chain {
			end = r.beforeClause(r.events[i-1].verb+1, e)
		}
	}
}

// beforeClause is the end of the object of the event before e.
func (r *reading) beforeClause(from int, e *event) int {
	if e.from > from {
		return e.from
	}
	for i := e.chain - 1; i >= from; i-- {
		if r.words[i].role&roleAnd != 0 || r.tokens[i].Kind == lexicon.Comma {
			return i
		}
	}
	return e.chain
}
