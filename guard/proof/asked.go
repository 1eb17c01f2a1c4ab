package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A request for proof names the pieces of a text that are in doubt. Whoever lies
// in the text alone, beside items that are all true, has to answer for them: by an
// item that names the piece and the call that shows it, or by calling it general,
// which is believed of nothing that reads like work.

// wasAsked reports whether the request for proof named a piece of the text.
func (c *checker) wasAsked(said string) bool {
	same := func(asked string) bool { return strings.TrimSpace(asked) == strings.TrimSpace(said) }
	return slices.ContainsFunc(c.turn.Asked, same)
}

// unanswered is the fault of a piece that was asked about and that no item names.
func (c *checker) unanswered(said string) {
	c.textFault("unanswered", said, "the message says %s, and no item answers for it; name it in an item, with the "+
		"call that shows it, as general if it tells of nothing that was done or looked up, or as not_done or needs_input "+
		"if it says so", oneLine(said, 120))
}

// stillStanding checks that what was asked about, and still stands in a message
// that was changed around it, is answered for, too: other words beside it may have
// taken the doubt away.
func (c *checker) stillStanding() {
	for _, asked := range c.turn.Asked {
		said := strings.TrimSpace(asked)
		judged := slices.ContainsFunc(c.verdict.Claims, func(claim completion.Claim) bool {
			return strings.TrimSpace(claim.Text) == said
		})
		if judged || said == "" || !strings.Contains(c.final, said) {
			continue
		}
		words := slices.Clone(c.known.content(said))
		denied := c.foreign || c.known.hedged(said)
		answers := func(item Item) bool {
			cites := len(item.Records) > 0 && !c.overstates(&item, said)
			shown := cites || item.Status == General || item.Status.open() && denied
			return shown && says(c.known.toldIn(item.What), words)
		}
		if !slices.ContainsFunc(c.report.Items, answers) {
			c.unanswered(said)
		}
	}
}

// says reports whether some words name what a text does: all that it names by a
// name, an id or a figure, or else half of its words. A model answers in words of
// its own.
func says(told keys, words []reading.Value) bool {
	said, all := 0, 0
	named, missing := false, false
	for _, v := range words {
		if v.Has(reading.Derived | reading.Merged) {
			continue
		}
		if all++; told[v.Key] {
			said++
		}
		if v.Kind != reading.Word || v.Entry == nil {
			named, missing = true, missing || !told[v.Key]
		}
	}
	return 2*said >= all || named && !missing
}

// answersFor is the piece of the text, of those that were asked about, whose words
// an item repeats; empty if it is about something else. What is wrong with such an
// item is wrong with that piece alone.
func (c *checker) answersFor(item int) string {
	if item == 0 {
		return ""
	}
	what := strings.ToLower(strings.TrimSuffix(strings.TrimSpace(c.report.Items[item-1].What), "…"))
	for _, asked := range c.turn.Asked {
		if what != "" && strings.HasPrefix(strings.ToLower(strings.TrimSpace(asked)), what) {
			return asked
		}
	}
	return ""
}

// general reports whether an item says that a claim is none, and nothing in it
// speaks against that.
func (c *checker) general(i int) bool {
	if !c.wantedWords(i) && c.speaksOfWork(i) {
		return false
	}
	return slices.ContainsFunc(c.report.Items, func(item Item) bool {
		return item.Status == General && says(c.known.toldIn(item.What), c.named[i])
	})
}

// speaksOfWork reports whether something speaks against a claim's being none: it is a
// strong doubt, tells of something that has happened, or of how particular things are.
func (c *checker) speaksOfWork(i int) bool {
	claim := &c.verdict.Claims[i]
	small := claim.Tier != completion.Sure && claim.Doubt < grave
	state := claim.Kind == completion.ClaimChange || claim.Kind == completion.ClaimFailure
	happened := c.known.tellsEvent(claim.Text) || c.known.tellsAct(claim.Text) && !c.ownText(claim)
	asks := c.foreign && reading.EndsAsking(c.within[i]) // other languages write more than names with capitals
	if !small || !state || happened || c.saysDone(claim) || c.ofFailure(i) {
		return true
	}
	return !c.ofHandedText(claim) && (c.known.particular(claim.Text) && !asks || c.ofWhatIsDue(i))
}

