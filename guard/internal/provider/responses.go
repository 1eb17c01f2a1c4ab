package provider

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// The rules of OpenAI's Responses are those of its API: what was stored is known by the id of the
// response or of the conversation.

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

func (r *responsesRequest) items() (items []responsesItem, err error) {
	var text string
	if json.Unmarshal(r.Input, &text) == nil {
		return []responsesItem{{Type: "message", Role: "user"}}, nil
	}
	if err := json.Unmarshal(r.Input, &items); err != nil {
		return nil, errors.New("invalid type for 'input'")
	}
	return items, nil
}

func readResponses(p *Provider, body []byte) (d dialogue, err error) {
	var request responsesRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return d, fmt.Errorf("we could not parse the JSON body of your request: %w", err)
	}
	items, err := request.items()
	if err != nil {
		return d, err
	}
	for _, tool := range request.Tools {
		d.tools = append(d.tools, tool.Name)
	}
	before, known := p.stored[cmp.Or(request.Previous, request.conversation())]
	if request.Previous != "" && !known {
		return d, fmt.Errorf("previous response with id '%s' not found", request.Previous)
	}
	d.open = before
	for _, item := range items {
		switch item.Type {
		case "function_call":
			d.steps = append(d.steps, step{calls, item.CallID})
		case "function_call_output":
			d.steps = append(d.steps, step{answers, item.CallID})
		}
	}
	err = d.choose(request.ToolChoice, "function", false, "auto", "none", "required")
	return d, cmp.Or(err, p.checkThoughts(&request, items))
}

// checkThoughts: a thought stands before what it led to, and what it led to not without it.
func (p *Provider) checkThoughts(request *responsesRequest, items []responsesItem) error {
	for i, item := range items {
		thought, known := p.issued["thought before "+item.ID]
		switch {
		case item.Type == "reasoning" && (!known || item.Encrypted == "" && !request.stores()):
			return fmt.Errorf("item with id '%s' not found: items are not persisted when `store` is set to false", item.ID)
		case item.Type == "reasoning" &&
			(i+1 == len(items) || items[i+1].Type != "function_call" && items[i+1].Type != "message"):
			return fmt.Errorf("item '%s' of type 'reasoning' was provided without its required following item", item.ID)
		case thought != "" && !slices.ContainsFunc(items[:i], func(other responsesItem) bool { return other.ID == thought }):
			return fmt.Errorf("item '%s' was provided without its required 'reasoning' item: '%s'", item.ID, thought)
		}
	}
	return nil
}

// prepareResponses stores the calls that the next request has to answer, and what the thought of
// the answer led to.
func prepareResponses(p *Provider, body []byte, a *answer) {
	var request responsesRequest
	_ = json.Unmarshal(body, &request) // it has been checked
	a.WantsEncrypted = slices.Contains(request.Include, "reasoning.encrypted_content")
	thought, first := fmt.Sprintf("rs_%d", a.N), fmt.Sprintf("fc_%d_0", a.N)
	if a.Text != "" || a.Refusal != "" {
		first = fmt.Sprintf("msg_%d", a.N)
	}
	p.issued["thought before "+thought], p.issued["thought before "+first] = "", thought
	if !request.stores() {
		return
	}
	var open []string
	for _, call := range a.Calls {
		open = append(open, call.ID)
	}
	p.stored[fmt.Sprintf("resp_%d", a.N)] = open
	if conversation := request.conversation(); conversation != "" {
		p.stored[conversation] = open
	}
}
