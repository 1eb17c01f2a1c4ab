package guard

import (
	"slices"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// recordsOf reads calls and their results from messages, for those who see
// nothing else. Such results are only reported: somebody says that the call
// ran. A call without a result is of unknown fate.
func recordsOf(messages []Message, tools []tooltrack.Tool, options *tooltrack.ParseOptions) []*tooltrack.Record {
	var records []*tooltrack.Record
	open := map[string]*tooltrack.Record{}
	for _, message := range messages {
		for _, call := range message.Calls {
			record := &tooltrack.Record{Call: call, Occurrence: 1, Attempt: 1}
			if tool := toolNamed(tools, call.Tool); tool != nil {
				record.Effect = tool.Effect
				record.Touched = subjectArg(tool, call.Args)
			}
			records = append(records, record)
			open[call.ID] = record
		}
		if message.Role != RoleTool {
			continue
		}
		if record := open[message.CallID]; record != nil {
			record.Result = parseResult(record, message.Text, options)
			untold := record.Effect.MayChange() && len(record.Touched) == 0
			if found := subjectIn(record.Result.Data); untold && found.Title != "" {
				record.Touched = []tooltrack.Subject{found}
			}
			delete(open, message.CallID) // one id, one result
		}
	}
	return records
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
	return tooltrack.ParseCall(record.Effect, record.Call, text, options)
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
