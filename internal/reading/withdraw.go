package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// A withdrawal takes back what was said before it, and not what is said instead: "mail the
// letter. Scratch that, print the letter".

// keep finds the last withdrawal that takes back an order and is followed by another one,
// and returns the first word that counts then; 0 where all do, or too much is found to tell.
func (h *Hearing) keep() (first int) {
	if len(h.found) == maxHoldings {
		return 0
	}
	for _, f := range h.found {
		if f.row.before && f.to > first && h.mayOrder(0, f.from) && h.instead(f) {
			first = f.to
		}
	}
	if first > 0 {
		h.Kept = int(h.tokens[h.words[first].token].Start)
	}
	return first
}

// instead reports whether an order follows a withdrawal. One that cancels what was spoken
// of says the same once more: "pay the bill. No wait, stop the payment".
func (h *Hearing) instead(f holding) bool {
	at := h.ordered(f.to, len(h.words), false)
	if at < 0 {
		return false
	}
	if entry := h.entry(at); entry == nil || !entry.Families.Overlaps(ending) {
		return true
	}
	for i := at + 1; i < len(h.words) && !h.words[i].opens; i++ {
		if h.thing(i) && !h.spokenOf(i, f.from) {
			return true
		}
	}
	return false
}

var ending = lexicon.FamiliesOf(lexicon.Stop, lexicon.Cancel, lexicon.Drop)

// idle reports whether a row that withdraws by a command has no order before it that it
// could take back: "yes, cancel", "I can't make it, cancel".
func (h *Hearing) idle(f holding, first int) bool {
	entry := h.entry(f.from)
	return f.row.later && entry != nil && entry.Form.Has(lexicon.Base) && entry.Families.Overlaps(ending) &&
		!h.mayOrder(first, f.from)
}

// over reports whether a withdrawal that can mean nothing else takes back an order or a
// question, and no more than a short remark follows it.
func (h *Hearing) over(f holding, first int) bool {
	const most = 6 // words; who says more may ask for something
	rest := len(h.words) - f.to
	if !f.row.all || f.from == first || rest > most || !h.begins(f.from) {
		return false
	}
	if rest > 0 && (!h.parts(f.to) || strings.Contains(h.text[h.words[f.to].start:], "?")) {
		return false
	}
	if last := h.entry(len(h.words) - 1); last != nil && last.Class.Has(lexicon.Negation) {
		return true // "…, no wait, don't"
	}
	before := h.text[:h.words[f.from].start]
	return h.ordered(first, f.from, false) >= 0 || strings.Contains(before, "?") || !h.tells(first, f.from)
}

// tells reports whether what stands between two words only tells something, and neither
// names a thing nor says what somebody wants. Who tells may want it dropped, by a tool: "it
// broke, forget it".
func (h *Hearing) tells(from, to int) bool {
	told := false
	for i := from; i < to; i++ {
		entry, opens := h.entry(i), h.words[i].opens
		if entry != nil && (opens && entry.Class.Has(lexicon.Question) ||
			entry.Class.Has(lexicon.Desire) && i > from && h.subject(i-1)) {
			return false
		}
		told = told || opens && (h.told(i) || entry != nil && entry.Form.Has(lexicon.Past))
	}
	return told
}

// parts reports whether what stands before the word at i is complete: "forget it, …", "no
// wait don't", and not "scratch that date".
func (h *Hearing) parts(i int) bool {
	return h.words[i].opens || h.entry(i) != nil && h.entry(i).Class.Has(lexicon.Negation)
}

// asks reports whether an order stands behind a word, or a question that is a sentence of its
// own: "forget dinner. What's on?"; but "wait, which one?" waits.
func (h *Hearing) asks(from int) bool {
	if from == len(h.words) {
		return false
	}
	rest, _, asked := strings.Cut(h.text[h.words[from-1].end:], "?")
	return asked && strings.ContainsAny(rest, ".!\n") || h.ordered(from, len(h.words), false) >= 0
}

// begins reports whether a clause without a subject begins at i, words that only lead to it
// apart: not in "I'll just fix it", "I'll look and call back".
func (h *Hearing) begins(i int) bool {
	joined := false
	for ; !h.words[i].opens; i-- {
		entry := h.entry(i - 1)
		if !slices.Contains(h.table.leads.hashes, h.words[i-1].hash) {
			if !joined {
				return false
			}
			for !h.words[i].opens {
				i--
			}
			return !h.subject(i)
		}
		joined = joined || entry != nil && entry.Class.Has(lexicon.Conjunction|lexicon.Politeness)
	}
	return true
}

// subject reports whether the word at i is somebody who does what follows: I, he, "we'll".
func (h *Hearing) subject(i int) bool {
	const person = lexicon.FirstPerson | lexicon.ThirdPerson
	entry := h.entry(i)
	return entry != nil && entry.Class.Has(person) && !entry.Class.Has(lexicon.Possessive)
}

