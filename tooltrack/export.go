package tooltrack

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// An export is JSON lines: a head that says whose records follow, the records, and an end
// that counts them. Each line has its number, and the hash of the line before.

// ErrBadExport is wrapped by what [VerifyExport] finds wrong.
var ErrBadExport = errors.New("the export is not as it was written")

// exportLine is one line; one of Export, Record and End is set.
type exportLine struct {
	N        int             `json:"n"`
	Previous string          `json:"previous"`
	Export   *exportHead     `json:"export,omitempty"`
	Record   json.RawMessage `json:"record,omitempty"`
	End      *exportEnd      `json:"end,omitempty"`
}

type exportHead struct {
	Version int `json:"version"`
	Scope
}

type exportEnd struct {
	Records int `json:"records"`
}

// WriteExport writes records as JSON lines that [VerifyExport] can check. It returns the hash of
// the last line. Keep that elsewhere: it tells the exported file from one that was written anew.
func WriteExport(to io.Writer, scope Scope, records iter.Seq2[*Record, error]) (sum string, err error) {
	line := exportLine{Export: &exportHead{1, scope}}
	write := func() error {
		line.N, line.Previous = line.N+1, sum
		data, err := json.Marshal(line)
		if err != nil {
			return err
		}
		sum = hashOfLine(data)
		_, err = to.Write(append(data, '\n'))
		return err
	}
	if err := write(); err != nil {
		return "", err
	}
	count := 0
	line.Export = nil
	for record, err := range records {
		if err == nil {
			line.Record, err = json.Marshal(record)
		}
		if err == nil {
			err = write()
		}
		if err != nil {
			return "", err
		}
		count++
	}
	line.Record, line.End = nil, &exportEnd{count}
	return sum, write()
}

func hashOfLine(line []byte) string {
	hash := sha256.Sum256(line)
	return hex.EncodeToString(hash[:])
}

// VerifyExport reads what [WriteExport] wrote and finds any line that was changed, left
// out, added or put elsewhere: then the error names the line and wraps [ErrBadExport]. It
// returns the number of records and the sum.
func VerifyExport(from io.Reader) (records int, sum string, err error) {
	lines := bufio.NewReader(from)
	ended := false
	for n := 1; ; n++ {
		data, err := lines.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF) && len(data) == 0 && ended:
			return records, sum, nil
		case errors.Is(err, io.EOF):
			return records, sum, badLine(n, "the file ends before its last line")
		case err != nil:
			return records, sum, err
		case ended:
			return records, sum, badLine(n, "something follows the last line")
		}
		data = bytes.TrimSuffix(data, []byte{'\n'})
		if ended, err = checkLine(data, n, sum, &records); err != nil {
			return records, sum, err
		}
		sum = hashOfLine(data)
	}
}

// checkLine checks one line, and reports whether it is the last.
func checkLine(data []byte, n int, previous string, records *int) (last bool, err error) {
	var line exportLine
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&line); err != nil || decoder.More() {
		return false, badLine(n, "it is not a line of an export")
	}
	switch {
	case line.N != n:
		return false, badLine(n, fmt.Sprintf("it is numbered %d: a line is missing, added or elsewhere", line.N))
	case line.Previous != previous:
		return false, badLine(n-1, "it was changed")
	case (line.Export != nil) != (n == 1), line.Export != nil && line.Export.Version != 1:
		return false, badLine(n, "it is no head of a version that is known here")
	case line.End != nil && line.End.Records != *records:
		return false, badLine(n, fmt.Sprintf("%d records were written, and %d are here", line.End.Records, *records))
	case line.Record != nil:
		*records++
	}
	return line.End != nil, nil
}

func badLine(n int, what string) error { return fmt.Errorf("line %d: %s: %w", n, what, ErrBadExport) }
