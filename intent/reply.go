package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// maxReply is the number of words of a message that only answers what the
// assistant said before.
const maxReply = 12

// maxPrevious bounds what is read of the assistant's text: an offer stands at
// its end.
const maxPrevious = 2 << 10

// replying are the classes of expressions that an answer may consist of: "sounds
// good", "no way", "thank you".
const replying = lexicon.Affirmation | lexicon.Refusal | lexicon.Politeness

// reply reports whether the message is nothing but agreement, or a correction.
func (s *scratch) reply() (agrees, corrects bool) {
	r := &s.reader
	if !r.Has(lexicon.Affirmation | lexicon.Refusal) {
		return false, false
	}
	words, extra, refuses, points := 0, 0, false, false
	for i := 0; i < len(r.Tokens); i++ {
		if !r.Wordy(i) {
			continue
		}
		if words++; words > maxReply {
			return false, false
		}
		if class, n := r.Expression(i); class.Has(replying) {
			agrees = agrees || class.Has(lexicon.Affirmation)
			refuses = refuses || class.Has(lexicon.Refusal)
			i += n - 1
			continue
		}
		class := r.Class(i)
		agrees = agrees || class.Has(lexicon.Affirmation)
		refuses = refuses || class.Has(lexicon.Refusal) && i == 0
		if class.Has(lexicon.Negation) {
			return false, false
		}
		if r.Adds(i) {
			extra++
		}
		points = points || class.Has(lexicon.Ordinal) || r.is(i, cueOtherMean)
	}
	// "Sure, my number is 7340" gives information; it agrees to nothing.
	return agrees && !refuses && extra <= 1, refuses && points
}
