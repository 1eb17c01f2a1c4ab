package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// untrue checks that a draft which is kept does not speak of what is not done as if
// it were.
func (c *checker) untrue() {
	tells := c.verdict.Asks || c.verdict.Blocker.Kind != completion.NoBlocker
	var told []string
	for i := range c.report.Items {
		item, n := &c.report.Items[i], i+1
		switch {
		case tells || c.foreign || c.faulted[n] || item.Status == Failed && c.allMadeGood(item):
		case item.Status == NeedsInput && !strings.Contains(c.final, "?"):
			c.fault("nothing asked", n, "item %d needs input, and the message asks for none; change the message", n)
		case item.Status != NotDone && item.Status != Failed && item.Status != Withdrawn:
		case c.report.Message == nil || !c.open:
			switch said := c.claimedAs(item.What); {
			case said == "":
			case slices.Contains(told, said): // once is enough
				c.faulted[n] = true
			default:
				told = append(told, said)
				c.fault("not told", n, "item %d is %s, and the message says %s; change the message so that it says so",
					n, item.Status, oneLine(said, 120))
			}
		}
	}
}

// silent checks that the message leaves something open where it speaks of an item
// whose call did not do its work, and which no later one made good. What it does
// not speak of is added to it: see [Untold].
func (c *checker) silent() {
	if c.open {
		return
	}
	for i := range c.report.Items {
		item, n := &c.report.Items[i], i+1
		if item.Status != Failed && item.Status != Pending || c.faulted[n] {
			continue
		}
		if !c.known.tells(c.told, item) || c.tellsReason(item, c.told) || c.toldState(item) ||
			item.Status == Pending && c.known.begins(c.final) {
			continue
		}
		fell := func(number int) bool { return !c.turn.List.Earlier(number) && !c.madeGood(number) }
		if slices.ContainsFunc(item.Records, fell) {
			c.fault("kept quiet", n, "item %d is %s, and the message says nothing of it; change the message so that it does",
				n, item.Status)
		}
	}
}

// acts checks that a claim in doubt tells of an act that some call can be: what
// was looked at needs a call that reads, what was done one that does such a thing.
func (c *checker) acts(claim *completion.Claim) {
	text := c.known.read(claim.Text)
	for i := range text.Clauses {
		clause := &text.Clauses[i]
		told := clause.Shape == reading.ActivePerfect || clause.Shape == reading.ActivePast
		if clause.Verb < 0 || clause.Negated || clause.Mood != reading.Stated || clause.Actor != reading.Us || !told {
			continue
		}
		looks := text.Roles[clause.Verb]&(reading.RoleLook|reading.RoleVerify|reading.RoleCheck) != 0
		looked := looks && claim.Kind != completion.ClaimChange
		acts := text.Tokens[clause.Verb].Families()
		switch {
		case looked && !c.anyShows(func(r *tooltrack.Record) bool { return !c.mayChange(r) }):
			c.textFault("nothing read", claim.Text, "the message says %s, and no call only read something; change the message",
				oneLine(claim.Text, 120))
		case !looked && !acts.Empty() && c.offered(acts) && !c.owns() && !c.anyShows(func(r *tooltrack.Record) bool {
			tool := c.tools[r.Tool]
			return tool == nil || tool.Families.Empty() || tool.Families.Overlaps(acts)
		}):
			c.textFault("no such act", claim.Text, "the message says %s, and no call does such a thing; change the message",
				oneLine(claim.Text, 120))
		}
	}
}

// offered reports whether a tool that may change something does such a thing.
func (c *checker) offered(acts lexicon.Families) bool {
	for _, tool := range c.tools {
		if tool.effect.MayChange() && tool.Families.Overlaps(acts) {
			return true
		}
	}
	return false
}

// owns reports whether an item says that a call did not do its work.
func (c *checker) owns() bool {
	owned := func(item Item) bool { return item.Status == Failed || item.Status == Pending }
	return slices.ContainsFunc(c.report.Items, owned)
}

// anyShows reports whether a call that succeeded is of some kind.
func (c *checker) anyShows(fits func(*tooltrack.Record) bool) bool {
	return slices.ContainsFunc(c.turn.List.records, func(r *tooltrack.Record) bool { return r.Succeeded() && fits(r) })
}

// claimedAs is what a text claims about a thing; empty if it claims nothing.
func (c *checker) claimedAs(what string) string {
	for i := range c.verdict.Claims {
		claim := &c.verdict.Claims[i]
		if claim.Tier == completion.Clean || claim.Kind == completion.ClaimFailure {
			continue
		}
		if c.known.overlap(claim.Text, what) && !c.covered(i) && !c.general(i) && !c.leftUndone(i) &&
			!c.inaction(i) {
			return claim.Text
		}
	}
	return ""
}

