package tooltrack

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// ParseOptions tunes [ParseResult]. Nil is the default.
type ParseOptions struct {
	// Rule is the host's own reading of a result's text. It is asked first; when
	// its second value is false the built-in reading follows.
	Rule func(content string) (Status, bool)
}

// ParseResult reads the result of a call from the text of a message, for those
// who see messages only. It fails where [ResultOf] would, and where the text
// begins with the word "Error" or "Failed". The result is graded [Reported].
func ParseResult(content string, options *ParseOptions) Result {
	result := Result{Status: Succeeded, Data: jsonOf([]byte(content))}
	if options != nil && options.Rule != nil {
		if status, known := options.Rule(content); known {
			if status == Succeeded {
				return result
			}
			return result.fail(status, content)
		}
	}
	if status, reason := declared(result.Data); status != Succeeded {
		return result.fail(status, reason)
	}
	if text := strings.TrimSpace(result.Text()); beginsWithWord(text, "error") || beginsWithWord(text, "failed") {
		return result.fail(Failed, text)
	}
	return result
}

func beginsWithWord(text, word string) bool {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return false
	}
	if len(text) == len(word) {
		return true
	}
	next := text[len(word)]
	return next|0x20 < 'a' || next|0x20 > 'z'
}

// declared is what a body says about itself. Every occurrence of a key counts,
// so a second "success":true cannot undo a first "success":false.
func declared(data json.RawMessage) (Status, string) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' {
		return Succeeded, ""
	}
	var body envelope
	for key, value := range jsonspan.Members(data) {
		body.read(key, value)
	}
	switch {
	case body.failed || body.fault != nil && !(body.succeeded && string(body.fault) == `""`):
		return Failed, body.reason()
	case body.pending || body.waiting && !body.carriesData:
		return Pending, body.reason()
	default:
		return Succeeded, ""
	}
}

// envelope collects the members of a body that speak about the call itself.
type envelope struct {
	failed, succeeded, pending bool
	waiting                    bool // "status":"pending", which may be an entity's own status
	carriesData                bool // members that belong to an entity, not to an envelope
	fault, message             []byte
}

// envelopeKeys may stand beside "status":"pending" without turning it into the
// status of an entity: a pending order has an address, a pending job has not.
var envelopeKeys = map[string]bool{
	"message": true, "job_id": true, "request_id": true, "operation_id": true, "progress": true, "eta": true, "retry_after": true,
}

func (e *envelope) read(key, value []byte) {
	switch string(jsonspan.Key(key)) {
	case "success", "ok":
		e.failed = e.failed || string(value) == "false"
		e.succeeded = e.succeeded || string(value) == "true"
	case "isError":
		e.failed = e.failed || string(value) == "true"
	case "error":
		if string(value) != "null" {
			e.fault = value
		}
	case "pending":
		e.pending = e.pending || string(value) == "true"
	case "status":
		e.waiting = e.waiting || string(value) == `"pending"` || string(value) == `"in_progress"` || string(value) == `"queued"`
	case "message", "detail", "content":
		e.message = value
	default:
		e.carriesData = e.carriesData || !envelopeKeys[string(key)]
	}
}

func (e *envelope) reason() string {
	for _, value := range [][]byte{e.fault, e.message} {
		if reason := readable(value); reason != "" {
			return reason
		}
	}
	return ""
}

// readable is the text of a reason: a string, the "message" of an object, the
// first "text" of a list of content parts, or the raw JSON.
func readable(value []byte) string {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return ""
	}
	switch value[0] {
	case '"':
		var text string
		if json.Unmarshal(value, &text) == nil {
			return strings.TrimSpace(text)
		}
	case '{':
		var object struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(value, &object) == nil && object.Message != "" {
			return object.Message
		}
	case '[':
		var parts []struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(value, &parts) != nil {
			break
		}
		if len(parts) == 0 {
			return ""
		}
		if parts[0].Text != "" {
			return parts[0].Text
		}
	case 't', 'f':
		return ""
	}
	return string(value)
}
