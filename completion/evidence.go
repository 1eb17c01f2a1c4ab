package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Faults that a claim without a record may have.
const (
	faultNoRecord  = "no successful call of this turn does that"
	faultNoLookup  = "no successful lookup is recorded"
	faultOtherTool = "the tool that does that was not called with success"
	faultSubject   = "the recorded call was about something else"
	faultCount     = "fewer successful calls are recorded than the text says"
	faultPartly    = "a part of it failed"
	faultNoFailure = "no failed call is recorded"
	faultNotInList = "the tool's result holds no such entry"

	faultNotVerified = "no successful check after the last change is recorded"
)

// backChange looks for the record behind a claim of a change: among those of
// this turn and, where the text looks back or the request did not ask for it,
// among earlier ones.
func (j *judge) backChange(e *event, c *Claim) (*tooltrack.Record, string) {
	by, fault := j.backBy(e, j.turn.Records)
	if by != nil {
		return by, ""
	}
	if len(j.turn.Earlier) > 0 && (c.Earlier || !j.asks(e.act) || j.recalls(e)) {
		all := slices.Concat(j.turn.Earlier, j.turn.Records)
		if by, why := j.backBy(e, all); by != nil {
			return by, ""
		} else if fault == faultNoRecord {
			fault = why
		}
	}
	if c.Earlier && !e.active() {
		if by := j.anySuccess(); by != nil { // a status that a tool has shown
			return by, ""
		}
	}
	return nil, fault
}

// backHosted looks for a success of the tool that the host names for a phrase.
func (j *judge) backHosted(e *event, c *Claim) (*tooltrack.Record, string) {
	lists := [][]*tooltrack.Record{j.turn.Records, j.turn.Earlier}
	if !c.Earlier {
		lists = lists[:1]
	}
	for _, records := range lists {
		for _, record := range records {
			if record != nil && record.Succeeded() && (record.Tool == e.host.tool || e.host.tool == "" && j.turn.effectOf(record).MayChange()) {
				return record, ""
			}
		}
	}
	return nil, faultNoRecord
}

// backBy looks for a record among some.
func (j *judge) backBy(e *event, records []*tooltrack.Record) (*tooltrack.Record, string) {
	var best *tooltrack.Record
	strength := none
	for _, fit := range j.fits(e, records) {
		if fit.related > strength {
			best, strength = fit.record, fit.related
		}
	}
	if best == nil {
		return j.byTheWay(e, records), faultNoRecord
	}
	known := records
	if e.shape == passivePresent || e.shape == state { // a state may have come about earlier
		known = append(records[:len(records):len(records)], j.turn.Earlier...)
	}
	if strength == weak && j.fitter(e, records) || j.ownVerb(e, strength, known) || j.rival(e, strength, known) {
		return nil, faultOtherTool
	}
	if fault := j.partFault(e, records); fault != "" {
		return nil, fault
	}
	return best, ""
}

// byTheWay is a change that a claim may belong to although no tool is known
// for it: people tell what follows from a change in many words. It is nil where
// nothing was changed, where a tool for the claim was there and not called, and
// where the claim speaks of a further thing that was made.
func (j *judge) byTheWay(e *event, records []*tooltrack.Record) *tooltrack.Record {
	if entry := j.text.tokens[e.verb].Entry; e.act&actCreate != 0 && (entry == nil || entry.Families.Has(lexicon.Create) || entry.Families.Has(lexicon.Attach)) {
		return nil
	}
	infos := j.tools.all()
	for i := range infos {
		if infos[i].reads && e.act&actRun == 0 {
			continue
		}
		related := j.relation(e, &infos[i], nil)
		const common = actCreate | actRemove | actUpdate | actSend // acts that many things undergo
		if related == sameVerb && e.act&actSend == 0 || related >= sameKind && (e.act&common == 0 || j.names(e, &infos[i], nil) == sameKind) {
			return nil
		}
	}
	for _, record := range records {
		if record == nil || !record.Succeeded() || !j.turn.effectOf(record).MayChange() || e.active() && !j.belongs(e, record) {
			continue
		}
		if info := j.tools.of(record); !opposite(e.act, info.act) && !(e.act&actGeneric != 0 && j.contraryToRequest(info)) {
			return record
		}
	}
	return nil
}

