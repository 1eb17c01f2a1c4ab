package proof

import (
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// inaction reports whether a claim says no more than that something was left as it is,
// and nothing was changed in this turn: then there is no call that could show it, and
// none that could speak against it. What the user asks to keep may need a call ("keep the
// light on"): it is not believed in the user's own words, unless the message holds
// something back.
func (c *checker) inaction(i int) bool {
	claim := &c.verdict.Claims[i]
	open := claim.Tier != completion.Sure && claim.Kind != completion.ClaimFailure
	if !open || c.changedNow() || !c.ownsInaction(claim.Text) {
		return false
	}
	text, left := c.known.read(claim.Text), false
	for j := range text.Clauses {
		clause := &text.Clauses[j]
		switch {
		case clause.Verb < 0 || c.acknowledges(text, clause):
		case c.leaves(text, clause):
			if !c.turn.Withdrawn && !clause.Negated && c.known.said[c.known.reader.StemKey(text.Word(clause.Verb))] {
				return false
			}
			left = true
		case clause.Shape != reading.Copula && !(left && clause.Negated):
			return false
		}
	}
	return left
}

// ownsInaction reports whether the report says, of something that the user or the claim
// speaks of, that it was not done. It need not where the message holds something back, nor where
// nothing is due, and no call was made that could be cited.
func (c *checker) ownsInaction(claim string) bool {
	now := c.turn.List.Len() - c.turn.List.earlier
	evades := false
	for i := range c.report.Items {
		item := &c.report.Items[i]
		of := c.known.overlap(item.What, c.turn.User) || c.known.overlap(item.What, claim)
		if of && (item.Status.open() || item.Status == Withdrawn) {
			return true
		}
		evades = evades || item.Status == Withdrawn && !c.turn.Withdrawn
	}
	return !evades && (c.turn.Withdrawn && now == 0 || !c.turn.Due && c.turn.List.Len() == 0)
}

// changedNow reports whether a call of this turn changed something, or may have.
func (c *checker) changedNow() bool {
	may := func(r *tooltrack.Record) bool { return c.mayChange(r) && !r.Ruling.Denied }
	return slices.ContainsFunc(c.turn.List.records[c.turn.List.earlier:], may)
}

// leaves reports whether a clause says that something was left, kept or not done.
func (c *checker) leaves(text *reading.Text, clause *reading.Clause) bool {
	if clause.Mood != reading.Stated {
		return false
	}
	if clause.Negated {
		passive := clause.Shape == reading.PassivePerfect || clause.Shape == reading.PassivePast
		return clause.Actor == reading.Us && !passive || passive && c.offered(text.Tokens[clause.Verb].Families())
	}
	keeps := clause.Actor == reading.Us && text.Says(clause.Verb, "kept")
	keeps = keeps && !text.Says(clause.Verb+1, "a") && !text.Says(clause.Verb+1, "an")
	return keeps || text.LeavesAlone(clause) || text.Stays(clause)
}

// acknowledges reports whether a clause only says that the user was understood: "Got it", "Understood".
func (c *checker) acknowledges(text *reading.Text, clause *reading.Clause) bool {
	if clause.Shape == reading.Fragment && clause.To-clause.From == 1 {
		done := text.Roles[clause.Verb]&reading.RoleDone != 0
		return !done && !c.offered(text.Tokens[clause.Verb].Families())
	}
	return text.Says(clause.Verb, "got") && text.Says(clause.Verb+1, "it") && clause.To <= clause.Verb+3
}
