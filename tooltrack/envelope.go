package tooltrack

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// envelope collects what the members of a body say about the call itself. Every occurrence of a
// member counts, so a second "success":true cannot undo a first "success":false.
type envelope struct {
	asked   *asked
	failed  *rule // a row that says so
	waiting *rule
	maybe   *rule  // of a status that may be an entity's own
	state   member // the status that it is about
	text    *rule
	doubt   string // what leaves it in doubt
	weak    string // what does so where nothing else is told
	partly  string // what was not done, where the rest was
	inside  string // a failure inside of what wraps the answer
	fault   []byte
	message []byte
	told    [facts]string // what else is told, each by the first member that does
	carries int           // members that belong to an entity, not to an envelope; lists and objects count double
}

// fact is something that a member tells.
type fact uint8

const (
	saysSuccess  fact = iota
	answers           // something beside its error
	isText            // it is no object
	fromGateway       // the answer was lost on its way
	titled            // it has a name for people, as an entity has
	identified        // it has an id, which may be that of a job
	wrapped           // the answer stands in a member of its own, so what is beside it is the envelope's
	more              // it has other members than a message
	finds             // what a check has found, so its errors are findings
	faulty            // and that is no good
	undone            // a count of what was not done: of a batch a part may have failed
	none              // a count of none of what was
	counted           // one of some, or none, of what was
	some              // one of some
	deniesDeed        // "cancelled":false of cancel_order
	deniesAlike       // "sent":false of notify_guest
	affirmsAlike      // "sent":true
	refused           // that something was turned down
	otherSubject      // the id of something else that the call names
	facts
)

// member is a member of a body, with the kinds of its name.
type member struct {
	name  string
	value []byte
	kind  jsonspan.Kind
	is    map[string]bool
	asked *asked
}

func (m member) isTrue() bool  { return string(m.value) == "true" }
func (m member) isList() bool  { return m.kind == jsonspan.Array && hasContent(m.value) }
func (m member) isSome() bool  { return isNonZeroNumber(m.value) || m.isList() }
func (m member) isZero() bool  { return m.kind == jsonspan.Number && !isNonZero(m.value) }
func (m member) isOwn() bool   { return !m.is["envelope"] && m.kind != jsonspan.Null } // of an entity
func (m member) does() bool    { return m.asked.does(m.name) }
func (m member) counts() bool  { return m.is["counter"] || m.does() }
func (m member) isAlike() bool { return slices.Contains(m.asked.Alike, m.name) }

// signs say which members tell what.
var signs = [...]struct {
	tells fact
	by    func(m member) bool
}{
	{saysSuccess, func(m member) bool {
		return m.is["verdict"] && strings.EqualFold("true", strings.Trim(string(m.value), `"`))
	}},
	{answers, func(m member) bool { return !m.is["errors"] && hasContent(m.value) }},
	{titled, func(m member) bool { return m.is["title"] && m.kind == jsonspan.String }},
	{identified, func(m member) bool { return m.is["id"] && m.kind != jsonspan.Null }},
	{wrapped, func(m member) bool { return m.is["wrap"] && m.kind == jsonspan.Object }},
	{wrapped, func(m member) bool { return m.name == "content" && m.kind == jsonspan.Array }},
	{more, func(m member) bool { return !isMessage(m.name, m.kind) && !m.is["beside"] }},
	{finds, func(m member) bool { return m.is["finding"] && m.kind == jsonspan.Bool }},
	{faulty, func(m member) bool { return m.is["finding"] && m.kind == jsonspan.Bool && isNo(m.value) }},
	{faulty, func(m member) bool { return m.is["fault"] && m.isSome() }},
	{undone, func(m member) bool { return m.is["undone"] && !m.does() && m.isSome() }},
	{none, func(m member) bool { return m.isZero() && m.counts() }},
	{counted, func(m member) bool { return (m.counts() || m.is["tally"]) && (m.isSome() || m.isZero()) }},
	{counted, func(m member) bool { return m.is["tally"] && string(m.value) == "[]" }},
	{some, func(m member) bool { return (m.counts() || m.is["tally"]) && m.isSome() }},
	{deniesDeed, func(m member) bool { return m.isOwn() && m.does() && isNo(m.value) }},
	{deniesAlike, func(m member) bool { return m.isOwn() && m.isAlike() && isNo(m.value) }},
	{affirmsAlike, func(m member) bool { return m.isOwn() && m.isTrue() && m.isAlike() }},
	{refused, func(m member) bool { return m.isOwn() && m.isTrue() && m.is["refusal"] }},
	{otherSubject, func(m member) bool { return m.isOwn() && m.kind == jsonspan.String && m.asked.hasOtherSubject(m) }},
}

