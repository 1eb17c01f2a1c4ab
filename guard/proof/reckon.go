package proof

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// maxFigures bounds what arithmetic is tried with, maxFollowed how many numbers of
// a text it is tried for, and maxBefore how many of earlier messages it is tried with:
// of many numbers any other follows somehow.
const (
	maxFigures  = 48
	maxFollowed = 256
	maxBefore   = 12
)

// figure is a number as it is written: how far it may be rounded, and whether it is a
// percentage.
type figure struct {
	number, slack float64
	percent       bool
}

// shortened is a number whose zeros are told by a letter or a word: 1.5k, $4.2M, 3 million.
var shortened = regexp.MustCompile(`(?i)^([0-9]+(?:[.,][0-9]+)?)(?:(k|m|mn|bn|b)|[ \x{a0}]?(thousand|million|billion))\b`)

// zeros are what shortened numbers are multiplied by, by the first letter.
var zeros = map[byte]float64{'k': 1e3, 't': 1e3, 'm': 1e6, 'b': 1e9}

// inFull is the number that is shortened at the beginning of a text.
func inFull(text string) (full figure, found bool) {
	parts := shortened.FindStringSubmatch(text)
	if parts == nil {
		return full, false
	}
	written := strings.Replace(parts[1], ",", ".", 1)
	number, err := strconv.ParseFloat(written, 64)
	scale := zeros[strings.ToLower(parts[2] + parts[3])[0]]
	_, decimals, _ := strings.Cut(written, ".")
	return figure{number * scale, 0.51 * scale * math.Pow(10, -float64(len(decimals))), false}, err == nil
}

// follows reports whether a number of a text follows from others: as it is written, or in
// full where it may be shortened ("90m" may be minutes). So does a span of time between two
// days or times of the conversation.
func (k *knowledge) follows(text string, v *reading.Value, figures []float64) bool {
	if v.End() > len(text) || v.Kind != reading.Number && v.Kind != reading.ID {
		return false
	}
	if full, found := inFull(v.Source()[v.Start():]); found && reckoned(full, figures) {
		return true
	}
	if v.Kind != reading.Number {
		return false
	}
	written := figure{v.Number, slackOf(v.String()), v.Has(reading.Percent)}
	return reckoned(written, figures) || k.isSpan(v.After(), v.Number)
}

// inShort reports whether a number of a text is one of the calls' that it shortens.
func (k *knowledge) inShort(text string, v *reading.Value) bool {
	full, found := inFull(v.Source()[v.Start():])
	return found && slices.ContainsFunc(k.recorded, full.near)
}

func (f figure) near(x float64) bool { return math.Abs(x-f.number) <= f.slack }

// follow adds the numbers of a text that follow from those of the conversation:
// the next ones may follow from them.
func (k *knowledge) follow(text string, values []reading.Value) {
	tried := 0
	for i := range values {
		v := &values[i]
		figure := v.Kind == reading.Number && !v.Has(reading.Derived|reading.Merged)
		if !figure || len(k.asked) >= maxFigures {
			continue
		}
		if tried++; tried > maxFollowed {
			return
		}
		if k.follows(text, v, k.figures()) {
			k.asked = append(k.asked, v.Number)
		}
	}
}

// sumsUp reports whether a number is the sum of the other numbers of its text, where the
// calls give all of them.
func (k *knowledge) sumsUp(text string, v *reading.Value) bool {
	sum, parts := 0.0, 0
	for _, part := range k.reader.Values(nil, text) {
		if part.Kind != reading.Number || part.Has(reading.Derived|reading.Merged|reading.Worded) ||
			part.Start() == v.Start() {
			continue
		}
		if !k.shown[part.Key] && !k.shown[reading.KeyOf(reading.Number, -part.Number)] {
			return false
		}
		sum, parts = sum+part.Number, parts+1
	}
	return parts > 1 && math.Abs(sum-v.Number) <= slackOf(v.String())
}

// reckonedFew reports whether a number is the sum or the difference of two figures of the
// user and some calls, which are few enough that not any number is, or the sum of the other
// numbers of its text.
func (k *knowledge) reckonedFew(text string, v *reading.Value, calls []*tooltrack.Record) bool {
	if k.sumsUp(text, v) {
		return true
	}
	f := figure{v.Number, slackOf(v.String()), false}
	figures := slices.Clone(k.asked)
	for _, record := range calls {
		data := textOf(record)
		figures = appendFigures(figures, data, k.values(data))
	}
	if len(figures) > fewFigures {
		return false
	}
	for i, a := range figures {
		for _, b := range figures[:i] {
			if a != b && (f.near(a+b) || f.near(math.Abs(a-b))) {
				return true
			}
		}
	}
	return false
}

