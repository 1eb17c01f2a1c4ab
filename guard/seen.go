package guard

import (
	"context"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// seenIn are the calls that the provider ran while it wrote a message. Tools that only
// look something up are known by their names, where nothing else says so.
func seenIn(message *Message) []*tooltrack.Record {
	var records []*tooltrack.Record
	for _, record := range withoutNil(message.Seen) {
		seen := *record
		tool := withWords(tooltrack.Tool{Name: seen.Tool, Effect: seen.Effect})
		if seen.Implied = tool.Implied; readsOnly(&tool) {
			seen.Effect = tooltrack.Reads
		}
		seen.Result.Grade = tooltrack.Seen
		records = append(records, &seen)
	}
	return records
}

// takeSeen adds such calls to the records of the turn. They have happened, whatever
// becomes of the message.
func (t *Turn) takeSeen(message *Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, record := range seenIn(message) {
		record.Scope = t.input.scope()
		t.records = append(t.records, record)
	}
}

// takeShown takes an answer that holds an image or the like in the place of words. It
// claims nothing, so there is nothing to ask about: only a tool that is surely missing
// is asked for.
func (t *Turn) takeShown(ctx context.Context, response Response) {
	found := t.judge(ctx, "")
	if found.fault == faultMissing && !t.guard.options.Observe {
		t.judged(ctx, found)
		response.Message.Raw = nil // it is long, and helps nobody to do better
		t.act(ctx, response, found)
		return
	}
	verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.NothingDue}
	t.judged(ctx, finding{verdict: verdict})
	t.accept(ctx, response.Message, verdict)
}
