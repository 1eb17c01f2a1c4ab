package reading

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// calendarWord is a month (1 to 12), a weekday (101 to 107, from Monday), or a
// named time in minutes (1000 and more).
type calendarWord int16

const weekdays, namedTimes = 100, 1000

func (s *valueScan) calendar(v Value, known calendarWord) {
	switch {
	case known > namedTimes:
		v.Kind, v.Number = Clock, float64(known-namedTimes)
	case known > weekdays:
		v.Kind, v.Number = Weekday, float64(known-weekdays-1)
	default:
		s.month(v, int(known))
		return
	}
	v.Key = KeyOf(v.Kind, v.Number)
	s.values = append(s.values, v)
}

// month looks for the day beside a month: "12 June", "12–15 June"; the day after it is found when it is read.
func (s *valueScan) month(v Value, month int) {
	months := v
	months.Number = float64(month)
	months.Flags |= Merged
	for k := len(s.values) - 1; k >= s.from && k >= len(s.values)-3; k-- {
		day := &s.values[k]
		if day.Kind == Word && day.Entry != nil && day.end-day.start <= 3 { // "the 3rd of June", "12 and 15 June"
			continue
		}
		if day.Kind != Number || !isDay(day.Number) || day.Has(Money|Percent|Worded) || int(v.start-day.end) > 16 {
			break
		}
		*day = s.date(*day, month, int(day.Number))
	}
	s.values = append(s.values, months)
}

func (s *valueScan) date(v Value, month, day int) Value {
	v.Kind, v.Number = Date, float64(month*100+day)
	v.Key = KeyOf(Date, v.Number)
	return v
}

// besideDay reports whether a small letter may begin a month: "12 march", "dec 3".
func (s *valueScan) besideDay(word string, end int, known *wordFacts) bool {
	if known.calendar > weekdays || known.roles&RoleModal != 0 {
		return false
	}
	if last := len(s.values) - 1; last >= s.from && s.values[last].Kind == Number && isDay(s.values[last].Number) {
		return end-len(word)-int(s.values[last].end) <= 1
	}
	return end+1 < len(s.text) && s.text[end] == ' ' && digits[s.text[end+1]]
}

func isDay(number float64) bool { return number >= 1 && number <= 31 }

// afterMonth makes a date of a number that follows a month ("June 12") or the
// beginning of a range ("June 12–15"), and marks the year after a date.
func (s *valueScan) afterMonth(v Value, before *Value, flags Flags) Value {
	gap := int(v.start - before.end)
	month := before.isMonth()
	if flags&^Ordinal == 0 && isDay(v.Number) && v.Number == math.Trunc(v.Number) {
		between := s.text[before.end:v.start]
		switch {
		case month && gap <= 3 && strings.Trim(between, " ,.\u00a0") == "" && !s.hasDay(before):
			v = s.date(v, int(before.Number), int(v.Number))
		case before.Kind == Date && gap <= 4 && s.isRange(int(before.end), int(v.start)):
			v = s.date(v, int(before.Number)/100, int(v.Number))
		}
	}
	if v.Number >= 1900 && v.Number <= 2100 && (before.Kind == Date || month) && gap <= 2 {
		v.Flags |= Merged // "June 12, 2026"
	}
	return v
}

// isMonth reports whether a value is the name of a month, without a day.
func (v *Value) isMonth() bool { return v.Kind == Word && v.Number > 0 }

// hasDay reports whether the last value, a month, has its day before it: in "11 Feb, 3
// March" the 3 is none of February.
func (s *valueScan) hasDay(month *Value) bool {
	day := len(s.values) - 2
	return day >= s.from && s.values[day].Kind == Date && month.start-s.values[day].end <= 16
}

// isRange reports whether only a dash stands between two places.
func (s *valueScan) isRange(from, to int) bool {
	between := strings.TrimSpace(s.text[from:to])
	return between == "-" || between == "–" || between == "—"
}

// clock adds a time of day; "am" and "pm" may follow it.
func (s *valueScan) clock(start, end, hour, minute int) {
	if hour > 24 || minute > 59 {
		return
	}
	rest := s.text[end:min(len(s.text), end+6)]
	rest = strings.ToLower(strings.TrimLeft(rest, spaces))
	switch {
	case (strings.HasPrefix(rest, "pm") || strings.HasPrefix(rest, "p.m")) && hour < 12:
		hour += 12
	case (strings.HasPrefix(rest, "am") || strings.HasPrefix(rest, "a.m")) && hour == 12:
		hour = 0
	}
	s.clockAt(start, end, hour*60+minute)
}

