package proof

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
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

// follow adds the numbers of a text that follow from those of the conversation:
// the next ones may follow from them.
func (k *knowledge) follow(text string, values []reading.Value) {
	tried := 0
	for _, v := range values {
		figure := v.Kind == reading.Number && !v.Has(reading.Derived|reading.Merged) && int(v.End) <= len(text)
		if !figure || len(k.asked) >= maxFigures {
			continue
		}
		if tried++; tried > maxFollowed {
			return
		}
		if reckoned(v.Number, slackOf(text[v.Start:v.End]), k.figures()) {
			k.asked = append(k.asked, v.Number)
		}
	}
}

// figures are all numbers that another one may be reckoned from.
func (k *knowledge) figures() []float64 { return append(slices.Clip(k.recorded), k.asked...) }

func appendFigures(figures []float64, values []reading.Value) []float64 {
	for _, v := range values {
		if v.Kind == reading.Number && !v.Has(reading.Merged) {
			figures = append(figures, v.Number)
		}
	}
	return figures
}

func appendClocks(clocks []float64, values []reading.Value) []float64 {
	for _, v := range values {
		if v.Kind == reading.Clock {
			clocks = append(clocks, v.Number)
		}
	}
	return clocks
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
		}
		figures = append(figures, float64(length))
		for _, name := range slices.Sorted(maps.Keys(columns)) {
			figures = append(figures, math.Abs(columns[name])) // what went out is told without its sign
		}
	}
	return figures
}

// units are how many of a smaller unit one larger one has: minutes, hours,
// days, weeks, months, dozens, cents, thousands.
var units = [...]float64{1, 7, 12, 24, 60, 100, 1000, 1440, 3600, 86400}

// reckoned reports whether a number follows from others by one step of arithmetic
// or in another unit.
func reckoned(n, slack float64, figures []float64) bool {
	near := func(x float64) bool { return math.Abs(x-n) <= slack }
	figures = figures[:min(len(figures), maxFigures)]
	sum := 0.0
	for i, a := range figures {
		if math.Abs(a) > 10 && math.Round(a) == n || inAnotherUnit(a, near) { // rounded, or the same
			return true
		}
		for _, b := range figures[i+1:] {
			if fromTwo(a, b, near) || fromTwo(b, a, near) {
				return true
			}
		}
		sum += a
	}
	return near(sum)
}

// inAnotherUnit reports whether a number is another one in a larger or a smaller
// unit.
func inAnotherUnit(a float64, near func(float64) bool) bool {
	return slices.ContainsFunc(units[:], func(unit float64) bool { return near(a*unit) || near(a/unit) })
}

// fromTwo reports whether a number follows from two others in this order: as their
// sum, difference or product, as one with or without a percentage of the other, or
// as a share, a percentage, a price for a thousand.
func fromTwo(a, b float64, near func(float64) bool) bool {
	if near(a+b) || near(a-b) || near(a*b) || near(a*b/100) || near(a*(1+b/100)) || near(a*(1-b/100)) {
		return true
	}
	return b != 0 && (near(a/b) || near(100*a/b) || near(1000*a/b))
}

// slackOf is how far a figure may be rounded, by how it is written.
func slackOf(written string) float64 {
	_, decimals, found := strings.Cut(written, ".")
	if !found {
		return 0.001
	}
	return 0.51 * math.Pow(10, -float64(len(decimals)))
}

