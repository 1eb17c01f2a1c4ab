package main

import (
	"fmt"
	"time"
)

// clockAt returns a clock whose date stands still; the time of day goes on. An
// empty date is the real clock.
func clockAt(date string) (func() time.Time, error) {
	if date == "" {
		return time.Now, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, date, time.Local)
	if err != nil {
		return nil, fmt.Errorf("-now %q is no date; write it as 2026-02-08", date)
	}
	return func() time.Time {
		now := time.Now()
		return time.Date(day.Year(), day.Month(), day.Day(), now.Hour(), now.Minute(), now.Second(), now.Nanosecond(),
			time.Local)
	}, nil
}
