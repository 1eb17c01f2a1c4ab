package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// A withdrawal takes back what was said before it, and not what is said instead: "mail the
// letter. Scratch that, print the letter". What holds back but its own clause is a bar where
// the message orders a change elsewhere.

// settle says what holds back, of all that was found. A withdrawal with no order before it,
// and something asked for after it, is about an earlier message.
func (h *hearing) settle(held *Held) {
	first := h.keep(held)
	for _, f := range h.found {
		switch {
		case f.from < first, f.row.has(standsAlone) && f.to-f.from < len(h.words):
			continue
		case f.row.has(takesBack) && !h.orders.may(first, f.from) &&
			(h.asks(f.to) || f.row.has(standsLater) && h.ends(f.from)): // "I can't make it, cancel"
			continue
		case f.row.has(holdsClause):
			to := h.clauseEnd(f.to)
			before := h.orders.first(first, f.from, true)
			if before >= 0 && !h.repeats(before, f.from, to) || h.orders.first(to, len(h.words), true) >= 0 {
				held.Bars = append(held.Bars, [2]int32{h.words[f.from].token, h.words[to-1].token})
				continue
			}
		}
		held.Over = held.Over || f.row.has(takesBack) && h.isOver(f, first)
		if held.Kind == 0 || f.row.hold < held.Kind {
			held.Kind = f.row.hold
		}
	}
}

// keep finds the last withdrawal that takes back an order and is followed by another one,
// and returns the first word that counts then; 0 where all do, or too much is found to tell.
func (h *hearing) keep(held *Held) (first int) {
	if len(h.found) == maxHoldings {
		return 0
	}
	for _, f := range h.found {
		if f.row.has(takesBack) && f.to > first && h.orders.may(0, f.from) && h.isReplaced(f) {
			first = f.to
		}
	}
	if first > 0 {
		held.kept = int(h.Tokens[h.words[first].token].Start)
	}
	return first
}

// isReplaced reports whether an order follows a withdrawal. One that cancels what was spoken
// of says the same once more: "pay the bill. No wait, stop the payment".
func (h *hearing) isReplaced(f holding) bool {
	at := h.orders.first(f.to, len(h.words), false)
	if at < 0 || !h.ends(at) {
		return at >= 0
	}
	for i := at + 1; i < h.clauseEnd(at+1); i++ {
		entry := h.entry(i)
		named := entry.ID < 0 || entry.Form.Has(lexicon.Noun|lexicon.Plural) && !entry.Class.Has(lexicon.Politeness)
		if named && !entry.Is(h.cues[cueThings]) && !h.mentions(i, 0, f.from) { // not "my request"
			return true
		}
	}
	return false
}

// ends reports whether the word at a place is a verb that ends something.
func (h *hearing) ends(at int) bool {
	return h.entry(at).Form.Has(lexicon.Base) && h.entry(at).Families.Overlaps(ending)
}

var ending = lexicon.FamiliesOf(lexicon.Stop, lexicon.Cancel, lexicon.Drop)

// isOver reports whether a withdrawal that can mean nothing else takes back an order or a
// question, and no more than a short remark follows it.
func (h *hearing) isOver(f holding, first int) bool {
	const most = 6 // words; who says more may ask for something
	rest := len(h.words) - f.to
	if !f.row.has(takesAll) || f.from == first || rest > most || !h.begins(f.from) {
		return false
	}
	if rest > 0 {
		parted := h.words[f.to].opens || h.entry(f.to).Class.Has(lexicon.Negation) // not "scratch that date"
		if !parted || strings.Contains(h.Text[h.words[f.to].start:], "?") {
			return false
		}
	}
	if h.entry(len(h.words) - 1).Class.Has(lexicon.Negation) {
		return true // "…, no wait, don't"
	}
	before := h.Text[:h.words[f.from].start]
	return h.orders.first(first, f.from, false) >= 0 || strings.Contains(before, "?") || !h.onlyTells(first, f.from)
}