// unshown is a value of a claim that nothing shows, and why it does not; empty
// if there is none. What the user said may be repeated: that a call which takes
// ids does not say it again contradicts nothing.
func (k *knowledge) unshown(claim string) (value, why string) {
	values := k.valuesOf(claim)
	figures := k.figures()
	for i := range values {
		v := &values[i]
		if v.Has(reading.Derived|reading.Merged|reading.Ordinal) || int(v.End) > len(claim) {
			continue
		}
		written := claim[v.Start:v.End]
		if v.Kind == reading.Number && reckoned(v.Number, slackOf(written), figures) {
			continue
		}
		switch {
		case v.Kind == reading.Clock && k.clockReckoned(v.Number):
		case v.Kind == reading.Date && strings.Contains(written, "/") && k.shown[turnedDate(v)]:
		case k.ofSignedDate(claim, v):
		case k.shown[v.Key] || !k.specificValue(values, i, claim) || k.besideDate(values, v, written):
		case k.tried[v.Key] && !(v.Kind == reading.Number && v.Number < 13):
			return written, "only a call that did not succeed says so"
		case !k.heard(v.Key):
			return written, "nothing in the conversation says so"
		}
	}
	return "", ""
}

// signedDate is a date as it is written in Chinese, Japanese and Korean, with a sign
// after the month and the day.
var signedDate = regexp.MustCompile(`([0-9]{1,2})\s?[月월]\s?([0-9]{1,2})\s?[日일]`)

// signedDates are the dates that a text gives so, by what they mean and where they are.
func signedDates(text string) (dates []reading.Value) {
	if !strings.ContainsAny(text, "月월") {
		return nil
	}
	for _, at := range signedDate.FindAllStringSubmatchIndex(text, -1) {
		month, _ := strconv.Atoi(text[at[2]:at[3]])
		day, _ := strconv.Atoi(text[at[4]:at[5]])
		date := reading.Value{Kind: reading.Date, Number: float64(100*month + day)}
		date.Key = reading.KeyOf(date.Kind, date.Number)
		date.Start, date.End = int32(at[0]), int32(at[1])
		dates = append(dates, date)
	}
	return dates
}

// ofSignedDate reports whether a value of a text is, or holds, a piece of a date that
// somebody gives.
func (k *knowledge) ofSignedDate(text string, v *reading.Value) bool {
	return slices.ContainsFunc(signedDates(text), func(date reading.Value) bool {
		return v.Start < date.End && date.Start < v.End && k.heard(date.Key)
	})
}

// clockReckoned reports whether a time of day lies as many minutes or hours after one
// of the conversation as somebody gave.
func (k *knowledge) clockReckoned(minutes float64) bool {
	figures := k.figures()
	figures = figures[:min(len(figures), maxFigures)]
	return slices.ContainsFunc(k.clocks, func(start float64) bool {
		return slices.ContainsFunc(figures, func(n float64) bool { return start+n == minutes || start+60*n == minutes })
	})
}

// besideDate reports whether a figure beside a date, which may have been taken for a
// day, is heard as a figure or an hour of its own: "hive 5, 11 July", "11 July, 8 sharp".
func (k *knowledge) besideDate(values []reading.Value, v *reading.Value, written string) bool {
	figure, err := strconv.Atoi(written)
	if v.Kind != reading.Date && v.Kind != reading.Number || err != nil {
		return false
	}
	month := func(day float64) int { return int(day) / 100 }
	another := slices.ContainsFunc(values, func(other reading.Value) bool {
		date := other.Kind == reading.Date && other.Key != v.Key
		return date && (v.Kind == reading.Number || month(other.Number) == month(v.Number)) && k.heard(other.Key)
	})
	hour := reading.KeyOf(reading.Clock, float64(60*figure))
	return another && (k.heard(reading.KeyOf(reading.Number, float64(figure))) || k.heard(hour))
}

// arithmetic reports whether a claim is no more than a sum: it has a number that
// nobody gave, and all of its numbers follow from those that somebody did. In a talk
// without calls these may be of earlier messages, too.
func (k *knowledge) arithmetic(claim string, talk bool) bool {
	figures, found := k.figures(), false
	if talk {
		figures = append(slices.Clip(figures), k.talk.latest(k.reader)...)
	}
	for _, v := range k.valuesOf(claim) {
		switch {
		case v.Kind == reading.Word || v.Has(reading.Derived|reading.Merged):
		case v.Kind != reading.Number || int(v.End) > len(claim):
			return false
		case !reckoned(v.Number, slackOf(claim[v.Start:v.End]), figures):
			return false
		default:
			found = found || !k.heard(v.Key)
		}
	}
	return found
}

