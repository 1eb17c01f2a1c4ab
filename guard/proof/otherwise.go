package proof

import (
	"math"
	"strings"

	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// otherwiseHeld reports whether calls may hold a value that is written or meant in
// another way: as the sum of several, in cents, with the month before the day, a month in
// short, or as a piece of a figure with the signs of another country (1.200,00).
func (k *knowledge) otherwiseHeld(text string, v *reading.Value, cited []*tooltrack.Record) bool {
	if v.Start() > 0 && strings.IndexByte(".,'", v.Source()[v.Start()-1]) >= 0 {
		return true
	}
	switch v.Kind {
	case reading.Number:
		return minor(v, k.inRecords) || k.sumOf(cited, v.Number) || k.inShort(text, v) || k.reckonedFew(text, v, cited)
	case reading.Date:
		return k.inRecords(turnedDate(v))
	case reading.Word:
		return v.Number > 0 && k.monthHeld(v, text, cited)
	}
	return false
}

// minor reports whether a sum of money is held in its smaller unit, as payment services
// give it: 15.00 as 1500.
func minor(v *reading.Value, held func(key uint64) bool) bool {
	return v.Has(reading.Money) && held(reading.KeyOf(reading.Number, math.Round(v.Number*100)))
}

// monthHeld reports whether a month is that of a date in the text, which is compared as a
// whole, or of calls that write it in short: "Nov".
func (k *knowledge) monthHeld(v *reading.Value, text string, cited []*tooltrack.Record) bool {
	for _, other := range k.valuesOf(text) {
		if other.Kind == reading.Date && int(other.Number)/100 == int(v.Number) {
			return true
		}
	}
	for _, record := range cited {
		for _, other := range k.values(textOf(record)) {
			if other.Kind == reading.Word && other.Number == v.Number {
				return true
			}
		}
	}
	return false
}

// turnedDate is the key of a date whose day and month are taken for each other, as they
// are on two sides of an ocean.
func turnedDate(v *reading.Value) uint64 {
	month, day := int(v.Number)/100, dayOf(v)
	if day > 12 {
		return v.Key
	}
	return reading.KeyOf(reading.Date, float64(100*day+month))
}
