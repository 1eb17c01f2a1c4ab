package policy

import (
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/internal/lexicon/wordlist"
)

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
