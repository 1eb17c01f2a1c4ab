package formats

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxShape bounds the members that a shape names.
const maxShape = 8

// Shape describes a value by its members and their types, without what they hold:
// enough to see what it is, and nothing that should not leave the log.
func Shape(v *Value) string {
	data := strings.TrimSpace(string(v.Data[:min(len(v.Data), 1<<20)]))
	switch members := v.Members(); {
	case members != nil:
		names := slices.Sorted(maps.Keys(members))
		parts := []string{}
		for _, name := range names[:min(len(names), maxShape)] {
			parts = append(parts, fmt.Sprintf("%.40q: %s", name, kindOf(members[name])))
		}
		if len(names) > maxShape {
			parts = append(parts, "…")
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case data == "":
		return "nothing"
	case data[0] == '{' || data[0] == '[':
		return "JSON that cannot be read"
	default:
		return "a " + kindOf([]byte(data))
	}
}

// kindOf is the type of a JSON value by its first byte.
func kindOf(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "number"
}

// hints are what can be done about values that no format knows, by a member that gives them away.
var hints = []struct{ member, hint string }{
	{"resourceMetrics", "these are metrics; export traces, with the content of messages captured"},
	{"spans", "export the traces as OTLP's JSON (resourceSpans)"},
	{"data", "take the list out of its envelope, one element a line: jq -c '.data[]'"},
	{"runs", "take the list out of its envelope, one element a line: jq -c '.runs[]'"},
	{"conversations", "take the list out of its envelope, one element a line: jq -c '.conversations[]'"},
	{"traces", "take the list out of its envelope, one element a line: jq -c '.traces[]'"},
	{"prompt", "a prompt and a completion do not say which tools were called; log the messages"},
	{"choices", "a response alone does not say what was asked; log the request beside it"},
	{"candidates", "a response alone does not say what was asked; log the request beside it"},
	{"run_type", "export the traces of LangSmith by OpenTelemetry, or log the messages"},
	{"msg", "this is a program's log; log the messages of the model, or its requests and responses"},
	{"level", "this is a program's log; log the messages of the model, or its requests and responses"},
}

// Hint says what can be done about a value that no format knows.
func Hint(v *Value) string {
	for _, h := range hints {
		if v.Has(h.member) {
			return h.hint
		}
	}
	return "an entry should be a conversation, a message, a request with its response, a run or a span; " +
		"the README lists the shapes"
}