// belongs reports whether something that we say we did may be a part of a
// recorded change: its object is a thing that the call names, or is not named.
func (j *judge) belongs(e *event, record *tooltrack.Record) bool {
	info := j.tools.of(record)
	if e.act&(actMoney|actGeneric) != 0 || anything(record, info) {
		return true
	}
	named := false
	for i := e.verb + 1; i < e.to; i++ {
		if j.content(i) {
			if j.mentions(i, info, record) {
				return true
			}
			named = true
		}
	}
	return !named
}

// counts reports whether a record of such an effect can back the event: a
// change, or anything that was run.
func (j *judge) counts(e *event, record *tooltrack.Record) bool {
	return j.turn.effectOf(record).MayChange() || e.act&actRun != 0
}

// proves reports whether a record proves what the event says. Work that was
// accepted and is not done proves that it was requested, no more.
func (j *judge) proves(e *event, record *tooltrack.Record) bool {
	if record.Succeeded() {
		return true
	}
	if record.Result.Status == tooltrack.Failed && j.onlyRan(e) {
		return true
	}
	return record.Result.Status == tooltrack.Pending && !record.Ruling.Denied && j.text.words[e.verb].role&roleRequesting != 0
}

// onlyRan: "I ran the tests: two failed" says that they ran, not that they
// passed.
func (j *judge) onlyRan(e *event) bool {
	return e.act&actRun != 0 && j.text.words[e.verb].role&roleCalling != 0 && j.signals.failures >= 0
}

// relation is how well a tool fits the act of an event.
type relation uint8

const (
	none     relation = iota
	weak              // a related change of which nobody knows what it was about
	loose             // any change, or a related one that names the thing
	sameKind          // the same kind of act
	sameVerb          // the tool's own verb, or one of its family
)

// relation compares an event with a tool, and with what a record of it holds.
func (j *judge) relation(e *event, info *toolInfo, record *tooltrack.Record) relation {
	found := j.kinship(e, info, record)
	if found < loose && record != nil && j.attribute(e, record) {
		return loose
	}
	return found
}

// kinship compares the act of an event with that of a tool.
func (j *judge) kinship(e *event, info *toolInfo, record *tooltrack.Record) relation {
	r := &j.text
	switch {
	case info.speaks(&r.tokens[e.verb], r.token(e.verb), r.vocabulary):
		return sameVerb
	case e.act&actGeneric != 0 && record != nil && j.contraryToRequest(info):
		return none
	case e.act&(actMoney|actGeneric) != 0:
		return loose
	case info.act == actRun && record != nil: // a shell may do anything
		return loose
	case opposite(e.act, info.act):
		return none
	case e.act&info.act&actCreate != 0 && !j.sameFamily(e, info):
		if named := j.names(e, info, record); named != weak {
			return named
		}
		return loose
	case j.sameFamily(e, info):
		return sameVerb
	case e.act&info.act != 0:
		return sameKind
	case actRelated(e.act, info.act):
		return min(loose, j.names(e, info, record))
	}
	return none
}

// contraryToRequest reports whether a tool does the opposite of an expected one
// that had no success: "Done." after a creation does not answer a request to
// delete.
func (j *judge) contraryToRequest(info *toolInfo) bool {
	infos := j.tools.all()
	for i := range infos {
		if j.expects(infos[i].name) && opposite(infos[i].act, info.act) && !succeeded(j.turn.Records, infos[i].name) {
			return true
		}
	}
	return false
}

// actRelated: an update may add, remove or switch a part of what it updates; a
// tool whose verb says little may do anything that it names.
func actRelated(claimed, recorded act) bool {
	const partial = actCreate | actRemove | actFinish | actOn | actOff | actReturn | actUpdate
	return claimed&actUpdate != 0 && recorded&partial != 0 || recorded&actUpdate != 0 && claimed&partial != 0 ||
		recorded == 0 || recorded&(actRun|actGeneric|actSend) != 0
}

