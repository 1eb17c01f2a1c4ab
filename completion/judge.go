package completion

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// judge is the state of one Evaluate. Judges are reused; release drops every
// reference to the turn.
type judge struct {
	turn  *Turn // points to own, which keeps the turn off the heap
	own   Turn
	text  reading
	talk  reading // the user's message, and the assistant's before it
	tools toolWords

	heard      string // the message that talk holds
	spoke      memo   // whether the text before was about a failure
	askedReady bool
	agreed     bool // the user agreed to what was said before
	asked      act  // the changes that this turn's request asks for

	signals signals
	ids     []string // the identifiers of the text, once somebody asked

	lastFits fitQuestion
	claims   []Claim
}

func newJudge(v *vocabulary) *judge {
	j := &judge{}
	j.text.vocabulary, j.talk.vocabulary, j.tools.vocabulary = v, v, v
	j.text.tools = &j.tools
	return j
}

func (j *judge) reset(turn Turn) {
	j.own = turn
	j.turn, j.askedReady, j.asked, j.claims = &j.own, false, 0, nil
	j.heard, j.spoke, j.ids, j.agreed = "", 0, nil, false
	j.forgetFits()
	j.tools.reset(j.turn)
}

// release drops what belongs to the turn, so that a pooled judge keeps no text
// alive.
func (j *judge) release() {
	j.own = Turn{}
	j.turn, j.claims, j.text.text, j.talk.text, j.heard = nil, nil, "", "", ""
	const keep = 1 << 14 // tokens; what a rare long text needed is given back
	if cap(j.text.tokens) > keep {
		j.text = reading{vocabulary: j.text.vocabulary, tools: j.text.tools}
	}
	j.forgetFits()
	clear(j.lastFits.found[:cap(j.lastFits.found)])
	j.tools.turn = nil
	for i := range j.tools.infos {
		j.tools.infos[i].tool = nil
	}
}

// forgetFits drops the last answer of fits: another event may take its place.
func (j *judge) forgetFits() {
	j.lastFits = fitQuestion{found: j.lastFits.found[:0]}
}

// memo remembers the answer to a yes-or-no question; the zero value is "not
// asked yet".
type memo uint8

const (
	memoNo memo = iota + 1
	memoYes
)

// hear cuts a message into words, unless it was the last one heard.
func (j *judge) hear(message string) {
	const limit = 4000 // bytes; the end of a long message is what it asks for
	if len(message) > limit {
		message = message[len(message)-limit:]
	}
	if j.heard != message || message == "" {
		j.talk.cut(message)
		j.heard = message
	}
}

// findClaims turns the events of the text into claims, with their evidence.
func (j *judge) findClaims() {
	for i := range j.text.events {
		e := &j.text.events[i]
		if e.void != 0 {
			continue
		}
		if claim, ok := j.claim(e); ok {
			if j.claims == nil {
				j.claims = make([]Claim, 0, min(len(j.text.events)-i, 16))
			}
			j.claims = append(j.claims, claim)
		}
	}
}

// claim makes a claim of an event; false if it claims nothing that a record
// would have to back.
func (j *judge) claim(e *event) (Claim, bool) {
	c := Claim{Rule: ruleNames[e.shape], Earlier: j.looksBack(e)}
	j.settle(e)
	switch {
	case e.shape == hosted:
		c.Kind, c.Rule = ClaimChange, e.host.rule
		c.By, c.Fault = j.backHosted(e, &c)
	case e.act == actRead && e.active():
		if j.aboutTalk(e) {
			return c, false
		}
		c.Kind = ClaimLookup
		c.By, c.Fault = j.backLookup(e, &c)
	case j.change(e):
		c.Kind = ClaimChange
		if c.By, c.Fault = j.backChange(e, &c); j.stretches(e, c.By) {
			c.By, c.Fault = nil, faultSubject
		}
	default:
		return c, false
	}
	if !c.Backed() && (j.fiction() || j.inLetter(e)) {
		return c, false
	}
	c.Text = j.text.slice(e.from, max(e.to, e.verb+1))
	return c, true
}

func (e *event) active() bool { return e.shape == activePerfect || e.shape == activePast }

