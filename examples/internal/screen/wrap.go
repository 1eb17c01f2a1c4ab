package screen

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Cells is how wide a text is on the screen: two for wide characters, none for
// marks that stand on the one before.
func Cells(text string) int {
	n := 0
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

func cellsOf(r rune) int {
	switch {
	case r < 0x300: // nothing below it is wide or stands on another
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Wrap breaks a text into lines of at most a number of cells. Line breaks in the
// text stay; a word longer than a line is cut.
func Wrap(text string, most int) []string {
	most = max(most, 2)
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			for Cells(word) > most {
				if line != "" {
					lines, line = append(lines, line), ""
				}
				head := beginning(word, most)
				lines, word = append(lines, head), word[len(head):]
			}
			switch {
			case line == "":
				line = word
			case Cells(line)+1+Cells(word) <= most:
				line += " " + word
			default:
				lines, line = append(lines, line), word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// beginning is as much of a text as fits.
func beginning(text string, most int) string {
	n := 0
	for i, r := range text {
		if n += cellsOf(r); n > most {
			return text[:i]
		}
	}
	return text
}

// Layout sets a text in lines of at most a number of cells. Lines that follow one another and hold
// tabs are the rows of a table, whose last cells are wrapped. Any other line is prose, which is
// wrapped below its own beginning.
func Layout(text string, most int) string {
	var out strings.Builder
	var columns []int
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if i == 0 || !strings.Contains(lines[i-1], "\t") {
			columns = columnsOf(lines[i:])
		}
		cells := strings.Split(line, "\t")
		lead, last := "", cells[len(cells)-1]
		for column, cell := range cells[:len(cells)-1] {
			lead += Pad(cell, columns[column]+2)
		}
		if lead == "" {
			lead = line[:len(line)-len(strings.TrimLeft(line, " "))]
		}
		for _, piece := range Wrap(last, most-Cells(lead)) {
			out.WriteString(strings.TrimRight(lead+piece, " ") + "\n")
			lead = strings.Repeat(" ", Cells(lead))
		}
	}
	return out.String()
}

// columnsOf are the widths of the columns of the table that some lines begin with.
func columnsOf(lines []string) (columns []int) {
	for _, line := range lines {
		cells := strings.Split(line, "\t")
		if len(cells) == 1 {
			break
		}
		for i, cell := range cells {
			if i == len(columns) {
				columns = append(columns, 0)
			}
			columns[i] = max(columns[i], Cells(cell))
		}
	}
	return columns
}

// Pad fills a text up to a number of cells.
func Pad(text string, most int) string {
	return text + strings.Repeat(" ", max(0, most-Cells(text)))
}
