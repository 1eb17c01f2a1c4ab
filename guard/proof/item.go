package proof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// shape checks what needs no record: a known status, a thing that is named,
// numbers that were issued.
func (c *checker) shape(i int) {
	item, n := &c.report.Items[i], i+1
	switch {
	case !slices.Contains(statuses, item.Status):
		c.fault("status", n, "item %d: there is no status %.40q; use one of %v", n, string(item.Status), statuses)
	case item.What == "" || len(item.What) > maxWhat:
		c.fault("what", n, "item %d: what must name the thing in at most %d bytes", n, maxWhat)
	case item.Status.Claims() && !c.known.touches(item.What, c.told) && !c.isOpen(item.What):
		c.fault("vague", n, "item %d: %s names nothing of the conversation; say what was done to what",
			n, oneLine(item.What, 80))
	case item.Status.Cites() && len(item.Records) == 0:
		c.fault("no record", n, "item %d: %q needs the number of a call that shows it; "+
			"if no call does, it is not_done, and the message must not say it", n, item.Status)
	}
	for _, number := range item.Records {
		if c.turn.List.Record(number) == nil {
			c.fault("unknown number", n, "item %d: there is no record #%d; only #1 to #%d count", n, number, c.turn.List.Len())
		}
	}
}

// Meant is a report with the statuses that its items mean: of one that was only said to be
// shown by calls, what these are.
func Meant(report Report, turn Case) Report {
	c := checker{turn: turn, tools: turn.Readings.of(turn.Tools).byName}
	report.Items = slices.Clone(report.Items)
	for i := range report.Items {
		report.Items[i].Status = c.meant(&report.Items[i])
	}
	return report
}

// meant is the status of an item. What is said to be shown is done where calls change
// something, or a word of it is for what a tool would change, and otherwise answered. And
// some call a look-up done that has no such word: it is answered, as is whatever another
// agent was asked for: what that one did, its answer does not show.
func (c *checker) meant(item *Item) Status {
	cited := c.turn.List.Cited(item.Records)
	if item.Status != shown && item.Status != Done || len(cited) == 0 {
		return item.Status
	}
	if item.Status == Done && c.onlyBegun(item) {
		return Pending
	}
	changes := func(number int) bool {
		record := c.turn.List.Record(number)
		return record != nil && !c.turn.List.Earlier(number) && c.mayChange(record)
	}
	reads := !slices.ContainsFunc(cited, c.mayChange)
	act := func(token lexicon.Token) bool { return !token.Families().Empty() && c.offered(token.Families()) }
	acts := slices.ContainsFunc(lexicon.English().Tokenize(nil, item.What), act)
	handed := func(r *tooltrack.Record) bool { return c.tools[r.Tool] != nil && c.tools[r.Tool].hands }
	switch {
	case item.Status == Done && reads && slices.ContainsFunc(cited, handed):
		return Answered
	case item.Status == Done && reads && !acts && c.tellsRead(item.What, cited):
		return Answered
	case item.Status == Done || acts || slices.ContainsFunc(item.Records, changes):
		return Done
	}
	return Answered
}

// tellsRead reports whether a description begins with a word for looking at something, or
// with the verb of a call that it cites: "Checked the stock", "listed the tasks".
func (c *checker) tellsRead(what string, cited []*tooltrack.Record) bool {
	reader := reading.English()
	read := reader.Read(nil, what)
	if len(read.Roles) == 0 {
		return false
	}
	const looks = reading.RoleLook | reading.RoleVerify | reading.RoleCheck
	key := reader.StemKey(read.Word(0))
	return read.Roles[0]&looks != 0 || slices.ContainsFunc(cited, func(r *tooltrack.Record) bool {
		tool := c.tools[r.Tool]
		return tool != nil && tool.Verb.Text != "" && reader.StemKey(tool.Verb.Text) == key
	})
}

