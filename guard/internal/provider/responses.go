package provider

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/bonafide-go/bonafide/guard"
)

// responsesFormat is OpenAI's Responses, with the rules of its API: what was
// stored is known by the id of the response or of the conversation.
type responsesFormat struct{ chatFormat }

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

func (responsesFormat) check(p *Provider, body []byte) error {
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

func (responsesFormat) whole(p *Provider, body []byte, said guard.Response) any {
	request, items, _ := readResponsesRequest(body) // it has been checked
	id := fmt.Sprintf("resp_%d", p.serial)
	answer := object{
		"id": id, "object": "response", "created_at": 1, "model": "sim", "status": "completed", "error": nil,
		"incomplete_details": nil, "output": []any{}, "parallel_tool_calls": true, "tools": []any{}, "tool_choice": "auto",
		"usage": object{
			"input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
			"input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0},
		},
	}
	if request.Background {
		answer["status"] = "queued"
		return answer
	}
	stops := map[guard.Stop]string{guard.StopCut: "max_output_tokens", guard.StopFiltered: "content_filter"}
	if reason := stops[said.Stop]; reason != "" {
		answer["status"], answer["incomplete_details"] = "incomplete", object{"reason": reason}
	}
	answer["output"] = p.output(&request, said)
	p.keep(id, &request, items, said)
	return answer
}

// output are the items of an answer: a thought, and what it led to.
func (p *Provider) output(request *responsesRequest, said guard.Response) []any {
	thoughtID := fmt.Sprintf("rs_%d", p.serial)
	thought := object{"type": "reasoning", "id": thoughtID, "summary": []any{}}
	if slices.Contains(request.Include, "reasoning.encrypted_content") {
		thought["encrypted_content"] = fmt.Sprintf("gAAA%d==", p.serial)
	}
	output := []any{}
	add := func(id string, item object) {
		if len(output) == 0 {
			output = append(output, thought)
			p.items[thoughtID], p.items[id] = "", thoughtID
		}
		output = append(output, item)
	}
	if said.Message.Text != "" || said.Refusal != "" {
		id := fmt.Sprintf("msg_%d", p.serial)
		part := object{"type": "output_text", "text": said.Message.Text, "annotations": []any{}}
		if said.Refusal != "" {
			part = object{"type": "refusal", "refusal": said.Refusal}
		}
		add(id, object{"type": "message", "id": id, "status": "completed", "role": "assistant", "content": []any{part}})
	}
	for i, call := range said.Message.Calls {
		id := fmt.Sprintf("fc_%d_%d", p.serial, i)
		add(id, object{
			"type": "function_call", "id": id, "call_id": call.ID, "name": call.Tool, "arguments": string(call.Args),
			"status": "completed",
		})
	}
	return output
}

// keep stores what the conversation has come to.
func (p *Provider) keep(id string, request *responsesRequest, items []responsesItem, said guard.Response) {
	kept, err := p.follow(request, items)
	if err != nil || !request.stores() { // there is no error: it has been checked
		return
	}
	for _, call := range said.Message.Calls {
		kept[call.ID] = true
	}
	p.stored[id] = kept
	if conversation := request.conversation(); conversation != "" {
		p.stored[conversation] = kept
	}
}

func (f responsesFormat) events(p *Provider, body []byte, said guard.Response) []any {
	answer := f.whole(p, body, said).(object)
	begun := maps.Clone(answer)
	begun["status"], begun["output"], begun["usage"] = "in_progress", []any{}, nil
	var events []any
	add := func(kind string, event object) {
		event["type"], event["sequence_number"] = kind, len(events)
		events = append(events, event)
	}
	add("response.created", object{"response": begun})
	add("response.in_progress", object{"response": begun})
	for at, value := range answer["output"].([]any) {
		item := value.(object)
		addItem(at, item, add)
	}
	add("response."+answer["status"].(string), object{"response": answer})
	return events
}

// addItem tells one item: that it begins, what it says, that it is done.
func addItem(at int, item object, add func(kind string, event object)) {
	where := func(event object) object {
		event["item_id"], event["output_index"] = item["id"], at
		return event
	}
	begun := maps.Clone(item)
	for member, empty := range map[string]any{"content": []any{}, "arguments": "", "status": "in_progress"} {
		if begun[member] != nil {
			begun[member] = empty
		}
	}
	add("response.output_item.added", object{"output_index": at, "item": begun})
	switch item["type"] {
	case "message":
		part := item["content"].([]any)[0].(object)
		empty := maps.Clone(part)
		text, said := part["text"].(string)
		if said {
			empty["text"] = ""
		}
		add("response.content_part.added", where(object{"content_index": 0, "part": empty}))
		if said {
			for _, piece := range pieces(text) {
				add("response.output_text.delta", where(object{"content_index": 0, "delta": piece, "logprobs": []any{}}))
			}
			add("response.output_text.done", where(object{"content_index": 0, "text": text, "logprobs": []any{}}))
		}
		add("response.content_part.done", where(object{"content_index": 0, "part": part}))
	case "function_call":
		arguments := item["arguments"].(string)
		for _, piece := range pieces(arguments) {
			add("response.function_call_arguments.delta", where(object{"delta": piece}))
		}
		add("response.function_call_arguments.done", where(object{"arguments": arguments, "name": item["name"]}))
	}
	add("response.output_item.done", object{"output_index": at, "item": item})
}
