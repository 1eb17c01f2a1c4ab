package chatwire

import (
	"context"
	"encoding/json"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	// StoredResponses begins the name of the owner under which the ledger keeps
	// what responses added; the name of the real owner follows. So these records
	// never stand among those of the owner's calls, and whoever deletes an owner's
	// records knows where they are.
	StoredResponses = "chatwire.responses/"
	// StoredResponse is the tool of such a record. Its turn is the id of the
	// response, or of the conversation that the provider keeps. No tool is run.
	StoredResponse = "stored_response"
)

// savedResponse is a response in the ledger. Messages in a provider's own form
// are left out: what is judged is in the other members.
type savedResponse struct {
	Previous string         `json:"previous,omitempty"`
	Messages []savedMessage `json:"messages,omitempty"`
	Open     []savedCall    `json:"open,omitempty"`
	Aside    []savedCall    `json:"aside,omitempty"`
}

type savedMessage struct {
	Role   guard.Role  `json:"role"`
	Text   string      `json:"text,omitempty"`
	CallID string      `json:"call_id,omitempty"`
	Calls  []savedCall `json:"calls,omitempty"`
	Seen   seenCalls   `json:"seen,omitempty"`
}

type savedCall struct {
	ID   string `json:"id"`
	Tool string `json:"tool"`
	Args []byte `json:"args"` // as the model wrote them, JSON or not
}

func saveCalls(calls []tooltrack.Call) []savedCall {
	return madeOf(calls, func(call tooltrack.Call) savedCall { return savedCall{call.ID, call.Tool, call.Args} })
}

func loadCalls(saved []savedCall) []tooltrack.Call {
	return madeOf(saved, func(call savedCall) tooltrack.Call {
		return tooltrack.Call{ID: call.ID, Tool: call.Tool, Args: call.Args}
	})
}

// save writes a response into the ledger, where other processes find it. That
// needs an owner; without one, or where the ledger fails, this process remembers
// alone: a turn is not lost for it.
func (r recollection) save(id string, added remembered) {
	if r.ledger == nil || r.owner == "" {
		return
	}
	defer func() { _ = recover() }() // a store of the host's own
	messages := madeOf(added.messages, func(message guard.Message) savedMessage {
		return savedMessage{message.Role, message.Text, message.CallID, saveCalls(message.Calls), message.Seen}
	})
	saved := savedResponse{added.previous, messages, saveCalls(added.open), saveCalls(added.aside)}
	data, err := json.Marshal(saved)
	if err != nil { // cannot happen: strings and bytes always marshal
		return
	}
	turn, err := r.ledger.Open(r.scope(id))
	if err != nil {
		return
	}
	ctx := context.WithoutCancel(r.ctx) // the answer is there, whether the client still waits or not
	call := tooltrack.Call{ID: id, Tool: StoredResponse, Args: data}
	begun, err := turn.Begin(ctx, tooltrack.Tool{Name: StoredResponse, Effect: tooltrack.Reads}, call, nil)
	if err == nil && begun.Run {
		_, _ = turn.Finish(ctx, begun.Record, tooltrack.Result{Status: tooltrack.Succeeded}) // it can be read without
	}
}

// load reads a response from the ledger. Of the records of a conversation the
// last one counts.
func (r recollection) load(id string) (found remembered, known bool) {
	if r.ledger == nil || r.owner == "" {
		return remembered{}, false
	}
	defer func() {
		if recover() != nil { // a store of the host's own
			found, known = remembered{}, false
		}
	}()
	records, err := r.ledger.Records(r.ctx, tooltrack.Query{Scope: r.scope(id)})
	if err != nil || len(records) == 0 {
		return remembered{}, false
	}
	last := records[len(records)-1]
	var saved savedResponse
	if last == nil || last.Scope != r.scope(id) || json.Unmarshal(last.Args, &saved) != nil {
		return remembered{}, false
	}
	messages := madeOf(saved.Messages, func(m savedMessage) guard.Message {
		return guard.Message{Role: m.Role, Text: m.Text, CallID: m.CallID, Calls: loadCalls(m.Calls), Seen: m.Seen}
	})
	return remembered{saved.Previous, messages, loadCalls(saved.Open), loadCalls(saved.Aside)}, true
}

func (r recollection) scope(id string) tooltrack.Scope {
	return tooltrack.Scope{Owner: StoredResponses + r.owner, Turn: id}
}
