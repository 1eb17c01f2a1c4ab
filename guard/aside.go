package guard

import (
	"context"

	"github.com/bonafide-go/bonafide/guard/proof"
)

// A text that was asked about, and answered with a call instead of a report, is set
// aside while the call runs. The model may still come back to the question, and the
// text is what is left to show when nothing else comes.

// setAside makes room for the calls that answer a request for proof.
func (t *Turn) setAside() {
	t.proving.answering = t.answering
	t.aside, t.proving = t.proving, nil
	t.guard.counters.note(func(sum *Counters) { sum.ProofsCalled++ })
}

// resume goes back to the text that was set aside, as it is to be judged now: there
// are new records, which may have made it true or false.
func (t *Turn) resume(ctx context.Context) {
	p := t.aside
	t.aside, t.proving = nil, p
	known := p.list.Len()
	p.list, p.faults = proof.NewList(t.earlier, t.evidence()), nil
	if p.list.Ran(known) {
		p.found = t.judge(ctx, p.draft.Message.Text)
	}
	if t.answering == nil {
		t.answering = p.answering
	}
}

// takeLateReport takes a text that is a report about one that was set aside. No
// report is ever shown.
func (t *Turn) takeLateReport(ctx context.Context, response Response) (taken bool) {
	if t.aside == nil {
		return false
	}
	if !isProofAnswer(response.Message.Text) {
		return false
	}
	t.resume(ctx)
	if err := ctx.Err(); err != nil { // the judgement may not be one
		t.proving = nil
		t.fail(err)
		return true
	}
	t.takeProof(ctx, response)
	return true
}

// isProofAnswer reports whether a text answers a request for proof.
func isProofAnswer(text string) bool {
	_, is := proof.IsAnswer(text)
	return is
}

// withoutReport is an answer that is a report nobody asked for by now, after a correction:
// what it says to the user, if anything. The rest is between the model and the guard.
func (t *Turn) withoutReport(response Response) Response {
	if t.spent == (spending{}) || t.guard.options.Observe {
		return response
	}
	said, is := proof.IsAnswer(response.Message.Text)
	if !is {
		return response
	}
	response.Message = Message{Role: RoleAssistant, Text: said}
	response.Raw = nil
	return response
}

// fallBack ends a turn that has no budget left with the text that was set aside. It
// reports whether there is one that may be shown.
func (t *Turn) fallBack(ctx context.Context) bool {
	if t.aside == nil || t.guard.options.Observe {
		return false
	}
	t.resume(ctx)
	if ctx.Err() != nil || t.proving.found.tier() == Sure {
		t.proving = nil
		return false
	}
	t.giveUp(ctx)
	return true
}
