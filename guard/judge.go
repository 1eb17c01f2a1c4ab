package guard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/resolver"
)

// judgeSafely is judge, and the panic that it ended with.
func (t *Turn) judgeSafely(ctx context.Context, text string) (found finding, fault *contain.Panic) {
	if t.unread != nil { // the message itself could not be read
		return finding{fault: faultUnjudged}, t.unread
	}
	fault = t.guard.contained(ctx, "judging", func() { found = t.judge(ctx, text) })
	if fault != nil {
		found = finding{fault: faultUnjudged}
	}
	return found, fault
}

// judge judges a text that would end the turn, with the titles that only the
// directories know.
func (t *Turn) judge(ctx context.Context, text string) (found finding) {
	var situation completion.Case
	for learned := true; learned; learned = readBackClaimed(ctx, t, &found) {
		situation = t.situation(text)
		found = judge(t.guard.evaluate(ctx, situation), situation, t.demands())
	}
	defer func() { // what is named, and the ways out of it
		if found.tier() == Sure || found.correction != "" {
			t.wordCorrection(&found, situation)
		}
	}()
	settled := found.tier() == Sure || !claimsChange(found.verdict.Claims)
	if settled || t.ownerless || len(t.guard.options.Directories) == 0 {
		return found
	}
	entries := t.known()
	for _, directory := range t.guard.options.Directories {
		if list, can := directory.(Lister); can {
			entries = append(entries, t.entriesOf(ctx, list)...)
		}
	}
	for i := range found.verdict.Claims {
		claim := &found.verdict.Claims[i]
		if claim.Kind != completion.ClaimChange || claim.Earlier || !claim.Backed() {
			continue
		}
		if title := overclaimed(claim.Text, entries, t.changedTitles()); title != "" {
			claim.By, claim.Fault = nil, fmt.Sprintf("no successful call of this turn is about %q", clipped(title))
			found.fault = faultClaim
			found.verdict.Outcome, found.verdict.Reason = completion.InsufficientProgress, completion.UnbackedClaim
			found.verdict.Correction = overclaimText(title)
		}
	}
	return found
}

func claimsChange(claims []completion.Claim) bool {
	return slices.ContainsFunc(claims, func(c completion.Claim) bool {
		return c.Kind == completion.ClaimChange && !c.Earlier
	})
}

func overclaimText(title string) string {
	return fmt.Sprintf("You report a change of %q, but no successful tool call of this turn is about it. "+
		"Call the tool for it now, or report only what was done and say what prevents the rest.", clipped(title))
}

// changedTitles are the titles, in lower case, that successful changes of this
// turn were about.
func (t *Turn) changedTitles() map[string]bool {
	titles := map[string]bool{}
	for _, record := range t.records {
		if !record.Succeeded() || !record.Effect.MayChange() {
			continue
		}
		for _, subject := range record.Touched {
			titles[strings.ToLower(subject.Title)] = true
		}
	}
	return titles
}

// overclaimed finds, in an enumeration of titles ("Read book and Call mom"), one
// that nothing was done to while something was done to another. Titles that
// stand alone may be anything: a place, a comparison, a new name.
func overclaimed(text string, entries []resolver.Entry, changed map[string]bool) string {
	found := titlesIn(text, entries)
	for i := 1; i < len(found); i++ {
		first, second := found[i-1], found[i]
		if !joins(text[first.to:second.from]) {
			continue
		}
		one, other := text[first.from:first.to], text[second.from:second.to]
		changedOne, changedOther := changed[strings.ToLower(one)], changed[strings.ToLower(other)]
		switch {
		case changedOne && !changedOther:
			return other
		case changedOther && !changedOne:
			return one
		}
	}
	return ""
}

// joins reports whether what stands between two titles makes a list of them.
func joins(between string) bool {
	switch strings.ToLower(strings.Trim(between, " \"'“”‘’`*")) {
	case ",", "and", ", and", "&", "and also", "as well as":
		return true
	}
	return false
}

type place struct{ from, to int }

// titlesIn finds the titles that stand in a text as whole words, the longest
// first where they overlap, in the order of the text.
func titlesIn(text string, entries []resolver.Entry) []place {
	var found []place
	rest := []byte(text)
	for {
		from, to := longestTitle(string(rest), entries)
		if to == 0 {
			break
		}
		found = append(found, place{from, to})
		for i := from; i < to; i++ {
			rest[i] = 0 // taken
		}
	}
	slices.SortFunc(found, func(a, b place) int { return a.from - b.from })
	return found
}
