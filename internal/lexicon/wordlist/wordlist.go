// Package wordlist answers one question: which words are on the list of that
// name? It is for those who need a few words and no language: titles are
// compared, and dates are read, without knowing what a sentence says.
package wordlist

import (
	_ "embed" // of the lists
	"slices"
	"strings"
	"sync"
)

//go:embed lists.txt
var text string

var lists = sync.OnceValue(func() map[string][][]string {
	all := map[string][][]string{}
	for line := range strings.Lines(text) {
		if name, words, found := strings.Cut(line, ":"); found && line[0] != '#' {
			all[name] = append(all[name], strings.Fields(words))
		}
	}
	return all
})

// Groups are the lines of a list. They must not be modified. A list that does
// not exist panics: its name is part of the program, not of its input.
func Groups(name string) [][]string {
	groups := lists()[name]
	if groups == nil {
		panic("there is no word list " + name)
	}
	return groups
}

// Cardinal is the number that a word in lower case names: 2 for "two". It knows
// zero to twenty, and is negative for any other word.
func Cardinal(word string) int { return slices.Index(Groups("cardinals")[0], word) }

// Ordinal is the place that a word in lower case names: 2 for "second". It knows
// the first to the twentieth, and is 0 for any other word.
func Ordinal(word string) int { return slices.Index(Groups("ordinals")[0], word) + 1 }
