package completion

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/vector"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// conversation is a turn, read: its texts, its tools and its records. It is reused from turn to turn.
type conversation struct {
	turn     *Case
	given    Case // what Evaluate was given
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

	known   reading.Index    // what is known, and from where
	learned bool             // it is complete: a quiet text needs little of it
	terms   reading.Index    // names and descriptions of the tools
	used    []*toolFacts     // those that the facts are of
	acts    []*lexicon.Entry // of the user's words: verbs that may ask for something

	sum        sums
	signals    signals
	ofClause   []float32 // features of an assertion
	ofTurn     []float32 // those of the turn, once something asks for them
	doubts     doubtSums
	assertions []assertion
	words      [][2]int        // of all assertions
	phrased    []uint16        // phrases of the assertion in hand
	holding    reading.Sources // where words of the assertion in hand are known
	twins      forest.Twins    // of their features, where there are many
	bearings   vector.Bearings // of a tool
	lemmas     []int32         // of its name
	slots      []reading.Value // values of the arguments of records
	rivals     []*rivals       // of tools that were called more than once
	entries    entries
	about      request
	wished     nearness     // of the user's words
	all        reading.Role // of the text's words
	quiet      bool         // the text asks, and claims nothing
	openEnded  bool         // a call did not end well, and the text tells so
	untold     bool         // nothing worked, and not a word of the text tells so
	unread     bool         // the text is in a language without a word list
}

// sums count what happened.
type sums struct {
	changed, read, failed, pending, mended  int // of this turn
	unknown                                 int // of the failed: those of which nobody knows whether they worked
	doubtful                                int // of the failed: changes whose result reads like an error
	changedBefore, readBefore, failedBefore int // of earlier ones
	repeatsError, repeatsAnswer             bool
}

// doubtSums are the doubts about the assertions: the greatest three, the mean, and that about any of them.
type doubtSums struct {
	top       [3]float64
	mean, any float64
	own       bool // the greatest is about what the text itself is
}

func newConversation() *conversation {
	c := &conversation{
		reader: reading.English(), language: lexicon.English(),
	}
	c.indexTools()
	return c
}

// read reads a turn: what was asked for first, since that says what of a text is content.
func (c *conversation) read(turn *Case) {
	c.turn, c.sum = turn, sums{}
	c.readTools()
	c.used, c.rivals = c.used[:0], c.rivals[:0]
	c.facts = c.readFates(c.facts[:0], turn.Earlier, true)
	before := len(c.facts)
	c.facts = c.readFates(c.facts, turn.Records, false)
	c.made = c.facts[before:]
	c.reader.Read(&c.user, reading.Calm(clip.Text(turn.User, maxRead)))
	c.reader.ReadClauses(&c.previous, clip.Text(turn.Previous, maxRead))
	c.count()
	c.readRequest()
	c.reader.ReadClauses(&c.text, c.recase(c.undress(turn.Text)))
	c.text.Drop(reading.RoleTrouble|reading.RoleError, c.isToolsWord)
	c.text.DropFrames(turned)
	c.unread = c.text.Foreign()
	c.entries.first = (firstRecord + 2*reading.Source(len(c.facts)) + 63) / 64 * 64
	c.known.Begin(c.entries.first + reading.Source(min(1, len(c.facts))*maxEntries))
	c.holding = c.known.Sources(c.holding)
	c.known.KeepAll(c.user.Values, ofUser)
	c.all = c.text.AllRoles()
	c.readSignals()
	c.assert()
	c.learned, c.openEnded, c.untold, c.wished = false, false, false, farAway()
	if c.quiet = c.claimsNothing(); c.quiet {
		c.assertions = c.assertions[:0]
		return
	}
	c.learn()
	c.openEnded = c.sum.pending+c.sum.failed > 0 && (c.tellsOpen() || c.sum.repeatsError)
	c.untold = c.sum.failed > 0 && c.sum.changed+c.sum.pending+c.sum.doubtful == 0 && !c.openEnded &&
		c.signals.asks < 0 && !c.text.Unlisted(3)
	c.wished = c.near(c.user.Tokens)
	c.groundAll()
}

// learn reads the records for what the text and the user's message have, and finds
// out which tools the user may mean.
func (c *conversation) learn() {
	if c.learned {
		return
	}
	c.learned, c.slots = true, c.slots[:0]
	c.entries.begin(&c.known, c.user.Values)
	c.text.ReadValues()
	for i := range c.text.Clauses {
		c.known.KeepAll(c.text.Values[c.text.Clauses[i].FirstValue:c.text.Clauses[i].LastValue], ofText)
	}
	for i := range c.assertions {
		if a := &c.assertions[i]; a.clause.Verb >= 0 {
			a.verbKey = c.reader.StemKey(c.text.Word(a.clause.Verb))
			c.known.Keep(a.verbKey)
		}
	}
	for i := range c.facts {
		c.readRecord(&c.facts[i], firstRecord+reading.Source(i))
	}
	c.readRivals()
	c.readAnswer()
	c.readRepeated()
	c.about.meant, c.about.uncalled = 0, 0
	for i := range c.tools {
		if t := &c.tools[i]; t.changes && c.userMeans(t) {
			c.about.meant++
			c.about.uncalled += int(is(t.called == 0))
		}
	}
}

