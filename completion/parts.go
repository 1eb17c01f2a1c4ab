package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// partFault says what part of a claim the records lack: a subject, or some of
// a number of them. Every claimed part needs its own evidence.
func (j *judge) partFault(e *event, records []*tooltrack.Record) string {
	from, to := j.subjects(e)
	named := false
	for i := from; i < to; i++ {
		if id := j.identifier(i); id != "" {
			named = true
			if j.contradicted(e, id, records) && !(e.act&actUpdate != 0 && j.becomes(e, from, to, records)) {
				return faultSubject
			}
		}
	}
	if e.act&(actCreate|actRemove|actFinish) != 0 && (j.otherTitle(e, from, to, records) || e.active() && j.otherName(e, to, records)) {
		return faultSubject
	}
	if (e.shape == exclaimed || e.shape == fragment && e.act&actGeneric != 0) && j.signals.failures < 0 && j.signals.prevents < 0 && j.anyFailedChange(records) && !j.tellsWhich(e, records) {
		return faultPartly
	}
	return j.countFault(e, named, records)
}

// tellsWhich reports whether the clause names what a successful call was about:
// "Completed: Read book" speaks of that task, not of all that was tried.
func (j *judge) tellsWhich(e *event, records []*tooltrack.Record) bool {
	clause := j.text.slice(e.from, max(e.to, e.verb+1))
	for _, record := range records {
		if record == nil || !record.Succeeded() {
			continue
		}
		for _, subject := range record.Touched {
			if subject.Title != "" && containsFold(clause, subject.Title) {
				return true
			}
		}
	}
	return false
}

// becomes reports whether the clause names, beside its subjects, something that
// a fitting record was about: "flight 1 has been changed to flight 2".
func (j *judge) becomes(e *event, from, to int, records []*tooltrack.Record) bool {
	found := false
	for i := e.from; i < e.to && !found; i++ {
		if i >= from && i < to {
			continue
		}
		if id := j.identifier(i); id != "" {
			j.fitting(e, records, func(record *tooltrack.Record, _ *toolInfo) bool {
				found = containsFold(record.Args, id)
				return !found
			})
		}
	}
	return found
}

// fitting calls visit with the records that prove an event, until it says no.
func (j *judge) fitting(e *event, records []*tooltrack.Record, visit func(*tooltrack.Record, *toolInfo) bool) {
	for _, fit := range j.fits(e, records) {
		if !visit(fit.record, fit.info) {
			return
		}
	}
}

// fit is a record that proves an event, its tool, and how well they fit.
type fit struct {
	record  *tooltrack.Record
	info    *toolInfo
	related relation
}

// fits are the records that prove an event. They are asked for many times in a
// row for the same event, so the last answer is kept.
func (j *judge) fits(e *event, records []*tooltrack.Record) []fit {
	if j.lastFits.event == e && j.lastFits.act == e.act && sameRecords(j.lastFits.records, records) {
		return j.lastFits.found
	}
	found := j.lastFits.found[:0]
	for _, record := range records {
		if record == nil || !j.counts(e, record) || !j.proves(e, record) {
			continue
		}
		info := j.tools.of(record)
		if related := j.relation(e, info, record); related != none {
			found = append(found, fit{record, info, related})
		}
	}
	j.lastFits = fitQuestion{e, e.act, records, found}
	return found
}

// fitQuestion is what fits was asked last, and its answer.
type fitQuestion struct {
	event   *event
	act     act
	records []*tooltrack.Record
	found   []fit
}

func sameRecords(a, b []*tooltrack.Record) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// otherTitle reports whether a quoted title is one that no record was about,
// or whether more titles are told than there are records that may be about any.
func (j *judge) otherTitle(e *event, from, to int, records []*tooltrack.Record) bool {
	open := 0 // titles that no record names
	for i := from; i < to; i++ {
		if !j.text.tokens[i].Has(lexicon.Quoted) {
			continue
		}
		end := i
		for end < to && j.text.tokens[end].Has(lexicon.Quoted) {
			end++
		}
		if title := j.text.slice(i, end); strings.ContainsAny(title, letters) {
			named, any := j.titleRecords(e, title, records)
			if !named && any == 0 {
				return true
			}
			if !named {
				if open++; open > any {
					return true
				}
			}
		}
		i = end
	}
	return false
}

