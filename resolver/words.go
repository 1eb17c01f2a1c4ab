package resolver

import "github.com/bonafide-go/bonafide/internal/lexicon/wordlist"

// wordClass says in which lists a word stands. They decide what may be missing
// in a title and what is never a typing error.
type wordClass uint8

const (
	little  wordClass = 1 << iota // may be missing in the title
	leading                       // may come before a title
	polite                        // may come before or after it
	generic                       // stands for "entry" beside a title
	naming                        // joins a generic noun and a title
)

// A knownWord is what the lists say about a word.
type knownWord struct {
	class wordClass
	group uint8 // of words that are no typing errors of one another, from 1; 0 is none
}

var knownWords = func() map[string]knownWord {
	known := map[string]knownWord{}
	for class, list := range map[wordClass]string{
		little: "title little", leading: "title leading", polite: "title polite",
		generic: "title generic", naming: "title naming",
	} {
		for _, words := range wordlist.Groups(list) {
			for _, word := range words {
				w := known[word]
				w.class |= class
				known[word] = w
			}
		}
	}
	for i, words := range wordlist.Groups("title distinct") {
		for _, word := range words {
			w := known[word]
			w.group = uint8(i + 1)
			known[word] = w
		}
	}
	return known
}()