// mayBegin is a generous begins: whatever leads, it may lead to an order.
func (h *Hearing) mayBegin(i int) bool {
	return h.words[i].opens || slices.Contains(h.table.leads.hashes, h.words[i-1].hash)
}

// thing reports whether a word names or numbers something.
func (h *Hearing) thing(i int) bool {
	entry := h.entry(i)
	return entry == nil || entry.Form.Has(lexicon.Noun|lexicon.Plural) && !entry.Class.Has(lexicon.Politeness)
}

// spokenOf reports whether a word, or one of the same meaning, stands before another one, or
// only stands for what was asked: "my request".
func (h *Hearing) spokenOf(i, to int) bool {
	word, entry := h.words[i].hash, h.entry(i)
	if entry != nil && entry.Is(h.table.things) {
		return true
	}
	return slices.ContainsFunc(h.words[:to], func(w heard) bool {
		other := h.tokens[w.token].Entry
		return w.hash == word || entry != nil && other != nil &&
			(entry.ID == other.ID || entry.Families.Overlaps(other.Families))
	})
}

func (h *Hearing) entry(i int) *lexicon.Entry { return h.tokens[h.words[i].token].Entry }

// verb reports whether the word at i, which begins a clause, is the verb of an order, listed
// or not.
func (h *Hearing) verb(i int, change bool) bool {
	token := &h.tokens[h.words[i].token]
	var next lexicon.Class
	if i+1 < len(h.words) && !h.words[i+1].opens && h.entry(i+1) != nil {
		next = h.entry(i + 1).Class
	}
	const behind = lexicon.Determiner | lexicon.Possessive | lexicon.Pronoun | lexicon.FirstPerson
	switch entry := token.Entry; {
	case h.words[i].hash != token.Hash, next.Has(lexicon.Auxiliary): // "label's", "archive is enough"
		return false
	case !next.Has(behind) && h.told(i) && (h.nounAt(i) || h.auxiliaryAt(i+2)):
		return false // "order 12 was late", "lockout tag is on"
	case entry == nil: // it may lead to anything: "whatever the label says"
		return !change && unlistedVerb(token, next)
	case entry.Is(h.table.still), entry.Is(h.table.let), !entry.Form.Has(lexicon.Base):
		return false // "keep it", "let it run"
	case entry.Families.Empty():
		return unlistedVerb(token, next)
	}
	return !change || !token.Entry.Families.Overlaps(informing)
}

// unlistedVerb reports whether a word of which no meaning is known stands before what only
// follows a verb, like those of a trade: "moor the barge". A name may stand there, too.
func unlistedVerb(token *lexicon.Token, next lexicon.Class) bool {
	const object = lexicon.Determiner | lexicon.Possessive
	if !next.Has(object) || next.Has(lexicon.Negation|lexicon.Refusal|lexicon.Question) { // "no matter what"
		return false
	}
	if token.Entry != nil {
		return token.Entry.Class == 0
	}
	return token.Kind == lexicon.Word && (!token.Has(lexicon.Capital) || token.Has(lexicon.SentenceStart))
}

func (h *Hearing) nounAt(i int) bool { return h.entry(i) != nil && h.entry(i).Form.Has(lexicon.Noun) }

func (h *Hearing) auxiliaryAt(i int) bool {
	return i < len(h.words) && h.entry(i) != nil && h.entry(i).Class.Has(lexicon.Auxiliary)
}

// mayOrder reports whether anything between two words may be an order. Who is generous here
// takes one back too many; what is told, and courtesies, are none.
func (h *Hearing) mayOrder(from, to int) bool {
	const before = lexicon.SecondPerson | lexicon.Modal | lexicon.Politeness | lexicon.Conjunction | lexicon.Sequence
	for i := from; i < to; i++ {
		entry := h.entry(i)
		switch {
		case h.inRow(i), entry != nil && (!entry.Form.Has(lexicon.Base) || entry.Class != 0),
			h.tokens[h.words[i].token].Kind != lexicon.Word, slices.Contains(h.table.leads.hashes, h.words[i].hash):
		case h.mayBegin(i) && (entry != nil || !h.told(i)):
			return true
		case entry != nil && i > from && h.entry(i-1) != nil:
			if h.entry(i-1).Class.Has(before) || h.entry(i-1).Is(h.table.to) {
				return true
			}
		}
	}
	return false
}

// told reports whether the clause that begins at i has a verb of telling: "Marta was late".
func (h *Hearing) told(i int) bool {
	for i++; i < len(h.words) && !h.words[i].opens; i++ {
		entry := h.entry(i)
		if entry != nil && (entry.Class.Has(lexicon.Auxiliary|lexicon.Modal) ||
			entry.Form.Has(lexicon.Past|lexicon.Third) && !entry.Form.Has(lexicon.Noun|lexicon.Plural)) {
			return true
		}
	}
	return false
}
