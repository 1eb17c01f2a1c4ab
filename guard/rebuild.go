package guard

import (
	"slices"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// recordsOf reads calls and their results from messages, for those who see nothing else.
// Such results are graded [tooltrack.Reported]: a message says that the call ran. A call
// without a result has the status Unknown.
//
// Where ids are missing, or given twice, results answer the calls in their order, or
// those of the tools that they name.
func recordsOf(messages []Message, tools []tooltrack.Tool, options *tooltrack.ParseOptions) []*tooltrack.Record {
	var records []*tooltrack.Record
	open, told := map[string][]*tooltrack.Record{}, map[string]*tooltrack.Record{}
	answered := false // something came after the last calls
	for _, message := range messages {
		if answered && len(message.Calls) > 0 {
			for _, call := range message.Calls {
				delete(open, call.ID) // an id that is given again is that of the new call
			}
			answered = false
		}
		records = append(records, seenIn(&message)...)
		for _, call := range message.Calls {
			record := &tooltrack.Record{Call: call, Occurrence: 1, Attempt: 1}
			if tool := toolNamed(tools, call.Tool); tool != nil {
				record.Effect, record.Implied = tool.Effect, tool.Implied
				record.Touched = subjectArg(tool, call.Args)
			} else {
				record.Implied = withWords(tooltrack.Tool{Name: call.Tool}).Implied
			}
			records = append(records, record)
			open[call.ID] = append(open[call.ID], record)
		}
		answered = answered || message.Role != RoleAssistant
		if message.Role != RoleTool {
			continue
		}
		record := answers(open, &message)
		if record == nil {
			contradict(told[message.CallID], message.Text, options)
			continue
		}
		told[message.CallID] = record
		record.Result = parseResult(record, message.Text, options)
		untold := record.Effect.MayChange() && len(record.Touched) == 0
		if found := subjectIn(record.Result.Data); untold && found.Title != "" {
			record.Touched = []tooltrack.Subject{found}
		}
	}
	return records
}

// contradict takes note of a second result for a call. Of two that disagree, the one
// that says it did not work counts: a success that is also told as a failure shows
// nothing.
func contradict(record *tooltrack.Record, text string, options *tooltrack.ParseOptions) {
	if record == nil || !record.Succeeded() {
		return
	}
	if again := parseResult(record, text, options); again.Status != tooltrack.Succeeded {
		record.Result = again
	}
}

// answers takes the call that a result answers from those that are open; nil if there
// is none.
func answers(open map[string][]*tooltrack.Record, result *Message) *tooltrack.Record {
	queue := open[result.CallID]
	if len(queue) == 0 {
		return nil
	}
	at := max(0, slices.IndexFunc(queue, func(r *tooltrack.Record) bool { return r.Tool == result.Tool }))
	record := queue[at]
	open[result.CallID] = slices.Delete(queue, at, at+1)
	return record
}

// parseResult survives a rule of the host's own that panics: then nobody can
// tell what became of the call.
func parseResult(
	record *tooltrack.Record, text string, options *tooltrack.ParseOptions,
) (result tooltrack.Result) {
	defer func() {
		if fault := recover(); fault != nil {
			result = tooltrack.UnknownResult("ParseOptions.Rule " + shown(panicOf(fault)))
			result.Grade = tooltrack.Reported
		}
	}()
	return tooltrack.ParseCall(&tooltrack.Tool{Effect: record.Effect, Implied: record.Implied}, record.Call, text, options)
}

// split finds the message that the turn answers: before it lies the conversation,
// after it the turn so far. Messages after a result, with no answer between, go on
// with a turn unless one begins; see [continuation]. All that they say is what the
// user said, but what only stands beside results in one message.
func split(messages []Message, begins func(at int) bool) (before []Message, said []string, turn []Message) {
	first, run, after := -1, len(messages), false // where a row of messages begins, and whether it follows a result
	for i := len(messages) - 1; i >= 0; i-- {
		message := &messages[i]
		if !userSaid(message) {
			continue
		}
		if i < run {
			for run = i; run > 0 && userSaid(&messages[run-1]); run-- {
			}
			after = run > 0 && messages[run-1].Role == RoleTool
		}
		begun := after && begins(i)
		if message.Beside && !begun {
			continue
		}
		first, said = i, append(said, message.Text)
		if !after || begun {
			break
		}
	}
	if first < 0 {
		return messages, nil, nil
	}
	slices.Reverse(said)
	return messages[:first], said, messages[first+1:]
}

// userSaid reports whether the user may have said a message.
func userSaid(message *Message) bool {
	return message.Role == RoleUser && (!message.Internal || message.Beside)
}

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
