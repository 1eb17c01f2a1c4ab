package reading

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// number adds a figure, or makes a date of it after a month.
func (s *valueScan) number(start, end int, number float64, flags Flags) {
	v := Value{
		Span: s.span(start, end), Kind: Number, Number: number, Key: KeyOf(Number, number),
		Flags: flags | s.unitsAround(start, end),
	}
	if k := len(s.values) - 1; k >= s.from && (s.values[k].Kind == Date || s.values[k].isMonth()) {
		v = s.afterMonth(v, &s.values[k], flags)
	}
	s.values = append(s.values, v)
}

// unitsAround looks for a currency or a percent sign beside a figure.
func (s *valueScan) unitsAround(start, end int) Flags {
	var flags Flags
	before := strings.TrimRight(s.text[max(0, start-5):start], spaces)
	after := strings.TrimLeft(s.text[end:min(len(s.text), end+5)], spaces)
	switch {
	case strings.HasSuffix(before, "$"), strings.HasSuffix(before, "€"), strings.HasSuffix(before, "£"),
		s.reader.isCurrency(before[max(0, len(before)-3):]):
		flags |= Money
	}
	switch {
	case strings.HasPrefix(after, "%"):
		flags |= Percent
	case strings.HasPrefix(after, "€"), s.reader.isCurrency(after[:min(3, len(after))]):
		flags |= Money
	}
	return flags
}

// isCurrency reports whether a word is the code of a common currency.
func (r *Reader) isCurrency(code string) bool { return slices.Contains(r.currencies, code) }

// figures reads digits that marks may join.
func (s *valueScan) figures(start, end int, run string, joiners int) {
	switch {
	case joiners&joinColon != 0:
		s.clocks(start, end)
	case joiners == 0, joiners&^(joinComma|joinDot) == 0 && strings.Count(run, ".") <= 1:
		s.figure(start, end, run)
	case s.isoDate(start, end, run):
	case s.slashDate(start, end, run):
	default:
		s.joinedFigures(start, end, run, joiners)
	}
}

// figure reads one number, or an hour before "am" or "pm".
func (s *valueScan) figure(start, end int, run string) {
	const longest = 18 // more digits than a number has are an id
	if len(run) > longest {
		s.id(start, end)
		return
	}
	number, err := parseFigure(run)
	switch {
	case err != nil:
	case number <= 12 && isHalfDay(s.text[end:min(len(s.text), end+4)]):
		s.hour(start, end, number)
	default:
		s.number(start, end, number, 0)
	}
}

// parseFigure reads a number, with or without commas between its thousands.
func parseFigure(figure string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(figure, ",", ""), 64)
}

// spaces are what may stand between a figure and its unit.
const spaces = " \u00a0"

// joinedFigures: "3-5" are two numbers, "555-1234" is an id.
func (s *valueScan) joinedFigures(start, end int, run string, joiners int) {
	a, b, found := strings.Cut(run, "-")
	if found && joiners&^(joinComma|joinDot|joinHyphen) == 0 && len(a) <= 3 && len(b) <= 3 {
		if x, err := strconv.ParseFloat(a, 64); err == nil {
			s.number(start, start+len(a), x, 0)
		}
		if y, err := strconv.ParseFloat(b, 64); err == nil {
			s.number(end-len(b), end, y, 0)
		}
		return
	}
	s.id(start, end)
}

// mixed reads letters and digits together.
func (s *valueScan) mixed(start, end int, run string, joiners int) {
	switch {
	case s.measure(start, end, run, joiners):
	case s.isoDate(start, end, run):
	case joiners&joinColon != 0 && s.markedClock(start, run):
	default:
		s.id(start, end)
		s.wordsOf(start, end, Derived)
	}
}

// measure reads a figure with letters after it: "2nd", "9pm", "30kg", "2-hour".
func (s *valueScan) measure(start, end int, run string, joiners int) bool {
	i := leadingFigure(run)
	number, err := parseFigure(run[:i])
	if i == 0 || err != nil {
		return false
	}
	tail := strings.ToLower(run[i:])
	lower := tail == run[i:]
	switch {
	case tail == "st" || tail == "nd" || tail == "rd" || tail == "th":
		s.number(start, end, number, Ordinal)
	case (tail == "am" || tail == "pm") && number <= 12:
		s.hour(start, start+i, number)
	case joiners&joinColon == 0 && len(tail) <= 3 && lower && !strings.ContainsAny(tail, "-_/@"):
		s.number(start, start+i, number, 0)
	case joiners == joinHyphen && tail[0] == '-' && len(tail) >= 4 && lower && !strings.ContainsAny(tail, "0123456789"):
		s.number(start, start+i, number, 0)
		s.wordsOf(start+i+1, end, 0)
	default:
		return false
	}
	return true
}

// leadingFigure is the length of the figure that a run begins with.
func leadingFigure(run string) int {
	i := 0
	for i < len(run) && (digits[run[i]] || run[i] == '.' || run[i] == ',') {
		i++
	}
	return i
}

// id adds an identifier, and what it is made of as derived values.
func (s *valueScan) id(start, end int) {
	h := uint64(14695981039346656037)
	for i := start; i < end; i++ {
		c := s.text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if letters[c] || digits[c] || c >= utf8.RuneSelf {
			h = (h ^ uint64(c)) * 1099511628211
		}
	}
	s.values = append(s.values, Value{Span: s.span(start, end), Kind: ID, Key: h ^ uint64(ID)<<60})
	for i := start; i < end; {
		k := i
		for k < end && digits[s.text[k]] {
			k++
		}
		if k-i >= 2 && k-i <= 15 {
			number, _ := parseFigure(s.text[i:k])
			s.values = append(s.values, Value{
				Span: s.span(i, k), Kind: Number, Number: number, Key: KeyOf(Number, number), Flags: Derived,
			})
		}
		i = max(k, i+1)
	}
}
