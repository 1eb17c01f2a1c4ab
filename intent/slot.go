package intent

import "github.com/bonafide-go/bonafide/intent/lexicon"

// slots are sorts of arguments. A tool's words tell which ones it takes, a
// message's names, times and numbers which ones it gives.
type slots uint8

const (
	place slots = 1 << iota
	moment
	amount
)

// slotCues are the words by which a tool says what it takes.
type slotCues [3]lexicon.Cue

func newSlotCues(language *lexicon.Language) slotCues {
	return slotCues{language.Cue("place-words"), language.Cue("time-words"), language.Cue("number-words")}
}

// of is what a word of a tool says that the tool takes.
func (c *slotCues) of(entry *lexicon.Entry) (s slots) {
	for i, cue := range c {
		if entry.Is(cue) {
			s |= 1 << i
		}
	}
	return s
}

// given is what a clause gives.
func (o *object) given() (s slots) {
	if o.names > 0 || o.proper {
		s |= place
	}
	if o.times > 0 {
		s |= moment
	}
	if o.numbers > 0 {
		s |= amount
	}
	return s
}

// slots sums up how what a request gives fits what a tool takes.
func (s *sum) slots(given, takes slots) {
	taken, idle, missing := given&takes, given&^takes, takes&^given
	s.when(taken&place != 0, fPlaceTaken)
	s.when(idle&place != 0, fPlaceIdle)
	s.when(missing&place != 0, fPlaceMissing)
	s.when(taken&moment != 0, fTimeTaken)
	s.when(missing&moment != 0, fTimeMissing)
	s.when(taken&amount != 0, fAmountTaken)
	s.when(idle&amount != 0, fAmountIdle)
	s.when(missing&amount != 0, fAmountMissing)
}
