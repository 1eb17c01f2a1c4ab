package completion

import (
	"bytes"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// entry is one thing that the records tell of: an element of a list that a call returned or was
// given, a line of the text that it returned, or, where it has neither, the call itself.
type entry struct {
	fact    *fact
	itself  reading.Source // as the conversation knows what it holds
	figures [2]int         // its figures, of those that the conversation keeps
}

// maxEntries bounds the entries of a turn, and maxFigures their figures: of more, nobody tells one by one.
const maxEntries, maxFigures = 256, 2048

// entries are those of a turn.
type entries struct {
	all      []entry
	first    reading.Source  // of the first one; a multiple of 64
	figures  []reading.Value // of all
	known    *reading.Index  // which says what each holds
	user     []reading.Value // what the user's message names
	places   [][2]int        // where they stand in the call in hand
	holders  []entrySet      // which hold the values of the unit in hand
	line     int             // the sentence that begins the line that was held against them last
	lineUnit unit
}

// begin forgets all entries.
func (x *entries) begin(known *reading.Index, user []reading.Value) {
	x.all, x.figures, x.known, x.user, x.line = x.all[:0], x.figures[:0], known, user, -1
}

// entrySet is a set of entries, by their numbers.
type entrySet [maxEntries / 64]uint64

func (s *entrySet) has(e int) bool { return s[e/64]>>(e%64)&1 != 0 }

func (s *entrySet) add(e int) { s[e/64] |= 1 << (e % 64) }

func (s *entrySet) len() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// placesOf are where the entries of a text of a call stand: the elements of its lists, or the
// lines of what is no JSON.
func placesOf(value []byte, places [][2]int) [][2]int {
	from := 0
	if kind := jsonspan.KindOf(value); kind == jsonspan.Object || kind == jsonspan.Array {
		return elementsOf(value, value, places, 4)
	}
	for line := range bytes.Lines(value) {
		places = append(places, [2]int{from, from + len(line)})
		from += len(line)
	}
	return places
}

// elementsOf are the elements of the lists in a part of a JSON value. A list of one is what it holds.
func elementsOf(whole, value []byte, places [][2]int, depth int) [][2]int {
	if depth == 0 {
		return places
	}
	first := len(places)
	for element := range jsonspan.Elements(value) {
		at := jsonspan.Place(whole, element)
		places = append(places, [2]int{at, at + len(element)})
	}
	if len(places) == first+1 {
		places = places[:first]
		for element := range jsonspan.Elements(value) {
			places = elementsOf(whole, element, places, depth-1)
		}
	}
	for _, member := range jsonspan.Members(value) {
		places = elementsOf(whole, member, places, depth-1)
	}
	return places
}

// add adds an entry of a call.
func (x *entries) add(f *fact) *entry {
	itself := x.first + reading.Source(len(x.all))
	x.all = append(x.all, entry{fact: f, itself: itself, figures: [2]int{len(x.figures), len(x.figures)}})
	return &x.all[len(x.all)-1]
}

// keep notes that an entry holds a value.
func (x *entries) keep(e *entry, f *fact, v *reading.Value) {
	x.known.NoteValue(v, e.itself, f.shared)
	if isFigure(v) && len(x.figures) < maxFigures {
		x.figures = append(x.figures, *v)
		e.figures[1] = len(x.figures)
	}
}

// isFigure reports whether a value is spelled out and no word.
func isFigure(v *reading.Value) bool {
	readable := v.Kind != reading.ID || v.End()-v.Start() < long
	return readable && v.Kind != reading.Word && v.Kind != reading.Weekday &&
		!v.Has(reading.Derived|reading.Merged|reading.Worded)
}

// isNaming reports whether a value names one thing: an id, or a word with a capital letter that no list has.
func isNaming(v *reading.Value) bool {
	return v.Kind == reading.ID || v.Kind == reading.Word && v.Has(reading.Capital) && v.Entry == nil
}

// unit is a clause, or a line of a list or a table, held against the entries that it names: what
// it tells of one must not be what another one has, or none.
type unit struct {
	anchor  float64 // how well its words tell which entries it is about
	named   bool    // a name or an id tells it
	line    bool    // of a list or a table
	lone    bool    // a line that names no entry, where most lines do
	worked  int     // entries that it is about, of calls that worked
	failed  int     // and of calls that did not
	agreed  int     // figures that they have
	strayed int     // figures that they have not
	rivaled int     // those of them where they have another one of the kind, which the text does not tell
	alike   int     // those that one of these could be mistaken for
	swapped int     // those that any other entry has
	words   int     // words that another entry has alone
}

// unitOf is the unit that a clause belongs to: its line in a list or a table; in prose itself, or
// its sentence where the clause alone names no entry.
func (c *conversation) unitOf(k *reading.Clause) unit {
	if len(c.entries.all) == 0 {
		return unit{}
	}
	first, last := k.Sentence, k.Sentence
	if place := c.text.Sentences[first].Place; place == reading.Item || place == reading.Row {
		for first > 0 && isSameLine(&c.text, first-1, first) {
			first--
		}
		for last+1 < len(c.text.Sentences) && isSameLine(&c.text, last, last+1) {
			last++
		}
		if c.entries.line != first {
			c.entries.line, c.entries.lineUnit = first, c.entries.relate(true, c.text.ValuesOf(first, last))
		}
		return c.entries.lineUnit
	}
	if u := c.entries.relate(false, c.text.ValuesIn(k)); u.named {
		return u
	}
	return c.entries.relate(false, c.text.ValuesOf(first, last))
}

// isSameLine reports whether no line ends between two sentences.
func isSameLine(text *reading.Text, one, next int) bool {
	end, start := text.Sentences[one].End, text.Sentences[next].Start
	return end <= start && strings.IndexByte(text.Source[end:start], '\n') < 0
}

const (
	maxAnchors = 4   // entries that a unit may name one by one
	maxRelated = 64  // values of a unit; one with more is about many things
	leastNamed = 0.5 // how well an entry must be told from others
)

// relate holds the values of a unit against the entries that they name.
func (x *entries) relate(line bool, values []reading.Value) unit {
	u := unit{line: line}
	if len(values) == 0 || len(values) > maxRelated {
		return u
	}
	tells := func(v *reading.Value) bool { return isFigure(v) || v.IsContent() && !v.Has(reading.Derived) }
	x.holders = slices.Grow(x.holders[:0], len(values))[:len(values)]
	for i := range values {
		if x.holders[i] = (entrySet{}); tells(&values[i]) {
			x.known.HoldersOf(&values[i], x.first, x.holders[i][:])
		}
	}
	anchors := x.anchorsOf(&u, values)
	for i := range values {
		v, holders := &values[i], &x.holders[i]
		if u.anchor == 0 || !tells(v) || reading.Contrasted(v.Before()) {
			continue
		}
		elsewhere := holders.len() > 0
		switch {
		case holders.overlaps(&anchors) || x.isBeside(&anchors, v):
			u.agreed += int(is(isFigure(v)))
		case !isFigure(v):
			u.words += int(is(elsewhere && !x.known.Holds(ofUser, v)))
		default:
			u.strayed++
			u.swapped += int(is(elsewhere))
			if rival, alike := x.rivalIn(&anchors, v); rival && !x.followsFrom(&anchors, values, v) {
				u.rivaled++
				u.alike += int(is(alike && !elsewhere))
			}
		}
	}
	return u
}

func (s *entrySet) overlaps(other *entrySet) bool {
	for i := range s {
		if s[i]&other[i] != 0 {
			return true
		}
	}
	return false
}

// anchorsOf are the entries that the values of a unit name, the best first: the fewer entries
// have a value, the more it says. After the first one, a name or an id has to tell it.
func (x *entries) anchorsOf(u *unit, values []reading.Value) (anchors entrySet) {
	for range maxAnchors {
		best, most, byName := x.nearestEntry(&anchors, values)
		if best < 0 || most < leastNamed || u.anchor > 0 && !byName {
			break
		}
		anchors.add(best)
		u.anchor, u.named = max(u.anchor, most), u.named || byName
		f := x.all[best].fact
		u.worked += int(is(f.worked()))
		u.failed += int(is(f.fate == fateFailed && !f.earlier && !f.mended))
	}
	return anchors
}

// nearestEntry is the entry that those values tell best which no anchor has, how well they do, and
// whether a name or an id is among them.
func (x *entries) nearestEntry(anchors *entrySet, values []reading.Value) (best int, most float64, byName bool) {
	var score [maxEntries]float64
	var named entrySet
	for i := range values {
		holders := &x.holders[i]
		n := holders.len()
		if n == 0 || holders.overlaps(anchors) {
			continue
		}
		share := 1 / float64(n)
		if isFigure(&values[i]) && values[i].Kind != reading.ID {
			share /= 4 // it is what is to be told of an entry
		}
		for word, set := range holders {
			for ; set != 0; set &= set - 1 {
				e := 64*word + bits.TrailingZeros64(set)
				if score[e] += share; isNaming(&values[i]) {
					named.add(e)
				}
			}
		}
	}
	best = -1
	for e := range x.all {
		if score[e] > most && (named.has(e) || anchors.len() == 0) {
			best, most, byName = e, score[e], named.has(e)
		}
	}
	return best, most, byName
}

// of are the entries of a set.
func (x *entries) of(set *entrySet) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for e := range x.all {
			if set.has(e) && !yield(&x.all[e]) {
				return
			}
		}
	}
}