// looksBack reports whether the clause speaks of earlier work.
func (j *judge) looksBack(e *event) bool {
	if e.aux&roleEarlier != 0 {
		return true
	}
	if j.text.sentences[e.in].roles&(roleEarlier|roleFactive|rolePurpose|roleWhen|roleNow) == 0 {
		return false
	}
	for i := e.from; i < e.to; i++ {
		role := j.text.words[i].role
		switch {
		case j.text.isQuoted(i):
		case role&roleEarlier != 0, i < e.chain && role&(roleFactive|rolePurpose) != 0, i > e.verb && role&roleWhen != 0:
			return true
		case i+1 < e.chain && role&roleNow != 0 && j.text.words[i+1].role&roleRelative != 0: // "now that"
			return true
		}
	}
	return false
}

// settle decides the act of a verb that may stand for several.
func (j *judge) settle(e *event) {
	if noun := j.target(e); noun != 0 {
		e.act = noun
		return
	}
	if e.act&(actGeneric|actCreate) != 0 {
		if noun := j.nominal(e); noun != 0 && (e.act&actGeneric != 0 || noun&(actMoney|actRead|actCreate) == 0) { // "a return has been created"
			e.act = noun
			return
		}
	}
	if e.active() && (e.act&actRead != 0 || e.act&actRun != 0 && j.nominal(e) == actRead) { // "I ran a search"
		e.act = actRead
	}
	if e.act&(actCreate|actUpdate|actReturn|actSend) != 0 && (j.aboutMoney(e) || !e.active() && j.follows(e)) {
		e.act = actMoney
	}
}

// target is the act behind "for" or "as": "registered for return".
func (j *judge) target(e *event) act {
	for i := e.verb + 1; i < min(e.verb+3, e.to); i++ {
		if word := j.text.token(i); word == "for" || word == "as" {
			if i+1 < e.to {
				return j.text.words[i+1].noun &^ (actGeneric | actMoney | actRead)
			}
		}
	}
	return 0
}

// nominal is the act that the noun of a generic verb names: "the cancellation
// has been processed".
func (j *judge) nominal(e *event) act {
	from, to := j.head(e)
	if e.active() && j.reduced(e) { // "the search I performed"
		from, to = e.from, e.subj
	}
	var found act
	for i := from; i < to; i++ {
		if noun := j.text.words[i].noun &^ actGeneric; noun != 0 && !j.text.isQuoted(i) {
			found = noun
		}
	}
	return found
}

// aboutMoney: "$5 has been added to your balance" follows from a change.
func (j *judge) aboutMoney(e *event) bool {
	from, to := j.head(e)
	for i := from; i < to; i++ {
		if j.text.words[i].role&roleMoney != 0 || j.text.tokens[i].Kind == lexicon.Symbol && j.text.token(i) == "$" {
			return true
		}
	}
	return false
}

// follows: "a confirmation email has been sent" follows from a change, unless
// a tool sends such things.
func (j *judge) follows(e *event) bool {
	from, to := j.head(e)
	for i := to - 1; i >= from; i-- {
		if j.content(i) {
			return j.text.words[i].role&roleEffect != 0 && !j.hasToolFor(i)
		}
	}
	return false
}

// hasToolFor reports whether a changing tool has the word among its nouns.
func (j *judge) hasToolFor(i int) bool {
	return j.tools.names(&j.text.tokens[i], j.text.token(i))
}

// toolWithin reports whether a changing tool has a word between two tokens
// among its nouns.
func (j *judge) toolWithin(from, to int) bool {
	for i := from; i < to; i++ {
		if j.content(i) && !j.text.isQuoted(i) && j.hasToolFor(i) {
			return true
		}
	}
	return false
}

