package match

import (
	_ "embed" // of the words
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed data/words.txt
var wordsData string

// listed are the words of the data file, by the name of their list.
var listed = sync.OnceValue(func() map[string][]string {
	lists := map[string][]string{}
	for line := range strings.Lines(wordsData) {
		name, words, found := strings.Cut(line, ":")
		if found && !strings.HasPrefix(line, "#") {
			lists[name] = strings.Fields(words)
		}
		if strings.Contains(words, ",") { // phrases
			lists[name] = strings.Split(words, ",")
			for i, phrase := range lists[name] {
				lists[name][i] = strings.TrimSuffix(" "+strings.TrimSpace(phrase)+" ", "* ")
			}
		}
	}
	return lists
})

// isListed reports whether a word is in a list.
func isListed(list, word string) bool {
	return slices.Contains(listed()[list], word)
}

// hasPhrase reports whether a text has one of the phrases of a list, in whatever case. Those
// that end in a star may go on.
func hasPhrase(list, text string) bool {
	words := func(r rune) rune {
		if r = unicode.ToLower(r); unicode.IsLetter(r) {
			return r
		}
		return ' '
	}
	text = " " + strings.Map(words, text) + " "
	return slices.ContainsFunc(listed()[list], func(phrase string) bool { return strings.Contains(text, phrase) })
}

// hasListed reports whether a name has a word of a list in it.
func hasListed(list, name string) bool {
	return slices.ContainsFunc(listed()[list], func(part string) bool { return strings.Contains(name, part) })
}
