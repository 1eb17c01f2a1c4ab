package guard

import (
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
