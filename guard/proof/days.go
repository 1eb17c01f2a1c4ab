package proof

import (
	"math"
	"regexp"
	"slices"
	"time"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// Days and times follow from each other, too, and the clock says which day it is.

func appendClocks(clocks []float64, values []reading.Value) []float64 {
	for _, v := range values {
		if v.Kind == reading.Clock {
			clocks = append(clocks, v.Number)
		}
	}
	return clocks
}

func appendDates(dates []float64, values []reading.Value) []float64 {
	for _, v := range values {
		if v.Kind == reading.Date {
			dates = append(dates, v.Number)
		}
	}
	return dates
}

// today makes known which day and which year it is, and those beside it.
func (k *knowledge) today(now time.Time) {
	k.now = now
	if now.IsZero() {
		return
	}
	for _, days := range []int{0, 1, -1} {
		day := now.AddDate(0, 0, days)
		date := float64(100*int(day.Month()) + day.Day())
		k.said[reading.KeyOf(reading.Date, date)] = true
		k.said[reading.KeyOf(reading.Number, float64(now.Year()+days))] = true
		if days == 0 {
			k.dates = append(k.dates, date)
		}
	}
}

// spanOfTime is what stands after the number of a span of time.
var spanOfTime = regexp.MustCompile(`(?i)^[ \x{a0}-]?(?:m|min(?:ute)?s?|h|h(?:ou)?rs?|days?|nights?|weeks?)\b`)

// isSpan reports whether a number, with the word after it, is the time between two days or
// two times of the conversation: "in 12 days", "105 minutes".
func (k *knowledge) isSpan(after string, number float64) bool {
	if !spanOfTime.MatchString(after) || number != math.Trunc(number) {
		return false
	}
	for i, a := range k.clocks {
		for _, b := range k.clocks[i+1:] {
			if between := math.Abs(a - b); between == number || between == 60*number || math.Mod(between, 60) == number {
				return true
			}
		}
	}
	return slices.ContainsFunc(k.dates, func(from float64) bool {
		return slices.ContainsFunc(k.dates, func(to float64) bool {
			days := k.daysBetween(from, to)
			return days > 0 && (days == number || days == 7*number)
		})
	})
}

// daysBetween is how many days lie between two dates, which are told without their years:
// the second is the next one of its kind.
func (k *knowledge) daysBetween(from, to float64) float64 {
	year := 2001
	if !k.now.IsZero() {
		year = k.now.Year()
	}
	day := func(date float64, year int) time.Time {
		return time.Date(year, time.Month(int(date)/100), int(date)%100, 0, 0, 0, 0, time.UTC)
	}
	first, second := day(from, year), day(to, year)
	if second.Before(first) {
		second = day(to, year+1)
	}
	return second.Sub(first).Hours() / 24
}

// clockReckoned reports whether a time of day lies as many minutes or hours after one
// of the conversation as somebody gave.
func (k *knowledge) clockReckoned(minutes float64) bool {
	figures := k.figures()
	figures = figures[:min(len(figures), maxFigures)]
	return slices.ContainsFunc(k.clocks, func(start float64) bool {
		return slices.ContainsFunc(figures, func(n float64) bool { return reading.Ends(start, n, minutes) })
	})
}
