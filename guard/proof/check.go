package proof

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Case is what a report is held against.
type Case struct {
	// User is the message, Previous the assistant's text before it, and Draft the
	// text that proof is asked of.
	User, Previous, Draft string
	// Before are the messages of both before these, the latest first: a recap names what
	// was said in them, and what is reckoned in a talk may go back to them.
	Before []string
	// Reported are what other agents answered to delegated calls: no evidence of what they
	// did, but it may be told of them, and reckoned with.
	Reported []string
	// Now is when the text is to be shown, in the user's time zone: a text may tell the
	// date. Zero is unknown.
	Now time.Time
	// Tools are those that were offered.
	Tools []tooltrack.Tool
	// Readings are those of the tools, where somebody keeps them; nil reads them
	// anew.
	Readings *Readings
	// List is the one that the model was shown.
	List List
	// Asked are the pieces of the draft that the request for proof named. Each that
	// is still in the text needs an item that answers for it.
	Asked []string
	// Open are the pieces of the message that may still be due while no call can be
	// it, empty where only something may be. Where something most likely is (Due), an
	// item has to say what became of it.
	Open []string
	// Judge reads a text for its claims, and says whether it only announces something.
	Judge func(text string) completion.Verdict
	// Needs are what the user asked for beyond doubt. Each needs an item.
	Needs []Need
	// Due is true when the message most likely asks for something that a tool must
	// do, and Withdrawn when it takes something back itself: only then does an item
	// that says so account for something.
	Due, Withdrawn bool
	// Acting is true when the message asks for a change now. Records of earlier
	// turns then show nothing as done: they show what was done before.
	Acting bool
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
	// Words are the piece of the text that is at fault; empty where the report is.
	Words string
	// Due is true where the report says nothing of what is due, and nothing else is
	// wrong: whoever shows the text can add it.
	Due bool
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
func Check(report Report, turn Case) []Fault {
	c := newChecker(report, turn)
	defer c.known.leave()
	for i := range report.Items {
		before := len(c.faults)
		c.shape(i)
		if len(c.faults) == before { // what is cited exists, so it can be looked at
			c.status(i)
			c.values(i)
			c.act(i)
			c.looked(i)
			c.paid(i)
		}
	}
	c.read()
	c.implied()
	c.needs()
	c.due()
	c.failures()
	c.silent()
	c.untrue()
	c.text()
	return c.faults
}

// checker holds one report against one turn.
type checker struct {
	report   Report
	turn     Case
	final    string // what would be shown
	tools    map[string]*toolReading
	known    knowledge
	cited    []*tooltrack.Record // by any item
	subjects []keys              // of each item: what it and the arguments of its calls name
	faults   []Fault
	lists    [][]entry       // what the calls list, once somebody asks
	mentions []reading.Value // what the text to be shown names
	told     keys            // the same
	// faulted are the items that have a fault; 0 is the report as a whole.
	faulted map[int]bool
	sound   map[*tooltrack.Record]bool // what succeeded said of the records so far

	// What the text to be shown says, once it has been read.
	verdict   completion.Verdict
	sentences []completion.Sentence
	within    []string          // of each claim, the sentence that it stands in
	asked     []bool            // of each claim, whether the request for proof named it
	named     [][]reading.Value // of each claim, what it names
	open      bool              // something is left open: denied, waited for, asked
	foreign   bool              // it is in another language, where nobody can tell
}

func newChecker(report Report, turn Case) *checker {
	readings := turn.Readings.of(turn.Tools)
	c := &checker{report: report, turn: turn, tools: readings.byName, faulted: map[int]bool{}}
	c.sound = map[*tooltrack.Record]bool{}
	c.final = report.Text(turn.Draft)
	c.report = Meant(report, turn)
	for i := range c.report.Items {
		item := &c.report.Items[i]
		if item.Status.Cites() && item.Status != Answered { // what was looked up is what the look says
			item.Records = turn.List.withLaunches(item.Records)
		}
		c.cited = append(c.cited, turn.List.Cited(item.Records)...)
	}
	c.known = newKnowledge(&c.turn, readings.words, c.ownedUp)
	c.mentions = c.known.reader.Values(nil, c.final)
	c.known.follow(c.final, c.mentions)
	c.told = make(keys, len(c.mentions))
	c.told.add(c.mentions)
	for i := range report.Items {
		subjects := keys{}
		subjects.add(c.known.content(report.Items[i].What))
		if report.Items[i].Status.Cites() { // what it rests on may be told there
			subjects.add(c.known.content(report.Items[i].Reason))
		}
		for _, record := range turn.List.Cited(report.Items[i].Records) {
			subjects.add(c.known.content(string(record.Args)))
		}
		c.subjects = append(c.subjects, subjects)
	}
	return c
}

// read reads the text to be shown.
func (c *checker) read() {
	c.verdict = c.turn.Judge(c.final)
	c.sentences = completion.Sentences(c.final)
	c.foreign = c.known.foreign(c.final)
	c.open = c.foreign || c.known.open(c.final)
	claims := len(c.verdict.Claims)
	c.within, c.named, c.asked = make([]string, claims), make([][]reading.Value, claims), make([]bool, claims)
	from, sentence := 0, 0
	for i := range c.verdict.Claims { // claims stand in the order of the text
		said := c.verdict.Claims[i].Text
		c.open = c.open || c.verdict.Claims[i].Kind == completion.ClaimFailure
		c.within[i], c.named[i], c.asked[i] = said, slices.Clone(c.known.content(said)), c.wasAsked(said)
		at := strings.Index(c.final[from:], said)
		if at < 0 {
			continue // a judge of the host's own may put it in other words
		}
		from += at
		for sentence < len(c.sentences) && c.sentences[sentence].End <= from {
			sentence++
		}
		if sentence < len(c.sentences) {
			c.within[i] = c.final[c.sentences[sentence].Start:c.sentences[sentence].End]
		}
	}
}

func (c *checker) fault(rule string, item int, format string, args ...any) {
	c.faulted[item] = true
	reason := fmt.Sprintf(format, args...)
	c.faults = append(c.faults, Fault{Rule: rule, Item: item, Reason: reason, Words: c.answersFor(item)})
}

// textFault is one of a piece of the text.
func (c *checker) textFault(rule, words, format string, args ...any) {
	c.faults = append(c.faults, Fault{Rule: rule, Reason: fmt.Sprintf(format, args...), Words: words})
}