// isBeside reports whether the call of an anchor has a value beside its entries.
func (x *entries) isBeside(anchors *entrySet, v *reading.Value) bool {
	for e := range x.of(anchors) {
		if x.known.Holds(e.fact.beside, v) {
			return true
		}
	}
	return false
}

// rivalIn reports whether an anchor has another figure of the kind, which the text does not tell,
// and whether the one may be told for the other by a slip.
func (x *entries) rivalIn(anchors *entrySet, v *reading.Value) (rival, alike bool) {
	for e := range x.of(anchors) {
		for i := e.figures[0]; i < e.figures[1] && !alike; i++ {
			own := &x.figures[i]
			if own.Kind == v.Kind && !x.known.Holds(ofText, own) {
				rival, alike = true, isSlip(v, own)
			}
		}
	}
	return rival, alike
}

// isSlip reports whether a figure may be told for another one by a slip: it is about as large, or
// most of it is written the same.
func isSlip(v, own *reading.Value) bool {
	if v.Kind != reading.ID {
		return v.Number > own.Number/3 && v.Number < own.Number*3
	}
	one, other, same := v.String(), own.String(), 0
	for i := range min(len(one), len(other)) {
		same += int(is(one[i] == other[i]))
	}
	return 2*same >= max(len(one), len(other))
}

