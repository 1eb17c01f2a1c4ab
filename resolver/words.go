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

// A wordTable finds known words by the hash that every token has anyway. It is
// several times faster than a map, the more so for words that are not known.
type wordTable struct {
	seen  [128]uint64 // a bit for each hash, shared by many
	slots [1024]struct {
		hash uint64
		word knownWord
	}
}

// slot returns the place of a hash: its own, or the free one where it belongs.
func (t *wordTable) slot(hash uint64) int {
	i := int(hash) & (len(t.slots) - 1)
	for t.slots[i].hash != hash && t.slots[i].hash != 0 {
		i = (i + 1) & (len(t.slots) - 1)
	}
	return i
}

func (t *wordTable) find(hash uint64) knownWord {
	if t.seen[hash>>57]>>(hash>>51&63)&1 == 0 {
		return knownWord{}
	}
	return t.slots[t.slot(hash)].word
}

var knownWords = func() *wordTable {
	var table wordTable
	note := func(word string) *knownWord {
		hash := hashWord([]byte(word), false)
		slot := &table.slots[table.slot(hash)]
		slot.hash = hash
		table.seen[hash>>57] |= 1 << (hash >> 51 & 63)
		return &slot.word
	}
	for class, list := range map[wordClass]string{
		little: "title little", leading: "title leading", polite: "title polite",
		generic: "title generic", naming: "title naming",
	} {
		for _, words := range wordlist.Groups(list) {
			for _, word := range words {
				note(word).class |= class
			}
		}
	}
	for i, words := range wordlist.Groups("title distinct") {
		for _, word := range words {
			note(word).group = uint8(i + 1)
		}
	}
	return &table
}()
