package proof

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Case is what an answer is held against.
type Case struct {
	// User is the message, Previous the assistant's text before it, and Draft the text
	// that proof is asked of.
	User, Previous, Draft string
	// Before are the messages of both before these, the latest first: a recap names what
	// was said in them.
	Before []string
	// Reported are what other agents answered to delegated calls: no evidence of what they
	// did, but it may be told of them.
	Reported []string
	// Now is when the text is to be shown, in the user's time zone. Zero is unknown.
	Now time.Time
	// Tools are those that were offered.
	Tools []tooltrack.Tool
	// Read are the same, read before, where somebody keeps them; nil reads them anew.
	Read *match.Tools
	// List is the one that the model was shown, and Letters what it was asked about.
	List    List
	Letters []Letter
	// Doubts are the sentences of a corrected message that may claim what no record backs.
	Doubts func(message string) []string
	// Unasked is true when the author could not be asked: the records speak for the text.
	Unasked bool
	// Acting is true when the message asks for a change now. Records of earlier turns then
	// show nothing as done: they show what was done before.
	Acting bool
}

// Fault is one reason why an answer cannot be accepted.
type Fault struct {
	// Rule names the rule, for logs.
	Rule string
	// Letter is the one at fault; empty for a sentence that the corrected message adds.
	Letter string
	// Reason tells the model what is wrong.
	Reason string
	// Words are the sentence, or the request, that is at fault.
	Words string
	// Due is true where the answer says nothing of what is due, and nothing else is wrong:
	// whoever shows the text can add it.
	Due bool
}

// Shown is a sentence with the calls behind it, for a user interface.
type Shown struct {
	// Sentence is as it stands in the text.
	Sentence string
	// Records are the numbers of the calls that show it; none where it needs no call.
	Records []int
}

// Result is what a check finds.
type Result struct {
	// Faults are why the answer cannot be accepted. There are none where Text may be shown.
	Faults []Fault
	// Text is what is shown: the corrected message or the draft, without the sentences that
	// the answer itself calls not done.
	Text string
	// Withdrawn are those sentences.
	Withdrawn []string
	// NotDone are requests that are not done, and of which the text does not tell.
	NotDone []string
	// Sentences are what the text rests on.
	Sentences []Shown
}

// Check holds an answer against the records. It does not stop at the first fault: the model
// is told all of them at once.
func Check(answer Answer, turn Case) Result {
	c := checker{answer: answer, turn: &turn, match: turn.matched()}
	c.result.Text = turn.Draft
	if answer.Message != nil {
		c.result.Text = *answer.Message
	}
	for i := range turn.Letters {
		letter := &turn.Letters[i]
		basis := answer.Letters[letter.Name]
		switch {
		case !c.exist(letter, basis.Records):
		case letter.Due:
			c.request(letter, &basis)
		case strings.Contains(c.result.Text, letter.Text):
			c.sentence(letter, &basis)
		}
	}
	for _, deed := range answer.Deeds {
		c.deed(deed)
	}
	for _, what := range answer.Undone {
		if !c.tells(what) {
			c.result.NotDone = append(c.result.NotDone, what)
		}
	}
	if answer.Message != nil {
		c.added()
	}
	c.result.NotDone = namedOnly(c.result.NotDone)
	return c.result
}

// namedOnly leaves out that something was not done where it is said what.
func namedOnly(lines []string) (named []string) {
	for _, line := range lines {
		longer := func(other string) bool { return other != line && strings.HasPrefix(other, line) }
		if line != "" && !slices.Contains(named, line) && !slices.ContainsFunc(lines, longer) {
			named = append(named, line)
		}
	}
	if len(named) == 0 && len(lines) > 0 {
		return lines[:1]
	}
	return named
}

// Presume checks a text whose author does not answer requests for proof: what is at fault,
// the records do not settle by themselves.
//
// It is no proof: a liar who knows the calls gets through what they come near to. It costs
// far fewer honest sentences than to leave out all that is in doubt.
func Presume(turn Case) Result {
	due := func(letter Letter) bool { return letter.Due } // whoever shows the text says so
	turn.Letters = slices.DeleteFunc(slices.Clone(turn.Letters), due)
	return Check(Answer{}, turn)
}

