package proof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Turn is what a report is held against.
type Turn struct {
	// User is the message, Previous the assistant's text before it, and Draft the
	// text that proof is asked of.
	User, Previous, Draft string
	// Tools are those that were offered.
	Tools []tooltrack.Tool
	// Readings are those of the tools, where somebody keeps them; nil reads them
	// anew.
	Readings *Readings
	// List is the one that the model was shown.
	List List
	// Judge reads a text for its claims.
	Judge func(text string) completion.Verdict
	// Needs are what the user asked for beyond doubt. Each needs an item.
	Needs []Need
	// Due is true when the message probably asks for something that a tool must do,
	// and Withdrawn when it takes something back itself. What is due and not taken
	// back cannot be called withdrawn.
	Due, Withdrawn bool
	// Acting is true when the message asks for a change now. Records of earlier
	// turns then show nothing as done: they show what was done before.
	Acting bool
	// Foreign is true when the text is in a language without a word list. It then
	// counts as one claim in doubt.
	Foreign bool
}

// Need is something that the user asked for beyond doubt.
type Need struct {
	// Tool is what does it, and Words the piece of the message that asks for it.
	Tool, Words string
}

// Fault is one reason why a report cannot be accepted.
type Fault struct {
	// Rule names the rule, for logs.
	Rule string
	// Item is the number of the item, counted from 1; 0 for the report as a whole.
	Item int
	// Reason tells the model what is wrong.
	Reason string
}

// Text is what a report shows: its message, or the draft.
func (r *Report) Text(draft string) string {
	if r.Message != nil {
		return *r.Message
	}
	return draft
}

// Check holds a report against the records. No faults means that what it says is
// backed by them. It does not stop at the first fault: the model is told all of
// them at once.
func Check(report Report, turn Turn) []Fault {
	c := newChecker(report, turn)
	for i := range report.Items {
		before := len(c.faults)
		c.shape(i)
		if len(c.faults) == before { // what is cited exists, so it can be looked at
			c.status(i)
			c.values(i)
			c.act(i)
			c.paid(i)
		}
	}
	c.needs()
	c.failures()
	verdict := c.turn.Judge(c.final)
	c.told(&verdict)
	c.text(&verdict)
	return c.faults
}

// checker holds one report against one turn.
type checker struct {
	report Report
	turn   Turn
	final  string // what would be shown
	tools  map[string]*toolReading
	known  knowledge
	faults []Fault
}

func newChecker(report Report, turn Turn) *checker {
	c := &checker{report: report, turn: turn, final: report.Text(turn.Draft), tools: turn.Readings.of(turn.Tools)}
	c.known = newKnowledge(turn)
	return c
}

func (c *checker) fault(rule string, item int, format string, args ...any) {
	c.faults = append(c.faults, Fault{Rule: rule, Item: item, Reason: fmt.Sprintf(format, args...)})
}

