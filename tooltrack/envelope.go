package tooltrack

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// envelope collects what the members of a body say about the call itself. Every
// occurrence of a member counts, so a second "success":true cannot undo a first
// "success":false.
type envelope struct {
	options        *ParseOptions
	asked          *asked
	isText         bool
	failed         *ResultRule // a row that says so
	waiting        *ResultRule
	maybe          *ResultRule // of a status that may be an entity's own
	state          string      // the status that it is about
	isState        bool        // the member is called a state
	doubt, text    *ResultRule
	succeeded      bool // it says so itself
	gateway        bool
	answers        bool // it tells something beside its error
	fault, message []byte
	thing
}

// thing is how much of an entity a body carries beside a status.
type thing struct {
	titled  bool     // it has a name for people, as an entity has
	named   bool     // it has an id, which may be that of a job
	wrapped bool     // the answer stands in a member of its own, so what is beside it is the envelope's
	carries int      // members that belong to an entity, not to an envelope; lists and objects count double
	words   bool     // it has other members than a message
	denies  []string // members that deny something, such as "deleted"
	affirms []string // members that affirm something
	refused string   // a member that says that something was turned down
	none    []string // and those that count none of it
	finds   bool     // it tells what a check has found, so its errors are findings
	faulty  bool     // and what it has found is no good
	known   bool     // it carries the id of something else that the call names, see others
}

// plainlyEntity is how much of an entity a body must carry for its pending status
// to be the entity's beyond doubt: an order has an address and items.
const plainlyEntity = 2

// maxLayers bounds how deep a body may be wrapped: a string in a string, the text
// of a content part.
const maxLayers = 3

// envelopeMembers may stand beside a status without making it the status of an
// entity: a pending order has an address, a pending job has not.
var envelopeMembers = wordSet(`message detail details msg reason content error errors description hint
	success ok succeeded status state result outcome code pending failed iserror is_error
	errormessage error_message errortype error_type errorcode error_code data payload response meta jsonrpc body headers
	id job_id jobid request_id requestid operation_id operationid run_id runid task_id taskid trace_id traceid
	progress eta retry_after retryafter percent timestamp created_at createdat updated_at updatedat url poll_url status_url`)

var (
	// ids name an entity or a job, and not the request.
	ids = wordSet("id job_id jobid operation_id operationid run_id runid task_id taskid")
	// wraps are members that hold the answer of an envelope.
	wraps = wordSet("data payload response")
	// findings are what checks say of what they have looked at, and faults how they
	// call what is wrong with it.
	findings = wordSet("valid is_valid isvalid passed clean compliant healthy")
	faults   = wordSet("failed failures failing failed_count errors error_count")
	// refusals say that what was asked for was turned down.
	refusals = wordSet("declined rejected refused denied bounced aborted unsuccessful")
	// titles are names for people.
	titles = wordSet("title name subject label summary displayname display_name")
	// besideMessage are members that say nothing more beside a message.
	besideMessage = wordSet("hint documentation_url request_id requestid trace_id traceid timestamp path more_info")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// judge reads a body: a JSON object, an object inside a string, a list of content
// parts, or a text.
func (e *envelope) judge(data json.RawMessage, layers int) {
	data = bytes.TrimSpace(data)
	switch jsonspan.KindOf(data) {
	case jsonspan.String:
		text, _ := jsonspan.Text(data)
		e.unwrap(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "\uFEFF")), layers)
	case jsonspan.Object:
		e.readObject(data, layers)
	case jsonspan.Array:
		e.readList(data, layers)
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

// unwrap reads what a string holds: an object as JSON or as a runtime prints it,
// a list of content parts, or a text.
func (e *envelope) unwrap(text string, layers int) {
	text = unfenced(text)
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
		if e.readCut(inner) {
			return
		}
	}
	e.isText = true
	if e.readText(text); e.text == nil && e.asked.effect == Verifies && failedTests(text) {
		e.text = testsFailed
	}
}

// testsFailed is a count of failures, from a tool that is there to find them.
var testsFailed = &ResultRule{Name: "failed tests", Then: Failed}

func (e *envelope) readObject(data []byte, layers int) {
	for key, value := range jsonspan.Members(data) {
		name := strings.ToLower(string(jsonspan.Key(key)))
		e.read(name, value)
		switch {
		case layers == 0:
		case name == "content":
			e.readContent(value, layers)
		case name == "structuredcontent", name == "result" && isRPC(data):
			e.judge(value, layers-1)
		}
	}
	if !e.words && layers > 0 {
		e.readMessage(data, layers)
	}
}

