package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// NameWord is what a word means in the name of a tool, beyond what it means in
// a sentence. The zero value is a word of which nothing is known there.
type NameWord struct {
	// Families are the acts that it stands for: "rm" deletes.
	Families Families
	// Answer is true for what a tool without a verb hands out: "status".
	Answer bool
	// Thing is true for a noun that might be a verb: "order" in order_cancel.
	Thing bool
	// People is true for those who take over from a machine.
	People bool
	// Light is true for a verb that leaves the act to its object: "place" in
	// place_order.
	Light bool
	// Deed is true for an act that is done twice when it is called twice, where its
	// family does not say so: "sell". Again is true for one that is called again on
	// purpose, whatever its family says: "push".
	Deed, Again bool
}

func (w NameWord) and(other NameWord) NameWord {
	return NameWord{
		Families: w.Families.Union(other.Families),
		Answer:   w.Answer || other.Answer, Thing: w.Thing || other.Thing, People: w.People || other.People, Light: w.Light || other.Light,
		Deed: w.Deed || other.Deed, Again: w.Again || other.Again,
	}
}

// NameWord is what a word in lower case means in the name of a tool.
func (l *Language) NameWord(word string) NameWord { return l.names[word] }

// NameWords are the words of a name as programmers write it, in lower case: it
// is cut at case changes (createTask, HTTPServer) and at everything that is no
// letter or digit (create_task, tasks.create).
func NameWords(name string) []string {
	if isASCII(name) {
		return plainNameWords(name)
	}
	return anyNameWords(name)
}

func anyNameWords(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// plainNameWords is NameWords for ASCII: the words are pieces of one string.
func plainNameWords(name string) []string {
	words := make([]string, 0, 4)
	folded := strings.ToLower(name)
	start := 0
	for i := range len(name) {
		switch {
		case name[i] == '_' || class[name[i]] != letter && class[name[i]] != digit:
			if i > start {
				words = append(words, folded[start:i])
			}
			start = i + 1
		case isUpper(name[i]) && i > start && (isLower(name[i-1]) || i+1 < len(name) && isUpper(name[i-1]) && isLower(name[i+1])):
			words = append(words, folded[start:i])
			start = i
		}
	}
	if start < len(name) {
		words = append(words, folded[start:])
	}
	return words
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