// status checks that the cited calls went as the item says.
func (c *checker) status(i int) {
	item, n := &c.report.Items[i], i+1
	cited := c.turn.List.Cited(item.Records)
	if len(cited) == 0 {
		return
	}
	is := func(fits func(*tooltrack.Record) bool) bool { return slices.ContainsFunc(cited, fits) }
	switch item.Status {
	case Done:
		c.isDone(item, n, is)
	case Answered, Partial:
		if !is(c.came) {
			c.fault("not succeeded", n, "item %d: %s did not succeed, so nothing came of it", n, numbered(item.Records))
		} else if again := c.repeatedNow(item.Records); again != 0 {
			c.fault("earlier record", n, "item %d: %s is of an earlier turn, and #%d of this turn asked the same again",
				n, numbered(item.Records), again)
		}
	case Pending:
		c.isPending(item, n, is)
	case Failed:
		if !is(func(r *tooltrack.Record) bool { return !c.succeeded(r) || !r.Proves() }) {
			c.fault("not failed", n, "item %d: %s succeeded; a failure must cite the call that failed",
				n, numbered(item.Records))
		}
	}
}

// isDone checks that what is said to be done was changed, and in this turn where
// the user asks for it now.
func (c *checker) isDone(item *Item, n int, is func(func(*tooltrack.Record) bool) bool) {
	now := func(number int) bool { return !c.turn.List.Earlier(number) }
	switch {
	case c.isOver(item, n):
	case !is(c.succeeded):
		c.fault("not succeeded", n, "item %d: %s did not succeed, so it is failed or pending, not done",
			n, numbered(item.Records))
	case !is(func(r *tooltrack.Record) bool { return c.succeeded(r) && c.mayChange(r) }):
		c.fault("read for a change", n,
			"item %d: %s only read, so it is answered, not done; cite the call that changed something",
			n, numbered(item.Records))
	case slices.ContainsFunc(item.Records, c.fell):
		c.fault("not succeeded", n, "item %d: not all of %s succeeded, so it is partial; "+
			"tell what failed in an item of its own", n, numbered(item.Records))
	case c.turn.Acting && !slices.ContainsFunc(item.Records, now):
		c.fault("earlier record", n, "item %d: %s is of an earlier turn, and the user asks for something now",
			n, numbered(item.Records))
	}
}

// isPending checks that what is said to be under way was accepted, and has not failed
// since.
func (c *checker) isPending(item *Item, n int, is func(func(*tooltrack.Record) bool) bool) {
	if !is(func(r *tooltrack.Record) bool { return c.came(r) || waits(r) }) {
		c.fault("not pending", n, "item %d: %s was not accepted, so it is failed", n, numbered(item.Records))
	} else if number := c.unfinished(item.Records); number > 0 && c.turn.List.failedSince(number) {
		c.fault("not pending", n, "item %d: #%d has failed%s, so it is failed", n, number, c.turn.List.teller(number))
	}
}

// fell reports whether a call was to change something, did not, and no later one made it
// good.
func (c *checker) fell(number int) bool {
	record := c.turn.List.Record(number)
	return !record.Succeeded() && c.mayChange(record) && !c.madeGood(number)
}

// came reports whether something came of a call: what was read may speak of errors.
func (c *checker) came(record *tooltrack.Record) bool {
	return c.succeeded(record) || record.Succeeded() && !c.mayChange(record)
}

// waits reports whether a call was accepted and may not be through: it says so, or
// its result gives a state that is in doubt.
func waits(record *tooltrack.Record) bool {
	return record.Result.Status == tooltrack.Pending || record.Succeeded() && tellsState(record)
}

// repeatedNow is the call of this turn that asked the same tool as the cited
// calls of earlier turns; 0 if there is none, or if it is cited itself.
func (c *checker) repeatedNow(numbers []int) int {
	for _, number := range numbers {
		if !c.turn.List.Earlier(number) {
			return 0
		}
	}
	for number := c.turn.List.earlier + 1; number <= c.turn.List.Len(); number++ {
		if citedTool(c.turn.List.Cited(numbers), c.turn.List.Record(number).Tool) {
			return number
		}
	}
	return 0
}

// succeeded leaves out results that read like an error: they show nothing as
// done. A state in doubt is that of the entity where it is just what the call was
// to bring about, and no doubt where it is final and the text tells the same.
func (c *checker) succeeded(record *tooltrack.Record) bool {
	sound, known := c.sound[record]
	if !known {
		sound = record.Succeeded() && (record.Proves() || c.broughtAbout(record)) && !c.complains(record)
		c.sound[record] = sound
	}
	return sound
}

// stateKeys are the names by which results call the state of something.
var stateKeys = map[string]bool{"status": true, "state": true}

