package main

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"strings"
)

// block is a piece of code that a test ran.
type block struct {
	file                           string
	line, column, toLine, toColumn int
}

// readProfile reads the blocks of a coverage profile that were run.
func readProfile(name string) ([]block, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var blocks []block
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var b block
		var statements, runs int
		source, place, found := strings.Cut(lines.Text(), ".go:")
		if !found {
			continue // the mode
		}
		if _, err := fmt.Sscanf(place, "%d.%d,%d.%d %d %d", &b.line, &b.column, &b.toLine, &b.toColumn, &statements,
			&runs); err != nil {
			return nil, err
		}
		if b.file = path.Base(source) + ".go"; runs > 0 {
			blocks = append(blocks, b)
		}
	}
	return blocks, lines.Err()
}

func (b *block) holds(m *mutant) bool {
	at := m.reached
	after := at.Line > b.line || at.Line == b.line && at.Column >= b.column
	before := at.Line < b.toLine || at.Line == b.toLine && at.Column <= b.toColumn
	return b.file == m.file && after && before
}
