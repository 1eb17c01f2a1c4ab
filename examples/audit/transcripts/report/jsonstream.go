package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// Stream writes one JSON object: the findings as they come, then the
// report. Nothing is kept, so a million findings take no memory.
type Stream struct {
	out     *bufio.Writer // it remembers why writing broke off
	encoder *json.Encoder
	before  string // stands before the next finding
}

// NewStream begins the object.
func NewStream(out io.Writer) *Stream {
	s := &Stream{out: bufio.NewWriter(out), before: "{\"findings\":[\n"}
	s.encoder = json.NewEncoder(s.out)
	s.encoder.SetEscapeHTML(false)
	return s
}

// Finding writes a finding. Its error is why writing broke off.
func (s *Stream) Finding(f Finding) error {
	_, err := s.out.WriteString(s.before)
	s.before = ","
	return errors.Join(err, s.encoder.Encode(f))
}

// End writes the report and ends the object.
func (s *Stream) End(report *Report) error {
	if s.before != "," {
		_, _ = s.out.WriteString(s.before) // told by Flush
	}
	_, _ = s.out.WriteString("],\n\"report\":")
	err := s.encoder.Encode(report)
	_, _ = s.out.WriteString("}\n")
	return errors.Join(err, s.out.Flush())
}