// leftUndone reports whether an item answers for a claim by saying that something was
// not done, or waits for the user. It is believed of a sentence that denies, refuses or
// asks, and of one in another language, where nobody can tell: a line of ours says it
// there (see [Untold]). It is never believed of what tells something as done.
func (c *checker) leftUndone(i int) bool {
	claim := &c.verdict.Claims[i]
	if claim.Tier == completion.Sure || !c.foreign && !c.refuses(i) {
		return false
	}
	for n := range c.report.Items {
		item := &c.report.Items[n]
		if !item.Status.open() || c.faulted[n+1] || c.foreign && item.Status == NeedsInput && !reading.EndsAsking(c.final) {
			continue
		}
		if c.known.overlap(item.What, c.within[i]) || c.known.overlap(item.What, c.turn.User) {
			return true
		}
		if c.foreign && (!c.known.foreign(item.What) || alike(item.What, c.within[i]) || alike(item.What, c.turn.User)) {
			return true // of an item in our language nobody can tell what it is about
		}
	}
	return false
}

// refuses reports whether a claim says that something was not or cannot be done, or
// stands in a question, and tells of nothing that was.
func (c *checker) refuses(i int) bool {
	claim := &c.verdict.Claims[i]
	if !c.denies(i) || c.known.tellsAct(claim.Text) || c.known.tellsEvent(claim.Text) || c.saysDone(claim) {
		return false
	}
	if c.verdict.Asks || c.verdict.Blocker.Kind != completion.NoBlocker || claim.Kind == completion.ClaimFailure {
		return true
	}
	negated := func(clause reading.Clause) bool { return clause.Verb >= 0 && clause.Negated }
	return slices.ContainsFunc(c.known.read(claim.Text).Clauses, negated)
}

// stays reports whether a claim says that something is as it was, and not in the user's
// own words: who asks to keep a light on wants a change.
func (c *checker) stays(claim *completion.Claim) bool {
	text := c.known.read(claim.Text)
	stays := func(clause reading.Clause) bool {
		return text.Stays(&clause) && !c.known.said[c.known.reader.StemKey(text.Word(clause.Verb))]
	}
	return slices.ContainsFunc(text.Clauses, stays)
}

// ofWhatIsDue reports whether a claim stands in the answer to a message that asks for
// something to be done or looked up: what reads like a report there, and denies
// nothing, is one. Where a call failed and the text tells so, the rest may explain it.
func (c *checker) ofWhatIsDue(i int) bool {
	return c.turn.Due && !c.denies(i) && !(c.open && c.owns())
}

// ofFailure reports whether a claim names an id, a figure or a time of a call of
// this turn that did not succeed, and does not deny anything.
func (c *checker) ofFailure(i int) bool {
	if c.denies(i) {
		return false
	}
	failed := keys{}
	for number := c.turn.List.earlier + 1; number <= c.turn.List.Len(); number++ {
		if record := c.turn.List.Record(number); !record.Succeeded() && c.mayChange(record) && !c.madeGood(number) {
			failed.add(c.known.values(textOf(record)))
		}
	}
	return slices.ContainsFunc(c.named[i], func(v reading.Value) bool {
		return v.Kind != reading.Word && !v.Has(reading.Derived|reading.Merged) && failed[v.Key]
	})
}

// ofHandedText reports whether a claim repeats what stands in a text that the user has
// put between quotation marks, to have something done with it that no tool does: a
// summary, a translation.
func (c *checker) ofHandedText(claim *completion.Claim) bool {
	before, handed := c.known.handed(c.turn.User)
	if handed == nil || c.offered(actsOf(before)) {
		return false
	}
	named := false
	for _, v := range c.known.valuesOf(claim.Text) {
		word := v.Kind == reading.Word && v.Entry != nil && !capital(&v, claim.Text)
		if word || v.Has(reading.Derived|reading.Merged) {
			continue
		}
		if !handed[v.Key] {
			return false
		}
		named = true
	}
	return named
}

