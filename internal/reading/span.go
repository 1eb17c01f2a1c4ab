package reading

// Span is a piece of a text. It holds the text itself, so that a position can only be
// applied to the bytes that it was taken from: results and arguments are scanned without
// their escapes, and a place in such a copy is none in the original.
type Span struct {
	source     string
	start, end int32
}

// SpanOf is the piece of a text between two of its bytes.
func SpanOf(text string, start, end int) Span {
	_ = text[start:end] // a place outside of the text is a fault of the caller, here and not later
	return Span{source: text, start: int32(start), end: int32(end)}
}

// Start and End are where the piece begins and ends in its source.
func (s *Span) Start() int { return int(s.start) }
func (s *Span) End() int   { return int(s.end) }

// Source is the text that the piece is of.
func (s *Span) Source() string { return s.source }

// String is the piece as it is written.
func (s *Span) String() string { return s.source[s.start:s.end] }

// Before and After are what stands before the piece and after it.
func (s *Span) Before() string { return s.source[:s.start] }
func (s *Span) After() string  { return s.source[s.end:] }