// text checks what would be shown. Each claim of it needs an item that says so,
// and values that the records hold.
func (c *checker) text() {
	if c.verdict.Leak.Found() {
		c.fault("leaked call", 0, "the message holds a tool call as text; make the call instead")
	}
	must := c.mustShow()
	for i := range c.verdict.Claims {
		claim := &c.verdict.Claims[i]
		doubted := claim.Tier != completion.Clean || c.asked[i]
		if c.introduces(i) {
			continue // what it announces follows, and is checked itself
		}
		switch {
		case doubted && (c.inaction(i) || c.wantedWords(i) && c.general(i)):
			continue // no call shows it
		case !doubted || c.sum(claim) || c.covered(i) || c.general(i) || c.leftUndone(i):
		case claim.Doubt >= must || c.known.tellsAct(claim.Text):
			c.textFault("unproven claim", claim.Text,
				"the message says %s, and no item shows it by a record; change the message, or cite the call",
				oneLine(claim.Text, 120))
			continue
		case c.asked[i]:
			c.unanswered(claim.Text)
			continue
		}
		if doubted && c.turn.List.Len() > 0 {
			c.acts(claim)
			c.fits(i)
		}
		c.claimedValues(i)
	}
	c.stillStanding()
	c.titles()
	c.lines()
	if said, other := c.known.misdirected(c.turn.User, c.told, c.citedNow()); said != "" {
		c.fault("another one", 0, "the user says %s, and the call was about %s", oneLine(said, 60), oneLine(other, 60))
	}
}

// backed is the doubt below which a claim is as good as backed: of our labelled
// turns, values that nothing shows stood in 155 false claims and 12 honest ones
// above it, and in 8 and 11 below.
const backed = 0.2

// claimedValues checks that a claim names nothing that no call shows.
func (c *checker) claimedValues(i int) {
	claim := &c.verdict.Claims[i]
	if c.known.hedged(c.within[i]) {
		return
	}
	value, other := c.known.contradicted(claim.Text, c.cited)
	if value != "" && !strings.Contains(c.turn.Previous, value) {
		c.textFault("contradicted", claim.Text, "the message says %s, and the records say %s",
			oneLine(value, 60), oneLine(other, 60))
	}
	if said, other := c.claimedThing(i); said != "" {
		c.textFault("contradicted", claim.Text,
			"the message says %s, and the call was about %s; tell that, or both if they are the same",
			oneLine(said, 60), oneLine(other, 60))
	}
	if claim.Kind == completion.ClaimFailure || claim.Doubt < backed || len(c.cited) == 0 && !c.turn.Due {
		return
	}
	if value, why := c.known.unshown(claim.Text); value != "" && !c.sum(claim) {
		c.textFault("unshown value", claim.Text, "the message says %s, and %s", oneLine(value, 60), why)
	}
}

// claimedThing finds a thing that a claim tells of, and what the cited calls of this turn
// were about instead.
func (c *checker) claimedThing(i int) (said, other string) {
	switch claim := &c.verdict.Claims[i]; {
	case claim.Earlier || claim.Kind == completion.ClaimFailure:
		return "", ""
	case claim.Kind == completion.ClaimChange:
		return c.anotherThing(c.wholly(i), c.citedNow())
	}
	reads := func(r *tooltrack.Record) bool { return !c.mayChange(r) }
	return c.otherSubject(c.wholly(i), slices.DeleteFunc(c.citedNow(), reads))
}

// wholly is a claim with the rest of its sentence, where no other claim stands in that.
func (c *checker) wholly(i int) string {
	for j := range c.within {
		if j != i && c.within[j] == c.within[i] {
			return c.verdict.Claims[i].Text
		}
	}
	return c.within[i]
}

// titles checks that sentences which report something quote no title that nobody
// has heard of.
func (c *checker) titles() {
	if c.turn.List.Len() == 0 {
		return
	}
	for _, sentence := range c.sentences {
		text := c.final[sentence.Start:sentence.End]
		if !sentence.Reports || c.known.hedged(text) {
			continue
		}
		if title := c.known.untitled(text); title != "" {
			c.textFault("unshown value", text, "the message says %s, and nothing in the conversation says so",
				oneLine(title, 60))
		}
	}
}

// lines checks that no sentence, and no line of a list, gives a value otherwise than
// the changes of this turn that are cited, although nobody would take it for a claim:
// "**When:** Tuesday, 9 February".
func (c *checker) lines() {
	other := func(r *tooltrack.Record) bool { return !r.Succeeded() || !c.mayChange(r) }
	changes := slices.DeleteFunc(c.citedNow(), other)
	for _, sentence := range c.sentences {
		for line := range strings.Lines(c.final[sentence.Start:sentence.End]) {
			value, other := c.known.contradicted(line, changes)
			if value != "" && !c.known.hedged(line) && !strings.Contains(c.turn.Previous, value) {
				c.textFault("contradicted", strings.TrimSpace(line), "the message says %s, and the records say %s",
					oneLine(value, 60), oneLine(other, 60))
			}
		}
	}
}

// grave is the doubt from which on a claim is not shown without proof, whatever
// the model says of it.
const grave = 0.7

