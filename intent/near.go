package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// asking visits the tokens that may ask for something. "Thank you" does not, nor do the
// words of a title: "remind me to cancel the gym" cancels nothing, "delete Paint the
// fence" paints nothing.
func (r *reader) asking(visit func(i int) bool) {
	title, end := 0, 0 // of the request
	for i, k := 0, 0; i < len(r.Tokens); i++ {
		for ; i >= end && k < len(r.Requests); k++ {
			q := &r.Requests[k]
			if title, end = q.To, q.To; q.Families.Overlaps(entitled) || r.hasTitleObject(q) {
				title = max(q.Body, q.Verb+1)
			}
		}
		token := &r.Tokens[i]
		switch n := r.Courtesy(i); {
		case title <= i && i < end:
			i = end - 1
		case n > 0:
			i += n - 1
		case token.Kind == lexicon.Word && !token.Has(lexicon.Quoted) && !visit(i):
			return
		}
	}
}

// recall adds up the words of the assistant's text before.
func (s *scratch) recall() {
	s.heading.Begin(vector.Sum{})
	for i := range s.reader.Tokens {
		if token := &s.reader.Tokens[i]; token.Kind == lexicon.Word {
			s.heading.Recall(token)
		}
	}
	s.recalled = s.heading.Sum()
}

// head adds up the words of the message and of the text before.
func (s *scratch) head() {
	r := &s.reader
	s.heading.Begin(s.recalled)
	for i := range r.asking {
		s.heading.Say(&r.Tokens[i])
	}
	s.point = s.heading.Vector()
}
