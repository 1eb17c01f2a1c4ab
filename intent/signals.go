package intent

import "github.com/bonafide-go/bonafide/internal/lexicon"

// signals are what the words of a message say whatever the tools are.
type signals struct {
	words, negated, refused, agreed, thanks, questions, ids int
	standing                                                int
	narrated, yous, mys                                     int
}

// signal reads what the words of the message say whatever the tools are.
func (s *scratch) signal() {
	r := &s.reader
	s.signals = signals{}
	s.given, s.prefixes, s.deeds, s.done = 0, s.prefixes[:0], s.deeds[:0], lexicon.Families{}
	g := &s.signals
	thanked := 0
	for i := range r.Tokens {
		token := &r.Tokens[i]
		if token.Kind == lexicon.End {
			g.questions += tells(r.Text[token.Start] == '?')
			continue
		}
		if !token.IsWord() || i < thanked {
			continue
		}
		if class, n := r.Expression(i); class.Has(lexicon.Politeness) {
			thanked = i + n // "thank you" speaks of nobody
			g.thanks += tells(r.is(i, cueThank))
			continue
		}
		entry := r.At(i)
		g.words += tells(!entry.Class.Has(lexicon.Politeness | lexicon.Greeting | lexicon.Interjection))
		g.ids += tells(s.give(i, entry))
		if d, acts := r.deed(i, entry); acts && len(s.deeds) < maxDeeds {
			s.deeds = append(s.deeds, d)
			s.done = s.done.Union(d.families)
		}
		g.standing += tells(r.Standing(i))
		s.tell(i, entry)
	}
}

// tell counts what the word at i says by its class.
func (s *scratch) tell(i int, entry *lexicon.Entry) {
	r, g, class := &s.reader, &s.signals, entry.Class
	g.narrated += tells(entry.Form.Has(lexicon.Past) && !entry.Form.Has(lexicon.Base|lexicon.Noun) &&
		(r.Class(i-1) | r.Class(i-2)).Has(lexicon.FirstPerson))
	g.yous += tells(class.Has(lexicon.SecondPerson))
	g.mys += tells(class.Has(lexicon.FirstPerson) && class.Has(lexicon.Possessive))
	g.negated += tells(class.Has(lexicon.Negation))
	g.refused += tells(class.Has(lexicon.Refusal))
	g.agreed += tells(class.Has(lexicon.Affirmation))
	g.thanks += tells(class.Has(lexicon.Interjection) || entry.Is(r.cues[cueThank]))
}

// tells is 1 for what is so.
func tells(so bool) int { return int(one(so)) }
