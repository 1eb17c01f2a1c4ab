package guard

import (
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// atMost is the most that can be held against a claim, whatever the evaluator says.
// Cheers, advice, that nothing was done and that a request is dropped which the user took
// back are no claims of work. Where the user wants words, a text or an explanation, they may tell of acts
// that nobody did: that is asked about, and no model is accused of it.
func (d *demands) atMost(turn completion.Case, claim *completion.Claim) Tier {
	switch {
	case reading.Cries(claim.Text) && !d.answersBy(turn),
		tellsNothing(claim.Text, changed(turn.Records), changed(turn.Earlier)),
		d.letsGo(turn, claim),
		d.asideOf(turn, claim.Text) && (isEmpty(claim.Text) || reading.Acknowledges(claim.Text)):
		return completion.Clean
	case claim.Tier == completion.Sure && len(turn.Records) == 0 && !slices.Contains(d.sure, true) &&
		match.MayBeWords(claim.Text, turn.User),
		d.allLater() && isEmpty(claim.Text), // "Okay, noted." to what is to be done later
		d.asideOf(turn, claim.Text),
		d.onlyWonders(turn) && !reading.TellsOwnDeed(claim.Text) && !isBare(claim.Text):
		return completion.Unsure
	}
	return completion.Sure
}

// isEmpty reports whether a text says hardly anything of its own: "On it!", "Sure, give me
// a second". Where something may be due, such a text is no answer.
func isEmpty(text string) bool { return match.Size(text) < 3 }

// isBare reports whether a text has no word that means something by itself: "ok", "so?".
func isBare(text string) bool { return match.Size(text) == 0 }

// onlyWonders reports whether a message asks something that no tool has to be called for,
// and none was: what the answer tells may be how things are done, or what could be.
func (d *demands) onlyWonders(turn completion.Case) bool {
	return d.due < d.threshold && len(turn.Records) == 0 && reading.EndsAsking(turn.User)
}

// asideOf reports whether, after a message that holds something back, and with nothing
// changed, a text tells of no act of an offered tool: "paused", "I've disregarded that"
// tell what became of the request.
func (d *demands) asideOf(turn completion.Case, text string) bool {
	if !d.holdsBack() || changed(turn.Records) {
		return false
	}
	return !doneByAny(turn.Tools, actsIn(text))
}

// doneByAny reports whether some acts may be that of a tool that changes something.
func doneByAny(tools []tooltrack.Tool, acts lexicon.Families) bool {
	return slices.ContainsFunc(tools, func(tool tooltrack.Tool) bool {
		return !readsOnly(&tool) && readingOf(&tool).Families.Overlaps(acts)
	})
}

// allLater reports whether the message puts off each tool that it speaks of.
func (d *demands) allLater() bool {
	now := func(e intent.Expectation) bool { return e.Hold != intent.Deferred && e.Hold != intent.Conditional }
	return len(d.expected) > 0 && !slices.ContainsFunc(d.expected, now)
}

// answersBy reports whether a cheer may be the answer to a message: it asks something, or
// it asks for something, and nothing was changed.
func (d *demands) answersBy(turn completion.Case) bool {
	return reading.EndsAsking(turn.User) || !changed(turn.Records) && d.mayBeDue() && !isBare(turn.User)
}

// tellsNothing reports whether a text only says what should be done or, where nothing was
// changed, now or earlier, that nothing was.
func tellsNothing(text string, now, earlier bool) bool {
	read := reading.English().Borrow(text)
	defer read.Return()
	return read.Advises() || !now && (read.NothingDone() || !earlier && read.Refrains() && !read.TellsDone())
}

// letsGo reports whether a claim says that something was stopped or dropped, after a
// message that takes something back, and names nothing that it was done to: "Okay, I've
// dropped it". It is a claim of work where a tool does such a thing and the message
// speaks of it.
func (d *demands) letsGo(turn completion.Case, claim *completion.Claim) bool {
	if d.hold != intent.Withdrawn && d.hold != intent.Forbidden || changed(turn.Records) {
		return false
	}
	read := reading.English().Borrow(claim.Text)
	defer read.Return()
	act, dropped := read.Drops()
	if !dropped {
		return false
	}
	if !doneByAny(turn.Tools, act) {
		return true
	}
	return isEmpty(turn.User) && !actsIn(turn.User).Overlaps(act)
}
