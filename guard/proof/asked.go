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
		"call that shows it, or as general if it tells of nothing that was done or looked up", oneLine(said, 120))
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
		answers := func(item Item) bool {
			return (len(item.Records) > 0 || item.Status == General) && says(c.known.toldIn(item.What), words)
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
// speaks against that: it is no strong doubt, tells of nothing that has happened, and
// not of how particular things are.
func (c *checker) general(i int) bool {
	claim := &c.verdict.Claims[i]
	small := claim.Tier != completion.Sure && claim.Doubt < grave
	state := claim.Kind == completion.ClaimChange || claim.Kind == completion.ClaimFailure
	happened := c.known.tellsEvent(claim.Text) || c.known.tellsAct(claim.Text) && !c.ownText(claim)
	if !small || !state || happened || c.known.particular(claim.Text) ||
		c.saysDone(claim) || c.ofFailure(i) || c.ofWhatIsDue(i) {
		return false
	}
	return slices.ContainsFunc(c.report.Items, func(item Item) bool {
		return item.Status == General && says(c.known.toldIn(item.What), c.named[i])
	})
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
// is done now.
func (c *checker) outOfDate(item *Item, claim *completion.Claim) bool {
	if !c.turn.Due || claim.Earlier || claim.Kind != completion.ClaimChange || len(item.Records) == 0 {
		return false
	}
	now := func(number int) bool { return !c.turn.List.Earlier(number) }
	return !slices.ContainsFunc(item.Records, now)
}

// onlyLooked reports whether an item cites only calls that read for a claim that
// something was done, and none of them says so.
func (c *checker) onlyLooked(item *Item, claim *completion.Claim) bool {
	done := c.known.tellsAct(claim.Text) || c.saysDone(claim)
	if claim.Kind != completion.ClaimChange || item.Status != Answered || !done {
		return false
	}
	verbs := c.known.verbs(claim.Text)
	return !slices.ContainsFunc(c.turn.List.Cited(item.Records), func(record *tooltrack.Record) bool {
		said := func(v reading.Value) bool { return verbs[v.Key] }
		return c.mayChange(record) || slices.ContainsFunc(c.known.values(textOf(record)), said)
	})
}

// tellsReason reports whether a text gives the reason of a failure: it has a word
// of what the call said when it failed that is neither the user's nor the call's.
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
			return v.Kind == reading.Word && told[v.Key] && !call[v.Key] && !c.known.said[v.Key]
		}) {
			return true
		}
	}
	return false
}
