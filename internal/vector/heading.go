package vector

import (
	"math"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Sum is one of vectors of words, each counted once.
type Sum struct {
	lanes
	words int
}

// Heading is where the words of a text point, in the making.
type Heading struct {
	set  *Set
	with Sum // what was summed before
	// last is the number of the word before.
	last  int32
	added []*lanes // the vectors of the text
	used  []uint32 // by number: the round in which a vector was added last
	round uint32
}

// NewHeading makes room for texts. Without a set they point nowhere.
func NewHeading(s *Set) *Heading {
	if s == nil {
		s = &Set{numbers: hashtable.New[int32](0), fitted: make([]lanes, 1)}
	}
	return &Heading{set: s, used: make([]uint32, len(s.fitted))}
}

// Begin begins a text, with what was summed before.
func (h *Heading) Begin(with Sum) {
	h.with, h.last, h.added = with, 0, h.added[:0]
	h.round++
}

// Say adds a word of the text, and its pair with the word said before.
func (h *Heading) Say(token *lexicon.Token) {
	number := h.set.number(Word, token)
	if number != 0 {
		h.add(number)
		if h.last != 0 {
			h.add(h.set.numbers.Find(pairKey(h.last, number)))
		}
	}
	h.last = number
}

// Recall adds a word of the assistant's text before.
func (h *Heading) Recall(token *lexicon.Token) { h.add(h.set.number(Previous, token)) }

// add adds the vector with a number, once for each text.
func (h *Heading) add(number int32) {
	if number == 0 || h.used[number] == h.round || h.with.words+len(h.added) == mostAdded {
		return
	}
	h.used[number] = h.round
	h.added = append(h.added, &h.set.fitted[number])
}

// Sum is what was said so far.
func (h *Heading) Sum() Sum {
	sum := h.with
	sum.words += len(h.added)
	for half := range sum.lanes {
		sum.add(half, h.added)
	}
	return sum
}

// add adds halves of vectors. By itself it has as many numbers at hand as the processor
// has places for.
func (l *lanes) add(half int, vectors []*lanes) {
	to := &l[half]
	s0, s1, s2, s3, s4, s5, s6, s7 := to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7]
	for _, vector := range vectors {
		v := &vector[half]
		s0, s1, s2, s3 = s0+v[0], s1+v[1], s2+v[2], s3+v[3]
		s4, s5, s6, s7 = s4+v[4], s5+v[5], s6+v[6], s7+v[7]
	}
	*to = [8]uint64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// Vector is where it points.
func (h *Heading) Vector() (v Vector) {
	sum := h.Sum()
	scale := float32(1 / math.Sqrt(float64(sum.words)+0.5))
	zero := laneZero * int32(sum.words)
	for half := range sum.lanes {
		for i, four := range sum.lanes[half] {
			w := (*[4]float32)(v[half*Size/2+4*i:])
			w[0] = scale * float32(int32(four&0xFFFF)-zero)
			w[1] = scale * float32(int32(four>>16&0xFFFF)-zero)
			w[2] = scale * float32(int32(four>>32&0xFFFF)-zero)
			w[3] = scale * float32(int32(four>>48)-zero)
		}
	}
	return v
}