// titleRecords reports whether a fitting record names the title, and how many
// entities the records may be about that name none.
func (j *judge) titleRecords(e *event, title string, records []*tooltrack.Record) (named bool, any int) {
	j.fitting(e, records, func(record *tooltrack.Record, _ *toolInfo) bool {
		named = inArguments(record, title)
		if !namesTitle(record) {
			any += max(1, longestList(record.Args))
		}
		return !named
	})
	return named, any
}

// otherName reports whether the object begins with a capitalised name that no
// record was about: "I've created Call Bob".
func (j *judge) otherName(e *event, to int, records []*tooltrack.Record) bool {
	for i := e.verb + 1; i < to; i++ {
		t := &j.text.tokens[i]
		if t.Kind != lexicon.Word || t.Class().Has(lexicon.Preposition) || j.text.isQuoted(i) {
			return false
		}
		if !t.Has(lexicon.Capital) || t.Has(lexicon.SentenceStart) {
			if i > e.verb+1 {
				return false
			}
			continue
		}
		word := j.text.token(i)
		if named, any := j.titleRecords(e, word, records); len(word) > 2 && !named && any == 0 && j.titled(e, records) {
			return true
		}
	}
	return false
}

// titled reports whether the fitting records name titles as such.
func (j *judge) titled(e *event, records []*tooltrack.Record) bool {
	found := false
	j.fitting(e, records, func(record *tooltrack.Record, _ *toolInfo) bool {
		found = len(record.Touched) > 0 || hasKey(record.Args, "title")
		return !found
	})
	return found
}

