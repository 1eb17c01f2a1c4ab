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
func (t *Turn) takenBack(text string) bool { return !changed(t.records) && reading.TakesBack(text) }

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
	answered := found.verdict.Asks || reading.EndsAsking(text) || found.verdict.Blocker.Kind != completion.NoBlocker ||
		reading.TakesBack(text)
	return !answered && !reading.English().ReadClauses(nil, text).Foreign()
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
