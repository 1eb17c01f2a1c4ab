package proof

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// knowledge is what the conversation holds, by who says it, for comparing words
// and values.
type knowledge struct {
	reader  *reading.Reader
	shown   keys // values of calls that succeeded
	tried   keys // of those that did not
	said    keys // of the user's message and the text before it
	offered keys // of the tools' own words, which others share
	members keys // of the names of arguments
	// asked and recorded are the numbers that the user and the calls give, the
	// lengths of lists among them: others may be reckoned from them. Derived are means
	// and the like of the lists in results, once somebody asks for them.
	asked, recorded, derived []float64
	results                  [][]byte
	records                  []*tooltrack.Record
	called                   keys                         // the names of the members of results, once somebody asks
	talk                     talk                         // the messages before
	clocks                   []float64                    // the times of day, in minutes
	dates                    []float64                    // the days that are told, as dates are numbered
	now                      time.Time                    // zero if nobody knows
	days                     map[int]bool                 // of the month, of the dates that calls give
	text                     string                       // of all calls, in lower case
	slots                    map[*tooltrack.Record][]slot // what was read of records so far
	scratch, held            []reading.Value              // what values and valuesOf gave last
	page                     *reading.Text                // what read gave last
	tokens                   []lexicon.Token              // what words gave last
	desk                     *desk                        // where these are from
}

// keys are values by what they mean.
type keys map[uint64]bool

func (k keys) add(values []reading.Value) {
	for _, v := range values {
		k[v.Key] = true
	}
}

// newKnowledge reads a conversation. Calls that the report itself owns up to are
// told, however they ended.
func newKnowledge(turn *Case, offered keys, told func(number int) bool) knowledge {
	k := newReader()
	k.offered, k.records = offered, turn.List.records
	var values []reading.Value
	for _, text := range []string{turn.User, turn.Previous} {
		values = append(k.reader.Values(values[:0], text), signedDates(text)...)
		k.said.add(values)
		k.asked = appendFigures(k.asked, text, values)
		k.dates = appendDates(k.dates, values)
		k.clocks = appendClocks(k.clocks, values)
	}
	k.talk.messages = turn.Before
	if len(turn.Reported) > 0 {
		k.talk.messages = slices.Concat(turn.Reported, turn.Before)
	}
	for _, text := range turn.Reported {
		k.asked = appendFigures(k.asked, text, k.values(text))
	}
	k.today(turn.Now)
	succeeding := 0
	var all strings.Builder
	for i, record := range turn.List.records {
		text := textOf(record)
		all.WriteString(strings.ToLower(text))
		values = append(k.reader.Values(values[:0], text), signedDates(text)...)
		k.recorded = appendFigures(k.recorded, text, values)
		k.clocks = appendClocks(k.clocks, values)
		k.dates = appendDates(k.dates, values)
		for i := range values {
			if values[i].Kind == reading.Date {
				k.days[dayOf(&values[i])] = true
			}
		}
		k.results = append(k.results, record.Result.Data)
		k.recorded = appendTotals(appendTotals(k.recorded, record.Args, 0), record.Result.Data, 0)
		for key := range leaves(record.Args) {
			k.members.add(k.values(key))
		}
		if record.Succeeded() {
			succeeding++
		}
		if record.Succeeded() || told(i+1) {
			k.shown.add(values)
		} else {
			k.tried.add(values)
		}
	}
	for _, text := range []string{turn.User, turn.Draft} {
		k.showJoined(text, turn.List.records)
	}
	k.text = all.String()
	k.recorded = append(k.recorded, float64(succeeding), float64(turn.List.Len()))
	return k
}

// showJoined notes the groups of numbers that a text writes otherwise than a call does:
// "(555) 010-1234" for 5550101234.
func (k *knowledge) showJoined(text string, records []*tooltrack.Record) {
	for _, v := range k.values(text) {
		if k.shown[v.Key] || v.Kind != reading.Number && v.Kind != reading.ID {
			continue
		}
		if slices.ContainsFunc(records, func(r *tooltrack.Record) bool {
			return r.Succeeded() && reading.HoldsJoined(r.Args, &v)
		}) {
			k.shown[v.Key] = true
		}
	}
}

// holdsID reports whether a call says an id, if only as a piece of a longer one. Of
// a path the last piece counts.
func (k *knowledge) holdsID(id string) bool {
	return strings.Contains(k.text, strings.ToLower(id[strings.LastIndexByte(id, '/')+1:]))
}

// inRecords reports whether a call says a value, however it ended.
func (k *knowledge) inRecords(key uint64) bool { return k.shown[key] || k.tried[key] }

// spoken reports whether the conversation says a value.
func (k *knowledge) spoken(key uint64) bool { return k.inRecords(key) || k.said[key] }

