package guard

import (
	"slices"
	"strings"
)

// unprovenIn are the sentences of a text that hold claims in doubt, in order. A
// doubt about the text as a whole names none.
func unprovenIn(text string, doubts []Doubt) []string {
	var spans [][2]int
	for _, doubt := range doubts {
		if doubt.Claim == nil || strings.TrimSpace(doubt.Words) == "" {
			continue
		}
		at := strings.Index(text, strings.TrimSpace(doubt.Words))
		if at < 0 || len(doubt.Words) >= len(strings.TrimSpace(text)) && manySentences(text) {
			continue
		}
		spans = append(spans, sentenceAround(text, at, at+len(strings.TrimSpace(doubt.Words))))
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

func manySentences(text string) bool {
	cut := sentenceEnd(strings.TrimSpace(text))
	return cut > 0 && strings.TrimSpace(strings.TrimSpace(text)[cut:]) != ""
}

// sentenceAround widens a piece of a text to the sentences or lines it stands in.
func sentenceAround(text string, from, to int) [2]int {
	start := 0
	for start < from {
		end := sentenceEnd(text[start:])
		if end == 0 || start+end > from {
			break
		}
		start += end
	}
	end := start
	for end < to {
		cut := sentenceEnd(text[end:])
		if cut == 0 {
			end = len(text)
			break
		}
		end += cut
	}
	return [2]int{start, end}
}

// withhold is a text without some of its sentences.
func withhold(text string, sentences []string) string {
	for _, sentence := range sentences {
		text = strings.Replace(text, sentence, "", 1)
	}
	return strings.TrimSpace(text)
}
