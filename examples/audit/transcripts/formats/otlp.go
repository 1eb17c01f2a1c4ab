package formats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// otlp reads traces of OpenTelemetry, as OTLP's JSON (the collector's file exporter writes one export a line)
// or as spans one by one. The spans of a trace belong together; genai.go reads their messages.
//
// Shape: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
// (resourceSpans, scopeSpans, spans; resourceLogs, scopeLogs, logRecords).
type otlp struct{}

func (otlp) Name() string { return "OpenTelemetry GenAI spans" }

func (otlp) Take(v *Value) ([]Part, bool) {
	switch {
	case v.Has("resourceSpans") || v.Has("resourceLogs"):
		var parts []Part
		for _, raw := range spansIn(v.Members()) {
			if s := spanOf(raw); s != nil && s.speaksOfModels() {
				parts = append(parts, Part{Key: "trace " + s.trace, Line: v.Line, Data: raw})
			}
		}
		return parts, true
	case v.Has("attributes") && (v.Has("traceId") || v.Has("trace_id") || v.Has("context")):
		s := spanOf(v.Data)
		if s == nil || s.trace == "" {
			return nil, false
		}
		if !s.speaksOfModels() {
			return nil, true
		}
		return []Part{{Key: "trace " + s.trace, Line: v.Line, Data: v.Data}}, true
	}
	return nil, false
}

// spansIn are the spans and log records of an export.
func spansIn(members map[string]json.RawMessage) []json.RawMessage {
	var found []json.RawMessage
	walk := func(resources json.RawMessage, scopes, leaves string) {
		for _, resource := range list(resources) {
			for _, scope := range list(object(resource)[scopes]) {
				found = append(found, list(object(scope)[leaves])...)
			}
		}
	}
	walk(members["resourceSpans"], "scopeSpans", "spans")
	walk(members["resourceLogs"], "scopeLogs", "logRecords")
	return found
}

// span is a span or a log record, with attributes as plain JSON.
type span struct {
	trace, id, name string
	start           string
	failed          bool
	attributes      map[string]json.RawMessage
	events          []spanEvent
	line            int
}

// spanEvent is something that happened within a span.
type spanEvent struct {
	name       string
	attributes map[string]json.RawMessage
}

func spanOf(raw json.RawMessage) *span {
	members := object(raw)
	if members == nil {
		return nil
	}
	context := object(members["context"])
	s := &span{
		trace:      hexID(present(members["traceId"], present(members["trace_id"], context["trace_id"]))),
		id:         hexID(present(members["spanId"], present(members["span_id"], context["span_id"]))),
		name:       text(members["name"]),
		start:      name(members["startTimeUnixNano"], members["start_time"], members["timeUnixNano"]),
		attributes: attributesOf(members["attributes"]),
	}
	status := object(members["status"])
	code := strings.Trim(string(present(status["code"], status["status_code"])), `"`)
	s.failed = code == "2" || strings.HasSuffix(code, "ERROR")
	for _, event := range list(members["events"]) {
		inner := object(event)
		s.events = append(s.events, spanEvent{text(inner["name"]), attributesOf(inner["attributes"])})
	}
	if event := cmp.Or(text(members["eventName"]), text(s.attributes["event.name"])); event != "" { // a log record
		for key, value := range object(anyValue(members["body"])) {
			s.attributes[key] = value
		}
		s.events = append(s.events, spanEvent{event, s.attributes})
	}
	return s
}

// hexID is an id in one spelling: Python writes 0x before it.
func hexID(raw json.RawMessage) string { return strings.TrimPrefix(text(raw), "0x") }

// attributesOf are attributes as a map: OTLP writes a list of keys and values, consoles write an object.
func attributesOf(raw json.RawMessage) map[string]json.RawMessage {
	found := map[string]json.RawMessage{}
	if members := object(raw); members != nil {
		return members
	}
	for _, element := range list(raw) {
		pair := object(element)
		found[text(pair["key"])] = anyValue(pair["value"])
	}
	return found
}

// maxDepth bounds the nesting of an attribute's value.
const maxDepth = 64

// anyValue is OTLP's AnyValue as plain JSON.
func anyValue(raw json.RawMessage) json.RawMessage { return anyValueAt(raw, 0) }

func anyValueAt(raw json.RawMessage, depth int) json.RawMessage {
	members := object(raw)
	if depth > maxDepth || len(members) != 1 {
		return raw
	}
	for kind, value := range members {
		switch kind {
		case "stringValue", "boolValue", "doubleValue", "bytesValue":
			return value
		case "intValue": // a number, or a text because JSON's are too small
			return json.RawMessage(strings.Trim(string(value), `"`))
		case "arrayValue":
			elements := []json.RawMessage{}
			for _, element := range list(object(value)["values"]) {
				elements = append(elements, anyValueAt(element, depth+1))
			}
			return marshal(elements)
		case "kvlistValue":
			made := map[string]json.RawMessage{}
			for _, element := range list(object(value)["values"]) {
				pair := object(element)
				made[text(pair["key"])] = anyValueAt(pair["value"], depth+1)
			}
			return marshal(made)
		}
	}
	return raw
}

