package tooltrack

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// ParseOptions say how a host's own results are to be read, by those who run
// tools and by those who see messages only. Nil is the default: [ResultRules].
type ParseOptions struct {
	// Rule is the host's own reading of a result's text. It is asked first; when
	// its second value is false the table follows.
	Rule func(content string) (Status, bool)
	// Rules are rows besides those of [ResultRules].
	Rules []ResultRule
}

// NotRunAgain is how the guard's answer to a call begins that is identical to an
// earlier one. Whoever sees only messages reads it as a call that was not run:
// the earlier one has a result of its own.
const NotRunAgain = "Not run again:"

// ParseResult reads the result of a call from the text of a message, for those
// who see messages only. It fails where [ResultOf] would, and where the text
// reads like an error of a runtime or a framework. The result is graded
// [Reported].
func ParseResult(content string, options *ParseOptions) Result {
	result := options.read(Result{Status: Succeeded, Data: jsonOf([]byte(content))}, []byte(content))
	result.lost, result.ofContent = false, false
	return result
}

// read judges a result that nothing is known against yet.
func (o *ParseOptions) read(result Result, body []byte) Result {
	if o != nil && o.Rule != nil {
		content := string(body)
		if status, known := o.Rule(content); known {
			if status == Succeeded {
				return result
			}
			return result.fail(status, content)
		}
	}
	said := envelope{options: o}
	said.judge(result.Data)
	found := said.verdict()
	switch {
	case found.status != Succeeded:
		result.lost = said.gateway && found.status == Failed
		return result.fail(found.status, found.reason)
	case said.isText && found.text != nil && (result.Grade == Reported || found.text.Then == Denied):
		return result.fail(found.text.Then, strings.TrimSpace(result.Text()))
	case found.text != nil:
		result.Doubtful = "the text reads like an error (" + found.text.Name + ")"
	case found.doubt != "":
		result.Doubtful, result.ofContent = found.doubt, true
	}
	return result
}

// judge reads a body: a JSON object, an object inside a string, or a text.
func (e *envelope) judge(data json.RawMessage) {
	if jsonspan.KindOf(data) == jsonspan.String {
		text, _ := jsonspan.Text(data)
		inner := []byte(strings.TrimSpace(text))
		if jsonspan.KindOf(inner) != jsonspan.Object || !json.Valid(inner) {
			e.isText = true
			e.readText(string(inner))
			return
		}
		data = inner // one layer of string encoding
	}
	data = bytes.TrimSpace(data)
	for key, value := range jsonspan.Members(data) {
		e.read(strings.ToLower(string(jsonspan.Key(key))), value)
	}
}

// envelope collects what the members of a body say about the call itself. Every
// occurrence of a member counts, so a second "success":true cannot undo a first
// "success":false.
type envelope struct {
	options        *ParseOptions
	isText         bool
	failed         *ResultRule // a row that says so
	waiting        *ResultRule
	maybe          *ResultRule // of a status that may be an entity's own
	doubt, text    *ResultRule
	succeeded      bool // it says so itself
	gateway        bool
	titled         bool // it has a name for people, as an entity has
	answers        bool // it tells something beside its error
	carries        int  // members that belong to an entity, not to an envelope; lists and objects count double
	fault, message []byte
}

// plainlyEntity is how much of an entity a body must carry for its pending status
// to be the entity's beyond doubt: an order has an address and items.
const plainlyEntity = 2

// envelopeMembers may stand beside a status without making it the status of an
// entity: a pending order has an address, a pending job has not.
var envelopeMembers = wordSet(`message detail details msg reason content error errors description hint
	success ok succeeded status state result code pending failed iserror is_error
	id job_id jobid request_id requestid operation_id operationid run_id runid task_id taskid trace_id
	progress eta retry_after retryafter percent timestamp created_at createdat updated_at updatedat url poll_url status_url`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// titles are names for people.
var titles = wordSet("title name subject label summary displayname display_name")

func (e *envelope) read(key string, value []byte) {
	switch key {
	case "success", "ok", "succeeded":
		e.succeeded = e.succeeded || strings.EqualFold(strings.Trim(string(value), `"`), "true")
	case "error", "errors":
		if says(value) {
			e.fault = value
		}
	case "message", "detail", "details", "msg", "reason":
		e.message = value
	case "content":
		e.message = value
		e.readContent(value)
	}
	e.answers = e.answers || key != "error" && key != "errors" && says(value)
	e.titled = e.titled || titles[key] && jsonspan.KindOf(value) == jsonspan.String
	if kind := jsonspan.KindOf(value); !envelopeMembers[key] && kind != jsonspan.Null {
		e.carries++
		if kind == jsonspan.Object || kind == jsonspan.Array {
			e.carries++
		}
	}
	for row := range rowsFor(key, e.options) {
		if row.holds(value) {
			e.apply(row)
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
		if e.maybe == nil || row.Then == Failed {
			e.maybe = row
		}
	case row.Then == Pending:
		e.waiting = row
	case row.Then != Succeeded:
		e.failed = row
	}
}

// readContent looks into the text parts of a Model Context Protocol result.
func (e *envelope) readContent(parts []byte) {
	for part := range jsonspan.Elements(parts) {
		for key, value := range jsonspan.Members(part) {
			if string(key) == "text" {
				text, _ := jsonspan.Text(value)
				e.readText(strings.TrimSpace(text))
			}
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
	switch {
	case e.failed != nil:
		return verdict{status: e.failed.Then, reason: e.reason()}
	case e.maybe != nil && e.maybe.Then == Failed && !e.titled:
		return verdict{status: Failed, reason: e.reason()}
	case e.waiting != nil, e.maybe != nil && e.maybe.Then == Pending && !e.titled && e.carries == 0:
		return verdict{status: Pending, reason: e.reason()}
	}
	found := verdict{status: Succeeded, text: e.text}
	switch {
	case e.maybe != nil && (e.maybe.Then == Failed || !e.titled && e.carries < plainlyEntity):
		found.doubt = "its " + e.maybe.Name + " may be that of the call or of an entity"
	case e.doubt != nil && !e.succeeded && !e.answers:
		found.doubt = "it has " + article(e.doubt.Name)
	}
	return found
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
