package chatwire

import (
	"context"
	"encoding/json"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	// StoredResponses begins the name of the owner under which the ledger keeps what responses
	// added; the name of the real owner follows. So these records never stand among those of the
	// owner's calls, and whoever deletes an owner's records knows where they are.
	StoredResponses = "chatwire.responses/"
	// StoredResponse is the tool of such a record. Its turn is the id of the
	// response, or of the conversation that the provider keeps. No tool is run.
	StoredResponse = "stored_response"
)

// savedMessage is a message without the provider's own form: what is judged is in these members.
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

// shelf is a ledger that holds responses, under one owner. The zero one holds nothing.
type shelf struct {
	ctx    context.Context
	ledger *tooltrack.Ledger
	owner  string
}

// save writes a response down. Where the ledger of the host's fails, this process remembers
// alone: a turn is not lost for it.
func (s shelf) save(id string, added remembered) {
	data, _ := json.Marshal(added)                    // strings and bytes always marshal
	if s.ledger == nil || len(data) > maxRecalled/2 { // one that is too long would drive the others out
		return
	}
	defer func() { _ = recover() }() // a store of the host's own
	turn, err := s.ledger.Open(s.scope(id))
	if err != nil {
		return
	}
	ctx := context.WithoutCancel(s.ctx) // the answer is there, whether the client still waits or not
	call := tooltrack.Call{ID: id, Tool: StoredResponse, Args: data}
	begun, err := turn.Begin(ctx, tooltrack.Tool{Name: StoredResponse, Effect: tooltrack.Reads}, call, nil)
	if err == nil && begun.Run {
		_, _ = turn.Finish(ctx, begun.Record, tooltrack.Result{Status: tooltrack.Succeeded}) // it can be read without
	}
}

// load reads a response. Of the records of a conversation the last one counts.
func (s shelf) load(id string) (found remembered, known bool) {
	if s.ledger == nil {
		return remembered{}, false
	}
	defer func() {
		if recover() != nil { // a store of the host's own
			found, known = remembered{}, false
		}
	}()
	records, err := s.ledger.Records(s.ctx, tooltrack.Query{Scope: s.scope(id)})
	if err != nil || len(records) == 0 {
		return remembered{}, false
	}
	last := records[len(records)-1]
	known = last != nil && last.Scope == s.scope(id) && json.Unmarshal(last.Args, &found) == nil
	return found, known
}

func (s shelf) scope(id string) tooltrack.Scope { return tooltrack.Scope{Owner: s.owner, Turn: id} }