// onlyTells reports whether what stands between two words tells something, and no more. Who
// tells may want it dropped, by a tool: "it broke, forget it".
func (h *hearing) onlyTells(from, to int) bool {
	told := false
	for i := range h.Requests {
		if r := &h.Requests[i]; r.From >= int(h.words[from].token) && r.From < int(h.words[to].token) {
			if r.Plea != Told && r.Plea != Barred && !(r.Plea == Named && h.past(r.Body)) {
				return false
			}
			told = true
		}
	}
	return told
}

// asks reports whether an order stands after a word, or a question that is a sentence of its
// own: "forget dinner. What's on?"; but "wait, which one?" waits.
func (h *hearing) asks(from int) bool {
	if from == len(h.words) {
		return false
	}
	rest, _, asked := strings.Cut(h.Text[h.words[from-1].end:], "?")
	return asked && strings.ContainsAny(rest, ".!\n") || h.orders.first(from, len(h.words), false) >= 0
}

// clauseEnd is where the clause ends that goes on at a word.
func (h *hearing) clauseEnd(at int) int {
	for at < len(h.words) && !h.words[at].opens {
		at++
	}
	return at
}

var anything = lexicon.Hash("anything")

// repeats reports whether a clause speaks of the act that was ordered before it, or of
// all: "rate her. Don't rate her at all" takes it back.
func (h *hearing) repeats(order, from, to int) bool {
	all := slices.ContainsFunc(h.words[from:to], func(w spokenWord) bool { return w.hash == anything })
	return all || h.mentions(order, from, to)
}

// mentions reports whether a word, or one of the same meaning, stands between two others.
func (h *hearing) mentions(word, from, to int) bool {
	one := h.entry(word)
	for i := from; i < to; i++ {
		other := h.entry(i)
		same := one.ID >= 0 && one.ID == other.ID || one.Families.Overlaps(other.Families)
		if same || h.words[i].hash == h.words[word].hash {
			return true
		}
	}
	return false
}

func (h *hearing) entry(i int) *lexicon.Entry { return h.At(int(h.words[i].token)) }

// orders are the wishes of a message that are orders, or may be. What a row was found in
// orders nothing.
type orders []order

// first is where an order begins between two words, -1 if there is none: one for a change,
// where that is asked for.
func (o orders) first(from, to int, change bool) int {
	for _, order := range o {
		if order.certain && (order.change || !change) && from <= order.word && order.word < to {
			return order.word
		}
	}
	return -1
}

// may reports whether anything between two words may be an order. Who is generous here
// takes one back too many; what is told, and courtesies, are none.
func (o orders) may(from, to int) bool {
	return slices.ContainsFunc(o, func(order order) bool { return from <= order.word && order.word < to })
}

// order lists the wishes that are orders, or may be, and words that are no wish but order
// something like the verbs of a trade: "moor the barge".
func (h *hearing) order() {
	next := 0
	for i := range h.words {
		at := int(h.words[i].token)
		for next < len(h.Requests) && h.Requests[next].To <= at {
			next++
		}
		inRow := slices.ContainsFunc(h.found, func(f holding) bool { return f.from <= i && i < f.to })
		if next == len(h.Requests) || inRow || slices.Contains(h.table.leads.hashes, h.words[i].hash) {
			continue
		}
		r := &h.Requests[next]
		verb, certain := h.orderIn(r)
		if next > 0 && h.goesOn(&h.Requests[next-1], r) {
			verb = -1
		}
		unlisted := h.words[i].opens && h.isUnlistedVerb(at) && !h.isTold(at)
		if at == verb || unlisted {
			change := h.Tokens[at].Entry != nil && (r.Ensures || unlisted || !r.Families.Overlaps(informing))
			h.orders = append(h.orders, order{i, certain || unlisted, change})
		}
	}
}

// goesOn reports whether a request goes on telling what the user does: "I'll look and call
// back".
func (h *hearing) goesOn(before, r *Request) bool {
	return before.Plea == Told && before.Me && before.To == r.From && h.Class(r.From-1).Has(lexicon.Conjunction)
}

