package policy

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bonafide-go/bonafide/internal/lexicon/wordlist"
)

// DateWindow says which years a date argument may lie in, relative to the
// clock, so that no rule needs an update on New Year's Day. The zero value is
// the current year alone.
type DateWindow struct {
	// YearsBack and YearsAhead extend the window around the current year.
	YearsBack, YearsAhead int
}

// years is the window at a moment.
func (w DateWindow) years(now time.Time) (first, last int) {
	return now.Year() - w.YearsBack, now.Year() + w.YearsAhead
}

// Validate reports a window that makes no sense.
func (w DateWindow) Validate() error {
	if w.YearsBack < 0 || w.YearsAhead < 0 || w.YearsBack > 1000 || w.YearsAhead > 1000 {
		return fmt.Errorf("date window of %d years back and %d ahead; both must lie between 0 and 1000", w.YearsBack,
			w.YearsAhead)
	}
	return nil
}

// Date asks for a real calendar date within the window: "2026-03-15", or RFC 3339 such as
// "2026-03-15T10:00:00Z". Relative words ("tomorrow", "next Monday", "in two weeks") are
// rewritten to the date they mean on the day of the request, in its time zone.
func Date(window DateWindow) Check {
	text := " in the current year"
	if window != (DateWindow{}) {
		text = fmt.Sprintf(", from %s back to %s ahead", plural(window.YearsBack, "year", "years"),
			plural(window.YearsAhead, "year", "years"))
	}
	return ofText("date", "a date as YYYY-MM-DD"+text, window.Validate(), func(s *subject, v Value) {
		date, ok := parseDate(v.body)
		now := s.now()
		if !ok {
			if date, ok = relativeDate(string(v.body), now); ok {
				s.replace([]byte(date.Format(`"2006-01-02"`)),
					s.arg+" was "+s.shown(v)+" and means "+date.Format("Monday, 2006-01-02"))
			}
		}
		first, last := window.years(now)
		switch {
		case !ok:
			s.fault("%s is %s, which is no calendar date; send YYYY-MM-DD (today is %s)", s.arg, s.shown(v),
				now.Format("2006-01-02"))
		case date.Year() < first || date.Year() > last:
			s.fault("%s is %s, in the year %d; allowed are %s", s.arg, s.shown(v), date.Year(), span(first, last))
		}
	})
}

// span is the range of a window as people write it.
func span(first, last int) string { return fmt.Sprintf("%04d-01-01 to %04d-12-31", first, last) }

// DateContext is the text that tells a model the date, and the years that the
// rule would refuse. The date stands in it twice: once as a fact, and once in
// the rules. Now must be in the user's time zone.
func (w DateWindow) DateContext(now time.Time) string {
	first, last := w.years(now)
	// The two years before are those that a model with old training data would pick.
	return fmt.Sprintf("TODAY IS %s.\n\nDATE RULES:\n- Count every date from today, %s; tomorrow is %s.\n"+
		"- Write dates as YYYY-MM-DD. Allowed: %s.\n"+
		"- FORBIDDEN years: %d, %d and any year before, and any year after %d.\n",
		strings.ToUpper(now.Format("Monday, January 2, 2006")), now.Format("Monday, 2006-01-02"),
		now.AddDate(0, 0, 1).Format("Monday, 2006-01-02"), span(first, last), first-1, first-2, last)
}

// dateForm is stricter than time.Parse, which takes one-digit hours and commas.
var dateForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$`)
})

// parseDate reads YYYY-MM-DD or RFC 3339.
func parseDate(text []byte) (date time.Time, ok bool) {
	if !dateForm().Match(text) {
		return date, false
	}
	date, err := time.Parse(time.DateOnly, string(text[:10]))
	if err == nil && len(text) > 10 {
		_, err = time.Parse(time.RFC3339, strings.ToUpper(string(text)))
	}
	return date, err == nil
}

// relativeDate reads the words that people use for days near by. The meaning of each is
// fixed, because a date that is guessed is worse than one asked for again: "next Monday" is
// the first Monday after today, "next week" is seven days on. Today's own name means today
// with "this", and the day a week from now with "next". Words with several meanings ("next
// weekend", "end of month", today's own name alone) are not read.
func relativeDate(text string, now time.Time) (date time.Time, known bool) {
	if len(text) > 40 {
		return date, false
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	words := strings.Fields(strings.ToLower(strings.TrimRight(strings.TrimSpace(text), ".!")))
	if len(words) > 1 && words[0] == "on" {
		words = words[1:]
	}
	n := len(words)
	if n == 0 {
		return date, false
	}
	if days, near := nearDays[strings.Join(words, " ")]; near {
		return today.AddDate(0, 0, days), true
	}
	ahead, isWeekday := daysUntil(words[n-1], today)
	switch before := strings.Join(words[:n-1], " "); {
	case isWeekday && before == "":
		return today.AddDate(0, 0, ahead), ahead > 0
	case isWeekday && before == "this":
		return today.AddDate(0, 0, ahead), true
	case isWeekday && before == "next":
		return today.AddDate(0, 0, (ahead+6)%7+1), true
	case n == 2 && words[0] == "next":
		return later(today, "a", words[1])
	case n == 3 && words[0] == "in":
		return later(today, words[1], words[2])
	case n == 4 && words[2] == "from" && (words[3] == "now" || words[3] == "today"):
		return later(today, words[0], words[1])
	}
	return date, false
}

var nearDays = map[string]int{
	"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "day after tomorrow": 2, "the day after tomorrow": 2,
}

// daysUntil reads a weekday's English name in lower case, or its first three letters.
func daysUntil(word string, today time.Time) (days int, known bool) {
	for days := range 7 {
		name := strings.ToLower(today.AddDate(0, 0, days).Weekday().String())
		if word == name || word == name[:3] {
			return days, true
		}
	}
	return 0, false
}

// later reads a number of units: "two weeks", "a month".
func later(today time.Time, count, unit string) (date time.Time, known bool) {
	n := 1
	if count != "a" && count != "an" {
		if n = wordlist.Cardinal(count); n < 0 {
			var err error
			if n, err = strconv.Atoi(count); err != nil || n < 0 || n > 1000 {
				return date, false
			}
		}
	}
	switch strings.TrimSuffix(unit, "s") {
	case "day":
		return today.AddDate(0, 0, n), true
	case "week":
		return today.AddDate(0, 0, 7*n), true
	case "month":
		return addMonths(today, n), true
	case "year":
		return addMonths(today, 12*n), true
	}
	return date, false
}

// addMonths stays in the month it arrives at: a month after 31 January is the
// last day of February, not the second of March.
func addMonths(day time.Time, n int) time.Time {
	first := time.Date(day.Year(), day.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(day.Day(), last)-1)
}
