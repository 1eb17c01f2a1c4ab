package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// An answerer answers one line. A nil answer is a line that gets none, such as
// a definition that later lines refer to.
type answerer func(line []byte) (answer any, err error)

// maxLine bounds the memory that one line may take. Title lists of 100,000 entries stay well below it.
const maxLine = 64 << 20

// answerLines feeds each line to answer. Its error is one of reading or
// writing; a fault in a line is answered on that line.
func answerLines(in io.Reader, out io.Writer, answer answerer) error {
	reader := bufio.NewReaderSize(in, 1<<20)
	writer := bufio.NewWriter(out)
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	for {
		line, err := readLine(reader)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errLongLine) {
			return errors.Join(err, writer.Flush())
		}
		if reply := reply(line, err, answer); reply != nil {
			if err := encoder.Encode(reply); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return writer.Flush()
		}
	}
}

var errLongLine = fmt.Errorf("the line is longer than %d bytes", maxLine)

// readLine returns the next line without its end. Of a line that is too long
// it returns the beginning, so that its id may still be found.
func readLine(reader *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := reader.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			long = true
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil && long:
			err = errLongLine
		}
		return bytes.TrimSpace(line), err
	}
}

// reply is what is written for a line: the answer, the fault, or nothing for an empty line.
func reply(line []byte, fault error, answer answerer) any {
	if errors.Is(fault, errLongLine) {
		return failure{ID: idOf(line), Error: fault.Error()}
	}
	if len(line) == 0 {
		return nil
	}
	said, err := guarded(line, answer)
	if err != nil {
		return failure{ID: idOf(line), Error: err.Error()}
	}
	return said
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
