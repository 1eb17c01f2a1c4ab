package chatwire

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// stateful is what a request in the Responses format leaves to the provider, who
// keeps responses by their id and, if asked to, whole conversations.
type stateful struct {
	previous     string // the response that the request goes on from
	conversation string // the conversation that it is part of; every answer is added to it
	earlier      int    // how many of the request's messages were said before it
	// Of a conversation: how many messages of what the model was asked last the
	// provider has by now, and its last answer.
	held     int
	answered string
}

// goOn makes the request one that goes on with what is known of earlier responses.
func (c *conversation) goOn(asked *Request) (err error) {
	if asked.stateful == nil {
		return nil
	}
	if c.parsed, err = asked.goOn(c.recollection()); err != nil {
		return fmt.Errorf("%w: %w", ErrUnguarded, err)
	}
	return nil
}

// goOn is the request with what was said before its own messages. Calls that the client was not
// given are answered for it, and calls that it was given aside stand before their results.
func (r *Request) goOn(known recollection) (*Request, error) {
	previous := r.stateful.previous
	if r.stateful.conversation != "" {
		previous = known.end(r.stateful.conversation)
	}
	said, earlier := known.recall(previous)
	open := madeOf(earlier.Open, savedCall.call)
	again := *r
	if items := r.owed(open, earlier.Aside); len(items) > 0 && r.messages.kind() != 0 {
		read, err := Responses.ParseRequest(r.body.edited(r.around(items, nil)))
		if err != nil {
			return nil, err
		}
		again = *read
		again.held = r.held
		again.Messages = slices.DeleteFunc(again.Messages, func(message guard.Message) bool {
			isAnswered := func(call tooltrack.Call) bool { return call.ID == message.CallID }
			return message.Role == guard.RoleTool && slices.ContainsFunc(open, isAnswered) // it was said before
		})
	}
	again.stateful = &stateful{
		previous: previous, conversation: r.stateful.conversation, earlier: len(said),
	}
	again.Messages = append(said, again.Messages...)
	return &again, nil
}

// unknownCall is a call whose result is here and that itself lies with the
// provider alone. What it is the result of cannot be judged.
func (r *Request) unknownCall() string {
	if r.stateful == nil {
		return ""
	}
	known := map[string]bool{}
	for _, message := range r.Messages {
		for _, call := range message.Calls {
			known[call.ID] = true
		}
		for _, seen := range message.Seen { // some are run by the client, such as a search for tools
			known[seen.ID] = true
		}
		if message.Role == guard.RoleTool && !known[message.CallID] {
			return message.CallID
		}
	}
	return ""
}

// owed are the items that the provider has to get before the client's own: it refuses to go on
// without a result for each of its calls, and with a result for a call that it does not have.
func (r *Request) owed(open []tooltrack.Call, aside []savedCall) []json.RawMessage {
	items := r.encodeItems(notRun(open))
	for _, call := range aside {
		answers := func(message guard.Message) bool { return message.Role == guard.RoleTool && message.CallID == call.ID }
		if slices.ContainsFunc(r.Messages, answers) {
			items = append(items, itemOf(call.call()))
		}
	}
	return items
}

// notRun are results for calls that the client was not given.
func notRun(calls []tooltrack.Call) []guard.Message {
	return madeOf(calls, func(call tooltrack.Call) guard.Message {
		return guard.Message{Role: guard.RoleTool, CallID: call.ID, Text: "Error: the call was not allowed and was not run."}
	})
}

// say keeps the client's items and adds those that follow.
func (responses) say(r *Request, request guard.Request) ([]edit, error) {
	if !begins(request.Messages, r.Messages) {
		return nil, errors.New("the conversation does not begin as the client's does, so it cannot be asked again")
	}
	switch {
	case r.stateful.conversation != "":
		return r.inConversation(request), nil
	case r.messages.kind() != '[' && r.messages.kind() != '"':
		return nil, errors.New("the request has no input, so there is no place for more")
	}
	return []edit{r.around(nil, r.encodeItems(request.Messages[len(r.Messages):]))}, nil
}

func (responses) choose(r *Request, choice guard.Choice) []edit {
	return r.member(r.choice, "tool_choice", responses{}.choice(choice))
}

// inConversation sends only what the provider's conversation does not hold yet: it has the request
// and every answer so far. A report is asked for aside, from the last answer and without being
// stored, so that it never becomes part of the conversation.
func (r *Request) inConversation(request guard.Request) []edit {
	items := (&Request{unstored: true}).encodeItems(request.Messages[min(r.stateful.held, len(request.Messages)):])
	edits := r.member(r.messages, "input", marshalList(items))
	if !request.Report {
		return edits
	}
	found := r.body.members("the request", "store", "previous_response_id", "conversation")
	edits = append(edits, edit{found[2].from, found[2].to, null})
	edits = append(edits, r.member(found[0], "store", []byte("false"))...)
	return append(edits, r.member(found[1], "previous_response_id", rawBlock(r.stateful.answered))...)
}

// added is what a response adds to the conversation. Calls of it that were not
// handed out still lie with the provider, which will ask for their results.
func (r *Request) added(e *exchange, answer guard.Response) remembered {
	added, said := remembered{Previous: r.stateful.previous}, slices.Clip(r.Messages[r.stateful.earlier:])
	calls := e.read.response.Message.Calls
	switch {
	case e.aside:
		added.Aside, answer.Message.Calls = madeOf(answer.Message.Calls, savedCallOf), nil
	case len(answer.Message.Calls) == 0 && len(calls) > 0:
		added.Open = madeOf(calls, savedCallOf)
		said = append(said, guard.Message{Role: guard.RoleAssistant, Calls: calls})
		said = append(said, notRun(calls)...)
	}
	added.Messages = madeOf(append(said, answer.Message), savedOf)
	return added
}

// remember keeps what a later request may go on from, if the provider keeps it, too.
func (c *conversation) remember(e *exchange, answer guard.Response) {
	if s := c.parsed.stateful; s != nil && (!c.parsed.unstored || s.conversation != "") {
		id := e.read.id
		if e.aside { // the conversation ends with the answer before
			id = s.answered
		}
		c.recollection().remember(id, s.conversation, c.parsed.added(e, answer))
	}
}

// abandon keeps what a turn that did not pass has left in a conversation of the
// provider's: calls without results, which the next request has to answer. A turn
// that goes on from a response leaves nothing, since nobody knows its last id.
func (c *conversation) abandon() {
	s := c.parsed.stateful
	if s == nil || s.conversation == "" {
		return
	}
	for _, e := range slices.Backward(c.answers) {
		if !e.aside {
			c.remember(e, guard.Response{Message: guard.Message{Role: guard.RoleAssistant}})
			return
		}
	}
}