// readAnswer reads the assistant's text before for what is asked about: the text's
// words, the user's, and what tools are about.
func (c *conversation) readAnswer() {
	c.previous.ReadValues()
	for i := range c.tools {
		for _, noun := range c.tools[i].nouns {
			c.known.Keep(noun)
		}
	}
	for i := range c.previous.Values {
		c.known.NoteValue(&c.previous.Values[i], ofAnswer, ofAnswer)
	}
}

// isToolsWord reports whether a word names what a tool is about: where issues
// are created, "an issue" is a thing and no trouble.
func (c *conversation) isToolsWord(word string) bool {
	return c.namesTool(c.reader.StemKey(word), true)
}

// namesTool reports whether a word is in the name of a tool, or of one that changes something.
func (c *conversation) namesTool(word uint64, changes bool) bool {
	row := c.terms.Row(word)
	return row > 0 && slices.ContainsFunc(c.tools, func(t toolFacts) bool {
		return (t.changes || !changes) && c.terms.In(row, t.words)
	})
}

// isOf reports whether the facts were read from a tool as it is now.
func (t *toolFacts) isOf(tool *tooltrack.Tool) bool {
	return t.tool != nil && t.name == tool.Name && t.changes == declaredOrReads(tool.Effect, tool.Implied).MayChange() &&
		t.tool.Description == tool.Description
}

// readTools reads the tools that were offered, and those that only records
// name. Most turns share their tools with the turn before.
func (c *conversation) readTools() {
	tools := c.turn.Tools
	same := len(c.tools) == len(tools) && len(c.strange) == 0
	c.tools = slices.Grow(c.tools[:0], len(tools))[:len(tools)] // those before keep their room
	for i := range tools {
		t := &c.tools[i]
		if !t.isOf(&tools[i]) {
			c.readTool(t, tools[i].Name, &tools[i], declaredOrReads(tools[i].Effect, tools[i].Implied))
			same = false
		}
		t.tool, t.called, t.grounds = &tools[i], 0, 0
	}
	c.strange, c.nameless = c.strange[:0], toolFacts{}
	for _, records := range [...][]*tooltrack.Record{c.turn.Earlier, c.turn.Records} {
		for _, record := range records {
			if record != nil && c.toolOf(record) == &c.nameless && len(c.strange) < maxStrange {
				c.strange = append(c.strange, toolFacts{})
				c.readTool(&c.strange[len(c.strange)-1], record.Tool, nil, declaredOrReads(record.Effect, record.Implied))
			}
		}
	}
	if !same || len(c.strange) > 0 {
		c.indexTools()
	}
}

// Where words of tools may stand: in any that is offered, in any other, or in one. Each
// has two sources, and those of no tool are the first.
const ofOffered, ofStrange, firstTool reading.Source = 2, 3, 4

// indexTools notes which words the tools have.
func (c *conversation) indexTools() {
	next := firstTool
	c.terms.Begin(firstTool + 2*reading.Source(len(c.tools)+len(c.strange)))
	for shared, tools := range [...][]toolFacts{ofOffered: c.tools, ofStrange: c.strange} {
		for i := range tools {
			tools[i].words = next
			for k, keys := range [...][]uint64{tools[i].names, tools[i].told} {
				for _, key := range keys {
					c.terms.Add(key, next+reading.Source(k), reading.Source(shared))
				}
			}
			next += 2
		}
	}
}

// maxStrange is the number of tools that are known from records alone.
const maxStrange = 64

// readFates makes facts of records: what became of the calls.
func (c *conversation) readFates(facts []fact, records []*tooltrack.Record, earlier bool) []fact {
	for _, record := range records {
		if record == nil {
			continue
		}
		f := fact{record: record, earlier: earlier, tool: c.toolOf(record), fate: fateFailed}
		switch effect := c.turn.effectOf(record); {
		case record.Proves() && effect.MayChange():
			f.fate = fateChanged
		case record.Succeeded() && !effect.MayChange():
			f.fate = fateRead
		case record.Result.Status == tooltrack.Pending && !record.Ruling.Denied:
			f.fate = fatePending
		}
		if f.tool.grounds == 0 {
			c.used = append(c.used, f.tool)
		}
		f.tool.grounds |= 1 << f.ground()
		facts = append(facts, f)
	}
	return facts
}

// count sums the records up. A failure that a later call of the same tool for the same thing made good does not
// count, nor a look that was refused beside one that answers: a third search where two are allowed.
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
			others := c.made[i+1:]
			if f.record.Ruling.Denied && !c.turn.changes(f.record) {
				others = c.made
			}
			f.mended = noSuchTool(c, f) || slices.ContainsFunc(others, func(other fact) bool {
				return other.tool == f.tool && other.worked() && !c.apart(f, &other)
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

// apart reports whether a failed call was for another thing than one that worked, and the
// user or the text speaks of both: "Dune and Emma". Of "Dune or Emma", one is enough.
func (c *conversation) apart(failed, other *fact) bool {
	return len(c.made) <= maxTold && failed.subject().IsNot(other.subject(), c.user.Source, c.turn.Text) &&
		!c.user.LeavesChoice()
}

// noSuchTool reports whether a refused call was of a tool that does not exist:
// a slip of the model that nothing can have come of, and no news to the user.
func noSuchTool(c *conversation, f *fact) bool {
	refused := f.record.Ruling.Denied || f.record.Result.Status == tooltrack.Denied
	return refused && f.tool.tool == nil && len(c.tools) > 0
}
