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

// split finds the message that the turn answers: before it lies the
// conversation, after it the turn so far. A user message right after a tool
// result, with no answer between, continues the turn: clients hand attachments
// on so, or ask to analyse the result. Both messages are what the user said.
func split(messages []Message) (before []Message, user string, turn []Message) {
	last := lastUser(messages)
	if last < 0 {
		return messages, "", nil
	}
	user, first := messages[last].Text, last
	for first > 0 && messages[first-1].Role == RoleTool {
		earlier := lastUser(messages[:first])
		if earlier < 0 {
			break
		}
		user, first = messages[earlier].Text+"\n\n"+user, earlier
	}
	return messages[:first], user, messages[first+1:]
}

// lastUser is where the user spoke last; -1 if nowhere.
func lastUser(messages []Message) int {
	for i, message := range slices.Backward(messages) {
		if message.Role == RoleUser && !message.Internal {
			return i
		}
	}
	return -1
}
