package guard

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// unprovenIn are the sentences of a text that hold claims in doubt, in order. A doubt about the text as a whole
// names none.
func unprovenIn(text string, doubts []Doubt) []string {
	if isJSON(text) {
		if sentences, found := unprovenInJSON(text, doubts); found {
			return sentences
		}
	}
	var spans [][2]int
	whole, many := strings.TrimSpace(text), hasManySentences(text)
	begin, after := 0, 0 // of the sentence and the words that were found last: claims come in the order of the text
	for _, doubt := range doubts {
		words := strings.TrimSpace(doubt.Words)
		if doubt.Claim == nil || words == "" || len(words) >= len(whole) && many {
			continue
		}
		at, end := find(text, words, after)
		if at < 0 {
			if at, end = find(text, words, 0); at < 0 {
				continue
			}
			begin = 0
		}
		span := sentenceAround(text, begin, at, end)
		if match.LeavesOpen(words) {
			span[1] += reading.Leaning(text[span[1]:])
		}
		spans = append(spans, span)
		begin, after = span[0], end
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var sentences []string
	last := -1
	for _, span := range spans {
		if span[0] >= last {
			sentences = append(sentences, text[span[0]:span[1]])
			last = span[1]
		}
	}
	return sentences
}

// find is where words stand in a text from a place on, as they are or else by their letters and digits alone:
// claims are told without the marks of Markdown and JSON. It is -1 if they do not.
func find(text, words string, from int) (start, end int) {
	if at := strings.Index(text[from:], words); at >= 0 {
		return from + at, from + at + len(words)
	}
	bare, places := lettersOf(text[from:])
	wanted, _ := lettersOf(words)
	at := strings.Index(bare, wanted)
	if at < 0 || wanted == "" {
		return -1, -1
	}
	return from + places[at], from + places[at+len(wanted)-1] + 1
}

// lettersOf are the letters and digits of a text, and where each byte of them stood.
func lettersOf(text string) (bare string, places []int) {
	var kept strings.Builder
	for i, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			continue
		}
		before := kept.Len()
		kept.WriteRune(r)
		for j := range kept.Len() - before {
			places = append(places, i+j)
		}
	}
	return kept.String(), places
}

func hasManySentences(text string) bool {
	cut := sentenceEnd(strings.TrimSpace(text))
	return cut > 0 && strings.TrimSpace(strings.TrimSpace(text)[cut:]) != ""
}

// sentenceAround widens a piece of a text to the sentences or lines it stands in, of which one is known to begin at
// start.
func sentenceAround(text string, start, from, to int) [2]int {
	end := start
	for end < to {
		cut := sentenceEnd(text[end:])
		if cut == 0 {
			cut = len(text) - end
		}
		if end += cut; end <= from { // it ends before the piece
			start = end
		}
	}
	return [2]int{start, end}
}

// withhold is a text without some of its sentences, which are given in its order. Of a line of a list that loses
// all it says, the mark goes, too.
func withhold(text string, sentences []string) string {
	var spans [][2]int
	from := 0
	for _, sentence := range sentences {
		if at := strings.Index(text[from:], sentence); at >= 0 {
			spans = append(spans, [2]int{from + at, from + at + len(sentence)})
			from += at + len(sentence)
		}
	}
	var rest strings.Builder
	at := 0
	for line := range strings.Lines(text) {
		left, cut := outsideOf(line, at, spans)
		if at += len(line); !cut || !listMark.MatchString(left) {
			rest.WriteString(left)
		}
	}
	return strings.TrimSpace(rest.String())
}

// listMark is a line with nothing but the mark of a list, a box to tick or a quotation.
var listMark = regexp.MustCompile(`^\s*(?:>\s*)*(?:[-*+•–]|\(?(?:[0-9]{1,3}|[a-zA-Z])[.)])?\s*(?:\[[ xX]?\]|[✓✔✅☑*_]+)?\s*$`)

