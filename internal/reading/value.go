package reading

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Kind is what a [Value] is a value of.
type Kind uint8

const (
	// Word is a word, known by its stem.
	Word Kind = iota
	// Number is a figure: an amount, a count, a measure.
	Number
	// ID is a name that programs give: BK-5590, pl_51, parse.go, a mail address.
	ID
	// Date is a day of a month, Weekday a day of the week, Clock a time of day.
	Date
	Weekday
	Clock
)

// Flags say how a value stands in its text.
type Flags uint8

const (
	// Capital begins with an upper-case letter.
	Capital Flags = 1 << iota
	// Money has a currency beside it, Percent a percent sign.
	Money
	Percent
	// Worded is a number that is written as a word.
	Worded
	// Derived is a value that the text does not spell out, such as the weekday of
	// a date or the digits of an id.
	Derived
	// Merged is a piece of another value, such as the day of a date.
	Merged
	// Ordinal is a number that says which one: 2nd.
	Ordinal
)

// Value is one thing that a text names.
type Value struct {
	Start, End int32
	Kind       Kind
	Flags      Flags
	// Key is equal for equal values of a kind, however they are written.
	Key uint64
	// Number is the value of a number, the minutes of a clock, month*100+day of a
	// date.
	Number float64
	// Entry is what the lexicon knows of a word; nil if it does not list it.
	Entry *lexicon.Entry
}

// Has reports whether any of the flags is set.
func (v *Value) Has(any Flags) bool { return v.Flags&any != 0 }

// KeyOf is the key of a number, a date, a weekday or a clock.
func KeyOf(kind Kind, number float64) uint64 {
	return (math.Float64bits(number)^uint64(kind)<<56)*0x9E3779B97F4A7C15 ^ uint64(kind)
}

// Values appends the values of a text to dst: of an answer, or of the arguments
// and the result of a call.
func (r *Reader) Values(dst []Value, text string) []Value {
	if strings.IndexByte(text, '\\') >= 0 {
		text = unescape(text)
	}
	return r.values(dst, text)
}

func (r *Reader) values(dst []Value, text string) []Value {
	s := valueScan{reader: r, text: text, values: dst, from: len(dst)}
	s.run()
	return s.values
}

// valueScan is the state of one reading of values.
type valueScan struct {
	reader *Reader
	text   string
	values []Value
	from   int // the first value of this text
}

func (s *valueScan) run() {
	for i := 0; i < len(s.text); {
		c := s.text[i]
		switch {
		case letters[c] || digits[c]:
			i = s.piece(i)
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRuneInString(s.text[i:])
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				i = s.piece(i)
			} else {
				i += size
			}
		}
	}
}

var letters, digits = func() (letters, digits [256]bool) {
	for c := 'a'; c <= 'z'; c++ {
		letters[c], letters[c-'a'+'A'] = true, true
	}
	for c := '0'; c <= '9'; c++ {
		digits[c] = true
	}
	return letters, digits
}()

// piece reads one run of letters and digits, with the marks that may join them.
func (s *valueScan) piece(start int) int {
	end, hasDigit, hasLetter, joiners := s.extent(start)
	run := s.text[start:end]
	switch {
	case !hasDigit && joiners == 0:
		s.word(start, end)
	case !hasDigit:
		s.named(start, end, joiners)
	case !hasLetter:
		s.figures(start, end, run, joiners)
	default:
		s.mixed(start, end, run, joiners)
	}
	return end
}

// The marks that may join letters and digits, as a set.
const (
	joinHyphen = 1 << iota
	joinUnder
	joinDot
	joinSlash
	joinColon
	joinAt
	joinComma
)

