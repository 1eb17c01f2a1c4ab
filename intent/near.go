package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// nextAsking is the first token from i on that may ask for something. "Thank you"
// does not, nor do the words of a title: "remind me to cancel the gym" cancels nothing,
// "delete Paint the fence" paints nothing.
func (r *reader) nextAsking(i int) int {
	for i < len(r.Tokens) {
		n := r.polite(i)
		for k := range r.Requests {
			if q := &r.Requests[k]; q.Body <= i && i < q.To && i > q.Verb && (q.Families.Overlaps(entitled) || r.titled(q)) {
				n = q.To - i
			}
		}
		if token := &r.Tokens[i]; n == 0 && token.Kind == lexicon.Word && !token.Has(lexicon.Quoted) {
			return i
		}
		i += max(n, 1)
	}
	return i
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
	for i := r.nextAsking(0); i < len(r.Tokens); i = r.nextAsking(i + 1) {
		s.heading.Say(&r.Tokens[i])
	}
	s.point = s.heading.Vector()
}