// isRPC reports the envelope of JSON-RPC, in which a result of the Model Context
// Protocol travels.
func isRPC(data []byte) bool {
	for key := range jsonspan.Members(data) {
		if string(key) == "jsonrpc" {
			return true
		}
	}
	return false
}

// readMessage reads a body that is nothing but a message as that message.
func (e *envelope) readMessage(data []byte, layers int) {
	for _, name := range messages {
		for key, value := range jsonspan.Members(data) {
			if strings.EqualFold(string(jsonspan.Key(key)), name) && jsonspan.KindOf(value) == jsonspan.String {
				e.judge(value, layers-1)
				return
			}
		}
	}
}

// cutOff is an object whose end is missing, and whose beginning says failure.
var cutOff = &ResultRule{Name: "cut off", Then: Failed}

// readCut reads the members of an object that are there where its end is not.
func (e *envelope) readCut(data []byte) bool {
	whole := envelope{options: e.options, asked: unknownCall}
	for key, value := range jsonspan.Members(data) {
		whole.read(strings.ToLower(string(jsonspan.Key(key))), value)
	}
	if whole.failed == nil {
		return false
	}
	e.isText, e.text = true, cutOff
	return true
}

// eachFailed is a list of failures: a batch of which nothing was done, or the
// errors of a request.
var eachFailed = &ResultRule{Name: "list of failures", doubtful: true}

// readList reads the content parts of a Model Context Protocol result. Of any
// other list only one says something about the call: that of failures alone.
func (e *envelope) readList(data []byte, layers int) {
	parts, elements, failures := 0, 0, 0
	for element := range jsonspan.Elements(data) {
		elements++
		each := envelope{options: e.options, asked: unknownCall}
		for key, value := range jsonspan.Members(element) {
			name := strings.ToLower(string(jsonspan.Key(key)))
			if each.read(name, value); name == "type" && jsonspan.KindOf(value) == jsonspan.String {
				parts++
			}
		}
		if each.failed != nil || each.maybe != nil && each.maybe.call {
			failures++
		}
		if failures < elements && parts < elements {
			return // any other list
		}
	}
	switch {
	case elements == 0:
	case parts == elements:
		e.isText = e.readContent(data, layers)
	case failures == elements:
		e.doubt = eachFailed
	}
}