// sameFamily compares verb families.
func (j *judge) sameFamily(e *event, info *toolInfo) bool {
	entry := j.text.tokens[e.verb].Entry
	return entry != nil && info.verb.entry != nil && e.act&info.act != 0 && entry.Families.Without(broad).Overlaps(info.verb.entry.Families)
}

// broad families hold verbs of many kinds: "write" and "add" both implement.
var broad = lexicon.FamiliesOf(lexicon.Implement, lexicon.Generate)

// attribute reports whether the head noun is the name of an argument: "the
// reason has been recorded" is backed by a call with a reason.
func (j *judge) attribute(e *event, record *tooltrack.Record) bool {
	from, to := j.head(e)
	for i := to - 1; i >= from; i-- {
		if j.content(i) {
			return hasKey(record.Args, j.text.token(i))
		}
	}
	return false
}

// head is the noun phrase that an event is about: the subject of a passive,
// the object of an active verb, without what follows a preposition.
func (j *judge) head(e *event) (from, to int) {
	if e.noun[1] == 0 {
		from, to = j.findHead(e)
		e.noun = [2]int32{int32(from), int32(to)}
	}
	return int(e.noun[0]), int(e.noun[1])
}

func (j *judge) findHead(e *event) (from, to int) {
	from, to = e.from, e.chain
	if e.active() || e.shape == fragment && e.subj < j.text.sentences[e.in].first {
		from, to = e.verb+1, e.to
	}
	for i := from + 1; i < to; i++ {
		t := &j.text.tokens[i]
		if t.Class().Has(lexicon.Preposition) && !j.text.isQuoted(i) && j.text.token(i) != "of" {
			return from, i
		}
	}
	return from, to
}

// names says how well the head noun phrase fits the tool's nouns, or what its
// arguments hold: sameKind if it names one, weak if nobody knows what the call
// was about.
func (j *judge) names(e *event, info *toolInfo, record *tooltrack.Record) relation {
	from, to := j.head(e)
	named := false
	for i := from; i < to; i++ {
		if !j.content(i) {
			continue
		}
		if j.mentions(i, info, record) {
			return sameKind
		}
		named = true
	}
	switch {
	case !named: // "I've saved that" names nothing
		return sameKind
	case record == nil:
		return none
	case info.holdsItems() || info.handlesFiles() && e.act&actRun == 0 && !j.otherFile(e, record): // an item may be anything, and a file may hold it
		return sameKind
	case subjectUnknown(record):
		return weak
	case j.quotesTitle(e, record) || info.act&(actCreate|actUpdate) != 0 && longText(record.Args):
		return sameKind
	}
	return none
}

// otherFile reports whether an event names a file, and none that the call is
// about.
func (j *judge) otherFile(e *event, record *tooltrack.Record) bool {
	named := false
	for _, word := range strings.Fields(j.text.slice(e.from, max(e.to, e.verb+1))) {
		word = strings.Trim(word, "`'\"*_.,;:!?()[]")
		if dot := strings.IndexAny(word, "./"); dot > 0 && dot < len(word)-1 {
			if strings.Contains(string(record.Args), word) {
				return false
			}
			named = true
		}
	}
	return named
}

// quotesTitle reports whether the clause takes up words of a title or a text
// among the arguments: "a reminder to call Anna".
func (j *judge) quotesTitle(e *event, record *tooltrack.Record) bool {
	from, to := e.from, e.chain
	if e.active() {
		from, to = e.verb+1, e.to
	}
	for i := from; i < to; i++ {
		if j.content(i) && inTitles(record.Args, j.text.token(i)) {
			return true
		}
	}
	return false
}