// broughtAbout reports whether the state that a result tells is the one that the
// call asks for: among its arguments, or what its tool does by name.
func (c *checker) broughtAbout(record *tooltrack.Record) bool {
	tool := c.tools[record.Tool]
	for key, state := range leaves(record.Result.Data) {
		if !stateKeys[key] {
			continue
		}
		for _, value := range leaves(record.Args) {
			if strings.EqualFold(value, state) {
				return true
			}
		}
		if tool != nil && tool.Families.Overlaps(actsOf(state)) {
			return true
		}
		if !c.known.reader.Waits(state) && c.known.meets(state, c.told) {
			return true
		}
	}
	return false
}

// toldState reports whether the text gives the state that the result of a cited call
// does: "it is queued".
func (c *checker) toldState(item *Item) bool {
	for _, record := range c.turn.List.Cited(item.Records) {
		for key, state := range leaves(record.Result.Data) {
			if stateKeys[key] && c.known.meets(state, c.told) {
				return true
			}
		}
	}
	return false
}

// tellsState reports whether a result gives the state of something: queued,
// running.
func tellsState(record *tooltrack.Record) bool {
	for key := range leaves(record.Result.Data) {
		if stateKeys[key] {
			return true
		}
	}
	return false
}

// complains reports whether a member of a change's result reads like an error,
// beside whatever else it says. What the thing is called does not count, nor what
// the call itself brought along: a ticket may be about what cannot be opened.
func (c *checker) complains(record *tooltrack.Record) bool {
	if !c.mayChange(record) || jsonspan.KindOf(record.Result.Data) != jsonspan.Object {
		return false
	}
	for key, value := range leaves(record.Result.Data) {
		if len(value) > 8 && !titleKeys[key] && tooltrack.ParseResult(value, nil).Status == tooltrack.Failed &&
			!brought(record, value) {
			return true
		}
	}
	return false
}

// titleKeys are the names by which results tell what a thing is called.
var titleKeys = map[string]bool{"title": true, "name": true, "subject": true, "label": true, "summary": true}

// brought reports whether a value stands among the arguments of a call.
func brought(record *tooltrack.Record, value string) bool {
	for _, argument := range leaves(record.Args) {
		if strings.EqualFold(argument, value) {
			return true
		}
	}
	return false
}

// mayChange is what the record says of itself, or else its tool.
func (c *checker) mayChange(record *tooltrack.Record) bool {
	if record.Effect != tooltrack.UnknownEffect {
		return record.Effect.MayChange()
	}
	if tool := c.tools[record.Tool]; tool != nil {
		return tool.effect.MayChange()
	}
	return true
}

// values checks that the values of an item are those of its records.
func (c *checker) values(i int) {
	item, n := &c.report.Items[i], i+1
	if !item.Status.Claims() && item.Status != Pending {
		return
	}
	said, other := c.known.contradicted(item.What, c.turn.List.Cited(item.Records))
	if said != "" && (item.Status == Done || !strings.Contains(c.turn.User, said)) {
		c.fault("contradicted", n, "item %d: it says %s, and %s says %s",
			n, oneLine(said, 60), numbered(item.Records), oneLine(other, 60))
	} else if value, why := c.known.unshown(item.What); value != "" && item.Status != Pending {
		c.fault("unshown value", n, "item %d: it says %s, and %s", n, oneLine(value, 60), why)
	} else if said, other := c.anotherThing(item.What, c.turn.List.Cited(item.Records)); said != "" {
		c.fault("contradicted", n, "item %d: it says %s, and %s was about %s; tell that, or both if they are the same",
			n, oneLine(said, 60), numbered(item.Records), oneLine(other, 60))
	} else if said, other := c.swapped(item); said != "" {
		c.fault("contradicted", n, "item %d: it says %s, and %s says %s",
			n, oneLine(said, 60), numbered(item.Records), oneLine(other, 60))
	} else if one := c.lacks(item); one != "" {
		c.fault("too many", n, "item %d: %s says nothing of %s; name what was done, and the rest as what it is",
			n, numbered(item.Records), oneLine(one, 60))
	}
}

