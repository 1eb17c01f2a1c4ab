package logfile

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// documentPieces reads values that span lines; arrays are taken apart, so that a long list needs the memory of
// one element. After a syntax error nobody can tell where the next value begins: the rest is skipped.
func documentPieces(reader *bufio.Reader, line int, take func(Piece) bool) error {
	d := &document{lines: &lineCounter{inner: reader, line: line + 1}, take: take}
	d.decoder = json.NewDecoder(d.lines)
	for {
		err := d.value()
		switch {
		case err == nil:
		case d.lines.err != nil: // of reading; the decoder may call it damage
			return d.lines.err
		case errors.Is(err, io.EOF), errors.Is(err, errStopped):
			return nil
		case errors.Is(err, errLong):
			take(Piece{Line: d.line(), Fault: fmt.Errorf("%w; the rest of the file was skipped", err)})
			return nil
		default:
			take(Piece{Line: d.line(), Fault: fmt.Errorf("not valid JSON: %w; the rest of the file was skipped", err)})
			return nil
		}
	}
}

var errStopped = errors.New("stopped")

type document struct {
	decoder *json.Decoder
	lines   *lineCounter
	take    func(Piece) bool
	groups  int
}

// line is where the next value begins, or the damage: what the decoder has not taken yet, but for white space.
func (d *document) line() int {
	blank, _, _ := d.skipBlank()
	return d.lines.at(d.decoder.InputOffset() + blank)
}

// value reads one value at the top, or opens an array.
func (d *document) value() error {
	d.lines.allow(MaxValue)
	first, err := d.peek()
	if err != nil {
		return err
	}
	if first != '[' {
		return d.element(0)
	}
	if _, err := d.decoder.Token(); err != nil {
		return err
	}
	d.groups++
	for d.decoder.More() {
		if err := d.element(d.groups); err != nil {
			return err
		}
	}
	_, err = d.decoder.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// peek is the first byte of the next value, which lies in the decoder's buffer after More.
func (d *document) peek() (byte, error) {
	d.decoder.More()
	_, next, err := d.skipBlank()
	return next, err
}

// skipBlank counts the white space that lies in the decoder's buffer, and returns the byte after it.
func (d *document) skipBlank() (blank int64, next byte, err error) {
	buffered := d.decoder.Buffered()
	var one [1]byte
	for {
		if _, err := buffered.Read(one[:]); err != nil {
			return blank, 0, err
		}
		if one[0] != ' ' && one[0] != '\t' && one[0] != '\r' && one[0] != '\n' {
			return blank, one[0], nil
		}
		blank++
	}
}

func (d *document) element(group int) error {
	d.lines.allow(MaxValue)
	var raw json.RawMessage
	if err := d.decoder.Decode(&raw); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	found := Piece{Line: d.lines.at(d.decoder.InputOffset() - int64(len(raw))), Data: raw, Group: group}
	if len(raw) > MaxValue {
		found.Data, found.Fault = nil, errLong
	}
	if !d.take(found) {
		return errStopped
	}
	return nil
}

// lineCounter finds the line of an offset. It remembers only the line ends that the decoder has
// read and not yet passed, and how much it may still read for one value.
type lineCounter struct {
	inner io.Reader
	read  int64
	ends  []int64
	line  int // of the last offset asked for
	left  int64
	err   error
}

// allow lets the decoder read on for another value.
func (c *lineCounter) allow(bytes int64) { c.left = 2 * bytes }

func (c *lineCounter) Read(buffer []byte) (int, error) {
	if c.left <= 0 {
		return 0, errLong
	}
	n, err := c.inner.Read(buffer[:min(len(buffer), 1<<16)]) // in steps, so that the bound holds
	for i, b := range buffer[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.read+int64(i))
		}
	}
	c.read += int64(n)
	c.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}

func (c *lineCounter) at(offset int64) int {
	passed := 0
	for passed < len(c.ends) && c.ends[passed] < offset {
		passed++
	}
	c.ends = append(c.ends[:0], c.ends[passed:]...)
	c.line += passed
	return c.line
}
