// Package logfile answers one question: which JSON values does this file hold?
//
// [Open] opens a file and unpacks it, whatever its name; [Read] hands out its values one by one, whether
// they are JSON Lines, elements of an array or a document, with the line on which each begins:
//
//	reader, closer, err := logfile.Open(name, os.Stdin)
//	err = logfile.Read(reader, func(p logfile.Piece) bool { … })
//
// A damaged line costs that line only. Memory is bounded by [MaxValue], whatever
// the file holds. What the values mean, package formats knows.
package logfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxValue bounds the bytes of one value: no context window is that large.
const MaxValue = 16 << 20

// Piece is one JSON value of a file: a conversation, or a message of one.
type Piece struct {
	// Line is where it begins.
	Line int
	// Data is the value, in memory of its own. JSON Lines are not known to be valid.
	Data []byte
	// Group numbers the arrays that pieces stand in; 0 is none. Messages of one array are one conversation.
	Group int
	// Fault is why there is no data.
	Fault error
}

// Stdin is how standard input is called on the command line and in reports.
const Stdin = "-"

// Read calls take with every value of a file. An error is one of reading; a fault in the content is a
// piece with a fault, and reading goes on where it can. It stops early when take returns false.
func Read(reader *bufio.Reader, take func(Piece) bool) error {
	if mark, _ := reader.Peek(3); string(mark) == "\ufeff" {
		_, _ = reader.Discard(3)
	}
	head, lines, byLine, err := sniff(reader)
	if err != nil {
		return err
	}
	whole := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(head), reader), 1<<18)
	if byLine {
		return ReadLines(whole, lines, take)
	}
	return documentPieces(whole, lines, take)
}

// sniff reads as far as it must to tell JSON Lines from a document that spans
// lines. It returns what it has read, without the empty lines before it.
func sniff(reader *bufio.Reader) (head []byte, skipped int, byLine bool, err error) {
	first, err := firstLine(reader, &skipped)
	if err != nil {
		return first, skipped, false, err
	}
	text := bytes.TrimSpace(first)
	if len(text) == 0 || len(first) >= MaxValue {
		return first, skipped, len(text) > 0 && text[0] == '{', nil
	}
	alone := json.Valid(text)
	if alone && text[0] != '[' {
		return first, skipped, true, nil
	}
	// A damaged first line is told from the beginning of a document, and lists
	// of messages from one list of everything, by how the next line begins.
	next, err := reader.Peek(1)
	if err != nil && !errors.Is(err, io.EOF) {
		return first, skipped, false, err
	}
	if len(next) == 0 { // a single line: as a document it can be a long list
		return first, skipped, text[0] != '[' && text[0] != '{', nil
	}
	return first, skipped, next[0] == '{' && text[0] != '[' || next[0] == '[' && alone, nil
}

// firstLine reads the first line that is not empty, up to the size of a conversation.
func firstLine(reader *bufio.Reader, skipped *int) ([]byte, error) {
	var line []byte
	for {
		part, err := reader.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if len(line) >= MaxValue {
				return line, nil
			}
		case errors.Is(err, io.EOF):
			return line, nil
		case err != nil:
			return line, err
		case len(bytes.TrimSpace(line)) == 0:
			*skipped++
			line = line[:0]
		default:
			return line, nil
		}
	}
}

var errLong = fmt.Errorf("longer than the %d MiB that a conversation may have", MaxValue>>20)

// ReadLines reads JSON Lines: a damaged line costs that line only.
func ReadLines(reader *bufio.Reader, line int, take func(Piece) bool) error {
	for {
		line++
		data, err := readLine(reader)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errLong) {
			return err
		}
		found := Piece{Line: line, Data: data}
		if errors.Is(err, errLong) {
			found.Fault = errLong
		}
		if (len(found.Data) > 0 || found.Fault != nil) && !take(found) {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
	}
}

// readLine returns the next line in memory of its own, without its end.
func readLine(reader *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := reader.ReadSlice('\n')
		if long = long || len(line)+len(part) > MaxValue; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long && (err == nil || errors.Is(err, io.EOF)) {
			return nil, errors.Join(errLong, err)
		}
		return bytes.TrimSpace(line), err
	}
}
