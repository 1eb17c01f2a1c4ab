package vector

import (
	"encoding/binary"
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
	added []int32  // the numbers of the vectors of the text
	used  []uint32 // by number: the round in which a vector was added last
	round uint32
}

// NewHeading makes room for texts. Without a set they point nowhere.
func NewHeading(s *Set) *Heading {
	if s == nil {
		s = &Set{numbers: hashtable.New[int32](0)}
	}
	return &Heading{set: s, used: make([]uint32, len(s.fitted)/Size+1)}
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
	h.added = append(h.added, number)
}

// Sum is what was said so far.
func (h *Heading) Sum() Sum {
	sum := h.with
	sum.words += len(h.added)
	for half := range sum.lanes {
		h.addTo(&sum.lanes[half], half*halfSize)
	}
	return sum
}

// addTo adds a half of the vectors. By itself it has as many numbers at hand as the
// processor has places for.
func (h *Heading) addTo(to *[8]uint64, from int) {
	s0, s1, s2, s3, s4, s5, s6, s7 := to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7]
	for _, number := range h.added {
		v := (*[halfSize]byte)(h.set.of(number)[from:])
		a, b := binary.LittleEndian.Uint64(v[0:]), binary.LittleEndian.Uint64(v[8:])
		c, d := binary.LittleEndian.Uint64(v[16:]), binary.LittleEndian.Uint64(v[24:])
		s0, s1, s2, s3 = s0+a&lane, s1+a>>8&lane, s2+b&lane, s3+b>>8&lane
		s4, s5, s6, s7 = s4+c&lane, s5+c>>8&lane, s6+d&lane, s7+d>>8&lane
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
			w := (*[7]float32)(v[half*halfSize+i/2*8+i%2:])
			w[0] = scale * float32(int32(four&0xFFFF)-zero)
			w[2] = scale * float32(int32(four>>16&0xFFFF)-zero)
			w[4] = scale * float32(int32(four>>32&0xFFFF)-zero)
			w[6] = scale * float32(int32(four>>48)-zero)
		}
	}
	return v
}
