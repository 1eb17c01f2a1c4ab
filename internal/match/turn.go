package match

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Words are what was said in the conversation beside the text that is checked.
type Words struct {
	// User is the message that the turn answers, Previous the assistant's text before it.
	User, Previous string
	// Before are the messages of both before these, and Reported what other agents
	// answered: no evidence, but values that may be told.
	Before, Reported []string
	// Acting is true when the message asks for a change now: those of earlier turns then
	// show nothing as done.
	Acting bool
	// Now is when the text is to be shown; zero is unknown.
	Now time.Time
}

// Turn is what claims are held against: the records of a conversation, numbered from 1,
// those of earlier turns first, and the words around them. Each is read when it is first
// needed, and once.
type Turn struct {
	tools   *Tools
	words   Words
	source  []*tooltrack.Record
	earlier int
	read    []*record
	memory
}

// memory is what claim after claim asks of a turn, found out once.
type memory struct {
	said     keys // what the user and the assistant have named
	figures  []float64
	asked    keys            // what the user's message names
	sentence string          // the one that was asked about last
	claims   []Claim         // and its claims
	figure   *reading.Figure // the one that was looked for last
	totals   *totals         // of the records that were asked about last
	mended   map[int]bool    // see isMendedLater
	work     int             // what was compared so far
}

// ErrTooMuch is what a turn panics with whose claims and records would take too much work.
var ErrTooMuch = errors.New("too much work: too many claims for so many records")

// spend notes that so much more is compared. Hardly any claim is held against all that a turn
// has, but one who wants to can write a text that has to be: it is not judged.
func (m *memory) spend(work int) {
	const most = 10_000_000 // leaves of records and values: half a second; 50,000 are rare
	if m.work += work; m.work > most {
		panic(ErrTooMuch)
	}
}

// NewTurn takes the records of earlier turns and of this one. Tools may be nil, or those
// of another turn: they are read anew where an offered one is not among them.
func NewTurn(tools *Tools, offered []tooltrack.Tool, words Words, earlier int, records []*tooltrack.Record) *Turn {
	words.Acting = words.Acting || hasPhrase("more", words.User) && !strings.Contains(words.User, "?")
	return &Turn{
		tools: tools.of(offered), words: words, source: records, earlier: earlier, read: make([]*record, len(records)),
	}
}

// record is the record of a number; nil if there is none.
func (t *Turn) record(number int) *record {
	if number < 1 || number > len(t.source) {
		return nil
	}
	if t.read[number-1] == nil {
		from := t.source[number-1]
		t.read[number-1] = readRecord(from, t.tools.byName[from.Tool])
		t.read[number-1].earlier, t.read[number-1].turn = number <= t.earlier, &t.memory
	}
	return t.read[number-1]
}

// records are those of some numbers.
func (t *Turn) records(numbers []int) (records []*record) {
	for _, number := range numbers {
		if r := t.record(number); r != nil {
			records = append(records, r)
		}
	}
	return records
}

// all are the numbers of all records.
func (t *Turn) all() []int {
	numbers := make([]int, len(t.source))
	for i := range numbers {
		numbers[i] = i + 1
	}
	return numbers
}

// conversation is what the user and the assistant have named.
func (t *Turn) conversation() keys {
	if t.said != nil {
		return t.said
	}
	t.said = keys{}
	reader := reading.English()
	take := func(text string) {
		values := reader.Values(nil, text)
		t.said.add(values)
		t.figures = appendFigures(t.figures, values)
	}
	take(t.words.User)
	take(t.words.Previous)
	for _, text := range slices.Concat(t.words.Reported, t.words.Before) {
		take(text)
	}
	for day := -1; day <= 1 && !t.words.Now.IsZero(); day++ {
		take(t.words.Now.AddDate(0, 0, day).Format("Monday, 2006-01-02"))
	}
	return t.said
}

// isSaid reports whether the conversation names a value.
func (t *Turn) isSaid(v *reading.Value) bool { return hasValue(t.conversation(), v) }

// isRecorded reports whether some record that succeeded holds a value, those aside that are
// given.
func (t *Turn) isRecorded(v *reading.Value, beside []*record) bool {
	for number := range t.source {
		if r := t.record(number + 1); r.Succeeded() && r.holds(v) && !slices.Contains(beside, r) {
			return true
		}
	}
	return false
}

// holds reports whether a record has a value of a text, however it is written.
func (r *record) holds(v *reading.Value) bool {
	if r.turn.spend(1); r.has(v) || v.Kind == reading.ID && r.hasText(lastPart(v.String())) {
		return true
	}
	if v.Kind == reading.Number && isThousands(v.After()) {
		return r.keys[reading.KeyOf(reading.Number, v.Number*1000)]
	}
	return (v.Kind == reading.Number || v.Kind == reading.Clock) && r.converts(v)
}

// isThousands reports whether what follows a figure is the k of 48k.
func isThousands(after string) bool {
	return after != "" && after[0]|0x20 == 'k' && (len(after) == 1 || after[1]|0x20 < 'a' || after[1]|0x20 > 'z')
}

// lastPart is the last piece of a path.
func lastPart(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

// hasValue reports whether keys hold a value in one of the ways it may be written.
func hasValue(held keys, v *reading.Value) bool {
	keys := v.Keys()
	return held[keys[0]] || held[keys[1]] || held[keys[2]]
}

// isAsked reports whether the user's message names a value.
func (t *Turn) isAsked(v *reading.Value) bool {
	if t.asked == nil {
		t.asked = keysIn(t.words.User)
	}
	return hasValue(t.asked, v)
}
