package guard

import (
	"encoding/json"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Some answers are for programs, which read them as JSON. What is withheld of such an
// answer is taken out of its strings, so that it stays one that can be read.

// isJSON reports whether a text is a JSON object or array and nothing else.
func isJSON(text string) bool {
	switch jsonspan.KindOf([]byte(text)) {
	case jsonspan.Object, jsonspan.Array:
		return json.Valid([]byte(text))
	}
	return false
}

// unprovenInJSON are the sentences of the strings of a JSON text that hold claims in
// doubt. Found is false where a claim does not stand in one string.
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

// withholdJSON is a JSON text whose strings are without some sentences. It is not whole
// where the text is no JSON, or where a sentence does not stand in one string.
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

// enclosed puts what was appended from a place on between brackets; the first of them
// takes the place of the first comma.
func enclosed(dst []byte, from int, brackets string) []byte {
	if len(dst) == from {
		return append(dst, brackets...)
	}
	dst[from] = brackets[0]
	return append(dst, brackets[1])
}
