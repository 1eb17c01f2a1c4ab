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

// savedMessage is a message without the provider's own form: what is judged is in these
// members.
type savedMessage struct {
	Role   guard.Role  `json:"role"`
	Text   string      `json:"text,omitempty"`
	CallID string      `json:"call_id,omitempty"`
	Calls  []savedCall `json:"calls,omitzero"`
	Seen   seenCalls   `json:"seen,omitzero"`
}

type savedCall struct {
	ID   string `json:"id"`
	Tool string `json:"tool"`
	Args []byte `json:"args"` // as the model wrote them, JSON or not
}

func savedOf(message guard.Message) savedMessage {
	return savedMessage{message.Role, message.Text, message.CallID, madeOf(message.Calls, savedCallOf), message.Seen}
}

func (m savedMessage) message() guard.Message {
	calls := madeOf(m.Calls, savedCall.call)
	return guard.Message{Role: m.Role, Text: m.Text, CallID: m.CallID, Calls: calls, Seen: m.Seen}
}

func savedCallOf(call tooltrack.Call) savedCall { return savedCall{call.ID, call.Tool, call.Args} }

func (c savedCall) call() tooltrack.Call { return tooltrack.Call{ID: c.ID, Tool: c.Tool, Args: c.Args} }

// save writes a response into the ledger, where other processes find it. That
// needs an owner; without one, or where the ledger fails, this process remembers
// alone: a turn is not lost for it.
func (r recollection) save(id string, added remembered) {
	if r.ledger == nil || r.owner == "" {
		return
	}
	defer func() { _ = recover() }() // a store of the host's own
	data, _ := json.Marshal(added)   // strings and bytes always marshal
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
	known = last != nil && last.Scope == r.scope(id) && json.Unmarshal(last.Args, &found) == nil
	return found, known
}

func (r recollection) scope(id string) tooltrack.Scope {
	return tooltrack.Scope{Owner: StoredResponses + r.owner, Turn: id}
}