// lacks is a thing that an item tells with others, and that none of its calls that came
// to something is about, or how many there are where these are fewer; empty if there is
// none. Calls of the same tools count with those that it cites, in this turn or, for what
// was done before, in all: who leaves a number out does not lie.
func (c *checker) lacks(item *Item) string {
	if item.Status != Done && item.Status != Answered {
		return ""
	}
	cited := c.turn.List.Cited(item.Records)
	calls, first := slices.Clone(cited), c.turn.List.earlier
	if slices.ContainsFunc(item.Records, c.turn.List.Earlier) {
		first = 0
	}
	for _, record := range c.turn.List.records[first:] {
		if citedTool(cited, record.Tool) && !slices.Contains(cited, record) {
			calls = append(calls, record)
		}
	}
	calls = slices.DeleteFunc(calls, func(r *tooltrack.Record) bool { return !c.came(r) })
	reads := func(r *tooltrack.Record) bool { return !c.mayChange(r) }
	if !slices.ContainsFunc(cited, reads) && !c.known.hedged(item.What) {
		if said := c.known.tooMany(item.What, calls); said != "" {
			return said
		}
	}
	return c.known.lacking(item.What, calls, strings.Contains(c.turn.User, item.What))
}

// act checks that a claimed change is not one that plainly belongs to another
// tool than the one that was called.
func (c *checker) act(i int) {
	item, n := &c.report.Items[i], i+1
	cited := c.turn.List.Cited(item.Records)
	reads := func(r *tooltrack.Record) bool { return !c.mayChange(r) }
	answered := item.Status == Answered && !slices.ContainsFunc(cited, reads)
	if item.Status != Done && item.Status != Partial && !answered {
		return
	}
	if c.answersFor(n) != "" && !c.known.tellsAct(item.What) {
		if undone := c.undone(item.What, cited); undone != "" {
			c.fault("opposite act", n, "item %d: %s is a call of %s, which does the opposite", n, numbered(item.Records), undone)
		}
		return // a piece of the text that tells how things are, in whatever words
	}
	if undone := c.opposed(item.What, cited); undone != "" {
		c.fault("opposite act", n, "item %d: %s is a call of %s, which does the opposite", n, numbered(item.Records), undone)
	} else if c.ownedByAnother(item.What, cited, answered) {
		// The tool is not named: who obeys would call it, and nobody may have asked for it.
		c.fault("another act", n, "item %d: %s is a call that does something else", n, numbered(item.Records))
	} else if words := c.unpaid(item.What, cited); words != "" {
		c.fault("another act", n, "item %d: no call of %s is what it says of %s",
			n, numbered(item.Records), oneLine(words, 80))
	}
}

// paid checks that a record which has paid for one item says itself what is new
// in the second.
func (c *checker) paid(i int) {
	item, n := &c.report.Items[i], i+1
	if item.Status != Done && item.Status != Answered {
		return
	}
	cited := c.turn.List.Cited(item.Records)
	answers := c.answersFor(n) != ""
	if answers && (item.Status == Answered || c.ownAct(item.What, cited) || !c.known.tellsAct(item.What)) {
		return // one look-up answers many questions, and one change makes many things so
	}
	for j := range c.report.Items[:i] {
		first := &c.report.Items[j]
		if !first.Status.Claims() || !slices.Equal(first.Records, item.Records) {
			continue
		}
		if said := c.known.unheard(item.What, first.What, cited, answers); said {
			c.fault("one record for two", n, "item %d: %s shows item %d, and says nothing of %s",
				n, numbered(item.Records), j+1, oneLine(item.What, 80))
			return
		}
	}
}

// isOpen reports whether a description is what was asked about, word for word: "yes".
func (c *checker) isOpen(what string) bool {
	return slices.ContainsFunc(c.turn.Open, func(open string) bool { return open != "" && strings.EqualFold(open, what) })
}

// failures checks that each change of this turn that did not succeed, and that no
// later call made good, is told by an item.
func (c *checker) failures() {
	for number := c.turn.List.earlier + 1; number <= c.turn.List.Len(); number++ {
		record := c.turn.List.Record(number)
		if record.Succeeded() || !c.mayChange(record) || c.madeGood(number) {
			continue
		}
		told := slices.ContainsFunc(c.report.Items, func(item Item) bool {
			need := Need{Tool: record.Tool, Words: record.Tool}
			cited := slices.Contains(c.turn.List.withLaunches(item.Records), number)
			return cited || !item.Status.Claims() && c.about(&item, need)
		})
		if !told {
			c.fault("failure not told", 0, "#%d did not succeed, and no item says what became of it", number)
		}
	}
}

