package transcripts

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// jsonStream writes one JSON object: the findings as they come, then the
// report. Nothing is kept, so a million findings take no memory.
type jsonStream struct {
	writer *bufio.Writer
	count  int
	err    error
}

func newJSONStream(out io.Writer) *jsonStream {
	s := &jsonStream{writer: bufio.NewWriter(out)}
	s.text("{\"findings\":[")
	return s
}

func (s *jsonStream) text(text string) {
	if s.err == nil {
		_, s.err = s.writer.WriteString(text)
	}
}

func (s *jsonStream) value(value any) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil && s.err == nil {
		s.err = err
	}
	s.text(string(bytes.TrimSpace(buffer.Bytes())))
}

func (s *jsonStream) finding(f Finding) {
	if s.count++; s.count > 1 {
		s.text(",")
	}
	s.text("\n")
	s.value(f)
}

func (s *jsonStream) end(report *Report) error {
	s.text("\n],\n\"report\":")
	s.value(report)
	s.text("}\n")
	if s.err == nil {
		s.err = s.writer.Flush()
	}
	return s.err
}
