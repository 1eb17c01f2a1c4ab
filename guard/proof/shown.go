package proof

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// unshown is a value of a claim that nothing shows, and why it does not; empty
// if there is none. What the user said may be repeated: that a call which takes
// ids does not say it again contradicts nothing.
func (k *knowledge) unshown(claim string) (value, why string) {
	values := k.valuesOf(claim)
	figures := k.figures()
	for i := range values {
		v := &values[i]
		if v.Has(reading.Derived | reading.Merged | reading.Ordinal) {
			continue
		}
		written := v.String()
		if k.follows(claim, v, figures) || k.ofDecimal(claim, v, figures) {
			continue
		}
		switch {
		case k.writtenOtherwise(claim, v, written):
		case k.shown[v.Key] || !k.specificValue(values, i, claim) || k.besideDate(values, v, written):
		case k.tried[v.Key] && !(v.Kind == reading.Number && v.Number < 13):
			return written, "only a call that did not succeed says so"
		case !k.heard(v.Key):
			return written, "nothing in the conversation says so"
		}
	}
	return "", ""
}

// writtenOtherwise reports whether calls give a value in another form than a claim does, as
// a piece of another one, or as the parts of a sum.
func (k *knowledge) writtenOtherwise(claim string, v *reading.Value, written string) bool {
	if k.ofSignedDate(claim, v) {
		return true
	}
	switch v.Kind {
	case reading.Clock:
		return k.clockReckoned(v.Number) || k.ofRange(v)
	case reading.Number:
		return k.endsNumber(written) || k.ofDate(v, written) || k.sumsUp(claim, v)
	case reading.ID:
		return k.endsName(written)
	case reading.Date: // 3.1.7 may be a version
		version := strings.Count(written, ".") > 1
		return strings.Contains(written, "/") && k.shown[turnedDate(v)] || version && k.endsName(written)
	}
	return false
}

// endsNumber reports whether figures are the last ones of a longer number in a call: of a
// telephone or a card.
func (k *knowledge) endsNumber(figures string) bool {
	if len(figures) < 3 || !isFigure(figures) {
		return false
	}
	for text := k.text; ; {
		at := strings.Index(text, figures)
		if at < 0 {
			return false
		}
		rest := text[at+len(figures):]
		if at > 0 && isDigit(text[at-1]) && (rest == "" || !isDigit(rest[0])) {
			return true
		}
		text = rest
	}
}

// endsName reports whether an id stands after a name in a call, with a sign between them:
// the version of requests-2.32.3.
func (k *knowledge) endsName(id string) bool {
	id = strings.ToLower(id)
	for text := k.text; ; {
		at := strings.Index(text, id)
		if at < 0 {
			return false
		}
		rest := text[at+len(id):]
		goesOn := len(rest) > 1 && rest[0] == '.' && isDigit(rest[1])
		ends := rest == "" || !isDigit(rest[0]) && !isLetter(rest[0]) && !goesOn
		if ends && at > 0 && strings.IndexByte("-_@=/v:", text[at-1]) >= 0 {
			return true
		}
		text = rest
	}
}

// signedDate is a date as it is written in Chinese, Japanese and Korean, with a sign
// after the month and the day.
var signedDate = regexp.MustCompile(`([0-9]{1,2})\s?[月월]\s?([0-9]{1,2})\s?[日일]`)

// signedDates are the dates that a text gives so, by what they mean and where they are.
func signedDates(text string) (dates []reading.Value) {
	if !strings.Contains(text, "月") && !strings.Contains(text, "월") {
		return nil
	}
	for _, at := range signedDate.FindAllStringSubmatchIndex(text, -1) {
		month, _ := strconv.Atoi(text[at[2]:at[3]])
		day, _ := strconv.Atoi(text[at[4]:at[5]])
		date := reading.Value{
			Span: reading.SpanOf(text, at[0], at[1]), Kind: reading.Date, Number: float64(100*month + day),
		}
		date.Key = reading.KeyOf(date.Kind, date.Number)
		dates = append(dates, date)
	}
	return dates
}

// ofSignedDate reports whether a value of a text is, or holds, a piece of a date that
// somebody gives.
func (k *knowledge) ofSignedDate(text string, v *reading.Value) bool {
	return slices.ContainsFunc(signedDates(text), func(date reading.Value) bool {
		return v.Start() < date.End() && date.Start() < v.End() && k.heard(date.Key)
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
		case v.Kind != reading.Number:
			return false
		case !k.follows(claim, &v, figures):
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
	tokens := k.words(sentence)
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
		tells := v.Number > 1 || v.Number != math.Trunc(v.Number)
		return tells && !v.Has(reading.Worded) && !glued(v.After()) && !k.approximate(v.Before())
	case reading.ID:
		id := v.String()
		random := len(id) == 36 && strings.Count(id, "-") == 4 // no such id is shown to people
		guess := shortened.MatchString(id) && k.approximate(v.Before())
		return strings.ContainsAny(id, "0123456789@") && !random && !guess
	case reading.Date, reading.Clock:
		return !glued(v.After())
	case reading.Word:
		return capital(v, text) && !beginsSentence(text, v.Start()) && k.unheardName(values, i, text)
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
	return a.Kind == reading.Word && b.Kind == reading.Word && b.Start()-a.End() == 1 &&
		capital(a, text) && capital(b, text)
}

// capital reports whether a word is written like a name, and not like an
// abbreviation.
func capital(v *reading.Value, text string) bool {
	if v.End() > len(text) {
		return false
	}
	written := v.String()
	return v.Has(reading.Capital) && len(written) > 2 && strings.ToUpper(written) != written
}

// glued reports whether a figure goes on in letters: 8a is no eight. The units
// that are written so are times.
func glued(after string) bool {
	time := strings.HasPrefix(after, "am") || strings.HasPrefix(after, "pm") || strings.HasPrefix(after, "h")
	return after != "" && isLetter(after[0]) && !time
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

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
				if piece || k.said[v.Key] || told[v.Key] {
					continue
				}
				found := v.String()
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
		if v.Has(reading.Derived|reading.Merged) || k.shown[v.Key] {
			continue
		}
		written := v.String()
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
	if v.Number < 2 || reckoned(figure{v.Number, slackOf(written), false}, k.recorded) {
		return false
	}
	alike := len(written) == len(found) && !v.Has(reading.Worded) && !stray.Has(reading.Worded)
	return repeated || alike && !reckoned(figure{stray.Number, slackOf(found), false}, k.asked)
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