// heard reports whether anybody says a value, in whatever message, the tools' own words
// included.
func (k *knowledge) heard(key uint64) bool {
	return k.spoken(key) || k.offered[key] || k.members[key] || k.talk.says(k.reader, key) || k.names(key)
}

// names reports whether a member of a result is called by a value, if only with its unit:
// p95 by p95_ms.
func (k *knowledge) names(key uint64) bool {
	if k.called == nil {
		k.called = keys{}
		for _, record := range k.records {
			for name := range leaves(record.Result.Data) {
				first, _, _ := strings.Cut(name, "_")
				k.called.add(k.reader.Values(nil, name+"\n"+first))
			}
		}
	}
	return k.called[key]
}

// textOf is all that a record says: arguments, result and titles.
func textOf(record *tooltrack.Record) string {
	var text strings.Builder
	for _, source := range [][]byte{record.Args, []byte(record.Result.Text())} {
		for key, value := range leaves(source) {
			if strings.Contains(key, " ") { // {"Tim Roos": 9} says a name
				text.WriteString(key)
				text.WriteByte('\n')
			}
			text.WriteString(value)
			text.WriteByte('\n')
		}
	}
	for _, subject := range record.Touched {
		text.WriteByte('\n')
		text.WriteString(subject.Title)
		text.WriteByte('\n')
		text.WriteString(subject.ID)
	}
	text.WriteByte('\n')
	text.WriteString(strings.ReplaceAll(record.Tool, "_", " "))
	return text.String()
}

// touches reports whether a description names anything that the conversation or
// the text to be shown speaks of.
func (k *knowledge) touches(what string, told keys) bool {
	any := false
	for _, v := range k.content(what) {
		if k.spoken(v.Key) || told[v.Key] || k.talk.says(k.reader, v.Key) {
			return true
		}
		any = true
	}
	return !any && len(what) > 40 // in words that no list knows, length has to do
}

// toldIn is what a text names, for looking up many things in it.
func (k *knowledge) toldIn(text string) keys {
	told := keys{}
	told.add(k.values(text))
	return told
}

// meets reports whether a description names something of a text.
func (k *knowledge) meets(what string, told keys) bool {
	return slices.ContainsFunc(k.content(what), func(v reading.Value) bool { return told[v.Key] })
}

// handedText is how many words between quotation marks are a text rather than a title.
const handedText = 6

// handed is what stands in a text that a message quotes, and what the message says
// before it; nil if it quotes none.
func (k *knowledge) handed(message string) (before string, values keys) {
	tokens := lexicon.English().Tokenize(nil, message)
	for first := 0; first < len(tokens); first++ {
		last := first
		for last < len(tokens) && tokens[last].Flags&lexicon.Quoted != 0 {
			last++
		}
		if last-first >= handedText {
			return message[:tokens[first].Start], k.toldIn(message[tokens[first].Start:tokens[last-1].End])
		}
		first = last
	}
	return "", nil
}

// functional are the classes of words that hold a sentence together and name
// nothing.
const functional = lexicon.Negation | lexicon.Modal | lexicon.Auxiliary |
	lexicon.FirstPerson | lexicon.SecondPerson | lexicon.ThirdPerson | lexicon.Possessive | lexicon.Determiner |
	lexicon.Preposition | lexicon.Conjunction | lexicon.Question | lexicon.Condition | lexicon.Politeness |
	lexicon.Affirmation | lexicon.Refusal | lexicon.Interjection | lexicon.Pronoun | lexicon.Sequence

// values are those of a text, until the next text is read.
func (k *knowledge) values(text string) []reading.Value {
	k.scratch = k.reader.Values(k.scratch[:0], text)
	return k.scratch
}

// valuesOf are those of a text, until the next claim is read: what is looked up
// meanwhile does not touch them.
func (k *knowledge) valuesOf(claim string) []reading.Value {
	k.held = k.reader.Values(k.held[:0], claim)
	return k.held
}

// read is a text with its sentences and clauses, until the next one is read.
func (k *knowledge) read(text string) *reading.Text {
	k.clauses(text).ReadValues()
	return k.page
}

// content are the values of a text that mean something by themselves, until the
// next text is read.
func (k *knowledge) content(text string) []reading.Value {
	all := k.values(text)
	kept := all[:0]
	for _, v := range all {
		if v.Kind == reading.Word && (v.End()-v.Start() < 3 || v.Entry != nil && v.Entry.Class.Has(functional)) {
			continue
		}
		kept = append(kept, v)
	}
	return kept
}

// overlap reports whether two texts share a word or value that means something.
func (k *knowledge) overlap(a, b string) bool {
	seen := keys{}
	seen.add(k.content(a))
	return k.meets(b, seen)
}

