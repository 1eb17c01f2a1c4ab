package reading

import (
	_ "embed" // of the units
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Conversion says whether one figure is another one in other words.
type Conversion uint8

const (
	// NotConverted: they are in the same unit, or no conversion makes one of the other.
	NotConverted Conversion = iota
	// MayConvert: only one of them says its unit, and in some other the figures agree.
	MayConvert
	// Converts: both say their units, and the figures agree.
	Converts
)

// unit is one of a kind: how many of the smallest it has, and from where it counts.
type unit struct {
	kind       string
	size, from float64
}

//go:embed data/units.txt
var unitsFile string

// units are what a name may mean.
var units = sync.OnceValue(func() map[string][]unit {
	named := map[string][]unit{}
	for line := range strings.Lines(unitsFile) {
		head, names, found := strings.Cut(line, ":")
		if words := strings.Fields(head); found && words[0] != "#" {
			u := unit{kind: words[0]}
			u.size, _ = strconv.ParseFloat(words[1], 64)
			if len(words) > 2 {
				u.from, _ = strconv.ParseFloat(words[2], 64)
			}
			for name := range strings.FieldsSeq(names) {
				named[name] = append(named[name], u)
			}
		}
	}
	return named
})

// kinds are the units of each kind.
var kinds = sync.OnceValue(func() map[string][]unit {
	all := map[string][]unit{}
	for _, meant := range units() {
		for _, u := range meant {
			if !slices.Contains(all[u.kind], u) {
				all[u.kind] = append(all[u.kind], u)
			}
		}
	}
	return all
})

// Ends reports whether a time of day is so many minutes or hours after another.
func Ends(start, span, end float64) bool { return start+span == end || start+60*span == end }

// measure is a figure as it is written, and what it may be in.
type measure struct {
	start, end int // with its unit
	number     float64
	slack      float64 // how far it may be rounded
	units      []unit
}

var measured = pattern(`([0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)(?:[ \x{a0}-]?(?:degrees? |°[ ]?)?(\p{L}+|[€$£℃℉]))?`)

// measures are the figures of a text.
func measures(text string) (found []measure) {
	for _, at := range measured().FindAllStringSubmatchIndex(text, -1) {
		written := strings.ReplaceAll(text[at[2]:at[3]], ",", "")
		m := measure{start: at[2], end: at[3], slack: 0.001}
		m.number, _ = strconv.ParseFloat(written, 64)
		if _, decimals, dot := strings.Cut(written, "."); dot {
			m.slack = 0.51 * math.Pow(10, -float64(len(decimals)))
		}
		if at[4] >= 0 {
			if m.units = units()[strings.ToLower(text[at[4]:at[5]])]; m.units != nil {
				m.end = at[5]
			}
		}
		found = append(found, m)
	}
	return found
}

// SaysUnit reports whether a figure of a text says what it is in: only such a one can be another one that does.
func (v *Value) SaysUnit() bool {
	after := v.After()
	switch {
	case v.Kind == Clock, v.Kind == Number && v.Has(Money), strings.HasPrefix(strings.TrimLeft(after, spaces), "°"):
		return true
	case v.Kind != Number:
		return false
	}
	word := firstWord(after)
	return units()[word] != nil || strings.HasPrefix(word, "degree") || v.Number <= 12 && untilHour().MatchString(after)
}

// Measures are the figures and the times of day that a call holds.
type Measures struct {
	held   []measure
	clocks []float64
}

// Measures reads them from objects of JSON. In long ones nobody converts a figure.
func (r *Reader) Measures(objects ...[]byte) *Measures {
	const most = 4096
	held := &Measures{}
	for _, data := range objects {
		if len(data) <= most {
			r.readMeasures(held, data, nil)
		}
	}
	return held
}

// Figure is a figure of a text, with what it may stand for.
type Figure struct {
	*Value
	measures []measure
}

// Figure reads what a figure of a text may stand for.
func (v *Value) Figure() *Figure {
	told := &Figure{Value: v}
	if v.Kind == Number {
		told.measures = toldAt(v)
	}
	return told
}

// Converted says whether a figure of a text is one of the call's in another unit, or follows
// from its times: "2 kg" for {"grams":2000}, "until 5 pm" for 14:00 and three hours.
func (h *Measures) Converted(v *Figure) (best Conversion) {
	switch {
	case len(h.held)+len(h.clocks) == 0:
		return NotConverted
	case v.Kind == Clock:
		return h.endsAt(v.Number)
	case v.Kind != Number:
		return NotConverted
	}
	for k := range v.measures {
		told := &v.measures[k]
		for i := range h.held {
			best = max(best, told.as(&h.held[i]))
		}
		best = max(best, told.between(h.clocks))
	}
	if best != NotConverted || v.Number > 12 || v.Has(Money|Percent|Ordinal) {
		return best
	}
	sameHour := func(clock float64) bool { return math.Mod(clock/60-v.Number, 12) == 0 } // of the day or the night
	if untilHour().MatchString(v.After()) && slices.ContainsFunc(h.clocks, sameHour) {
		return Converts
	}
	return min(MayConvert, max(h.endsAt(60*v.Number), h.endsAt(60*v.Number+12*60))) // the 5 of "from 2 to 5"
}

// untilHour is what stands after an hour whose half of the day the next one tells: after the 2 of "2 to 5 pm".
var untilHour = pattern(`(?i)^ ?(?:to|until|till|and|-|–) ?[0-9]{1,2}(?::[0-9]{2})? ?[ap]\.?m\b`)

// readMeasures reads an object of JSON. Units stand beside their figures, in their names, or
// in a member of their own.
func (r *Reader) readMeasures(into *Measures, data []byte, named []unit) {
	beside := named
	for key, value := range jsonspan.Members(data) {
		if name := strings.ToLower(string(key)); strings.Contains(name, "unit") || name == "uom" {
			beside = append(slices.Clone(beside), units()[strings.ToLower(jsonspan.Scalar(value))]...)
		}
	}
	for key, value := range jsonspan.Members(data) {
		own := unitsOf(string(key))
		if own == nil {
			own = beside
		}
		r.readMeasures(into, value, own)
	}
	for value := range jsonspan.Elements(data) {
		r.readMeasures(into, value, named)
	}
	const long = 80
	if kind := jsonspan.KindOf(data); len(data) > long || kind != jsonspan.Number && kind != jsonspan.String {
		return
	}
	text := jsonspan.Scalar(data)
	values := r.Values(nil, text)
	for i := range values {
		if values[i].Kind == Clock && len(into.clocks) < 16 {
			into.clocks = append(into.clocks, values[i].Number)
		}
	}
	if slices.ContainsFunc(values, func(v Value) bool { return v.Kind == Clock || v.Kind == Date }) {
		return
	}
	const most = 64
	for _, m := range measures(text) {
		if m.units == nil {
			m.units = named
		}
		if len(into.held) < most {
			into.held = append(into.held, m)
		}
	}
}

// unitsOf are what the name of a member says of its figure: grams, duration_min, tempC. A
// single letter says so at the end of a longer name alone.
func unitsOf(name string) (found []unit) {
	for word := range runs(name) {
		if found = nil; len(word) > 1 || len(word) < len(name) {
			found = units()[strings.ToLower(word)]
		}
		if len(word) > 1 && found != nil {
			return found
		}
	}
	return found
}

// toldAt are what a figure of a text may stand for: itself, and with others of its kind
// around it, as in "1 hour 30 minutes".
func toldAt(v *Value) []measure {
	const around = 40
	text, start, end := v.Source(), v.Start(), v.End()
	from := max(0, start-around)
	if from > 0 {
		from += strings.IndexByte(text[from:start]+" ", ' ')
	}
	from = min(from, start)
	all := measures(text[from:min(len(text), end+around)])
	at := slices.IndexFunc(all, func(m measure) bool { return m.start == start-from })
	if at < 0 {
		return []measure{{number: v.Number, slack: 0.001, units: units()[firstWord(v.After())]}}
	}
	told := []measure{all[at]}
	if v.Has(Money) && told[0].units == nil {
		told[0].units = units()["$"]
	}
	for i := range all[1:] {
		one, next := &all[i], &all[i+1]
		if i != at && i+1 != at || strings.Trim(text[from+one.end:from+next.start], " ,and") != "" {
			continue
		}
		for _, u := range one.units {
			k := slices.IndexFunc(next.units, func(other unit) bool { return other.kind == u.kind && other.size < u.size })
			if k >= 0 {
				sum := (one.number*u.size + next.number*next.units[k].size) / u.size
				told = append(told, measure{number: sum, slack: 0.001, units: []unit{u}})
			}
		}
	}
	return told
}

// firstWord is the word that a text goes on with: "-hour", " kg".
func firstWord(text string) string {
	text = strings.TrimLeft(text, " -\u00a0")
	end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(" .,;:!?)-\n", r) })
	if end < 0 {
		end = len(text)
	}
	return strings.ToLower(text[:end])
}

