package reading

import "sync"

// Borrow reads a text but for its values, as [Reader.ReadClauses] does, into memory that
// others have used before. Whoever is done with it gives it back by [Text.Return].
func (r *Reader) Borrow(source string) *Text {
	return r.ReadClauses(lent.Get().(*Text), source)
}

// Return gives back a text that was borrowed. Neither it nor a slice of it may be used
// afterwards.
func (t *Text) Return() {
	const room = 1 << 12 // tokens: what has grown beyond is not kept
	if t.Source = ""; cap(t.Tokens) <= room && cap(t.Values) <= room {
		lent.Put(t)
	}
}

var lent = sync.Pool{New: func() any { return &Text{} }}