// matched is the turn as match reads it.
func (turn *Case) matched() *match.Turn {
	words := match.Words{
		User: turn.User, Previous: turn.Previous, Before: turn.Before, Reported: turn.Reported, Now: turn.Now,
		Acting: turn.Acting,
	}
	return match.NewTurn(turn.Read, turn.Tools, words, turn.List.earlier, turn.List.settled())
}

// checker holds one answer against one turn.
type checker struct {
	answer Answer
	turn   *Case
	match  *match.Turn
	result Result
}

func (c *checker) fault(rule string, letter *Letter, format string, args ...any) {
	reason := letter.Name + ": " + fmt.Sprintf(format, args...)
	c.result.Faults = append(c.result.Faults, Fault{
		Rule: rule, Letter: letter.Name, Reason: reason, Words: letter.Text, Due: letter.Due,
	})
}

// exist checks that what is cited was listed.
func (c *checker) exist(letter *Letter, numbers []int) bool {
	for _, number := range numbers {
		if c.turn.List.Record(number) == nil {
			c.fault("no such call", letter, "there is no call #%d in the list", number)
			return false
		}
	}
	return true
}

// sentence checks what is said of a sentence that would be shown.
func (c *checker) sentence(letter *Letter, basis *Basis) {
	text := letter.Text
	if letter.Header != "" {
		text = rowWithHeader(letter)
	}
	switch {
	case !basis.NotDone && len(basis.Records) == 0 && c.match.WantsWords(text, text == strings.TrimSpace(c.turn.Draft)):
		c.show(letter.Text, nil)
	case basis.NotDone && c.answer.Message != nil && match.IsUnread(text): // it may say just that
		c.result.NotDone = append(c.result.NotDone, "")
	case basis.NotDone && !match.Denies(text):
		c.withdraw(letter, text)
	case len(basis.Records) > 0:
		c.cited(letter, basis, text)
	default:
		c.uncited(letter, basis, text)
	}
}

// settles reports whether the records themselves show a sentence, whatever is cited for it.
func (c *checker) settles(text string) (bool, match.Finding) {
	settled, found := c.match.Settles(text)
	return settled && found.Relation == match.Backs && (c.turn.Unasked || !c.match.IsVague(text)), found
}

// cited checks a sentence for which calls are cited. Some that do not show it settle a slight doubt.
func (c *checker) cited(letter *Letter, basis *Basis, text string) {
	shown, why := c.match.Shows(text, c.turn.List.withLaunches(basis.Records))
	shown = shown && (letter.Doubt != Grave || why.Relation == match.Backs)
	if !shown && why.Relation != match.Contradicts {
		shown, _ = c.settles(text)
	}
	silent := why.Relation == match.Silent && slices.ContainsFunc(basis.Records, c.mayShow)
	if !shown && (letter.Doubt != Slight || !silent && !c.mayBeSo(why)) {
		c.refuse(letter, basis, why)
		return
	}
	c.show(letter.Text, basis.Records)
}

// mayBeSo reports whether a finding is nothing against a sentence that is hardly doubted: how a call failed is
// told in many words, and an act may be anybody's where none is asked for.
func (c *checker) mayBeSo(why match.Finding) bool {
	failed := why.By == "outcome" && (why.Recorded == match.HasFailed || why.Recorded == match.NotAllowed)
	return failed || why.By == "act" && !c.turn.Acting
}

// mayShow reports whether a call may show what its record does not speak of: it did its work itself,
// in this turn, and where the user asks for a change now it is one.
func (c *checker) mayShow(number int) bool {
	r := c.turn.List.Record(number)
	delegates := func(one tooltrack.Tool) bool { return one.Name == r.Tool && one.Delegates }
	mayBe := !c.turn.List.Earlier(number) && (r.Effect.MayChange() || !c.turn.Acting)
	return mayBe && r.Proves() && !slices.ContainsFunc(c.turn.Tools, delegates)
}

// uncited checks a sentence for which no call is cited.
func (c *checker) uncited(letter *Letter, basis *Basis, text string) {
	settled, found := c.settles(text)
	if settled {
		c.show(letter.Text, nil)
		return
	}
	none, why := c.match.NeedsNoCall(text)
	open := match.Denies(text) || strings.ContainsAny(text, "?？؟")
	believed := letter.Doubt != Grave || open || c.match.OnlyReckons(text)
	switch {
	case !basis.isGiven() && found.Relation == match.Contradicts:
		c.refuse(letter, basis, found)
	case none && believed && (basis.NoCall || open):
		c.show(letter.Text, nil)
	default:
		c.refuse(letter, basis, why)
	}
}

