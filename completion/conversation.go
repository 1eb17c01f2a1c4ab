package completion

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/vector"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// conversation is a turn, read: its texts, its tools and its records. It is
// reused from turn to turn.
type conversation struct {
	turn     *Case
	reader   *reading.Reader
	language *lexicon.Language
	tools    []toolFacts // those offered
	strange  []toolFacts // those that only records name
	nameless toolFacts
	facts    []fact // earlier ones first
	made     []fact // those of this turn
	text     reading.Text
	raw      string // the text as it was written, without a greeting before it
	user     reading.Text
	previous reading.Text
	scratch  []reading.Value
	tokens   []lexicon.Token // of a greeting

	// What is known, and from where.
	now      [numFates]keySet // records of this turn
	before   keySet           // successful records of earlier turns
	said     keySet           // the user's words
	answered keySet           // the assistant's words before
	offered  keySet           // names and descriptions of the tools
	acts     keySet           // names and descriptions of the tools that were called with success

	sum        sums
	signals    signals
	ofClause   []float32 // features of an assertion
	ofTurn     []float32 // those of the turn, once something asks for them
	doubts     doubtSums
	assertions []assertion
	words      []uint64        // of all assertions
	heading    *vector.Heading // where words point
	bearings   vector.Bearings // of a tool
	lemmas     []int32         // of its name
	slots      []reading.Value // values of the arguments of records
	shown      keySet          // the text's values
	about      request
	wished     nearness     // of the user's words
	meant      int          // tools that change and that the user's words may mean
	uncalled   int          // those of them that were not called
	all        reading.Role // of the text's words
	quiet      bool         // the text asks, and claims nothing
	openEnded  bool         // a call did not end well, and the text tells so
	untold     bool         // nothing worked, and not a word of the text tells so
}

// sums count what happened.
type sums struct {
	changed, read, failed, pending, mended  int // of this turn
	unknown                                 int // of the failed: those of which nobody knows whether they worked
	doubtful                                int // of the failed: changes whose result reads like an error
	changedBefore, readBefore, failedBefore int // of earlier ones
}

// doubtSums are the doubts about the assertions: the greatest three, the mean, and
// that about any of them.
type doubtSums struct {
	top       [3]float64
	mean, any float64
	own       bool // the greatest is about what the text itself is
}

func newConversation() *conversation {
	return &conversation{
		reader: reading.English(), language: lexicon.English(), heading: vector.NewHeading(vector.English()),
	}
}

// read reads a turn. The text is given apart, since disguises of letters are
// undone in it first.
func (c *conversation) read(turn *Case, text string) {
	c.turn, c.sum = turn, sums{}
	c.readTools()
	for i := range c.now {
		c.now[i].Clear()
	}
	for _, set := range [...]*keySet{&c.before, &c.said, &c.answered, &c.shown, &c.acts} {
		set.Clear()
	}
	c.slots = c.slots[:0]
	c.facts = reuse(c.facts, len(turn.Earlier)+len(turn.Records))
	before := c.readRecords(c.facts, turn.Earlier, true)
	n := before + c.readRecords(c.facts[before:], turn.Records, false)
	c.facts, c.made = c.facts[:n], c.facts[before:n]
	c.count()
	for i := range c.made {
		if t := c.made[i].tool; t.called > 0 {
			c.acts.addAll(&t.names, &t.told)
		}
	}
	c.reader.Read(&c.text, text)
	c.text.Drop(reading.RoleTrouble|reading.RoleError, c.isToolsWord)
	c.reader.Read(&c.user, calm(clip.Text(turn.User, maxRead)))
	dropFrames(&c.text)
	c.reader.Read(&c.previous, clip.Text(turn.Previous, maxRead))
	c.said.addValues(c.user.Values)
	c.answered.addValues(c.previous.Values)
	c.readRequest()
	c.meant, c.uncalled, c.wished = 0, 0, farAway()
	for i := range c.tools {
		if t := &c.tools[i]; t.changes && c.userMeans(t) {
			c.meant++
			c.uncalled += int(is(t.called == 0))
		}
	}
	c.all = rolesOf(&c.text)
	c.readSignals()
	c.openEnded = c.sum.pending+c.sum.failed > 0 && (c.tellsOpen() || c.repeatsError())
	c.untold = c.sum.failed > 0 && c.sum.changed+c.sum.pending+c.sum.doubtful == 0 && !c.openEnded &&
		c.signals.asks < 0 && !c.foreign(3)
	c.assert()
}