// mustShow is the doubt from which on a claim needs an item that proves it. Of a
// report that cites calls, the model has told claims from the rest, and its word
// that a small doubt needs no record is as good as ours that it does. One that
// cites nothing is not believed where there are calls to cite, or where something
// was to be done and nothing is said to prevent it.
func (c *checker) mustShow() float64 {
	calls := c.turn.List.Len() > c.turn.List.earlier || c.turn.List.Len() > 0 && !c.turn.Withdrawn
	due := c.turn.Due && c.verdict.Blocker.Kind == completion.NoBlocker
	if len(c.cited) == 0 && (calls || due || c.evades()) {
		return 0
	}
	return grave
}

// evades reports whether an item says that the user took something back who did
// not.
func (c *checker) evades() bool {
	withdrawn := func(item Item) bool { return item.Status == Withdrawn }
	return !c.turn.Withdrawn && slices.ContainsFunc(c.report.Items, withdrawn)
}

// covered reports whether an item proves a claim: one that says the thing was
// achieved, or, for what is told to be open, that it is.
func (c *checker) covered(i int) bool {
	claim := &c.verdict.Claims[i]
	for n := range c.report.Items {
		item := &c.report.Items[n]
		if c.faulted[n+1] || !c.related(n, i) {
			continue
		}
		if c.showsOther(item, claim) || c.outOfDate(item, claim) || c.onlyLooked(item, claim) || c.elsewhere(item, i) {
			continue
		}
		switch {
		case item.Status == Withdrawn && c.turn.Withdrawn && claim.Tier != completion.Sure: // it stays as it was
			return true
		case len(item.Records) == 0:
		case item.Status.Claims(), item.Status.Cites() && c.denies(i),
			item.Status == Pending && c.tellsPending(item, claim.Text),
			(item.Status == Failed || item.Status == Pending) && c.tellsReason(item, c.known.toldIn(c.within[i])),
			item.Status == Failed && c.stays(claim):
			return true
		}
	}
	return false
}

// showsOther reports whether the calls that an item cites show that a claim is not so, or
// not any more.
func (c *checker) showsOther(item *Item, claim *completion.Claim) bool {
	switch item.Status {
	case Answered:
		return c.overtaken(claim.Text, item) != 0 || c.overstates(item, claim.Text)
	case Done:
		return c.undone(claim.Text, c.turn.List.Cited(item.Records)) != ""
	}
	return false
}

// tellsPending reports whether a text leaves something open, or says of the claim that it
// goes on.
func (c *checker) tellsPending(item *Item, claim string) bool {
	return c.open || c.toldState(item) || c.known.begins(claim)
}

// denies reports whether a claim tells of what did not come about. In another
// language nobody can tell: there a line of ours says it (see [Untold]).
func (c *checker) denies(i int) bool {
	claim := &c.verdict.Claims[i]
	failure := claim.Kind == completion.ClaimFailure || strings.HasSuffix(claim.Text, "false")
	return c.foreign || failure || c.known.hedged(c.within[i])
}

// introduces reports whether a claim only leads to what follows it in the text:
// "I've put together a plan:".
func (c *checker) introduces(i int) bool {
	sentence := strings.TrimSpace(c.within[i])
	if !strings.HasSuffix(sentence, ":") {
		return false
	}
	_, rest, found := strings.Cut(c.final, sentence)
	return found && strings.TrimSpace(rest) != ""
}

// sum reports whether a claim is arithmetic, which needs no record, and speaks of
// nothing that a tool does.
func (c *checker) sum(claim *completion.Claim) bool {
	talk := c.turn.List.Len() == c.turn.List.earlier && (!c.turn.Due || reading.WantedOf(c.turn.User) == reading.Reckoned)
	return !c.offered(actsOf(claim.Text)) && c.known.arithmetic(claim.Text, talk)
}

// related reports whether an item can be what a claim speaks of. A claim without
// words of its own ("Consider it done") is about whatever was done. One that the
// request named is answered only by an item that names it, too. In another language
// no list tells names from words: there what is said not to have worked is about the
// sentence that has something of its call.
func (c *checker) related(n, i int) bool {
	if item := &c.report.Items[n]; c.foreign && !item.Status.Claims() && c.holdsArgument(c.within[i], item) {
		return true
	}
	if what := c.report.Items[n].What; c.foreign && c.turn.List.Len() == len(c.citedNow()) && alike(what, c.within[i]) {
		return true
	}
	if c.asked[i] {
		return says(c.subjects[n], c.named[i])
	}
	shared := func(v reading.Value) bool { return c.subjects[n][v.Key] }
	return len(c.named[i]) == 0 || slices.ContainsFunc(c.named[i], shared)
}

// holdsArgument reports whether a text holds an argument of a call that an item cites.
func (c *checker) holdsArgument(text string, item *Item) bool {
	for _, record := range c.turn.List.Cited(item.Records) {
		for _, value := range leaves(record.Args) {
			if len(value) > 2 && strings.Contains(text, value) {
				return true
			}
		}
	}
	return false
}

// citedNow are the cited calls of this turn.
func (c *checker) citedNow() []*tooltrack.Record {
	var now []*tooltrack.Record
	for _, item := range c.report.Items {
		for _, number := range item.Records {
			if record := c.turn.List.Record(number); record != nil && !c.turn.List.Earlier(number) {
				now = append(now, record)
			}
		}
	}
	return now
}