// extent is where a run ends and what it is made of.
func (s *valueScan) extent(start int) (end int, hasDigit, hasLetter bool, joiners int) {
	i := start
	for i < len(s.text) {
		c := s.text[i]
		switch {
		case letters[c]:
			hasLetter = true
			i++
			continue
		case digits[c]:
			hasDigit = true
			i++
			continue
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s.text[i:])
			switch {
			case unicode.IsLetter(r) || unicode.Is(unicode.Mn, r):
				hasLetter = true
			case unicode.IsDigit(r):
				hasDigit = true
			default:
				return i, hasDigit, hasLetter, joiners
			}
			i += size
			continue
		}
		join := s.join(i, start)
		if join == 0 {
			break
		}
		joiners |= join
		i++
	}
	return i, hasDigit, hasLetter, joiners
}

// join is the mark at i if it joins what stands around it; 0 if it does not.
func (s *valueScan) join(i, start int) int {
	if i+1 >= len(s.text) || i == start {
		return 0
	}
	before, after := s.text[i-1], s.text[i+1]
	inside := (letters[after] || digits[after] || after >= utf8.RuneSelf) && (letters[before] || digits[before] || before >= utf8.RuneSelf)
	if !inside {
		return 0
	}
	switch s.text[i] {
	case '-':
		return joinHyphen
	case '_':
		return joinUnder
	case '/':
		return joinSlash
	case '@':
		return joinAt
	case '.':
		return joinDot
	case ':':
		if digits[before] && digits[after] {
			return joinColon
		}
	case ',':
		if digits[before] && digits[after] && i+3 < len(s.text) && digits[s.text[i+2]] && digits[s.text[i+3]] && (i+4 >= len(s.text) || !digits[s.text[i+4]]) {
			return joinComma
		}
	}
	return 0
}

// word adds a word; names in camel case are cut.
func (s *valueScan) word(start, end int) {
	for i := start + 1; i < end; i++ {
		if c := s.text[i]; c >= 'A' && c <= 'Z' && s.text[i-1] >= 'a' && s.text[i-1] <= 'z' {
			s.oneWord(start, i)
			start = i
		}
	}
	s.oneWord(start, end)
}

func (s *valueScan) oneWord(start, end int) {
	word := s.text[start:end]
	if len(word) > maxWord {
		return
	}
	v := Value{Start: int32(start), End: int32(end), Kind: Word}
	if c := word[0]; c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf && startsUpper(word) {
		v.Flags |= Capital
	}
	v.Entry = s.reader.language.Lookup(word)
	v.Key = s.reader.stemKey(word, v.Entry)
	if known, found := s.reader.calendar[v.Key]; found && (v.Flags&Capital != 0 || len(word) > 5 || known > 1000) { // not "sat", "may", "march"
		s.calendar(v, known)
		return
	}
	if n := s.reader.numeral(word); n > 0 {
		v.Kind, v.Number, v.Key, v.Flags = Number, float64(n), KeyOf(Number, float64(n)), v.Flags|Worded
	}
	s.values = append(s.values, v)
}

const maxWord = 64

func startsUpper(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// stemKey is the key of a word: that of its lemma, or of its stem.
func (r *Reader) stemKey(word string, entry *lexicon.Entry) uint64 {
	if entry != nil {
		return r.lemmaKeys[entry.ID]
	}
	var buffer [maxWord]byte
	folded := buffer[:0]
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return lexicon.Hash(word)
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		folded = append(folded, c)
	}
	return lexicon.Hash(stem(string(folded)))
}

// stem cuts the endings that an unlisted word most often has.
func stem(word string) string {
	for _, ending := range [...]string{"ings", "ing", "ies", "ied", "ed", "es", "s", "e"} {
		if kept, found := strings.CutSuffix(word, ending); found && len(kept) >= 3 {
			if ending == "s" && strings.HasSuffix(kept, "s") {
				return word
			}
			if n := len(kept); n > 3 && kept[n-1] == kept[n-2] && ending != "s" && ending != "e" {
				kept = kept[:n-1]
			}
			return strings.TrimSuffix(kept, "y")
		}
	}
	return strings.TrimSuffix(word, "y")
}