// shape checks what needs no record: a known status, a thing that is named,
// numbers that were issued.
func (c *checker) shape(i int) {
	item, n := &c.report.Items[i], i+1
	switch {
	case !slices.Contains(statuses, item.Status):
		c.fault("status", n, "item %d: there is no status %.40q; use one of %v", n, string(item.Status), statuses)
	case item.What == "" || len(item.What) > maxWhat:
		c.fault("what", n, "item %d: what must name the thing in at most %d bytes", n, maxWhat)
	case item.Status.Claims() && !c.known.touches(item.What, c.final):
		c.fault("vague", n, "item %d: %s names nothing of the conversation; say what was done to what", n, oneLine(item.What, 80))
	case item.Status == Withdrawn && c.turn.Due && !c.turn.Withdrawn && !c.turn.Foreign:
		c.fault("not withdrawn", n, "item %d: the user's message takes nothing back; say not_done with the reason", n)
	case item.Status.Cites() && len(item.Records) == 0:
		c.fault("no record", n, "item %d: %q needs the number of a call that shows it; if no call does, it is not_done, and the message must not say it", n, item.Status)
	}
	for _, number := range item.Records {
		if c.turn.List.Record(number) == nil {
			c.fault("unknown number", n, "item %d: there is no record #%d; only #1 to #%d count", n, number, c.turn.List.Len())
		}
	}
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
		if !is(succeeded) {
			c.fault("not succeeded", n, "item %d: %s did not succeed, so it is failed or pending, not done", n, numbered(item.Records))
		} else if !is(func(r *tooltrack.Record) bool { return succeeded(r) && c.mayChange(r) }) {
			c.fault("read for a change", n, "item %d: %s only read, so it is answered, not done; cite the call that changed something", n, numbered(item.Records))
		} else if c.turn.Acting && !slices.ContainsFunc(item.Records, func(number int) bool { return !c.turn.List.Earlier(number) }) {
			c.fault("earlier record", n, "item %d: %s is of an earlier turn, and the user asks for something now", n, numbered(item.Records))
		}
	case Answered, Partial:
		if !is(succeeded) {
			c.fault("not succeeded", n, "item %d: %s did not succeed, so nothing came of it", n, numbered(item.Records))
		} else if again := c.repeatedNow(item.Records); again != 0 {
			c.fault("earlier record", n, "item %d: %s is of an earlier turn, and #%d of this turn asked the same again", n, numbered(item.Records), again)
		}
	case Pending:
		if !is(func(r *tooltrack.Record) bool { return r.Result.Status == tooltrack.Pending || succeeded(r) }) {
			c.fault("not pending", n, "item %d: %s was not accepted, so it is failed", n, numbered(item.Records))
		}
	case Failed:
		if !is(func(r *tooltrack.Record) bool { return !succeeded(r) }) {
			c.fault("not failed", n, "item %d: %s succeeded; a failure must cite the call that failed", n, numbered(item.Records))
		}
	}
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
// done.
func succeeded(record *tooltrack.Record) bool {
	return record.Proves()
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
		c.fault("contradicted", n, "item %d: it says %s, and %s says %s", n, oneLine(said, 60), numbered(item.Records), oneLine(other, 60))
	}
}

// act checks that a claimed change is not one that plainly belongs to another
// tool than the one that was called.
func (c *checker) act(i int) {
	item, n := &c.report.Items[i], i+1
	cited := c.turn.List.Cited(item.Records)
	answered := item.Status == Answered && !slices.ContainsFunc(cited, func(r *tooltrack.Record) bool { return !c.mayChange(r) })
	if item.Status != Done && item.Status != Partial && !answered {
		return
	}
	if undone := c.opposed(item.What, cited); undone != "" {
		c.fault("opposite act", n, "item %d: %s is a call of %s, which does the opposite", n, numbered(item.Records), undone)
	} else if owner := c.ownedByAnother(item.What, cited, answered); owner != "" {
		c.fault("another act", n, "item %d: that would be a call of %s, and %s is none", n, owner, numbered(item.Records))
	}
}

// paid checks that a record which has paid for one item says itself what is new
// in the second.
func (c *checker) paid(i int) {
	item, n := &c.report.Items[i], i+1
	if item.Status != Done && item.Status != Answered {
		return
	}
	for j := range c.report.Items[:i] {
		first := &c.report.Items[j]
		if !first.Status.Claims() || !slices.Equal(first.Records, item.Records) {
			continue
		}
		if said := c.known.unheard(item.What, first.What, c.turn.List.Cited(item.Records)); said {
			c.fault("one record for two", n, "item %d: %s shows item %d, and says nothing of %s", n, numbered(item.Records), j+1, oneLine(item.What, 80))
			return
		}
	}
}

// told checks that a draft which is kept does not speak of what is not done as if
// it were.
func (c *checker) told(verdict *completion.Verdict) {
	tells := verdict.Asks || verdict.Blocker.Kind != completion.NoBlocker
	for i := range c.report.Items {
		item, n := &c.report.Items[i], i+1
		switch {
		case c.turn.Foreign || tells || c.faulty(n):
		case item.Status == NeedsInput && !strings.Contains(c.final, "?"):
			c.fault("nothing asked", n, "item %d needs input, and the message asks for none; change the message", n)
		case (item.Status == NotDone || item.Status == Failed || item.Status == Withdrawn) && c.report.Message == nil:
			if said := c.claimedAs(verdict, item.What); said != "" {
				c.fault("not told", n, "item %d is %s, and the message says %s; change the message so that it says so", n, item.Status, oneLine(said, 120))
			}
		}
	}
}