// speaksOfModels reports whether a span has anything to do with a model.
func (s *span) speaksOfModels() bool {
	for key := range s.attributes {
		if strings.HasPrefix(key, "gen_ai.") || strings.HasPrefix(key, "llm.") || strings.HasPrefix(key, "openinference.") {
			return true
		}
	}
	return slices.ContainsFunc(s.events, func(e spanEvent) bool { return strings.HasPrefix(e.name, "gen_ai.") })
}

func (f otlp) Read(parts []Part) ([]*Conversation, error) {
	spans := make([]*span, 0, len(parts))
	for _, part := range parts {
		s := spanOf(part.Data)
		if s == nil {
			return nil, fmt.Errorf("a span is not a JSON object")
		}
		s.line = part.Line
		spans = append(spans, s)
	}
	spans = joinRecords(spans)
	slices.SortStableFunc(spans, func(a, b *span) int {
		return cmp.Or(cmp.Compare(len(a.start), len(b.start)), cmp.Compare(a.start, b.start))
	})
	fates := spanFates(spans)
	var found []*Conversation
	for _, s := range spans {
		if s.callsModel() {
			found = append(found, s.conversation(f, fates)...)
		}
	}
	if found = onlyAgents(found); len(found) > 0 {
		return found, nil
	}
	return f.agent(spans, fates)
}

// onlyAgents leaves out model calls without tools where others had some: they write titles and summaries.
func onlyAgents(found []*Conversation) []*Conversation {
	offered := func(c *Conversation) bool { return len(c.Tools) > 0 }
	if !slices.ContainsFunc(found, offered) {
		return found
	}
	return slices.DeleteFunc(found, func(c *Conversation) bool { return !offered(c) })
}

// joinRecords puts log records with the events of a span to that span, in order.
func joinRecords(spans []*span) []*span {
	byID := map[string]*span{}
	var joined []*span
	for _, s := range spans {
		if s.id == "" || byID[s.id] == nil {
			byID[s.id] = s
			joined = append(joined, s)
			continue
		}
		known := byID[s.id]
		known.events = append(known.events, s.events...)
		for key, value := range s.attributes {
			if _, there := known.attributes[key]; !there {
				known.attributes[key] = value
			}
		}
		known.failed = known.failed || s.failed
	}
	return joined
}

// spanFates are what the spans of tools say of their calls.
func spanFates(spans []*span) map[string]tooltrack.Status {
	fates := map[string]tooltrack.Status{}
	for _, s := range spans {
		if id := text(s.attributes["gen_ai.tool.call.id"]); id != "" && s.failed && s.runsTool() {
			fates[id] = tooltrack.Failed
		}
	}
	return fates
}

// agent reads a trace in which no call of a model shows its messages: what went
// into the agent and came out of it, and the spans of tools between.
func (f otlp) agent(spans []*span, fates map[string]tooltrack.Status) ([]*Conversation, error) {
	for _, s := range spans {
		in, out := s.messages()
		if len(in) == 0 && len(out) == 0 || s.runsTool() {
			continue
		}
		t := &Conversation{}
		s.describe(t)
		t.LastTurn, t.Fates = true, fates
		if err := genaiWrite(t, in); err != nil {
			return nil, err
		}
		n := 0
		for _, tool := range spans {
			if tool.runsTool() && tool.callOf(t, n) {
				n++
			}
		}
		if err := genaiWrite(t, out); err != nil {
			return nil, err
		}
		calls := func(m guard.Message) bool { return len(m.Calls) > 0 }
		if n == 0 && len(spans) == 1 && !slices.ContainsFunc(t.Messages, calls) {
			t.hide(unseenSpans)
		}
		return t.done(f, s.line)
	}
	t := &Conversation{}
	spans[0].describe(t)
	t.say(guard.RoleUser, "")
	t.hide(unseenContent)
	return t.done(f, spans[0].line)
}

// unseenSpans is a trace of which only the outermost span is there.
const unseenSpans = "only the agent's own span of the trace is in the log"

func (s *span) callOf(t *Conversation, n int) bool {
	a := s.attributes
	tool := cmp.Or(text(a["gen_ai.tool.name"]), text(a["tool.name"]), strings.TrimPrefix(s.name, "execute_tool "))
	if tool == "" {
		return false
	}
	id := cmp.Or(text(a["gen_ai.tool.call.id"]), "span "+strconv.Itoa(n))
	t.call(id, tool, present(a["gen_ai.tool.call.arguments"], a["input.value"]))
	result := present(a["gen_ai.tool.call.result"], a["output.value"])
	if isNull(result) && !s.failed {
		return true // content was not captured: it ran, and no more is known
	}
	t.result(id, tool, body(result), fateOf(s.failed))
	return true
}