// calendarWord is a month (1 to 12), a weekday (101 to 107, from Monday), or a
// named time in minutes (1000 and more).
type calendarWord int

func (s *valueScan) calendar(v Value, known calendarWord) {
	switch {
	case known > 1000:
		v.Kind, v.Number = Clock, float64(known-1000)
	case known > 100:
		v.Kind, v.Number = Weekday, float64(known-101)
	default:
		s.month(v, int(known))
		return
	}
	v.Key = KeyOf(v.Kind, v.Number)
	s.values = append(s.values, v)
}

// month looks for the day beside a month: "12 June", "12–15 June"; the day
// after it is found when it is read.
func (s *valueScan) month(v Value, month int) {
	months := v
	months.Number = float64(month)
	months.Flags |= Merged
	for k := len(s.values) - 1; k >= s.from && k >= len(s.values)-3; k-- {
		day := &s.values[k]
		if day.Kind == Word && day.Entry != nil && day.End-day.Start <= 3 { // "the 3rd of June", "12 and 15 June"
			continue
		}
		if day.Kind != Number || day.Number < 1 || day.Number > 31 || day.Has(Money|Percent|Worded) || int(v.Start-day.End) > 16 {
			break
		}
		*day = s.date(*day, month, int(day.Number))
	}
	s.values = append(s.values, months)
}

func (s *valueScan) date(v Value, month, day int) Value {
	v.Kind, v.Number = Date, float64(month*100+day)
	v.Key = KeyOf(Date, v.Number)
	return v
}

// number adds a figure, or makes a date of it after a month.
func (s *valueScan) number(start, end int, number float64, flags Flags) {
	v := Value{Start: int32(start), End: int32(end), Kind: Number, Number: number, Key: KeyOf(Number, number), Flags: flags | s.unitsAround(start, end)}
	if last := len(s.values) - 1; last >= s.from && flags&^Ordinal == 0 && number >= 1 && number <= 31 && number == math.Trunc(number) {
		before := s.values[last]
		if before.Kind == Word && before.Number > 0 && strings.Trim(s.text[before.End:start], " ,.\u00a0") == "" && start-int(before.End) <= 3 {
			v = s.date(v, int(before.Number), int(number))
		} else if before.Kind == Date && start-int(before.End) <= 4 && s.isRange(int(before.End), start) { // "June 12–15"
			v = s.date(v, int(before.Number)/100, int(number))
		}
	}
	if last := len(s.values) - 1; last >= s.from && number >= 1900 && number <= 2100 && (s.values[last].Kind == Date || s.values[last].Number > 0 && s.values[last].Kind == Word) && start-int(s.values[last].End) <= 2 {
		v.Flags |= Merged // "June 12, 2026"
	}
	s.values = append(s.values, v)
}

// isRange reports whether only a dash stands between two places.
func (s *valueScan) isRange(from, to int) bool {
	between := strings.TrimSpace(s.text[from:to])
	return between == "-" || between == "–" || between == "—"
}

// unitsAround looks for a currency or a percent sign beside a figure.
func (s *valueScan) unitsAround(start, end int) Flags {
	var flags Flags
	before, after := s.text[max(0, start-5):start], s.text[end:min(len(s.text), end+5)]
	switch before = strings.TrimRight(before, " \u00a0"); {
	case strings.HasSuffix(before, "$"), strings.HasSuffix(before, "€"), strings.HasSuffix(before, "£"), s.reader.isCurrency(before[max(0, len(before)-3):]):
		flags |= Money
	}
	after = strings.TrimLeft(after, " \u00a0")
	switch {
	case strings.HasPrefix(after, "%"):
		flags |= Percent
	case strings.HasPrefix(after, "€"), s.reader.isCurrency(after[:min(3, len(after))]):
		flags |= Money
	}
	return flags
}

// isCurrency reports whether a word is the code of a common currency.
func (r *Reader) isCurrency(code string) bool {
	return len(code) == 3 && slices.Contains(r.currencies, code)
}