// outsideOf is what is left of a line of a text, which begins at a place, without some pieces of the text, and
// whether any of them stands in it.
func outsideOf(line string, begin int, spans [][2]int) (left string, cut bool) {
	at := 0
	for _, span := range spans {
		from, to := max(span[0]-begin, at), min(span[1]-begin, len(line))
		if from < to {
			left += line[at:from]
			at, cut = to, true
		}
	}
	return left + line[at:], cut
}

// Some answers are for programs, which read them as JSON. What is withheld of such an answer is taken out of its
// strings, so that it stays one that can be read.

// isJSON reports whether a text is a JSON object or array and nothing else.
func isJSON(text string) bool {
	switch jsonspan.KindOf([]byte(text)) {
	case jsonspan.Object, jsonspan.Array:
		return json.Valid([]byte(text))
	}
	return false
}

// unprovenInJSON are the sentences of the strings of a JSON text that hold claims in doubt. Found is false where a
// claim does not stand in one string.
func unprovenInJSON(text string, doubts []Doubt) (sentences []string, found bool) {
	open := make([]bool, len(doubts))
	for i, doubt := range doubts {
		open[i] = doubt.Claim != nil && strings.TrimSpace(doubt.Words) != ""
	}
	rewriteJSON(nil, []byte(text), func(said string) string {
		var here []Doubt
		for i, doubt := range doubts {
			if at, _ := find(said, strings.TrimSpace(doubt.Words), 0); open[i] && at >= 0 {
				here, open[i] = append(here, doubt), false
			}
		}
		if len(here) > 0 {
			sentences = append(sentences, unprovenIn(said, here)...)
		}
		return said
	})
	for _, left := range open {
		if left {
			return nil, false
		}
	}
	return sentences, true
}

// withholdJSON is a JSON text whose strings are without some sentences. It is not whole where the text is no JSON,
// or where a sentence does not stand in one string.
func withholdJSON(text string, sentences []string) (rest string, whole bool) {
	if !isJSON(text) {
		return "", false
	}
	left := sentences
	rewritten := rewriteJSON(nil, []byte(text), func(said string) string {
		for len(left) > 0 && strings.Contains(said, left[0]) {
			said = withhold(said, left[:1])
			left = left[1:]
		}
		return said
	})
	return string(rewritten), len(left) == 0
}

// rewriteJSON appends a JSON value whose strings are put into other words. Names stay.
func rewriteJSON(dst, value []byte, words func(string) string) []byte {
	switch jsonspan.KindOf(value) {
	case jsonspan.Object:
		opens := len(dst)
		for name, member := range jsonspan.Members(value) {
			dst = append(append(append(dst, ",\""...), name...), "\":"...)
			dst = rewriteJSON(dst, member, words)
		}
		return enclosed(dst, opens, "{}")
	case jsonspan.Array:
		opens := len(dst)
		for element := range jsonspan.Elements(value) {
			dst = rewriteJSON(append(dst, ','), element, words)
		}
		return enclosed(dst, opens, "[]")
	}
	if said, isText := jsonspan.Text(value); isText {
		return jsonspan.AppendQuoted(dst, words(said))
	}
	return append(dst, value...)
}

// enclosed puts what was appended from a place on between brackets; the first of them takes the place of the first
// comma.
func enclosed(dst []byte, from int, brackets string) []byte {
	if len(dst) == from {
		return append(dst, brackets...)
	}
	dst[from] = brackets[0]
	return append(dst, brackets[1])
}

// sentenceEnd is the length of the first whole sentence, or 0. A stop counts only with white space behind it, so
// that "v1.2" stays whole.
func sentenceEnd(text string) int {
	for i := 0; i+1 < len(text); i++ {
		switch text[i] {
		case '\n':
			return i + 1
		case '.', '!', '?':
			if next := text[i+1]; next == ' ' || next == '\n' || next == '\t' {
				return i + 2
			}
		}
	}
	return 0
}
