package reading

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// AsksFact reports whether a text ends in a question about what is or was so, and offers
// nothing: "Did you send it already?", "Is it the blue one?". A yes to it tells something,
// and agrees to no act. "Is that correct?" and "Do you want to cancel it?" wait for one. What
// is asked about may be past, or still lead to something. The idioms of the text must have
// been looked for. Who asks for something else is done with the rest: "Anything else?"
func (m *Message) AsksFact() (fact, past bool) {
	first := m.lastSentence()
	otherwise := m.asksElse(first)
	for i := range m.Tokens {
		if m.acting(i) && m.Offered(i) && !(otherwise && i >= first) {
			return false, false
		}
	}
	if otherwise { // what was done before is over
		return true, true
	}
	class := m.Class(first)
	if !class.Has(lexicon.Auxiliary) || class.Has(lexicon.Modal) {
		return false, false
	}
	const waits = lexicon.Desire | lexicon.Modal | lexicon.Affirmation
	past = m.Form(first).Has(lexicon.Past) || m.is(first, cueHave)
	for i := first + 1; i < len(m.Tokens); i++ {
		expressed, _ := m.Expression(i)
		switch {
		case (m.Class(i) | expressed).Has(waits):
			return false, false
		case !past && m.is(i, cueTo) && m.acting(i+1): // "Are you ready to send it?"
			return false, false
		}
	}
	return true, past
}

// lastSentence is where the last sentence begins, words that only lead to it apart.
func (m *Message) lastSentence() int {
	first := 0
	for i := range m.Tokens {
		if m.Tokens[i].Has(lexicon.SentenceStart) {
			first = i
		}
	}
	first, _ = m.skip(first)
	return first
}

// asksElse reports whether the words from i on ask for something that was not spoken of:
// "anything else", "any other questions".
func (m *Message) asksElse(i int) bool {
	for ; i < len(m.Tokens); i++ {
		switch strings.ToLower(m.Word(i)) {
		case "else":
			return true
		case "more", "other", "further":
			if i > 0 && strings.HasPrefix(strings.ToLower(m.Word(i-1)), "any") {
				return true
			}
		}
	}
	return false
}
