package reading

import (
	"slices"
	"sync"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

var englishListener = sync.OnceValue(func() *Listener { return NewListener(lexicon.English()) })

// OnlyTells reports whether a message tells something, and neither asks for anything nor
// agrees to it: "that was wrong!", "you booked the wrong room".
func OnlyTells(text string) bool {
	m := englishListener().Read(text)
	defer m.Return()
	finite := false
	for i := range m.Requests {
		r := &m.Requests[i]
		if r.Plea != Told && !(r.Plea == Suggested && r.Past) { // "you should have done it"
			return false
		}
		finite = finite || m.finite(r.From)
	}
	return finite && !m.Has(lexicon.Affirmation)
}

// SaysNo reports whether a message begins with a no.
func SaysNo(text string) bool {
	read := English().ReadClauses(nil, text)
	first := slices.IndexFunc(read.Tokens, func(t lexicon.Token) bool { return t.IsWord() })
	return first >= 0 && read.Tokens[first].Class().Has(lexicon.Refusal|lexicon.Negation)
}

// Commands reports whether a clause of a message is a command: "undo it". What one was
// going to do is none.
func Commands(text string) bool {
	m := englishListener().Read(text)
	defer m.Return()
	return slices.ContainsFunc(m.Requests, func(r Request) bool { return r.Plea == Commanded && !r.Past })
}
