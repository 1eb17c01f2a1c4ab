package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// openings are the numbers of how a message may begin; of two the first counts.
var openings = []struct {
	class  lexicon.Class
	form   lexicon.Form
	number float32
}{
	{lexicon.Question, 0, 2},
	{lexicon.Affirmation, 0, 4},
	{lexicon.Refusal | lexicon.Negation, 0, 5},
	{lexicon.Modal | lexicon.Auxiliary, 0, 8},
	{lexicon.FirstPerson, 0, 6},
	{lexicon.SecondPerson, 0, 7},
	{0, lexicon.Base, 1},
	{0, lexicon.Noun | lexicon.Plural, 9},
}

// Opening is the number of how a message begins, politeness apart; 3 if there is nothing
// else.
func (m *Message) Opening() float32 {
	const polite = lexicon.Politeness | lexicon.Greeting | lexicon.Interjection
	i := 0
	for ; i < len(m.Tokens) && (!m.Wordy(i) || m.Class(i).Has(polite)); i++ {
	}
	if i == len(m.Tokens) {
		return 3
	}
	for _, o := range openings {
		if m.Class(i).Has(o.class) || m.Form(i).Has(o.form) {
			return o.number
		}
	}
	return 0
}
