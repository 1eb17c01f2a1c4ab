package policy

import "time"

// clockAt is noon of a day.
func clockAt(day string) time.Time {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return date.Add(12 * time.Hour)
}
