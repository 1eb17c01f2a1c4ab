package guard

import (
	"context"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// recordsOf reads calls and their results from messages, for those who see nothing else. Such results are graded
// [tooltrack.Reported]: a message says that the call ran. A call without a result has the status Unknown.
//
// Where ids are missing, or given twice, results answer the calls in their order, or those of the tools that they
// name.
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
			// Of two results that disagree, the one that says it did not work counts.
			if first := told[message.CallID]; first != nil && first.Succeeded() {
				if again := parseResult(first, message.Text, options); again.Status != tooltrack.Succeeded {
					first.Result = again
				}
			}
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

// answers takes the call that a result answers from those that are open; nil if there is none.
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

// parseResult survives a rule of the host's own that panics: then nobody can tell what became of the call.
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

// split finds the message that the turn answers: before it lies the conversation, after it the turn so far.
// Messages after a result, with no answer between, go on with a turn unless one begins; see [continuation]. All
// that they say is what the user said, but what only stands beside results in one message.
func split(messages []Message, begins func(at int) bool) (before []Message, said []string, turn []Message) {
	first, run, after := -1, len(messages), false // where a row of messages begins, and whether it follows a result
	for i := len(messages) - 1; i >= 0; i-- {
		message := &messages[i]
		if !isUsers(message) {
			continue
		}
		if i < run {
			for run = i; run > 0 && isUsers(&messages[run-1]); run-- {
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

// isUsers reports whether the user may have said a message.
func isUsers(message *Message) bool {
	return message.Role == RoleUser && (!message.Internal || message.Beside)
}

// seenIn are the calls that the provider ran while it wrote a message. Tools that only look something up are known
// by their names, where nothing else says so.
func seenIn(message *Message) []*tooltrack.Record {
	var records []*tooltrack.Record
	for _, record := range withoutNil(message.Seen) {
		seen := *record
		tool := withWords(tooltrack.Tool{Name: seen.Tool, Effect: seen.Effect})
		if seen.Implied = tool.Implied; isReading(&tool) {
			seen.Effect = tooltrack.Reads
		}
		seen.Result.Grade = tooltrack.Seen
		records = append(records, &seen)
	}
	return records
}

// takeSeen adds such calls to the records of the turn. They have happened, whatever becomes of the message.
func (t *Turn) takeSeen(message *Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, record := range seenIn(message) {
		record.Scope = t.input.scope()
		t.records = append(t.records, record)
	}
}

// continuation tells which messages of a conversation go on with a turn.
//
// A turn is what the user wants, and the calls that are made for it. A message that stands right after a result,
// with no answer between, begins a turn of its own where it asks for something by itself: calls that were made
// before it was said cannot have been made for it. Everything else goes on with the turn: what is handed on (files,
// images, what a framework puts between tags or fences), what speaks of the loop itself ("analyze the tool result",
// "continue"), and what agrees, takes back or asks about what was done.
//
// Where it is not clear, the message goes on: then the calls before it count, and nobody is accused who has done
// the work. A turn that begins keeps them as earlier ones: they still show what is told of them, and not what is
// asked for now.
type continuation struct {
	ctx      context.Context
	guard    *Guard
	messages []Message
	owner    string // empty where nobody said whose entities are meant
	read     int    // messages that the classifier was asked about
}

// maxFollowing is how many messages of a conversation are classified.
const maxFollowing = 16

// begins reports whether a message after a result begins a turn.
func (c *continuation) begins(at int) bool {
	following := reading.Follow(c.messages[at].Text)
	if !following.Says {
		return false
	}
	switch intent.HoldOf(following.Own) {
	case intent.Withdrawn, intent.Forbidden, intent.Drafted:
		return false
	}
	return following.Few && (following.Adds || c.hasAnotherName(following.Own, at)) ||
		c.isAsking(following.Own, at, following.Long)
}

// wantedIn is what a turn is asked for in, of the messages that it is made of: the first one, and what those that
// go on with it say themselves. What they hand on may hold anything, and is nobody's request.
func wantedIn(said []string) string {
	if len(said) < 2 {
		return strings.Join(said, "")
	}
	asked := said[:1:1]
	for _, text := range said[1:] {
		if following := reading.Follow(text); following.Own != "" && !following.Long {
			asked = append(asked, following.Own)
		}
	}
	return strings.Join(asked, "\n\n")
}

// isAsking reports whether the classifier finds something due in a message. Of one that is mostly handed on, only a
// plain command counts.
func (c *continuation) isAsking(own string, at int, long bool) bool {
	if c.read++; c.read > maxFollowing {
		return false
	}
	found, err := c.guard.classify(c.ctx, intent.Utterance{User: own, Previous: lastText(c.messages[:at])})
	if err != nil || found.Hold == intent.Withdrawn || found.Hold == intent.Forbidden || found.Hold == intent.Drafted {
		return false
	}
	due := found.Due
	if long {
		due = 0
	}
	for _, expected := range found.Expect {
		if expected.Hold == intent.NotHeld && (expected.Command || !long) {
			due = max(due, expected.Confidence)
		}
	}
	if len(found.Expect) == 0 { // nobody can say what it asks for
		return due >= max(c.guard.thresholds.Due, probablyDue)
	}
	return due >= c.guard.thresholds.Due
}

// hasAnotherName reports whether a message names an entity that nothing has spoken of since the message before it:
// neither the user, nor a call, nor a result.
func (c *continuation) hasAnotherName(own string, at int) bool {
	if c.owner == "" {
		return false
	}
	for _, directory := range c.guard.options.Directories {
		entries := entriesOf(c.ctx, c.guard, directory, c.owner)
		if from, to := longestTitle(own, entries); to > 0 && !c.isSpokenOf(own[from:to], at) {
			return true
		}
	}
	return false
}

// isSpokenOf reports whether a title stands in the messages since the user spoke.
func (c *continuation) isSpokenOf(title string, before int) bool {
	for _, message := range slices.Backward(c.messages[:before]) {
		said := message.Text
		for _, call := range message.Calls {
			said += "\n" + string(call.Args)
		}
		if strings.Contains(strings.ToLower(said), strings.ToLower(title)) {
			return true
		}
		if message.Role == RoleUser && !message.Internal {
			break
		}
	}
	return false
}