// read notes what a member tells, and the rows that are about it.
func (e *envelope) read(name string, value []byte) {
	m := member{name, value, jsonspan.KindOf(value), words().kinds[name], e.asked}
	switch {
	case m.is["reason"] && hasContent(value):
		e.fault = value
	case m.is["errors"]:
		return // a service that always sends it says nothing by it
	case m.is["telling"]:
		e.message = value
	}
	for i := range signs {
		if sign := &signs[i]; e.told[sign.tells] == "" && sign.by(m) {
			e.told[sign.tells] = name
		}
	}
	if m.isOwn() {
		e.carries++
		if m.kind == jsonspan.Object || m.kind == jsonspan.Array {
			e.carries++
		}
	}
	for _, row := range resultTable().members[name] {
		if row.isAbout(value) {
			e.apply(row, m)
		}
	}
}

func isMessage(name string, kind jsonspan.Kind) bool {
	return kind == jsonspan.String && slices.Contains(phrases("messages"), name)
}

func (e *envelope) apply(row *rule, m member) {
	switch {
	case !row.isFor(e.asked):
	case row.notes["gateway"]:
		e.told[fromGateway] = m.name
	case row.leaves == "partly":
		e.partly = article(row.name) + " " + m.name
	case row.notes["weak"]:
		e.weak = article(row.name)
	case row.leaves == "doubt":
		e.doubt = article(row.name)
	case row.notes["entity"]:
		if e.maybe != nil && e.maybe.then == Failed && row.then == Failed && row.notes["coded"] != e.maybe.notes["coded"] {
			e.failed = row // a thing has one state, and no code beside it
		}
		if e.maybe == nil || e.maybe == row || row.then == Failed {
			e.maybe, e.state = row, m
		}
	case row.then == Pending:
		e.waiting = row
	case e.failed == nil || e.failed.notes["explains"]:
		e.failed = row
	}
}

// isFor reports whether a row is one for the call: some are only for what changes something.
func (r *rule) isFor(call *asked) bool { return !r.notes["change"] || call.isChange() }

func article(name string) string {
	if strings.IndexByte("aeiou", name[0]) >= 0 {
		return "an " + name
	}
	return "a " + name
}

// maxLayers bounds how deep a body may be wrapped: a string in a string, the text
// of a content part.
const maxLayers = 3

// judge reads a body: a JSON object, an object inside a string, a list of content parts, or a text.
func (e *envelope) judge(data json.RawMessage, layers int) {
	data = bytes.TrimSpace(data)
	isDeed := e.asked.call.Tool != "" && (e.asked.effect == Changes || e.asked.effect == UnknownEffect && !e.asked.Repeats)
	switch kind := jsonspan.KindOf(data); {
	case kind == jsonspan.String:
		text, _ := jsonspan.Text(data)
		e.unwrap(unfenced(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "\uFEFF"))), layers)
	case kind == jsonspan.Object:
		e.readObject(data, layers)
	case kind == jsonspan.Array:
		e.readList(data, layers)
		if isDeed && string(data) == "[]" {
			e.doubt = "an empty list"
		}
	case isDeed && string(data) == "false":
		e.doubt = "the value false"
	}
}

// unfenced is a text without the marks of a block of code around it.
func unfenced(text string) string {
	inside, found := strings.CutSuffix(strings.TrimPrefix(text, "```"), "```")
	if !found || !strings.HasPrefix(text, "```") {
		return text
	}
	_, block, _ := strings.Cut(inside, "\n")
	return strings.TrimSpace(block)
}

// cutOff is an object whose end is missing, and whose beginning says failure.
var cutOff = &rule{name: "cut off", then: Failed}

// unwrap reads what a string holds: an object as JSON or as a runtime prints it,
// a list of content parts, or a text.
func (e *envelope) unwrap(text string, layers int) {
	inner := []byte(text)
	kind := jsonspan.KindOf(inner)
	switch {
	case kind != jsonspan.Object && kind != jsonspan.Array && kind != jsonspan.String || layers == 0:
	case json.Valid(inner):
		e.judge(inner, layers-1)
		return
	case kind == jsonspan.Object:
		if converted, ok := jsonspan.FromPrinted(text); ok {
			e.judge(converted, layers-1)
			return
		}
		if alone(inner).failed != nil { // the end is missing, and the members that are there say failure
			e.told[isText], e.text = "it", cutOff
			return
		}
	}
	e.told[isText] = "it"
	e.readText(text)
}

// readText looks for the first row that a text fits; one that says more than a doubt wins.
func (e *envelope) readText(text string) {
	for _, row := range resultTable().texts {
		switch {
		case !row.isFor(e.asked), row.notes["check"] && e.asked.effect != Verifies, !row.isIn(text):
		case row.leaves == "doubt":
			e.doubt = article(row.name)
		case row.leaves == "partly":
			e.partly = article(row.name)
		default:
			e.text = row
			return
		}
	}
}

