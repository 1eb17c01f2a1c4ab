package intent

import (
	"math/bits"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// slots are sorts of arguments. A tool's words tell which ones it takes, a
// message's names, times and numbers which ones it gives.
type slots uint16

const (
	place slots = 1 << iota
	moment
	amount
	person
	// The following only schemas tell.
	mail
	link
	wording // a text
	money
	identity // which thing is meant
)

func (s slots) len() float32 { return float32(bits.OnesCount16(uint16(s))) }

// slotCues are the words by which a tool says what it takes or delivers.
type slotCues [4]lexicon.Cue

func newSlotCues(language *lexicon.Language) slotCues {
	return slotCues{
		language.Cue("place-words"), language.Cue("time-words"), language.Cue("number-words"),
		language.Cue("person-words"),
	}
}

// of is what a word of a tool says that the tool takes or delivers.
func (c *slotCues) of(entry *lexicon.Entry) (s slots) {
	for i, cue := range c {
		if entry.Is(cue) {
			s |= 1 << i
		}
	}
	return s
}