// followsFrom reports whether a number follows from those of the records or the unit: it is one
// of them with fewer digits, reckoned from two, or what a column of entries comes to.
func (x *entries) followsFrom(anchors *entrySet, values []reading.Value, v *reading.Value) bool {
	if v.Kind != reading.Number {
		return false
	}
	number := v.Number
	if after := v.After(); after != "" && after[0]|0x20 == 'k' {
		number *= 1e3
	} else if after != "" && after[0]|0x20 == 'm' {
		number *= 1e6
	}
	if slices.ContainsFunc(x.figures, func(own reading.Value) bool {
		return own.Kind == reading.Number && (isRounded(number, own.Number) || own.Number == 100*number) // cents
	}) || reading.Follows(number, x.figuresAround(anchors, values, v)) {
		return true
	}
	var some, all entrySet // some share a word with the unit
	for i := range values {
		for k := range some {
			if all[k] = math.MaxUint64; !isFigure(&values[i]) && x.holders[i].len() < len(x.all) {
				some[k] |= x.holders[i][k]
			}
		}
	}
	return x.isColumnSum(number, &some) || x.isColumnSum(number, &all)
}

// figuresAround are a few numbers that another one of a unit may be reckoned from: its own, those
// of the entries that it names, the user's, and others of the records.
func (x *entries) figuresAround(anchors *entrySet, values []reading.Value, v *reading.Value) []float64 {
	const few = 24
	figures := make([]float64, 0, few)
	add := func(other *reading.Value) {
		if other.Kind == reading.Number && !other.Has(reading.Derived|reading.Merged) && other != v &&
			len(figures) < few && !slices.Contains(figures, other.Number) {
			figures = append(figures, other.Number)
		}
	}
	sources := [][]reading.Value{values}
	for e := range x.of(anchors) {
		sources = append(sources, x.figures[e.figures[0]:e.figures[1]])
	}
	for _, values := range append(sources, x.user, x.figures) {
		for i := range values {
			add(&values[i])
		}
	}
	return figures
}

// isColumnSum reports whether the first numbers of some entries come to a number, or the second ones, and so on.
func (x *entries) isColumnSum(number float64, among *entrySet) bool {
	const columns = 8
	var sums [columns]float64
	for e := range x.of(among) {
		column := 0
		for i := e.figures[0]; i < e.figures[1] && column < columns; i++ {
			if x.figures[i].Kind == reading.Number {
				sums[column] += x.figures[i].Number
				column++
			}
		}
	}
	return slices.ContainsFunc(sums[:], func(sum float64) bool { return math.Abs(sum-number) < 0.006 })
}

// isRounded reports whether a figure is another one with fewer digits: 12,400 or 12.4 for 12,385.
func isRounded(told, held float64) bool {
	const far = 0.06
	if told == 0 || math.Abs(told-held) > math.Abs(held)*far {
		return false
	}
	unit := 1.0
	for ; unit < 1e9 && math.Mod(told, unit*10) == 0; unit *= 10 {
	}
	for ; unit > 1e-6 && !isMultiple(told, unit); unit /= 10 {
	}
	return !isMultiple(held, unit) && math.Abs(told-held) < unit
}

func isMultiple(x, unit float64) bool {
	whole := math.Round(x / unit)
	return math.Abs(x/unit-whole) < 1e-6
}