func (e *envelope) readObject(data []byte, layers int) {
	for key, value := range jsonspan.Members(data) {
		name := strings.ToLower(string(jsonspan.Key(key)))
		e.read(name, value)
		switch {
		case layers == 0:
		case name == "content":
			e.readContent(value, layers)
		case name == "structuredcontent", name == "result" && jsonspan.Member(data, "jsonrpc") != nil: // which wraps MCP
			e.judge(value, layers-1)
		default:
			e.readInside(name, value)
		}
	}
	if e.tells(more) || layers == 0 {
		return
	}
	for _, name := range phrases("messages") { // nothing but a message is read as that message
		for key, value := range jsonspan.Members(data) {
			if strings.EqualFold(string(jsonspan.Key(key)), name) && jsonspan.KindOf(value) == jsonspan.String {
				e.judge(value, layers-1)
				return
			}
		}
	}
}

// alone reads the members of an object that belongs to no known call.
func alone(object []byte) *envelope {
	each := &envelope{asked: unknownCall}
	for key, value := range jsonspan.Members(object) {
		each.read(strings.ToLower(string(jsonspan.Key(key))), value)
	}
	return each
}

// readInside reads what a member wraps: the answer of a service behind a gateway, the fields of a
// GraphQL mutation, the items of a batch. A failure there is the call's, but for the error of a
// thing that was looked up.
func (e *envelope) readInside(name string, value []byte) {
	kind := jsonspan.KindOf(value)
	switch {
	case kind == jsonspan.Object && isWord(name, "inner"):
		inner := &envelope{asked: e.asked}
		for key, member := range jsonspan.Members(value) {
			field := strings.ToLower(string(jsonspan.Key(key)))
			inner.read(field, member)
			if name == "data" && jsonspan.KindOf(member) == jsonspan.Object && !e.asked.isLookup() {
				e.note(field, alone(member)) // the answer of one mutation
			}
		}
		if !inner.isLookedUpFailure(inner.whose()) {
			e.note(name, inner)
		}
	case kind == jsonspan.Array && isWord(name, "list") && e.asked.isChange():
		e.readBatch(value)
	}
}

// note keeps a failure that stands inside of a member.
func (e *envelope) note(name string, inner *envelope) {
	if inner.failed == nil || inner.failed.then != Failed {
		return
	}
	e.inside = "an error in its " + name
	e.told[fromGateway] = cmp.Or(e.told[fromGateway], inner.told[fromGateway])
	if e.fault == nil {
		e.fault = inner.fault
	}
	if e.message == nil {
		e.message = inner.message
	}
}

// readBatch counts the items of a batch that failed.
func (e *envelope) readBatch(list []byte) {
	items, failures := 0, 0
	for element := range jsonspan.Elements(list) {
		items++
		each := alone(element)
		isFailed := each.maybe != nil && each.maybe.then == Failed
		if each.failed != nil || isFailed && !e.asked.does(spaced(jsonspan.Scalar(each.state.value))) {
			if failures++; e.fault == nil {
				e.fault = each.fault
			}
		}
	}
	switch {
	case failures == 0:
	case failures == items:
		e.inside = "nothing but failures"
	default:
		e.partly = "failures among its items"
	}
}

// readList reads the content parts of a Model Context Protocol result, or a batch.
func (e *envelope) readList(data []byte, layers int) {
	parts, elements := 0, 0
	for element := range jsonspan.Elements(data) {
		elements++
		if jsonspan.KindOf(jsonspan.Member(element, "type")) == jsonspan.String {
			parts++
		}
	}
	switch {
	case elements > 0 && parts == elements:
		if e.readContent(data, layers) {
			e.told[isText] = "it"
		}
	case e.asked.isChange():
		if e.readBatch(data); e.asked.call.Tool == "" { // it may have been looked up
			if e.inside != "" {
				e.doubt = "a list of failures"
			}
			e.inside, e.partly = "", ""
		}
	}
}

// readContent looks into the parts of a Model Context Protocol result. It reports
// whether they hold a text.
func (e *envelope) readContent(parts []byte, layers int) bool {
	var texts []string
	for part := range jsonspan.Elements(parts) {
		if value := jsonspan.Member(part, "text"); value != nil {
			text, _ := jsonspan.Text(value)
			texts = append(texts, strings.TrimSpace(text))
		}
	}
	if len(texts) == 0 {
		return false
	}
	if inner := []byte(texts[0]); len(texts) == 1 && jsonspan.KindOf(inner) == jsonspan.Object && json.Valid(inner) {
		e.judge(inner, layers-1)
		return false
	}
	e.readText(strings.Join(texts, "\n"))
	return true
}
