package completion

import (
	"bytes"
	"slices"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/telling"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/internal/vector"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// fate is what became of a call.
type fate uint8

const (
	fateChanged fate = iota // a change that succeeded
	fateRead                // a read that succeeded
	fateFailed              // failed, denied, unknown, or a change whose result reads like an error
	fatePending             // accepted, not done yet
	fateEarlier             // a success of earlier turns, where a clause looks for its record
	numFates
)

// Where values may be known: in the records of a fate, in somebody's words, or in one record.
const (
	failedBefore = reading.Source(numFates) + iota
	ofUser
	ofAnswer // the assistant's words before
	ofText   // the clauses of the text
	firstRecord
)

// fact is a record of the conversation, read for what it can back.
type fact struct {
	record  *tooltrack.Record
	tool    *toolFacts
	fate    fate
	earlier bool
	mended  bool                   // a failure that a later call of the same tool made good for the same thing
	itself  reading.Source         // as the conversation knows it
	beside  reading.Source         // what it holds beside the entries of its lists
	listed  bool                   // it has such entries
	shared  reading.Source         // all records like it
	says    bool                   // holds anything
	kinds   [reading.Clock + 1]int // how many values of each kind it holds
	slots   [2]int                 // its arguments' values, of those that the conversation holds
	// measures are its figures in their units, once a text is held against them.
	measures *reading.Measures
}

// subject is what the call is about.
func (f *fact) subject() telling.Subject {
	return telling.SubjectOf(f.record.Args, f.tool.tool, &f.tool.Reading)
}

// worked reports whether the call did what it should.
func (f *fact) worked() bool { return f.fate == fateChanged || f.fate == fateRead }

// has reports whether the arguments or the result have some letters.
func (f *fact) has(letters string) bool {
	return bytes.Contains(f.record.Args, []byte(letters)) || bytes.Contains(f.record.Result.Data, []byte(letters))
}

// slotsOf are the values of the arguments of a call.
func (c *conversation) slotsOf(f *fact) []reading.Value { return c.slots[f.slots[0]:f.slots[1]] }

// ground is what became of the call, as a clause looks for its record.
func (f *fact) ground() fate {
	if f.earlier && f.worked() {
		return fateEarlier
	}
	return f.fate
}

// toolFacts is what a tool does, as its name and description say.
type toolFacts struct {
	toolname.Reading
	tool    *tooltrack.Tool // nil for a tool that only a record names
	name    string
	changes bool
	runs    bool // a command or a check, as its name says
	verbKey uint64
	nouns   []uint64       // stems of what it is about
	names   []uint64       // stems of the name
	told    []uint64       // stems of the description
	words   reading.Source // its name, as the conversation knows it; its description is the next
	toward  vector.Vector  // where its words point
	called  int            // successful calls in this turn
	grounds uint8          // what became of its calls: a set of fates
	fit     float64        // how well it does what the verb of the assertion in hand says
	cover   float64        // the share of its words in the name and the description
}

// maxRead is the number of bytes of a result that are read: what a text reports
// of more than that is found by its first part, or not at all.
const maxRead = 64 << 10

// readTool reads a tool's name and description.
func (c *conversation) readTool(t *toolFacts, name string, tool *tooltrack.Tool, effect tooltrack.Effect) {
	*t = toolFacts{
		tool: tool, name: name, changes: effect.MayChange(), runs: c.reader.RunsCommand(name),
		nouns: t.nouns[:0], names: t.names[:0], told: t.told[:0],
	}
	words := toolname.Tool{Name: name}
	if tool != nil {
		words.Description, words.Parameters = tool.Description, tool.Parameters
	}
	t.Reading = toolname.Read(c.language, words)
	if t.Verb.Text != "" {
		t.verbKey = c.reader.StemKey(t.Verb.Text)
	}
	for _, noun := range t.Nouns {
		t.nouns = append(t.nouns, c.reader.StemKey(noun.Text))
	}
	names := toolname.Words(name)
	known := names
	if tool != nil {
		known = slices.Concat(names, tool.Words.Verbs, tool.Words.Nouns)
	}
	for _, word := range known {
		t.names = append(t.names, c.reader.StemKey(word))
	}
	c.scratch = c.reader.Values(c.scratch[:0], words.Description)
	for i := range c.scratch {
		t.told = append(t.told, c.scratch[i].Key)
	}
	c.readToward(t, names, words.Description)
}

// readRecord reads what a record holds.
func (c *conversation) readRecord(f *fact, itself reading.Source) {
	record := f.record
	if f.itself, f.shared = itself, failedBefore; !f.earlier || f.worked() {
		f.shared = reading.Source(f.ground())
	}
	f.beside = itself + reading.Source(len(c.facts))
	args, answer := string(record.Args), clip.Text(record.Result.Text(), maxRead)
	c.entries.places = placesOf(record.Args, c.entries.places[:0])
	given := len(c.entries.places)
	told := []byte(record.Result.Data)
	if len(told) != len(answer) { // it was quoted, or cut
		told = []byte(answer)
	}
	c.entries.places = placesOf(told, c.entries.places)
	if f.listed = len(c.entries.places) > 1 && len(c.entries.all)+len(c.entries.places) <= maxEntries; !f.listed {
		c.entries.places, given = c.entries.places[:0], 0
		if len(c.entries.all) < maxEntries {
			c.entries.add(f)
		}
	}
	c.take(f, args, c.entries.places[:given])
	c.takeSlots(f)
	c.takeLengths(f, record.Args)
	c.takeLengths(f, record.Result.Data[:min(len(record.Result.Data), maxRead)])
	c.take(f, answer, c.entries.places[given:])
	c.take(f, clip.Text(record.Result.Error, maxRead), nil)
	for _, subject := range record.Touched {
		c.take(f, subject.Title, nil)
		c.take(f, subject.ID, nil)
	}
}

// take adds the values of a text to what a record holds, and to its entries, which stand at
// some places of the text.
func (c *conversation) take(f *fact, text string, places [][2]int) {
	if c.scratch = c.scratch[:0]; text == "" {
		return
	}
	c.scratch = c.reader.Values(c.scratch, text)
	f.says = f.says || len(c.scratch) > 0
	var whole *entry // the record itself
	if n := len(c.entries.all); !f.listed && n > 0 && c.entries.all[n-1].fact == f {
		whole = &c.entries.all[n-1]
	}
	at, in := 0, -1 // the next place, and the one whose entry was added last
	for i := range c.scratch {
		v := &c.scratch[i]
		c.known.NoteValue(v, f.itself, f.shared)
		if !v.Has(reading.Derived | reading.Merged) {
			f.kinds[v.Kind]++
		}
		for at < len(places) && v.Start() >= places[at][1] {
			at++
		}
		switch {
		case whole != nil:
			c.entries.keep(whole, f, v)
		case at < len(places) && v.Start() >= places[at][0]:
			if in != at {
				in = at
				c.entries.add(f)
			}
			c.entries.keep(&c.entries.all[len(c.entries.all)-1], f, v)
		default:
			c.known.NoteValue(v, f.beside, f.shared)
		}
	}
}

// takeSlots keeps the values of the arguments, which were read last: what a call was about.
func (c *conversation) takeSlots(f *fact) {
	f.slots[0] = len(c.slots)
	for i := range c.scratch {
		v := &c.scratch[i]
		names := v.Kind != reading.Word || v.Has(reading.Capital) && v.Entry == nil
		if len(c.slots) < maxSlots && names && !v.Has(reading.Derived|reading.Merged) {
			c.slots = append(c.slots, *v)
		}
	}
	f.slots[1] = len(c.slots)
}

// maxSlots is the number of values of arguments that are kept.
const maxSlots = 512

// takeLengths adds the lengths of JSON arrays: "six tracks" may be told of a list that holds them.
func (c *conversation) takeLengths(f *fact, value []byte) {
	jsonspan.Lengths(value, 7, func(n int) {
		f.says = true
		c.known.Note(reading.KeyOf(reading.Number, float64(n)), f.itself, f.shared)
	})
}

// toolOf is the tool of a record.
func (c *conversation) toolOf(record *tooltrack.Record) *toolFacts {
	for _, tools := range [...][]toolFacts{c.tools, c.strange} {
		for i := range tools {
			if tools[i].name == record.Tool {
				return &tools[i]
			}
		}
	}
	return &c.nameless
}
