package formats

import (
	"cmp"
	"encoding/json"
)

// exchange is one request to a model and its answer, as gateways, clients and
// batch interfaces log them. An entry that is a request alone has no answer.
//
// Four shapes are common:
//
//	{"request": {…}, "response": {…}}            a gateway's log
//	{"request_body": {…}, "response_body": {…}}  the same with bodies, often as text
//	{"custom_id": …, "body": {…}}                a line of a batch's input
//	{"messages": […], "choices": […]}            both in one object
type exchange struct {
	request, response map[string]json.RawMessage
	entry             map[string]json.RawMessage
	answered          bool // there is a response, or a place for one
}

func exchangeOf(members map[string]json.RawMessage) exchange {
	e := exchange{entry: members, request: members, response: members}
	if members == nil {
		return e
	}
	for _, key := range []string{"request", "request_body", "body"} {
		if found := bodyOf(members[key]); found != nil {
			e.request, e.answered = found, key != "body"
			break
		}
	}
	for _, key := range []string{"response", "response_body"} {
		if found := bodyOf(members[key]); found != nil {
			e.response, e.answered = found, true
			if inner := bodyOf(found["body"]); inner != nil { // a line of a batch's output
				e.response = inner
			}
			break
		}
	}
	return e
}

// bodyOf is the object of a request or a response, with the body inside it where there is one.
func bodyOf(raw json.RawMessage) map[string]json.RawMessage {
	found := object(unquoted(raw))
	if inner := object(unquoted(found["body"])); inner != nil {
		return inner
	}
	return found
}

// member looks for a member in the request, then in the entry around it, then in the response.
func (e exchange) member(key string) json.RawMessage {
	for _, members := range []map[string]json.RawMessage{e.request, e.entry, e.response} {
		if found := members[key]; !isNull(found) {
			return found
		}
	}
	return nil
}

func (e exchange) names() (id, model string) {
	own := e.entry
	id = name(own["conversation_id"], own["thread_id"], own["session_id"], e.request["conversation_id"], own["custom_id"],
		own["id"])
	return id, cmp.Or(text(e.entry["model"]), text(e.request["model"]), text(e.response["model"]))
}
