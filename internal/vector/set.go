package vector

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Set are fitted vectors, by what has one.
type Set struct {
	numbers hashtable.Table[int32] // by key
	listed  [Tool][]int32          // the same for words of texts by their lemmas, without a search
	fitted  []lanes                // by number; the first is of nothing
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

// bearerNames are as data/vectors.txt has them.
var bearerNames = map[string]Bearer{
	"word": Word, "pair": Pair, "previous": Previous, "tool": Tool, "argument": Argument, "act": Act,
}

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

//go:embed data/vectors.txt
var fitted string

// English are the vectors of English words.
var English = sync.OnceValue(func() *Set {
	s, err := Parse(lexicon.English(), fitted)
	if err != nil {
		panic(err) // the file is part of the program and covered by its tests
	}
	return s
})

// Parse reads fitted vectors: a line holds what one is of, one or two words, and its
// numbers as bytes.
func Parse(language *lexicon.Language, text string) (*Set, error) {
	n := strings.Count(text, "\n")
	s := &Set{numbers: hashtable.New[int32](n), fitted: make([]lanes, 1, n+1)}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Fields(line)
		bytes, err := base64.RawStdEncoding.DecodeString(fields[len(fields)-1])
		key := uint64(0)
		if len(fields) > 2 {
			key = s.keyOf(language, fields[0], fields[1:len(fields)-1])
		}
		if err != nil || len(bytes) != Size || key == 0 {
			return nil, fmt.Errorf("the fitted vectors have no bearer, word and %d numbers in %q", Size, line)
		}
		var numbers lanes
		for i, b := range bytes {
			numbers[i/(Size/2)][i/4%(Size/8)] |= uint64(laneZero+int(int8(b))) << (i % 4 * 16)
		}
		s.numbers.Put(key, int32(len(s.fitted)))
		s.fitted = append(s.fitted, numbers)
	}
	for _, of := range []Bearer{Word, Previous} {
		s.listed[of] = make([]int32, language.Lemmas())
		for lemma := range s.listed[of] {
			s.listed[of][lemma] = s.numbers.Find(of.keyOfLemma(int32(lemma)))
		}
	}
	return s, nil
}

// keyOf is the key of what a line names, 0 if it names nothing.
func (s *Set) keyOf(language *lexicon.Language, name string, words []string) uint64 {
	of := bearerNames[name]
	keyed := func(of Bearer, word string) uint64 { return of.Key(language.Lookup(word), lexicon.Hash(word)) }
	switch {
	case of == Pair && len(words) == 2:
		return pairKey(s.numbers.Find(keyed(Word, words[0])), s.numbers.Find(keyed(Word, words[1])))
	case of == 0 || of == Pair || len(words) != 1:
		return 0
	case of == Act:
		return ActKey(words[0])
	}
	return keyed(of, words[0])
}

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
