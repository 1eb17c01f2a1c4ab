package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// Where the user wants words, what they tell of acts is no report: the guest of a sample
// mail was never cancelled on. A model that says so is believed, but not of what it
// tells beside those words of its own doing.

// MayBeWords reports whether a claim may be a piece of the words that a message asks for.
// What something is and how it works, nobody explains by what they themselves have done.
func MayBeWords(claim, user string) bool {
	switch reading.WantedOf(user) {
	case reading.Report, reading.Reckoned:
		return false
	case reading.Explained:
		k := newReader()
		defer k.leave()
		return !k.byUs(claim)
	}
	return true
}

// wantedWords reports whether a claim is a piece of the words that the user asks for.
func (c *checker) wantedWords(i int) bool {
	claim := &c.verdict.Claims[i]
	if claim.Tier == completion.Sure || len(c.turn.Needs) > 0 || c.changedNow() {
		return false
	}
	switch reading.WantedOf(c.turn.User) {
	case reading.Played:
		return true
	case reading.Revised:
		return c.ofText(i)
	case reading.Composed:
		return !c.handsOver(claim) && (!c.known.byUs(claim.Text) || c.setApart(i))
	case reading.Explained:
		happened := c.known.byUs(claim.Text) || c.known.tellsAct(claim.Text) || c.known.tellsEvent(claim.Text)
		return !happened && !c.saysDone(claim) && !c.inACall(claim)
	}
	return false
}

// byUs reports whether a text tells what the one who speaks has done.
func (k *knowledge) byUs(text string) bool {
	return slices.ContainsFunc(k.read(text).Clauses, func(clause reading.Clause) bool {
		done := clause.Shape == reading.ActivePerfect || clause.Shape == reading.ActivePast
		return done && clause.Actor == reading.Us && told(&clause)
	})
}

// ofText reports whether a claim stands in another wording of a text: one that the message
// brings along, or the one that was given before. It names nobody and no figure that the
// text does not; of one in another language names may be written otherwise.
func (c *checker) ofText(i int) bool {
	_, text := reading.HandedOver(c.turn.User)
	if _, quoted := c.known.handed(c.turn.User); text == "" && quoted == nil {
		return len(c.named[i]) > 0 && says(c.known.toldIn(c.turn.Previous), c.named[i])
	}
	foreign, claim := c.known.foreign(text), c.verdict.Claims[i].Text
	return !slices.ContainsFunc(c.known.valuesOf(claim), func(v reading.Value) bool {
		name := v.Kind == reading.Word && v.Entry == nil && capital(&v, claim) && !foreign
		figure := v.Kind == reading.ID || v.Kind == reading.Number
		return (name || figure) && !v.Has(reading.Derived|reading.Merged|reading.Worded) && !c.known.said[v.Key]
	})
}

// handing are the acts by which words reach somebody, or a place where they are kept.
var handing = lexicon.FamiliesOf(lexicon.Send, lexicon.Share, lexicon.Save, lexicon.Create, lexicon.Contact,
	lexicon.Upload, lexicon.Commit, lexicon.Record)

// handsOver reports whether a claim tells what was done with the words themselves: "I've
// sent it to Tom", "the note was created".
func (c *checker) handsOver(claim *completion.Claim) bool {
	if !c.known.tellsAct(claim.Text) || !actsOf(claim.Text).Overlaps(handing) || !c.offered(actsOf(claim.Text)) {
		return false
	}
	return c.known.overlap(claim.Text, c.turn.User) || len(c.known.content(claim.Text)) < 2
}

// setApart reports whether a claim stands in a text within the text: between quotation
// marks, after a colon, or below the line that opens a letter.
func (c *checker) setApart(i int) bool {
	at := strings.Index(c.final, c.within[i])
	if at < 0 {
		return false
	}
	claim := c.verdict.Claims[i].Text
	before := c.final[:at] + c.within[i][:max(0, strings.Index(c.within[i], claim))]
	quoted := strings.Count(before, `"`)%2 == 1 || strings.Count(before, "“") > strings.Count(before, "”")
	return quoted || strings.Contains(before, ":") || strings.Contains(before, ",\n") || reading.Salutes(c.within[i])
}

// inACall reports whether a claim names something that a call was about.
func (c *checker) inACall(claim *completion.Claim) bool {
	for _, v := range c.known.valuesOf(claim.Text) {
		named := v.Kind == reading.ID || v.Kind == reading.Word && v.Entry == nil && capital(&v, claim.Text)
		if named && !v.Has(reading.Derived|reading.Merged|reading.Worded) && c.known.inRecords(v.Key) {
			return true
		}
	}
	return false
}
