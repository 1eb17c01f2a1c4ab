package intent

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Hold is how a message holds back what it speaks of. The zero value is a
// message that does not.
type Hold uint8

const (
	// NotHeld is a message that means what it asks for.
	NotHeld Hold = iota
	// Withdrawn takes a request back: "cancel the kettle, no wait, don't".
	Withdrawn
	// Forbidden says not to do it: "don't send it", "without calling anybody".
	Forbidden
	// Drafted wants the words and not the act: "draft a mail to Jane".
	Drafted
	// Supposed speaks of what might be: "what happens if I cancel it?".
	Supposed
	// Explained asks how it is done, or about the past: "how do I delete it?".
	Explained
	// Standing asks for what is to happen again and again, and the tool does it
	// once: "always water the ferns at dusk". Only an [Expectation] is
	// held so: a tool that schedules is just what such a message asks for.
	Standing
)

var holdNames = []string{"not held", "withdrawn", "forbidden", "drafted", "supposed", "explained", "standing"}

// String is the name that logs use.
func (h Hold) String() string {
	if int(h) < len(holdNames) {
		return holdNames[h]
	}
	return fmt.Sprintf("hold(%d)", uint8(h))
}

// HoldOf finds out whether a message holds back what it speaks of. It is
// generous: a request that is taken for a held one is asked about instead of
// being insisted on, while a held one that is insisted on does harm. What is
// quoted says nothing. Where several rows apply, a withdrawal counts before all
// others.
func HoldOf(message string) Hold {
	h := hearings.Get().(*hearing)
	defer hearings.Put(h)
	h.tokens = lexicon.English().Tokenize(h.tokens[:0], message)
	return h.hold(holds(), message, h.tokens)
}

// holdRow is one pattern of holds.txt.
type holdRow struct {
	hold        Hold
	opens, ends bool // it must stand at the beginning or end of a clause
	later       bool // something must stand before it
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

//go:embed holds.txt
var holdsFile string

// holdTable is what holds.txt says.
type holdTable struct {
	first hashtable.Table[[]*holdRow] // by a first word
	leads holdWord                    // words that may stand before the beginning of a clause proper
}

var holds = sync.OnceValue(func() *holdTable {
	t := &holdTable{}
	for line := range strings.Lines(holdsFile) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		switch {
		case strings.HasPrefix(line, "#") || len(fields) < 2:
		case fields[0] == "leads":
			t.leads = newHoldWord(strings.Fields(fields[1]))
		default:
			t.add(newHoldRow(fields[0], fields[1]))
		}
	}
	return t
})

func newHoldRow(kind, pattern string) *holdRow {
	row := &holdRow{hold: Hold(max(0, slices.Index(holdNames, kind)))}
	for _, word := range strings.Fields(pattern) {
		switch word {
		case "^":
			row.opens = true
		case "$":
			row.ends = true
		case "&":
			row.later = true
		default:
			row.words = append(row.words, newHoldWord(strings.Split(word, "/")))
		}
	}
	return row
}

func (t *holdTable) add(row *holdRow) {
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
	opens      bool // a comma or the beginning of the sentence stands before it
}

// hearing reads a message sentence by sentence.
type hearing struct {
	table  *holdTable
	tokens []lexicon.Token
	text   string
	words  []heard // of all sentences so far
	first  int     // the first of the sentence
	opens  bool    // a clause begins
	found  Hold
}

var hearings = sync.Pool{New: func() any { return &hearing{} }}

// hold hears the tokens of a text.
func (h *hearing) hold(table *holdTable, text string, tokens []lexicon.Token) Hold {
	*h = hearing{table: table, tokens: h.tokens, text: text, words: h.words[:0], opens: true}
	for i := range tokens {
		token := &tokens[i]
		switch mark := text[token.Start]; {
		case token.Has(lexicon.Quoted):
			if !tokens[i-1].Has(lexicon.Quoted) {
				h.say(heard{})
			}
		case token.IsWord():
			if w := (heard{hash: token.Hash, start: token.Start, end: token.End}); token.Has(lexicon.Plain) {
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
	h.text = "" // it is not kept
	return h.found
}

// hear takes a word that is not plain. An ending goes on with the word before: "I'd".
func (h *hearing) hear(w heard) {
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

func (h *hearing) say(w heard) {
	w.opens, h.opens = h.opens, false
	h.words = append(h.words, w)
}

// end looks for what holds back in the sentence that ends.
func (h *hearing) end() {
	for at := h.first; at < len(h.words); at++ {
		for _, row := range h.table.first.Find(h.words[at].hash) {
			if (h.found == NotHeld || row.hold < h.found) && !(row.later && at == 0) && h.matches(row, at) {
				h.found = row.hold
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
	return (!row.ends || end == len(h.words) || h.words[end].opens) && (!row.opens || h.beginsAt(at))
}

// beginsAt reports whether only leading words stand between the beginning of a
// clause and the word at a place.
func (h *hearing) beginsAt(at int) bool {
	for leads := h.table.leads.hashes; !h.words[at].opens; at-- {
		if !slices.Contains(leads, h.words[at-1].hash) {
			return false
		}
	}
	return true
}

func (h *hearing) fits(w *holdWord, word *heard) bool {
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
