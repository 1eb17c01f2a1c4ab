package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// holdRow is one pattern of holds.txt.
type holdRow struct {
	hold  uint8
	marks rowMark
	words []holdWord
}

// rowMark is a set of what a row says of the place that it is found in.
type rowMark uint8

const (
	opensClause rowMark = 1 << iota // it must stand at the beginning of a clause
	endsClause                      // or at the end
	standsLater                     // something must stand before it
	takesBack                       // it takes back what stands before it,
	takesAll                        // whatever that is
	holdsClause                     // it holds back but its own clause
	standsAlone                     // it must be all there is
)

var rowMarks = map[string]rowMark{"^": opensClause, "$": endsClause, "&": standsLater, "<": takesBack,
	"<<": takesBack | takesAll, "@": holdsClause, "=": standsAlone}

func (r *holdRow) has(mark rowMark) bool { return r.marks&mark != 0 }

// holdWord is what may stand in one place of a pattern.
type holdWord struct {
	hashes  []uint64 // of the alternatives
	maybe   uint64   // a bit for each: most words have none of them, and are not looked for
	endings []string
	others  bool // any other word will do
	but     bool // and none of the alternatives
}

// Holds are patterns of words by which a message holds back what it speaks of.
type Holds struct {
	first hashtable.Table[[]*holdRow] // by a first word
	leads holdWord                    // words that may stand before the beginning of a clause proper
}

// ParseHolds reads a list of patterns, each under the name of a kind. The number of a
// kind is its place among the names, none of which is 0; see intent/holds.txt.
func ParseHolds(list string, kinds []string) *Holds {
	t := &Holds{}
	for line := range strings.Lines(list) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		switch {
		case strings.HasPrefix(line, "#") || len(fields) < 2:
		case fields[0] == "leads":
			t.leads = newHoldWord(strings.Fields(fields[1]))
		default:
			t.add(newHoldRow(uint8(max(0, slices.Index(kinds, fields[0]))), fields[1]))
		}
	}
	return t
}

func newHoldRow(kind uint8, pattern string) *holdRow {
	row := &holdRow{hold: kind}
	for _, word := range strings.Fields(pattern) {
		if mark, is := rowMarks[word]; is {
			row.marks |= mark
		} else {
			row.words = append(row.words, newHoldWord(strings.Split(word, "/")))
		}
	}
	return row
}

func (t *Holds) add(row *holdRow) {
	for _, hash := range row.words[0].hashes {
		list := t.first.Add(hash)
		*list = append(*list, row)
	}
}

func newHoldWord(alternatives []string) (w holdWord) {
	alternatives[0], w.but = strings.CutPrefix(alternatives[0], "!")
	w.others = w.but
	for _, word := range alternatives {
		if ending, is := strings.CutPrefix(word, "~"); is {
			w.endings = append(w.endings, ending)
		} else if w.others = w.others || word == "*"; word != "*" {
			hash := lexicon.Hash(word)
			w.hashes, w.maybe = append(w.hashes, hash), w.maybe|1<<(hash>>58)
		}
	}
	return w
}

// Held is how a message holds back what it asks for, by a list of patterns.
type Held struct {
	// Kind is that of what holds it back, 0 if nothing does; where several do, the first.
	Kind uint8
	// Bars are the tokens, first and last, of clauses that hold back themselves alone.
	Bars [][2]int32
	// Over is a message that withdraws what it asks for, and asks for nothing else.
	Over bool
	// kept is where in the text begins what was said instead of something withdrawn: "mail
	// it. Scratch that, print it". What stands before it counts as never said.
	kept int
	// orders is true where something is held, and a change ordered beside it.
	orders bool
}

// spokenWord is one word of a message, in small letters and without apostrophes. A
// quotation is spoken as one word without letters.
type spokenWord struct {
	hash       uint64
	start, end int32
	token      int32
	opens      bool // a comma or the beginning of the sentence stands before it
}

// order is a wish that is ordered, or may be.
type order struct {
	word    int // its verb, or where it begins
	certain bool
	change  bool // it is no request for information
}

// holding is a row, and the words that it was found in.
type holding struct {
	row      *holdRow
	from, to int
}

// maxHoldings bounds how many rows are found in one message.
const maxHoldings = 16