// aboutTalk: "I have reviewed your request" needs no tool, and neither does
// reading what the user pasted.
func (j *judge) aboutTalk(e *event) bool {
	const pasted = 400 // bytes of a message that holds more than a request
	if entry := j.text.tokens[e.verb].Entry; entry != nil && len(j.turn.User) > pasted && !entry.Families.Has(lexicon.Search) &&
		(entry.Families.Has(lexicon.Review) || entry.Families.Has(lexicon.Analyze) || entry.Lemma == "read") {
		return true
	}
	if entry := j.text.tokens[e.verb].Entry; entry != nil && entry.Lemma == "get" && (e.verb+1 >= e.to || e.verb+2 >= e.to && j.text.words[e.verb+1].role&(roleThis|roleSecond) != 0) { // "I've got it"
		return true
	}
	from, to := j.head(e)
	for i := from; i < to; i++ {
		if j.text.words[i].role&roleTalk != 0 {
			return true
		}
	}
	return false
}

// change reports whether an event is a claim of a change.
func (j *judge) change(e *event) bool {
	if e.act&changing == 0 || e.act&actRead != 0 && e.act&actGeneric == 0 {
		return false
	}
	if j.text.words[e.verb].role&roleLight != 0 && e.act&actGeneric != 0 && !j.referring(e) {
		return false
	}
	if j.drafted(e) || j.refused(e) || j.byUser(e) {
		return false
	}
	now := e.aux&roleNow != 0
	switch e.shape {
	case activePerfect:
		return !j.artefact(e) && !j.together(e)
	case activePast:
		return !j.artefact(e) && !j.reduced(e) && !j.together(e) && !j.opensToRead(e)
	case passivePerfect:
		return now || j.asks(e.act) || !j.showsStatus(e)
	case passivePast:
		return now && e.aux&roleEarlier == 0 || e.act&(actMoney|actGeneric) == 0 && (j.asks(e.act) || j.spellsOut(e)) && !j.dated(e)
	case passivePresent:
		return e.act&(actMoney|actGeneric) == 0 && j.asks(e.act) && (now || !j.read(j.turn.Records) && !j.read(j.turn.Earlier) || j.concludes(e))
	case inProgress:
		return e.act&actHand != 0
	case fragment:
		if s := &j.text.sentences[e.in]; (j.text.words[s.first].role&roleStatus != 0 || s.listed && !s.ticked) && (j.read(j.turn.Records) || j.read(j.turn.Earlier)) {
			return false // "Status: cancelled", "- Order 1: cancelled"
		}
		if e.act&actMoney != 0 {
			return j.asks(actMoney) && j.asked&actMoney != 0
		}
		return j.asks(e.act) && (e.act&actGeneric == 0 || now || e.subj < j.text.sentences[e.in].first)
	case exclaimed:
		return j.asks(e.act)
	case state:
		return j.stated(e)
	case present:
		return j.asks(e.act)
	}
	return false
}

// opensToRead: "I opened the report" tells of a look-up, where one was made that
// is about such things, or no tool opens anything for good.
func (j *judge) opensToRead(e *event) bool {
	if !j.text.tokens[e.verb].Families().Has(lexicon.Open) {
		return false
	}
	from, to := j.head(e)
	for _, record := range j.turn.Records {
		if record == nil || !record.Succeeded() || j.turn.effectOf(record).MayChange() {
			continue
		}
		if j.beyondTools(e) {
			return true
		}
		info := j.tools.of(record)
		for i := from; i < to; i++ {
			if j.content(i) && info.names(&j.text.tokens[i], j.text.token(i), j.text.vocabulary) {
				return true
			}
		}
	}
	return false
}

// spellsOut: "I've tidied up your list: two tasks were removed" tells what the
// first words mean.
func (j *judge) spellsOut(e *event) bool {
	s := &j.text.sentences[e.in]
	return e.from-1 > s.first+1 && j.text.token(e.from-1) == ":" && j.text.words[s.first].role&roleFirst != 0 && j.text.words[s.first+1].role&roleHave != 0
}

// byUser: "now that it has been turned off" repeats what the user reports, and
// asks for no more.
func (j *judge) byUser(e *event) bool {
	return e.shape >= passivePerfect && e.shape <= passivePresent && !j.asks(e.act) && j.userDid(j.text.tokens[e.verb].Entry)
}