// hours are two hours of a day with a dash between them, as calls give opening times.
var hours = regexp.MustCompile(`(?:^|[\s"])([0-9]{1,2})[-–]([0-9]{1,2})(?:$|[\s",])`)

// ofRange reports whether a time is the full hour at which a range in a call begins or ends.
func (k *knowledge) ofRange(v *reading.Value) bool {
	if v.Kind != reading.Clock || math.Mod(v.Number, 60) != 0 {
		return false
	}
	hour := strconv.Itoa(int(v.Number) / 60)
	return slices.ContainsFunc(hours.FindAllStringSubmatch(k.text, -1), func(found []string) bool {
		return strings.TrimPrefix(found[1], "0") == hour || strings.TrimPrefix(found[2], "0") == hour
	})
}

// ofDate reports whether a number is the year of a date in a call.
func (k *knowledge) ofDate(v *reading.Value, written string) bool {
	year := v.Kind == reading.Number && len(written) == 4 && v.Number > 1900 && v.Number < 2200
	at := strings.Index(k.text, written+"-")
	return year && at >= 0 && at+5 < len(k.text) && isDigit(k.text[at+5]) && (at == 0 || !isDigit(k.text[at-1]))
}

// decimal is a number with a comma before its decimals, as most of Europe writes it.
var decimal = regexp.MustCompile(`[0-9]+,[0-9]{1,2}\b`)

// ofDecimal reports whether a number is a piece of one that is written with a comma, and
// that somebody gives or that follows from what they give.
func (k *knowledge) ofDecimal(text string, v *reading.Value, figures []float64) bool {
	if v.Kind != reading.Number || strings.IndexByte(text, ',') < 0 {
		return false
	}
	for _, at := range decimal.FindAllStringIndex(text, -1) {
		if v.Start() < at[0] || v.End() > at[1] {
			continue
		}
		written := strings.Replace(text[at[0]:at[1]], ",", ".", 1)
		number, err := strconv.ParseFloat(written, 64)
		whole := figure{number, slackOf(written), v.Has(reading.Percent)}
		return err == nil && (k.heard(reading.KeyOf(reading.Number, number)) || reckoned(whole, figures))
	}
	return false
}

// figures are all numbers that another one may be reckoned from, those first that
// arithmetic is tried with.
func (k *knowledge) figures() []float64 {
	for _, data := range k.results {
		k.derived = appendStatistics(k.derived, data, 0)
	}
	k.results = nil
	first := min(len(k.recorded), maxFigures*2/3)
	return slices.Concat(k.recorded[:first], k.asked, k.recorded[first:], k.derived)
}

// appendFigures adds the numbers of a text, and in full those that are shortened.
func appendFigures(figures []float64, text string, values []reading.Value) []float64 {
	for i := range values {
		v := &values[i]
		if v.Kind == reading.Number && !v.Has(reading.Merged) {
			figures = append(figures, v.Number)
		}
		if v.Kind != reading.Number && v.Kind != reading.ID || v.Has(reading.Derived|reading.Merged) {
			continue
		}
		if full, found := inFull(v.Source()[v.Start():]); found {
			figures = append(figures, full.number)
		}
	}
	return figures
}

// appendTotals adds how many elements the lists of a JSON text have, and what the
// figures of one name come to in them.
func appendTotals(figures []float64, data []byte, depth int) []float64 {
	switch kind := jsonspan.KindOf(data); {
	case depth > 16:
	case kind == jsonspan.Object:
		for _, member := range jsonspan.Members(data) {
			figures = appendTotals(figures, member, depth+1)
		}
	case kind == jsonspan.Array:
		length := 0
		columns := map[string]float64{}
		for element := range jsonspan.Elements(data) {
			figures = appendTotals(figures, element, depth+1)
			length++
			for name, member := range jsonspan.Members(element) {
				if n, err := strconv.ParseFloat(string(member), 64); err == nil {
					columns[string(name)] += n
				}
			}
			place := 0
			for cell := range jsonspan.Elements(element) { // of a row of a table
				if n, err := strconv.ParseFloat(string(cell), 64); err == nil {
					columns[strconv.Itoa(place)] += n
				}
				place++
			}
		}
		figures = append(figures, float64(length))
		for _, name := range slices.Sorted(maps.Keys(columns)) {
			figures = append(figures, math.Abs(columns[name])) // what went out is told without its sign
		}
	}
	return figures
}

