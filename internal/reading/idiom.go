package reading

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// idiom is what a word means together with others. They are looked for once, as many
// readers ask for them.
type idiom struct {
	class lexicon.Class    // of the fixed expression that begins with it: "go ahead"
	words uint8            // of that expression
	of    []*lexicon.Entry // what the phrase speaks of that ends in it: "how fast"
}

// findIdioms looks for fixed expressions and phrases, once all words are respelt.
func (m *Message) findIdioms() {
	m.join()
	m.idioms = slices.Grow(m.idioms[:0], len(m.Tokens))[:len(m.Tokens)]
	m.classes = 0
	for i := range m.Tokens {
		token, found := &m.Tokens[i], &m.idioms[i]
		*found = idiom{}
		if token.BeginsExpression() {
			class, words := m.language.Expression(m.Tokens[i:])
			found.class, found.words = class, uint8(words)
		}
		if token.EndsPhrase() {
			found.of = m.language.PhraseKinds(m.Tokens[:i+1])
		}
		m.classes |= m.Class(i) | found.class
	}
}

// Expression is the class of the fixed expression that begins at i, and how many words
// it has; 0 if there is none.
func (m *Message) Expression(i int) (class lexicon.Class, words int) {
	return m.idioms[i].class, int(m.idioms[i].words)
}

// PhraseKinds are the things that a phrase speaks of that ends at i.
func (m *Message) PhraseKinds(i int) []*lexicon.Entry { return m.idioms[i].of }

// Has reports whether a word or an expression of the message is of one of the classes.
func (m *Message) Has(any lexicon.Class) bool { return m.classes.Has(any) }

// Courtesy is how many words at i are but politeness or a greeting: beside anything
// else they say nothing.
func (m *Message) Courtesy(i int) int {
	const courteous = lexicon.Politeness | lexicon.Greeting
	switch class, words := m.Expression(i); {
	case class.Has(courteous):
		return words
	case m.Class(i).Has(courteous):
		return 1
	}
	return 0
}
