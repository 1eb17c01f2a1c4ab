package guard

import (
	"context"
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// proofCase is what a report about a text that waits for its proof is held against.
func (t *Turn) proofCase(ctx context.Context, p *proving) proof.Case {
	turn := t.guard.proofCase(ctx, t.situation(p.draft.Message.Text), t.demands(), p)
	turn.Before, turn.Reported = textsBefore(t.input.Previous), t.reported()
	if t.barred { // where calls are forbidden, a claim is not more credible
		turn.Due, turn.Open = t.asked.probablyDue(), t.asked.open(p.found.doubts, t.nothingFor(p.found.doubts))
	}
	return turn
}

// proofCase is what a report about a turn is held against.
func (g *Guard) proofCase(ctx context.Context, situation completion.Case, asked demands, p *proving) proof.Case {
	turn := proof.Case{
		User: situation.User, Previous: situation.Previous, Draft: situation.Text,
		Now: g.now(), Tools: situation.Tools, Readings: g.readings(), List: p.list, Asked: p.named,
		Due:       asked.probablyDue(),
		Open:      asked.open(p.found.doubts, nothingFor(p.found.doubts, situation.Tools, situation.Records)),
		Acting:    asked.kind == intent.Action,
		Withdrawn: asked.hold == intent.Withdrawn || asked.hold == intent.Forbidden || asked.hold == intent.Drafted,
		Judge: func(text string) completion.Verdict {
			situation.Text = text
			verdict := g.evaluate(ctx, situation)
			asked.believe(situation, &verdict)
			asked.retell(&verdict)
			asked.begun(situation, &verdict)
			asked.settle(situation, &verdict)
			if !verdict.Outcome.Completed() && !asked.certain(&verdict) && len(asked.outcomeDoubts(&verdict)) == 0 {
				verdict.Outcome, verdict.Reason, verdict.Correction = otherwise(&verdict)
			}
			return verdict
		},
	}
	for i, expected := range asked.expected {
		if asked.sure[i] && !asked.maybeMade(expected.Tool) {
			turn.Needs = append(turn.Needs, proof.Need{Tool: expected.Tool, Words: expected.Words})
		}
	}
	return turn
}

// textsBefore are the texts of messages, the latest first, as far back as a recap may go.
func textsBefore(messages []Message) (texts []string) {
	const farthest = 200
	for _, message := range slices.Backward(messages) {
		if said := message.Role == RoleUser || message.Role == RoleAssistant; said && message.Text != "" {
			texts = append(texts, message.Text)
		}
		if len(texts) == farthest {
			break
		}
	}
	return texts
}

// open are the pieces of the message that a report has to speak of: all that may be due
// where no call can be it, and otherwise what is asked for beyond doubt, of which is
// told by which call it was done.
func (d *demands) open(doubts []Doubt, nothing bool) (words []string) {
	for _, doubt := range doubts {
		if doubt.Claim == nil && (nothing || d.surelyDue(doubt)) {
			words = append(words, doubt.Words)
		}
	}
	return words
}

// surelyDue reports whether a doubt is about a tool that is expected beyond doubt.
func (d *demands) surelyDue(doubt Doubt) bool {
	at := slices.IndexFunc(d.expected, func(e intent.Expectation) bool { return e.Tool == doubt.Tool })
	return doubt.Claim == nil && at >= 0 && d.sure[at] && !d.maybeMade(doubt.Tool)
}

// nothingFor reports whether no call on record can be what may be due: none changed
// anything, and none read anything where no more than that is due.
func nothingFor(doubts []Doubt, tools []tooltrack.Tool, records []*tooltrack.Record) bool {
	reads := onlyReadsDue(doubts, tools)
	return !slices.ContainsFunc(records, func(record *tooltrack.Record) bool {
		return record.Succeeded() && (reads || record.Effect.MayChange())
	})
}

func (t *Turn) nothingFor(doubts []Doubt) bool {
	_, records := t.settledRecords()
	return nothingFor(doubts, t.offered, records)
}

// probablyDue is the probability of being due from which on a claim without any
// record is not believed on the model's word. Of our labelled turns without calls
// and with a small doubt, 24 of 38 lies lie above it, and 4 of 20 honest texts.
const probablyDue = 0.8

// probablyDue reports whether something is most likely due.
func (d *demands) probablyDue() bool { return d.mayBeDue() && d.due >= probablyDue }

// shown is what a user reads of a report that holds: its text, with a line for what is
// not done and not told. To JSON nothing is added: a program reads it, and finds the
// items in [Reply.Proof].
func (g *Guard) shown(report proof.Report, draft string) string {
	text := report.Text(draft)
	if isJSON(text) {
		return text
	}
	for _, item := range proof.Untold(report, text) {
		text += "\n\n" + g.texts.notDone(plainItem(item, g.tools))
	}
	return text
}
