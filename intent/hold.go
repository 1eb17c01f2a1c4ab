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
)

var holdNames = [...]string{"not held", "withdrawn", "forbidden", "drafted", "supposed", "explained"}

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
	found := NotHeld
	table := holdRows()
	eachSentence(message, func(words []heard) {
		for at := range words {
			for _, row := range table[words[at].word] {
				if row.matches(words, at) && (found == NotHeld || row.hold < found) {
					found = row.hold
				}
			}
		}
	})
	return found
}

// holdRow is one pattern of holds.txt.
type holdRow struct {
	hold             Hold
	opens, ends      bool       // it must stand at the beginning or end of a clause
	words            [][]string // the alternatives for each word
	text             string
	example, counter string
}

//go:embed holds.txt
var holdsFile string

// holdRows are the rows by each word that can begin them.
var holdRows = sync.OnceValue(func() map[string][]*holdRow {
	index := map[string][]*holdRow{}
	for _, row := range parseHolds(holdsFile) {
		for _, word := range row.words[0] {
			index[word] = append(index[word], row)
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
		default:
			row.words = append(row.words, strings.Split(word, "/"))
		}
	}
	return row
}

// leads are words that may stand before the beginning of a clause proper.
const leads = " please pls but and or so just no oh ok okay sorry well now then also wait hmm hm ah yes yeah could can you also actually "

// heard is one word of a message.
type heard struct {
	word  string
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
		if !strings.Contains(leads, " "+words[at-1].word+" ") {
			return false
		}
	}
	return true
}

func oneOf(alternatives []string, word string) bool {
	if first, but := strings.CutPrefix(alternatives[0], "!"); but {
		return first != word && !slices.Contains(alternatives[1:], word)
	}
	for _, wanted := range alternatives {
		ending, suffix := strings.CutPrefix(wanted, "~")
		if wanted == "*" || wanted == word || suffix && strings.HasSuffix(word, ending) && len(word) > len(ending)+1 {
			return true
		}
	}
	return false
}

// eachSentence visits the words of each sentence, in lower case and without
// apostrophes. A quotation stands there as one empty word.
func eachSentence(message string, visit func(words []heard)) {
	var room [48]heard
	words, opens := room[:0], true
	say := func(word string) {
		words = append(words, heard{word, opens})
		opens = false
	}
	message = strings.ToLower(message)
	for i := 0; i < len(message); {
		r, size := utf8.DecodeRuneInString(message[i:])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			end := wordEnd(message, i)
			say(plainWord(message[i:end]))
			size = end - i
		case strings.ContainsRune("\"“«`", r):
			if closing := strings.IndexAny(message[i+size:], "\"”»`"); closing >= 0 {
				say("")
				_, last := utf8.DecodeRuneInString(message[i+size+closing:])
				size += closing + last
			}
		case strings.ContainsRune(",(–—", r) || r == '-' && strings.HasPrefix(message[i+size:], " "):
			opens = true
		case strings.ContainsRune(".;:!?)\n…", r):
			visit(words)
			words, opens = words[:0], true
		}
		i += size
	}
	visit(words)
}

// wordEnd is where the word at i ends. An apostrophe inside belongs to it.
func wordEnd(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		inside := r == '\'' || r == '’'
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !inside {
			break
		}
		i += size
	}
	return i
}

func plainWord(word string) string {
	if !strings.ContainsAny(word, "'’") {
		return word
	}
	return strings.NewReplacer("'", "", "’", "").Replace(word)
}