// rowWithHeader is a row of a table with the names of its columns, so that it can be read.
func rowWithHeader(letter *Letter) string {
	names := strings.Split(strings.Trim(letter.Header, "| "), "|")
	cells := strings.Split(strings.Trim(letter.Text, "| "), "|")
	var text strings.Builder
	for i, cell := range cells {
		if i > 0 {
			text.WriteString(", ")
		}
		if i < len(names) && i > 0 {
			text.WriteString(strings.TrimSpace(names[i]) + " ")
		}
		text.WriteString(strings.TrimSpace(cell))
	}
	return text.String()
}

func (c *checker) show(sentence string, records []int) {
	c.result.Sentences = append(c.result.Sentences, Shown{sentence, records})
}

// withdraw takes a sentence out of the text that the model itself calls not done. Against a
// call that shows it, that is false, too.
func (c *checker) withdraw(letter *Letter, text string) {
	switch settled, _ := c.settles(text); {
	case settled:
		c.fault("was done", letter, "the calls show that it is so; cite the one that does")
	case c.answer.Message != nil:
		c.fault("still said", letter, "it is not so, and the message still says it")
	default:
		c.result.Withdrawn = append(c.result.Withdrawn, letter.Text)
	}
}

// refuse says why a sentence is not shown.
func (c *checker) refuse(letter *Letter, basis *Basis, why match.Finding) {
	cited := "the calls"
	if len(basis.Records) > 0 {
		cited = numbered(basis.Records)
	}
	changes := func(r *tooltrack.Record) bool { return r.Effect.MayChange() }
	looked := len(basis.Records) > 0 && !slices.ContainsFunc(c.turn.List.Cited(basis.Records), changes)
	switch {
	case looked && (why.Relation == match.Silent || why.By == "act"):
		c.fault("only looked", letter, "%s only looked something up, and %s; "+
			"cite the call that shows it, or correct it", cited, saysNothingOf(why.Said))
	case why.Relation == match.Contradicts && why.By == "act" && len(basis.Records) > 0:
		c.fault("another act", letter, "%s does not show %s: %s", cited, oneLine(why.Said, 80), why.Recorded)
	case why.Relation == match.Contradicts && (why.By == "outcome" || why.By == "state"):
		c.fault(why.By, letter, "%s says otherwise: %s", cited, oneLine(why.Recorded, 60))
	case why.Relation == match.Contradicts && why.Recorded == match.Nothing:
		c.fault("unshown value", letter, "it says %s, and %s does not have that", oneLine(why.Said, 60), cited)
	case why.Relation == match.Contradicts:
		said, recorded := oneLine(why.Said, 60), oneLine(why.Recorded, 60)
		c.fault("another "+why.By, letter, "it says %s, and %s says %s", said, cited, recorded)
	case len(basis.Records) > 0:
		c.fault("says nothing", letter, "%s %s; cite the call that shows it, or correct it", cited, saysNothingOf(why.Said))
	case basis.NoCall:
		c.fault("needs a call", letter, "it tells of something that only a call can show")
	default:
		c.fault("unanswered", letter, "no answer is given for it")
	}
}

// saysNothingOf names what records lack.
func saysNothingOf(words string) string {
	if words == "" {
		return "says nothing of it"
	}
	return "says nothing of " + oneLine(words, 60)
}

// numbered are the calls of some numbers, in words.
func numbered(numbers []int) string {
	var text strings.Builder
	for i, number := range numbers {
		if i > 0 {
			text.WriteString(", ")
		}
		fmt.Fprintf(&text, "#%d", number)
	}
	return text.String()
}

// deed checks what the model says was done beside the letters.
func (c *checker) deed(deed Shown) {
	letter := &Letter{Name: oneLine(deed.Sentence, 60), Text: deed.Sentence}
	if !c.exist(letter, deed.Records) {
		return
	}
	shown, why := c.match.ShowsDeed(deed.Sentence, c.turn.List.withLaunches(deed.Records))
	if !shown {
		c.refuse(letter, &Basis{Records: deed.Records}, why)
	}
}