// refused: "the report was refused" tells of a call that was denied or failed,
// where there is one.
func (j *judge) refused(e *event) bool {
	entry := j.text.tokens[e.verb].Entry
	if e.active() || entry == nil || !entry.Families.Has(lexicon.Reject) && entry.Lemma != "block" {
		return false
	}
	for _, record := range j.turn.Records {
		if record != nil && !record.Succeeded() {
			return true
		}
	}
	return false
}

// definite: "your booking is confirmed", not "bookings are confirmed by mail".
func (j *judge) definite(e *event) bool {
	return e.from < e.chain && (j.text.tokens[e.from].Class().Has(lexicon.Determiner|lexicon.Possessive) || j.text.words[e.from].role&roleSecond != 0)
}

// drafted: a text that shows a draft, or asks whether to go on, tells what it
// put into the draft.
func (j *judge) drafted(e *event) bool {
	if j.signals.confirms < 0 || j.succeededChange() {
		return false
	}
	if j.signals.drafts && !e.active() {
		return true
	}
	return e.active() && e.act&actUpdate != 0 && e.verb+1 < e.to && j.text.words[e.verb+1].role&roleThis != 0
}

// succeededChange reports whether this turn changed anything.
func (j *judge) succeededChange() bool {
	for _, record := range j.turn.Records {
		if record != nil && record.Succeeded() && j.turn.effectOf(record).MayChange() {
			return true
		}
	}
	return false
}

// concludes: "your order is cancelled." ends with the verb, as answers to
// "yes, cancel it" do; "it is booked in economy" describes.
func (j *judge) concludes(e *event) bool {
	to := j.text.sentences[e.in].to
	next := e.verb + 1
	if next+1 < to && j.text.token(next) == "as" && j.text.words[next+1].role&roleComplete != 0 { // "marked as done"
		next += 2
	}
	return (j.definite(e) || j.text.tokens[e.from].Kind == lexicon.Quote) && e.aux&roleAdverb == 0 && (next >= to || j.text.tokens[next].Kind == lexicon.Comma || j.text.skippable(next))
}

// referring: "I have done that", "what I have done", "made the following
// changes". A light verb without such a noun says nothing.
func (j *judge) referring(e *event) bool {
	if !e.active() { // "your order has been placed", with nothing called at all
		return j.text.words[e.verb].role&roleComplete != 0 || e.shape == passivePerfect && lastSuccess(j.turn.Records) == nil && lastSuccess(j.turn.Earlier) == nil
	}
	if e.verb+1 >= e.to {
		return true
	}
	if from, to := j.head(e); j.text.words[e.verb].role&roleComplete == 0 { // "I made a task"
		if j.toolWithin(from, to) || j.toolWithin(to, e.to) {
			e.act = actCreate
			return true
		}
	}
	return j.text.words[e.verb+1].role&(roleThis|roleAll) != 0 || j.text.token(e.verb+1) == "so" || j.text.tokens[e.verb+1].Kind > lexicon.Name
}

// reduced: "the details I sent" tells which ones.
func (j *judge) reduced(e *event) bool {
	if e.subj <= e.from {
		return false
	}
	t := &j.text.tokens[e.subj-1]
	return t.IsWord() && t.Class()&functionWord == 0 && j.text.words[e.subj-1].role&^(roleArtefact|roleMoney|roleEffect|roleSystem|roleTalk|roleSaying) == 0 && (t.Form().Has(lexicon.Noun|lexicon.Plural) || !t.Form().Has(lexicon.Base|lexicon.Third))
}

// together: "now that we have reset it" repeats what the user did.
func (j *judge) together(e *event) bool {
	if e.subj < 0 || e.subj >= len(j.text.tokens) || j.text.tokens[e.subj].Entry == nil || j.text.tokens[e.subj].Entry.Lemma != "we" {
		return false
	}
	return j.userDid(j.text.tokens[e.verb].Entry)
}

// dated: "was made on May 5" is history.
func (j *judge) dated(e *event) bool {
	for i := e.verb + 1; i < min(e.verb+5, e.to); i++ {
		if j.text.tokens[i].Kind == lexicon.Number || j.text.tokens[i].Class().Has(lexicon.Time) {
			return true
		}
	}
	return false
}

