package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
)

// An answerer answers one line. A nil answer is a line that gets none, such as
// a definition that later lines refer to.
type answerer func(line []byte) (answer any, err error)

// answerLines feeds each line to answer. Its error is one of reading or
// writing; a fault in a line is answered on that line.
func answerLines(in io.Reader, out io.Writer, answer answerer) error {
	writer := bufio.NewWriter(out)
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	var broken error
	err := logfile.ReadLines(bufio.NewReaderSize(in, 1<<20), 0, func(line logfile.Piece) bool {
		said, fault := any(nil), line.Fault
		if fault == nil {
			said, fault = guarded(line.Data, answer)
		}
		if fault != nil {
			said = failure{ID: idOf(line.Data), Error: fault.Error()}
		}
		if said != nil {
			broken = encoder.Encode(said)
		}
		return broken == nil
	})
	return errors.Join(err, broken, writer.Flush())
}

// failure is the answer to a line that could not be answered.
type failure struct {
	ID    json.RawMessage `json:"id"`
	Error string          `json:"error"`
}

// guarded turns a panic into an error of its line, so that one bad case does not lose the thousands after it.
func guarded(line []byte, answer answerer) (said any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			said, err = nil, fmt.Errorf("panic: %v", fault)
		}
	}()
	return answer(line)
}

// idOf finds the id of a line that may be damaged after it; null if it
// cannot. Ids are strings in the recorded data, but a number is echoed, too.
func idOf(line []byte) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(line))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return json.RawMessage("null")
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			break
		}
		if key == "id" {
			return value
		}
	}
	return json.RawMessage("null")
}

// decode reads a case; unknown fields are ignored. The error names what is wrong, without the whole line.
func decode[T any](line []byte) (T, error) {
	var value T
	if err := json.Unmarshal(line, &value); err != nil {
		return value, fmt.Errorf("the line is not a case of this subcommand: %w", err)
	}
	return value, nil
}
