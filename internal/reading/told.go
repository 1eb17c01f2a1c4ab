package reading

import (
	"sync"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

var heardEnglish = sync.Pool{New: func() any { return NewListener(lexicon.English()).Listen() }}

// OnlyTells reports whether a message tells something, and neither asks for anything nor
// agrees to it: "that was wrong!", "you booked the wrong room".
func OnlyTells(text string) bool {
	m := heardEnglish.Get().(*Message)
	defer heardEnglish.Put(m)
	m.Hear(text)
	m.Glance()
	m.Idioms()
	m.Read()
	finite := false
	for i := range m.Requests {
		r := &m.Requests[i]
		if r.Plea != Told {
			return false
		}
		finite = finite || m.finite(r.From)
	}
	return finite && !m.Has(lexicon.Affirmation)
}