// maxStatistics bounds what is reckoned from lists.
const maxStatistics = 256

// appendStatistics adds the means and medians of the figures of one name in the lists of a
// JSON text, and, of the entries that have a word in common ("open"), how many there are
// and what their figures come to.
func appendStatistics(figures []float64, data []byte, depth int) []float64 {
	switch kind := jsonspan.KindOf(data); {
	case depth > 16 || len(figures) >= maxStatistics:
	case kind == jsonspan.Object:
		for _, member := range jsonspan.Members(data) {
			figures = appendStatistics(figures, member, depth+1)
		}
	case kind == jsonspan.Array:
		columns := map[string][]float64{}
		for element := range jsonspan.Elements(data) {
			figures = appendStatistics(figures, element, depth+1)
			addColumns(columns, element)
		}
		for _, name := range slices.Sorted(maps.Keys(columns)) {
			figures = appendMeans(figures, columns[name])
		}
	}
	return figures
}

// addColumns adds the figures of an entry of a list by their names, and once more by each
// word of the entry with the name.
func addColumns(columns map[string][]float64, entry []byte) {
	numbers, words := map[string]float64{}, []string{""}
	for name, member := range jsonspan.Members(entry) {
		if n, err := strconv.ParseFloat(string(member), 64); err == nil {
			numbers[string(name)] = n
		} else if word, isText := jsonspan.Text(member); isText && len(word) <= 32 {
			words = append(words, string(name)+"\x00"+word+"\x00")
		}
	}
	if n, err := strconv.ParseFloat(string(entry), 64); err == nil {
		numbers[""] = n
	}
	for _, word := range words {
		if len(columns) >= maxStatistics {
			return
		}
		if word != "" {
			columns[word] = append(columns[word], 1)
		}
		for name, n := range numbers {
			columns[word+name] = append(columns[word+name], n)
		}
	}
}

// appendMeans adds the sum, the mean and the median of some numbers.
func appendMeans(figures, column []float64) []float64 {
	if len(column) < 2 {
		return figures
	}
	sum, middle := 0.0, len(column)/2
	for _, n := range column {
		sum += n
	}
	slices.Sort(column)
	median := column[middle]
	if len(column)%2 == 0 {
		median = (column[middle-1] + column[middle]) / 2
	}
	return append(figures, math.Abs(sum), sum/float64(len(column)), median)
}

// reckoned reports whether a number follows from others by one step of arithmetic
// or in another unit.
func reckoned(f figure, figures []float64) bool {
	for _, a := range figures {
		if math.Abs(a) > 10 && math.Round(a) == f.number || reading.InAnotherUnit(a, f.near) { // rounded, or the same
			return true
		}
	}
	figures = figures[:min(len(figures), maxFigures)]
	sum := 0.0
	for i, a := range figures {
		for _, b := range figures[i+1:] {
			if fromTwo(a, b, f.near) || fromTwo(b, a, f.near) {
				return true
			}
		}
		sum += a
	}
	return f.near(sum) || f.percent && f.comparison(figures)
}

// fewFigures is of how many numbers a whole percentage may be rounded: of more, any other
// follows.
const fewFigures = 16

// comparison reports whether a percentage is by how much two numbers differ, or the share
// of one in the other, rounded as percentages mostly are.
func (f figure) comparison(figures []float64) bool {
	figures = slices.Compact(slices.Sorted(slices.Values(figures)))
	if whole := f.number == math.Trunc(f.number); whole && len(figures) <= fewFigures {
		f.slack = max(f.slack, 0.51)
	}
	for _, a := range figures {
		for _, b := range figures {
			if b != 0 && a != b && (f.near(100*a/b) || f.near(100*math.Abs(a-b)/math.Abs(b))) {
				return true
			}
		}
	}
	return false
}

// fromTwo reports whether a number follows from two others in this order, or as a price
// for a thousand.
func fromTwo(a, b float64, near func(float64) bool) bool {
	return reading.FromTwo(a, b, near) || b != 0 && near(1000*a/b)
}

// slackOf is how far a figure may be rounded, by how it is written.
func slackOf(written string) float64 {
	_, decimals, found := strings.Cut(written, ".")
	if !found {
		return 0.001
	}
	return 0.51 * math.Pow(10, -float64(len(decimals)))
}