// functionWord are the classes of words that name nothing.
const functionWord = lexicon.Negation | lexicon.Modal | lexicon.Auxiliary | lexicon.FirstPerson | lexicon.SecondPerson | lexicon.ThirdPerson |
	lexicon.Possessive | lexicon.Determiner | lexicon.Preposition | lexicon.Conjunction | lexicon.Question | lexicon.Condition |
	lexicon.Interjection | lexicon.Hedge | lexicon.Desire | lexicon.Pronoun | lexicon.Quantity | lexicon.Time

// content reports whether a token can name a thing.
func (j *judge) content(i int) bool {
	t := &j.text.tokens[i]
	return t.IsWord() && t.End-t.Start > 2 && t.Class()&functionWord == 0 && j.text.words[i].role&(roleNow|roleAdverb|roleAll) == 0
}

func (j *judge) mentions(i int, info *toolInfo, record *tooltrack.Record) bool {
	r := &j.text
	return info.names(&r.tokens[i], r.token(i), r.vocabulary) || record != nil && inArguments(record, r.token(i))
}

// fitter reports whether a tool that has no success among the records does
// what the event says by its own verb or kind.
func (j *judge) fitter(e *event, records []*tooltrack.Record) bool {
	infos := j.tools.all()
	for i := range infos {
		if !infos[i].reads && !succeeded(records, infos[i].name) && j.relation(e, &infos[i], nil) >= sameKind {
			return true
		}
	}
	return false
}

// rival reports whether a tool that was not called fits the head noun, which
// no recorded one knows: bags are not added by a change of flights where there
// is a tool for bags.
func (j *judge) rival(e *event, strength relation, records []*tooltrack.Record) bool {
	if e.act&actGeneric != 0 || j.tellsValue(e, records) {
		return false
	}
	from, to := j.head(e)
	r := &j.text
	for i, left := to-1, 2; i >= from && left > 0; i-- {
		if !j.content(i) || r.isQuoted(i) || i+1 < to && r.token(i+1) == "'s" && left == 2 {
			continue
		}
		left--
		if r.words[i].role&(roleMoney|roleEffect|roleStatus) != 0 || r.words[i].noun != 0 || j.knownTo(i, records) {
			continue
		}
		infos := j.tools.all()
		for k := range infos {
			other := &infos[k]
			if !other.reads && other.names(&r.tokens[i], r.token(i), r.vocabulary) && j.relation(e, other, nil) >= strength {
				return true
			}
		}
	}
	return false
}

// tellsValue reports whether the clause, behind its head, tells a value that a
// fitting record was given: "all passengers have been moved to business class".
func (j *judge) tellsValue(e *event, records []*tooltrack.Record) bool {
	told := false
	for i := e.verb + 1; i < e.to && !told; i++ {
		if !j.content(i) {
			continue
		}
		j.fitting(e, records, func(record *tooltrack.Record, _ *toolInfo) bool {
			told = inValues(record.Args, j.text.token(i))
			return !told
		})
	}
	return told
}

// ownVerb reports whether a tool without success has the very verb of the
// event, or pays out as it says, and names its head noun, where the records are only related to it.
func (j *judge) ownVerb(e *event, strength relation, records []*tooltrack.Record) bool {
	if strength > loose || e.act&actGeneric != 0 {
		return false
	}
	from, to := j.head(e)
	infos := j.tools.all()
	for i := range infos {
		if infos[i].reads || succeeded(records, infos[i].name) || j.relation(e, &infos[i], nil) != sameVerb && e.act&infos[i].act&actMoney == 0 {
			continue
		}
		for k := from; k < to; k++ {
			if !j.content(k) || j.text.isQuoted(k) {
				continue
			}
			t, word := &j.text.tokens[k], j.text.token(k)
			if infos[i].names(t, word, j.text.vocabulary) || infos[i].speaks(t, word, j.text.vocabulary) { // issue_refund: "refund issued"
				return true
			}
		}
	}
	return false
}

