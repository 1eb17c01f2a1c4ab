package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// Stream writes one JSON object: the findings as they come, then the
// report. Nothing is kept, so a million findings take no memory.
type Stream struct {
	writer *bufio.Writer
	count  int
	err    error
}

// NewStream begins the object.
func NewStream(out io.Writer) *Stream {
	s := &Stream{writer: bufio.NewWriter(out)}
	s.text("{\"findings\":[")
	return s
}

func (s *Stream) text(text string) {
	if s.err == nil {
		_, s.err = s.writer.WriteString(text)
	}
}

func (s *Stream) value(value any) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil && s.err == nil {
		s.err = err
	}
	s.text(string(bytes.TrimSpace(buffer.Bytes())))
}

// Finding writes a finding.
func (s *Stream) Finding(f Finding) {
	if s.count++; s.count > 1 {
		s.text(",")
	}
	s.text("\n")
	s.value(f)
}

// End writes the report and ends the object.
func (s *Stream) End(report *Report) error {
	s.text("\n],\n\"report\":")
	s.value(report)
	s.text("}\n")
	if s.err == nil {
		s.err = s.writer.Flush()
	}
	return s.err
}

// Err is why writing broke off; nil if it did not.
func (s *Stream) Err() error { return s.err }