// claimedAs is what a text claims about a thing; empty if it claims nothing.
func (c *checker) claimedAs(verdict *completion.Verdict, what string) string {
	for i := range verdict.Claims {
		claim := &verdict.Claims[i]
		if claim.Tier != completion.Clean && claim.Kind != completion.ClaimFailure && c.known.overlap(claim.Text, what) && !c.covered(claim) {
			return claim.Text
		}
	}
	return ""
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
			return slices.Contains(item.Records, number) || !item.Status.Claims() && c.about(&item, Need{Tool: record.Tool, Words: record.Tool})
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
		if record.Succeeded() && c.mayChange(record) && (record.Tool == failed.Tool || c.known.overlap(string(record.Args), string(failed.Args))) {
			return true
		}
	}
	return c.tools[failed.Tool] == nil // a tool that does not exist: nothing can have come of it
}

// needs checks that each sure expectation has an item.
func (c *checker) needs() {
	for _, need := range c.turn.Needs {
		covered := slices.ContainsFunc(c.report.Items, func(item Item) bool {
			return (item.Status != Withdrawn || c.turn.Withdrawn) && c.about(&item, need)
		})
		if !covered {
			c.fault("missing item", 0, "no item says what became of %s", oneLine(need.Words, 80))
		}
	}
}

func (c *checker) about(item *Item, need Need) bool {
	for _, record := range c.turn.List.Cited(item.Records) {
		if record.Tool == need.Tool {
			return true
		}
	}
	return c.known.overlap(item.What, need.Words) || c.names(item.What, need.Tool)
}

// text checks what would be shown. Each claim of it needs an item that says so,
// and values that the records hold.
func (c *checker) text(verdict *completion.Verdict) {
	if verdict.Leak.Found() {
		c.fault("leaked call", 0, "the message holds a tool call as text; make the call instead")
	}
	for i := range verdict.Claims {
		claim := &verdict.Claims[i]
		said := oneLine(claim.Text, 120)
		if claim.Tier != completion.Clean && claim.Doubt >= mustShow && !c.covered(claim) {
			c.fault("unproven claim", 0, "the message says %s, and no item shows it by a record; change the message, or cite the call", said)
			continue
		}
		if value, other := c.known.contradicted(claim.Text, c.allCited()); value != "" {
			c.fault("contradicted", 0, "the message says %s, and the records say %s", oneLine(value, 60), oneLine(other, 60))
		}
	}
	if c.turn.Foreign && !slices.ContainsFunc(c.report.Items, func(item Item) bool { return item.Status != "" }) {
		c.fault("no items", 0, "the message may say that something was done; cite the calls that show it, or change it")
	}
}

// mustShow is the doubt from which on a claim needs an item that proves it. Below
// it, the model has been asked, and its word that nothing needs a record is as
// good as ours that something does.
const mustShow = 0.7

// covered reports whether an item proves a claim: one that says the thing was
// achieved, or, for a reported failure, that it failed.
func (c *checker) covered(claim *completion.Claim) bool {
	for i := range c.report.Items {
		item := &c.report.Items[i]
		fits := item.Status.Claims() || claim.Kind == completion.ClaimFailure && item.Status == Failed
		if fits && len(item.Records) > 0 && !c.faulty(i+1) && c.related(item, claim) {
			return true
		}
	}
	return false
}

// related reports whether an item can be what a claim speaks of. A claim without
// words of its own ("Consider it done") is about whatever was done.
func (c *checker) related(item *Item, claim *completion.Claim) bool {
	if c.known.overlap(item.What, claim.Text) || !c.known.specific(claim.Text) {
		return true
	}
	for _, record := range c.turn.List.Cited(item.Records) {
		if c.known.overlap(string(record.Args), claim.Text) {
			return true
		}
	}
	return false
}

func (c *checker) faulty(item int) bool {
	return slices.ContainsFunc(c.faults, func(f Fault) bool { return f.Item == item })
}

// allCited are the records that any item cites.
func (c *checker) allCited() []*tooltrack.Record {
	var cited []*tooltrack.Record
	for i := range c.report.Items {
		cited = append(cited, c.turn.List.Cited(c.report.Items[i].Records)...)
	}
	return cited
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