// readContent looks into the parts of a Model Context Protocol result. It reports
// whether they hold a text.
func (e *envelope) readContent(parts []byte, layers int) bool {
	var texts []string
	for part := range jsonspan.Elements(parts) {
		for key, value := range jsonspan.Members(part) {
			if string(key) == "text" {
				text, _ := jsonspan.Text(value)
				texts = append(texts, strings.TrimSpace(text))
			}
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

func (e *envelope) read(key string, value []byte) {
	switch key {
	case "success", "ok", "succeeded":
		e.succeeded = e.succeeded || strings.EqualFold(strings.Trim(string(value), `"`), "true")
	case "error", "errors", "errormessage", "error_message":
		if says(value) {
			e.fault = value
		}
	case "message", "detail", "details", "msg", "reason", "content":
		e.message = value
	}
	e.answers = e.answers || key != "error" && key != "errors" && says(value)
	e.weigh(key, value)
	e.readMember(key, value)
}

// weigh notes what a member says about whose status the body has.
func (e *envelope) weigh(key string, value []byte) {
	kind := jsonspan.KindOf(value)
	e.titled = e.titled || titles[key] && kind == jsonspan.String
	e.named = e.named || ids[key] && kind != jsonspan.Null
	e.wrapped = e.wrapped || wraps[key] && kind == jsonspan.Object || key == "content" && kind == jsonspan.Array
	e.words = e.words || !isMessage(key, kind) && !besideMessage[key]
	e.find(key, value, kind)
	if envelopeMembers[key] || kind == jsonspan.Null {
		return
	}
	e.carries++
	if kind == jsonspan.Object || kind == jsonspan.Array {
		e.carries++
	} else {
		e.compare(key, value, kind)
	}
}

// find notes what a check says that it has found.
func (e *envelope) find(key string, value []byte, kind jsonspan.Kind) {
	switch {
	case findings[key] && kind == jsonspan.Bool:
		e.finds, e.faulty = true, e.faulty || no(value)
	case faults[key] && (counts(value) || kind == jsonspan.Array && says(value)):
		e.faulty = true
	}
}

// compare notes what a member says about what the call was to do.
func (e *envelope) compare(key string, value []byte, kind jsonspan.Kind) {
	switch {
	case no(value):
		e.denies = append(e.denies, key)
	case refusals[key] && string(value) == "true":
		e.refused = key
	case string(value) == "true":
		e.affirms = append(e.affirms, key)
	case kind == jsonspan.Number && !nonZero(value):
		e.none = append(e.none, key)
	case kind == jsonspan.String && strings.HasSuffix(key, "id"):
		e.known = e.known || e.asked.names(key, value)
	}
}

func isMessage(key string, kind jsonspan.Kind) bool {
	return kind == jsonspan.String && slices.Contains(messages, key)
}

// readMember holds a member against the rows about it.
func (e *envelope) readMember(key string, value []byte) {
	for row := range rowsFor(key, e.options) {
		if !row.holds(value) {
			continue
		}
		if e.apply(row); e.maybe == row {
			e.state, e.isState = jsonspan.Scalar(value), key == "state"
		}
	}
}

func (e *envelope) apply(row *ResultRule) {
	switch {
	case row.gateway:
		e.gateway = true
	case row.doubtful:
		e.doubt = row
	case row.entity:
		if e.maybe != nil && e.maybe.Then == Failed && row.Then == Failed && row.coded != e.maybe.coded {
			e.failed = row // a thing has one state, and no code beside it
		}
		if e.maybe == nil || row.Then == Failed {
			e.maybe = row
		}
	case row.Then == Pending:
		e.waiting = row
	case row.Then != Succeeded:
		if e.failed == nil || e.failed.explains {
			e.failed = row
		}
	}
}

// readText looks for the first row that a text fits; one that says more than a
// doubt wins.
func (e *envelope) readText(text string) {
	for row := range textRows(e.options) {
		if !row.reads(text) {
			continue
		}
		if !row.doubtful {
			e.text = row
			return
		}
		e.doubt = row
	}
}

// verdict is what a body says in the end.
type verdict struct {
	status Status
	reason string
	text   *ResultRule // a text that reads like an error
	doubt  string
}

func (e *envelope) verdict() verdict {
	whose := e.whose()
	done, undone := e.ownVerb()
	switch {
	case e.failed != nil && !e.found(whose):
		return verdict{status: e.failed.Then, reason: e.reason()}
	case undone, e.faulty && e.asked.effect == Verifies, whose == theCalls && e.maybe.Then == Failed:
		return verdict{status: Failed, reason: e.reason()}
	case e.waiting != nil, whose == theCalls:
		return verdict{status: Pending, reason: e.reason()}
	}
	found := verdict{status: Succeeded, text: e.text}
	switch {
	case whose == either:
		found.doubt = "its " + e.maybe.Name + " may be that of the call or of an entity"
	case done != "":
		found.doubt = "it has " + done + ": 0"
	case e.notDone() != "":
		found.doubt = "it has " + e.notDone()
	case e.doubt != nil && !e.succeeded && !e.answers:
		found.doubt = "it has " + article(e.doubt.Name)
	}
	return found
}

// found reports a failure that was looked up: it tells why the thing failed, or
// what is wrong with what was checked.
func (e *envelope) found(whose owner) bool {
	return e.failed.explains && e.asked.reads() && (e.finds || whose == theThings && e.maybe.Then == Failed)
}

func article(name string) string {
	if strings.IndexByte("aeiou", name[0]) >= 0 {
		return "an " + name
	}
	return "a " + name
}

func (e *envelope) reason() string {
	for _, value := range [][]byte{e.fault, e.message} {
		if reason := readable(value); reason != "" {
			return reason
		}
	}
	return ""
}

// readable is the text of a reason: a string, the "message" of an object or of
// the first in a list, the first "text" of a list of content parts, or the raw
// JSON.
func readable(value []byte) string {
	value = bytes.TrimSpace(value)
	switch jsonspan.KindOf(value) {
	case jsonspan.Missing, jsonspan.Bool, jsonspan.Null:
		return ""
	case jsonspan.String:
		text, _ := jsonspan.Text(value)
		return strings.TrimSpace(text)
	case jsonspan.Object:
		for key, member := range jsonspan.Members(value) {
			if name := string(jsonspan.Key(key)); name == "message" || name == "text" {
				if text, _ := jsonspan.Text(member); text != "" {
					return text
				}
			}
		}
	case jsonspan.Array:
		for element := range jsonspan.Elements(value) {
			return readable(element)
		}
		return ""
	}
	return string(value)
}
