package policy

import (
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/internal/lexicon/wordlist"
)

// relativeDate reads the words that people use for days near by. The meaning of
// each is fixed, because a date that is guessed is worse than one asked for
// again: "next Monday" is the first Monday after today, "next week" is seven
// days on. Words with several meanings ("next weekend", "end of month") are
// left to the caller.
func relativeDate(text string, now time.Time) (time.Time, bool) {
	if len(text) > 40 {
		return time.Time{}, false
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	words := strings.Fields(strings.ToLower(strings.TrimRight(strings.TrimSpace(text), ".!")))
	if len(words) > 1 && words[0] == "on" {
		words = words[1:]
	}
	if days, near := nearDays[strings.Join(words, " ")]; near {
		return today.AddDate(0, 0, days), true
	}
	if date, ok := weekdayDate(words, today); ok {
		return date, true
	}
	return distantDate(words, today)
}

var nearDays = map[string]int{
	"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "day after tomorrow": 2, "the day after tomorrow": 2,
}

// weekday reads a weekday's English name in lower case, or its first three
// letters.
func weekday(word string) (time.Weekday, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if name := strings.ToLower(day.String()); word == name || word == name[:3] {
			return day, true
		}
	}
	return 0, false
}

// weekdayDate reads "Monday", "this Monday" and "next Monday". Today's own name
// means today with "this", and the day a week from now with "next"; alone it
// could be either, and is not read.
func weekdayDate(words []string, today time.Time) (time.Time, bool) {
	if len(words) == 0 || len(words) > 2 {
		return time.Time{}, false
	}
	day, found := weekday(words[len(words)-1])
	if !found {
		return time.Time{}, false
	}
	ahead := (int(day) - int(today.Weekday()) + 7) % 7
	switch {
	case len(words) == 1:
		return today.AddDate(0, 0, ahead), ahead > 0
	case words[0] == "this":
		return today.AddDate(0, 0, ahead), true
	case words[0] == "next":
		if ahead == 0 {
			ahead = 7
		}
		return today.AddDate(0, 0, ahead), true
	}
	return time.Time{}, false
}

// distantDate reads "next week", "in two weeks", "3 days from now" and their
// like.
func distantDate(words []string, today time.Time) (time.Time, bool) {
	switch {
	case len(words) == 2 && words[0] == "next":
		return later(today, 1, words[1])
	case len(words) == 3 && words[0] == "in":
		return laterBy(today, words[1], words[2])
	case len(words) == 4 && words[2] == "from" && (words[3] == "now" || words[3] == "today"):
		return laterBy(today, words[0], words[1])
	}
	return time.Time{}, false
}

func laterBy(today time.Time, count, unit string) (time.Time, bool) {
	if count == "a" || count == "an" {
		return later(today, 1, unit)
	}
	n := wordlist.Cardinal(count)
	if n < 0 {
		var err error
		if n, err = strconv.Atoi(count); err != nil || n < 0 || n > 1000 {
			return time.Time{}, false
		}
	}
	return later(today, n, unit)
}

func later(today time.Time, n int, unit string) (time.Time, bool) {
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
	return time.Time{}, false
}

// addMonths stays in the month it arrives at: a month after 31 January is the
// last day of February, not the second of March.
func addMonths(day time.Time, n int) time.Time {
	first := time.Date(day.Year(), day.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(day.Day(), last)-1)
}
