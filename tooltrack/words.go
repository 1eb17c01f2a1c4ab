package tooltrack

import (
	_ "embed" // of the words
	"strings"
	"sync"
)

//go:embed words.txt
var wordsText string

// vocabulary is what the file holds: the kinds of single words, and phrases by their name.
type vocabulary struct {
	kinds   map[string]map[string]bool
	phrases map[string][]string
}

var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{map[string]map[string]bool{}, map[string][]string{}}
	for line := range strings.Lines(wordsText) {
		line = strings.TrimSpace(line)
		name, list, isPhrases := strings.Cut(line, " | ")
		kind, words, isWords := strings.Cut(line, ": ")
		switch {
		case strings.HasPrefix(line, "#"):
		case isPhrases:
			v.phrases[name] = append(v.phrases[name], strings.Split(list, " | ")...)
		case isWords:
			for word := range strings.FieldsSeq(words) {
				if v.kinds[word] == nil {
					v.kinds[word] = map[string]bool{}
				}
				v.kinds[word][kind] = true
			}
		}
	}
	return v
})

// isWord reports whether a word is of a kind.
func isWord(word, kind string) bool { return words().kinds[word][kind] }

func phrases(name string) []string { return words().phrases[name] }
