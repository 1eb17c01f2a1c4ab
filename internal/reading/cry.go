package reading

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

//go:embed data/cries.txt
var criesFile string

// cries are the words of the list, and the marks that say more than a cry.
type cries struct {
	words map[string]bool
	done  string
}

var criesOf = sync.OnceValue(func() cries {
	c := cries{words: map[string]bool{}}
	for line := range strings.Lines(criesFile) {
		if marks, found := strings.CutPrefix(line, "done:"); found {
			c.done = strings.TrimSpace(marks)
		} else if !strings.HasPrefix(line, "#") {
			for _, word := range strings.Fields(line) {
				c.words[word] = true
			}
		}
	}
	return c
})

// Cries reports whether a text has nothing but cheers, thanks and signs such as emojis,
// so that there is nothing in it that could be true or false: "🎉 Congrats!", "Good".
// A tick says that something is done, and a yes that something is so.
func Cries(text string) bool {
	list, tokens := criesOf(), lexicon.English().Tokenize(nil, text)
	for i := range tokens {
		token, word := &tokens[i], text[tokens[i].Start:tokens[i].End]
		switch {
		case token.Kind == lexicon.Number:
			return false
		case token.Kind == lexicon.Symbol && strings.Contains(list.done, firstSign(word)):
			return false
		case !token.IsWord(), list.words[strings.ToLower(word)]:
		case !token.Class().Has(lexicon.Interjection | lexicon.Greeting | lexicon.Politeness):
			return false
		}
	}
	return len(tokens) > 0
}

// firstSign is the first character of a sign, without what only colours it.
func firstSign(sign string) string {
	for _, r := range sign {
		return string(r)
	}
	return " "
}