// untitled is a quoted title in a sentence of which the conversation has not a
// word; empty if there is none.
func (k *knowledge) untitled(sentence string) string {
	tokens := lexicon.English().Tokenize(nil, sentence)
	for i := 0; i < len(tokens); i++ {
		if tokens[i].Flags&lexicon.Quoted == 0 {
			continue
		}
		first := i
		for i+1 < len(tokens) && tokens[i+1].Flags&lexicon.Quoted != 0 {
			i++
		}
		title := sentence[tokens[first].Start:tokens[i].End]
		words := k.content(title)
		if len(words) > 0 && !slices.ContainsFunc(words, func(v reading.Value) bool { return k.heard(v.Key) }) {
			return title
		}
	}
	return ""
}

// specificValue reports whether a value says which one, how much or when. Of
// words these are names: capital letters where a sentence does not ask for them,
// in words that no list holds or in several together, of which the conversation
// has none.
func (k *knowledge) specificValue(values []reading.Value, i int, text string) bool {
	v := &values[i]
	switch v.Kind {
	case reading.Number:
		return v.Number > 1 && !v.Has(reading.Worded) && !glued(text[v.End:]) && !k.approximate(text[:v.Start])
	case reading.ID:
		id := text[v.Start:v.End]
		random := len(id) == 36 && strings.Count(id, "-") == 4 // no such id is shown to people
		return strings.ContainsAny(id, "0123456789@") && !random
	case reading.Date, reading.Clock:
		return !glued(text[v.End:])
	case reading.Word:
		return capital(v, text) && !beginsSentence(text, int(v.Start)) && k.unheardName(values, i, text)
	}
	return false
}

// unheardName reports whether a capital word belongs to a name of which nothing
// is heard.
func (k *knowledge) unheardName(values []reading.Value, i int, text string) bool {
	first, last := i, i
	for first > 0 && adjoins(&values[first-1], &values[first], text) {
		first--
	}
	for last+1 < len(values) && adjoins(&values[last], &values[last+1], text) {
		last++
	}
	unknown := false
	for j := first; j <= last; j++ {
		if k.heard(values[j].Key) {
			return false
		}
		unknown = unknown || values[j].Entry == nil
	}
	return (unknown || last > first) && !k.foreign(text)
}

// adjoins reports whether two words stand side by side as in a name.
func adjoins(a, b *reading.Value, text string) bool {
	return a.Kind == reading.Word && b.Kind == reading.Word && b.Start-a.End == 1 && capital(a, text) && capital(b, text)
}

// capital reports whether a word is written like a name, and not like an
// abbreviation.
func capital(v *reading.Value, text string) bool {
	if int(v.End) > len(text) {
		return false
	}
	written := text[v.Start:v.End]
	return v.Has(reading.Capital) && len(written) > 2 && strings.ToUpper(written) != written
}