// as says whether a figure is another one in another unit. One that says none may be in any
// of the kind of the other.
func (m *measure) as(held *measure) Conversion {
	best := Converts
	if m.units == nil || held.units == nil {
		best = MayConvert
	}
	for _, u := range orAny(m.units, held.units) {
		for _, other := range orAny(held.units, m.units) {
			if u.kind == other.kind && u != other && m.equals(u, other, held.number) {
				return best
			}
		}
	}
	return NotConverted
}

// orAny are some units, or all those of the kinds of others where there are none.
func orAny(some, others []unit) []unit {
	if some != nil {
		return some
	}
	for _, u := range others {
		some = append(some, kinds()[u.kind]...)
	}
	return some
}

// equals reports whether a figure in one unit is another one in another. Where neither unit
// is a multiple of the other, whole numbers are rounded.
func (m *measure) equals(u, other unit, held float64) bool {
	slack, ratio := m.slack, max(u.size/other.size, other.size/u.size)
	if ratio != math.Trunc(ratio) || u.from != other.from {
		slack = max(slack, 0.51)
	}
	return math.Abs((held*other.size+other.from-u.from)/u.size-m.number) <= slack
}

// between says whether a figure is the time between two others.
func (m *measure) between(clocks []float64) Conversion {
	for _, a := range clocks {
		for _, b := range clocks {
			if slices.ContainsFunc(m.units, func(u unit) bool {
				return u.kind == "time" && a < b && 60*(b-a) == m.number*u.size
			}) {
				return Converts
			}
		}
	}
	return NotConverted
}

// endsAt says whether a time of day is when what begins at another one is over.
func (h *Measures) endsAt(minutes float64) (best Conversion) {
	for _, start := range h.clocks {
		for i := range h.held {
			if h.held[i].units == nil && Ends(start, h.held[i].number, minutes) {
				best = MayConvert
			}
			for _, u := range h.held[i].units {
				if u.kind == "time" && start+h.held[i].number*u.size/60 == minutes {
					return Converts
				}
			}
		}
	}
	return best
}
