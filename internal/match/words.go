package match

import (
	_ "embed" // of the words
	"slices"
	"strings"
	"sync"
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
	}
	return lists
})

// isListed reports whether a word is in a list.
func isListed(list, word string) bool {
	return slices.Contains(listed()[list], word)
}

// hasListed reports whether a name has a word of a list in it.
func hasListed(list, name string) bool {
	return slices.ContainsFunc(listed()[list], func(part string) bool { return strings.Contains(name, part) })
}