// isHalfDay reports whether "am" or "pm" comes next, and not "amount".
func isHalfDay(rest string) bool {
	if rest != "" && (rest[0] == ' ' || rest[0] >= utf8.RuneSelf) {
		rest = strings.TrimLeft(rest, spaces)
	}
	if rest == "" || strings.IndexByte("aApP", rest[0]) < 0 {
		return false
	}
	rest = strings.ToLower(rest)
	return !strings.HasPrefix(rest, "amo") && (strings.HasPrefix(rest[1:], "m") || strings.HasPrefix(rest[1:], ".m"))
}

// hour adds the time of "9 pm" or "9.30 pm".
func (s *valueScan) hour(start, end int, number float64) {
	hour, minutes := math.Modf(number)
	s.clock(start, end, int(hour), int(math.Round(minutes*100)))
}

// markedClock reads "9:30pm"; "T18:00" and the like are not worth a value.
func (s *valueScan) markedClock(start int, run string) bool {
	if lower := strings.ToLower(run); leadingFigure(run) == 0 && strings.TrimRight(lower, "apm.") != lower {
		return true
	}
	colon, hour, minute := clockIn(run)
	if colon < 0 {
		return false
	}
	s.clock(start, start+colon+3, hour, minute)
	return true
}

// clockIn finds the hour and the minute that a run begins with, and the colon between
// them, which is negative if there are none.
func clockIn(run string) (colon, hour, minute int) {
	before, after, _ := strings.Cut(run, ":")
	if len(after) < 2 {
		return -1, 0, 0
	}
	hour, errH := strconv.Atoi(before)
	minute, errM := strconv.Atoi(after[:2])
	if errH != nil || errM != nil {
		return -1, 0, 0
	}
	return len(before), hour, minute
}

func (s *valueScan) clockAt(start, end, minutes int) {
	number := float64(minutes % 1440)
	s.values = append(s.values, Value{
		Span: s.span(start, end), Kind: Clock, Number: number, Key: KeyOf(Clock, number),
	})
}

// clocks reads one or more times: "18:00-20:00".
func (s *valueScan) clocks(start, end int) {
	for i := start; i < end; {
		k := i
		for k < end && s.text[k] != '-' && s.text[k] != '/' {
			k++
		}
		if colon, hour, minute := clockIn(s.text[i:k]); colon >= 0 {
			s.clock(i, k, hour, minute)
		}
		i = k + 1
	}
}

// isoDate reads 2026-06-12, with its weekday, and with or without a time after it.
func (s *valueScan) isoDate(start, end int, run string) bool {
	const long = len(time.DateOnly)
	if len(run) < long || run[4] != '-' || run[7] != '-' {
		return false
	}
	day, err := time.Parse(time.DateOnly, run[:long])
	if err != nil {
		return false
	}
	date := s.date(Value{Span: s.span(start, start+long)}, int(day.Month()), day.Day())
	s.values = append(s.values, date)
	if day.Year() > 1900 {
		number := float64((day.Weekday() + 6) % 7) // from Monday
		s.values = append(s.values, Value{
			Span: date.Span, Kind: Weekday, Number: number, Key: KeyOf(Weekday, number), Flags: Derived,
		})
	}
	if len(run) > long+5 && run[long]|0x20 == 't' {
		s.clocks(start+long+1, start+long+6)
	} else if end > start+long {
		s.values[len(s.values)-1].Flags |= Derived
	}
	return true
}

// slashDate reads 6/12, 12.06.2026 and the like, either way round.
func (s *valueScan) slashDate(start, end int, run string) bool {
	parts := strings.FieldsFunc(run, func(r rune) bool { return r == '/' || r == '.' })
	if len(parts) < 2 || len(parts) > 3 || len(parts[0]) > 2 || len(parts[1]) > 2 {
		return false
	}
	a, errA := strconv.Atoi(parts[0])
	b, errB := strconv.Atoi(parts[1])
	if errA != nil || errB != nil || a < 1 || b < 1 || a > 31 || b > 31 || a > 12 && b > 12 {
		return false
	}
	first := len(s.values)
	if a <= 12 {
		s.values = append(s.values, s.date(Value{Span: s.span(start, end)}, a, b))
	}
	if b <= 12 && a != b {
		s.values = append(s.values, s.date(Value{Span: s.span(start, end)}, b, a))
	}
	if len(s.values)-first == 2 { // either reading will do
		s.values[first+1].Flags |= Derived
	}
	return true
}
