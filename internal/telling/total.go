package telling

import (
	"math"
	"slices"
	"strconv"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Totals reports whether a number is the sum of one argument over the successful calls of
// a tool, of which there must be several: two refunds of 54.50 and 31 are 85.50 together.
func Totals(records []*tooltrack.Record, tool string, number float64) bool {
	const most = 64 // of more calls nobody tells the total in passing
	counts := func(r *tooltrack.Record) bool { return r != nil && r.Tool == tool && r.Succeeded() }
	first := slices.IndexFunc(records, counts)
	if len(records) > most || first < 0 || !slices.ContainsFunc(records[first+1:], counts) {
		return false
	}
	sums := map[string]float64{}
	for _, record := range records[first:] {
		if !counts(record) {
			continue
		}
		for key, value := range jsonspan.Members(record.Args) {
			if figure, err := strconv.ParseFloat(string(value), 64); err == nil {
				sums[string(jsonspan.Key(key))] += figure
			}
		}
	}
	for _, sum := range sums {
		if math.Abs(sum-number) < 0.005 {
			return true
		}
	}
	return false
}