// stated: "your change is complete", "it's done".
func (j *judge) stated(e *event) bool {
	if e.act&actMoney != 0 {
		return false
	}
	if j.text.words[e.verb].noun != 0 { // "it is gone"
		return j.asks(e.act)
	}
	noun := j.nominal(e)
	if e.aux == 0 && e.subj >= e.from && noun == 0 { // "Refactoring complete"
		noun = j.text.words[e.subj].act & changing
	}
	if noun&^actMoney != 0 {
		e.act = noun
		return (j.asks(noun) || e.aux&roleNow != 0 || e.aux == 0 && e.in == 0) && (j.definite(e) || e.aux&roleBe == 0 || e.aux&roleNow != 0)
	}
	for i := e.from; i < e.chain; i++ {
		if w := j.text.words[i]; w.role&(roleThis|roleAll) != 0 || w.noun&actGeneric != 0 {
			return j.asks(e.act)
		}
	}
	return false
}

// artefact: "I have written a summary" is done by the text itself, unless a
// tool makes such things.
func (j *judge) artefact(e *event) bool {
	r := &j.text
	from, to := j.head(e)
	if from < to && r.words[from].role&roleMine != 0 { // "I have updated my notes"
		return !j.toolWithin(e.verb+1, e.to)
	}
	for i := from; i < to; i++ {
		if e.act&(actCreate|actUpdate) != 0 && r.words[e.verb].act&actGeneric == 0 && r.words[i].role&roleTalk != 0 && !j.hasToolFor(i) { // "I have noted your request"
			return true
		}
		if e.act&actCreate == 0 && r.words[i].role&roleSetting != 0 { // "I have applied your preferences"
			return true
		}
		if r.words[i].role&roleArtefact == 0 || j.booked(e) {
			continue
		}
		return !j.hasToolFor(i) && !j.peculiar(e)
	}
	return false
}

// peculiar reports whether the verb is that of a changing tool, and one that
// nobody uses for parts of a text: a list is written, but it is shared by a call.
func (j *judge) peculiar(e *event) bool {
	if e.act&(actCreate|actUpdate|actGeneric|actRead) != 0 {
		return false
	}
	infos := j.tools.all()
	for i := range infos {
		if !infos[i].reads && infos[i].speaks(&j.text.tokens[e.verb], j.text.token(e.verb), j.text.vocabulary) {
			return true
		}
	}
	return false
}

// booked: a table that is booked, or a letter that is ordered, is no part of a
// text.
func (j *judge) booked(e *event) bool {
	families := j.text.tokens[e.verb].Families()
	return families.Has(lexicon.Book) || families.Has(lexicon.Order)
}

// showsStatus reports whether a read of this turn may have shown what a passive
// says: its tool is about a thing of the clause, or its result names the
// subject. What follows from a change is
// shown by any read.
func (j *judge) showsStatus(e *event) bool {
	for _, record := range j.turn.Records {
		if record == nil || !record.Succeeded() || j.turn.effectOf(record).MayChange() {
			continue
		}
		info := j.tools.of(record)
		if e.act&(actMoney|actGeneric) != 0 || info.count == 0 || j.beyondTools(e) {
			return true
		}
		for i := e.from; i < e.to; i++ {
			if j.content(i) && (info.names(&j.text.tokens[i], j.text.token(i), j.text.vocabulary) || i < e.chain && containsFold(record.Result.Data, j.text.token(i))) {
				return true
			}
		}
	}
	return false
}

// beyondTools reports whether no changing tool does what the event says: then
// it is news that was read.
func (j *judge) beyondTools(e *event) bool {
	if j.text.roleWithin(e.from-1, e.to, roleSecond|roleYours, e.to-e.from+1) { // no news is about the user
		return false
	}
	infos := j.tools.all()
	for i := range infos {
		if !infos[i].reads && j.relation(e, &infos[i], nil) != none {
			return false
		}
	}
	return true
}

// read reports whether any read succeeded.
func (j *judge) read(records []*tooltrack.Record) bool {
	for _, record := range records {
		if record != nil && record.Succeeded() && !j.turn.effectOf(record).MayChange() {
			return true
		}
	}
	return false
}
