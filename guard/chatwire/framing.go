package chatwire

import (
	"bytes"
	"io"
	"iter"
	"net/http"
)

// framing is how the pieces of a streamed answer follow one another.
type framing struct {
	contentType string
	// split reads the pieces of a stream.
	split func(reader io.Reader) iter.Seq2[[]byte, error]
	// held keeps a line alive until an answer follows, and means nothing to clients.
	held string
}

// eventFraming is server-sent events.
var eventFraming = &framing{"text/event-stream", Events, ": held\n\n"}

// framingOf is how a format streams if nothing says otherwise.
func framingOf(d dialect) *framing {
	switch d.(type) {
	case gemini:
		return emptyEventFraming
	case ollama:
		return lineFraming
	}
	return eventFraming
}

// framingFor is how a client expects the answer to a request.
func framingFor(d dialect, request *http.Request) *framing {
	if _, is := d.(gemini); is && request.URL.Query().Get("alt") != "sse" {
		return listFraming
	}
	return framingOf(d)
}

// arrivedIn is how an answer arrived, whatever was asked for; nil if it is whole.
func arrivedIn(expected *framing, raw []byte) *framing {
	raw = bytes.TrimLeft(bytes.TrimPrefix(raw, byteOrderMark), " \t\r\n")
	switch {
	case isStream(raw) && expected == listFraming:
		return emptyEventFraming
	case isStream(raw) && expected != lineFraming:
		return expected
	case expected == lineFraming && bytes.Contains(bytes.TrimSpace(raw), []byte("\n{")):
		return lineFraming
	case (expected == listFraming || expected == emptyEventFraming) && bytes.HasPrefix(raw, []byte("[")):
		return listFraming
	}
	return nil
}

// write puts pieces into a stream.
func (f *framing) write(d dialect, chunks [][]byte) []byte {
	switch f {
	case lineFraming:
		return append(bytes.Join(chunks, []byte("\n")), '\n')
	case listFraming:
		return append(append([]byte("["), bytes.Join(chunks, []byte(",\r\n"))...), ']')
	}
	_, isChat := d.(chat)
	var out bytes.Buffer
	for _, chunk := range chunks {
		top, _ := whole(chunk)                                 // one that cannot be read has no type
		if kind := top.member("type"); kind != "" && !isChat { // clients of the newer formats expect names
			out.WriteString("event: " + kind + "\n")
		}
		writeData(&out, chunk)
	}
	if isChat { // in the others the last event ends the stream
		writeData(&out, []byte(endMarker))
	}
	return out.Bytes()
}

// writeData writes the data of one event, and its end.
func writeData(out *bytes.Buffer, data []byte) {
	for line := range bytes.Lines(data) {
		out.WriteString("data: ")
		out.Write(bytes.TrimRight(line, "\r\n"))
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
}
