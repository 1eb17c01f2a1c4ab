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

// reply reports whether the message is nothing but agreement, or a correction.
func (s *scratch) reply() (agrees, corrects bool) {
	r := &s.reader
	words, extra, refuses, points := 0, 0, false, false
	for i := 0; i < len(r.tokens); i++ {
		if !r.wordy(i) {
			continue
		}
		if words++; words > maxReply {
			return false, false
		}
		if class, n := r.language.Expression(r.tokens[i:]); n > 0 && class.Has(lexicon.Affirmation|lexicon.Refusal|lexicon.Politeness) {
			agrees = agrees || class.Has(lexicon.Affirmation)
			refuses = refuses || class.Has(lexicon.Refusal)
			i += n - 1
			continue
		}
		class := r.class(i)
		agrees = agrees || class.Has(lexicon.Affirmation)
		refuses = refuses || class.Has(lexicon.Refusal) && i == 0
		if class.Has(lexicon.Negation) {
			return false, false
		}
		if token := &r.tokens[i]; token.Kind != lexicon.Word || token.Entry == nil || token.Form().Has(lexicon.Noun|lexicon.Plural) && !class.Has(lexicon.Time) {
			extra++
		}
		points = points || class.Has(lexicon.Ordinal) || r.is(i, cueOtherMeanEtc)
	}
	// "Sure, my number is 7340" gives information; it agrees to nothing.
	return agrees && !refuses && extra <= 1, refuses && points
}

// offer finds the verb of an offer that begins at i: "shall I delete", "want me
// to delete", "I can delete", "proceed with the deletion".
func (r *reader) offer(i int) (int, bool) {
	switch {
	case r.is(i, cueShouldShallEtc) && r.class(i+1).Has(lexicon.FirstPerson) && r.subject(i+1):
		return r.offered(i + 2)
	case r.class(i).Has(lexicon.FirstPerson) && r.subject(i) && (r.is(i+1, cueCanCouldEtc)):
		return r.offered(i + 2)
	case r.is(i, cueLikeWantEtc) && r.is(i+1, cueMeUsEtc) && r.is(i+2, cueTo):
		return r.offered(i + 3)
	case r.is(i, cueProceedContinueEtc) && !r.tokens[i].Has(lexicon.Quoted):
		for j := i + 1; j < i+6 && r.wordy(j); j++ {
			if !r.tokens[j].Families().Empty() && !r.is(j, cueConfirmProceedEtc) {
				return j, true
			}
		}
	}
	return 0, false
}

func (r *reader) offered(i int) (int, bool) {
	for j := i; j < i+4 && r.wordy(j); j++ {
		if r.acting(j) {
			return j, true
		}
	}
	return 0, false
}
