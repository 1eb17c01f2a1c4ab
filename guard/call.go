package guard

import (
	"encoding/json"
	"slices"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// pending is a call between its review and its result.
type pending struct {
	call    tooltrack.Call // as it is to run
	args    *policy.Args   // its arguments, if somebody had to read them
	tool    *tooltrack.Tool
	unknown bool // the tool is not offered; tool stands in for the record's sake
	ruling  tooltrack.Ruling
	touched []tooltrack.Subject
	record  *tooltrack.Record // set when its fate is known
	result  tooltrack.Result
	repeat  string // what the model is told instead of the result, when an earlier call answers
	beside  *attachments

	// Of calls that a person decides about:
	ask      *tooltrack.Ask      // what is to be asked
	approval *tooltrack.Approval // what the call waits for
	approved []string            // the rules for which it has been given
	deferred bool                // it waits for a call before it
	edited   string              // what a person has changed about it
	told     *Message            // what came of it before the turn was paused

	// Of calls that the host's own loop runs, under the lock of the turn:
	started  bool              // Do was called
	begun    *tooltrack.Record // it is written down
	returned bool              // Do has returned
	left     bool              // the turn went on before that
}

// decode reads the arguments once for all who look into them; nil if they are
// not what a strict reader accepts.
func (p *pending) decode() *policy.Args {
	if p.args == nil {
		p.args, _ = policy.Decode(p.call.Args) // the policy tells what is wrong
	}
	return p.args
}

func (p *pending) runnable() bool {
	return !p.ruling.Denied && p.record == nil && !p.waits() && p.told == nil
}

// waits reports whether the call waits for a person, or for another that does.
func (p *pending) waits() bool { return p.approval != nil || p.deferred }

func (p *pending) deny(rule, reason string) {
	p.ruling = tooltrack.Ruling{Denied: true, Rule: rule, Reason: reason}
}

// text is what the model reads of a call.
func (p *pending) text() string {
	switch {
	case p.repeat != "":
		return p.repeat
	case p.approval != nil:
		_, reason := p.approval.Refusal()
		return tooltrack.NotRun + " " + reason
	case p.deferred:
		return tooltrack.NotRun + " " + firstWaits
	}
	return p.edited + resultText(p.result)
}

// failed reports a call that did not do what was asked. One that an earlier call
// answers for has not failed.
func (p *pending) failed() bool {
	return p.repeat == "" && p.result.Status != tooltrack.Succeeded && p.result.Status != tooltrack.Pending
}

// resultText is a result as the model reads it. What did not succeed begins
// with "Error", so that nobody who sees only the messages takes it for a
// success.
func resultText(result tooltrack.Result) string {
	text := result.Text()
	switch result.Status {
	case tooltrack.Succeeded:
		if text == "" {
			return "OK"
		}
		return text
	case tooltrack.Pending:
		return tooltrack.NotYetDone + " " + text
	case tooltrack.Denied:
		return tooltrack.NotRun + " " + result.Error
	case tooltrack.Failed:
		if tooltrack.ParseResult(text, nil).Status == tooltrack.Failed {
			return text // it says itself that it failed
		}
		return "Error: " + result.Error
	default:
		return tooltrack.NotKnown + "; do not repeat it and do not claim it. " + result.Error
	}
}

// withIDs gives calls without an id one. The calls may be shared: a model is
// free to return the same ones again.
func withIDs(calls []tooltrack.Call) []tooltrack.Call {
	if !slices.ContainsFunc(calls, func(call tooltrack.Call) bool { return call.ID == "" }) {
		return calls
	}
	named := make([]tooltrack.Call, len(calls))
	for i, call := range calls {
		named[i] = call.WithID()
	}
	return named
}

// subjectArg is the entity that a call names, as far as its arguments tell.
func subjectArg(tool *tooltrack.Tool, args json.RawMessage) []tooltrack.Subject {
	if tool.Subject.Arg == "" {
		return nil
	}
	var id string
	for key, value := range jsonspan.Members(args) {
		if string(jsonspan.Key(key)) == tool.Subject.Arg {
			id = jsonspan.Scalar(value)
		}
	}
	if id == "" {
		return nil
	}
	return []tooltrack.Subject{{Kind: tool.Subject.Kind, ID: id}}
}

// subjectIn reads id and title from a result, or from its "data".
func subjectIn(data json.RawMessage) tooltrack.Subject {
	found, inner := entity(data)
	if found.ID == "" && found.Title == "" && len(inner) > 0 {
		found, _ = entity(inner)
	}
	return found
}

// entity reads id and title of an object; "name" stands in for a title.
func entity(object []byte) (found tooltrack.Subject, data []byte) {
	var name []byte
	for key, value := range jsonspan.Members(object) {
		switch string(jsonspan.Key(key)) {
		case "id":
			found.ID = jsonspan.Scalar(value)
		case "title":
			found.Title = jsonspan.Scalar(value)
		case "name":
			name = value
		case "data":
			data = value
		}
	}
	if found.Title == "" {
		found.Title = jsonspan.Scalar(name)
	}
	return found, data
}
