package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// previous is what a classifier reads of the assistant's text before a message: which
// tools it speaks of, and which it offers. The zero value is no text.
type previous struct {
	priors        []prior // by tool
	recalled      vector.Sum
	hasPrevious   bool
	asked         bool // it asked something,
	factual, past bool // and that was about what is so, or was
	strange       bool // it is in a language without a word list
}

// prior is what the assistant's text before says of a tool.
type prior struct {
	offered float32 // how the verb of an offer relates to the tool's
	like    float32 // and any verb
	open    float32 // and one that does not say that it was done
	denied  float32 // and one that was offered not to be done
	rare    float32
}

func (p *prior) strength() float32 { return p.offered + p.like + p.rare }

// maxPrevious bounds what is read of the assistant's text: an offer stands at
// its end.
const maxPrevious = 2 << 10

func (c *Classifier) readPrevious(text string) previous {
	before := previous{priors: make([]prior, len(c.profiles)), hasPrevious: text != ""}
	if text == "" {
		return before
	}
	text = text[max(0, len(text)-maxPrevious):]
	r := reader{c.listener.Skim(text), c}
	defer r.Return()
	before.asked, before.strange = reading.EndsAsking(text), r.Foreign
	if before.asked && !before.strange {
		before.factual, before.past = r.AsksFact()
	}
	heading := vector.NewHeading(c.vectors, vector.Sum{})
	for i := range r.Tokens {
		if token := &r.Tokens[i]; token.Kind == lexicon.Word {
			heading.Recall(token)
		}
	}
	before.recalled = heading.Sum
	for tool, t := range r.tallyAll() {
		before.priors[tool].rare = t.rare()
	}
	for i := range r.Tokens {
		before.readDeed(&r, i)
	}
	return before
}

// readDeed notes which tools the word at i speaks of as an act.
func (b *previous) readDeed(r *reader, i int) {
	form := r.Form(i)
	d, acts := r.deed(i)
	if !acts || !form.Has(lexicon.Verb) {
		return
	}
	denied, offered, done := r.Denied(i), r.Offered(i), !form.Has(lexicon.Base|lexicon.Gerund) ||
		r.Class(i-1).Has(lexicon.Determiner|lexicon.Possessive) // "the invoice" invoices nobody
	for tool, p := range r.profiles {
		prior, like := &b.priors[tool], p.likeness(&d)
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