// informing families change nothing.
var informing = lexicon.FamiliesOf(lexicon.Read, lexicon.Search, lexicon.Verify, lexicon.Explain, lexicon.Review,
	lexicon.Analyze, lexicon.Summarize, lexicon.Compare, lexicon.Calculate, lexicon.Write)

// orderIn is the word that a wish orders something by, and whether it does so for certain;
// -1 if it surely orders nothing: it tells or asks something, or says what the user does.
func (h *hearing) orderIn(r *Request) (at int, certain bool) {
	at = r.Verb
	switch r.Plea {
	case Named, Inquired:
		return h.orderNamed(r)
	case Barred:
		return at, h.is(at, cueStops) && !h.hasBefore(r, lexicon.Negation|lexicon.Question) // "stop sending them"
	case Wished:
		return r.From, false
	case Commanded:
		listed := !r.Families.Empty() || h.isUnlistedVerb(at)
		let := slices.ContainsFunc(h.Message.words[r.From:at+1], func(e *lexicon.Entry) bool { return e.Is(h.cues[cueLet]) })
		certain = listed && !let && !r.Me && !h.is(at, cueStill) && !h.isTold(at)
	case Suggested:
		if !h.Form(at).Has(lexicon.Base) {
			return -1, false
		}
	default:
		return -1, false
	}
	if !certain && h.Class(at) != 0 {
		return -1, false
	}
	return at, certain
}

// orderNamed is the same for a wish that only names something, or asks for it: "Pudding for
// Eva?" Verbs that are not listed name things, too.
func (h *hearing) orderNamed(r *Request) (at int, certain bool) {
	const asks = lexicon.Question | lexicon.Auxiliary | lexicon.Modal
	if at, _ = h.skip(r.From); r.Plea == Inquired && (r.Verb >= 0 || h.Class(at).Has(asks)) {
		return -1, false
	}
	for i := r.From; i < at; i++ { // "please correct that"
		if h.acting(i) && !h.is(i, cueHelping) {
			return i, true
		}
	}
	unlisted := at < r.To && h.Tokens[at].Kind == lexicon.Word && h.Tokens[at].Entry == nil
	if (unlisted || h.Form(at).Has(lexicon.Base)) && !h.Class(at+1).Has(lexicon.Auxiliary) {
		return at, false
	}
	return -1, false
}

// isTold reports whether something is told of the word at i, which may be a verb elsewhere:
// "archive is enough", "order 12 was late", "lockout tag is on".
func (h *hearing) isTold(i int) bool {
	const object = lexicon.Determiner | lexicon.Possessive | lexicon.Pronoun | lexicon.FirstPerson
	if h.Class(i+1).Has(object) && !h.Class(i+1).Has(lexicon.Auxiliary) {
		return false
	}
	noun := h.Form(i).Has(lexicon.Noun)
	for k := i + 1; h.Wordy(k) && (noun || k < i+3); k++ {
		if h.Class(k).Has(lexicon.Auxiliary) {
			return true
		}
	}
	return false
}

// hasBefore reports whether a word of some classes stands before the verb of a request.
func (h *hearing) hasBefore(r *Request, any lexicon.Class) bool {
	return slices.ContainsFunc(h.Message.words[r.From:r.Verb], func(e *lexicon.Entry) bool { return e.Class.Has(any) })
}

// isUnlistedVerb reports whether a word of which no meaning is known stands before what only
// follows a verb, like those of a trade: "moor the barge". A name may stand there, too.
func (h *hearing) isUnlistedVerb(i int) bool {
	const object = lexicon.Determiner | lexicon.Possessive
	token, next := &h.Tokens[i], h.Class(i+1)
	if !next.Has(object) || next.Has(lexicon.Negation|lexicon.Refusal|lexicon.Question) { // "no matter what"
		return false
	}
	if entry := token.Entry; entry != nil {
		return entry.Class == 0 && entry.Families.Empty() && entry.Form.Has(lexicon.Base) && !h.is(i, cueStill) &&
			!h.is(i, cueLet)
	}
	return token.Kind == lexicon.Word && (!token.Has(lexicon.Capital) || token.Has(lexicon.SentenceStart))
}
