package guard

import (
	"context"
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// takenBack reports whether a text only takes back what one before it told, which a
// message of the guard's asks for, and nothing was changed that it could deny.
func (l *ledgerView) takenBack(text string) bool {
	return !changed(l.records) && reading.TakesBack(text)
}

// insists reports whether a text goes on, in whatever words, after one that told as done
// what was not, and nothing has been done since: it neither takes that back nor asks, and
// names nothing that prevents it. "It's all taken care of" is no claim that a record could
// refute, and after a refuted one no answer.
func (t *Turn) insists(text string, found *finding) bool {
	worked := func(r *tooltrack.Record) bool { return r.Succeeded() || r.Result.Status == tooltrack.Pending }
	refused := found.tier() == Sure && found.fault != faultMissing
	if t.caught == nil || refused || !t.asked.mayBeDue() || slices.ContainsFunc(t.evidence(), worked) {
		return false
	}
	return !yields(text, &found.verdict) && !reading.English().ReadClauses(nil, text).Foreign()
}

// yields reports whether a text asks something, names what prevents the work, or takes back
// what one before it told.
func yields(text string, verdict *completion.Verdict) bool {
	return verdict.Asks || verdict.Blocker.Kind != completion.NoBlocker ||
		reading.EndsAsking(text) || reading.TakesBack(text)
}

// askAgainOf puts a text in doubt as a whole that follows one which told as done what was
// not, where nothing has been changed since: "the landlord knows about it" tells in other
// words what was refused before. What takes it back, denies or asks is no such text.
func (t *Turn) askAgainOf(text string, found *finding) {
	claimed := func(d Doubt) bool { return d.Claim != nil }
	if t.caught == nil || !claimsChange(t.caught.verdict.Claims) || !t.wantsChange() || isJSON(text) ||
		found.tier() == Sure || slices.ContainsFunc(found.doubts, claimed) ||
		changed(t.records[min(t.caught.records, len(t.records)):]) {
		return
	}
	if yields(text, &found.verdict) || denies(text) {
		return
	}
	found.doubtAll(text)
}

// doubtAll puts each sentence of a text in doubt that may report something.
func (f *finding) doubtAll(text string) {
	for _, letter := range wholeText(text) {
		claim := &completion.Claim{Kind: completion.ClaimChange, Tier: Unsure, Text: letter.Text}
		f.doubts, f.fault = append(f.doubts, Doubt{Claim: claim, Words: letter.Text, Probability: 1}), faultDoubt
	}
}

// repents ends a turn whose model was asked for proof, and whose answer says instead that
// something was not done. Which calls show that, nobody has to say.
func (t *Turn) repents(ctx context.Context, result *proof.Result) bool {
	p := t.proving
	if result.Text == p.draft.Message.Text || !t.takenBack(result.Text) {
		return false
	}
	t.proving = nil
	answer := p.draft
	answer.Message, answer.Raw = Message{Role: RoleAssistant, Text: result.Text}, nil
	t.endDeclined(ctx, answer, p.found)
	t.reply.Draft = p.draft.Message.Text
	return true
}
