package chatwire

import (
	_ "embed" // of the words
	"slices"
	"strings"
	"sync"
)

//go:embed words.txt
var wordsText string

var lists = sync.OnceValue(func() map[string][]string {
	lists := map[string][]string{}
	for line := range strings.Lines(wordsText) {
		if name, words, is := strings.Cut(line, ": "); is && name[0] != '#' {
			lists[name] = append(lists[name], strings.Fields(words)...)
		}
	}
	return lists
})

// words are those of a list, in their order.
func words(list string) []string { return lists()[list] }

// isOf reports whether a word is one of a list, of which those that end in "*" are beginnings.
func isOf(list, word string) bool {
	return slices.ContainsFunc(words(list), func(known string) bool {
		prefix, open := strings.CutSuffix(known, "*")
		return word == known || open && strings.HasPrefix(word, prefix)
	})
}

// hasOf reports whether a text holds one of a list.
func hasOf(list, text string) bool {
	return slices.ContainsFunc(words(list), func(known string) bool { return strings.Contains(text, known) })
}
