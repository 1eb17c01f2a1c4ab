package chatwire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// Events reads the data of server-sent events. Comments, other fields and empty events are skipped,
// as is a byte order mark before the first one; lines may end in LF, CRLF or CR. The values are
// valid until the next one is asked for.
func Events(reader io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		lines := bufio.NewScanner(reader)
		lines.Buffer(make([]byte, 0, 4096), maxStream)
		lines.Split(splitLine)
		var data []byte
		has, first := false, true
		for lines.Scan() {
			line := lines.Bytes()
			if first {
				line, first = bytes.TrimPrefix(line, byteOrderMark), false
			}
			if len(line) == 0 {
				if has && !yield(data, nil) {
					return
				}
				data, has = data[:0], false
				continue
			}
			value, is := dataOf(line)
			if !is {
				continue
			}
			if has {
				data = append(data, '\n')
			}
			data, has = append(data, value...), true
			if len(data) > maxStream {
				yield(nil, badBody(errors.New("an event is longer than 16 MiB")))
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(nil, err)
			return
		}
		if has { // the last event may lack its empty line
			yield(data, nil)
		}
	}
}

// dataOf is the value of a data line.
func dataOf(line []byte) ([]byte, bool) {
	value, is := bytes.CutPrefix(line, []byte("data:"))
	if !is {
		return nil, string(line) == "data"
	}
	return bytes.TrimPrefix(value, []byte(" ")), true
}

// splitLine splits at LF, CRLF and CR.
func splitLine(data []byte, atEOF bool) (advance int, token []byte, err error) {
	at := bytes.IndexAny(data, "\r\n")
	switch {
	case at < 0 && !atEOF:
		return 0, nil, nil
	case at < 0:
		if len(data) == 0 {
			return 0, nil, nil
		}
		return len(data), data, nil
	case data[at] == '\n':
		return at + 1, data[:at], nil
	case at+1 < len(data) && data[at+1] == '\n':
		return at + 2, data[:at], nil
	case at+1 == len(data) && !atEOF:
		return 0, nil, nil // a CR at the very end may be half of a CRLF
	}
	return at + 1, data[:at], nil
}

// endMarker ends a stream.
const endMarker = "[DONE]"
