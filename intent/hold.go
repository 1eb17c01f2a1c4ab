package intent

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
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

var holdNames = [...]string{"not held", "withdrawn", "forbidden", "drafted", "supposed", "explained", "standing"}

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
	h.text, h.at = message, 0
	found, rows := NotHeld, holdRows()
	for before := 0; h.sentence(); before += len(h.words) {
		for at := range h.words {
			for _, row := range rows.beginning(h.words[at].word) {
				if (found == NotHeld || row.hold < found) && !(row.later && before+at == 0) && row.matches(h.words, at) {
					found = row.hold
				}
			}
		}
	}
	h.text = ""
	return found
}

// holdRow is one pattern of holds.txt.
type holdRow struct {
	hold             Hold
	opens, ends      bool       // it must stand at the beginning or end of a clause
	later            bool       // something must stand before it
	words            [][]string // the alternatives for each word
	text             string
	example, counter string
}

//go:embed holds.txt
var holdsFile string

// holdIndex finds rows by their first words. Most words begin none, which their
// first letters and length tell already.
type holdIndex struct {
	rows   map[string][]*holdRow
	likely [1 << 10]uint32 // by the first two letters, a bit for each length
}

func (x *holdIndex) beginning(word []byte) []*holdRow {
	if len(word) == 0 || x.likely[letters(word)]>>min(len(word), 31)&1 == 0 {
		return nil
	}
	return x.rows[string(word)]
}

// letters is a number for the first two letters of a word, and its last.
func letters[word string | []byte](w word) int {
	return int(w[0]&31)<<5 | int((w[min(1, len(w)-1)]+3*w[len(w)-1])&31)
}

var holdRows = sync.OnceValue(func() *holdIndex {
	index := &holdIndex{rows: map[string][]*holdRow{}}
	for _, row := range parseHolds(holdsFile) {
		for _, word := range row.words[0] {
			index.rows[word] = append(index.rows[word], row)
			index.likely[letters(word)] |= 1 << min(len(word), 31)
		}
	}
	return index
})

func parseHolds(file string) []*holdRow {
	var rows []*holdRow
	for line := range strings.Lines(file) {
		fields := strings.Split(line, "|")
		if len(fields) != 4 || strings.HasPrefix(line, "#") {
			continue
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		rows = append(rows, newHoldRow(fields))
	}
	return rows
}

func newHoldRow(fields []string) *holdRow {
	row := &holdRow{text: fields[1], example: fields[2], counter: fields[3]}
	for hold, name := range holdNames {
		if name == fields[0] {
			row.hold = Hold(hold)
		}
	}
	for _, word := range strings.Fields(fields[1]) {
		switch word {
		case "^":
			row.opens = true
		case "$":
			row.ends = true
		case "&":
			row.later = true
		default:
			row.words = append(row.words, strings.Split(word, "/"))
		}
	}
	return row
}

// leads are words that may stand before the beginning of a clause proper: the
// line of holds.txt that begins with "leads".
var leads = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(holdsFile) {
		if list, ok := strings.CutPrefix(line, "leads |"); ok {
			for _, word := range strings.Fields(list) {
				words[word] = true
			}
		}
	}
	return words
})

// heard is one word of a message.
type heard struct {
	word  []byte
	opens bool // a comma or the beginning of the sentence stands before it
}

func (r *holdRow) matches(words []heard, at int) bool {
	end := at + len(r.words)
	if end > len(words) || r.ends && end < len(words) && !words[end].opens || r.opens && !beginsAt(words, at) {
		return false
	}
	for i, alternatives := range r.words {
		if !oneOf(alternatives, words[at+i].word) {
			return false
		}
	}
	return true
}

// beginsAt reports whether only leading words stand between the beginning of a
// clause and the word at a place.
func beginsAt(words []heard, at int) bool {
	for ; !words[at].opens; at-- {
		if !leads()[string(words[at-1].word)] {
			return false
		}
	}
	return true
}

func oneOf(alternatives []string, word []byte) bool {
	if first, but := strings.CutPrefix(alternatives[0], "!"); but {
		return first != string(word) && !slices.Contains(alternatives[1:], string(word))
	}
	for _, wanted := range alternatives {
		if wanted == "*" || wanted == string(word) {
			return true
		}
		ending, suffix := strings.CutPrefix(wanted, "~")
		if suffix && len(word) > len(ending)+1 && string(word[len(word)-len(ending):]) == ending {
			return true
		}
	}
	return false
}

// hearing reads a message sentence by sentence, in lower case and without
// apostrophes. A quotation is heard as one empty word.
type hearing struct {
	text   string
	at     int
	folded []byte // room for the words of the sentence
	words  []heard
	opens  bool
}

var hearings = sync.Pool{New: func() any { return &hearing{} }}

// sentence reads the next sentence into words; false at the end of the message.
func (h *hearing) sentence() bool {
	if h.at >= len(h.text) {
		return false
	}
	h.words, h.folded, h.opens = h.words[:0], h.folded[:0], true
	for h.at < len(h.text) {
		r, size := rune(h.text[h.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(h.text[h.at:])
		}
		switch {
		case spoken(r):
			h.word()
			continue
		case opensQuotation(r):
			size += h.quoted(h.text[h.at+size:])
		case opensClause(r), r == '-' && strings.HasPrefix(h.text[h.at+1:], " "):
			h.opens = true
		case endsSentence(r):
			h.at += size
			return true
		}
		h.at += size
	}
	return true
}

func opensQuotation(r rune) bool { return r == '"' || r == '“' || r == '«' || r == '`' }

// opensClause reports whether a clause may begin behind a mark: "cancel it – no,
// don't".
func opensClause(r rune) bool { return r == ',' || r == '(' || r == '–' || r == '—' }

// endsSentence reports whether nothing behind a mark belongs to what stands
// before it.
func endsSentence(r rune) bool {
	switch r {
	case '.', '!', '?', ';', ':', ')', '\n', '…':
		return true
	}
	return false
}

func spoken(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// word reads a word. An apostrophe inside belongs to it and is not heard.
func (h *hearing) word() {
	from := len(h.folded)
	for h.at < len(h.text) {
		r, size := rune(h.text[h.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(h.text[h.at:])
		}
		switch {
		case spoken(r):
			if r < utf8.RuneSelf {
				h.folded = append(h.folded, byte(r)|0x20) // digits have that bit, too
			} else {
				h.folded = utf8.AppendRune(h.folded, unicode.ToLower(r))
			}
		case r != '\'' && r != '’':
			h.say(h.folded[from:])
			return
		}
		h.at += size
	}
	h.say(h.folded[from:])
}

// quoted is the length of a quotation up to its end; 0 if it does not end.
func (h *hearing) quoted(rest string) int {
	closing := strings.IndexAny(rest, "\"”»`")
	if closing < 0 {
		return 0
	}
	h.say(nil)
	_, last := utf8.DecodeRuneInString(rest[closing:])
	return closing + last
}

func (h *hearing) say(word []byte) {
	h.words = append(h.words, heard{word, h.opens})
	h.opens = false
}
