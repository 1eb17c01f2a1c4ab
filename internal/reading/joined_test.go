package reading_test

import (
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/reading"
)

func TestNumbersInGroups(t *testing.T) {
	for _, c := range []struct {
		text, at, data string
		holds          bool
	}{
		{"texted (555) 010-1234 now", "555", `{"to":"5550101234"}`, true},
		{"texted (555) 010-1234 now", "010-1234", `{"to":"5550101234"}`, true},
		{"to +44 7700 900123", "7700", `{"to":"+447700900123"}`, true},
		{"to 07700 900123.", "900123", `{"sms":{"to":"+447700900123"}}`, true},
		{"to 555 010 1234", "010", `{"to":["+15550101234"]}`, true},
		{"TIN 771-204-55", "771-204-55", `{"tin":"77120455"}`, true},
		{"paid 1 250 €", "250", `{"amount":1250}`, true},
		{"paid €1.250,00", "1.250,00", `{"amount":1250}`, true},
		{"to +353 (0)86 555 0101.", "555", `{"to":"+353865550101"}`, true},
		{"the number ending in 0101", "0101", `{"to":"+353865550101"}`, true},
		{"the number ending in 0110", "0110", `{"to":"+353865550101"}`, false},
		{"raised to £2.4k.", "2.4", `{"amount":2400}`, true},
		{"raised to 2.5k", "2.5", `{"amount":2400}`, false},
		{"took 5 min", "5", `{"amount":5000000}`, false},
		{"to (555) 010-1235", "010-1235", `{"to":"5550101234"}`, false},
		{"paid 1 260 €", "260", `{"amount":1250}`, false},
		{"paid 1250", "1250", `{"amount":1250}`, false}, // told as it is, which others compare
		{"order 7 and 8", "8", `{"order":78}`, false},
	} {
		start := strings.Index(c.text, c.at)
		at := reading.Value{Span: reading.SpanOf(c.text, start, start+len(c.at))}
		if got := reading.HoldsJoined([]byte(c.data), &at); got != c.holds {
			t.Errorf("%q at %q in %s: %t", c.text, c.at, c.data, got)
		}
	}
}

func TestFiguresThatFollowFromTwo(t *testing.T) {
	for _, c := range []struct {
		figure  float64
		from    []float64
		follows bool
	}{
		{68, []float64{408, 340}, true}, {20, []float64{408, 340}, true}, {42, []float64{238, 280, 15}, true},
		{220, []float64{2420, 10}, true}, {255, []float64{3, 85}, true}, {33.33, []float64{100, 3}, true},
		{15, []float64{280, 238}, true}, {1010, []float64{1000, 1}, true},
		{9, []float64{5, 3}, false}, {552, []float64{551, 2}, false}, {7, nil, false}, {7, []float64{7, 0}, false},
	} {
		if got := reading.Follows(c.figure, c.from); got != c.follows {
			t.Errorf("%v from %v: %t", c.figure, c.from, got)
		}
	}
}