// anyFailedChange reports whether a change failed and was not made good.
func (j *judge) anyFailedChange(records []*tooltrack.Record) bool {
	for i, record := range records {
		if record != nil && !record.Succeeded() && j.turn.effectOf(record).MayChange() && !madeGood(records[i+1:], record) {
			return true
		}
	}
	return false
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// namesTitle reports whether a record tells the title of what it was about.
func namesTitle(record *tooltrack.Record) bool {
	for _, subject := range record.Touched {
		if subject.Title != "" {
			return true
		}
	}
	for _, key := range [...]string{"title", "name", "subject", "label"} {
		if hasKey(record.Args, key) {
			return true
		}
	}
	return false
}

// countFault compares the number that a claim tells with the records.
func (j *judge) countFault(e *event, named bool, records []*tooltrack.Record) string {
	from, to := j.head(e)
	told, all, plural := 0, false, false
	for i := from; i < to; i++ {
		w := j.text.words[i]
		all = all || told != 1 && w.role&roleAll != 0
		if n := j.number(i); n > 1 && told != 1 && j.countsEntities(e, i, to, records) {
			told = n
		}
		if told == 0 && w.count == 1 { // "one of the three tasks"
			told = 1
		}
		plural = plural || told != 1 && j.text.tokens[i].Form().Has(lexicon.Plural) && j.namedByRecord(e, i, records)
	}
	if told > 1 && j.recorded(e, told, records) < told {
		return faultCount
	}
	if (all || plural) && !named && !j.onlyRan(e) && j.failedPart(e, records) {
		return faultPartly
	}
	if all && !named && j.listsOthers(e, records) {
		return faultSubject
	}
	return ""
}

// number is the small number that a token spells; 0 if it spells none.
func (j *judge) number(i int) int {
	if n := j.text.words[i].count; n > 0 {
		return int(n)
	}
	if j.text.tokens[i].Kind != lexicon.Number || i > 0 && j.text.token(i-1) == "$" {
		return 0
	}
	digits := j.text.token(i)
	if len(digits) > 2 {
		return 0
	}
	n := 0
	for k := range len(digits) {
		if digits[k] < '0' || digits[k] > '9' {
			return 0
		}
		n = n*10 + int(digits[k]-'0')
	}
	return n
}

// countsEntities reports whether the number at i counts what the tool of a
// fitting record is about: "three tasks", not "2 GB".
func (j *judge) countsEntities(e *event, i, to int, records []*tooltrack.Record) bool {
	for k := i + 1; k < min(to, i+4); k++ {
		if k > i+1 && j.text.token(k) == "of" { // "two mugs of your order" are no two orders
			return false
		}
		if j.text.tokens[k].IsWord() && (j.namedByRecord(e, k, records) || j.content(k) && j.namedByArgument(e, k, records)) {
			return true
		}
	}
	return false
}

// namedByRecord reports whether the word is a noun of the tool of a fitting
// record.
func (j *judge) namedByRecord(e *event, i int, records []*tooltrack.Record) bool {
	found := false
	j.fitting(e, records, func(_ *tooltrack.Record, info *toolInfo) bool {
		found = info.names(&j.text.tokens[i], j.text.token(i), j.text.vocabulary)
		return !found
	})
	return found
}

// namedByArgument reports whether the word is the name of an argument of every
// fitting record: "both invoices" where each call takes an invoice.
func (j *judge) namedByArgument(e *event, i int, records []*tooltrack.Record) bool {
	named := false
	j.fitting(e, records, func(record *tooltrack.Record, _ *toolInfo) bool {
		named = hasKey(record.Args, j.text.token(i))
		return named
	})
	return named
}

// recorded is how many entities the fitting records account for. A call whose
// arguments list several, or hold the number told, accounts for them.
func (j *judge) recorded(e *event, told int, records []*tooltrack.Record) int {
	count := 0
	j.fitting(e, records, func(record *tooltrack.Record, _ *toolInfo) bool {
		count += max(1, longestList(record.Args))
		if holdsNumber(record.Args, told) {
			count = max(count, told)
		}
		return true
	})
	return count
}

// failedPart reports whether a call of a fitting record's tool failed and was
// not made good.
func (j *judge) failedPart(e *event, records []*tooltrack.Record) bool {
	failed := false
	j.fitting(e, records, func(proof *tooltrack.Record, _ *toolInfo) bool {
		for i, record := range records {
			if record != nil && record.Tool == proof.Tool && !record.Succeeded() && !madeGood(records[i+1:], record) {
				failed = true
			}
		}
		return !failed
	})
	return failed
}

// madeGood reports whether a later call of the same tool worked, for the same
// thing as far as the arguments tell.
func madeGood(later []*tooltrack.Record, failed *tooltrack.Record) bool {
	for _, record := range later {
		if record != nil && record.Tool == failed.Tool && record.Succeeded() &&
			(subjectUnknown(record) || subjectUnknown(failed) || sharesValue(record.Args, failed.Args)) {
			return true
		}
	}
	return false
}

// listsOthers reports whether the text lists identifiers of the sort that the
// fitting records name, and none of those recorded: "all of these".
func (j *judge) listsOthers(e *event, records []*tooltrack.Record) bool {
	others, known := false, false
	for _, id := range j.identifiers() {
		j.fitting(e, records, func(record *tooltrack.Record, _ *toolInfo) bool {
			known = containsFold(record.Args, id)
			others = others || !known && namesSort(record.Args, id)
			return !known
		})
		if known {
			return false
		}
	}
	return others
}

// identifiers are the first ones of the text.
func (j *judge) identifiers() []string {
	const limit = 64
	if j.ids != nil {
		return j.ids
	}
	j.ids = []string{}
	for i := range j.text.tokens {
		if id := j.identifier(i); id != "" && len(j.ids) < limit {
			j.ids = append(j.ids, id)
		}
	}
	return j.ids
}
