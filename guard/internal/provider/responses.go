package provider

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// The rules of OpenAI's Responses are those of its API: what was stored is known by the id of the
// response or of the conversation.

// storedItems is what a conversation has come to: its calls without a result.
type storedItems map[string]bool

type responsesRequest struct {
	Model, Instructions string
	Input               json.RawMessage
	Previous            string          `json:"previous_response_id"`
	Conversation        json.RawMessage `json:"conversation"`
	Store               *bool
	Background          bool
	Include             []string
	Tools               []struct{ Type, Name string }
	ToolChoice          json.RawMessage `json:"tool_choice"`
}

func (r *responsesRequest) stores() bool { return r.Store == nil || *r.Store }

// conversation is the id of the conversation, however it is given.
func (r *responsesRequest) conversation() string {
	var id string
	if json.Unmarshal(r.Conversation, &id) == nil {
		return id
	}
	var named struct{ ID string }
	_ = json.Unmarshal(r.Conversation, &named) // an empty one is none
	return named.ID
}

type responsesItem struct {
	Type, Role, ID string
	CallID         string `json:"call_id"`
	Encrypted      string `json:"encrypted_content"`
	Output         json.RawMessage
}

func readResponsesRequest(body []byte) (request responsesRequest, items []responsesItem, err error) {
	if err := json.Unmarshal(body, &request); err != nil {
		return request, nil, fmt.Errorf("we could not parse the JSON body of your request: %w", err)
	}
	var text string
	if json.Unmarshal(request.Input, &text) == nil {
		return request, []responsesItem{{Type: "message", Role: "user"}}, nil
	}
	if err := json.Unmarshal(request.Input, &items); err != nil {
		return request, nil, errors.New("invalid type for 'input'")
	}
	return request, items, nil
}

func checkResponses(p *Provider, body []byte) error {
	request, items, err := readResponsesRequest(body)
	if err != nil {
		return err
	}
	var names []string
	for _, tool := range request.Tools {
		names = append(names, tool.Name)
	}
	if err := checkFlatChoice(request.ToolChoice, names); err != nil {
		return err
	}
	_, err = p.follow(&request, items)
	return cmp.Or(err, p.checkThoughts(&request, items))
}

// follow adds items to the conversation that a request goes on with: every result needs its
// call, and no call may be left without a result.
func (p *Provider) follow(request *responsesRequest, items []responsesItem) (storedItems, error) {
	before, known := p.stored[cmp.Or(request.Previous, request.conversation())]
	if request.Previous != "" && !known {
		return nil, fmt.Errorf("previous response with id '%s' not found", request.Previous)
	}
	open := storedItems{}
	maps.Copy(open, before)
	for _, item := range items {
		switch item.Type {
		case "function_call":
			if open[item.CallID] || item.CallID == "" {
				return nil, fmt.Errorf("duplicate item or no call_id: %q", item.CallID)
			}
			open[item.CallID] = true
		case "function_call_output":
			if !open[item.CallID] {
				return nil, fmt.Errorf("no tool call found for function call output with call_id %s", item.CallID)
			}
			delete(open, item.CallID)
		}
	}
	for id := range open {
		return nil, fmt.Errorf("no tool output found for function call %s", id)
	}
	return open, nil
}

// checkThoughts: a thought stands before what it led to, and what it led to not
// without it.
func (p *Provider) checkThoughts(request *responsesRequest, items []responsesItem) error {
	for i, item := range items {
		if item.Type == "reasoning" {
			_, known := p.items[item.ID]
			if !known || item.Encrypted == "" && !request.stores() {
				return fmt.Errorf("item with id '%s' not found: items are not persisted when `store` is set to false", item.ID)
			}
			if i+1 == len(items) || items[i+1].Type != "function_call" && items[i+1].Type != "message" {
				return fmt.Errorf("item '%s' of type 'reasoning' was provided without its required following item", item.ID)
			}
			continue
		}
		thought := p.items[item.ID]
		if thought != "" && !slices.ContainsFunc(items[:i], func(other responsesItem) bool { return other.ID == thought }) {
			return fmt.Errorf("item '%s' was provided without its required 'reasoning' item: '%s'", item.ID, thought)
		}
	}
	return nil
}

// prepareResponses stores what the conversation has come to, and what its last thought led to.
func prepareResponses(p *Provider, body []byte, a *answer) {
	request, items, _ := readResponsesRequest(body) // it has been checked
	a.WantsEncrypted = slices.Contains(request.Include, "reasoning.encrypted_content")
	thought, first := fmt.Sprintf("rs_%d", a.N), fmt.Sprintf("fc_%d_0", a.N)
	if a.Text != "" || a.Refusal != "" {
		first = fmt.Sprintf("msg_%d", a.N)
	}
	p.items[thought], p.items[first] = "", thought
	kept, err := p.follow(&request, items)
	if err != nil || !request.stores() { // there is no error: it has been checked
		return
	}
	for _, call := range a.Calls {
		kept[call.ID] = true
	}
	p.stored[fmt.Sprintf("resp_%d", a.N)] = kept
	if conversation := request.conversation(); conversation != "" {
		p.stored[conversation] = kept
	}
}
