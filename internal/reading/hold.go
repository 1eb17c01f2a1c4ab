package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// holdRow is one pattern of holds.txt.
type holdRow struct {
	hold        uint8
	opens, ends bool // it must stand at the beginning or end of a clause
	later       bool // something must stand before it
	before      bool // it takes back what stands before it,
	all         bool // whatever that is
	own         bool // it holds back but its own clause
	alone       bool // it must be all there is
	words       []holdWord
}

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
	still lexicon.Cue                 // verbs that leave things as they are
	// words of what is asked for, "to" and "let"
	things, to, let lexicon.Cue
}

// ParseHolds reads a list of patterns, each under the name of a kind. The number of a
// kind is its place among the names, none of which is 0; see intent/holds.txt.
func ParseHolds(list string, kinds []string) *Holds {
	english := lexicon.English()
	t := &Holds{still: english.Cue("leave-keep"), things: english.Cue("things"), to: english.Cue("to"),
		let: english.Cue("let")}
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
		switch word {
		case "^":
			row.opens = true
		case "$":
			row.ends = true
		case "&":
			row.later = true
		case "<", "<<":
			row.before, row.all = true, word == "<<"
		case "@":
			row.own = true
		case "=":
			row.alone = true
		default:
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

// heard is one word of a message, in small letters and without apostrophes. A
// quotation is heard as one word without letters.
type heard struct {
	hash       uint64
	start, end int32
	token      int32
	opens      bool // a comma or the beginning of the sentence stands before it
}

// Hearing listens for what holds back.
type Hearing struct {
	table  *Holds
	tokens []lexicon.Token
	text   string
	words  []heard   // of all sentences so far
	first  int       // the first of the sentence
	opens  bool      // a clause begins
	found  []holding // all of them, in order
	// Bars are the tokens, first and last, of clauses that hold back themselves alone.
	Bars [][2]int32
	// Kept is where in the text begins what was said instead of something withdrawn: "mail
	// it. Scratch that, print it". What stands before it counts as never said.
	Kept int
	// Over is a message that withdraws what it asks for, and asks for nothing else.
	Over bool
}

// maxHoldings bounds how many rows are found in one message.
const maxHoldings = 16

// holding is a row, and the words that it was found in.
type holding struct {
	row      *holdRow
	from, to int
}

// Hear hears the tokens of a text. It returns the kind of what holds it back, 0 if
// nothing does; where several do, the first kind.
func (h *Hearing) Hear(table *Holds, text string, tokens []lexicon.Token) uint8 {
	*h = Hearing{table: table, text: text, tokens: tokens, words: make([]heard, 0, len(tokens)), opens: true}
	for i := range tokens {
		token := &tokens[i]
		switch mark := text[token.Start]; {
		case token.Has(lexicon.Quoted):
			if !tokens[i-1].Has(lexicon.Quoted) {
				h.say(heard{token: int32(i)})
			}
		case token.IsWord():
			if w := (heard{hash: token.Hash, start: token.Start, end: token.End, token: int32(i)}); token.Has(lexicon.Plain) {
				h.say(w)
			} else {
				h.hear(w)
			}
			if strings.HasPrefix(text[token.End:], ".") { // of an abbreviation, too
				h.end()
			}
		case token.Kind == lexicon.End, token.Kind == lexicon.Break, mark == ';', mark == ':', mark == ')':
			h.end()
		case token.Kind == lexicon.Comma, mark == '(': // "cancel it – no, don't"
			h.opens = true
		}
	}
	h.end()
	return h.settle()
}

// settle says what holds back, of all that was found. A withdrawal takes back what stands
// before it: with no order there, and something asked for after it, it is about an earlier message. What
// holds back but its own clause is a bar where the message orders a change elsewhere.
func (h *Hearing) settle() (kind uint8) {
	first := h.keep()
	for _, f := range h.found {
		switch {
		case f.from < first, f.row.alone && f.to-f.from < len(h.words), f.row.before && h.idle(f, first):
			continue
		case f.row.before && !h.mayOrder(first, f.from) && h.asks(f.to):
			continue
		case f.row.own:
			from, to := h.clause(f)
			before := h.ordered(first, from, true)
			if before >= 0 && !h.repeats(before, from, to) || h.ordered(to, len(h.words), true) >= 0 {
				h.Bars = append(h.Bars, [2]int32{h.words[from].token, h.words[to-1].token})
				continue
			}
		}
		h.Over = h.Over || f.row.before && h.over(f, first)
		if kind == 0 || f.row.hold < kind {
			kind = f.row.hold
		}
	}
	return kind
}

// clause is what a row holds back that holds back its own clause: from its first word on.
func (h *Hearing) clause(f holding) (from, to int) {
	for to = f.to; to < len(h.words) && !h.words[to].opens; to++ {
	}
	return f.from, to
}

var anything = lexicon.Hash("anything")

// repeats reports whether a clause speaks of the act that was ordered before it, or of
// all: "rate her. Don't rate her at all" takes it back.
func (h *Hearing) repeats(order, from, to int) bool {
	word := h.words[order].hash
	act := h.tokens[h.words[order].token].Entry
	return slices.ContainsFunc(h.words[from:to], func(w heard) bool {
		entry := h.tokens[w.token].Entry
		same := entry != nil && act != nil && (entry.ID == act.ID || entry.Families.Overlaps(act.Families))
		return same || w.hash == word || w.hash == anything
	})
}

// ordered is where an order begins between two words, -1 if there is none: one for a
// change, where that is asked for. What a row is found in orders nothing.
func (h *Hearing) ordered(from, to int, change bool) int {
	for i := from; i < to; i++ {
		if h.begins(i) && h.verb(i, change) && !h.inRow(i) {
			return i
		}
	}
	return -1
}

func (h *Hearing) inRow(i int) bool {
	return slices.ContainsFunc(h.found, func(f holding) bool { return f.from <= i && i < f.to })
}

// informing families change nothing.
var informing = lexicon.FamiliesOf(lexicon.Read, lexicon.Search, lexicon.Verify, lexicon.Explain, lexicon.Review,
	lexicon.Analyze, lexicon.Summarize, lexicon.Compare, lexicon.Calculate, lexicon.Write)

// hear takes a word that is not plain. An ending goes on with the word before: "I'd".
func (h *Hearing) hear(w heard) {
	text := h.text[w.start:w.end]
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

func (h *Hearing) say(w heard) {
	w.opens, h.opens = h.opens, false
	h.words = append(h.words, w)
}

// end looks for what holds back in the sentence that ends.
func (h *Hearing) end() {
	for at := h.first; at < len(h.words); at++ {
		for _, row := range h.table.first.Find(h.words[at].hash) {
			if !(row.later && at == 0) && len(h.found) < maxHoldings && h.matches(row, at) {
				h.found = append(h.found, holding{row, at, at + len(row.words)})
			}
		}
	}
	h.first, h.opens = len(h.words), true
}

// matches reports whether a row stands at a place where its first word was found.
func (h *Hearing) matches(row *holdRow, at int) bool {
	end := at + len(row.words)
	if end > len(h.words) {
		return false
	}
	for i := 1; i < len(row.words); i++ {
		if !h.fits(&row.words[i], &h.words[at+i]) {
			return false
		}
	}
	return (!row.ends || end == len(h.words) || h.words[end].opens) && (!row.opens || h.beginsAt(at))
}

// beginsAt reports whether only leading words stand between the beginning of a
// clause and the word at a place.
func (h *Hearing) beginsAt(at int) bool {
	for leads := h.table.leads.hashes; !h.words[at].opens; at-- {
		if !slices.Contains(leads, h.words[at-1].hash) {
			return false
		}
	}
	return true
}

func (h *Hearing) fits(w *holdWord, word *heard) bool {
	if w.maybe>>(word.hash>>58)&1 == 1 && slices.Contains(w.hashes, word.hash) {
		return !w.but
	}
	for _, ending := range w.endings {
		text := h.text[word.start:word.end]
		if cut := len(text) - len(ending); cut > 1 && strings.EqualFold(text[cut:], ending) {
			return true
		}
	}
	return w.others
}
