package proof

import (
	"sync"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// desk is memory for what is read, one text after the other: one check leaves it to the
// next.
type desk struct {
	scratch, held []reading.Value
	page          *reading.Text
	tokens        []lexicon.Token
	known         [4]keys // what is shown, tried and said, and the names of arguments
	days          map[int]bool
	slots         map[*tooltrack.Record][]slot
}

var desks = sync.Pool{New: func() any {
	return &desk{
		page: &reading.Text{}, known: [4]keys{{}, {}, {}, {}}, days: map[int]bool{},
		slots: map[*tooltrack.Record][]slot{},
	}
}}

// newReader is a knowledge of nothing, for reading texts.
func newReader() knowledge {
	d := desks.Get().(*desk)
	return knowledge{
		reader: reading.English(), desk: d, scratch: d.scratch, held: d.held, page: d.page, tokens: d.tokens,
		shown: d.known[0], tried: d.known[1], said: d.known[2], members: d.known[3], days: d.days, slots: d.slots,
	}
}

// leave lets the next check have the desk: nothing that was read is used afterwards.
func (k *knowledge) leave() {
	const room = 1 << 12 // values and words: what has grown beyond is not kept
	d := k.desk
	d.scratch, d.held, d.page, d.tokens = k.scratch[:0], k.held[:0], k.page, k.tokens[:0]
	d.page.Source = ""
	grown := max(cap(d.scratch), cap(d.held), cap(d.tokens), cap(d.page.Tokens), cap(d.page.Values), len(d.slots))
	for _, values := range d.known {
		grown = max(grown, len(values))
		clear(values)
	}
	clear(d.days)
	clear(d.slots)
	if grown <= room {
		desks.Put(d)
	}
}

// clauses is a text with its sentences and clauses, until the next one is read. One that
// is asked for again, as most are, is not read again.
func (k *knowledge) clauses(text string) *reading.Text {
	if k.page == nil || k.page.Source != text || text == "" {
		k.page = k.reader.ReadClauses(k.page, text)
	}
	return k.page
}

// words are those of a text, until the next one is cut into words.
func (k *knowledge) words(text string) []lexicon.Token {
	k.tokens = lexicon.English().Tokenize(k.tokens[:0], text)
	return k.tokens
}

var scanners = sync.Pool{New: func() any { return &jsonspan.Scanner{} }}

// scan reads a JSON text.
func scan(data []byte) (whole []byte, fault *jsonspan.Fault) {
	const room = 1 << 10 // members: a scanner that has grown beyond is not kept
	s := scanners.Get().(*jsonspan.Scanner)
	whole, fault = s.Value(data)
	if s.Forget(); s.Room() <= room {
		scanners.Put(s)
	}
	return whole, fault
}
