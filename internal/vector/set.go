package vector

import (
	_ "embed"
	"sync"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Set are fitted vectors, by what has one.
type Set struct {
	numbers hashtable.Table[int32] // by key
	listed  [Tool][]int32          // the same for words of texts by their lemmas, without a search
	fitted  []byte                 // by number from 1, as a file has them
}

// Bearer is what a vector is of.
type Bearer uint64

// The bearers.
const (
	Word     Bearer = iota + 1 // a word of a text
	Pair                       // two words of a text side by side
	Previous                   // a word of the assistant's text before
	Tool                       // a word of a tool's name or description
	Argument                   // a word of an argument's name
	Act                        // what a tool does
)

// Key is that of a word: by its lemma, or by its letters where it is not listed. 0 is
// that of numbers and of the host's own words, which have no vector.
func (of Bearer) Key(entry *lexicon.Entry, hash uint64) uint64 {
	switch {
	case entry == nil:
		return uint64(of)<<60 | hash>>4
	case entry.ID < 0:
		return 0
	}
	return of.keyOfLemma(entry.ID)
}

func (of Bearer) keyOfLemma(lemma int32) uint64 { return uint64(of)<<60 | 1<<59 | uint64(lemma) }

// pairKey is that of two words with these numbers.
func pairKey(a, b int32) uint64 {
	if a == 0 || b == 0 {
		return 0
	}
	return uint64(Pair)<<60 | uint64(a)<<28 | uint64(b)
}

//go:embed data/vectors.bin
var fitted []byte

// English are the vectors of English words.
var English = sync.OnceValue(func() *Set {
	s, err := Decode(lexicon.English(), fitted)
	if err != nil {
		panic(err) // the file is part of the program and covered by its tests
	}
	return s
})

// number is that of the vector of a word of a text, 0 if there is none. The host's own
// words may have the number of a lemma that is not listed.
func (s *Set) number(of Bearer, token *lexicon.Token) int32 {
	if entry := token.Entry; entry != nil {
		if uint(entry.ID) < uint(len(s.listed[of])) {
			return s.listed[of][entry.ID]
		}
		return 0
	}
	return s.numbers.Find(of.Key(nil, token.Hash))
}

// of are the numbers of a vector.
func (s *Set) of(number int32) []byte { return s.fitted[int(number-1)*Size : int(number)*Size] }
