package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// CommandAt skips what stands before a command: "please", "could you". It reports whether that
// may ask for an ability.
func (m *Message) CommandAt(from, to int) (at int, asks bool) {
	const courtesy = lexicon.Politeness | lexicon.Greeting | lexicon.Interjection | lexicon.Sequence
	asks = m.Proposed && from == 0 // it was heard without its frame
	for at = from; at < to; at++ {
		class := m.Class(at)
		switch {
		case class.Has(lexicon.Modal) && !class.Has(lexicon.Negation) && m.Class(at+1).Has(lexicon.SecondPerson):
			asks = true
			at++
		case m.Tokens[at].Kind == lexicon.Comma, class.Has(courtesy):
		default:
			return at, asks
		}
	}
	return at, asks
}

// Points reports whether the words between two tokens point at one thing: "the barge", "vine 14".
func (m *Message) Points(from, to int) bool {
	for i := from; i < to; i++ {
		token := &m.Tokens[i]
		if token.Kind == lexicon.Number || token.Kind == lexicon.Name || token.Has(lexicon.Capital) && !m.Shouts ||
			token.IsWord() && m.Class(i).Has(lexicon.Determiner|lexicon.Possessive) {
			return true
		}
	}
	return false
}