// particular reports whether a text tells how particular things are: something of
// yours, or something that has a name or an id in the conversation.
func (k *knowledge) particular(text string) bool {
	for _, v := range k.values(text) {
		named := v.Kind == reading.ID || v.Kind == reading.Word && v.Entry == nil && capital(&v, text)
		if named && !v.Has(reading.Derived|reading.Merged|reading.Worded) && k.spoken(v.Key) {
			return true
		}
	}
	const yours = lexicon.Possessive | lexicon.SecondPerson
	read := k.read(text)
	for i := range read.Clauses {
		clause := &read.Clauses[i]
		if clause.Verb < 0 || clause.Mood != reading.Stated {
			continue
		}
		for _, token := range read.Tokens[clause.From:clause.Verb] {
			if token.Class()&yours == yours {
				return true
			}
		}
	}
	return false
}

// unheard reports whether what a second description adds to a first one occurs in
// none of the records. One that mostly repeats the first may say it in its own
// words.
func (k *knowledge) unheard(second, first string, cited []*tooltrack.Record, repeats bool) bool {
	heard := keys{}
	for _, record := range cited {
		heard.add(k.values(textOf(record)))
	}
	before := k.toldIn(first)
	added, all := 0, 0
	for _, v := range k.content(second) {
		if repeats && v.Has(reading.Derived|reading.Merged) {
			continue
		}
		if all++; before[v.Key] {
			continue
		}
		if heard[v.Key] {
			return false
		}
		added++
	}
	return added > 0 && (!repeats || 2*added >= all)
}

// hedged reports whether a sentence denies, asks, or speaks of what may be.
func (k *knowledge) hedged(sentence string) bool {
	if strings.Contains(sentence, "?") {
		return true
	}
	for _, token := range k.words(sentence) {
		if token.Class().Has(lexicon.Negation | lexicon.Condition | lexicon.Hedge | lexicon.Refusal) {
			return true
		}
	}
	return false
}

// open reports whether a text leaves something open: it denies, waits, depends on
// something or tells of trouble. A word that also names a thing of the request or a
// tool ("the April review", "access") leaves nothing open.
func (k *knowledge) open(text string) bool {
	const leaving = reading.RoleNegative | reading.RoleCondition |
		reading.RoleTrouble | reading.RoleUnable | reading.RoleFail | reading.RoleLonger | reading.RoleError |
		reading.RoleMissing | reading.RolePart | reading.RoleNoChange | reading.RoleBut
	const naming = reading.RoleWait | reading.RoleHold | reading.RolePolicy | reading.RolePermission
	read := k.read(text)
	for _, sentence := range read.Sentences {
		if strings.Contains(text[sentence.Start:sentence.End], ": false") || sentence.Asking || sentence.Roles&leaving != 0 {
			return true
		}
	}
	for i, roles := range read.Roles {
		if roles&naming == 0 {
			continue
		}
		if key := k.reader.StemKey(read.Word(i)); !k.said[key] && !k.offered[key] {
			return true
		}
	}
	return false
}

// compared are the kinds of values that contradict each other.
var compared = []slotKind{
	{"amount", func(v *reading.Value, key string) bool {
		return v.Kind == reading.Number && (v.Has(reading.Money) || amountKeys[key])
	}},
	{"date", func(v *reading.Value, _ string) bool { return v.Kind == reading.Date }},
	{"month", func(v *reading.Value, _ string) bool { return v.Kind == reading.Word && v.Number > 0 }},
	{"id", func(v *reading.Value, _ string) bool { return v.Kind == reading.ID }},
}

// slotKind is a kind of value, and whether a value under a member's name is one.
type slotKind struct {
	name string
	is   func(v *reading.Value, key string) bool
}

// ignores reports whether a value is only a piece of another one. A month is
// always kept as a piece, of a date or alone.
func (k *slotKind) ignores(v *reading.Value) bool {
	return v.Has(reading.Derived) || v.Has(reading.Merged) && k.name != "month"
}

// amountKeys are the names by which arguments and results call sums of money.
var amountKeys = map[string]bool{
	"amount": true, "price": true, "total": true, "sum": true, "fee": true, "cost": true, "refund": true, "limit": true,
	"balance": true,
}

// contradicted finds a value in a text that its records give otherwise: it has
// one value of a kind, or any id, no record of the conversation holds that value,
// and the cited ones hold another of the kind. A value that is merely absent
// contradicts nothing.
func (k *knowledge) contradicted(text string, cited []*tooltrack.Record) (said, other string) {
	if len(cited) == 0 {
		return "", ""
	}
	values := k.valuesOf(text)
	for i, kind := range compared {
		if kind.name == "id" {
			continue
		}
		value := only(values, kind)
		if value == nil || k.inRecords(value.Key) || k.otherwiseHeld(text, value, cited) {
			continue
		}
		if other := k.slotLike(cited, i, func(string) bool { return true }); other != "" {
			return value.String(), other
		}
	}
	return k.strayID(values, text, cited)
}