// clock adds a time of day; "am" and "pm" may follow it.
func (s *valueScan) clock(start, end, hour, minute int) {
	if hour > 24 || minute > 59 {
		return
	}
	rest := s.text[end:min(len(s.text), end+6)]
	rest = strings.ToLower(strings.TrimLeft(rest, " \u00a0"))
	switch {
	case (strings.HasPrefix(rest, "pm") || strings.HasPrefix(rest, "p.m")) && hour < 12:
		hour += 12
	case (strings.HasPrefix(rest, "am") || strings.HasPrefix(rest, "a.m")) && hour == 12:
		hour = 0
	}
	s.clockAt(start, end, hour*60+minute)
}

func (s *valueScan) clockAt(start, end, minutes int) {
	number := float64(minutes % 1440)
	s.values = append(s.values, Value{Start: int32(start), End: int32(end), Kind: Clock, Number: number, Key: KeyOf(Clock, number)})
}

// id adds an identifier, and what it is made of as derived values.
func (s *valueScan) id(start, end int) {
	h := uint64(14695981039346656037)
	for i := start; i < end; i++ {
		c := s.text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if letters[c] || digits[c] || c >= utf8.RuneSelf {
			h = (h ^ uint64(c)) * 1099511628211
		}
	}
	s.values = append(s.values, Value{Start: int32(start), End: int32(end), Kind: ID, Key: h ^ uint64(ID)<<60})
	for i := start; i < end; {
		k := i
		for k < end && digits[s.text[k]] {
			k++
		}
		if k-i >= 2 && k-i <= 15 {
			number, _ := strconv.ParseFloat(s.text[i:k], 64)
			s.values = append(s.values, Value{Start: int32(i), End: int32(k), Kind: Number, Number: number, Key: KeyOf(Number, number), Flags: Derived})
		}
		i = max(k, i+1)
	}
}