// request checks what is said of a request that may be due.
func (c *checker) request(letter *Letter, basis *Basis) {
	done := letter.Text != "" && len(c.match.Done(letter.Text)) > 0
	switch {
	case done: // whatever is said of it
	case basis.NotDone && !c.tells(letter.Text):
		c.result.NotDone = append(c.result.NotDone, letter.Text)
	case len(basis.Records) > 0:
		c.served(letter, basis.Records)
	case !basis.isGiven() && !c.tells(letter.Text):
		c.fault("unanswered", letter, "say by which call it was done, or that it was not")
	}
}

// served checks that the calls which are cited for a request may be it, and that one of them
// did it, unless the text tells that none did.
func (c *checker) served(letter *Letter, numbers []int) {
	numbers = c.turn.List.withLaunches(numbers)
	changes := func(r *tooltrack.Record) bool { return r.Effect.MayChange() }
	looks := letter.Changes && !slices.ContainsFunc(c.turn.List.Cited(numbers), changes)
	if looks || letter.Text != "" && !c.match.Serves(letter.Text, numbers) {
		c.fault("another act", letter, "%s does something else", numbered(numbers))
		return
	}
	succeeded := slices.ContainsFunc(c.turn.List.Cited(numbers), (*tooltrack.Record).Succeeded)
	if !succeeded && !c.tells(letter.Text) {
		c.result.NotDone = append(c.result.NotDone, letter.Text)
	}
}

// tells reports whether the text leaves a request open itself: a sentence that denies, asks
// or tells of trouble speaks of it, or of nothing in particular.
func (c *checker) tells(request string) bool {
	if match.IsUnread(c.result.Text) {
		return false
	}
	for _, piece := range match.Pieces(c.result.Text) {
		said := piece.Text()
		about := request == "" || match.Meets(said, request) || match.Denies(said) || strings.Contains(said, "?")
		if about && match.LeavesOpen(said) {
			return true
		}
	}
	return false
}

// added checks what a corrected message says beyond the draft.
func (c *checker) added() {
	if c.turn.Doubts == nil {
		return
	}
	for _, sentence := range append(c.turn.Doubts(*c.answer.Message), c.deedsAdded()...) {
		sentence = strings.TrimSpace(sentence)
		if sentence == "" || c.isLettered(sentence) || c.isFaulted(sentence) {
			continue
		}
		settled, why := c.match.Settles(sentence)
		if settled || c.ownsUp() && match.IsUnread(sentence) {
			continue
		}
		if none, _ := c.match.NeedsNoCall(sentence); none {
			continue
		}
		reason := fmt.Sprintf("the corrected message says %s, and no call shows it", oneLine(sentence, 120))
		if why.Relation == match.Contradicts && why.Recorded != "" {
			reason += fmt.Sprintf(": it says %s, and the calls say %s", oneLine(why.Said, 60), oneLine(why.Recorded, 60))
		}
		c.result.Faults = append(c.result.Faults, Fault{Rule: "unproven claim", Reason: reason, Words: sentence})
	}
}

// deedsAdded are the sentences of a corrected message, and not of the draft, that tell of
// something done, although nothing was.
func (c *checker) deedsAdded() (added []string) {
	if c.match.HasChanged() {
		return nil
	}
	for _, piece := range match.Pieces(*c.answer.Message) {
		said := piece.Text()
		if !strings.Contains(c.turn.Draft, said) && !match.LeavesOpen(said) && c.match.ClaimsDeed(said) {
			added = append(added, said)
		}
	}
	return added
}

// isFaulted reports whether a sentence is at fault already.
func (c *checker) isFaulted(sentence string) bool {
	same := func(f Fault) bool { return f.Letter == "" && strings.TrimSpace(f.Words) == sentence }
	return slices.ContainsFunc(c.result.Faults, same)
}

// ownsUp reports whether the answer says of something that it is not done. What it says
// instead, in a language without a reading, is believed then.
func (c *checker) ownsUp() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(c.answer.Letters)), func(b Basis) bool { return b.NotDone })
}

// isLettered reports whether a sentence is one that was asked about.
func (c *checker) isLettered(sentence string) bool {
	return isAmong(c.turn.Letters, Letter{Text: sentence})
}