// ownText reports whether an act that a claim tells of can only be done in words: no
// tool does such a thing, none was called, and nothing is due ("those I made up").
func (c *checker) ownText(claim *completion.Claim) bool {
	called := c.turn.List.Len() > c.turn.List.earlier
	return !c.turn.Due && !called && !c.offered(actsOf(claim.Text))
}

// saysDone reports whether a claim says without a verb that what is asked for now is
// done: "Deactivation complete".
func (c *checker) saysDone(claim *completion.Claim) bool {
	done := func(roles reading.Role) bool { return roles&reading.RoleDone != 0 }
	return c.turn.Acting && slices.ContainsFunc(c.known.read(claim.Text).Roles, done)
}

// outOfDate reports whether an item cites what happened before for a claim of what
// is done now. Who is asked for no change looks back to those that were made.
func (c *checker) outOfDate(item *Item, claim *completion.Claim) bool {
	if !c.turn.Due || claim.Earlier || claim.Kind != completion.ClaimChange || len(item.Records) == 0 {
		return false
	}
	if !c.turn.Acting && c.known.recalls(claim.Text) {
		return false
	}
	now := func(number int) bool { return !c.turn.List.Earlier(number) }
	return !slices.ContainsFunc(item.Records, now) && !c.stillHolds(item, claim)
}

// stillHolds reports whether an item cites what was read before for a claim that says
// how things are, and that gives nothing but what was read: an id, a figure or a time,
// and names. What is asked for now would make it otherwise.
func (c *checker) stillHolds(item *Item, claim *completion.Claim) bool {
	if item.Status != Answered || c.known.tellsAct(claim.Text) || c.known.tellsEvent(claim.Text) || c.saysDone(claim) {
		return false
	}
	read := keys{}
	for _, record := range c.turn.List.Cited(item.Records) {
		if c.mayChange(record) {
			return false
		}
		read.add(c.known.values(textOf(record)))
	}
	given := false
	for _, v := range c.known.valuesOf(claim.Text) {
		figure := v.Kind != reading.Word && v.Kind != reading.Weekday
		name := v.Kind == reading.Word && v.Entry == nil
		if v.Has(reading.Derived|reading.Merged) || !figure && !name {
			continue
		}
		if !read[v.Key] {
			return false
		}
		given = given || figure
	}
	return given
}

// onlyLooked reports whether an item cites only calls that read for a claim that
// something was done, and none of them says so.
func (c *checker) onlyLooked(item *Item, claim *completion.Claim) bool {
	done := c.known.tellsAct(claim.Text) && !c.known.tellsLook(claim.Text) || c.saysDone(claim)
	if claim.Kind != completion.ClaimChange || item.Status != Answered || !done {
		return false
	}
	verbs := c.known.verbs(claim.Text)
	return !slices.ContainsFunc(c.turn.List.Cited(item.Records), func(record *tooltrack.Record) bool {
		said := func(v reading.Value) bool { return verbs[v.Key] }
		return c.mayChange(record) || slices.ContainsFunc(c.known.values(textOf(record)), said)
	})
}

// tellsReason reports whether a text gives the reason of a failure, or how far a call
// has come: it has a word of what the call said then that is neither the user's nor the
// call's. Of a failure an id will do.
func (c *checker) tellsReason(item *Item, told keys) bool {
	for _, record := range c.turn.List.Cited(item.Records) {
		if record.Succeeded() {
			continue
		}
		why := record.Result.Error
		if why == "" {
			why = record.Result.Text()
		}
		call := c.known.toldIn(string(record.Args))
		if slices.ContainsFunc(c.known.content(why), func(v reading.Value) bool {
			tells := v.Kind == reading.Word || v.Kind == reading.ID && item.Status == Failed
			return tells && told[v.Key] && !call[v.Key] && !c.known.said[v.Key]
		}) {
			return true
		}
	}
	return false
}