// hearing looks for what holds a message back.
type hearing struct {
	*Message
	table *Holds
	words []spokenWord // of all sentences so far
	first int          // the first of the sentence
	opens bool         // a clause begins
	found []holding    // all of them, in order
	orders
}

// holds finds out how a message, whose wishes have been read, holds them back.
func (m *Message) holds(table *Holds) (held Held) {
	if h := m.listenFor(table); len(h.found) > 0 {
		h.order()
		h.settle(&held)
		held.orders = h.orders.first(0, len(h.words), true) >= 0
	}
	return held
}

// listenFor finds the rows of a table in a message.
func (m *Message) listenFor(table *Holds) *hearing {
	h := &hearing{Message: m, table: table, words: m.spoken[:0], opens: true}
	for i := range m.Tokens {
		token := &m.Tokens[i]
		switch mark := m.Text[token.Start]; {
		case token.Has(lexicon.Quoted):
			if !m.Tokens[i-1].Has(lexicon.Quoted) {
				h.say(spokenWord{token: int32(i)})
			}
		case token.IsWord():
			w := spokenWord{hash: token.Hash, start: token.Start, end: token.End, token: int32(i)}
			if token.Has(lexicon.Plain) {
				h.say(w)
			} else {
				h.join(w)
			}
			if strings.HasPrefix(m.Text[token.End:], ".") { // of an abbreviation, too
				h.end()
			}
		case token.Kind == lexicon.End, token.Kind == lexicon.Break, mark == ';', mark == ':', mark == ')':
			h.end()
		case token.Kind == lexicon.Comma, mark == '(': // "cancel it – no, don't"
			h.opens = true
		}
	}
	h.end()
	m.spoken = h.words
	return h
}

// join takes a word that is not plain. An ending goes on with the word before: "I'd".
func (h *hearing) join(w spokenWord) {
	text := h.Text[w.start:w.end]
	w.hash = lexicon.Hash("")
	if last := len(h.words) - 1; last >= h.first && strings.IndexFunc(text, apostrophe) == 0 {
		w, h.opens = h.words[last], h.words[last].opens
		h.words = h.words[:last]
	}
	for part := range strings.FieldsFuncSeq(text, apostrophe) {
		w.hash = lexicon.HashMore(w.hash, part)
	}
	h.say(w)
}

func apostrophe(r rune) bool { return r == '\'' || r == '’' }

func (h *hearing) say(w spokenWord) {
	w.opens, h.opens = h.opens, false
	h.words = append(h.words, w)
}

// end looks for what holds back in the sentence that ends.
func (h *hearing) end() {
	for at := h.first; at < len(h.words); at++ {
		for _, row := range h.table.first.Find(h.words[at].hash) {
			if !(row.has(standsLater) && at == 0) && len(h.found) < maxHoldings && h.matches(row, at) {
				h.found = append(h.found, holding{row, at, at + len(row.words)})
			}
		}
	}
	h.first, h.opens = len(h.words), true
}

// matches reports whether a row stands at a place where its first word was found.
func (h *hearing) matches(row *holdRow, at int) bool {
	end := at + len(row.words)
	if end > len(h.words) {
		return false
	}
	for i := 1; i < len(row.words); i++ {
		if !h.fits(&row.words[i], &h.words[at+i]) {
			return false
		}
	}
	return (!row.has(endsClause) || end == len(h.words) || h.words[end].opens) && (!row.has(opensClause) || h.begins(at))
}

// begins reports whether only leading words stand between the beginning of a clause and the
// word at a place.
func (h *hearing) begins(at int) bool {
	for !h.words[at].opens {
		if at--; !slices.Contains(h.table.leads.hashes, h.words[at].hash) {
			return false
		}
	}
	return true
}

func (h *hearing) fits(w *holdWord, word *spokenWord) bool {
	if w.maybe>>(word.hash>>58)&1 == 1 && slices.Contains(w.hashes, word.hash) {
		return !w.but
	}
	for _, ending := range w.endings {
		text := h.Text[word.start:word.end]
		if cut := len(text) - len(ending); cut > 1 && strings.EqualFold(text[cut:], ending) {
			return true
		}
	}
	return w.others
}