// isToolsWord reports whether a word names what a tool is about: where issues
// are created, "an issue" is a thing and no trouble.
func (c *conversation) isToolsWord(word string) bool {
	key := c.reader.StemKey(word)
	return slices.ContainsFunc(c.tools, func(t toolFacts) bool { return t.changes && t.names.has(key) })
}

// reuse is a slice of n elements that keep the room of those before.
func reuse[T any](s []T, n int) []T {
	return slices.Grow(s[:cap(s)], max(0, n-cap(s)))[:n]
}

// isOf reports whether the facts were read from a tool as it is now.
func (t *toolFacts) isOf(tool *tooltrack.Tool) bool {
	return t.tool != nil && t.name == tool.Name && t.changes == tool.Effect.MayChange() &&
		t.tool.Description == tool.Description
}

// readTools reads the tools that were offered, and those that only records
// name. Most turns share their tools with the turn before.
func (c *conversation) readTools() {
	tools := c.turn.Tools
	same := len(c.tools) == len(tools)
	c.tools = reuse(c.tools, len(tools))
	for i := range tools {
		t := &c.tools[i]
		if !t.isOf(&tools[i]) {
			c.readTool(t, tools[i].Name, &tools[i], tools[i].Effect)
			same = false
		}
		t.tool, t.called = &tools[i], 0
	}
	if !same {
		c.offered.Clear()
		for i := range c.tools {
			c.offered.addAll(&c.tools[i].names, &c.tools[i].told)
		}
	}
	c.strange = c.strange[:0]
	for _, records := range [...][]*tooltrack.Record{c.turn.Earlier, c.turn.Records} {
		for _, record := range records {
			if record != nil && c.toolOf(record) == &c.nameless && len(c.strange) < maxStrange {
				c.strange = append(c.strange, toolFacts{})
				c.readTool(&c.strange[len(c.strange)-1], record.Tool, nil, record.Effect)
			}
		}
	}
}

// maxStrange is the number of tools that are known from records alone.
const maxStrange = 64

// readRecords makes facts of records, and says of how many.
func (c *conversation) readRecords(facts []fact, records []*tooltrack.Record, earlier bool) int {
	n := 0
	for _, record := range records {
		if record == nil {
			continue
		}
		f := &facts[n]
		c.readRecord(f, record, earlier)
		switch {
		case !earlier:
			c.now[f.fate].addAll(&f.known)
		case f.worked():
			c.before.addAll(&f.known)
		}
		n++
	}
	return n
}

// count sums the records up. A failure that a later call of the same tool made
// good does not count.
func (c *conversation) count() {
	var before [numFates]int
	for i := range c.facts[:len(c.facts)-len(c.made)] {
		before[c.facts[i].fate]++
	}
	c.sum.changedBefore, c.sum.readBefore, c.sum.failedBefore = before[fateChanged], before[fateRead], before[fateFailed]
	for i := range c.made {
		f := &c.made[i]
		switch f.fate {
		case fateChanged:
			c.sum.changed++
			f.tool.called++
		case fateRead:
			c.sum.read++
			f.tool.called++
		case fatePending:
			c.sum.pending++
		default:
			f.mended = c.noSuchTool(f) || slices.ContainsFunc(c.made[i+1:], func(later fact) bool {
				return later.tool == f.tool && later.worked()
			})
			if f.mended {
				c.sum.mended++
				continue
			}
			c.sum.failed++
			c.sum.doubtful += int(is(f.record.Succeeded()))
			c.sum.unknown += int(is(f.record.Result.Status == tooltrack.Unknown || f.record.Succeeded()))
		}
	}
}

// noSuchTool reports whether a refused call was of a tool that does not exist:
// a slip of the model that nothing can have come of, and no news to the user.
func (c *conversation) noSuchTool(f *fact) bool {
	refused := f.record.Ruling.Denied || f.record.Result.Status == tooltrack.Denied
	return refused && f.tool.tool == nil && len(c.tools) > 0
}

// isContent reports whether a word says something by itself.
func (c *conversation) isContent(v *reading.Value) bool {
	if v.Kind != reading.Word || v.Has(reading.Merged) || v.End-v.Start < 3 {
		return false
	}
	return v.Entry == nil || v.Entry.Class&functionWord == 0
}
