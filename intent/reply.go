package intent

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// maxReply is the number of words of a message that only answers what the
// assistant said before.
const maxReply = 12

// maxPrevious bounds what is read of the assistant's text: an offer stands at
// its end.
const maxPrevious = 2 << 10

// answer reads a message that says nothing by itself but agrees to what was
// offered ("yes, go ahead") or corrects it ("no, the other one").
func (c *Classifier) answer(s *scratch, previous string) {
	agrees, corrects := s.reply()
	if !agrees && !corrects {
		return
	}
	if len(previous) > maxPrevious {
		previous = previous[len(previous)-maxPrevious:]
	}
	words := [2]int{0, len(s.reader.tokens)}
	user := s.reader.text
	tokens, quotes := s.reader.tokens, s.reader.quotes
	s.reader.text = previous
	s.reader.tokens = c.language.Tokenize(s.other[:0], previous)
	s.reader.quotes = true
	s.reader.index()
	c.offers(s, corrects)
	c.agreed(s)
	s.other = s.reader.tokens
	s.reader.text, s.reader.tokens, s.reader.quotes = user, tokens, quotes
	s.reader.index()
	for i := range s.expected {
		s.expected[i].from, s.expected[i].to = words[0], words[1]
	}
}

// agreed drops what the assistant only mentioned beside what it offered: the
// agreement is to the change, if there is one, and never to a look at the thing
// that another verb was used on.
func (c *Classifier) agreed(s *scratch) {
	changes := false
	for _, f := range s.expected {
		changes = changes || !c.profiles[f.tool].info
	}
	s.expected = slices.DeleteFunc(s.expected, func(f found) bool {
		return c.profiles[f.tool].info && (changes || f.conflict)
	})
}

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

// offers looks for what the assistant offered or, for a correction, for what
// it said it did, and judges each as if it had been asked for.
func (c *Classifier) offers(s *scratch, done bool) {
	r := &s.reader
	for i := range r.tokens {
		verb, ok := r.offer(i)
		if !ok && done {
			verb, ok = r.claim(i)
		}
		if !ok {
			continue
		}
		cl := clause{from: i, verb: verb, body: verb + 1, mood: command, families: r.tokens[verb].Families()}
		cl.to = r.end(&cl, false)
		r.tail(&cl)
		c.judge(s, &cl)
	}
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

// claim finds the verb of what the assistant says it did.
func (r *reader) claim(i int) (int, bool) {
	if !r.form(i).Has(lexicon.Past|lexicon.Participle) || r.tokens[i].Families().Empty() || i == 0 {
		return 0, false
	}
	return i, r.class(i - 1).Has(lexicon.FirstPerson | lexicon.Auxiliary)
}
