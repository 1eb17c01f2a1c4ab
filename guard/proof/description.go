package proof

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

//go:embed descriptions.txt
var descriptionData string

// descriptions are words by the number of their class, and describing the ends of words that
// describe as well.
var descriptions, describing = readDescriptions(descriptionData)

func readDescriptions(data string) (words map[string]int, ends []string) {
	words, class := map[string]int{}, 0
	for line := range strings.Lines(data) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		class++
		for word := range strings.FieldsSeq(line) {
			if end, isEnd := strings.CutPrefix(word, "-"); isEnd {
				ends = append(ends, end)
				continue
			}
			words[word] = class
		}
	}
	return words, ends
}

// describes reports whether a word tells what a thing is like rather than which it is.
func describes(token *lexicon.Token, word string) bool {
	word = strings.ToLower(word)
	return descriptions[word] > 0 || token.Form().Has(lexicon.Adjective) && !token.Form().Has(lexicon.Noun) ||
		len(word) > 5 && slices.ContainsFunc(describing, func(end string) bool { return strings.HasSuffix(word, end) })
}
