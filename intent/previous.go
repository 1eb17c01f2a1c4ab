package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// prior is what the assistant's text before says of a tool.
type prior struct {
	offered float32 // how the verb of an offer relates to the tool's
	like    float32 // and any verb
	open    float32 // and one that does not say that it was done
	denied  float32 // and one that was offered not to be done
	rare    float32
}

func (p *prior) strength() float32 { return p.offered + p.like + p.rare }

// before reads the assistant's text: which tools it speaks of, and which it
// offers.
func (c *Classifier) before(s *scratch, previous string) {
	clear(s.priors)
	s.recalled, s.asked, s.strange, s.factual, s.past = vector.Sum{}, false, false, false, false
	if s.hasPrevious = previous != ""; !s.hasPrevious {
		return
	}
	if len(previous) > maxPrevious {
		previous = previous[len(previous)-maxPrevious:]
	}
	s.asked = reading.EndsAsking(previous)
	r := &s.reader
	r.Tokenize(previous)
	r.Glance()
	s.strange = r.Foreign
	r.Idioms()
	if s.asked && !s.strange {
		s.factual, s.past = r.AsksFact()
	}
	s.recall()
	s.overall(c)
	for tool := range c.profiles {
		s.priors[tool].rare = s.tallies[tool].rare()
	}
	for i := range r.Tokens {
		entry := r.At(i)
		d, acts := r.deed(i, entry)
		if !acts || !entry.Form.Has(lexicon.Verb) {
			continue
		}
		denied, offered, done := r.Denied(i), r.Offered(i), !entry.Form.Has(lexicon.Base|lexicon.Gerund) ||
			r.Class(i-1).Has(lexicon.Determiner|lexicon.Possessive) // "the invoice" invoices nobody
		for tool, p := range c.profiles {
			prior := &s.priors[tool]
			like := d.likeness(p)
			if denied {
				prior.denied = max(prior.denied, like)
				continue
			}
			if prior.like = max(prior.like, like); !done {
				prior.open = max(prior.open, like)
			}
			if offered {
				prior.offered = max(prior.offered, like)
			}
		}
	}
}
