package vector

import (
	"math"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Sum is one of vectors of words, each counted once.
type Sum struct {
	lanes
	words int
}

// Heading is where the words of a text point, in the making.
type Heading struct {
	set *Set
	sum Sum
	// last is the number of the word before.
	last  int32
	used  []uint32 // by number: the round in which a vector was added last
	round uint32
}

// NewHeading makes room for texts.
func NewHeading(s *Set) *Heading { return &Heading{set: s, used: make([]uint32, len(s.fitted))} }

// Begin begins a text, with what was summed before.
func (h *Heading) Begin(with Sum) {
	h.sum, h.last = with, 0
	h.round++
}

// Say adds a word of the text, and its pair with the word said before.
func (h *Heading) Say(token *lexicon.Token) {
	number := h.set.number(Word, token)
	h.add(number)
	if pair := pairKey(h.last, number); pair != 0 {
		h.add(h.set.numbers.Find(pair))
	}
	h.last = number
}

// Recall adds a word of the assistant's text before.
func (h *Heading) Recall(token *lexicon.Token) { h.add(h.set.number(Previous, token)) }

// add adds the vector with a number, once for each text.
func (h *Heading) add(number int32) {
	if number == 0 || h.used[number] == h.round || h.sum.words == mostAdded {
		return
	}
	h.used[number] = h.round
	h.sum.words++
	for i, four := range &h.set.fitted[number] {
		h.sum.lanes[i] += four
	}
}

// Sum is what was said so far.
func (h *Heading) Sum() Sum { return h.sum }

// Vector is where it points.
func (h *Heading) Vector() (v Vector) {
	scale := float32(1 / math.Sqrt(float64(h.sum.words)+0.5))
	for i := range v {
		v[i] = scale * h.sum.at(i, h.sum.words)
	}
	return v
}
