package vector

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Sum is one of vectors of words.
type Sum struct {
	lanes
	words int
}

// add adds a vector, four numbers at a time.
func (s *Sum) add(vector []byte) {
	s.words++
	for i := range s.lanes {
		eight := binary.LittleEndian.Uint64(vector[8*i:])
		s.lanes[i][0] += eight & lane
		s.lanes[i][1] += eight >> 8 & lane
	}
}

// Heading is where the words of a text point, in the making. Each word and pair counts once.
type Heading struct {
	Sum
	set   *Set
	last  int32 // the number of the word before
	added [mostAdded]int32
	n     int
}

// NewHeading begins a text, with what was summed before. Without a set it points nowhere.
func NewHeading(s *Set, with Sum) Heading { return Heading{Sum: with, set: s} }

// Say adds a word of the text, and its pair with the word said before.
func (h *Heading) Say(token *lexicon.Token) {
	number := h.number(Word, token)
	if h.add(number); number != 0 && h.last != 0 {
		h.add(h.set.numbers.Find(pairKey(h.last, number)))
	}
	h.last = number
}

// Recall adds a word of the assistant's text before.
func (h *Heading) Recall(token *lexicon.Token) { h.add(h.number(Previous, token)) }

func (h *Heading) number(of Bearer, token *lexicon.Token) int32 {
	if h.set == nil {
		return 0
	}
	return h.set.number(of, token)
}

func (h *Heading) add(number int32) {
	if number != 0 && h.words < mostAdded && !slices.Contains(h.added[:h.n], number) {
		h.added[h.n] = number
		h.n++
		h.Sum.add(h.set.of(number))
	}
}

// Vector is where it points.
func (h *Heading) Vector() (v Vector) {
	scale := float32(1 / math.Sqrt(float64(h.words)+0.5))
	zero := laneZero * int32(h.words)
	for i, eight := range h.lanes {
		for odd, four := range eight {
			for k := range 4 {
				v[8*i+2*k+odd] = scale * float32(int32(four>>(16*k)&0xFFFF)-zero)
			}
		}
	}
	return v
}