// knownTo reports whether any successful change speaks of the word.
func (j *judge) knownTo(i int, records []*tooltrack.Record) bool {
	for _, record := range records {
		if record == nil || !record.Succeeded() || !j.turn.effectOf(record).MayChange() {
			continue
		}
		info := j.tools.of(record)
		if j.mentions(i, info, record) {
			return true
		}
	}
	return false
}

// backLookup looks for the read behind a claim of a lookup. One that looks back
// may be any of the conversation.
func (j *judge) backLookup(e *event, c *Claim) (*tooltrack.Record, string) {
	by := j.anySuccess()
	now := j.readFailed() && !c.Earlier
	if by == nil && !now && (c.Earlier || e != nil && !j.tellsOf(e)) {
		by = lastSuccess(j.turn.Earlier)
	}
	if by == nil && !now && e != nil {
		by = j.readBefore(e)
	}
	if by == nil {
		return nil, faultNoLookup
	}
	return by, ""
}

// tellsOf reports whether a lookup is the one that the request needs: by the
// verb of an expected tool, or by a noun of it.
func (j *judge) tellsOf(e *event) bool {
	for _, name := range j.turn.Expected {
		tool := j.turn.tool(name)
		if tool == nil || tool.Effect.MayChange() {
			continue
		}
		info := j.tools.info(name, tool, tool.Effect)
		if info.speaks(&j.text.tokens[e.verb], j.text.token(e.verb), j.text.vocabulary) || j.sameFamily(e, &info) {
			return true
		}
		for i := e.verb + 1; i < e.to; i++ {
			if j.content(i) && info.names(&j.text.tokens[i], j.text.token(i), j.text.vocabulary) {
				return true
			}
		}
	}
	return false
}

// readBefore is an earlier read about a thing of the clause, by a tool that was
// not tried again in this turn.
func (j *judge) readBefore(e *event) *tooltrack.Record {
	for _, record := range j.turn.Earlier {
		if record == nil || !record.Succeeded() || slices.ContainsFunc(j.turn.Records, func(r *tooltrack.Record) bool { return r != nil && r.Tool == record.Tool }) {
			continue
		}
		info := j.tools.of(record)
		for i := e.from; i < e.to; i++ {
			if j.content(i) && info.names(&j.text.tokens[i], j.text.token(i), j.text.vocabulary) {
				return record
			}
		}
	}
	return nil
}

// anySuccess is the last successful call, of this turn or an earlier one. What
// a change returned can be looked at, too. Where the request needs a look of its
// own, an earlier one does not stand for it.
func (j *judge) anySuccess() *tooltrack.Record {
	if by := lastSuccess(j.turn.Records); by != nil || j.readDue() {
		return by
	}
	return lastSuccess(j.turn.Earlier)
}

func lastSuccess(records []*tooltrack.Record) *tooltrack.Record {
	for i := len(records) - 1; i >= 0; i-- {
		if records[i] != nil && records[i].Succeeded() {
			return records[i]
		}
	}
	return nil
}

// readFailed reports whether a reading tool that the request needs was tried in
// this turn and never worked: then whatever the text has looked at, it was not
// that.
func (j *judge) readFailed() bool {
	for _, name := range j.turn.Expected {
		tool := j.turn.tool(name)
		tried := slices.ContainsFunc(j.turn.Records, func(r *tooltrack.Record) bool { return r != nil && r.Tool == name })
		if tried && tool != nil && tool.Effect == tooltrack.Reads && !succeeded(j.turn.Records, name) {
			return true
		}
	}
	return false
}

// readDue reports whether the request needs a reading tool that has not
// succeeded in this turn: it was tried, or it never succeeded before either.
// What was read before may be told again without another look.
func (j *judge) readDue() bool {
	for _, name := range j.turn.Expected {
		tool := j.turn.tool(name)
		if tool == nil || tool.Effect != tooltrack.Reads || succeeded(j.turn.Records, name) {
			continue
		}
		tried := slices.ContainsFunc(j.turn.Records, func(r *tooltrack.Record) bool { return r != nil && r.Tool == name })
		if tried || !succeeded(j.turn.Earlier, name) {
			return true
		}
	}
	return false
}
