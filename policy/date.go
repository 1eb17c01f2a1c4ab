package policy

import (
	"fmt"
	"regexp"
	"strings"
	"time"
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
func span(first, last int) string {
	return fmt.Sprintf("%04d-01-01 to %04d-12-31", first, last)
}

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
var dateForm = regexp.MustCompile(`^\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$`)

// parseDate reads YYYY-MM-DD or RFC 3339.
func parseDate(text []byte) (time.Time, bool) {
	if !dateForm.Match(text) {
		return time.Time{}, false
	}
	date, err := time.Parse(time.DateOnly, string(text[:10]))
	if err == nil && len(text) > 10 {
		_, err = time.Parse(time.RFC3339, strings.ToUpper(string(text)))
	}
	return date, err == nil
}
