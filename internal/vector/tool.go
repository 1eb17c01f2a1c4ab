package vector

import (
	"math"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Describing is how much a word of a tool's description or of an argument's name
// counts beside one of the tool's name.
const Describing = 0.5

// Acts beside the families: that a tool only answers, or not.
const Answers, Changes = "answers", "changes"

// ActKey is the key of what a tool does.
func ActKey(name string) uint64 { return Act.Key(nil, lexicon.Hash(name)) }

// Bearing is what of a tool has a vector, and how much it counts.
type Bearing struct {
	Key    uint64
	Weight float32
}

// Bearings are those of one tool, each once.
type Bearings []Bearing

// AddWord adds a word of the tool.
func (b *Bearings) AddWord(of Bearer, entry *lexicon.Entry, word string) {
	key := of.Key(entry, 0)
	if entry == nil {
		key = of.Key(nil, lexicon.Hash(lexicon.Fold(word)))
	}
	b.add(key, Describing)
}

// AddTool adds what the tool does, and the words of its name.
func (b *Bearings) AddTool(acts lexicon.Families, answers bool, name []int32) {
	for f := acts.Next(lexicon.NoFamily); f != lexicon.NoFamily; f = acts.Next(f) {
		b.add(ActKey(f.String()), 1)
	}
	if answers {
		b.add(ActKey(Answers), 1)
	} else {
		b.add(ActKey(Changes), 1)
	}
	for _, lemma := range name {
		b.add(Tool.keyOfLemma(lemma), 1)
	}
}

func (b *Bearings) add(key uint64, weight float32) {
	for i := range *b {
		if known := &(*b)[i]; known.Key == key {
			known.Weight = max(known.Weight, weight)
			return
		}
	}
	if key != 0 {
		*b = append(*b, Bearing{key, weight})
	}
}

// Toward is the sum of the tool's vectors, of about the same length for every tool.
func (s *Set) Toward(bearings Bearings) (sum Vector) {
	length := 0.5
	for _, b := range bearings {
		number := s.numbers.Find(b.Key)
		if number == 0 {
			continue
		}
		length += float64(b.Weight * b.Weight)
		for i, n := range s.of(number) {
			sum[i] += b.Weight * float32(int(n)-laneZero)
		}
	}
	scale := float32(Scale / (Unit * Unit * math.Sqrt(length)))
	for i := range sum {
		sum[i] *= scale
	}
	return sum
}