// named reads letters that marks join: an address, a path, or plain words.
func (s *valueScan) named(start, end, joiners int) {
	if joiners&joinAt != 0 || joiners&joinDot != 0 && !s.gluedSentence(start, end) || joiners&joinSlash != 0 && joiners&joinDot != 0 {
		s.id(start, end)
	} else if joiners&joinUnder != 0 {
		s.id(start, end)
		s.values[len(s.values)-1].Flags |= Derived
	}
	s.wordsOf(start, end, Derived*Flags(boolToInt(joiners&(joinAt|joinDot) != 0)))
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// gluedSentence: "done.Next" lacks a space; a file or host is in lower case
// after its dot.
func (s *valueScan) gluedSentence(start, end int) bool {
	dot := strings.LastIndexByte(s.text[start:end], '.')
	return dot >= 0 && start+dot+1 < end && s.text[start+dot+1] >= 'A' && s.text[start+dot+1] <= 'Z'
}

// wordsOf adds the words between the joining marks.
func (s *valueScan) wordsOf(start, end int, flags Flags) {
	from := start
	for i := start; i <= end; i++ {
		if i < end && (letters[s.text[i]] || s.text[i] >= utf8.RuneSelf) {
			continue
		}
		if i-from > 1 {
			first := len(s.values)
			s.word(from, i)
			for k := first; k < len(s.values); k++ {
				s.values[k].Flags |= flags
			}
		}
		from = i + 1
	}
}

// figures reads digits that marks may join.
func (s *valueScan) figures(start, end int, run string, joiners int) {
	switch {
	case joiners&joinColon != 0:
		s.clocks(start, end)
	case joiners&^(joinComma|joinDot) == 0 && strings.Count(run, ".") <= 1:
		plain := run
		if joiners&joinComma != 0 {
			plain = strings.ReplaceAll(run, ",", "")
		}
		if len(run) > 18 {
			s.id(start, end)
			return
		}
		number, err := strconv.ParseFloat(plain, 64)
		if err != nil {
			return
		}
		rest := s.text[end:min(len(s.text), end+4)]
		if trimmed := strings.ToLower(strings.TrimLeft(rest, " \u00a0")); number <= 12 && (strings.HasPrefix(trimmed, "am") || strings.HasPrefix(trimmed, "pm") || strings.HasPrefix(trimmed, "a.m") || strings.HasPrefix(trimmed, "p.m")) && !strings.HasPrefix(trimmed, "amo") {
			hour, minutes := math.Modf(number)
			s.clock(start, end, int(hour), int(math.Round(minutes*100)))
			return
		}
		s.number(start, end, number, 0)
	case s.isoDate(start, end, run):
	case s.slashDate(start, end, run):
	default:
		s.joinedFigures(start, end, run, joiners)
	}
}

// joinedFigures: "3-5" are two numbers, "555-1234" is an id.
func (s *valueScan) joinedFigures(start, end int, run string, joiners int) {
	if a, b, found := strings.Cut(run, "-"); found && joiners&^(joinComma|joinDot|joinHyphen) == 0 && len(a) <= 3 && len(b) <= 3 {
		if x, err := strconv.ParseFloat(a, 64); err == nil {
			s.number(start, start+len(a), x, 0)
		}
		if y, err := strconv.ParseFloat(b, 64); err == nil {
			s.number(end-len(b), end, y, 0)
		}
		return
	}
	s.id(start, end)
}

// clocks reads one or more times: "18:00-20:00".
func (s *valueScan) clocks(start, end int) {
	for i := start; i < end; {
		k := i
		for k < end && s.text[k] != '-' && s.text[k] != '/' {
			k++
		}
		hour, rest, found := strings.Cut(s.text[i:k], ":")
		if len(rest) >= 2 && found {
			h, errH := strconv.Atoi(hour)
			m, errM := strconv.Atoi(rest[:2])
			if errH == nil && errM == nil {
				s.clock(i, k, h, m)
			}
		}
		i = k + 1
	}
}

// isoDate reads 2026-06-12, with or without a time after it.
func (s *valueScan) isoDate(start, end int, run string) bool {
	if len(run) < 10 || run[4] != '-' || run[7] != '-' {
		return false
	}
	year, errY := strconv.Atoi(run[:4])
	month, errM := strconv.Atoi(run[5:7])
	day, errD := strconv.Atoi(run[8:10])
	if errY != nil || errM != nil || errD != nil || month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	s.day(start, start+10, year, month, day)
	if len(run) >= 16 && (run[10] == 'T' || run[10] == 't') {
		s.clocks(start+11, start+16)
	} else if rest := end - (start + 10); rest > 0 {
		s.values[len(s.values)-1].Flags |= Derived
	}
	return true
}

// day adds a date and its weekday.
func (s *valueScan) day(start, end, year, month, day int) {
	s.values = append(s.values, s.date(Value{Start: int32(start), End: int32(end)}, month, day))
	if year > 1900 {
		number := float64(weekday(year, month, day))
		s.values = append(s.values, Value{Start: int32(start), End: int32(end), Kind: Weekday, Number: number, Key: KeyOf(Weekday, number), Flags: Derived})
	}
}

// weekday counts from Monday, 0.
func weekday(year, month, day int) int {
	if month < 3 {
		month, year = month+12, year-1
	}
	h := (day + 13*(month+1)/5 + year + year/4 - year/100 + year/400) % 7 // Zeller: 0 is Saturday
	return (h + 5) % 7
}

// slashDate reads 6/12, 12.06.2026 and the like, either way round.
func (s *valueScan) slashDate(start, end int, run string) bool {
	parts := strings.FieldsFunc(run, func(r rune) bool { return r == '/' || r == '.' })
	if len(parts) < 2 || len(parts) > 3 || len(parts[0]) > 2 || len(parts[1]) > 2 {
		return false
	}
	a, errA := strconv.Atoi(parts[0])
	b, errB := strconv.Atoi(parts[1])
	if errA != nil || errB != nil || a < 1 || b < 1 || a > 31 || b > 31 || a > 12 && b > 12 {
		return false
	}
	first := len(s.values)
	if a <= 12 {
		s.values = append(s.values, s.date(Value{Start: int32(start), End: int32(end)}, a, b))
	}
	if b <= 12 && a != b {
		s.values = append(s.values, s.date(Value{Start: int32(start), End: int32(end)}, b, a))
	}
	if len(s.values)-first == 2 { // either reading will do
		s.values[first+1].Flags |= Derived
	}
	return true
}

// mixed reads letters and digits together.
func (s *valueScan) mixed(start, end int, run string, joiners int) {
	i := 0
	for i < len(run) && (digits[run[i]] || run[i] == '.' || run[i] == ',') {
		i++
	}
	head, tail := run[:i], strings.ToLower(run[i:])
	number, err := strconv.ParseFloat(strings.ReplaceAll(head, ",", ""), 64)
	switch {
	case i == 0 || err != nil:
	case tail == "st" || tail == "nd" || tail == "rd" || tail == "th":
		s.number(start, end, number, Ordinal)
		return
	case (tail == "am" || tail == "pm") && number <= 12:
		hour, minutes := math.Modf(number)
		s.clock(start, start+i, int(hour), int(math.Round(minutes*100)))
		return
	case joiners&joinColon == 0 && len(tail) <= 3 && tail == run[i:] && !strings.ContainsAny(tail, "-_/@"), tail == "K", tail == "M":
		s.number(start, start+i, number, 0)
		return
	case joiners == joinHyphen && tail[0] == '-' && len(tail) >= 4 && tail == run[i:] && !strings.ContainsAny(tail, "0123456789"): // "2-hour"
		s.number(start, start+i, number, 0)
		s.wordsOf(start+i+1, end, 0)
		return
	}
	if s.isoDate(start, end, run) {
		return
	}
	if joiners&joinColon != 0 { // "9:30pm", "T18:00"
		if clock := strings.TrimRight(tail, "apm."); clock != tail && i == 0 {
			return
		}
		if hour, rest, found := strings.Cut(run, ":"); found && len(rest) >= 2 {
			h, errH := strconv.Atoi(hour)
			m, errM := strconv.Atoi(rest[:2])
			if errH == nil && errM == nil {
				s.clock(start, start+len(hour)+3, h, m)
				return
			}
		}
	}
	s.id(start, end)
	s.wordsOf(start, end, Derived)
}

// StemKey is the key that a word has as a value.
func (r *Reader) StemKey(word string) uint64 { return r.stemKey(word, r.language.Lookup(word)) }

// Denies reports whether a result speaks of something that was not done: a
// word such as "unchanged" or "skipped", or a member that is false. Members that
// count none of them ("failed": 0) do not.
func (r *Reader) Denies(text string) bool { return r.anyRole(text, RoleNoChange) }

// Checks reports whether a name or arguments speak of tests or a build.
func (r *Reader) Checks(text string) bool { return r.anyRole(text, RoleCheck) }

// anyRole reports whether a word of a role stands in a text, without a value
// after it that counts none, or a count of none before it.
func (r *Reader) anyRole(text string, role Role) bool {
	for i := 0; i < len(text); {
		if !letters[text[i]] {
			i++
			continue
		}
		k := i
		for k < len(text) && letters[text[k]] {
			k++
		}
		if k-i > 1 && r.rolesAt(lexicon.Hash(text[i:k]))&role != 0 && !isNone(text[k:]) && (i < 2 || text[i-2:i] != "0 ") {
			return true
		}
		i = k
	}
	return false
}

// isNone reports whether a member's value counts nothing.
func isNone(rest string) bool {
	rest = strings.TrimLeft(rest, "\": _=")
	for _, none := range [...]string{"0", "[]", "null", "false", "{}", "none"} {
		if strings.HasPrefix(rest, none) {
			return true
		}
	}
	return false
}