// sumOf reports whether the amounts of several calls come to a number.
func (k *knowledge) sumOf(cited []*tooltrack.Record, number float64) bool {
	sum := 0.0
	for _, record := range cited {
		for key, value := range leaves(record.Args) {
			for _, v := range k.values(value) {
				if compared[0].is(&v, key) && !compared[0].ignores(&v) {
					sum += v.Number
				}
			}
		}
	}
	return len(cited) > 1 && math.Abs(sum-number) < 0.005
}

// strayID finds an id in a text that no record holds, while a cited one holds
// another of the same make.
func (k *knowledge) strayID(values []reading.Value, text string, cited []*tooltrack.Record) (said, other string) {
	for i := range values {
		v := &values[i]
		if v.Kind != reading.ID || v.Has(reading.Derived|reading.Merged) || k.inRecords(v.Key) {
			continue
		}
		mention := v.String()
		if k.holdsID(mention) {
			continue
		}
		like := func(found string) bool { return found != mention && madeLike(found) == madeLike(mention) }
		if other := k.slotLike(cited, len(compared)-1, like); other != "" {
			return mention, other
		}
	}
	return "", ""
}

// slotLike is a value of a kind that a record holds; empty if there is none.
func (k *knowledge) slotLike(cited []*tooltrack.Record, kind int, fits func(string) bool) string {
	for _, record := range cited {
		for _, other := range k.slotsOf(record) {
			if other.kind == kind && fits(other.text) {
				return other.text
			}
		}
	}
	return ""
}

// only is the one value of a kind in a text; nil if there are none or several.
func only(values []reading.Value, kind slotKind) *reading.Value {
	var found *reading.Value
	for i := range values {
		v := &values[i]
		if kind.ignores(v) || v.Has(reading.Ordinal) || !kind.is(v, "") {
			continue
		}
		if found != nil && found.Key != v.Key {
			return nil
		}
		found = v
	}
	return found
}

// slot is a value of a record that another one may contradict.
type slot struct {
	kind int // of those that are compared
	text string
}

// slotsOf are the values of a record that can be compared. Ids are of one kind
// only when they are of one make: HB2201 and HB2210.
func (k *knowledge) slotsOf(record *tooltrack.Record) []slot {
	if slots, known := k.slots[record]; known {
		return slots
	}
	var slots []slot
	for _, source := range [][]byte{record.Args, record.Result.Data} {
		for key, value := range leaves(source) {
			for _, v := range k.values(value) {
				for i, kind := range compared {
					if !kind.ignores(&v) && kind.is(&v, key) {
						slots = append(slots, slot{i, piece(value, v)})
					}
				}
			}
		}
	}
	k.slots[record] = slots
	return slots
}

func piece(text string, v reading.Value) string {
	if v.End() > len(text) || v.Start() > v.End() {
		return text
	}
	return v.String()
}

// madeLike is the shape of an id: its letters, and a zero for each run of digits.
// All files are of one make, and so are all addresses.
func madeLike(id string) string {
	if at := strings.IndexByte(id, '@'); at > 0 {
		return "@"
	}
	if dot := strings.LastIndexByte(id, '.'); dot > 0 && dot < len(id)-1 && len(id)-dot <= 5 && isLetter(id[len(id)-1]) {
		return "."
	}
	var shape strings.Builder
	for _, r := range strings.ToUpper(id) {
		switch {
		case r >= '0' && r <= '9':
			if !strings.HasSuffix(shape.String(), "0") {
				shape.WriteByte('0')
			}
		case r != '-' && r != '_' && r != '#':
			shape.WriteRune(r)
		}
	}
	return shape.String()
}

// leaves visits the scalars of a JSON text with the names of the members they
// stand under, in lower case. A text that is no JSON is one leaf.
func leaves(data []byte) func(yield func(key, value string) bool) {
	return func(yield func(key, value string) bool) {
		if whole, fault := scan(data); fault == nil {
			walk("", whole, 0, yield)
		} else {
			yield("", string(data))
		}
	}
}

func walk(key string, value []byte, depth int, yield func(key, value string) bool) bool {
	switch kind := jsonspan.KindOf(value); {
	case depth > 16:
	case kind == jsonspan.Object:
		for name, member := range jsonspan.Members(value) {
			if !walk(strings.ToLower(string(jsonspan.Key(name))), member, depth+1, yield) {
				return false
			}
		}
	case kind == jsonspan.Array:
		for element := range jsonspan.Elements(value) {
			if !walk(key, element, depth+1, yield) {
				return false
			}
		}
	default:
		return yield(key, jsonspan.Scalar(value))
	}
	return true
}
