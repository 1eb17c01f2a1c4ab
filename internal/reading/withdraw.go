package reading

import (
	"slices"

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
	if entry := h.entry(at); entry == nil || !entry.Families.Overlaps(halting) {
		return true
	}
	for i := at + 1; i < len(h.words) && !h.words[i].opens; i++ {
		if h.thing(i) && !h.spokenOf(i, f.from) {
			return true
		}
	}
	return false
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

// verb reports whether the word at i, which begins a clause, is the verb of an order. Words
// of a trade are not listed, or mean nothing known: before what only follows a verb they are
// taken for one ("moor the barge"), but for names.
func (h *Hearing) verb(i int, change bool) bool {
	const object = lexicon.Determiner | lexicon.Possessive
	switch entry := h.entry(i); {
	case entry != nil && entry.Is(h.table.still):
		return false
	case entry != nil && entry.Form.Has(lexicon.Base) && !entry.Families.Empty():
		return !change || !entry.Families.Overlaps(informing)
	case i+1 >= len(h.words) || h.words[i+1].opens || h.entry(i+1) == nil || !h.entry(i+1).Class.Has(object):
		return false
	case entry == nil:
		token := &h.tokens[h.words[i].token]
		return token.Kind == lexicon.Word && (!token.Has(lexicon.Capital) || token.Has(lexicon.SentenceStart))
	default:
		return entry.Form.Has(lexicon.Base) && entry.Class == 0
	}
}

// mayOrder reports whether anything between two words may be an order. Who is generous here
// takes one back too many; what is told, and courtesies, are none.
func (h *Hearing) mayOrder(from, to int) bool {
	const before = lexicon.SecondPerson | lexicon.Modal | lexicon.Politeness | lexicon.Conjunction | lexicon.Sequence
	for i := from; i < to; i++ {
		entry := h.entry(i)
		begins := h.words[i].opens || slices.Contains(h.table.leads.hashes, h.words[i-1].hash)
		switch {
		case h.inRow(i), entry != nil && (!entry.Form.Has(lexicon.Base) || entry.Class != 0):
		case begins && (entry != nil || !h.told(i, to)):
			return true
		case entry != nil && i > from && h.entry(i-1) != nil && (h.entry(i-1).Class.Has(before) || h.entry(i-1).Is(h.table.to)):
			return true
		}
	}
	return false
}

// told reports whether the clause that begins at i has a verb of telling: "Marta was late".
func (h *Hearing) told(i, to int) bool {
	for i++; i < to && !h.words[i].opens; i++ {
		entry := h.entry(i)
		if entry != nil && (entry.Class.Has(lexicon.Auxiliary|lexicon.Modal) ||
			entry.Form.Has(lexicon.Past|lexicon.Third) && !entry.Form.Has(lexicon.Noun|lexicon.Plural|lexicon.Adjective)) {
			return true
		}
	}
	return false
}
