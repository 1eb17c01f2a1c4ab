package guard

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// deniedDeeds are the pieces of a text that say of a change of this turn that it was not
// made, or could not be: "I was unable to cancel it" after a call that did. Where a change
// failed or its result says no to something, or where the text tells one as done, too, they
// may be about that.
func deniedDeeds(turn completion.Case, verdict *completion.Verdict) []Doubt {
	failed := func(r *tooltrack.Record) bool {
		return r.Effect.MayChange() && (!r.Succeeded() || denies(r.Result.Text()))
	}
	told := func(c completion.Claim) bool { return c.Kind == completion.ClaimChange && c.By != nil }
	if !slices.ContainsFunc(turn.Records, declaredChange) || slices.ContainsFunc(verdict.Claims, told) ||
		slices.ContainsFunc(turn.Records, failed) {
		return nil
	}
	read := reading.English().Borrow(turn.Text)
	defer read.Return()
	var doubts []Doubt
	for i := range read.Clauses {
		clause := &read.Clauses[i]
		words := read.Of(clause)
		if actsIn(words).Empty() { // "I was unable | to cancel it"
			sentence := &read.Sentences[clause.Sentence]
			words = strings.TrimSpace(turn.Text[sentence.Start:sentence.End])
		}
		if read.Denies(clause) && deniesAny(turn, words) {
			claim := &completion.Claim{Text: words, Kind: completion.ClaimFailure, Tier: Unsure, Doubt: likely}
			doubts = append(doubts, Doubt{Claim: claim, Words: words, Probability: likely})
		}
	}
	return doubts
}

// deniesAny reports whether some words have the act of a change that was made, or say that
// nothing was done at all.
func deniesAny(turn completion.Case, words string) bool {
	acts := actsIn(words)
	if nothing := reading.English().ReadClauses(nil, words); nothing.NothingDone() {
		return true
	}
	return slices.ContainsFunc(turn.Records, func(r *tooltrack.Record) bool {
		tool := toolNamed(turn.Tools, r.Tool)
		return declaredChange(r) && tool != nil && readingOf(tool).Families.Overlaps(acts)
	})
}

// declaredChange reports whether a call succeeded whose tool says itself that it changes
// something: one that says nothing may only look.
func declaredChange(r *tooltrack.Record) bool { return r.Succeeded() && r.Effect == tooltrack.Changes }