// madeGood reports whether a later call of the same tool succeeded, or one that
// was about the same.
func (c *checker) madeGood(number int) bool {
	failed := c.turn.List.Record(number)
	for later := number + 1; later <= c.turn.List.Len(); later++ {
		record := c.turn.List.Record(later)
		if !record.Succeeded() || !c.mayChange(record) {
			continue
		}
		if record.Tool == failed.Tool || c.known.overlap(string(record.Args), string(failed.Args)) {
			return true
		}
	}
	return c.tools[failed.Tool] == nil // a tool that does not exist: nothing can have come of it
}

// allMadeGood reports whether later calls did what those that an item cites did not.
func (c *checker) allMadeGood(item *Item) bool {
	open := func(number int) bool { return !c.madeGood(number) }
	return len(item.Records) > 0 && !slices.ContainsFunc(item.Records, open)
}

// needs checks that each sure expectation has an item. What the message itself
// asks back about, or says to be prevented, is told already.
func (c *checker) needs() {
	if c.verdict.Asks || c.verdict.Blocker.Kind != completion.NoBlocker {
		return
	}
	for _, need := range c.turn.Needs {
		covered := slices.ContainsFunc(c.report.Items, func(item Item) bool {
			return (item.Status != Withdrawn || c.turn.Withdrawn) && c.about(&item, need)
		})
		if !covered {
			c.fault("missing item", 0, "no item says what became of %s", oneLine(need.Words, 80))
		}
	}
}

// due checks that a text which says nothing of what is most likely due, or only
// announces it, has an item that says what became of it. A promise is kept by a call,
// or taken out of the message: nothing is done after the turn.
func (c *checker) due() {
	announces := !c.verdict.Outcome.Completed() && c.verdict.Reason == completion.Promise
	told := c.verdict.Asks || c.verdict.Blocker.Kind != completion.NoBlocker
	likely := c.turn.Due || c.turn.Acting && Empty(c.final)
	if likely && !told && c.emptied() {
		c.fault("nothing accounted for", 0, "the message says nothing any more, and no item says what became of what the "+
			"user asked for; name each thing in an item")
		return
	}
	if !likely || told || len(c.turn.Open) == 0 {
		return
	}
	settles := func(item Item) bool {
		switch item.Status {
		case Withdrawn:
			return c.turn.Withdrawn
		case NotDone, NeedsInput:
			return !announces
		case General:
			return !announces && !Empty(c.final)
		}
		return len(item.Records) > 0 && c.ofOpen(&item)
	}
	if slices.ContainsFunc(c.report.Items, settles) {
		return
	}
	missing := Fault{Rule: "still due", Due: true}
	switch words := c.turn.Open[0]; {
	case announces:
		missing.Rule, missing.Due = "only announced", false
		missing.Reason = "the message announces something, and no call does it; nothing is done after your answer, " +
			"so do it now, or change the message so that it says what is not done"
	case words != "":
		missing.Reason = fmt.Sprintf("no item says what became of %s; if it is not done, say so as not_done "+
			"with the reason", oneLine(words, 80))
	default:
		missing.Reason = "no item says what became of what the user asked for; if it is not done, say so as not_done " +
			"with the reason, and if nothing was to be done, as general"
	}
	c.faults = append(c.faults, missing)
}

// ofOpen reports whether an item has a word of what may still be due, or of the rest of the
// message. What was looked at beside it settles nothing.
func (c *checker) ofOpen(item *Item) bool {
	named := slices.ContainsFunc(c.turn.Open, func(words string) bool {
		return words == "" || c.known.overlap(item.What, words)
	})
	return named || c.known.overlap(item.What, c.turn.User)
}

// emptied reports whether a report takes back all that was asked about, and says nothing
// in its place.
func (c *checker) emptied() bool {
	silent := c.report.Message != nil && len(c.report.Items) == 0
	return silent && len(c.turn.Asked) > 0 && Empty(c.final)
}

func (c *checker) about(item *Item, need Need) bool {
	for _, record := range c.turn.List.Cited(item.Records) {
		if record.Tool == need.Tool {
			return true
		}
	}
	return c.known.overlap(item.What, need.Words) || c.names(item.What, need.Tool)
}

// ownedUp reports whether an item says of a call that it did not do its work.
func (c *checker) ownedUp(number int) bool {
	return slices.ContainsFunc(c.report.Items, func(item Item) bool {
		return item.Status != Done && item.Status != Answered && slices.Contains(item.Records, number)
	})
}

// numbered is "#3" or "#3, #4".
func numbered(numbers []int) string {
	text := ""
	for i, number := range numbers {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("#%d", number)
	}
	return text
}