// glued reports whether a figure goes on in letters: 8a is no eight. The units
// that are written so are times.
func glued(after string) bool {
	time := strings.HasPrefix(after, "am") || strings.HasPrefix(after, "pm") || strings.HasPrefix(after, "h")
	return after != "" && isLetter(after[0]) && !time
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// approximate reports whether a text ends in a word by which the figure after it
// is a guess.
func (k *knowledge) approximate(before string) bool {
	before = strings.TrimRight(before, " $€£*_`\u00a0")
	from := len(before)
	for from > 0 && isLetter(before[from-1]) {
		from--
	}
	word := k.read(before[from:])
	signed := strings.HasSuffix(before, "~") || strings.HasSuffix(before, "≈")
	return signed || len(word.Roles) == 1 && word.Roles[0]&reading.RoleHedge != 0
}

// beginsSentence reports whether a capital letter at a place says nothing.
func beginsSentence(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \t\n*_`\"'“‘(-•")
	if before == "" || !strings.ContainsAny(before[len(before)-1:], ".!?:;|\n") {
		return before == ""
	}
	word := before[strings.LastIndexAny(before, " \t\n(")+1:]
	tokens := lexicon.English().Tokenize(nil, word+" X")
	return len(tokens) != 2 || tokens[1].Has(lexicon.SentenceStart) // "Dr." ends no sentence
}

// misdirected finds a call whose arguments name something else than the user
// did: a value of the user's that no call has, and one of the same make in the
// arguments that nobody has said and the text does not tell. What the user asked for
// is no evidence that it was done: a text that repeats it tells of another call.
func (k *knowledge) misdirected(user string, told keys, cited []*tooltrack.Record) (said, other string) {
	for _, record := range cited {
		if !record.Succeeded() {
			continue
		}
		for _, leaf := range leafList(record.Args) {
			for _, v := range k.reader.Values(nil, leaf.value) {
				piece := v.Has(reading.Merged) || v.Has(reading.Derived) && v.Kind != reading.Word
				if piece || k.said[v.Key] || told[v.Key] || int(v.End) > len(leaf.value) {
					continue
				}
				found := leaf.value[v.Start:v.End]
				if said := k.meant(user, &v, found, told); said != "" {
					return said, found
				}
			}
		}
	}
	return "", ""
}

// meant is the value of the user's message that a stray value stands in place
// of; empty if there is none.
func (k *knowledge) meant(user string, stray *reading.Value, found string, told keys) string {
	for _, v := range k.reader.Values(nil, user) {
		if v.Has(reading.Derived|reading.Merged) || k.shown[v.Key] || int(v.End) > len(user) {
			continue
		}
		written := user[v.Start:v.End]
		if stray.Kind == reading.Date && told[v.Key] && k.anotherDay(&v) {
			return written
		}
		if v.Kind != stray.Kind || v.Has(reading.Ordinal) {
			continue
		}
		switch v.Kind {
		case reading.ID:
			if madeLike(written) == madeLike(found) && !k.holdsID(written) {
				return written
			}
		case reading.Number, reading.Date, reading.Clock:
			if v.Kind != reading.Number || k.otherNumber(&v, stray, written, found, told[v.Key]) {
				return written
			}
		case reading.Word:
			if v.Entry == nil && stray.Entry == nil && misspelt(written, found) {
				return written
			}
		}
	}
	return ""
}

// otherNumber reports whether a call was made with another number than the user gave.
func (k *knowledge) otherNumber(v, stray *reading.Value, written, found string, repeated bool) bool {
	if v.Number < 2 || reckoned(v.Number, slackOf(written), k.recorded) {
		return false
	}
	alike := len(written) == len(found) && !v.Has(reading.Worded) && !stray.Has(reading.Worded)
	return repeated || alike && !reckoned(stray.Number, slackOf(found), k.asked)
}

// anotherDay reports whether a value is a day of the week or the month on which no
// date of a call falls.
func (k *knowledge) anotherDay(v *reading.Value) bool {
	switch {
	case v.Kind == reading.Weekday:
		return true // the calls show the weekdays of their dates, too
	case v.Kind == reading.Number && v.Has(reading.Ordinal):
		return v.Number <= 31 && !k.days[int(v.Number)]
	}
	return false
}

// dayOf is the day of the month of a date.
func dayOf(v *reading.Value) int { return int(v.Number) % 100 }

// misspelt reports whether two names are one letter apart.
func misspelt(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 || len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:] && b[i:] != "s"
}

type leaf struct{ key, value string }

func leafList(data []byte) []leaf {
	var list []leaf
	for key, value := range leaves(data) {
		list = append(list, leaf{key, value})
	}
	return list
}
