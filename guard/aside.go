package guard

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// A text that was asked about, and answered with a call instead of a report, is set
// aside while the call runs. The model may still come back to the question, and the
// text is what is left to show when nothing else comes.

// setAside makes room for the calls that answer a request for proof.
func (t *Turn) setAside() {
	t.proving.answering = t.answering
	t.aside, t.proving = t.proving, nil
	t.guard.counters.proofs[proofCalled].Add(1)
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
	if t.aside == nil || !isReport(response.Message.Text) {
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

// withoutReport is an answer that is a report nobody asked for by now, after a correction:
// what it says to the user, if anything. The rest is between the model and the guard.
func (t *Turn) withoutReport(response Response) Response {
	if t.spent == (spending{}) || t.guard.options.Observe {
		return response
	}
	report, err := proof.Parse(response.Message.Text)
	if err != nil || !slices.ContainsFunc(report.Items, ours) {
		return response
	}
	said := ""
	if report.Message != nil {
		said = *report.Message
	}
	response.Message = Message{Role: RoleAssistant, Text: said}
	response.Raw = nil
	return response
}

// isReport reports whether a text was meant as a report, although it may be a wrong
// one. An answer for a program may have items of its own, and is none.
func isReport(text string) bool {
	report, err := proof.Parse(text)
	switch {
	case err == nil && len(report.Items) > 0:
		return slices.ContainsFunc(report.Items, ours)
	case strings.Contains(text, `"items"`) && strings.Contains(text, `"what"`) && strings.Contains(text, `"status"`):
		return true // of a shape that cannot be read
	case strings.Count(text, "{") > strings.Count(text, "}"): // it breaks off
		return strings.Contains(text, `"items"`) && strings.Contains(text, `"message"`)
	}
	return !errors.Is(err, proof.ErrNoReport) && emptyReport(text)
}

// ours reports whether an item is one of a report: a shopping list has items, too.
func ours(item proof.Item) bool { return item.What != "" && item.Status != "" }

// emptyReport reports whether the object in a text is a report about nothing, or about
// nothing that can be read: it keeps the draft by a message that is null, or has no items
// and no members of another kind.
func emptyReport(text string) bool {
	object := []byte(text[max(0, strings.IndexByte(text, '{')) : strings.LastIndexByte(text, '}')+1])
	if !json.Valid(object) {
		return false
	}
	for name, value := range jsonspan.Members(object) {
		switch key := jsonspan.Key(name); {
		case jsonspan.EqualFoldASCII(key, "message"):
			if jsonspan.KindOf(value) == jsonspan.Null {
				return true
			}
		case !jsonspan.EqualFoldASCII(key, "items"):
			return false
		default:
			for range jsonspan.Elements(value) {
				return false
			}
			if jsonspan.KindOf(value) != jsonspan.Array && jsonspan.KindOf(value) != jsonspan.Null {
				return false
			}
		}
	}
	return true
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
